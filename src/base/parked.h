// A thread that sleeps between its jobs, for work that comes again and again: waking it costs less
// than making it.
#ifndef LOVAC_BASE_PARKED_H
#define LOVAC_BASE_PARKED_H

#include "base/thread.h"

typedef struct ParkedThread ParkedThread;

// Starts a thread without a job; NULL, with the reason, when it cannot be had.
ParkedThread *parked_new(Error *error);

// Waits for the end of its job and ends the thread.
void parked_free(ParkedThread *parked);

// Gives it a job, run(context), and returns at once; waits for an earlier one first.
void parked_run(ParkedThread *parked, void (*run)(void *context), void *context);

// Waits until it has nothing to do; not from within its job.
void parked_wait(ParkedThread *parked);

#endif
