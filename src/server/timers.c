// See timers.h. A binary heap; rooms know their place in it.
#include "server/timers.h"

#include <stdlib.h>

void timers_init(Timers *t)
{
    *t = (Timers){0};
}

void timers_release(Timers *t)
{
    free(t->heap);
    *t = (Timers){0};
}

// Puts a timer into a place, and tells its room.
static void put(Timers *t, int at, Timer timer)
{
    t->heap[at] = timer;
    timer.room->timer = at;
}

// Moves a free place up to where the timer fits, and puts it there.
static void sift_up(Timers *t, int at, Timer timer)
{
    for (; at > 0 && t->heap[(at - 1) / 2].due_ms > timer.due_ms; at = (at - 1) / 2)
        put(t, at, t->heap[(at - 1) / 2]);
    put(t, at, timer);
}

// The same downwards.
static void sift_down(Timers *t, int at, Timer timer)
{
    for (int child; (child = 2 * at + 1) < t->count; at = child) {
        if (child + 1 < t->count && t->heap[child + 1].due_ms < t->heap[child].due_ms)
            child++;
        if (t->heap[child].due_ms >= timer.due_ms)
            break;
        put(t, at, t->heap[child]);
    }
    put(t, at, timer);
}

// Takes a timer out; the last one fills its place.
static void remove_at(Timers *t, int at)
{
    t->heap[at].room->timer = -1;
    Timer last = t->heap[--t->count];
    if (at == t->count)
        return;
    if (at > 0 && t->heap[(at - 1) / 2].due_ms > last.due_ms)
        sift_up(t, at, last);
    else
        sift_down(t, at, last);
}

bool timers_set(Timers *t, Room *room, int64_t due_ms)
{
    if (room->timer >= 0)
        remove_at(t, room->timer);
    if (!due_ms)
        return true;
    if (t->count == t->capacity) {
        int capacity = t->capacity ? t->capacity * 2 : 64;
        Timer *heap = realloc(t->heap, (size_t)capacity * sizeof *heap);
        if (!heap)
            return false;
        t->heap = heap;
        t->capacity = capacity;
    }
    sift_up(t, t->count++, (Timer){due_ms, room});
    return true;
}

int64_t timers_next(const Timers *t)
{
    return t->count ? t->heap[0].due_ms : 0;
}

Room *timers_take(Timers *t, int64_t now_ms)
{
    if (!t->count || t->heap[0].due_ms > now_ms)
        return NULL;
    Room *room = t->heap[0].room;
    remove_at(t, 0);
    return room;
}
