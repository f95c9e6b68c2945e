// Document G: nodes to each depth from the start position, by the agent as it is described and with
// methods that it does not mention, beside 284 504 for depth 10 and 6 539 363 for depth 13: which
// of them, and which way of counting, would explain these figures?
#include <math.h>
#include <stddef.h>

#include "base/clock.h"
#include "lab/agents/g.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { TABLE_DEPTHS, TABLE_WAYS, QUICK_DEPTH = 5, DESCRIBED_DEPTH = 10, FULL_DEPTH = 13 };

static const uint64_t G_10 = 284504, G_13 = 6539363;

// ---- The agent in several forms ----

typedef struct Way {
    const char *name;
    int table, quiescence, hash_move, null_move, reductions;
} Way;

enum { DESCRIBED, ALL_THREE = 6 };

static const Way WAYS[] = {
    {"as described", 1, 1, 0, 0, 0},       {"without its table", 0, 1, 0, 0, 0},
    {"without quiescence", 1, 0, 0, 0, 0}, {"+ the table's move first", 1, 1, 1, 0, 0},
    {"+ null move", 1, 1, 0, 1, 0},        {"+ reductions of late moves", 1, 1, 0, 0, 1},
    {"+ all three", 1, 1, 1, 1, 1},        {"+ all three, without quiescence", 1, 0, 1, 1, 1},
};

enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static GSettings settings_of(const Way *way)
{
    GSettings s = g_settings();
    s.table = way->table;
    s.quiescence = way->quiescence;
    s.hash_move = way->hash_move;
    s.null_move = way->null_move;
    s.reductions = way->reductions;
    return s;
}

// One search from the start; the time in milliseconds. False when it was stopped.
static bool search(LabRun *run, const Way *way, int depth, AgentReport *report, double *ms,
                   Error *error)
{
    GSettings settings = settings_of(way);
    G *g = g_new(&settings, error);
    if (!g)
        return false;
    Position pos;
    lab_position(LAB_START, &pos);
    AgentTask task = agent_task(&pos, depth);
    task.stop = run->settings.stop;
    int64_t begin = clock_thread_ns();
    g_search(g, &task, report);
    *ms = (double)(clock_thread_ns() - begin) / 1e6;
    g_free(g);
    return true;
}

// ---- The rows ----

static int compared_depth(const LabSettings *settings)
{
    return settings->is_quick ? QUICK_DEPTH : DESCRIBED_DEPTH;
}

static int row_count(const LabSettings *settings, int table)
{
    if (table == TABLE_WAYS)
        return WAY_COUNT;
    return settings->is_quick ? QUICK_DEPTH : FULL_DEPTH;
}

static bool fill_depth(LabRun *run, int depth, LabCell *cells, Error *error)
{
    AgentReport report;
    double ms;
    cells[0] = lab_count((uint64_t)depth);
    if (depth <= DESCRIBED_DEPTH) {
        if (!search(run, &WAYS[DESCRIBED], depth, &report, &ms, error))
            return false;
        cells[1] = lab_count(report.nodes);
        cells[2] = lab_count(report.nodes - report.quiet_nodes);
        cells[3] = lab_real(ms);
    }
    if (!search(run, &WAYS[ALL_THREE], depth, &report, &ms, error))
        return false;
    cells[4] = lab_count(report.nodes);
    cells[5] = lab_count(report.nodes - report.quiet_nodes);
    cells[6] = lab_real(ms);
    if (depth == 10 || depth == 13)
        cells[7] = lab_count(depth == 10 ? G_10 : G_13);
    return true;
}

static bool fill_way(LabRun *run, int row, LabCell *cells, Error *error)
{
    AgentReport report;
    double ms;
    int depth = compared_depth(&run->settings);
    if (!search(run, &WAYS[row], depth, &report, &ms, error))
        return false;
    uint64_t searched = report.nodes - report.quiet_nodes;
    cells[0] = lab_text(WAYS[row].name);
    cells[1] = lab_count((uint64_t)depth);
    cells[2] = lab_count(report.nodes);
    cells[3] = lab_count(searched);
    cells[4] = lab_real(ms);
    if (depth == DESCRIBED_DEPTH) {
        cells[5] = lab_count(G_10);
        cells[6] = lab_real((double)report.nodes / (double)G_10);
        cells[7] = lab_real((double)searched / (double)G_10);
    }
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    return table == TABLE_WAYS ? fill_way(run, row, cells, error)
                               : fill_depth(run, row + 1, cells, error);
}

// ---- What it shows ----

