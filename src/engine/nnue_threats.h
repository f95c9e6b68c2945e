// The network's threat inputs, defined once: for inference on the CPU, the trainer and the GPU.
// Plain C that nvcc reads too; nothing here depends on Position.
//
// An input: a man attacks or defends another one, with the real blockers between them. Seen from a
// perspective (turned and mirrored as in nnue_view): attacker own or other, its type and square;
// attacked own or other, its type; and which of the squares that the attacker reaches on an empty
// board. Kings neither attack nor count; pawns look at pawns, knights and rooks, bishops and rooks
// not at queens. Two men of one type attack each other (but for pawns of one colour): only the pair
// with from > to is an input.
#ifndef LOVAC_ENGINE_NNUE_THREATS_H
#define LOVAC_ENGINE_NNUE_THREATS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/nnue_features.h"

enum {
    NNUE_THREATS = 60144, // inputs
    NNUE_THREAT_TYPES = 5 // pawn to queen
};

// What an input's number is made of; the same for all nets.
typedef struct NnueThreatTables {
    uint64_t reach[6][64];    // own pawn, other's pawn, knight, bishop, rook, queen; empty board
    int32_t base[2][5][2][5]; // attacker other?, type; attacked other?, type; negative: no input
    int32_t offset[2][5][64]; // squares reached from all squares before
} NnueThreatTables;

// The row of `reach` for a man.
NNUE_INLINE int nnue_reach_kind(bool is_other, int type)
{
    return type == 0 ? is_other : type + 1;
}

// Fills the tables.
#ifdef __cplusplus
extern "C"
#endif
    void
    nnue_threats_fill(NnueThreatTables *tables);

NNUE_INLINE int nnue_threats_count_bits(uint64_t b)
{
#ifdef __CUDA_ARCH__
    return __popcll(b);
#else
    return __builtin_popcountll(b);
#endif
}

// The input that "the man (`color`, `type`) on `from` attacks the man (`victim_color`, `victim`) on
// `to`" turns on for perspective `us`, whose view has that `turn`; negative when it is none.
NNUE_INLINE int nnue_threat(const NnueThreatTables *t, int turn, int us, int color, int type,
                            int from, int victim_color, int victim, int to)
{
    const int other = color != us, victim_other = victim_color != us;
    const int base = t->base[other][type][victim_other][victim];
    from ^= turn;
    to ^= turn;
    if (base < 0 || (type == victim && (other != victim_other || type != 0) && from < to))
        return -1;
    return base + t->offset[other][type][from] +
           nnue_threats_count_bits(t->reach[nnue_reach_kind(other, type)][from] &
                                   ((1ull << to) - 1));
}

#endif
