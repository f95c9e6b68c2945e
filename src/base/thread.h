// Threads, locks and the sharing out of work: a thin cover over pthreads.
// For a stream of jobs between threads see queue.h.
#ifndef LOVAC_BASE_THREAD_H
#define LOVAC_BASE_THREAD_H

#include "base/error.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Thread {
    pthread_t id;
    void (*run)(void *context);
    void *context;
} Thread;

// Starts run(context) on a thread of its own, with an 8 MiB stack. The Thread must stay where it is
// until thread_join; false when the system has no room for another.
bool thread_start(Thread *thread, void (*run)(void *context), void *context, Error *error);

// Waits for the end of the thread.
void thread_join(Thread *thread);

// Processors that this process may run on, at least 1.
int thread_cpu_count(void);

typedef struct Mutex {
    pthread_mutex_t lock;
} Mutex;

typedef struct Signal {
    pthread_cond_t condition;
} Signal;

void mutex_init(Mutex *mutex);
void mutex_release(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

// A signal wakes threads that wait for it; what they wait for is checked in a loop, under the
// mutex.
void signal_init(Signal *signal);
void signal_release(Signal *signal);
void signal_wait(Signal *signal, Mutex *mutex);

// Waits at most that long; false when the time ran out.
bool signal_wait_ms(Signal *signal, Mutex *mutex, int64_t time_ms);
void signal_one(Signal *signal);
void signal_all(Signal *signal);

// Does job(context, index, worker) for every index below `count`, each once, on `workers` threads
// of which the caller is one; returns when all are done. `worker` (0 .. workers - 1) says who does
// it, for scratch memory. Indices are handed out one by one in order; fewer threads do the work if
// the system refuses more.
typedef void ParallelJob(void *context, size_t index, int worker);
void parallel_for(size_t count, int workers, ParallelJob *job, void *context);

#endif
