// Document M: its mate in two, found at depth 4, and what trying the move of the PV table first
// cuts ("up to a half").
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "core/fen.h"
#include "core/notation.h"
#include "engine/score.h"
#include "lab/agents/m.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum {
    TABLE_MATE,
    TABLE_ORDER,
    TABLE_DEPTHS,
    MATE_DEPTH = 5,
    QUICK_DEPTH = 3,
    FULL_DEPTH = 5,
    KEY_DEPTH = 4,
    LEAST_DEPTH = 2, // of the third table
};

static const char MATE[] = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
static const char KEY_MOVE[] = "g3g6";

static int row_count(const LabSettings *settings, int table)
{
    if (table == TABLE_ORDER)
        return LAB_POSITIONS + 1; // and all together
    if (table == TABLE_DEPTHS)
        return (settings->is_quick ? QUICK_DEPTH : FULL_DEPTH) - LEAST_DEPTH + 1;
    return settings->is_quick ? KEY_DEPTH : MATE_DEPTH;
}

static bool search(LabRun *run, const MSettings *settings, const Position *pos, int depth,
                   AgentReport *report, double *ms, Error *error)
{
    M *m = m_new(settings, error);
    if (!m)
        return false;
    AgentTask task = agent_task(pos, depth);
    task.stop = run->settings.stop;
    int64_t begin = clock_thread_ns();
    m_search(m, &task, report);
    *ms = (double)(clock_thread_ns() - begin) / 1e6;
    m_free(m);
    return true;
}

// ---- The mate ----

static void add_line(const Position *pos, const AgentReport *report, LabCell *cell)
{
    char text[LAB_TEXT_SIZE], move[MOVE_TEXT_SIZE];
    Position walk = *pos;
    Str out;
    str_init(&out, text, sizeof text);
    for (int i = 0; i < report->pv_count; i++) {
        Undo undo;
        move_to_uci(&walk, report->pv[i], false, move);
        str_format(&out, "%s%s", i ? " " : "", move);
        position_make(&walk, report->pv[i], &undo);
    }
    *cell = lab_text(text);
}

static bool fill_mate(LabRun *run, int depth, LabCell *cells, Error *error)
{
    Position pos;
    AgentReport report;
    double ms;
    MSettings settings = m_settings();
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], MATE, error) ||
        !search(run, &settings, &pos, depth, &report, &ms, error))
        return false;
    cells[0] = lab_count((uint64_t)depth);
    add_line(&pos, &report, &cells[1]);
    cells[2] = report.score >= SCORE_MATE_LIMIT
                   ? lab_format("mate in %d", (SCORE_MATE - report.score + 1) / 2)
                   : lab_format("%+.2f", report.score / 100.0);
    cells[3] = lab_count(report.nodes);
    cells[4] = lab_real(ms);
    cells[5] = lab_count((uint64_t)((double)report.nodes / (ms / 1000 + 1e-6)));
    if (depth == KEY_DEPTH)
        cells[6] = lab_text("g3g6 f7g6 e5g6: mate in 2");
    return true;
}

// ---- The order ----

typedef struct Order {
    int pv_first, mvv_lva;
} Order;

static const Order ORDERS[] = {{0, 0}, {0, 1}, {1, 1}};

// By how many hundredths the PV move first is less than another order.
static double saved(const double nodes[3], int order)
{
    return 100 * (nodes[order] - nodes[2]) / nodes[order];
}

static void add_shares(LabCell *cells, const double nodes[3])
{
    for (int i = 0; i < 3; i++)
        cells[2 + i] = lab_count((uint64_t)nodes[i]);
    cells[5] = lab_real(saved(nodes, 0));
    cells[6] = lab_real(saved(nodes, 1));
    cells[7] = lab_text("up to 50 %");
}

static void fill_sum(const LabRun *run, LabCell *cells)
{
    static const char *const COLUMNS[3] = {"unsorted", "by_mvv", "by_pv"};
    double nodes[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < LAB_POSITIONS; r++)
            nodes[i] += lab_run_number(run, TABLE_ORDER, r, COLUMNS[i]);
    cells[0] = lab_text("all together");
    add_shares(cells, nodes);
}

// Positions visited by each of the three orders.
static bool count_orders(LabRun *run, int position, int depth, double nodes[3], Error *error)
{
    double ms;
    Position pos;
    lab_position(position, &pos);
    for (int i = 0; i < 3; i++) {
        MSettings settings = m_settings();
        AgentReport report;
        settings.pv_first = ORDERS[i].pv_first;
        settings.mvv_lva = ORDERS[i].mvv_lva;
        if (!search(run, &settings, &pos, depth, &report, &ms, error))
            return false;
        nodes[i] = (double)report.nodes;
    }
    return true;
}

static bool fill_order(LabRun *run, int row, LabCell *cells, Error *error)
{
    double nodes[3];
    int depth = run->settings.is_quick ? QUICK_DEPTH : FULL_DEPTH;
    if (!count_orders(run, row, depth, nodes, error))
        return false;
    cells[0] = lab_text(LAB_POSITION[row].name);
    add_shares(cells, nodes);
    cells[1] = lab_count((uint64_t)depth);
    return true;
}

