// Document D, section 3 and table 3.7: attacks of sliding pieces by several methods
// (slider_methods.h) in six positions. D measures its whole search with two of them; here the
// attacks alone are measured, in all positions that the first moves lead to, by all five.
#include <stddef.h>
#include <stdlib.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "lab/experiments/rows.h"
#include "lab/experiments/slider_methods.h"
#include "lab/experiments/stopwatch.h"

// D does not print its positions: these have as many bishops, rooks and queens (both colours) as
// its table says.
static const struct {
    const char *fen, *men;
    double shifted, magic; // D: seconds to find a move
} SCENES[] = {
    {"r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NQ1N2/PP2BPPP/R4RK1 w - - 0 1", "3 B, 4 R, 2 Q", 6.76,
     5.833},
    {"2q2bk1/5ppp/p7/1p1n4/8/1P4N1/P3QPPP/2B3K1 w - - 0 1", "2 B, 2 Q", 2.41, 2.286},
    {"6k1/5ppp/2r1n3/p7/P3P3/4BP2/6PP/3R2K1 w - - 0 1", "1 B, 2 R", 0.392, 0.369},
    {"8/5pk1/4p1p1/3bP2p/5P1P/4B1P1/5K2/8 w - - 0 1", "2 B", 0.211, 0.181},
    {"2bq2k1/1p3pp1/p1n4p/3p4/3B4/P2B1N1P/1P3PP1/3QR1K1 w - - 0 1", "3 B, 1 R, 2 Q", 5.398, 4.842},
    {"r2q1rk1/pp1bbppp/2np1n2/4p3/4P3/2NPBN2/PPP1BPPP/R2Q1RK1 w - - 0 1", "4 B, 4 R, 2 Q", 3.153,
     2.835}};

enum { QUICK_DEPTH = 1, FULL_DEPTH = 2 };

// A position as the methods see it, with the squares of its sliders; a queen is in both lists.
typedef struct Scene {
    SliderBoards boards;
    uint64_t rooks, bishops;
} Scene;

typedef struct Walk {
    const SliderTables *tables;
    Scene *scenes;
    int count, capacity;
    uint64_t attacks; // how many one pass computes
} Walk;

static bool add_scene(Walk *walk, const Position *pos, Error *error)
{
    if (walk->count == walk->capacity) {
        int larger = walk->capacity * 2 + 64;
        Scene *scenes = realloc(walk->scenes, (size_t)larger * sizeof *scenes);
        if (!scenes)
            return error_set(error, "out of memory");
        walk->scenes = scenes;
        walk->capacity = larger;
    }
    Scene *s = &walk->scenes[walk->count++];
    uint64_t queens = pos->by_type[QUEEN];
    s->boards = slider_boards(walk->tables, position_occupied(pos));
    s->rooks = pos->by_type[ROOK] | queens;
    s->bishops = pos->by_type[BISHOP] | queens;
    walk->attacks += (uint64_t)(bit_count(s->rooks) + bit_count(s->bishops));
    return true;
}

// The position and all that follow within some half-moves.
static bool collect(Walk *walk, const Position *pos, int depth, Error *error)
{
    Move moves[MAX_MOVES];
    if (!add_scene(walk, pos, error))
        return false;
    int count = depth ? movegen_legal(pos, STAGE_ALL, moves) : 0;
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        position_make(&next, moves[i], &undo);
        if (!collect(walk, &next, depth - 1, error))
            return false;
    }
    return true;
}

typedef uint64_t Attack(const SliderTables *tables, int square, const SliderBoards *boards);

// One loop for all methods: each has its own copy of it, with the method inside.
static inline __attribute__((always_inline)) uint64_t pass(Attack *rook, Attack *bishop,
                                                           const Walk *walk, uint64_t passes)
{
    uint64_t sum = 0;
    for (; passes; passes--)
        for (int i = 0; i < walk->count; i++) {
            const Scene *s = &walk->scenes[i];
            for (uint64_t men = lab_hide(s->rooks); men; men &= men - 1)
                sum += rook(walk->tables, __builtin_ctzll(men), &s->boards);
            for (uint64_t men = lab_hide(s->bishops); men; men &= men - 1)
                sum += bishop(walk->tables, __builtin_ctzll(men), &s->boards);
        }
    return sum;
}

static uint64_t pass_classical(const void *walk, uint64_t passes)
{
    return pass(slider_rook_classical, slider_bishop_classical, walk, passes);
}

static uint64_t pass_shifted(const void *walk, uint64_t passes)
{
    return pass(slider_rook_shifted, slider_bishop_shifted, walk, passes);
}

static uint64_t pass_rotated(const void *walk, uint64_t passes)
{
    return pass(slider_rook_rotated, slider_bishop_rotated, walk, passes);
}

static uint64_t pass_magic(const void *walk, uint64_t passes)
{
    return pass(slider_rook_magic, slider_bishop_magic, walk, passes);
}

static uint64_t pass_pext(const void *walk, uint64_t passes)
{
    return pass(slider_rook_pext, slider_bishop_pext, walk, passes);
}

