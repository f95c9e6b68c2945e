// Random positions with given men, for the tests of tables and for bench/probe.c.
#ifndef LOVAC_TESTS_RANDOM_POSITION_H
#define LOVAC_TESTS_RANDOM_POSITION_H

#include <string.h>

#include "base/random.h"
#include "core/position.h"

// A legal position of these men ("KQvKR") on random squares, either side to move; the counters are
// those of a game that begins.
static inline void random_position(Random *random, const char *men, Position *pos)
{
    do {
        position_clear(pos, &VARIANTS[VARIANT_CHESS]);
        Color c = WHITE;
        for (const char *m = men; *m; m++) {
            if (*m == 'v') {
                c = BLACK;
                continue;
            }
            PieceType t = (PieceType)(strchr("PNBRQK", *m) - "PNBRQK");
            Square s;
            do {
                s = (Square)random_below(random, 64);
            } while (pos->board[s] != NO_PIECE ||
                     (t == PAWN && (square_rank(s) == 0 || square_rank(s) == 7)));
            position_put(pos, piece_make(c, t), s);
        }
        pos->side = (uint8_t)random_below(random, 2);
        pos->state.en_passant = NO_SQUARE;
        position_finish(pos);
    } while (!position_is_sound(pos, NULL));
}

#endif
