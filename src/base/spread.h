// One way to spread work: independent pieces over the threads of this process or, under mpirun,
// over the threads of all its processes. Matches, self-play, tuning and analysis use nothing else.
//
//     SpreadWork work = {.context = &job, .threads = 4, .count = 100, .work = play, .take = book};
//     if (!spread_is_first(team))
//         return spread_serve(team, &work, error);    the other processes
//     ok = spread_run(team, &work, error);            the first one, or a process alone
//
// Pieces are numbered 0, 1, 2, ... The first process hands them out in that order, one at a time,
// to whichever worker asks next. A worker is a thread, here or in another process; the workers of
// another process ask over a connection each and answer over it. A piece is a function of its
// number, of what `give` put into its input, and of `common`, the same for all pieces; its result
// is bytes, which `take` gets in the first process. So the results do not depend on who did what.
//
// A process that dies is a connection that closes: the piece it was at goes back and is handed out
// again, before any new one. Nothing else is lost, and the result is complete as long as the first
// process lives. (Open MPI ends all processes when one dies unless it is told to let them live:
// mpirun --enable-recovery.) When the first process dies the others end; what it had written is
// there, and the same command goes on as far as the caller keeps a journal. A process that comes
// late joins in.
//
// Only the first process prints and writes files.
#ifndef LOVAC_BASE_SPREAD_H
#define LOVAC_BASE_SPREAD_H

#include <stdatomic.h>

#include "base/bytes.h"
#include "base/error.h"

// The processes that mpirun started; NULL stands for a process alone.
typedef struct SpreadTeam SpreadTeam;

// Meets the other processes that mpirun started; *team becomes NULL when there are none, or when
// the program was built without MPI. Call it once, before anything is printed. False when under
// mpirun the processes do not find each other.
bool spread_join(SpreadTeam **team, Error *error);

// Says goodbye to all, so that they end, and frees the team (may be NULL).
void spread_leave(SpreadTeam *team);

// Is this the process that leads, prints and writes?
bool spread_is_first(const SpreadTeam *team);

// Processes in all, and those that have died since (known to the first process).
int spread_processes(const SpreadTeam *team);
int spread_lost(const SpreadTeam *team);

// Workers for this process unless the user says another number: its processors, shared with those
// processes that may run on the same ones.
int spread_threads(const SpreadTeam *team);

// What a worker gets.
typedef struct SpreadPiece {
    uint64_t index;
    const uint8_t *input; // what `give` made
    size_t input_size;
    const uint8_t *common; // the work's common bytes, aligned for any type
    size_t common_size;
    const atomic_bool *stop; // true: end at once, nobody wants the result any more
} SpreadPiece;

typedef enum SpreadGift {
    SPREAD_PIECE, // do this one
    SPREAD_SKIP,  // it needs no work: the next one
    SPREAD_WAIT,  // ask again when another result has come
    SPREAD_END    // there are no more
} SpreadGift;

typedef struct SpreadWork {
    void *context; // for all functions below
    int threads;   // workers in this process, at least 1

    // In every process, on the worker's own thread. `make` (may be NULL) makes what a worker needs
    // beside the pieces; `stop` stays valid until `free`. NULL with the reason fails the work.
    void *(*make)(void *context, const atomic_bool *stop, Error *error);
    void (*free)(void *context, void *state);
    // Does a piece and adds its result to `result`. False drops the piece when `stop` is true, else
    // fails the work with the reason.
    bool (*work)(void *context, void *state, const SpreadPiece *piece, Bytes *result, Error *error);

    // The rest is for the first process alone; one call at a time, from any of its threads.
    // Says what to do with piece `index` and may add input for it; NULL: all are done as they are.
    SpreadGift (*give)(void *context, uint64_t index, Bytes *input);
    // Gets a result; false with the reason fails the work. NULL: nobody wants them.
    bool (*take)(void *context, uint64_t index, const uint8_t *result, size_t size, Error *error);
    uint64_t first, count; // pieces first .. count - 1; UINT64_MAX: `give` says where the end is
    bool is_in_order;      // take results by number; early ones wait
    uint64_t window;       // in order: pieces handed out beyond the first without a result;
                           // 0: 64 for each worker
    const void *common;
    size_t common_size;
    const atomic_bool *stop; // set by the user; pieces under way are dropped; may be NULL
} SpreadWork;

// Does all pieces; returns when all are taken, when stopped (true: the caller knows), or when
// something failed. After a stop or a failure the team can only be left.
bool spread_run(SpreadTeam *team, const SpreadWork *work, Error *error);

// Works for the first process, through all its calls of spread_run, until it leaves, dies or
// `stop` becomes true. Only context, threads, make, free, work and stop of the work are used here,
// and must mean the same in all processes.
bool spread_serve(SpreadTeam *team, const SpreadWork *work, Error *error);

#endif
