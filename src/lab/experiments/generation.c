// Documents G, D and M: boards and move generators in the order in which people write them, on the
// same work: all move sequences from the start position, every move made and taken back.
#include <stdlib.h>

#include "base/clock.h"
#include "core/movegen.h"
#include "lab/agents/g_board.h"
#include "lab/agents/m_board.h"
#include "lab/agents/naive.h"
#include "lab/experiments/positions.h"
#include "lab/experiments/rows.h"

enum { QUICK_DEPTH = 3, FULL_DEPTH = 5, NAIVE_DEPTH = 4 };

typedef struct Boards {
    NaiveBoard naive;
    MBoard mailbox;
    MKeys keys;
    GBoard bits;
    GTables *tables;
    Position core;
} Boards;

// core's moves, made and taken back down to the last: its perft would only count the last ones.
static uint64_t walk_core(Position *pos, int depth)
{
    if (depth == 0)
        return 1;
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        sum += walk_core(pos, depth - 1);
        position_unmake(pos, moves[i], &undo);
    }
    return sum;
}

enum { BY_NAIVE, BY_MAILBOX, BY_BITS, BY_CORE, WAYS };

static uint64_t count_by(Boards *b, int way, int depth)
{
    switch (way) {
    case BY_NAIVE: return naive_perft(&b->naive, depth);
    case BY_MAILBOX: return m_perft(&b->mailbox, depth);
    case BY_BITS: return g_perft(b->tables, &b->bits, depth);
    default: return walk_core(&b->core, depth);
    }
}

static int row_count(const LabSettings *settings, int table)
{
    (void)table;
    return settings->is_quick ? QUICK_DEPTH : FULL_DEPTH;
}

// Milliseconds; short work is repeated.
static double time_ms(Boards *b, int way, int depth, uint64_t *count)
{
    int64_t begin = clock_thread_ns(), elapsed;
    int times = 0;
    do {
        *count = count_by(b, way, depth);
        times++;
        elapsed = clock_thread_ns() - begin;
    } while (elapsed < 20000000);
    return (double)elapsed / times / 1e6;
}

static void release(void *memory)
{
    Boards *b = memory;
    free(b->tables);
    free(b);
}

static Boards *boards_new(Error *error)
{
    Boards *b = calloc(1, sizeof *b);
    const char *fen = LAB_POSITION[LAB_START].fen;
    if (b)
        m_keys_init(&b->keys);
    if (b && (b->tables = g_tables_new()) && naive_from_fen(&b->naive, fen) &&
        m_from_fen(&b->mailbox, &b->keys, fen) && g_from_fen(b->tables, &b->bits, fen)) {
        lab_position(LAB_START, &b->core);
        return b;
    }
    if (b)
        release(b);
    error_set(error, "out of memory");
    return NULL;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)table;
    if (!run->memory && !(run->memory = boards_new(error)))
        return false;
    int depth = row + 1;
    uint64_t counts[WAYS], right = 0;
    double ms[WAYS];
    cells[0] = lab_count((uint64_t)depth);
    for (int way = WAYS - 1; way >= 0; way--) {
        if (way == BY_NAIVE && depth > NAIVE_DEPTH)
            continue;
        ms[way] = time_ms(run->memory, way, depth, &counts[way]);
        right = right ? right : counts[way];
        cells[2 + way] = lab_real(ms[way]);
        if (counts[way] != right)
            return error_set(error, "the generators disagree at depth %d", depth);
        lab_run_progress(run, (double)(WAYS - way) / WAYS);
    }
    cells[1] = lab_count(right);
    if (depth <= NAIVE_DEPTH)
        cells[6] = lab_real(ms[BY_NAIVE] / ms[BY_CORE]);
    cells[7] = lab_real(ms[BY_MAILBOX] / ms[BY_CORE]);
    return true;
}

static void conclude(const LabRun *run, Str *out)
{
    int last = run->rows[0].count - 1, naive = last < NAIVE_DEPTH ? last : NAIVE_DEPTH - 1;
    str_format(out,
               "Document G, without numbers: bitboards and their generation gained most, and the "
               "naive agent was practically unusable beyond depth 4. Here the naive board needs "
               "%.0f times as long as the engine's bitboards (depth %d), the mailbox of document M "
               "%.1f times and the bitboards of document G %.1f times (depth %d).\n\n",
               lab_run_number(run, 0, naive, "naive_ratio"), naive + 1,
               lab_run_number(run, 0, last, "mailbox_ratio"),
               lab_run_number(run, 0, last, "g_bits") / lab_run_number(run, 0, last, "core"),
               last + 1);
    str_add(out, "All four find the same sequences. Every move is made and taken back, also the "
                 "last one, which a perft would only count.\n");
}

const LabExperiment LAB_GENERATION = {
    .name = "generation",
    .title = "Naive, mailbox and bitboard generation",
    .text = "All move sequences from the start, by four generators: a matrix of names whose legal "
            "moves are found by trying, a mailbox with piece lists, plain magic bitboards, and the "
            "engine's own.",
    .source = "G (2025), sections 5 and 6; M (2019), section on its board. Neither gives times.",
    .tables = {{.key = "generation",
                .title = "Processor time in milliseconds",
                .columns = {{"depth", "Depth", LAB_COUNT, 0, false},
                            {"sequences", "Sequences", LAB_COUNT, 0, false},
                            {"naive", "Naive (G, first step)", LAB_REAL, 3, false},
                            {"mailbox", "Mailbox (M)", LAB_REAL, 3, false},
                            {"g_bits", "Bitboards (G)", LAB_REAL, 3, false},
                            {"core", "Lovac", LAB_REAL, 3, false},
                            {"naive_ratio", "Naive/Lovac", LAB_REAL, 0, false},
                            {"mailbox_ratio", "Mailbox/Lovac", LAB_REAL, 1, false}}}},
    .charts = {{.key = "generation",
                .title = "Time to walk all move sequences",
                .x = "depth",
                .series = {"naive", "mailbox", "g_bits", "core"},
                .is_logarithmic = true,
                .unit = "ms"}},
    .row_count = row_count,
    .fill = fill,
    .release = release,
    .conclude = conclude,
};
