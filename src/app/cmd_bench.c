// `lovac bench`: how fast the search is, and its signature.
#include "app/bench.h"
#include "app/command.h"
#include "app/options.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/stop.h"
#include "base/str.h"
#include "core/fen.h"
#include "engine/nnue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char help_bench[] =
    "Usage: lovac bench [DEPTH] [options]\n"
    "\n"
    "Searches a fixed set of positions to a fixed depth with a new engine. With one thread\n"
    "the number of nodes is the same on every machine and with every compiler: it is the\n"
    "signature of the search.\n"
    "\n"
    "  --threads N    search with N threads (1)\n"
    "  --hash MB      hash table (16)\n"
    "  --vector NAME  run networks with this code, not the best one of the processor:\n"
    "                 avx512-vbmi2, avx512-vnni, avx512, avx2, sse4.1, neon or plain\n"
    "  --net FILE     evaluate with this network, or 'none': the hand-written evaluation\n"
    "  --json         the result as a JSON object\n"
    "\n"
    "Example: lovac bench 12\n";

enum { DEPTH = 12 };

typedef struct BenchPosition {
    int variant;
    const char *fen;
} BenchPosition;

static const BenchPosition POSITIONS[] = {
    {VARIANT_CHESS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    {VARIANT_CHESS, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
    {VARIANT_CHESS, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
    {VARIANT_CHESS, "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 9"},
    {VARIANT_CHESS, "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 b - - 3 12"},
    {VARIANT_CHESS, "2r2rk1/1bqnbppp/p3pn2/1p6/3NP3/1BN1BP2/PPQ3PP/2RR2K1 w - - 0 17"},
    {VARIANT_CHESS, "r4rk1/pp1n1ppp/2pqpn2/8/3PN3/3B1Q2/PPP2PPP/R4RK1 b - - 2 14"},
    {VARIANT_CHESS, "8/5pk1/4p1p1/3pP2p/3P1P1P/2R3PK/r7/8 b - - 4 41"},
    {VARIANT_CHESS, "8/8/1p1k4/p1p2p2/P1P1pP2/1P2P3/3K4/8 w - - 0 50"},
    {VARIANT_CHESS, "6k1/5ppp/8/3Q4/8/7P/5PP1/1q4K1 w - - 0 36"},
    {VARIANT_CHESS, "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 2 13"},
    {VARIANT_CHESS, "8/1R6/5k2/5p2/3K1P2/r5P1/8/8 w - - 1 60"},
    {VARIANT_CHESS960, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"},
    {VARIANT_HORDE32, "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"},
    {VARIANT_LEGAN, "knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1"},
    {VARIANT_FORTRESS, "krrqbbnn/pppppppp/ppp5/8/8/5PPP/PPPPPPPP/NNBBQRRK w - - 0 1"},
};

BenchSettings bench_default_settings(void)
{
    return (BenchSettings){.depth = DEPTH, .threads = 1, .hash_mb = 16};
}

static void keep(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    *(SearchResult *)context = *result;
}

// In this thread, or in as many as were asked for.
static bool search_one(Engine *engine, const SearchLimits *limits, int threads,
                       SearchResult *result, Error *error)
{
    *result = (SearchResult){0};
    if (threads == 1)
        engine_think(engine, limits, NULL, NULL, result);
    else if (!engine_go(engine, limits, NULL, keep, result, error))
        return false;
    engine_wait(engine);
    return true;
}

bool bench_run(const BenchSettings *settings, BenchResult *result, Error *error)
{
    EngineOptions options = engine_default_options();
    options.threads = settings->threads;
    options.hash_mb = settings->hash_mb;
    options.vector_code = settings->vector_code;
    Engine *engine = engine_new(&options, error);
    if (!engine)
        return false;
    if (settings->net && !engine_load_net(engine, settings->net, error)) {
        engine_free(engine);
        return false;
    }
    SearchLimits limits = search_limits_none();
    limits.depth = settings->depth;
    limits.stopped = settings->stop;
    *result = (BenchResult){0};
    int64_t start = clock_ms();
    bool is_good = true;
    for (unsigned i = 0;
         i < sizeof POSITIONS / sizeof *POSITIONS && is_good && !stop_is_set(settings->stop); i++) {
        Position pos;
        SearchResult found;
        is_good =
            position_from_fen(&pos, &VARIANTS[POSITIONS[i].variant], POSITIONS[i].fen, error) &&
            engine_set_position(engine, &pos, NULL, 0, error);
        if (!is_good)
            break;
        is_good = search_one(engine, &limits, settings->threads, &found, error);
        result->nodes += found.nodes;
        result->positions++;
    }
    result->time_ms = clock_ms() - start;
    engine_free(engine);
    return is_good;
}

// The index of vector code by its name; false, with the names there are, for an unknown one.
static bool find_vector_code(const char *name, int *index, Error *error)
{
    char names[128];
    Str list;
    str_init(&list, names, sizeof names);
    for (*index = 0; nnue_kernel_name(*index); ++*index) {
        if (!strcmp(name, nnue_kernel_name(*index)))
            return true;
        str_format(&list, "%s%s", *index ? ", " : "", nnue_kernel_name(*index));
    }
    return error_set(error, "this processor has no vector code '%.40s', only %s", name, names);
}

static uint64_t nodes_per_second(const BenchResult *result)
{
    return result->nodes * 1000 / (uint64_t)(result->time_ms > 0 ? result->time_ms : 1);
}

static bool print_json(const BenchSettings *settings, const BenchResult *result, Error *error)
{
    Json json = {0};
    json_open(&json, NULL, '{');
    json_int(&json, "positions", result->positions);
    json_int(&json, "depth", settings->depth);
    json_int(&json, "threads", settings->threads);
    json_int(&json, "time_ms", result->time_ms);
    json_count(&json, "nodes", result->nodes);
    json_count(&json, "nps", nodes_per_second(result));
    json_close(&json);
    return json_print(&json, stdout, error);
}

// The last line is as testing frameworks look for it.
static void print_result(const BenchSettings *settings, const BenchResult *result)
{
    uint64_t nps = nodes_per_second(result);
    printf("%d positions, depth %d\nTime          %" PRId64 " ms\nNodes         %" PRIu64
           "\nNodes/second  %" PRIu64 "\n%" PRIu64 " nodes %" PRIu64 " nps\n",
           result->positions, settings->depth, result->time_ms, result->nodes, nps, result->nodes,
           nps);
}

int cmd_bench(int argc, char **argv)
{
    BenchSettings settings = bench_default_settings();
    long long threads = settings.threads, hash_mb = settings.hash_mb, depth = settings.depth;
    const char *vector = NULL;
    bool is_json = false;
    const Option options[] = {
        {.name = "threads", .kind = OPTION_INT, .value = &threads, .low = 1, .high = THREADS_MAX},
        {.name = "hash", .kind = OPTION_INT, .value = &hash_mb, .low = 1, .high = HASH_MB_MAX},
        {.name = "vector", .kind = OPTION_TEXT, .value = &vector},
        {.name = "net", .kind = OPTION_TEXT, .value = &settings.net},
        OPTION_JSON(&is_json),
        {0}};
    Words words;
    Error error;
    if (!options_read(argc, argv, options, &words, &error))
        return options_refuse(argv[0], &error);
    if (words.count > 1 || (words.count == 1 && !str_to_int(words.at[0], 1, MAX_PLY - 1, &depth))) {
        error_set(&error, "a depth from 1 to %d, please", MAX_PLY - 1);
        return options_refuse(argv[0], &error);
    }
    if (vector && !find_vector_code(vector, &settings.vector_code, &error))
        return options_refuse(argv[0], &error);
    settings.depth = (int)depth;
    settings.threads = (int)threads;
    settings.hash_mb = (int)hash_mb;
    BenchResult result;
    if (!bench_run(&settings, &result, &error) ||
        (is_json && !print_json(&settings, &result, &error))) {
        fprintf(stderr, "lovac bench: %s\n", error.text);
        return EXIT_FAILED;
    }
    if (!is_json)
        print_result(&settings, &result);
    return EXIT_OK;
}
