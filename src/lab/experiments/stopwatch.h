// How long a small piece of work takes: done again and again, in processor time, and the quickest
// of several tries, so that other programs disturb little.
#ifndef LOVAC_LAB_EXPERIMENTS_STOPWATCH_H
#define LOVAC_LAB_EXPERIMENTS_STOPWATCH_H

#include "lab/experiments/experiment.h"

// Does its work `passes` times. What it returns is looked at, so that no compiler leaves it out.
typedef uint64_t LabWork(const void *context, uint64_t passes);

// Nanoseconds for one pass.
double lab_time_pass_ns(const LabRun *run, LabWork *work, const void *context);

// The compiler knows nothing about this value any more: work on it cannot be done once for all.
static inline uint64_t lab_hide(uint64_t value)
{
    __asm__ volatile("" : "+r"(value));
    return value;
}

#endif
