// See shares.h. The floor is what the least demanding of those at work has used; an account that
// begins to work is put near it. It only rises, so nobody gains by going and coming back.
#include "server/shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CREDIT_MS = 5000, // so far ahead of the others is who has waited long,
    DEBT_MS = 10000,  // and so far behind who has used much
    SHARES_MAX = 4096,
};

void shares_init(Shares *shares)
{
    *shares = (Shares){0};
}

void shares_release(Shares *shares)
{
    for (Share *share = shares->first, *next; share; share = next) {
        next = share->next;
        free(share);
    }
    shares_init(shares);
}

// Forgets those who do nothing: first the clients, and in the next call their addresses.
static void forget_idle(Shares *shares, bool clients)
{
    for (Share **at = &shares->first; *at;) {
        Share *share = *at;
        if (share->tasks || !share->whole == clients) {
            at = &share->next;
            continue;
        }
        *at = share->next;
        shares->count--;
        free(share);
    }
}

static Share *find(const Shares *shares, const char *address, uint64_t client)
{
    Share *share = shares->first;
    while (share && (share->client != client || strcmp(share->address, address)))
        share = share->next;
    return share;
}

// The account of a client, or with no `whole` of an address; a new one begins at the floor.
static Share *find_or_make(Shares *shares, Share *whole, const char *address, uint64_t client)
{
    Share *share = find(shares, address, client);
    if (share || !(share = calloc(1, sizeof *share)))
        return share;
    snprintf(share->address, sizeof share->address, "%s", address);
    share->client = client;
    share->whole = whole;
    share->used_ms = whole ? whole->floor_ms : shares->floor_ms;
    share->next = shares->first;
    shares->first = share;
    shares->count++;
    return share;
}

// Raises the floor to the least that any of those at work beside this one has used.
static void raise_floor(const Shares *shares, const Share *besides, int64_t *floor_ms)
{
    int64_t least = INT64_MAX;
    for (const Share *s = shares->first; s; s = s->next)
        if (s->tasks && s != besides && s->whole == besides->whole && s->used_ms < least)
            least = s->used_ms;
    if (least != INT64_MAX && least > *floor_ms)
        *floor_ms = least;
}

// One task more; who begins to work is put near the others.
static void begin(const Shares *shares, Share *share, int64_t *floor_ms)
{
    if (share->tasks++)
        return;
    raise_floor(shares, share, floor_ms);
    if (share->used_ms < *floor_ms - CREDIT_MS)
        share->used_ms = *floor_ms - CREDIT_MS;
    if (share->used_ms > *floor_ms + DEBT_MS)
        share->used_ms = *floor_ms + DEBT_MS;
}

Share *shares_enter(Shares *shares, const char *address, uint64_t client)
{
    if (shares->count >= SHARES_MAX) {
        forget_idle(shares, true);
        forget_idle(shares, false);
    }
    Share *whole = find_or_make(shares, NULL, address, 0);
    // A number of its own also for work of nobody in particular.
    Share *share = whole ? find_or_make(shares, whole, address, client + 1) : NULL;
    if (!share)
        return NULL;
    begin(shares, whole, &shares->floor_ms);
    begin(shares, share, &whole->floor_ms);
    return share;
}

void shares_leave(Shares *shares, Share *share)
{
    (void)shares;
    share->tasks--;
    share->whole->tasks--;
}

void share_charge(Share *share, int64_t ms)
{
    share->used_ms += ms;
    share->whole->used_ms += ms;
}

int64_t share_lead(const Share *a, int64_t cost_a, const Share *b, int64_t cost_b)
{
    if (a->whole != b->whole)
        a = a->whole, b = b->whole;
    return b->used_ms + cost_b - a->used_ms - cost_a;
}
