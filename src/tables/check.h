// Checks tables of endings: every position, or a sample, against the positions that its moves lead
// to. Beyond the checksums this shows that what is stored is true, whoever made it.
#ifndef LOVAC_TABLES_CHECK_H
#define LOVAC_TABLES_CHECK_H

#include <stdatomic.h>

#include "base/progress.h"
#include "tables/own.h"

typedef struct CheckConfig {
    OwnTables *own;
    const Rules *rules;
    const Material *list; // normalised; the smaller tables must be there too
    int count;
    bool is_full;     // every position, else
    uint64_t samples; // so many of each table, at random
    uint64_t seed;
    int threads;
    const atomic_bool *stop; // may be NULL
    Progress *progress;      // may be NULL; its total is set
} CheckConfig;

typedef struct CheckSummary {
    int tables;
    uint64_t positions, wrong;
    Error first; // what was wrong first
} CheckSummary;

// False when a table cannot be read or memory runs out; positions that contradict their children
// are counted.
bool tables_check(const CheckConfig *config, CheckSummary *summary, Error *error);

#endif
