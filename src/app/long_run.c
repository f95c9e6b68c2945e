// See long_run.h.
#include "app/long_run.h"

#include <stdio.h>

#include "app/command.h"
#include "app/options.h"
#include "base/console.h"

bool long_run_begin(LongRun *run, const char *command, Error *error)
{
    *run = (LongRun){.command = command};
    bool ok = spread_join(&run->team, error);
    run->threads = spread_threads(run->team);
    run->is_first = spread_is_first(run->team);
    run->stop = console_catch_signals(CONSOLE_WORK);
    if (!run->is_first)
        ok = ok && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
    return ok;
}

bool long_run_is_stopped(const LongRun *run)
{
    return atomic_load(run->stop);
}

int long_run_end(LongRun *run, bool ok, const Error *error)
{
    int lost = spread_lost(run->team);
    if (lost)
        fprintf(stderr, "lovac %s: %d of %d processes died; the others did their work\n",
                run->command, lost, spread_processes(run->team));
    if (!ok)
        fprintf(stderr, "lovac %s: %s\n", run->command, error->text);
    spread_leave(run->team);
    run->team = NULL;
    // A process that could not help must not end the others: mpirun would.
    return ok || !run->is_first ? EXIT_OK : EXIT_FAILED;
}

int long_run_refuse(LongRun *run, const Error *error)
{
    int status = options_refuse(run->command, error);
    spread_leave(run->team);
    run->team = NULL;
    return status;
}
