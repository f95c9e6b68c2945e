// A queue of pointers between threads: those who put wait while it is full, those who take while it
// is empty.
#ifndef LOVAC_BASE_QUEUE_H
#define LOVAC_BASE_QUEUE_H

#include "base/thread.h"

typedef struct Queue {
    Mutex mutex;
    Signal not_empty, not_full;
    void **items;
    size_t capacity, head, count;
    bool is_closed;
} Queue;

// Room for `capacity` items (at least 1); false when there is no memory.
bool queue_init(Queue *queue, size_t capacity, Error *error);

// No thread may use the queue any more; items still in it are the caller's.
void queue_release(Queue *queue);

// Adds an item at the end, waiting for room; false when the queue is closed.
bool queue_put(Queue *queue, void *item);

// Takes the first item, waiting for one; false when the queue is closed and empty.
bool queue_take(Queue *queue, void **item);

// Takes the first item if there is one now.
bool queue_try_take(Queue *queue, void **item);

// Nothing can be put any more; what is inside can still be taken. Wakes everybody.
void queue_close(Queue *queue);

#endif
