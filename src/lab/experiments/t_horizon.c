// Document T: its horizon example, a queen that may take one of two guarded pawns, with and without
// the capture search; and what each method of its agent is worth in positions visited.
#include <stddef.h>

#include "base/clock.h"
#include "core/fen.h"
#include "core/notation.h"
#include "lab/agents/t.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { TABLE_HORIZON, TABLE_METHODS, HORIZON_DEPTH = 4, QUICK_DEPTH = 3, FULL_DEPTH = 4 };

// The document's picture is lost. This position has what it says: Black's queen can take a pawn on
// c2 or g4, and White then takes the queen.
static const char HORIZON[] = "rnb1kbnr/pppp1ppp/4p1q1/8/3P2P1/2N4P/PPP1PP2/R1BQKBNR b KQkq - 2 4";

static const struct {
    const char *name;
    int cuts, order, captures;
} METHODS[] = {{"minimax", 0, 0, 0},
               {"alpha-beta", 1, 0, 0},
               {"+ order by gain", 1, 1, 0},
               {"+ capture search", 1, 1, 1}};

enum { METHOD_ROWS = sizeof METHODS / sizeof *METHODS };

static int row_count(const LabSettings *settings, int table)
{
    (void)settings;
    return table == TABLE_HORIZON ? HORIZON_DEPTH : METHOD_ROWS;
}

// ---- The example ----

// Searches the example; writes move and value (for White, as the document has it).
static void look(LabRun *run, const Position *pos, int depth, bool has_captures, LabCell *cells,
                 Move *move)
{
    TSettings settings = t_settings();
    AgentTask task = agent_task(pos, depth);
    AgentReport report;
    char text[MOVE_TEXT_SIZE];
    settings.captures = has_captures;
    task.stop = run->settings.stop;
    t_search(&settings, &task, &report);
    *move = report.move;
    move_to_uci(pos, report.move, false, text);
    cells[0] = lab_text(text);
    cells[1] = lab_format("%+d", pos->side == WHITE ? report.score : -report.score);
    cells[2] = lab_count(report.nodes);
}

// Is the queen lost for a pawn after this move? Asked of a deeper search.
static bool loses_queen(LabRun *run, const Position *pos, Move move)
{
    Position next = *pos;
    Undo undo;
    TSettings settings = t_settings();
    AgentReport report;
    position_make(&next, move, &undo);
    AgentTask task = agent_task(&next, 3);
    task.stop = run->settings.stop;
    t_search(&settings, &task, &report);
    return report.score >= 700;
}

static bool fill_horizon(LabRun *run, int depth, LabCell *cells, Error *error)
{
    Position pos;
    Move plain, deep;
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], HORIZON, error))
        return false;
    cells[0] = lab_count((uint64_t)depth);
    look(run, &pos, depth, false, &cells[1], &plain);
    cells[4] = lab_text(loses_queen(run, &pos, plain) ? "loses the queen" : "sound");
    look(run, &pos, depth, true, &cells[5], &deep);
    cells[8] = lab_text(loses_queen(run, &pos, deep) ? "loses the queen" : "sound");
    if (depth == 1)
        cells[9] = lab_text("takes a pawn; corrected by the capture search");
    return true;
}

// ---- The methods ----

static bool fill_method(LabRun *run, int row, LabCell *cells)
{
    TSettings settings = t_settings();
    uint64_t nodes = 0, captures = 0;
    int depth = run->settings.is_quick ? QUICK_DEPTH : FULL_DEPTH;
    settings.cuts = METHODS[row].cuts;
    settings.order = METHODS[row].order;
    settings.captures = METHODS[row].captures;
    int64_t begin = clock_thread_ns();
    for (int i = 0; i < LAB_POSITIONS && !lab_run_is_stopped(run); i++) {
        Position pos;
        AgentReport report;
        lab_position(i, &pos);
        AgentTask task = agent_task(&pos, depth);
        task.stop = run->settings.stop;
        t_search(&settings, &task, &report);
        nodes += report.nodes;
        captures += report.quiet_nodes;
        lab_run_progress(run, (i + 1.0) / LAB_POSITIONS);
    }
    cells[0] = lab_text(METHODS[row].name);
    cells[1] = lab_count((uint64_t)depth);
    cells[2] = lab_count(nodes);
    cells[3] = lab_count(captures);
    cells[4] = lab_real((double)(clock_thread_ns() - begin) / 1e6);
    if (row)
        cells[5] = lab_real(100 * (double)nodes / lab_run_number(run, TABLE_METHODS, 0, "visited"));
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    return table == TABLE_HORIZON ? fill_horizon(run, row + 1, cells, error)
                                  : fill_method(run, row, cells);
}

static void conclude(const LabRun *run, Str *out)
{
    str_format(out,
               "At depth 1 the agent plays %s without the capture search (%s) and %s with it (%s). "
               "The document's position is lost; the one here has what it says of it. ",
               lab_run_cell(run, TABLE_HORIZON, 0, "plain_move")->text,
               lab_run_cell(run, TABLE_HORIZON, 0, "plain_fate")->text,
               lab_run_cell(run, TABLE_HORIZON, 0, "deep_move")->text,
               lab_run_cell(run, TABLE_HORIZON, 0, "deep_fate")->text);
    str_format(out,
               "Over seven positions alpha-beta visits %.2f %% of minimax's positions, with order "
               "by gain %.2f %%, with the capture search %.2f %%; the document gives no counts.\n",
               lab_run_number(run, TABLE_METHODS, 1, "of_minimax"),
               lab_run_number(run, TABLE_METHODS, 2, "of_minimax"),
               lab_run_number(run, TABLE_METHODS, 3, "of_minimax"));
}

const LabExperiment LAB_T_HORIZON = {
    .name = "t-horizon",
    .title = "The horizon example of document T",
    .text = "A queen may take a guarded pawn on c2 or g4: what the agent of document T plays with "
            "and without its capture search, and what its methods cost.",
    .source = "T: without a capture search the queen takes a pawn and is lost.",
    .tables = {{.key = "t_horizon",
                .title = "Black to move; values for White",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"plain_move", "Without captures", LAB_TEXT, 0, false},
                            {"plain_value", "Value", LAB_TEXT, 0, false},
                            {"plain_nodes_t", "Positions", LAB_COUNT, 0, false},
                            {"plain_fate", "In truth", LAB_TEXT, 0, false},
                            {"deep_move", "With captures", LAB_TEXT, 0, false},
                            {"deep_value", "Value", LAB_TEXT, 0, false},
                            {"deep_nodes", "Positions", LAB_COUNT, 0, false},
                            {"deep_fate", "In truth", LAB_TEXT, 0, false},
                            {"t_says", "T", LAB_TEXT, 0, true}}},
               {.key = "t_methods",
                .title = "Seven positions together",
                .columns = {{"method", "Method", LAB_TEXT, 0, false},
                            {"depth", "Depth", LAB_COUNT, 0, false},
                            {"visited", "Positions", LAB_COUNT, 0, false},
                            {"in_captures", "in the capture search", LAB_COUNT, 0, false},
                            {"time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"of_minimax", "% of minimax", LAB_REAL, 2, false}}}},
    .charts = {{.key = "t-methods",
                .title = "Positions visited by the agent of document T",
                .table = TABLE_METHODS,
                .x = "method",
                .series = {"visited", "in_captures"},
                .has_bars = true,
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
