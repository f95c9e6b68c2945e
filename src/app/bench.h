// The benchmark: a fixed set of positions searched to a fixed depth. Its node count is the
// signature of the search.
#ifndef LOVAC_APP_BENCH_H
#define LOVAC_APP_BENCH_H

#include "engine/engine.h"

typedef struct BenchSettings {
    int depth, threads, hash_mb;
    int vector_code;         // see EngineOptions
    const char *net;         // see engine_load_net; NULL: the program's own
    const atomic_bool *stop; // ends it early; may be NULL
} BenchSettings;

typedef struct BenchResult {
    uint64_t nodes;
    int64_t time_ms;
    int positions;
} BenchResult;

BenchSettings bench_default_settings(void);

// Searches all positions with a new engine.
bool bench_run(const BenchSettings *settings, BenchResult *result, Error *error);

#endif
