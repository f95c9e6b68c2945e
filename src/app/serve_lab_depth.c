// "Nodes to a depth": what the engine needs for each depth, beside alpha-beta that counts material
// and, for the start position, the published figures.
#include <stddef.h>

#include "app/serve_lab.h"
#include "base/clock.h"
#include "core/movegen.h"
#include "lab/agents/material.h"
#include "server/runner.h"

enum { DEPTH_MAX = 30, PLAIN_MAX = 9, HASH_MB = 64, POLL_MS = 20 };

// The engine is quick: plain alpha-beta takes most of the time.
static const double ENGINE_SHARE = 0.2;

// Document G: the whole search to that depth from the start position.
static const struct {
    int depth;
    uint64_t nodes;
} PUBLISHED[] = {{10, 284504}, {13, 6539363}};

// One search: nodes (0: not done) and milliseconds.
typedef struct Cost {
    uint64_t nodes;
    double ms;
} Cost;

typedef struct Study {
    Run *run;
    Position root;
    bool is_start; // the published figures are about it
    int depth, plain_depth;
    Cost engine[DEPTH_MAX + 1], plain[DEPTH_MAX + 1];
    int shown;        // rows
    int64_t start_ns; // processor time of the thread that searches, at the beginning
} Study;

static void add_cost(Cell *cells, const Cost *costs, int depth)
{
    const Cost *now = &costs[depth], *before = &costs[depth - 1];
    cells[0] = now->nodes ? cell_count(now->nodes) : cell_none();
    cells[1] = now->nodes ? cell_real(now->ms) : cell_none();
    cells[2] = now->nodes && before->nodes ? cell_real((double)now->nodes / (double)before->nodes)
                                           : cell_none();
}

static void show_row(const Study *s, int depth)
{
    Cell cells[8] = {cell_count((uint64_t)depth)};
    add_cost(cells + 1, s->engine, depth);
    add_cost(cells + 4, s->plain, depth);
    cells[7] = cell_none();
    for (size_t i = 0; s->is_start && i < sizeof PUBLISHED / sizeof *PUBLISHED; i++)
        if (PUBLISHED[i].depth == depth)
            cells[7] = cell_count(PUBLISHED[i].nodes);
    run_row(s->run, 0, depth - 1, cells, 8);
}

// Shows a depth, and those before it that were skipped.
static void show(Study *s, int depth)
{
    for (; s->shown < depth - 1; s->shown++)
        show_row(s, s->shown + 1);
    show_row(s, depth);
    if (s->shown < depth)
        s->shown = depth;
}

static double elapsed_ms(const Study *s)
{
    return (double)(clock_thread_ns() - s->start_ns) / 1e6;
}

// ---- The engine: one search, which passes through all depths ----

static void on_info(void *context, const Position *root, const SearchInfo *info)
{
    (void)root;
    Study *s = context;
    if (info->kind != INFO_LINE || info->bound != BOUND_EXACT || info->depth < 1 ||
        info->depth > s->depth)
        return;
    s->engine[info->depth] = (Cost){info->nodes, elapsed_ms(s)};
    show(s, info->depth);
    run_progress(s->run, ENGINE_SHARE * info->depth / s->depth, -1);
}

static void on_best(void *context, const Position *root, const SearchResult *result)
{
    (void)context, (void)root, (void)result;
}

// Thinks in the background, where the engine can be stopped. Each search has a thread of its own:
// the processor time of that thread, which on_info reads, is the time of the search.
static bool think(Study *s, Engine *engine, Error *error)
{
    SearchLimits limits = search_limits_none();
    limits.depth = s->depth;
    s->start_ns = 0;
    if (!engine_go(engine, &limits, on_info, on_best, s, error))
        return false;
    while (engine_is_thinking(engine)) {
        clock_sleep_ms(POLL_MS);
        if (run_is_stopped(s->run))
            engine_stop(engine);
    }
    engine_wait(engine);
    return true;
}

// The first touch of memory would count for the first depths.
static bool warm_up(Engine *engine, Error *error)
{
    SearchLimits limits = search_limits_none();
    SearchResult result;
    limits.depth = 1;
    engine_think(engine, &limits, NULL, NULL, &result);
    return engine_new_game(engine, error);
}

static bool search(Study *s, bool by_hand, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = HASH_MB;
    Engine *engine = engine_new(&options, error);
    if (!engine)
        return false;
    bool ok = (!by_hand || engine_load_net(engine, "none", error)) &&
              engine_set_position(engine, &s->root, NULL, 0, error) && warm_up(engine, error) &&
              engine_set_position(engine, &s->root, NULL, 0, error) && think(s, engine, error);
    engine_free(engine);
    return ok;
}

// ---- Plain alpha-beta: a search of its own for each depth ----

