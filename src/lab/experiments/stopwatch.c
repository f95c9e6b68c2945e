// See stopwatch.h.
#include "lab/experiments/stopwatch.h"

#include "base/clock.h"

enum { QUICK_NS = 500000, FULL_NS = 10000000, QUICK_TRIES = 7, FULL_TRIES = 9 };

static int64_t time_ns(LabWork *work, const void *context, uint64_t passes)
{
    int64_t begin = clock_thread_ns();
    lab_hide(work(context, passes));
    return clock_thread_ns() - begin;
}

double lab_time_pass_ns(const LabRun *run, LabWork *work, const void *context)
{
    int64_t enough = run->settings.is_quick ? QUICK_NS : FULL_NS, ns;
    int tries = run->settings.is_quick ? QUICK_TRIES : FULL_TRIES;
    uint64_t passes = 1;
    while ((ns = time_ns(work, context, passes)) < enough && !lab_run_is_stopped(run))
        passes *= 2;
    int64_t least = ns;
    for (int i = 1; i < tries && !lab_run_is_stopped(run); i++) {
        ns = time_ns(work, context, passes);
        least = ns < least ? ns : least;
    }
    return (double)least / (double)passes;
}
