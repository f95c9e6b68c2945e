// Moves as people type them: E7E5, e2-e4, nf3, o-o, e8q, beside what move_from_san reads.
#ifndef LOVAC_APP_TYPED_MOVE_H
#define LOVAC_APP_TYPED_MOVE_H

#include "core/position.h"

// The move that is meant, or MOVE_NONE with what is wrong with it as it was typed. What can be read
// strictly is: bxc3 takes with the pawn if it can, else with the bishop.
Move move_from_typing(const Position *pos, const char *text, Error *error);

#endif
