// Document D, table A.1: alpha-beta with one extension more in each row, at the medium level, with
// time, greatest depth, moves generated and positions entered; and the whole program with one part
// switched off in each row. D's 'ELO' is its answer to one position of a rating page; here it is
// how many of twelve positions with one right move are solved.
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "core/fen.h"
#include "core/notation.h"
#include "lab/agents/d.h"
#include "lab/experiments/rows.h"

enum { TABLE_IN_TURN, TABLE_WITHOUT, QUICK_LEVEL = D_EASY };

// Positions with one right move: the example of document M, and eleven of Lovac's own games
// (tests/data/tactics.epd), where a search of depth 1 to 3 plays something else.
static const struct {
    const char *fen, *move;
} TESTS[] = {
    {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6"},
    {"1n3rk1/1b1rq1bp/4p1pn/p3p3/Q1BN1PP1/2N4P/PP1R1B2/R3K3 w Q - 0 1", "Nxe6"},
    {"4kb1r/p1r4p/Qpn2p2/1Bp1pp2/4p2P/B1P2P2/q2P4/2R1K1R1 w k - 0 1", "Bc4"},
    {"r3r3/6k1/p1p2pp1/PpPq3p/1P1n1P1P/4RPP1/5Q1K/2B1R3 w - - 0 1", "Rxe8"},
    {"5rk1/p1r2pbp/3p2p1/1b1P1p2/1q6/1N5P/1P1B1PP1/R2QR1K1 b - - 0 1", "Qh4"},
    {"4r1k1/RP2npp1/2p2q1p/3pn3/8/2P3P1/1P2PPBP/1bB2RK1 w - - 0 1", "Ra8"},
    {"r3kb2/pp2p1p1/2p5/4PbN1/3p2pP/3P4/PqP3Q1/1N3RK1 w q - 0 1", "Rxf5"},
    {"r1b1r3/p3k3/2ppN1Qp/3q1p1P/8/2P2P2/PP2P3/R1n2K1R w - - 0 1", "Qxe8+"},
    {"r7/2pp1kp1/2n5/2PR1p2/p4P1p/1r3P1P/1q3BP1/2Q1R1K1 b - - 0 1", "Qxc1"},
    {"r3k1r1/2p2b2/1p3b1q/p6p/P3P2P/2P3P1/1PBRQ3/2K2R2 w - - 0 1", "e5"},
    {"3r2k1/q4pp1/2pNr2p/p7/5Q1P/Pp2n1N1/1P4P1/3R1RK1 w - - 0 1", "Nb5"},
    {"6k1/R2npp1p/4b1p1/2pN4/1p1r4/3B3P/1NP2PP1/6K1 b - - 0 1", "Rxd5"},
};

enum { TEST_COUNT = sizeof TESTS / sizeof *TESTS };

// Table A.1.
static const struct {
    double seconds;
    uint64_t elo, deepest, nodes, explored;
} PUBLISHED[D_ROWS] = {{1.37, 1000, 5, 140422, 15348},
                       {15.421, 2500, 35, 906288, 192370},
                       {8.241, 2500, 34, 438743, 101023},
                       {4.051, 2500, 24, 197418, 48909},
                       {3.191, 2500, 24, 171618, 35585}};

static const char *const PARTS[] = {
    "all of it",  "no check extension", "no quiescence", "no null move",
    "no PVS",     "no table",           "no deepening",  "no history moves",
    "no MVV-LVA", "whole list sorted",  "legal lists",   "material alone"};

enum { PART_ROWS = sizeof PARTS / sizeof *PARTS };

// The program without the part of a row.
static DSettings part_settings(int row)
{
    DSettings s = d_settings();
    int *const switches[PART_ROWS] = {NULL,       &s.check_extension, &s.quiescence, &s.null_move,
                                      &s.pvs,     &s.table,           &s.deepening,  &s.history,
                                      &s.mvv_lva, &s.window,          &s.pseudo,     &s.positional};
    if (switches[row])
        *switches[row] = 0;
    return s;
}

static int row_count(const LabSettings *settings, int table)
{
    (void)settings;
    return table == TABLE_IN_TURN ? D_ROWS : PART_ROWS;
}

// ---- A row: all positions by one form of the agent ----

typedef struct Sum {
    uint64_t generated, entered;
    int deepest, solved, count;
    double ms;
} Sum;

static bool is_solved(const Position *pos, Move move, const char *wanted)
{
    char text[MOVE_TEXT_SIZE];
    move_to_san(pos, move, text);
    return !strcmp(text, wanted);
}

static bool solve(LabRun *run, D *d, int depth, int test, Sum *sum, Error *error)
{
    Position pos;
    AgentReport report;
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], TESTS[test].fen, error))
        return false;
    AgentTask task = agent_task(&pos, depth);
    task.stop = run->settings.stop;
    d_forget(d);
    int64_t begin = clock_thread_ns();
    d_search(d, &task, &report);
    sum->ms += (double)(clock_thread_ns() - begin) / 1e6;
    sum->generated += report.generated;
    sum->entered += report.nodes;
    sum->deepest = report.deepest > sum->deepest ? report.deepest : sum->deepest;
    sum->solved += report.pv_count > 0 && is_solved(&pos, report.move, TESTS[test].move);
    sum->count++;
    return true;
}

