// The evaluation of a position as a table for people: every term for White and Black side by side.
#ifndef LOVAC_APP_EVAL_VIEW_H
#define LOVAC_APP_EVAL_VIEW_H

#include "base/str.h"
#include "core/position.h"

enum { EVAL_TEXT_SIZE = 16384 }; // room for any table

// Writes the table, lines ended by newlines.
void eval_view_write(Str *out, const Position *pos);

#endif
