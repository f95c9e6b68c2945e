// Perft: the project's own positions with their well-known counts, then every suite of the large
// collection. In builds with assertions the tree is walked by perft_checked, which asserts
// position_is_ok, the count, the pseudo-legality and the check test at every node.
#include "test_data.h"

#include "base/clock.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/perft.h"
#include "test_json.h"

#ifdef NDEBUG
enum { CHECKED = 0 };
#else
enum { CHECKED = 1 };
#endif

enum { MAX_DEPTH = 64 };

typedef struct Job {
    Position pos;
    int depth;
    uint64_t expected;
} Job;

typedef struct Jobs {
    Job *list;
    size_t count, capacity;
    _Atomic uint64_t nodes;
    _Atomic int wrong;
} Jobs;

// The most leaves of one position: quick, short, long.
static uint64_t leaf_budget(void)
{
    static const uint64_t plain[] = {3000, 5000000, 300000000}, checked[] = {300, 4000, 100000};
    return CHECKED ? checked[test_level()] : plain[test_level()];
}

static void run_job(void *context, size_t index, int worker)
{
    Jobs *jobs = context;
    const Job *job = &jobs->list[index];
    (void)worker;
    uint64_t nodes = CHECKED ? perft_checked(&job->pos, job->depth) : perft(&job->pos, job->depth);
    jobs->nodes += nodes;
    if (nodes != job->expected) {
        char fen[FEN_SIZE];
        position_to_fen(&job->pos, FEN_XFEN, fen);
        print_error("%s %s depth %d: %llu, should be %llu\n", job->pos.rules->name, fen, job->depth,
                    (unsigned long long)nodes, (unsigned long long)job->expected);
        jobs->wrong++;
    }
}

static void run_jobs(Jobs *jobs, const char *name)
{
    int64_t begin = clock_ms();
    parallel_for(jobs->count, thread_cpu_count(), run_job, jobs);
    int64_t time_ms = clock_ms() - begin;
    print_message("# %s: %zu positions, %.1f million nodes, %.1f s\n", name, jobs->count,
                  (double)jobs->nodes / 1e6, (double)time_ms / 1e3);
    assert_int_equal(jobs->wrong, 0);
    free(jobs->list);
}

// Adds a position at the greatest depth whose known count fits the budget; if none does (or the
// walk is a checked one and the count too far), at the depth that the plain perft finds affordable.
static void add_job(Jobs *jobs, const Rules *rules, const char *fen,
                    const uint64_t counts[MAX_DEPTH])
{
    Error error;
    Job job = {.depth = 0};
    if (!position_set_up(&job.pos, rules, fen, &error)) {
        print_error("%s %s: %s\n", rules->name, fen, error.text);
        jobs->wrong++;
        return;
    }
    uint64_t budget = leaf_budget();
    int least = 0;
    for (int depth = 1; depth < MAX_DEPTH; depth++) {
        if (counts[depth] != UINT64_MAX && !least)
            least = depth;
        if (counts[depth] != UINT64_MAX && counts[depth] <= budget)
            job.depth = depth, job.expected = counts[depth];
    }
    if (!job.depth && (CHECKED || test_level() == TEST_QUICK)) {
        for (int depth = 1; depth <= least; depth++) {
            uint64_t nodes = perft(&job.pos, depth);
            if (depth > 1 && nodes > budget)
                break;
            job.depth = depth, job.expected = nodes;
        }
    } else if (!job.depth) {
        job.depth = least, job.expected = counts[least];
    }
    if (jobs->count == jobs->capacity) {
        jobs->capacity = jobs->capacity * 2 + 256;
        jobs->list = realloc(jobs->list, jobs->capacity * sizeof *jobs->list);
        assert_non_null(jobs->list);
    }
    jobs->list[jobs->count++] = job;
}

static void no_counts(uint64_t counts[MAX_DEPTH])
{
    for (int i = 0; i < MAX_DEPTH; i++)
        counts[i] = UINT64_MAX;
}

// --- the project's own positions ---------------------------------------------------------------

// "variant | FEN | count of depth 1, 2, ..."
static void test_own_positions(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], line[1024];
    Jobs jobs = {0};
    test_own_path("perft.txt", path);
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *variant = strsep(&rest, "|"), *fen = strsep(&rest, "|");
        uint64_t counts[MAX_DEPTH];
        int depth = 1;
        if (*line == '#' || !fen)
            continue;
        variant[strcspn(variant, " ")] = 0;
        fen++;
        fen[strlen(fen) - 1] = 0;
        no_counts(counts);
        for (char *word; (word = strsep(&rest, " \n"));)
            if (*word)
                counts[depth++] = strtoull(word, NULL, 10);
        assert_non_null(rules_find(variant));
        add_job(&jobs, rules_find(variant), fen, counts);
    }
    fclose(file);
    assert_true(jobs.count > 30);
    run_jobs(&jobs, "own positions");
}

