// See nnue_threats.h.
#include "engine/nnue_threats.h"

#include <stdlib.h>

// Places of the attacked types for each attacking type, pawn to queen; negative: no input.
static const int8_t PLACE[5][5] = {
    {0, 1, -1, 2, -1}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, -1}, {0, 1, 2, 3, -1}, {0, 1, 2, 3, 4}};
static const int8_t PLACES[5] = {3, 5, 4, 4, 5};

// Does a man of that kind (row of `reach`) on `from` reach `to` on an empty board?
static bool reaches(int kind, int from, int to)
{
    const int x = (to & 7) - (from & 7), y = (to >> 3) - (from >> 3), ax = abs(x), ay = abs(y);
    const bool is_straight = !ax != !ay, is_slanting = ax == ay && ax;
    switch (kind) {
    case 0: return ax == 1 && y == 1 && from >= 8 && from < 56;
    case 1: return ax == 1 && y == -1 && from >= 8 && from < 56;
    case 2: return ax * ay == 2;
    case 3: return is_slanting;
    case 4: return is_straight;
    default: return is_straight || is_slanting;
    }
}

// The inputs of one attacker, from number `first` on; returns the number after them.
static int fill_attacker(NnueThreatTables *t, int other, int type, int first)
{
    int squares = 0;
    for (int from = 0; from < 64; from++) {
        t->offset[other][type][from] = squares;
        squares += nnue_threats_count_bits(t->reach[nnue_reach_kind(other, type)][from]);
    }
    for (int victim_other = 0; victim_other < 2; victim_other++)
        for (int victim = 0; victim < 5; victim++) {
            const int place = PLACE[type][victim];
            t->base[other][type][victim_other][victim] =
                place < 0 ? -1 : first + (victim_other * PLACES[type] + place) * squares;
        }
    return first + 2 * PLACES[type] * squares;
}

void nnue_threats_fill(NnueThreatTables *t)
{
    for (int kind = 0; kind < 6; kind++)
        for (int from = 0; from < 64; from++) {
            t->reach[kind][from] = 0;
            for (int to = 0; to < 64; to++)
                t->reach[kind][from] |= (uint64_t)reaches(kind, from, to) << to;
        }
    int first = 0;
    for (int other = 0; other < 2; other++)
        for (int type = 0; type < NNUE_THREAT_TYPES; type++)
            first = fill_attacker(t, other, type, first);
}
