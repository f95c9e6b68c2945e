// Suites of positions with best moves (bm), moves to avoid (am) or graded moves, in EPD.
#ifndef LOVAC_LAB_ANALYSE_SUITE_H
#define LOVAC_LAB_ANALYSE_SUITE_H

#include <stdatomic.h>

#include "base/spread.h"
#include "engine/engine.h"

enum { SUITE_NAME_SIZE = 64, SUITE_MOVES_MAX = 64 };

// What came of a position.
typedef struct SuiteAnswer {
    bool is_done, is_solved;
    Move move;
    int score, depth, points;
    uint64_t nodes, solved_nodes; // solved: from when on the right move stood first to the end
    int64_t time_ms, solved_ms;
} SuiteAnswer;

typedef struct SuitePosition {
    Position pos;
    char name[SUITE_NAME_SIZE]; // id, or its line
    Move best[SUITE_MOVES_MAX], avoid[SUITE_MOVES_MAX], graded[SUITE_MOVES_MAX];
    int points[SUITE_MOVES_MAX]; // of graded moves
    int best_count, avoid_count, graded_count;
    SuiteAnswer answer;
} SuitePosition;

typedef struct Suite {
    SuitePosition *positions;
    int count, capacity;
    int refused;         // lines that could not be read, or with nothing to solve
    Error first_refusal; // with the line
} Suite;

// Reads a file; the suite is released by suite_release also after a failure.
bool suite_load(Suite *suite, const char *path, const Rules *rules, Error *error);
void suite_release(Suite *suite);

typedef struct SuiteConfig {
    SearchLimits limits;
    int workers, hash_mb;    // workers: in this process
    SpreadTeam *team;        // processes that solve it together; NULL: this one alone
    const char *net;         // NULL: the usual evaluation
    const char *tables;      // folders of Syzygy tables; NULL: none
    const char *own_tables;  // the folder of our own; NULL: none
    const atomic_bool *stop; // may be NULL
} SuiteConfig;

// Called after every position, one call at a time.
typedef void SuiteCallback(void *context, const SuitePosition *position);

// Searches all positions, each on one worker with a fresh engine state. In all processes of a team
// but the first it works for the first; all must have read the same suite.
bool suite_run(Suite *suite, const SuiteConfig *config, SuiteCallback *callback, void *context,
               Error *error);

#endif
