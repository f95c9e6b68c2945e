// Documents G, D and M: what minimax, negamax and alpha-beta visit, depth by depth, beside the
// least that any alpha-beta must visit, b^ceil(d/2) + b^floor(d/2) - 1 leaves; and document D's
// table 5.1 of that formula.
#include <math.h>
#include <stddef.h>

#include "lab/agents/material.h"
#include "lab/agents/steps.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { TABLE_START, TABLE_MIDDLE, TABLE_FORMULA, FORMULA_ROWS = 8, FORMULA_B = 40 };

// How deep each method goes; the rows end with the last.
static int minimax_depth(const LabSettings *settings, int table)
{
    return (table == TABLE_START ? 5 : 4) - (settings->is_quick ? 1 : 0);
}

static int row_count(const LabSettings *settings, int table)
{
    return table == TABLE_FORMULA ? FORMULA_ROWS : minimax_depth(settings, table) + 1;
}

// The leaves of a perfectly ordered alpha-beta.
static double least_leaves(double b, int depth)
{
    return pow(b, (depth + 1) / 2) + pow(b, depth / 2) - 1;
}

// All its positions: the leaves of every depth up to this one are the inner nodes of it.
static double least_nodes(double b, int depth)
{
    double sum = 0;
    for (int d = 0; d <= depth; d++)
        sum += least_leaves(b, d);
    return sum;
}

// ---- Measured ----

static bool search(LabRun *run, StepMethod method, const Position *pos, int depth,
                   AgentReport *report)
{
    AgentTask task = agent_task(pos, depth);
    task.stop = run->settings.stop;
    steps_search(method, &task, report);
    return report->is_done;
}

static uint64_t captures_first(LabRun *run, const Position *pos, int depth)
{
    Random random;
    MaterialChoice choice;
    random_init(&random, run->settings.seed);
    material_choose_until(pos, depth, &random, run->settings.stop, &choice);
    return choice.nodes + 1; // the root
}

static bool fill_tree(LabRun *run, int table, int depth, LabCell *cells)
{
    Position pos;
    AgentReport report;
    lab_position(table == TABLE_START ? LAB_START : LAB_KIWIPETE, &pos);
    cells[0] = lab_count((uint64_t)depth);
    double all = 0;
    if (depth <= minimax_depth(&run->settings, table)) {
        for (StepMethod m = STEP_MINIMAX; m <= STEP_NEGAMAX; m++)
            if (search(run, m, &pos, depth, &report))
                cells[1 + m] = lab_count(report.nodes);
        all = (double)report.nodes;
        double b = pow((double)report.leaves, 1.0 / depth);
        cells[5] = lab_count((uint64_t)llround(least_nodes(b, depth)));
        lab_run_progress(run, 0.5);
    }
    search(run, STEP_ALPHA_BETA, &pos, depth, &report);
    cells[3] = lab_count(report.nodes);
    uint64_t sorted = captures_first(run, &pos, depth);
    cells[4] = lab_count(sorted);
    if (all > 0) {
        cells[6] = lab_real(100 * (double)report.nodes / all);
        cells[7] = lab_real(100 * (double)sorted / all);
    }
    return true;
}

// ---- Document D's table ----

static const uint64_t D_LEAST[FORMULA_ROWS] = {40, 79, 1639, 3199, 65569, 127999, 2623999, 5119999};

static void fill_formula(int depth, LabCell *cells)
{
    uint64_t least = (uint64_t)llround(least_leaves(FORMULA_B, depth));
    cells[0] = lab_count((uint64_t)depth);
    cells[1] = lab_count((uint64_t)llround(pow(FORMULA_B, depth)));
    cells[2] = lab_count(least);
    cells[3] = lab_count(D_LEAST[depth - 1]);
    cells[4] = lab_text(least == D_LEAST[depth - 1] ? "=" : "≠");
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)error;
    if (table != TABLE_FORMULA)
        return fill_tree(run, table, row + 1, cells);
    fill_formula(row + 1, cells);
    return true;
}

