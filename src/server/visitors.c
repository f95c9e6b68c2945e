// See visitors.h. Everything that is taken comes back with time; visitors_find brings an account up
// to date, so whoever found one need not look at the clock.
#include "server/visitors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"

enum { CHAINS = 4096, LOCAL_SCALE = 10, DAY_S = 24 * 3600 };

bool visitors_init(Visitors *visitors, bool is_local, int64_t keep_mb)
{
    *visitors = (Visitors){.chains = calloc(CHAINS, sizeof(Visitor *)),
                           .scale = is_local ? LOCAL_SCALE : 1};
    visitors->keep_bytes =
        keep_mb ? (double)keep_mb * 1048576 : VISITOR_KEEP_MB * 1048576.0 * visitors->scale;
    return visitors->chains;
}

void visitors_release(Visitors *visitors)
{
    for (int i = 0; visitors->chains && i < CHAINS; i++)
        for (Visitor *v = visitors->chains[i], *next; v; v = next) {
            next = v->next;
            free(v);
        }
    free(visitors->chains);
    *visitors = (Visitors){0};
}

// Lets a bucket fill by so much, up to the brim.
static void fill(double *level, double more, double brim)
{
    *level = *level + more < brim ? *level + more : brim;
}

// What came back since the last time.
static void refill(const Visitors *visitors, Visitor *v)
{
    int64_t now = clock_ms();
    double seconds = (double)(now - v->refilled_ms) / 1000 * visitors->scale;
    v->refilled_ms = now;
    fill(&v->requests, seconds * VISITOR_REQUESTS_PER_S, VISITOR_REQUESTS * visitors->scale);
    fill(&v->creations, seconds, VISITOR_CREATIONS * visitors->scale);
    fill(&v->bytes, seconds / visitors->scale * visitors->keep_bytes / DAY_S, visitors->keep_bytes);
}

Visitor *visitors_find(Visitors *visitors, const char *address)
{
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, address, strlen(address));
    Visitor **chain = &visitors->chains[hash % CHAINS], *v = *chain;
    while (v && strcmp(v->address, address))
        v = v->next;
    if (!v && (v = calloc(1, sizeof *v))) {
        snprintf(v->address, sizeof v->address, "%s", address);
        v->requests = VISITOR_REQUESTS * visitors->scale;
        v->creations = VISITOR_CREATIONS * visitors->scale;
        v->bytes = visitors->keep_bytes;
        v->refilled_ms = clock_ms();
        v->next = *chain;
        *chain = v;
        visitors->count++;
    }
    if (v)
        refill(visitors, v);
    return v;
}

// From here everybody comes when a proxy was not made known.
static bool is_own_machine(const char *address)
{
    return !*address || !strcmp(address, "127.0.0.1") || !strcmp(address, "::1");
}

bool visitor_connects(Visitor *v, const Visitors *visitors)
{
    if (!is_own_machine(v->address) && v->sockets >= VISITOR_SOCKETS_MAX * visitors->scale)
        return false;
    v->sockets++;
    return true;
}

void visitor_hangs_up(Visitor *v)
{
    v->sockets--;
}

bool visitor_enter(Visitor *v, const Visitors *visitors)
{
    if (!is_own_machine(v->address) && v->clients >= VISITOR_CLIENTS_MAX * visitors->scale)
        return false;
    v->clients++;
    return true;
}

void visitor_leave(Visitor *v)
{
    v->clients--;
}

bool visitor_has_place(const Visitor *v, const Visitors *visitors)
{
    return v->rooms < VISITOR_ROOMS_MAX * visitors->scale;
}

bool visitor_may_ask(Visitor *v, double count)
{
    if (v->requests < 1)
        return false;
    v->requests -= count;
    return true;
}

bool visitor_may_create(Visitor *v)
{
    if (v->creations < 1)
        return false;
    v->creations--;
    return true;
}

bool visitor_may_keep(const Visitor *v)
{
    return v->bytes > 0;
}

void visitor_keeps(Visitor *v, size_t bytes)
{
    v->bytes -= (double)bytes;
}

void visitors_sweep(Visitors *visitors)
{
    for (int i = 0; i < CHAINS; i++)
        for (Visitor **at = &visitors->chains[i]; *at;) {
            Visitor *v = *at;
            refill(visitors, v);
            bool is_full = v->requests >= VISITOR_REQUESTS * visitors->scale &&
                           v->creations >= VISITOR_CREATIONS * visitors->scale &&
                           v->bytes >= visitors->keep_bytes;
            if (v->sockets || v->clients || !is_full) {
                at = &v->next;
                continue;
            }
            *at = v->next;
            visitors->count--;
            free(v);
        }
}
