// Old games with new scores: every position of a file of games is searched again, with a newer net
// or more nodes; moves and results stay. So games that were dear to play serve another generation.
#ifndef LOVAC_LAB_RELABEL_H
#define LOVAC_LAB_RELABEL_H

#include <stdatomic.h>

#include "base/progress.h"
#include "base/spread.h"
#include "lab/data_file.h"

typedef struct RelabelConfig {
    const char *from, *to;   // `to` is gone on with when it was begun in the same way
    const char *net;         // NULL or "": the usual evaluation
    uint64_t nodes;          // for each position
    int workers, hash_mb;    // workers: in this process
    SpreadTeam *team;        // processes that do it together; NULL: this one alone
    const atomic_bool *stop; // may be NULL
} RelabelConfig;

typedef struct RelabelStatus {
    uint64_t games, positions; // of this run
    uint64_t resumed_games;
    uint64_t damages;  // blocks left out
    double change_sum; // of scores, absolute, within ±1000
    uint64_t change_count;
} RelabelStatus;

// Relabels until the end or until stopped; progress (may be NULL) counts bytes of the old file. The
// same bytes come out with any number of workers and processes and after any number of kills. In
// all processes of a team but the first it works for the first.
bool relabel_run(const RelabelConfig *config, Progress *progress, RelabelStatus *status,
                 Error *error);

#endif
