// See parked.h.
#include "base/parked.h"

#include <stdlib.h>

struct ParkedThread {
    Thread thread;
    // The rest is under the mutex; the signal tells of every change.
    Mutex mutex;
    Signal signal;
    void (*run)(void *context); // NULL: no job
    void *context;
    bool is_ending;
};

static void sleep_and_work(void *argument)
{
    ParkedThread *p = argument;
    mutex_lock(&p->mutex);
    while (p->run || !p->is_ending) {
        if (!p->run) {
            signal_wait(&p->signal, &p->mutex);
            continue;
        }
        mutex_unlock(&p->mutex);
        p->run(p->context); // nobody changes a job that is there
        mutex_lock(&p->mutex);
        p->run = NULL;
        signal_all(&p->signal);
    }
    mutex_unlock(&p->mutex);
}

ParkedThread *parked_new(Error *error)
{
    ParkedThread *p = calloc(1, sizeof *p);
    if (!p) {
        error_set(error, "no memory for a thread");
        return NULL;
    }
    mutex_init(&p->mutex);
    signal_init(&p->signal);
    if (thread_start(&p->thread, sleep_and_work, p, error))
        return p;
    signal_release(&p->signal);
    mutex_release(&p->mutex);
    free(p);
    return NULL;
}

void parked_free(ParkedThread *p)
{
    if (!p)
        return;
    mutex_lock(&p->mutex);
    p->is_ending = true;
    signal_all(&p->signal);
    mutex_unlock(&p->mutex);
    thread_join(&p->thread);
    signal_release(&p->signal);
    mutex_release(&p->mutex);
    free(p);
}

static void wait_locked(ParkedThread *p)
{
    while (p->run)
        signal_wait(&p->signal, &p->mutex);
}

void parked_run(ParkedThread *p, void (*run)(void *context), void *context)
{
    mutex_lock(&p->mutex);
    wait_locked(p);
    p->run = run;
    p->context = context;
    signal_all(&p->signal);
    mutex_unlock(&p->mutex);
}

void parked_wait(ParkedThread *p)
{
    mutex_lock(&p->mutex);
    wait_locked(p);
    mutex_unlock(&p->mutex);
}
