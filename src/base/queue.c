// See queue.h. A ring of pointers under one mutex.
#include "base/queue.h"

#include <assert.h>
#include <stdlib.h>

bool queue_init(Queue *queue, size_t capacity, Error *error)
{
    assert(capacity >= 1);
    *queue = (Queue){.capacity = capacity, .items = calloc(capacity, sizeof *queue->items)};
    if (!queue->items)
        return error_set(error, "no memory for a queue of %zu items", capacity);
    mutex_init(&queue->mutex);
    signal_init(&queue->not_empty);
    signal_init(&queue->not_full);
    return true;
}

void queue_release(Queue *queue)
{
    signal_release(&queue->not_full);
    signal_release(&queue->not_empty);
    mutex_release(&queue->mutex);
    free(queue->items);
}

bool queue_put(Queue *queue, void *item)
{
    mutex_lock(&queue->mutex);
    while (queue->count == queue->capacity && !queue->is_closed)
        signal_wait(&queue->not_full, &queue->mutex);
    bool ok = !queue->is_closed;
    if (ok) {
        queue->items[(queue->head + queue->count++) % queue->capacity] = item;
        signal_one(&queue->not_empty);
    }
    mutex_unlock(&queue->mutex);
    return ok;
}

static bool take_first(Queue *queue, void **item)
{
    if (queue->count == 0)
        return false;
    *item = queue->items[queue->head];
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    signal_one(&queue->not_full);
    return true;
}

bool queue_take(Queue *queue, void **item)
{
    mutex_lock(&queue->mutex);
    while (queue->count == 0 && !queue->is_closed)
        signal_wait(&queue->not_empty, &queue->mutex);
    bool ok = take_first(queue, item);
    mutex_unlock(&queue->mutex);
    return ok;
}

bool queue_try_take(Queue *queue, void **item)
{
    mutex_lock(&queue->mutex);
    bool ok = take_first(queue, item);
    mutex_unlock(&queue->mutex);
    return ok;
}

void queue_close(Queue *queue)
{
    mutex_lock(&queue->mutex);
    queue->is_closed = true;
    signal_all(&queue->not_empty);
    signal_all(&queue->not_full);
    mutex_unlock(&queue->mutex);
}