// All positions together at a depth, and the one in which the PV move first saves most.
static bool fill_depth(LabRun *run, int depth, LabCell *cells, Error *error)
{
    double sums[3] = {0}, most = -INFINITY;
    const char *where = "";
    for (int p = 0; p < LAB_POSITIONS && !lab_run_is_stopped(run); p++) {
        double nodes[3];
        if (!count_orders(run, p, depth, nodes, error))
            return false;
        for (int i = 0; i < 3; i++)
            sums[i] += nodes[i];
        if (saved(nodes, 1) > most) {
            most = saved(nodes, 1);
            where = LAB_POSITION[p].name;
        }
        lab_run_progress(run, (p + 1.0) / LAB_POSITIONS);
    }
    cells[0] = lab_count((uint64_t)depth);
    for (int i = 0; i < 3; i++)
        cells[1 + i] = lab_count((uint64_t)sums[i]);
    cells[4] = lab_real(saved(sums, 0));
    cells[5] = lab_real(saved(sums, 1));
    cells[6] = lab_real(most);
    cells[7] = lab_text(where);
    cells[8] = lab_text("up to 50 %");
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    if (table == TABLE_MATE)
        return fill_mate(run, row + 1, cells, error);
    if (table == TABLE_DEPTHS)
        return fill_depth(run, LEAST_DEPTH + row, cells, error);
    if (row < LAB_POSITIONS)
        return fill_order(run, row, cells, error);
    fill_sum(run, cells);
    return true;
}

// ---- What it shows ----

static void conclude(const LabRun *run, Str *out)
{
    int found = 0;
    for (int r = run->rows[TABLE_MATE].count - 1; r >= 0; r--) {
        const char *line = lab_run_cell(run, TABLE_MATE, r, "line")->text;
        const char *score = lab_run_cell(run, TABLE_MATE, r, "verdict")->text;
        if (!strncmp(line, KEY_MOVE, strlen(KEY_MOVE)) && !strcmp(score, "mate in 2"))
            found = r + 1;
    }
    if (found)
        str_format(out, "The mate by 1.Qg6 is found at depth %d; the document says 4. ", found);
    else
        str_add(out, "The mate by 1.Qg6 is NOT found; the document finds it at depth 4. ");
    int depths = run->rows[TABLE_DEPTHS].count, best = 0;
    str_add(out, "With the PV move first the tree of all positions together is smaller than with "
                 "MVV-LVA alone by ");
    for (int r = 0; r < depths; r++) {
        double most = lab_run_number(run, TABLE_DEPTHS, r, "saved_most");
        if (most > lab_run_number(run, TABLE_DEPTHS, best, "saved_most"))
            best = r;
        str_format(out, "%s%.0f %% at depth %d", r ? ", " : "",
                   lab_run_number(run, TABLE_DEPTHS, r, "saved_mvv"), LEAST_DEPTH + r);
    }
    str_format(
        out,
        "; most in a single position is %.0f %% (%s, depth %d). Unsorted it is %.1f times as "
        "large as with both at the last depth. The document says up to 50 %% and not "
        "against what. It evaluates about 400 000 moves in a second; here it is %.1f "
        "million positions at depth %d.\n",
        lab_run_number(run, TABLE_DEPTHS, best, "saved_most"),
        lab_run_cell(run, TABLE_DEPTHS, best, "saved_where")->text, LEAST_DEPTH + best,
        lab_run_number(run, TABLE_DEPTHS, depths - 1, "unsorted") /
            lab_run_number(run, TABLE_DEPTHS, depths - 1, "by_pv"),
        lab_run_number(run, TABLE_MATE, run->rows[TABLE_MATE].count - 1, "speed") / 1e6,
        run->rows[TABLE_MATE].count);
}

const LabExperiment LAB_M_SEARCH = {
    .name = "m-search",
    .title = "Mate in two and PV ordering of document M",
    .text = "The agent of document M on its example, a mate in two by 1.Qg6, depth by depth; and "
            "how much smaller its tree is when the move of the PV table is tried first.",
    .source = "M (2019): the win is found at depth 4; PV first cuts the tree by up to 50 %; about "
              "400 000 moves a second.",
    .tables = {{.key = "m_mate",
                .title = "The example, by depth",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"line", "Line", LAB_TEXT, 0, false},
                            {"verdict", "Value", LAB_TEXT, 0, false},
                            {"visited", "Positions", LAB_COUNT, 0, false},
                            {"time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"speed", "Per second", LAB_COUNT, 0, false},
                            {"m_line", "M", LAB_TEXT, 0, true}}},
               {.key = "m_order",
                .title = "Positions visited, by order of moves",
                .columns = {{"test", "Position", LAB_TEXT, 0, false},
                            {"depth", "Depth", LAB_COUNT, 0, false},
                            {"unsorted", "Unsorted", LAB_COUNT, 0, false},
                            {"by_mvv", "MVV-LVA", LAB_COUNT, 0, false},
                            {"by_pv", "+ PV first", LAB_COUNT, 0, false},
                            {"saved_all", "% less than unsorted", LAB_REAL, 1, false},
                            {"saved_mvv", "% less than MVV-LVA", LAB_REAL, 1, false},
                            {"m_saved", "M", LAB_TEXT, 0, true}}},
               {.key = "m_depths",
                .title = "All seven together, by depth",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"unsorted", "Unsorted", LAB_COUNT, 0, false},
                            {"by_mvv", "MVV-LVA", LAB_COUNT, 0, false},
                            {"by_pv", "+ PV first", LAB_COUNT, 0, false},
                            {"saved_all", "% less than unsorted", LAB_REAL, 1, false},
                            {"saved_mvv", "% less than MVV-LVA", LAB_REAL, 1, false},
                            {"saved_most", "Most in one position, %", LAB_REAL, 1, false},
                            {"saved_where", "Which", LAB_TEXT, 0, false},
                            {"m_saved", "M", LAB_TEXT, 0, true}}}},
    .charts = {{.key = "m-order",
                .title = "Positions visited by the agent of document M",
                .table = TABLE_ORDER,
                .x = "test",
                .series = {"unsorted", "by_mvv", "by_pv"},
                .has_bars = true,
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
