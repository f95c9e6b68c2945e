// Documents G and M: perft from the start position to depth 6, and of seven test positions at depth
// 4, by four generators of this program: core's, and those of the textbook agents.
#include <stdlib.h>

#include "base/clock.h"
#include "core/fen.h"
#include "core/perft.h"
#include "lab/agents/g_board.h"
#include "lab/agents/m_board.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { TABLE_START, TABLE_TESTS, QUICK_DEPTH = 5, FULL_DEPTH = 6, TEST_DEPTH = 4 };

static const uint64_t KNOWN[FULL_DEPTH] = {20, 400, 8902, 197281, 4865609, 119060324};

static int row_count(const LabSettings *settings, int table)
{
    return table == TABLE_TESTS ? LAB_POSITIONS : settings->is_quick ? QUICK_DEPTH : FULL_DEPTH;
}

static void fill_start(int depth, LabCell *cells)
{
    Position pos;
    lab_position(LAB_START, &pos);
    int64_t begin = clock_thread_ns();
    uint64_t count = perft(&pos, depth);
    double ms = (double)(clock_thread_ns() - begin) / 1e6;
    cells[0] = lab_count((uint64_t)depth);
    cells[1] = lab_count(count);
    cells[2] = lab_count(KNOWN[depth - 1]);
    cells[3] = lab_text(count == KNOWN[depth - 1] ? "=" : "≠");
    cells[4] = lab_real(ms);
    cells[5] = lab_count((uint64_t)((double)count / (ms / 1000 + 1e-6)));
}

// The agents of G and M on their own boards.
static bool count_by_agents(const char *fen, uint64_t *by_g, uint64_t *by_m, Error *error)
{
    GTables *tables = g_tables_new();
    if (!tables)
        return error_set(error, "out of memory");
    GBoard g;
    MBoard m;
    MKeys keys;
    m_keys_init(&keys);
    *by_g = g_from_fen(tables, &g, fen) ? g_perft(tables, &g, TEST_DEPTH) : 0;
    *by_m = m_from_fen(&m, &keys, fen) ? m_perft(&m, TEST_DEPTH) : 0;
    free(tables);
    return true;
}

static bool fill_test(int row, LabCell *cells, Error *error)
{
    const LabPosition *p = &LAB_POSITION[row];
    Position pos;
    lab_position(row, &pos);
    uint64_t own = perft(&pos, TEST_DEPTH), by_g, by_m;
    if (!count_by_agents(p->fen, &by_g, &by_m, error))
        return false;
    cells[0] = lab_text(p->name);
    cells[1] = lab_count(own);
    cells[2] = lab_count(by_g);
    cells[3] = lab_count(by_m);
    cells[4] = lab_count(p->leaves);
    cells[5] = lab_text(own == p->leaves && by_g == own && by_m == own ? "=" : "≠");
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)run;
    if (table == TABLE_TESTS)
        return fill_test(row, cells, error);
    fill_start(row + 1, cells);
    return true;
}

static void conclude(const LabRun *run, Str *out)
{
    int wrong = 0;
    for (int t = 0; t < 2; t++)
        for (int r = 0; r < run->rows[t].count; r++)
            wrong += lab_run_cell(run, t, r, "agrees")->text[0] != '=';
    if (wrong)
        str_format(out, "%d rows differ from the published counts: something is broken.\n", wrong);
    else
        str_add(out, "All counts are the published ones, by core's generator, by the bitboards of "
                     "document G and by the mailbox of document M. M's text says six positions; "
                     "it prints seven, of which D and E are mirror images.\n");
}

const LabExperiment LAB_PERFT_TESTS = {
    .name = "perft-tests",
    .title = "Perft of the documents",
    .text = "Move sequences from the start position by length, and of seven test positions at four "
            "half-moves, by three generators that share no code: the proof that they are right.",
    .source = "G (2025), perft from the start to depth 6; M (2019), seven positions at depth 4.",
    .tables = {{.key = "perft_start",
                .title = "From the start position",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"sequences", "Lovac", LAB_COUNT, 0, false},
                            {"known", "G", LAB_COUNT, 0, true},
                            {"agrees", "Agrees", LAB_TEXT, 0, false},
                            {"time", "CPU time, ms", LAB_TIME_MS, 0, false},
                            {"speed", "Per second", LAB_COUNT, 0, false}}},
               {.key = "perft_tests",
                .title = "Seven positions, four half-moves",
                .columns = {{"test", "Position", LAB_TEXT, 0, false},
                            {"sequences", "Lovac", LAB_COUNT, 0, false},
                            {"by_g", "Agent G", LAB_COUNT, 0, false},
                            {"by_m", "Agent M", LAB_COUNT, 0, false},
                            {"m_leaves", "M", LAB_COUNT, 0, true},
                            {"agrees", "Agree", LAB_TEXT, 0, false}}}},
    .charts = {{.key = "perft-start",
                .title = "Move sequences by length",
                .x = "depth",
                .series = {"sequences", "known"},
                .is_logarithmic = true}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
