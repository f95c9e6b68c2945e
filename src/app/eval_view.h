// The evaluation of a position for people: every term of the hand-written one for White and Black
// side by side, what the network says and what each man is worth to it, and which one counts.
#ifndef LOVAC_APP_EVAL_VIEW_H
#define LOVAC_APP_EVAL_VIEW_H

#include "base/str.h"
#include "core/position.h"
#include "engine/nnue.h"

enum { EVAL_TEXT_SIZE = 16384 }; // room for any position

// Writes it all, lines ended by newlines. `net` serves the position's game, or is NULL. Values are
// in pawns and for White.
void eval_view_write(Str *out, const Position *pos, const Net *net);

#endif
