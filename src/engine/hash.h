// The transposition table: what earlier searches found out about a position, shared by all workers.
// Entries of 10 bytes, three in a cluster of 32; every field is read and written atomically
// (relaxed), so a torn entry can be wrong but never undefined: moves from here must pass
// move_is_pseudo_legal.
#ifndef LOVAC_ENGINE_HASH_H
#define LOVAC_ENGINE_HASH_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/error.h"
#include "core/types.h"
#include "engine/engine.h"

enum { CLUSTER_ENTRIES = 3 };

typedef struct HashEntry {
    _Atomic uint16_t key;  // low bits of the position's key
    _Atomic uint16_t meta; // depth (8 bits), bound (2), on a PV (1), age (5)
    _Atomic uint16_t move;
    _Atomic int16_t score; // mates counted from this position
    _Atomic int16_t eval;  // static evaluation, uncorrected
} HashEntry;

typedef struct HashCluster {
    HashEntry entries[CLUSTER_ENTRIES];
    uint16_t padding;
} HashCluster;

_Static_assert(sizeof(HashCluster) == 32, "a cluster is half a cache line");

typedef struct HashTable {
    HashCluster *clusters;
    uint64_t count;
    size_t bytes;
    unsigned age; // 0..31, one step for each search
} HashTable;

// What an entry says. `entry` is where to store; `hit` tells whether the rest holds.
typedef struct HashProbe {
    HashEntry *entry;
    bool hit, is_pv;
    Bound bound;
    Move move;
    int depth, score, eval; // SCORE_NONE where unknown
} HashProbe;

enum { DEPTH_NONE = -8, DEPTH_QUIESCENCE = 0 }; // entries hold depth - DEPTH_NONE, 1..255

// Makes a table of that many megabytes, cleared; false (and `table` untouched) without the memory.
bool hash_init(HashTable *table, int megabytes, Error *error);
void hash_release(HashTable *table);

// Empties the table, using that many threads.
void hash_clear(HashTable *table, int threads);

// A new search begins: older entries become cheaper to replace.
static inline void hash_new_search(HashTable *table)
{
    table->age = (table->age + 1) & 31;
}

// Looks a position up; scores come back relative to `ply`.
HashProbe hash_probe(const HashTable *table, Key key, int ply);

// Stores what was found out, unless what is there is worth more.
void hash_store(const HashTable *table, HashEntry *entry, Key key, int ply, int depth, Bound bound,
                bool is_pv, Move move, int score, int eval);

// Thousandths of a sample of the table in use by the current search.
int hash_full(const HashTable *table);

// The key under which a position is kept: near the fifty-move limit the same men are another one.
static inline Key hash_key(Key key, int fifty)
{
    return fifty < 14 ? key : key ^ (Key)((fifty - 6) / 8) * 0x9e3779b97f4a7c15ull;
}

// The upper half of the product: keys spread evenly over all clusters.
static inline uint64_t hash_index(Key key, uint64_t count)
{
#ifdef __SIZEOF_INT128__
    return (uint64_t)((unsigned __int128)key * count >> 64);
#else // a machine of 32 bits: no table has more than 2^32 clusters
    return ((key >> 32) * count + ((key & 0xffffffff) * count >> 32)) >> 32;
#endif
}

static inline HashCluster *hash_cluster(const HashTable *table, Key key)
{
    return &table->clusters[hash_index(key, table->count)];
}
static inline void hash_prefetch(const HashTable *table, Key key)
{
    __builtin_prefetch(hash_cluster(table, key));
}

#endif