// ---- What it shows ----

static void say_tree(const LabRun *run, int table, const char *where, Str *out)
{
    int row = minimax_depth(&run->settings, table) - 1;
    double all = lab_run_number(run, table, row, "minimax");
    str_format(out,
               "%s, depth %d: alpha-beta without any ordering visits %.1f %% of minimax's "
               "positions, with captures first %.2f %%, the best case is %.2f %%.",
               where, row + 1, lab_run_number(run, table, row, "plain_share"),
               lab_run_number(run, table, row, "sorted_share"),
               100 * lab_run_number(run, table, row, "least") / all);
}

static void conclude(const LabRun *run, Str *out)
{
    bool is_same = true;
    for (int t = TABLE_START; t <= TABLE_MIDDLE; t++)
        for (int r = 0; r < minimax_depth(&run->settings, t); r++)
            is_same = is_same &&
                      lab_run_number(run, t, r, "minimax") == lab_run_number(run, t, r, "negamax");
    str_format(out, "Minimax and negamax visit %s positions at every depth. ",
               is_same ? "the same" : "DIFFERENT");
    say_tree(run, TABLE_START, "From the start", out);
    str_add(out, " ");
    say_tree(run, TABLE_MIDDLE, "From Kiwipete", out);
    str_add(out, " The best case is the formula with the tree's own average of moves b (the d-th "
                 "root of its leaves), summed over all levels. Document M says that good ordering "
                 "comes near the square root of minimax's nodes.\n\n");
    str_add(out, "Document D's table 5.1 is the formula for b = 40; its line for depth 5 is "
                 "misprinted: 65 569 should be 65 599.\n");
}

#define TREE_COLUMNS                                                                               \
    {                                                                                              \
        {"depth", "Depth", LAB_COUNT, 0, false}, {"minimax", "Minimax", LAB_COUNT, 0, false},      \
            {"negamax", "Negamax", LAB_COUNT, 0, false},                                           \
            {"plain", "Alpha-beta", LAB_COUNT, 0, false},                                          \
            {"sorted", "Captures first", LAB_COUNT, 0, false},                                     \
            {"least", "Best case", LAB_COUNT, 0, false},                                           \
            {"plain_share", "Alpha-beta %", LAB_REAL, 2, false},                                   \
        {                                                                                          \
            "sorted_share", "Captures first %", LAB_REAL, 2, false                                 \
        }                                                                                          \
    }

const LabExperiment LAB_TREES = {
    .name = "trees",
    .title = "Minimax, negamax, alpha-beta",
    .text = "How many positions each search visits to a depth, with material counted at the "
            "leaves, beside the least that alpha-beta must visit.",
    .source = "G (2025), section 3; D (2011), table 5.1 (b = 40, from the formula); M (2019), "
              "section on its search.",
    .tables = {{.key = "tree_start",
                .title = "Positions visited from the start",
                .columns = TREE_COLUMNS},
               {.key = "tree_middle",
                .title = "Positions visited from Kiwipete",
                .columns = TREE_COLUMNS},
               {.key = "tree_formula",
                .title = "Leaves for b = 40",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"most_leaves", "Minimax", LAB_COUNT, 0, false},
                            {"least_leaves", "Best case", LAB_COUNT, 0, false},
                            {"d_least", "D: best case", LAB_COUNT, 0, true},
                            {"agrees", "Agrees", LAB_TEXT, 0, false}}}},
    .charts = {{.key = "trees-start",
                .title = "Positions visited from the start",
                .table = TABLE_START,
                .x = "depth",
                .series = {"minimax", "plain", "sorted", "least"},
                .is_logarithmic = true},
               {.key = "trees-middle",
                .title = "Positions visited from Kiwipete",
                .table = TABLE_MIDDLE,
                .x = "depth",
                .series = {"minimax", "plain", "sorted", "least"},
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