static bool solve_all(LabRun *run, const DSettings *settings, Sum *sum, Error *error)
{
    int depth = d_depth(run->settings.is_quick ? QUICK_LEVEL : D_MEDIUM);
    D *d = d_new(settings, error);
    bool ok = d;
    for (int i = 0; ok && i < TEST_COUNT && !lab_run_is_stopped(run); i++) {
        ok = solve(run, d, depth, i, sum, error);
        lab_run_progress(run, (i + 1.0) / TEST_COUNT);
    }
    d_free(d);
    return ok;
}

// Averages of a position; the greatest depth of all.
static void write_sum(const Sum *sum, LabCell *cells)
{
    uint64_t count = sum->count ? (uint64_t)sum->count : 1;
    cells[0] = lab_real(sum->ms / 1000 / (double)count);
    cells[1] = lab_format("%d of %d", sum->solved, sum->count);
    cells[2] = lab_count((uint64_t)sum->deepest);
    cells[3] = lab_count(sum->generated / count);
    cells[4] = lab_count(sum->entered / count);
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    DSettings settings = table == TABLE_IN_TURN ? d_row_settings(row) : part_settings(row);
    Sum sum = {0};
    if (!solve_all(run, &settings, &sum, error))
        return false;
    cells[0] = lab_text(table == TABLE_IN_TURN ? D_ROW_NAMES[row] : PARTS[row]);
    write_sum(&sum, &cells[1]);
    if (table == TABLE_IN_TURN) {
        cells[6] = lab_real(PUBLISHED[row].seconds);
        cells[7] = lab_count(PUBLISHED[row].elo);
        cells[8] = lab_count(PUBLISHED[row].deepest);
        cells[9] = lab_count(PUBLISHED[row].nodes);
        cells[10] = lab_count(PUBLISHED[row].explored);
    } else if (row) {
        cells[6] = lab_real(100 * lab_cell_number(&cells[5]) /
                            lab_run_number(run, TABLE_WITHOUT, 0, "entered"));
    }
    return true;
}

// ---- What it shows ----

// Does a column rise and fall from row to row as the document's does? Counts the steps that do.
static int same_steps(const LabRun *run, const char *ours, const char *theirs)
{
    int same = 0;
    for (int r = 1; r < D_ROWS; r++) {
        double a = lab_run_number(run, 0, r, ours) - lab_run_number(run, 0, r - 1, ours);
        double b = lab_run_number(run, 0, r, theirs) - lab_run_number(run, 0, r - 1, theirs);
        same += (a > 0) == (b > 0) || (b == 0 && a == 0);
    }
    return same;
}

// Names the rows whose step in positions entered goes the other way.
static void say_differing(const LabRun *run, Str *out)
{
    int differing = 0;
    for (int r = 1; r < D_ROWS; r++) {
        double ours =
            lab_run_number(run, 0, r, "entered") - lab_run_number(run, 0, r - 1, "entered");
        double theirs = (double)PUBLISHED[r].explored - (double)PUBLISHED[r - 1].explored;
        if ((ours > 0) != (theirs > 0))
            str_format(out, "%s%s", differing++ ? ", " : "The other way go: ", D_ROW_NAMES[r]);
    }
    str_add(out, differing ? ". " : "");
}

