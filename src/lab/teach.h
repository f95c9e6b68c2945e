// Teaches document K's 'full network' (lab/agents/network.h) by back-propagation: it is shown
// positions of games and the moves that were played. How many of its answers are legal moves, and
// how many are the move that was played, is counted on positions it learns from and on games held
// out.
#ifndef LOVAC_LAB_TEACH_H
#define LOVAC_LAB_TEACH_H

#include <stdatomic.h>

#include "base/progress.h"
#include "lab/brain/brain.h"

typedef struct TeachConfig {
    const char *const *paths; // files of games of chess (data_file.h)
    int path_count;
    int middle;    // nodes between inputs and outputs, all of which hear all inputs
    bool squares;  // 128 outputs, one for each square to begin and to end on, instead of the four
    int positions; // to learn from, at most, spread over all games
    int epochs;
    double rate;
    uint64_t seed;
    const atomic_bool *stop; // may be NULL
} TeachConfig;

// 200 nodes, 50 000 positions, 10 epochs, rate 0.01.
TeachConfig teach_default(void);

// Shares of the positions.
typedef struct TeachScore {
    double loss;  // half the squared error, a position
    double legal; // the answer is a legal move
    double same;  // it is the move that was played
    double near;  // the legal move nearest to the answer is
} TeachScore;

typedef struct TeachReport {
    int epoch, parameters, positions, held_positions;
    TeachScore taught, held;
    double chance; // that any legal move is the one that was played, on games held out
    int64_t elapsed_ms;
} TeachReport;

// Called before the first epoch, after the last, and about twenty times between.
typedef void TeachCallback(void *context, const TeachReport *report);

// Teaches; `dna` gets the network. `progress` (may be NULL) counts positions shown.
bool teach_run(const TeachConfig *config, Progress *progress, TeachCallback *callback,
               void *context, Dna *dna, Error *error);

#endif
