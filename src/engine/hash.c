// The transposition table. Start with hash_probe and hash_store.
#include "engine/hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"

enum { BOUND_SHIFT = 8, PV_SHIFT = 10, AGE_SHIFT = 11, AGE_WEIGHT = 8 };

static int meta_depth(unsigned meta)
{
    return (int)(meta & 255) + DEPTH_NONE;
}
static Bound meta_bound(unsigned meta)
{
    return meta >> BOUND_SHIFT & 3;
}
static unsigned meta_age(unsigned meta)
{
    return meta >> AGE_SHIFT & 31;
}

static unsigned entry_meta(const HashEntry *e)
{
    return atomic_load_explicit(&e->meta, memory_order_relaxed);
}

bool hash_init(HashTable *table, int megabytes, Error *error)
{
    size_t bytes = (size_t)megabytes << 20;
    if (memory_is_too_much(bytes))
        return error_set(error, "a hash table of %d MB is more than this machine's memory",
                         megabytes);
    void *pages = memory_pages(bytes);
    if (!pages)
        return error_set(error, "no memory for a hash table of %d MB", megabytes);
    *table = (HashTable){.clusters = pages, .count = bytes / sizeof(HashCluster), .bytes = bytes};
    return true;
}

void hash_release(HashTable *table)
{
    if (table->clusters)
        memory_free_pages(table->clusters, table->bytes);
    *table = (HashTable){0};
}

enum { CLEAR_BLOCK = 16 << 20 };

static void clear_block(void *context, size_t index, int worker)
{
    HashTable *table = context;
    (void)worker;
    size_t start = index * CLEAR_BLOCK, left = table->bytes - start;
    memset((char *)table->clusters + start, 0, left < CLEAR_BLOCK ? left : CLEAR_BLOCK);
}

void hash_clear(HashTable *table, int threads)
{
    parallel_for((table->bytes + CLEAR_BLOCK - 1) / CLEAR_BLOCK, threads, clear_block, table);
    table->age = 0;
}

// Mates and table wins are stored as seen from the position itself.
static int score_to_hash(int score, int ply)
{
    return score_is_win(score) ? score + ply : score_is_loss(score) ? score - ply : score;
}

static int score_from_hash(int score, int ply)
{
    if (score > SCORE_MATE || score < -SCORE_MATE)
        return SCORE_NONE;
    return score_is_win(score) ? score - ply : score_is_loss(score) ? score + ply : score;
}

static int entry_worth(const HashTable *table, const HashEntry *e)
{
    unsigned meta = entry_meta(e);
    return meta_depth(meta) - AGE_WEIGHT * (int)((table->age - meta_age(meta)) & 31);
}

HashProbe hash_probe(const HashTable *table, Key key, int ply)
{
    HashCluster *cluster = hash_cluster(table, key);
    HashEntry *victim = &cluster->entries[0];
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        HashEntry *e = &cluster->entries[i];
        unsigned meta = entry_meta(e);
        if (atomic_load_explicit(&e->key, memory_order_relaxed) == (uint16_t)key && (meta & 255)) {
            int eval = atomic_load_explicit(&e->eval, memory_order_relaxed);
            int score = atomic_load_explicit(&e->score, memory_order_relaxed);
            HashProbe probe = {
                .entry = e,
                .hit = true,
                .is_pv = meta >> PV_SHIFT & 1,
                .bound = meta_bound(meta),
                .move = atomic_load_explicit(&e->move, memory_order_relaxed),
                .depth = meta_depth(meta),
                .score = score_from_hash(score, ply),
                .eval = eval > SCORE_EVAL_LIMIT || eval < -SCORE_EVAL_LIMIT ? SCORE_NONE : eval,
            };
            if (probe.bound == BOUND_NONE)
                probe.score = SCORE_NONE;
            return probe;
        }
        if (entry_worth(table, e) < entry_worth(table, victim))
            victim = e;
    }
    return (HashProbe){
        .entry = victim, .depth = DEPTH_NONE, .score = SCORE_NONE, .eval = SCORE_NONE};
}

void hash_store(const HashTable *table, HashEntry *entry, Key key, int ply, int depth, Bound bound,
                bool is_pv, Move move, int score, int eval)
{
    unsigned old = entry_meta(entry);
    bool is_same = atomic_load_explicit(&entry->key, memory_order_relaxed) == (uint16_t)key;
    if (move || !is_same) // keep the former move when we have none
        atomic_store_explicit(&entry->move, move, memory_order_relaxed);

    // A much deeper result of this search stays, unless ours is exact.
    if (is_same && bound != BOUND_EXACT && meta_age(old) == table->age &&
        depth + 2 * is_pv + 4 <= meta_depth(old))
        return;
    int stored = depth - DEPTH_NONE;
    stored = stored < 1 ? 1 : stored > 255 ? 255 : stored;
    unsigned meta = (unsigned)stored | (unsigned)bound << BOUND_SHIFT |
                    (unsigned)is_pv << PV_SHIFT | table->age << AGE_SHIFT;
    atomic_store_explicit(&entry->key, (uint16_t)key, memory_order_relaxed);
    atomic_store_explicit(&entry->meta, (uint16_t)meta, memory_order_relaxed);
    atomic_store_explicit(&entry->score, (int16_t)score_to_hash(score, ply), memory_order_relaxed);
    atomic_store_explicit(&entry->eval, (int16_t)eval, memory_order_relaxed);
}

int hash_full(const HashTable *table)
{
    enum { SAMPLE = 1000 };
    int used = 0;
    uint64_t clusters = table->count < SAMPLE ? table->count : SAMPLE;
    for (uint64_t i = 0; i < clusters; i++) {
        for (int j = 0; j < CLUSTER_ENTRIES; j++) {
            unsigned meta = entry_meta(&table->clusters[i].entries[j]);
            used += (meta & 255) && meta_age(meta) == table->age;
        }
    }
    return (int)(used * 1000 / (clusters * CLUSTER_ENTRIES));
}
