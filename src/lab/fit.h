// Fits all weights of the hand-written evaluation to the results of games: logistic regression with
// its own gradient (the evaluation is linear in its weights), on all cores, for each game of its
// own. The sums are made in the same order whoever makes them, so that the same weights come out.
#ifndef LOVAC_LAB_FIT_H
#define LOVAC_LAB_FIT_H

#include <stdatomic.h>

#include "base/progress.h"
#include "base/spread.h"
#include "engine/hand.h"

typedef struct FitConfig {
    const char *const *paths; // files of games (data_file.h), all of the same rules
    int path_count;
    int workers;            // in this process
    SpreadTeam *team;       // processes that fit together, all with the files; NULL: this one alone
    uint64_t positions_max; // at most so many, spread over all games
    int epochs;             // times through the data
    double rate;            // step of a weight at first, in centipawns; falls to nothing
    double result_share;    // target: this much result, the rest the search's score
    double hold_out;        // share of the games that are only looked at
    double pull; // how strongly a weight is held to its old value, in loss per centipawn squared
                 // and position
    const Weight (
        *start)[TERM_COUNT]; // by colour, to begin with; NULL: those the engine plays with
    uint64_t seed;
    const atomic_bool *stop; // may be NULL: then all epochs are done
} FitConfig;

FitConfig fit_default(void);

typedef struct FitReport {
    const Rules *rules;
    uint64_t games, positions, held_out; // positions to fit and positions held out
    double entries;                      // weights that a position touches, on average
    double scale;                        // centipawns of one nat: the slope of the results
    double loss_before, loss;            // cross entropy, in fitting
    double held_before, held;            // the same on games held out
    int epoch;
    int64_t elapsed_ms;
} FitReport;

// Called after every epoch.
typedef void FitCallback(void *context, const FitReport *report);

// Fits. `weights` gets the new ones by colour (the same for both unless the sides differ by the
// rules); `progress` (may be NULL) counts bytes while the games are read. In all processes of a
// team but the first it works for the first and never calls back; `weights` and `report` are then
// not to be used.
bool fit_run(const FitConfig *config, Progress *progress, FitCallback *callback, void *context,
             Weight weights[2][TERM_COUNT], FitReport *report, Error *error);

// The text of src/engine/hand_weights.inc for these weights; `size` as large as FIT_TEXT_SIZE.
enum { FIT_TEXT_SIZE = 1 << 16 };
void fit_write_weights(const Weight weights[TERM_COUNT], const char *comment, char *text,
                       size_t size);

#endif
