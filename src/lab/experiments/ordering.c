// Documents G and D: what the order of moves is worth. The agent of document G searches seven
// positions to the same depth, first with captures before the rest and nothing else, then with one
// heuristic more in each row. Its capture search is off: unordered it would never end.
#include <stddef.h>

#include "base/clock.h"
#include "lab/agents/g.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { QUICK_DEPTH = 4, FULL_DEPTH = 7 };

static const struct {
    const char *name;
    int mvv_lva, pv, killers, table, hash_move;
} STEPS[] = {
    {"captures first, unordered", 0, 0, 0, 0, 0},   {"+ MVV-LVA", 1, 0, 0, 0, 0},
    {"+ principal variation first", 1, 1, 0, 0, 0}, {"+ two killers", 1, 1, 1, 0, 0},
    {"+ transposition table", 1, 1, 1, 1, 0},       {"+ the table's move first", 1, 1, 1, 1, 1}};

enum { STEP_ROWS = sizeof STEPS / sizeof *STEPS };

static int depth_of(const LabSettings *settings)
{
    return settings->is_quick ? QUICK_DEPTH : FULL_DEPTH;
}

static int row_count(const LabSettings *settings, int table)
{
    (void)settings, (void)table;
    return STEP_ROWS;
}

static GSettings settings_of(int row)
{
    GSettings s = g_settings();
    s.quiescence = 0;
    s.mvv_lva = STEPS[row].mvv_lva;
    s.pv = STEPS[row].pv;
    s.killers = STEPS[row].killers;
    s.table = STEPS[row].table;
    s.hash_move = STEPS[row].hash_move;
    return s;
}

typedef struct Sum {
    uint64_t nodes, cutoffs, first_cut;
    double ms;
} Sum;

static bool search_all(LabRun *run, int row, Sum *sum, Error *error)
{
    GSettings settings = settings_of(row);
    G *g = g_new(&settings, error);
    if (!g)
        return false;
    for (int i = 0; i < LAB_POSITIONS && !lab_run_is_stopped(run); i++) {
        Position pos;
        AgentReport report;
        lab_position(i, &pos);
        AgentTask task = agent_task(&pos, depth_of(&run->settings));
        task.stop = run->settings.stop;
        g_forget(g);
        int64_t begin = clock_thread_ns();
        g_search(g, &task, &report);
        sum->ms += (double)(clock_thread_ns() - begin) / 1e6;
        sum->nodes += report.nodes;
        sum->cutoffs += report.cutoffs;
        sum->first_cut += report.first_cut;
        lab_run_progress(run, (i + 1.0) / LAB_POSITIONS);
    }
    g_free(g);
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)table;
    Sum sum = {0};
    if (!search_all(run, row, &sum, error))
        return false;
    cells[0] = lab_text(STEPS[row].name);
    cells[1] = lab_count(sum.nodes);
    cells[2] = lab_real(sum.ms);
    cells[3] = lab_real(100 * (double)sum.first_cut / (double)(sum.cutoffs ? sum.cutoffs : 1));
    double nodes = (double)sum.nodes;
    if (row) {
        cells[4] = lab_real(100 * nodes / lab_run_number(run, 0, row - 1, "visited"));
        cells[5] = lab_real(100 * nodes / lab_run_number(run, 0, 0, "visited"));
    }
    return true;
}

static void conclude(const LabRun *run, Str *out)
{
    int last = STEP_ROWS - 1, best = 1;
    for (int r = 2; r < STEP_ROWS; r++)
        if (lab_run_number(run, 0, r, "of_before") < lab_run_number(run, 0, best, "of_before"))
            best = r;
    str_format(
        out,
        "Seven positions (those of perft-tests) to depth %d, without capture search. Most is "
        "won by '%s' (%.0f %% of the row before); all together leave %.1f %% of the first "
        "row, and the first move tried causes %.0f %% of the cuts instead of %.0f %%. ",
        depth_of(&run->settings), STEPS[best].name, lab_run_number(run, 0, best, "of_before"),
        lab_run_number(run, 0, last, "of_first"), lab_run_number(run, 0, last, "first_cuts"),
        lab_run_number(run, 0, 0, "first_cuts"));
    str_add(out, "Documents G and D give no numbers for single heuristics; D names previous best "
                 "move, history moves (here: killers and the table's move) and MVV-LVA.\n");
}

const LabExperiment LAB_ORDERING = {
    .name = "ordering",
    .title = "Move ordering",
    .text = "Positions visited to the same depth, with one ordering heuristic more in each row: "
            "MVV-LVA, principal variation, killers, transposition table, its move first.",
    .source = "G (2025), section 8, and D (2011), section 5: methods without numbers.",
    .tables = {{.key = "ordering",
                .title = "Seven positions together",
                .columns = {{"step", "Ordering", LAB_TEXT, 0, false},
                            {"visited", "Positions", LAB_COUNT, 0, false},
                            {"time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"first_cuts", "Cuts by the first move %", LAB_REAL, 1, false},
                            {"of_before", "% of the row before", LAB_REAL, 1, false},
                            {"of_first", "% of the first row", LAB_REAL, 2, false}}}},
    .charts = {{.key = "ordering",
                .title = "Positions visited with one more heuristic each",
                .x = "step",
                .series = {"visited"},
                .has_bars = true,
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
