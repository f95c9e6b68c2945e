// Rooms in the order in which something will happen in them by itself: flags, engines' moves that
// wait for their moment, the next game of a series.
#ifndef LOVAC_SERVER_TIMERS_H
#define LOVAC_SERVER_TIMERS_H

#include "server/room.h"

typedef struct Timer {
    int64_t due_ms;
    Room *room;
} Timer;

typedef struct Timers {
    Timer *heap; // the earliest first
    int count, capacity;
} Timers;

void timers_init(Timers *timers);
void timers_release(Timers *timers);

// Sets, moves or (with 0) removes a room's moment; false when there is no memory.
bool timers_set(Timers *timers, Room *room, int64_t due_ms);

// The earliest moment, or 0 when there is none.
int64_t timers_next(const Timers *timers);

// The first room that is due, removed from the heap, or NULL.
Room *timers_take(Timers *timers, int64_t now_ms);

#endif
