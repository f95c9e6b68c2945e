// See thread.h.
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

#ifdef __linux__
#include <sched.h>
#endif

enum { STACK_BYTES = 8 << 20 }; // a deep search needs room, whatever the system's default is

static void *thread_main(void *argument)
{
    Thread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

bool thread_start(Thread *thread, void (*run)(void *context), void *context, Error *error)
{
    pthread_attr_t attributes;
    thread->run = run;
    thread->context = context;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int code = pthread_create(&thread->id, &attributes, thread_main, thread);
    pthread_attr_destroy(&attributes);
    return code == 0 || error_set(error, "cannot start a thread: %s", strerror(code));
}

void thread_join(Thread *thread)
{
    pthread_join(thread->id, NULL);
}

int thread_cpu_count(void)
{
#if defined(__linux__) && defined(CPU_COUNT)
    cpu_set_t allowed; // containers and taskset allow fewer than the machine has
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
#ifdef _WIN32
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
#else
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
#endif
}

// A mutex that cannot be locked is a bug of ours, never bad luck: hence only assertions.
static void must(int code)
{
    assert(code == 0);
    (void)code;
}

void mutex_init(Mutex *mutex)
{
    must(pthread_mutex_init(&mutex->lock, NULL));
}
void mutex_release(Mutex *mutex)
{
    must(pthread_mutex_destroy(&mutex->lock));
}
void mutex_lock(Mutex *mutex)
{
    must(pthread_mutex_lock(&mutex->lock));
}
void mutex_unlock(Mutex *mutex)
{
    must(pthread_mutex_unlock(&mutex->lock));
}

void signal_init(Signal *signal)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifdef __linux__
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); // a set wall clock must not stop us
#endif
    must(pthread_cond_init(&signal->condition, &attributes));
    pthread_condattr_destroy(&attributes);
}

void signal_release(Signal *signal)
{
    must(pthread_cond_destroy(&signal->condition));
}
void signal_wait(Signal *signal, Mutex *mutex)
{
    must(pthread_cond_wait(&signal->condition, &mutex->lock));
}

bool signal_wait_ms(Signal *signal, Mutex *mutex, int64_t time_ms)
{
    struct timespec until;
#ifdef __linux__
    clock_gettime(CLOCK_MONOTONIC, &until);
#else
    clock_gettime(CLOCK_REALTIME, &until);
#endif
    if (time_ms > 0) {
        int64_t ns = until.tv_nsec + time_ms % 1000 * 1000000;
        until.tv_sec += (time_t)(time_ms / 1000 + ns / 1000000000);
        until.tv_nsec = (long)(ns % 1000000000);
    }
    return pthread_cond_timedwait(&signal->condition, &mutex->lock, &until) != ETIMEDOUT;
}

void signal_one(Signal *signal)
{
    must(pthread_cond_signal(&signal->condition));
}
void signal_all(Signal *signal)
{
    must(pthread_cond_broadcast(&signal->condition));
}

typedef struct Parallel {
    atomic_size_t next;
    size_t count;
    ParallelJob *job;
    void *context;
} Parallel;

typedef struct ParallelWorker {
    Parallel *shared;
    int number;
    Thread thread;
} ParallelWorker;

static void parallel_work(void *argument)
{
    ParallelWorker *worker = argument;
    Parallel *shared = worker->shared;
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&shared->next, 1, memory_order_relaxed);
        if (index >= shared->count)
            return;
        shared->job(shared->context, index, worker->number);
    }
}

void parallel_for(size_t count, int workers, ParallelJob *job, void *context)
{
    Parallel shared = {.count = count, .job = job, .context = context};
    ParallelWorker self = {.shared = &shared};
    if (workers > 1 && (size_t)workers > count)
        workers = (int)count;
    ParallelWorker *others = workers > 1 ? calloc((size_t)workers - 1, sizeof *others) : NULL;
    int started = 0;
    while (others && started < workers - 1) {
        others[started] = (ParallelWorker){.shared = &shared, .number = started + 1};
        if (!thread_start(&others[started].thread, parallel_work, &others[started], NULL))
            break; // the caller and those who started do it all
        started++;
    }
    parallel_work(&self);
    for (int i = 0; i < started; i++)
        thread_join(&others[i].thread);
    free(others);
}