// What the depths after this one will cost if each costs as many times more as the last did.
static double cost_left(const Study *s, int depth)
{
    const Cost *now = &s->plain[depth], *before = &s->plain[depth - 1];
    double factor = before->nodes ? (double)now->nodes / (double)before->nodes : 5;
    double ms = now->ms, sum = 0;
    for (; depth < s->plain_depth; depth++)
        sum += ms *= factor < 1 ? 1 : factor;
    return sum;
}

// Depths of plain alpha-beta that were searched before the run was interrupted.
static void take_kept(Study *s)
{
    Cell cells[COLUMNS_MAX];
    int depth = 0;
    while (depth < s->plain_depth && run_kept(s->run, 0, depth, cells) &&
           cells[4].kind == CELL_COUNT && cells[5].kind == CELL_REAL) {
        s->plain[++depth] = (Cost){(uint64_t)cells[4].count, cells[5].real};
        show(s, depth);
    }
}

static void search_plainly(Study *s)
{
    double spent = 0;
    for (int depth = 1; depth <= s->plain_depth; depth++) {
        if (s->plain[depth].nodes)
            continue; // known from before
        Random random;
        MaterialChoice choice;
        random_init(&random, 1);
        s->start_ns = clock_thread_ns();
        if (!material_choose_until(&s->root, depth, &random, run_stop(s->run), &choice))
            return;
        s->plain[depth] = (Cost){choice.nodes, elapsed_ms(s)};
        spent += s->plain[depth].ms;
        double left = cost_left(s, depth);
        show(s, depth);
        run_progress(s->run, ENGINE_SHARE + (1 - ENGINE_SHARE) * spent / (spent + left + 1e-9),
                     (int64_t)left);
    }
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context;
    const Position *root = &choice_value(&LAB_DEPTH, values, "fen")->start;
    Position start;
    Study s = {.run = run,
               .root = *root,
               .depth = (int)choice_value(&LAB_DEPTH, values, "depth")->number,
               .plain_depth = (int)choice_value(&LAB_DEPTH, values, "plain")->number};
    if (!movegen_any(&s.root))
        return error_set(error, "there is no legal move in this position");
    s.is_start = root->rules == &VARIANTS[VARIANT_CHESS] &&
                 position_start(&start, root->rules, 0, NULL) && start.state.key == root->state.key;
    take_kept(&s);
    if (!search(&s, choice_value(&LAB_DEPTH, values, "evaluation")->number == 1, error))
        return false;
    search_plainly(&s);
    return true;
}

static const char *const EVALUATIONS[] = {"network", "hand", NULL};

const Experiment LAB_DEPTH = {
    .key = "depth",
    .title = "Nodes to a depth",
    .text = "How many positions the engine visits to search each depth, beside plain alpha-beta "
            "that counts material.",
    .choices = {{.key = "variant", .title = "Game", .kind = CHOICE_VARIANT},
                {.key = "fen", .title = "Position (FEN)", .kind = CHOICE_FEN},
                {.key = "depth",
                 .title = "Depth of the engine",
                 .kind = CHOICE_NUMBER,
                 .low = 1,
                 .high = DEPTH_MAX,
                 .usual = 13},
                {.key = "plain",
                 .title = "Depth of plain alpha-beta",
                 .kind = CHOICE_NUMBER,
                 .low = 1,
                 .high = PLAIN_MAX,
                 .usual = 7},
                {.key = "evaluation",
                 .title = "Evaluation of the engine",
                 .kind = CHOICE_WORD,
                 .words = EVALUATIONS}},
    .tables = {{.key = "depths",
                .title = "Nodes and time",
                .columns = {{"depth", "Depth", COLUMN_COUNT, false},
                            {"nodes", "Lovac", COLUMN_COUNT, false},
                            {"time", "CPU time", COLUMN_TIME_MS, false},
                            {"factor", "Branching", COLUMN_REAL, false},
                            {"plain_nodes", "Alpha-beta", COLUMN_COUNT, false},
                            {"plain_time", "CPU time", COLUMN_TIME_MS, false},
                            {"plain_factor", "Branching", COLUMN_REAL, false},
                            {"published", "Published (G)", COLUMN_COUNT, true}}}},
    .charts =
        {{.key = "nodes",
          .title = "Nodes by depth",
          .table = "depths",
          .x = "depth",
          .series = {{"nodes", NULL, NULL}, {"plain_nodes", NULL, NULL}, {"published", NULL, NULL}},
          .is_logarithmic = true}},
    .sources =
        "G (2025), a C engine with magic bitboards, a transposition table and the simplified "
        "evaluation function: depth 10 from the start position in 284 504 nodes, depth 13 "
        "in 6 539 363. Depth is a name: the engine looks at unpromising lines less deeply, plain "
        "alpha-beta at all alike.",
    .work = work,
};
