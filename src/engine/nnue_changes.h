// The threats that a move begins and ends, as they stand on the board: they know no perspective.
// A search remembers the board before each move and asks for them when a value is wanted.
#ifndef LOVAC_ENGINE_NNUE_CHANGES_H
#define LOVAC_ENGINE_NNUE_CHANGES_H

#include "core/position.h"
#include "engine/nnue_threats.h"

enum {
    NNUE_MAX_CHANGES = 128, // of one kind by a move: four squares, each 8 + 16 + 8 at most
    NNUE_MAX_THREATS = 512  // of a position: 64 men, each 8 at most
};

// A threat: attacker and attacked (Piece), with their squares.
typedef union NnueThreat {
    struct {
        uint8_t from, to, attacker, attacked;
    };
    uint32_t word;
} NnueThreat;

typedef struct NnueChanges {
    int begins, ends;
    _Alignas(64) NnueThreat begun[NNUE_MAX_CHANGES], ended[NNUE_MAX_CHANGES];
} NnueChanges;

// The men before a move.
typedef struct NnueBoard {
    _Alignas(64) uint8_t board[64]; // Piece or NO_PIECE
    Bitboard by_type[TYPE_COUNT], by_color[2];
} NnueBoard;

typedef void NnueChangesFinder(NnueChanges *changes, const NnueBoard *board, Move move);

// What a move on that board (orthodox rules) changes.
void nnue_changes_find(NnueChanges *changes, const NnueBoard *board, Move move);

// The same by AVX-512 with VBMI2; only where nnue_changes_has_vector().
void nnue_changes_find_vector(NnueChanges *changes, const NnueBoard *board, Move move);
bool nnue_changes_has_vector(void);

// All threats on a board, those that are no input included; returns their number.
int nnue_threats_list(const Position *pos, NnueThreat list[NNUE_MAX_THREATS]);

#endif
