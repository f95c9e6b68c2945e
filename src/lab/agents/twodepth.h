// Document K's minimax: two depths, a normal one and a larger one that holds while the last move
// took something; leaves are valued by the men and their places (kboard.h), to which the output of
// a network may be added. As the document has it, kings are taken, not mated, so that a stalemate
// looks like a win; nothing is sorted or remembered; the first of equally good moves is played. It
// cuts by alpha-beta, which never changes the move (tests/test_league.c compares it with plain
// minimax). What the document names as future work are options. It plays chess only.
#ifndef LOVAC_LAB_AGENTS_TWODEPTH_H
#define LOVAC_LAB_AGENTS_TWODEPTH_H

#include <stdatomic.h>

#include "core/game.h"
#include "engine/hand.h"
#include "lab/agents/kboard.h"
#include "lab/brain/brain_fast.h"

enum { TWODEPTH_NORMAL = 4, TWODEPTH_DEPTH_MAX = 32, TWODEPTH_PHASES = 3 };

// When the recurrent pairs of a network go back to 0. Within a search they stand still: a leaf's
// value is a function of the game and the leaf.
typedef enum TwoDepthReset { RESET_GAME, RESET_MOVE, RESET_EVALUATION } TwoDepthReset;

typedef struct TwoDepth {
    int normal, deep; // half-moves
    // Beyond the document: mates, stalemates and repetitions are seen; fewer men, greater depth;
    // captures and other gains first, which cuts sooner and never changes the move.
    bool proper_ends, grows, is_sorted;
    bool is_plain; // nothing is cut: plain minimax, for comparison
    TwoDepthReset reset;
    float factor; // of the network's output, in pawns
    KValues values;
    // By phase: all men, at most 24, at most 12. All may be the same one; NULL: men alone. With a
    // second output above 1/2 a network discards a quiet move before it is searched.
    const BrainFast *brains[TWODEPTH_PHASES];
    const HandSetup *hand; // instead of men and network; may be NULL
} TwoDepth;

// 4/8, factor 0.5, no network, everything as in the document.
TwoDepth twodepth_default(void);

// What one side remembers of a game: the recurrent pairs, by phase.
typedef struct TwoDepthMemory {
    BrainMemory of[TWODEPTH_PHASES];
    int ply; // of the game that they stand at
} TwoDepthMemory;

typedef struct TwoDepthChoice {
    Move move;
    float score; // pawns for the side to move; ±TWODEPTH_WIN: a king is taken
    int depth;   // the normal one that was used
    uint64_t nodes, evaluations;
} TwoDepthChoice;
#define TWODEPTH_WIN 1e9f

// The best move in a game whose position has one. `memory` must be all zero at the game's first
// move and is moved on here; `stop` (may be NULL) ends it early, and the choice then means nothing.
void twodepth_choose(const TwoDepth *how, const Game *game, TwoDepthMemory *memory,
                     const atomic_bool *stop, TwoDepthChoice *choice);

// The memory as it is before the move at hand, worked out from the game's moves.
void twodepth_recall(const TwoDepth *how, const Game *game, TwoDepthMemory *memory);

// The value of a board without search, in pawns for its side to move.
float twodepth_evaluate(const TwoDepth *how, const KBoard *board, const TwoDepthMemory *memory);

// Own men less the other side's, without their places, in pawns, for the side to move.
double twodepth_material(const Position *pos);

// Weights of the hand-written evaluation as DNA, and back: term by term, middle game and endgame.
bool twodepth_hand_to_dna(const Weight weights[TERM_COUNT], Dna *dna);
bool twodepth_hand_from_dna(const Dna *dna, Weight weights[TERM_COUNT], Error *error);

#endif
