// SPSA: all constants of the search tuned at once by games. In every step all are moved a little,
// each up or down at random; the moved set plays a pair of games against its mirror image, and the
// result pulls all of them. A pair knows the results of all pairs but the `lag` before it, however
// many workers there are, so that the same values come out whoever plays. Needs a build whose
// constants can be changed (make CPPFLAGS=-DTUNE).
#ifndef LOVAC_LAB_SPSA_H
#define LOVAC_LAB_SPSA_H

#include <stdatomic.h>

#include "base/spread.h"
#include "lab/match_openings.h"
#include "play/player.h"

enum { SPSA_PARAMETERS_MAX = 512, SPSA_LAG_MAX = 1024 };

typedef struct SpsaParameter {
    const char *name;
    int standard, low, high; // the built-in value and its range
    double start, value;     // where tuning began and where it stands
    double step;             // how far it is moved at the end
} SpsaParameter;

typedef struct SpsaConfig {
    const char *path;       // state: read when it is there, written again and again
    const char *curve_path; // values over time as CSV; may be NULL
    const char *only;       // names with commas, * at the end for all that begin so; NULL: all
    const char *set;        // NAME=VALUE,... to begin with; NULL: the built-in values
    const Rules *rules;
    const Openings *openings;
    PlayerLimits limits; // of every move
    uint64_t pairs;      // steps in all
    double rate;         // how strongly a result pulls at the end
    double step_share;   // of a parameter's range, moved at the end
    uint64_t seed;
    int workers, hash_mb;    // workers: in this process
    int lag;                 // pairs at a time; workers beyond it have nothing to do
    SpreadTeam *team;        // processes that play together; NULL: this one alone
    const atomic_bool *stop; // may be NULL
} SpsaConfig;

// 2 000 nodes a move, 20 000 pairs, a lag of 16.
SpsaConfig spsa_default(void);

typedef struct SpsaStatus {
    const SpsaParameter *parameters;
    int count;
    uint64_t done, total, resumed; // pairs
    uint64_t results[5];           // pairs of this run by the points of the upper set
    int64_t elapsed_ms;
} SpsaStatus;

// Called after every pair, in order, and once at the end; only in the first process.
typedef void SpsaCallback(void *context, const SpsaStatus *status);

bool spsa_run(const SpsaConfig *config, SpsaCallback *callback, void *context, Error *error);

// Can this build change its constants?
bool spsa_is_possible(void);

#endif
