// Who has used how much of the engines' time: one account for each address, and below it one for
// each client. Whoever has used least goes first, so that a stranger with many games takes nothing
// from others, and forty tabs of one house take it from each other. What was used long ago counts
// little: who comes back is at most a few seconds ahead of those at work, or behind them. Nothing
// here knows of threads; the thinker calls it under its mutex.
#ifndef LOVAC_SERVER_SHARES_H
#define LOVAC_SERVER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

enum { ADDRESS_SIZE = 48 };

typedef struct Share {
    char address[ADDRESS_SIZE];
    uint64_t client;     // 0: the address as a whole
    struct Share *whole; // the address of a client; NULL for the address itself
    int64_t used_ms;     // comparable with that of others at work, not a sum since the beginning
    int64_t floor_ms;    // of an address: where its clients begin
    int tasks;           // waiting or running
    struct Share *next;
} Share;

typedef struct Shares {
    Share *first;
    int64_t floor_ms; // where addresses begin
    int count;
} Shares;

void shares_init(Shares *shares);
void shares_release(Shares *shares);

// A task more of this client; NULL when there is no memory.
Share *shares_enter(Shares *shares, const char *address, uint64_t client);

// The task is over.
void shares_leave(Shares *shares, Share *share);

// So much was used (or, below 0, was not used after all), by the client and its address.
void share_charge(Share *share, int64_t ms);

// How far `a` would be ahead of `b` (below 0: behind it) once each has used its `cost` more: by
// their addresses, or within one address by the clients.
int64_t share_lead(const Share *a, int64_t cost_a, const Share *b, int64_t cost_b);

#endif
