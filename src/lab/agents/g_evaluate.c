// See g_evaluate.h. The document prints the knight's table only; the others are those of the
// published function. The tables are printed as White sees the board; Black's squares are mirrored.
#include "lab/agents/g_evaluate.h"

#include <stdint.h>

static const int VALUES[6] = {100, 320, 330, 500, 900, 0};

// By kind of man; the king has one for the middle game and one for the ending.
enum { KING_ENDING = 6, TABLES = 7 };

static const int8_t SQUARES[TABLES][64] = {
    [G_PAWN] = {0,  0,  0,  0,   0,   0,  0,  0,  50, 50, 50,  50, 50, 50,  50, 50,
                10, 10, 20, 30,  30,  20, 10, 10, 5,  5,  10,  25, 25, 10,  5,  5,
                0,  0,  0,  20,  20,  0,  0,  0,  5,  -5, -10, 0,  0,  -10, -5, 5,
                5,  10, 10, -20, -20, 10, 10, 5,  0,  0,  0,   0,  0,  0,   0,  0},
    [G_KNIGHT] = {-50, -40, -30, -30, -30, -30, -40, -50, -40, -20, 0,   0,   0,   0,   -20, -40,
                  -30, 0,   10,  15,  15,  10,  0,   -30, -30, 5,   15,  20,  20,  15,  5,   -30,
                  -30, 0,   15,  20,  20,  15,  0,   -30, -30, 5,   10,  15,  15,  10,  5,   -30,
                  -40, -20, 0,   5,   5,   0,   -20, -40, -50, -40, -30, -30, -30, -30, -40, -50},
    [G_BISHOP] = {-20, -10, -10, -10, -10, -10, -10, -20, -10, 0,   0,   0,   0,   0,   0,   -10,
                  -10, 0,   5,   10,  10,  5,   0,   -10, -10, 5,   5,   10,  10,  5,   5,   -10,
                  -10, 0,   10,  10,  10,  10,  0,   -10, -10, 10,  10,  10,  10,  10,  10,  -10,
                  -10, 5,   0,   0,   0,   0,   5,   -10, -20, -10, -10, -10, -10, -10, -10, -20},
    [G_ROOK] = {0, 0,  0,  0,  0,  0, 0, 0, 5, 10, 10, 10, 10, 10, 10, 5, -5, 0,  0,  0, 0, 0,
                0, -5, -5, 0,  0,  0, 0, 0, 0, -5, -5, 0,  0,  0,  0,  0, 0,  -5, -5, 0, 0, 0,
                0, 0,  0,  -5, -5, 0, 0, 0, 0, 0,  0,  -5, 0,  0,  0,  5, 5,  0,  0,  0},
    [G_QUEEN] = {-20, -10, -10, -5, -5, -10, -10, -20, -10, 0,   0,   0,  0,  0,   0,   -10,
                 -10, 0,   5,   5,  5,  5,   0,   -10, -5,  0,   5,   5,  5,  5,   0,   -5,
                 0,   0,   5,   5,  5,  5,   0,   -5,  -10, 5,   5,   5,  5,  5,   0,   -10,
                 -10, 0,   5,   0,  0,  0,   0,   -10, -20, -10, -10, -5, -5, -10, -10, -20},
    [G_KING] = {-30, -40, -40, -50, -50, -40, -40, -30, -30, -40, -40, -50, -50, -40, -40, -30,
                -30, -40, -40, -50, -50, -40, -40, -30, -30, -40, -40, -50, -50, -40, -40, -30,
                -20, -30, -30, -40, -40, -30, -30, -20, -10, -20, -20, -20, -20, -20, -20, -10,
                20,  20,  0,   0,   0,   0,   20,  20,  20,  30,  10,  0,   0,   10,  30,  20},
    [KING_ENDING] = {-50, -40, -30, -20, -20, -30, -40, -50, -30, -20, -10, 0,   0,
                     -10, -20, -30, -30, -10, 20,  30,  30,  20,  -10, -30, -30, -10,
                     30,  40,  40,  30,  -10, -30, -30, -10, 30,  40,  40,  30,  -10,
                     -30, -30, -10, 20,  30,  30,  20,  -10, -30, -30, -30, 0,   0,
                     0,   0,   -30, -30, -50, -30, -30, -30, -30, -30, -30, -50},
};

static int count(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

// The ending, by the function's author: a side has no queen, or besides it no more than one minor
// piece; and so has the other.
static bool is_ending_for(const uint64_t *men)
{
    return !men[G_QUEEN] ||
           (count(men[G_QUEEN]) == 1 && !men[G_ROOK] && count(men[G_KNIGHT] | men[G_BISHOP]) <= 1);
}

// All men of one colour. `mirror` turns the board upside down for Black.
static int side_value(const uint64_t *men, int mirror, bool is_ending)
{
    int sum = 0;
    for (int kind = G_PAWN; kind <= G_KING; kind++) {
        const int8_t *squares = SQUARES[kind == G_KING && is_ending ? KING_ENDING : kind];
        for (uint64_t bits = men[kind]; bits; bits &= bits - 1)
            sum += VALUES[kind] + squares[__builtin_ctzll(bits) ^ mirror];
    }
    return sum;
}

int g_evaluate(const GBoard *board)
{
    const uint64_t *white = board->men, *black = board->men + G_BLACK;
    const bool is_ending = is_ending_for(white) && is_ending_for(black);
    const int score = side_value(white, 0, is_ending) - side_value(black, 56, is_ending);
    return board->side ? -score : score;
}
