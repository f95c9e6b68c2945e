// Makes tables of endings and writes them into a folder, on all threads and, under mpirun, on all
// processes (base/spread.h): a piece of work is a whole table. It gets the packed smaller tables
// that it needs and gives back its two files, so the processes need not share a disk, and the same
// bytes come out whoever made them.
#ifndef LOVAC_TABLES_MAKE_H
#define LOVAC_TABLES_MAKE_H

#include <stdatomic.h>

#include "base/progress.h"
#include "base/spread.h"
#include "tables/material.h"

typedef struct MakeConfig {
    const char *folder; // of all games
    const Rules *rules;
    const Material *list; // what is wanted, normalised; what these need is made too
    int count;
    uint64_t memory;  // bytes for the tables under way, 0: no bound
    SpreadTeam *team; // NULL: this process alone
    int threads;
    const atomic_bool *stop; // may be NULL
    Progress *progress;      // may be NULL; its total is set
    // Told of every table that was made, in the first process; may be NULL.
    void (*on_table)(void *context, const char *name, size_t wdz_size, size_t dtm_size);
    void *context;
} MakeConfig;

typedef struct MakeSummary {
    int made, kept;    // tables; kept: they were there and whole
    uint64_t bytes[2]; // on disk: win, draw, loss and zeroing; mate
} MakeSummary;

// Makes all that is wanted and missing (or damaged). Stopped or killed, it keeps the tables that
// were complete, and the same call goes on. In the other processes it works until the first one
// ends.
bool tables_make(const MakeConfig *config, MakeSummary *summary, Error *error);

#endif
