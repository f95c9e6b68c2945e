// What commands that run long have in common: Ctrl-C stops them cleanly, under mpirun they share
// their work with the other processes (base/spread.h), and only the first process prints.
//
//     LongRun run;
//     if (!long_run_begin(&run, argv[0], &error)) return long_run_end(&run, false, &error);
//     ... read the options; config.team = run.team; config.stop = run.stop ...
//     return long_run_end(&run, ok, &error);
#ifndef LOVAC_APP_LONG_RUN_H
#define LOVAC_APP_LONG_RUN_H

#include <stdatomic.h>

#include "base/spread.h"

typedef struct LongRun {
    const char *command;
    SpreadTeam *team;        // NULL: this process alone
    bool is_first;           // it prints and writes
    const atomic_bool *stop; // true after Ctrl-C or SIGTERM
    int threads;             // for this process, unless the user says another number
} LongRun;

// Begins, before anything is printed. Processes of mpirun but the first are silent from here on.
bool long_run_begin(LongRun *run, const char *command, Error *error);

// Was it stopped?
bool long_run_is_stopped(const LongRun *run);

// Lets the other processes go, tells an error (when `ok` is false) and lost processes on stderr;
// returns the exit status.
int long_run_end(LongRun *run, bool ok, const Error *error);

// The same after bad arguments: points to the help.
int long_run_refuse(LongRun *run, const Error *error);

#endif