// The way and the counting that come nearest to the document at depth 10.
static void say_nearest(const LabRun *run, Str *out)
{
    static const char *const COLUMNS[] = {"nodes_ratio", "searched_ratio"};
    static const char *const WORDS[] = {"all positions counted",
                                        "those of the capture search left out"};
    double best = INFINITY;
    int best_row = 0, best_column = 0;
    for (int r = 0; r < WAY_COUNT; r++)
        for (int c = 0; c < 2; c++) {
            double now = fabs(log(lab_run_number(run, TABLE_WAYS, r, COLUMNS[c])));
            if (now < best)
                best = now, best_row = r, best_column = c;
        }
    str_format(out, "Nearest to 284 504 comes the agent '%s' with %s: %.2f times as many.",
               WAYS[best_row].name, WORDS[best_column],
               lab_run_number(run, TABLE_WAYS, best_row, COLUMNS[best_column]));
}

// Does the document's number lie between both ways of counting?
static void say_between(const LabRun *run, Str *out)
{
    if (lab_run_number(run, TABLE_WAYS, ALL_THREE, "nodes_ratio") > 1 &&
        lab_run_number(run, TABLE_WAYS, ALL_THREE, "searched_ratio") < 1)
        str_add(out, " With all three the document's number lies between the two ways of counting: "
                     "methods of this kind are probably in its program.");
}

static void conclude(const LabRun *run, Str *out)
{
    if (run->settings.is_quick) {
        str_add(out, "A quick run ends before depth 10, to which the document's figures belong.\n");
        return;
    }
    int at = DESCRIBED_DEPTH - 1, last = FULL_DEPTH - 1;
    str_format(out,
               "As described, the agent visits %.1f million positions for depth 10 (%.1f million "
               "without those of the capture search), %.0f times the document's 284 504. A "
               "perfectly ordered alpha-beta without a table needs 9.7 million leaves (2 times "
               "perft 5), so what is described cannot give that figure. With three methods that "
               "it does not mention (the table's move first, null move, reductions of late moves) "
               "it is %.0f thousand, or %.0f thousand without the capture search. ",
               lab_run_number(run, TABLE_DEPTHS, at, "described") / 1e6,
               lab_run_number(run, TABLE_DEPTHS, at, "described_searched") / 1e6,
               lab_run_number(run, TABLE_DEPTHS, at, "described") / (double)G_10,
               lab_run_number(run, TABLE_DEPTHS, at, "more") / 1e3,
               lab_run_number(run, TABLE_DEPTHS, at, "more_searched") / 1e3);
    say_nearest(run, out);
    say_between(run, out);
    str_format(out,
               "\n\nFrom depth 10 to 13 the document's nodes grow 23 times and its time 15 times; "
               "with the three methods ours grow %.1f times (nodes) and %.1f times (time).\n",
               lab_run_number(run, TABLE_DEPTHS, last, "more") /
                   lab_run_number(run, TABLE_DEPTHS, at, "more"),
               lab_run_number(run, TABLE_DEPTHS, last, "more_time") /
                   lab_run_number(run, TABLE_DEPTHS, at, "more_time"));
}

const LabExperiment LAB_G_NODES = {
    .name = "g-nodes",
    .title = "Nodes of document G",
    .text = "How many positions the agent of document G visits to each depth from the start, as it "
            "is described and with methods that the document does not mention.",
    .source = "G (2025): depth 10 in 284 504 positions, depth 13 in 6 539 363 and 15 times the "
              "time.",
    .tables = {{.key = "g_depths",
                .title = "Positions visited from the start, by depth",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"described", "As described", LAB_COUNT, 0, false},
                            {"described_searched", "without captures", LAB_COUNT, 0, false},
                            {"described_time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"more", "+ three methods", LAB_COUNT, 0, false},
                            {"more_searched", "without captures", LAB_COUNT, 0, false},
                            {"more_time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"g_nodes", "G", LAB_COUNT, 0, true}}},
               {.key = "g_ways",
                .title = "What would explain the figure",
                .columns = {{"way", "Agent", LAB_TEXT, 0, false},
                            {"depth", "Depth", LAB_COUNT, 0, false},
                            {"visited", "Positions", LAB_COUNT, 0, false},
                            {"searched", "without captures", LAB_COUNT, 0, false},
                            {"time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"g_nodes", "G", LAB_COUNT, 0, true},
                            {"nodes_ratio", "Positions/G", LAB_REAL, 2, false},
                            {"searched_ratio", "without captures/G", LAB_REAL, 2, false}}}},
    .charts = {{.key = "g-nodes",
                .title = "Positions visited from the start",
                .x = "depth",
                .series = {"described", "described_searched", "more", "more_searched", "g_nodes"},
                .is_logarithmic = true},
               {.key = "g-ways",
                .title = "The same depth in several forms",
                .table = TABLE_WAYS,
                .x = "way",
                .series = {"visited", "searched", "g_nodes"},
                .has_bars = true,
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
