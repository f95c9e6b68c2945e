// See symmetry.h.
#include "core/symmetry.h"

#include "core/bitboard.h"

// A direction as steps to the right and up.
static int right_of(int direction)
{
    return ((direction + 12) & 7) - 4;
}
static int up_of(int direction)
{
    return (direction - right_of(direction)) / 8;
}

static int turn_direction(int direction, int symmetry)
{
    int right = right_of(direction), up = up_of(direction);
    if (symmetry & SYMMETRY_TRANSPOSE) {
        int swap = right;
        right = up, up = swap;
    }
    return (symmetry & SYMMETRY_MIRROR ? -right : right) +
           8 * (symmetry & SYMMETRY_FLIP ? -up : up);
}

static Bitboard turn_squares(Bitboard squares, int symmetry)
{
    Bitboard turned = 0;
    while (squares)
        turned |= square_bit(square_turn(bit_pop(&squares), symmetry));
    return turned;
}

bool rules_have_symmetry(const Rules *rules, int symmetry, bool swaps_colors)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        Color to = swaps_colors ? !c : c;
        int first = turn_direction(rules->pawn_capture[c][0], symmetry);
        int second = turn_direction(rules->pawn_capture[c][1], symmetry);
        const int8_t *capture = rules->pawn_capture[to];
        bool takes_so = (first == capture[0] && second == capture[1]) ||
                        (first == capture[1] && second == capture[0]);
        if (!takes_so || turn_direction(rules->pawn_step[c], symmetry) != rules->pawn_step[to] ||
            turn_squares(rules->pawn_double_from[c], symmetry) != rules->pawn_double_from[to] ||
            turn_squares(rules->promotion_zone[c], symmetry) != rules->promotion_zone[to] ||
            rules->has_king[c] != rules->has_king[to])
            return false;
    }
    return true;
}

int rules_pawn_progress(const Rules *rules, Color c, Square s)
{
    int step = rules->pawn_step[c];
    return right_of(step) * square_file(s) + up_of(step) * square_rank(s);
}

Bitboard rules_pawn_squares(const Rules *rules, Color c)
{
    int step = rules->pawn_step[c];
    Bitboard forbidden = rules->promotion_zone[c];
    if ((step == NORTH || step == SOUTH) && rules->has_king[c])
        forbidden |= c == WHITE ? RANK_1 : RANK_8;
    return ~forbidden;
}