// The hashed count agrees with the plain one, with a table so small that entries are fought over.
static void test_hashed(void **state)
{
    (void)state;
    static PerftEntry entries[1024];
    PerftTable table = {entries, 1024};
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Position pos;
        Error error;
        assert_true(position_start(&pos, &VARIANTS[v], 1, &error));
        memset(entries, 0, sizeof entries);
        int depth = v == VARIANT_MASSACRE ? 3 : 4;
        assert_int_equal(perft_hashed(&pos, depth, &table), perft(&pos, depth));
        assert_int_equal(perft_hashed(&pos, depth, &table),
                         perft(&pos, depth)); // from the full table
    }
}

// --- the large collection ----------------------------------------------------------------------

// EPD lines: FEN, then ";D1 20 ;D2 400" or "; D4 23441".
static void add_epd(Jobs *jobs, char *line)
{
    uint64_t counts[MAX_DEPTH];
    char *rest = strchr(line, ';');
    no_counts(counts);
    if (*line == '#' || !rest)
        return;
    *rest++ = 0;
    for (char *at = rest; (at = strchr(at, 'D')); at++) {
        char *end;
        long depth = strtol(at + 1, &end, 10);
        if (depth > 0 && depth < MAX_DEPTH)
            counts[depth] = strtoull(end, NULL, 10);
    }
    add_job(jobs, &VARIANTS[VARIANT_CHESS960], line, counts);
}

static void add_suite(Jobs *jobs, const char *name)
{
    char path[TEST_PATH_SIZE], line[1024], fen[1024] = "";
    uint64_t counts[MAX_DEPTH];
    test_shared_or_skip(name, path);
    FILE *file = fopen(path, "r");
    bool blocks = strstr(name, ".perft"); // "epd FEN" and lines "perft DEPTH COUNT"
    no_counts(counts);
    while (fgets(line, sizeof line, file)) {
        int depth;
        unsigned long long nodes;
        line[strcspn(line, "\r\n")] = 0;
        if (!blocks) {
            add_epd(jobs, line);
        } else if (!strncmp(line, "epd ", 4)) {
            if (*fen)
                add_job(jobs, &VARIANTS[VARIANT_CHESS960], fen, counts);
            snprintf(fen, sizeof fen, "%s", line + 4);
            no_counts(counts);
        } else if (sscanf(line, "perft %d %llu", &depth, &nodes) == 2 && depth < MAX_DEPTH) {
            counts[depth] = nodes;
        }
    }
    if (*fen)
        add_job(jobs, &VARIANTS[VARIANT_CHESS960], fen, counts);
    fclose(file);
}

static void test_suites(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ethereal_standard.epd",      "ethereal_fischer960.epd", "blunder_perft_suite.epd",
        "ferdy_double_checks.epd",    "ferdy_enpassant_1.epd",   "jw1912_perft_results.txt",
        "pychess_frc_perftsuite.epd", "pychess_perftsuite.epd",  "pychess_perftsuite2.epd",
        "whittington_perft.epd",      "shakmaty_random.perft",   "shakmaty_tricky.perft",
        "scalachess_tricky.perft",    "pychess_tricky.perft"};
    Jobs jobs = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[128];
        snprintf(name, sizeof name, "perft/%s", names[i]);
        add_suite(&jobs, name);
    }
    assert_true(jobs.count > 11000);
    run_jobs(&jobs, "suites");
}

// Rows {"variant": ..., "fen": ..., "depths": {"1": 18, ...}}, one in a line.
static void add_json(Jobs *jobs, const char *name)
{
    char path[TEST_PATH_SIZE], variant[64], fen[FEN_SIZE];
    static char line[1 << 16];
    test_shared_or_skip(name, path);
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        uint64_t counts[MAX_DEPTH];
        if (!json_text(line, "variant", variant, sizeof variant) || !rules_find(variant))
            continue; // a game that Lovac does not play
        assert_true(json_text(line, "fen", fen, sizeof fen));
        const Rules *rules =
            strstr(line, "\"chess960\": true") ? &VARIANTS[VARIANT_CHESS960] : rules_find(variant);
        no_counts(counts);
        for (int depth = 1; depth < MAX_DEPTH; depth++) {
            char field[20];
            snprintf(field, sizeof field, "\"%d\": ", depth);
            const char *at = strstr(line, field);
            if (at)
                counts[depth] = strtoull(at + strlen(field), NULL, 10);
        }
        add_job(jobs, rules, fen, counts);
    }
    fclose(file);
}

static void test_variants(void **state)
{
    (void)state;
    Jobs jobs = {0};
    add_json(&jobs, "variants/thesis-perft.json");
    size_t thesis = jobs.count;
    add_json(&jobs, "variants/other-perft.json");
    assert_int_equal(thesis, 78);
    assert_true(jobs.count > thesis);
    run_jobs(&jobs, "variants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_positions),
        cmocka_unit_test(test_hashed),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_suites),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
