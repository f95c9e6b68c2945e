// The eight ways to turn and mirror the board, and which of them a game allows: moves of the men
// look the same afterwards. Tables of endings store only one of the positions that go into each
// other.
#ifndef LOVAC_CORE_SYMMETRY_H
#define LOVAC_CORE_SYMMETRY_H

#include "core/rules.h"

// A symmetry is three bits: first files and ranks change places (bit 2), then the files are
// mirrored (bit 0) and the ranks (bit 1). 0 leaves everything where it is.
enum { SYMMETRY_MIRROR = 1, SYMMETRY_FLIP = 2, SYMMETRY_TRANSPOSE = 4, SYMMETRY_COUNT = 8 };

static inline Square square_turn(Square s, int symmetry)
{
    if (symmetry & SYMMETRY_TRANSPOSE)
        s = (s >> 3) | (s & 7) << 3;
    return s ^ (symmetry & SYMMETRY_MIRROR ? 7 : 0) ^ (symmetry & SYMMETRY_FLIP ? 56 : 0);
}

// Do the pawns of the game move the same after that symmetry? With `swaps_colors` White's men
// become Black's and the other way round, kings too. (Pieces do not mind; castling is left out.)
bool rules_have_symmetry(const Rules *rules, int symmetry, bool swaps_colors);

// How far a pawn has come: a number that grows with each of its steps.
int rules_pawn_progress(const Rules *rules, Color c, Square s);

// Squares on which a pawn may stand: not where it would have promoted, nor behind its start: on the
// own back rank where pawns walk straight up the board, unless the side is a horde that begins
// there.
Bitboard rules_pawn_squares(const Rules *rules, Color c);

#endif
