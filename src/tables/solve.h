// Solves an ending: how every position of a material ends, and after how many half-moves, by
// retrograde analysis.
//
// Positions with the same pawns are solved together, the farthest pawns first. So every capture and
// every pawn move leads to a position that is known already, of a smaller table or of this one;
// only the quiet moves of the pieces stay among the unknown, and these can be taken back without
// knowing the rules of the game. What is known is spread backwards one half-move after the other:
// who can move to a lost position has won, who can only move to won ones has lost.
#ifndef LOVAC_TABLES_SOLVE_H
#define LOVAC_TABLES_SOLVE_H

#include <stdatomic.h>

#include "tables/fate.h"
#include "tables/layout.h"

// A smaller table with all its fates.
typedef struct KnownTable {
    Layout layout;
    Fate *fate[2]; // by side to move
} KnownTable;

// A solved ending. All arrays are by side to move and number.
typedef struct Solution {
    Layout layout;
    Fate *fate[2];
    uint16_t *zeroing[2];    // half-moves to the next capture or pawn move (or mate) when it is no
                             // draw; more than 100: cursed or blessed
    int8_t *best_capture[2]; // WDL_..., what the best capture yields; WDL_NONE: there is none
    bool *is_zeroed[2];      // a capture or pawn move yields the win
    bool has_cursed;
    uint64_t count[2][5]; // positions by side to move and WDL + 2
} Solution;

typedef struct SolveConfig {
    const Rules *rules;
    Material material;
    const KnownTable *known; // all of material_children
    int known_count;
    const atomic_bool *stop;                          // may be NULL
    void (*on_work)(void *context, uint64_t numbers); // told as it goes on; may be NULL
    void *context;
} SolveConfig;

// Memory in bytes that solving and packing takes at most, known tables included.
uint64_t solve_memory(const Rules *rules, const Material *material);

// Solves; false when it was stopped or memory ran out, or when a table is missing; nothing is to be
// freed then.
bool solve(Solution *solution, const SolveConfig *config, Error *error);
void solution_release(Solution *solution);

// The fate of a position whose table is among the known ones (or needs none), en passant included.
Fate known_fate(const KnownTable *known, int count, const Position *pos);

#endif
