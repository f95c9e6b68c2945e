// The threats that a move begins and ends, as they stand on the board: they know no perspective.
// A search remembers the board before each move and asks for them when a value is wanted.
#ifndef LOVAC_ENGINE_NNUE_CHANGES_H
#define LOVAC_ENGINE_NNUE_CHANGES_H

#include <string.h>

#include "core/position.h"
#include "engine/nnue_threats.h"

enum {
    NNUE_MAX_CHANGES = 128, // of one kind by a move: four squares, each 8 + 16 + 8 at most
    NNUE_MAX_THREATS = 512  // of a position: 64 men, each 8 at most
};

// A threat: from (6 bits), attacker (Piece, 4 bits), attacked (4 bits), to (6 bits).
typedef uint32_t NnueThreat;

static inline NnueThreat nnue_threat_make(Piece attacker, Square from, Piece attacked, Square to)
{
    return (NnueThreat)(from | attacker << 6 | attacked << 10 | to << 14);
}
static inline Square nnue_threat_from(NnueThreat t)
{
    return (Square)(t & 63);
}
static inline Piece nnue_threat_attacker(NnueThreat t)
{
    return (Piece)(t >> 6 & 15);
}
static inline Piece nnue_threat_attacked(NnueThreat t)
{
    return (Piece)(t >> 10 & 15);
}
static inline Square nnue_threat_to(NnueThreat t)
{
    return (Square)(t >> 14 & 63);
}

typedef struct NnueChanges {
    int begins, ends;
    _Alignas(64) NnueThreat begun[NNUE_MAX_CHANGES], ended[NNUE_MAX_CHANGES];
} NnueChanges;

// The men on the board, before a move or at an entry of the stack.
typedef struct NnueBoard {
    _Alignas(64) uint8_t board[64]; // Piece or NO_PIECE
    Bitboard by_type[TYPE_COUNT], by_color[2];
} NnueBoard;

static inline void nnue_board_set(NnueBoard *board, const Position *pos)
{
    memcpy(board->board, pos->board, sizeof board->board);
    memcpy(board->by_type, pos->by_type, sizeof board->by_type);
    memcpy(board->by_color, pos->by_color, sizeof board->by_color);
}

// The squares around each square in the order of the vector code: for each of eight directions the
// seven next ones, then one that is a knight's jump away.
typedef struct NnueRays {
    _Alignas(64) uint8_t squares[64][64];
    uint64_t is_there[64]; // which of them are on the board
} NnueRays;

void nnue_rays_fill(NnueRays *rays);

// Finds what a move on that board (orthodox rules) changes.
typedef void NnueChangesFinder(NnueChanges *changes, const NnueBoard *board, Move move,
                               const NnueRays *rays);
NnueChangesFinder nnue_changes_find;

#if defined(__x86_64__)
// The same by AVX-512 with VBMI2, where the processor has it.
NnueChangesFinder nnue_changes_find_vector;
bool nnue_changes_can_vector(void);
#endif

// All threats on a board, those that are no input included; returns their number.
int nnue_threats_list(const NnueBoard *board, NnueThreat list[NNUE_MAX_THREATS]);

#endif
