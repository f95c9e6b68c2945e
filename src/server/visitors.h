// What each address has taken of the server: connections, requests, new rooms, bytes on disk. These
// accounts outlive connections and know nothing of names that browsers choose, so coming back
// resets nothing. A server for this machine alone has them too, ten times as large.
#ifndef LOVAC_SERVER_VISITORS_H
#define LOVAC_SERVER_VISITORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/shares.h"

enum {
    VISITOR_CLIENTS_MAX = 100, // at a time; any number from 127.0.0.1, where a proxy may be
    VISITOR_SOCKETS_MAX = 400, // connections of any kind, likewise
    VISITOR_ROOMS_MAX = 1000,  // that its clients are in at a time
    VISITOR_MACHINES_MAX = 8,  // games between engines at a time
    VISITOR_RUNS_MAX = 4,      // of the laboratory, waiting or going on
    VISITOR_REQUESTS = 1500,   // at once, then
    VISITOR_REQUESTS_PER_S = 100,
    VISITOR_CREATIONS = 120, // new rooms at once, then one a second
    VISITOR_KEEP_MB = 64,    // new bytes kept in a day
};

typedef struct Visitor {
    char address[ADDRESS_SIZE];
    int sockets, clients, rooms;
    double requests, creations, bytes; // what is left
    int64_t refilled_ms;
    struct Visitor *next;
} Visitor;

typedef struct Visitors {
    Visitor **chains;
    int count;
    double scale;      // how much larger than usual all is
    double keep_bytes; // what an address may keep in a day
} Visitors;

// `keep_mb`: 0 for the usual. False when there is no memory.
bool visitors_init(Visitors *visitors, bool is_local, int64_t keep_mb);
void visitors_release(Visitors *visitors);

// The account of an address as it is now; NULL when there is no memory for one.
Visitor *visitors_find(Visitors *visitors, const char *address);

// A connection of any kind begins (false: there are too many of this address) or ends.
bool visitor_connects(Visitor *visitor, const Visitors *visitors);
void visitor_hangs_up(Visitor *visitor);

// A browser comes (false: there are too many of this address) or goes.
bool visitor_enter(Visitor *visitor, const Visitors *visitors);
void visitor_leave(Visitor *visitor);

// May one of its clients enter one more room?
bool visitor_has_place(const Visitor *visitor, const Visitors *visitors);

// Takes so many requests; false when none is left.
bool visitor_may_ask(Visitor *visitor, double count);

// Takes a new room; false when none is left.
bool visitor_may_create(Visitor *visitor);

// May it keep more on disk? And: so many bytes were kept.
bool visitor_may_keep(const Visitor *visitor);
void visitor_keeps(Visitor *visitor, size_t bytes);

// Forgets those who are gone and have everything back.
void visitors_sweep(Visitors *visitors);

#endif
