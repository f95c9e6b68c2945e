// For tests of the parts of the search: a worker of its own on a position, with the hand-written
// evaluation and without threads.
#ifndef LOVAC_TESTS_WORKER_HELP_H
#define LOVAC_TESTS_WORKER_HELP_H

#include "test_data.h"

#include "core/fen.h"
#include "core/notation.h"
#include "engine/search.h"

enum { BENCH_WORKERS_MAX = 4 };

// A search with its workers, prepared as by the engine.
typedef struct Bench {
    Search search;
    HashTable hash;
    Worker *workers[BENCH_WORKERS_MAX];
} Bench;

static inline Bench *bench_new(const char *fen, int workers)
{
    Bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    search_init_tables();
    assert_true(hash_init(&b->hash, 1, NULL));
    b->search = (Search){.hash = &b->hash,
                         .workers = b->workers,
                         .worker_count = workers,
                         .options = engine_default_options(),
                         .limits = search_limits_none(),
                         .multi_pv = 1,
                         .previous_score = SCORE_NONE};
    search_init_reductions(&b->search, &TUNABLE_DEFAULTS);
    Error error;
    if (!position_from_fen(&b->search.root, &VARIANTS[VARIANT_CHESS], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    for (int i = 0; i < workers; i++) {
        assert_non_null(b->workers[i] = calloc(1, sizeof(Worker)));
        b->workers[i]->index = i;
        b->workers[i]->tunables = &TUNABLE_DEFAULTS;
        worker_prepare(b->workers[i], &b->search);
    }
    return b;
}

// Plays moves, as of the game before the root: the workers know the positions that have stood.
static inline void bench_play(Bench *b, const char *moves)
{
    char word[8];
    int used;
    Search *s = &b->search;
    for (; sscanf(moves, "%7s%n", word, &used) == 1; moves += used) {
        Undo undo;
        Move m = move_from_uci(&s->root, word, NULL);
        if (m == MOVE_NONE)
            fail_msg("%s is illegal", word);
        s->game_keys[s->game_key_count++] = s->root.state.key;
        position_make(&s->root, m, &undo);
    }
    for (int i = 0; i < s->worker_count; i++)
        worker_prepare(b->workers[i], s);
}

static inline void bench_free(Bench *b)
{
    for (int i = 0; i < b->search.worker_count; i++) {
        evaluator_release(&b->workers[i]->evaluator);
        free(b->workers[i]);
    }
    hash_release(&b->hash);
    free(b);
}

#endif