static LabWork *const PASSES[SLIDER_METHODS] = {pass_classical, pass_shifted, pass_rotated,
                                                pass_magic, pass_pext};

static int row_count(const LabSettings *settings, int table)
{
    (void)settings, (void)table;
    return (int)(sizeof SCENES / sizeof *SCENES);
}

static double saved(double before, double after)
{
    return 100 * (before - after) / before;
}

static bool measure(LabRun *run, Walk *walk, int row, LabCell *cells, Error *error)
{
    Position pos;
    int depth = run->settings.is_quick ? QUICK_DEPTH : FULL_DEPTH;
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], SCENES[row].fen, error) ||
        !collect(walk, &pos, depth, error))
        return false;
    cells[0] = lab_count((uint64_t)row + 1);
    cells[1] = lab_text(SCENES[row].men);
    double ns[SLIDER_METHODS];
    for (int m = 0; m < SLIDER_METHODS; m++) {
        ns[m] = lab_time_pass_ns(run, PASSES[m], walk) / (double)walk->attacks;
        cells[2 + m] = lab_real(ns[m]);
        lab_run_progress(run, (m + 1.0) / SLIDER_METHODS);
    }
    cells[7] = lab_real(saved(ns[SLIDER_SHIFTED], ns[SLIDER_MAGIC]));
    cells[8] = lab_real(SCENES[row].shifted);
    cells[9] = lab_real(SCENES[row].magic);
    cells[10] = lab_real(saved(SCENES[row].shifted, SCENES[row].magic));
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)table;
    if (!run->memory && !(run->memory = slider_tables_new(error)))
        return false;
    Walk walk = {.tables = run->memory};
    bool ok = measure(run, &walk, row, cells, error);
    free(walk.scenes);
    return ok;
}

static void release(void *tables)
{
    slider_tables_free(tables);
}

static double average(const LabRun *run, const char *column)
{
    double sum = 0;
    for (int r = 0; r < run->rows[0].count; r++)
        sum += lab_run_number(run, 0, r, column);
    return sum / run->rows[0].count;
}

static void conclude(const LabRun *run, Str *out)
{
    double least = 100, most = 0;
    for (int r = 0; r < run->rows[0].count; r++) {
        double now = lab_run_number(run, 0, r, "saved");
        least = now < least ? now : least;
        most = now > most ? now : most;
    }
    str_format(out,
               "Document D saves 5 to 14 %% of its whole search by magic instead of shifted "
               "bitboards, calls that small, and keeps the shifted ones. The attacks alone, which "
               "are measured here, take %.0f to %.0f %% less time; on average %.1f ns by classical "
               "rays, %.1f shifted, %.1f rotated, %.1f magic and %.1f by PEXT. ",
               least, most, average(run, "classical"), average(run, "shifted"),
               average(run, "rotated"), average(run, "magic"), average(run, "pext"));
    str_format(out,
               "If attacks cost D as much more by one method as by the other here, they took "
               "about %.0f %% of its time.",
               100 * average(run, "d_saved") / average(run, "saved"));
    str_add(out, "\n\nRotated boards are given here ready-made; a program pays for keeping four "
                 "boards up to date with every move. D did not measure classical and rotated "
                 "bitboards, and prints no positions: the six here have its numbers of men.\n");
#ifndef __BMI2__
    str_add(out, "\nThis program was built for a processor without PEXT: its column shows a loop "
                 "in place of the instruction.\n");
#endif
}

const LabExperiment LAB_SLIDERS = {
    .name = "sliders",
    .title = "Sliding attacks",
    .text = "How long it takes to find the squares that a rook, bishop or queen attacks: by "
            "classical rays, shifted, rotated and magic bitboards, and by the instruction PEXT.",
    .source = "D (2011), section 3 and table 3.7: seconds to find a move in six positions.",
    .tables = {{.key = "sliders",
                .title = "Nanoseconds for one attack (a queen's are two)",
                .columns = {{"scene", "Position", LAB_COUNT, 0, false},
                            {"men", "Men", LAB_TEXT, 0, false},
                            {"classical", "Classical", LAB_REAL, 2, false},
                            {"shifted", "Shifted", LAB_REAL, 2, false},
                            {"rotated", "Rotated", LAB_REAL, 2, false},
                            {"magic", "Magic", LAB_REAL, 2, false},
                            {"pext", "PEXT", LAB_REAL, 2, false},
                            {"saved", "Magic saves %", LAB_REAL, 1, false},
                            {"d_shifted", "D: shifted s", LAB_REAL, 3, true},
                            {"d_magic", "D: magic s", LAB_REAL, 3, true},
                            {"d_saved", "D: saves %", LAB_REAL, 1, true}}}},
    .charts = {{.key = "sliders",
                .title = "Finding a slider's attacks",
                .x = "scene",
                .series = {"classical", "shifted", "rotated", "magic", "pext"},
                .has_bars = true,
                .unit = "ns"}},
    .row_count = row_count,
    .fill = fill,
    .release = release,
    .conclude = conclude,
};
