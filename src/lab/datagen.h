// Self-play: Lovac against itself at a fixed number of nodes, on all cores, into a file of games to
// learn from. Game number g follows from the seed and g alone, and games are written in order: a
// run that was killed goes on where it was, and ends with the same bytes as one that was not.
#ifndef LOVAC_LAB_DATAGEN_H
#define LOVAC_LAB_DATAGEN_H

#include <stdatomic.h>

#include "base/spread.h"
#include "lab/data_file.h"
#include "lab/match_openings.h"

typedef struct DatagenConfig {
    const char *path;
    const Rules *rules;
    uint64_t nodes;       // a move
    int every;            // only one move in so many has that and is to be learned from ...
    uint64_t quick_nodes; // ... the others have so many; 1: all have `nodes`
    uint64_t games;       // in the whole file; 0: no end
    uint64_t positions;   // stop when so many kept ones were made in this run; 0: no end
    uint64_t seed;
    int workers;      // in this process
    SpreadTeam *team; // processes that make it together; NULL: this one alone
    int hash_mb;      // of each worker
    const char *net;  // NULL or "": the usual evaluation
    int part, parts;  // this run plays every `parts`-th game, from number `part` on; 0 parts: all
    OpeningRecipe recipe;
    int win_score, win_plies; // adjudicated when so many half-moves in a row are beyond
    int draw_score, draw_plies, draw_from_ply;
    const char *engine_name; // for the header
    const atomic_bool *stop; // may be NULL
} DatagenConfig;

// 1 000 nodes, 8 or 9 random half-moves, one worker for each processor.
DatagenConfig datagen_default(void);

typedef struct DatagenStatus {
    uint64_t games, plies, kept; // made in this run
    uint64_t bytes;              // of these games
    uint64_t resumed_games;
    uint64_t results[4]; // by Result
    int64_t elapsed_ms;
} DatagenStatus;

// Called after every game that was written, one call at a time.
typedef void DatagenCallback(void *context, const DatagenStatus *status);

// Makes games until the end of the plan or until stopped. `status` is how it stood at the end. In
// all processes of a team but the first it plays for the first.
bool datagen_run(const DatagenConfig *config, DatagenCallback *callback, void *context,
                 DatagenStatus *status, Error *error);

// What a worker has of its own: an engine as self-play uses it, with this net (NULL or "": the
// usual evaluation), and room for a game.
typedef struct DatagenWorker {
    Engine *engine;
    DataGame game;
} DatagenWorker;
DatagenWorker *datagen_worker_new(const char *net, int hash_mb, Error *error);
void datagen_worker_free(DatagenWorker *worker);

// Plays game `number` alone (also for tests): the same game as in the file.
void datagen_play(const DatagenConfig *config, Engine *engine, uint64_t number, DataGame *game);

#endif
