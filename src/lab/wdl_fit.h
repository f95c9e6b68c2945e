// Fits the engine's model of win, draw and loss (engine/wdl.h) to games: the likeliest constants,
// from scores and results of the kept positions of lovac datagen, or of all positions of a PGN
// whose move has a score in its comment as lovac match writes it.
#ifndef LOVAC_LAB_WDL_FIT_H
#define LOVAC_LAB_WDL_FIT_H

#include "base/progress.h"
#include "engine/wdl.h"

typedef struct WdlFit {
    WdlModel model;
    uint64_t games, positions, damages;
    double loss_before, loss; // cross entropy of the built-in model and of the new one, in nats
    double expected_error;    // mean distance of expected and real score over bins of score and men
} WdlFit;

// Reads the files (progress counts bytes; names with ".pgn" in them are PGN) and fits. An error
// when there are too few games.
bool wdl_fit(const char *const *paths, int count, Progress *progress, WdlFit *fit, Error *error);

#endif