static void conclude(const LabRun *run, Str *out)
{
    str_format(out,
               "Averages of %s. From row to row our figures go up or down as the document's do in "
               "%d of 4 steps (time), %d of 4 (moves generated), %d of 4 (positions entered) and "
               "%d of 4 (greatest depth). ",
               run->settings.is_quick ? "twelve positions, easy level" : "twelve positions",
               same_steps(run, "seconds", "d_seconds"), same_steps(run, "generated", "d_nodes"),
               same_steps(run, "entered", "d_explored"), same_steps(run, "deepest", "d_deepest"));
    say_differing(run, out);
    str_format(out,
               "Quiescence makes the tree %.1f times as large (document: %.1f times) and solves %s "
               "instead of %s; all that follows takes it back to %.2f of that (document: %.2f). ",
               lab_run_number(run, 0, 1, "entered") / lab_run_number(run, 0, 0, "entered"),
               (double)PUBLISHED[1].explored / (double)PUBLISHED[0].explored,
               lab_run_cell(run, 0, 1, "solved")->text, lab_run_cell(run, 0, 0, "solved")->text,
               lab_run_number(run, 0, 4, "entered") / lab_run_number(run, 0, 1, "entered"),
               (double)PUBLISHED[4].explored / (double)PUBLISHED[1].explored);
    str_add(out, "Principal variation search pays only where the first move is mostly the best, "
                 "which needs the deepening and the table of the last row. ");
    str_add(out, "The document names neither its position nor what 'nodes' and 'explored' are; "
                 "here they are moves generated and positions entered. Its 'ELO' is the answer to "
                 "one item of a rating page.\n");
}

const LabExperiment LAB_EXTENSIONS = {
    .name = "extensions",
    .title = "Search extensions of document D",
    .text = "Alpha-beta with one extension more in each row (quiescence, null move, principal "
            "variation search, transposition table), and the whole program with one part switched "
            "off: time, depth, nodes, and how many tactical positions are solved.",
    .source = "D (2011), table A.1, medium level.",
    .tables = {{.key = "extensions",
                .title = "One extension more in each row",
                .columns = {{"extension", "Search", LAB_TEXT, 0, false},
                            {"seconds", "Time, s", LAB_REAL, 4, false},
                            {"solved", "Solved", LAB_TEXT, 0, false},
                            {"deepest", "Greatest depth", LAB_COUNT, 0, false},
                            {"generated", "Generated", LAB_COUNT, 0, false},
                            {"entered", "Entered", LAB_COUNT, 0, false},
                            {"d_seconds", "D: time, s", LAB_REAL, 3, true},
                            {"d_elo", "D: 'ELO'", LAB_COUNT, 0, true},
                            {"d_deepest", "D: depth", LAB_COUNT, 0, true},
                            {"d_nodes", "D: nodes", LAB_COUNT, 0, true},
                            {"d_explored", "D: explored", LAB_COUNT, 0, true}}},
               {.key = "parts",
                .title = "One part less in each row",
                .columns = {{"part", "Program", LAB_TEXT, 0, false},
                            {"seconds", "Time, s", LAB_REAL, 4, false},
                            {"solved", "Solved", LAB_TEXT, 0, false},
                            {"deepest", "Greatest depth", LAB_COUNT, 0, false},
                            {"generated", "Generated", LAB_COUNT, 0, false},
                            {"entered", "Entered", LAB_COUNT, 0, false},
                            {"of_all", "% of all of it", LAB_REAL, 1, false}}}},
    .charts = {{.key = "extensions",
                .title = "Positions entered, with one extension more each",
                .x = "extension",
                .series = {"entered", "d_explored"},
                .has_bars = true,
                .is_logarithmic = true},
               {.key = "extensions-parts",
                .title = "Positions entered, with one part less each",
                .table = TABLE_WITHOUT,
                .x = "part",
                .series = {"entered"},
                .has_bars = true,
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
