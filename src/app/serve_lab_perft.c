// "Perft": move sequences from a position by length, beside known counts, with the count behind
// each first move.
#include <stddef.h>

#include "app/serve_lab.h"
#include "app/setup.h"
#include "base/clock.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "server/runner.h"

enum { DEPTH_MAX = 8, SPLIT_DEPTH = 4 };

#define CHESS_START       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define KIWIPETE          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define ROOK_ENDING       "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
#define PROMOTIONS        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
#define PROMOTIONS_TURNED "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"
#define TALKCHESS         "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
#define MIDDLEGAME        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

#define HORDE_START    "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
#define LEGAN_START    "knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1"
#define CORNER_START   "krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w - - 0 1"
#define FORTRESS_START "krrqbbnn/pppppppp/ppp5/8/8/5PPP/PPPPPPPP/NNBBQRRK w - - 0 1"
#define MASSACRE_START                                                                             \
    "NRnRNrNN/BRQQQnnB/bnQnrrbq/NqBRQbqq/brqBrBQB/RqbnQRqr/qrnBNRbb/NbNnQrRB w - - 0 1"

// Counts that everybody's generator must give: the test positions of chess, and starts of the
// variants, on which three generators written apart agree.
static const struct {
    int variant;
    const char *fen;
    uint64_t counts[DEPTH_MAX];
} KNOWN[] = {
    {VARIANT_CHESS,
     CHESS_START,
     {20, 400, 8902, 197281, 4865609, 119060324, 3195901860, 84998978956}},
    {VARIANT_CHESS, KIWIPETE, {48, 2039, 97862, 4085603, 193690690, 8031647685}},
    {VARIANT_CHESS, ROOK_ENDING, {14, 191, 2812, 43238, 674624, 11030083, 178633661}},
    {VARIANT_CHESS, PROMOTIONS, {6, 264, 9467, 422333, 15833292, 706045033}},
    {VARIANT_CHESS, PROMOTIONS_TURNED, {6, 264, 9467, 422333, 15833292, 706045033}},
    {VARIANT_CHESS, TALKCHESS, {44, 1486, 62379, 2103487, 89941194}},
    {VARIANT_CHESS, MIDDLEGAME, {46, 2079, 89890, 3894594, 164075551, 6923051137}},
    {VARIANT_HORDE32, HORDE_START, {18, 154, 2964, 29350, 594421, 6546576, 139594524}},
    {VARIANT_LEGAN, LEGAN_START, {8, 64, 724, 8138, 112012, 1532305}},
    {VARIANT_CORNER, CORNER_START, {19, 361, 7642, 161385, 3802774, 89143813}},
    {VARIANT_FORTRESS, FORTRESS_START, {16, 256, 4548, 80792, 1603434, 31761313}},
    {VARIANT_MASSACRE, MASSACRE_START, {69, 4357, 284774, 17185486}},
};

static const Example EXAMPLES[] = {
    {VARIANT_CHESS, "start", "Start", CHESS_START},
    {VARIANT_CHESS, "kiwipete", "Kiwipete", KIWIPETE},
    {VARIANT_CHESS, "rooks", "Rook ending", ROOK_ENDING},
    {VARIANT_CHESS, "promotions", "Promotions", PROMOTIONS},
    {VARIANT_CHESS, "turned", "Promotions, colours changed", PROMOTIONS_TURNED},
    {VARIANT_CHESS, "castling", "Check by castling", TALKCHESS},
    {VARIANT_CHESS, "middlegame", "Middlegame", MIDDLEGAME},
    {VARIANT_CORNER, "shuffled", "A start with known counts", CORNER_START},
    {VARIANT_FORTRESS, "shuffled", "A start with known counts", FORTRESS_START},
    {VARIANT_MASSACRE, "shuffled", "A start with known counts", MASSACRE_START},
    {0}};

typedef struct Counting {
    Run *run;
    Position root;
    const uint64_t *known; // DEPTH_MAX of them, 0 where nobody knows; or NULL
    int depth;
    Move moves[MAX_MOVES];
    uint64_t behind[MAX_MOVES]; // sequences that begin with the move
    int count;
    double expected[DEPTH_MAX + 1]; // sequences of each length, counted, known or guessed
    double total, counted;          // of all lengths
    int64_t begin_ms;
} Counting;

// Chess960 has the same moves as chess where both can be played.
static bool is_same_game(const Rules *a, const Rules *b)
{
    return a == b || (a->is_orthodox && b->is_orthodox && a->has_castling && b->has_castling);
}

static const uint64_t *find_known(const Position *root)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        Position pos;
        if (is_same_game(root->rules, &VARIANTS[KNOWN[i].variant]) &&
            position_from_fen(&pos, root->rules, KNOWN[i].fen, NULL) &&
            pos.state.key == root->state.key)
            return KNOWN[i].counts;
    }
    return NULL;
}

// perft, with a look at the stop flag between the moves; false when it was set.
static bool count_below(const Run *run, const Position *pos, int depth, uint64_t *nodes)
{
    if (depth < SPLIT_DEPTH) {
        *nodes += depth ? perft(pos, depth) : 1;
        return !run_is_stopped(run);
    }
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves);
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        position_make(&next, moves[i], &undo);
        if (!count_below(run, &next, depth - 1, nodes))
            return false;
    }
    return true;
}

// What is still to be counted, from this length on: each has as many times more as the last had.
static void expect(Counting *c, int depth)
{
    const double *e = c->expected;
    double factor = depth > 2 && e[depth - 2] > 0 ? e[depth - 1] / e[depth - 2] : 20;
    c->total = c->counted;
    for (int k = depth; k <= c->depth; k++) {
        uint64_t known = c->known ? c->known[k - 1] : 0;
        c->expected[k] = known ? (double)known : c->expected[k - 1] * factor;
        c->total += c->expected[k];
    }
}

static void tell_progress(const Counting *c)
{
    double share = c->total > 0 ? c->counted / c->total : 0;
    int64_t elapsed = clock_ms() - c->begin_ms;
    run_progress(c->run, share < 0.99 ? share : 0.99,
                 share > 0 && share < 1 ? (int64_t)((double)elapsed * (1 - share) / share) : -1);
}

static bool count_depth(Counting *c, int depth)
{
    expect(c, depth);
    for (int i = 0; i < c->count; i++) {
        Position next = c->root;
        Undo undo;
        c->behind[i] = 0;
        position_make(&next, c->moves[i], &undo);
        if (!count_below(c->run, &next, depth - 1, &c->behind[i]))
            return false;
        c->counted += (double)c->behind[i];
        tell_progress(c);
    }
    return true;
}

static void show_count(const Counting *c, int depth, uint64_t nodes, double ms)
{
    uint64_t known = c->known ? c->known[depth - 1] : 0;
    Cell cells[6] = {cell_count((uint64_t)depth),
                     cell_count(nodes),
                     known ? cell_count(known) : cell_none(),
                     known ? cell_text(known == nodes ? "=" : "≠") : cell_none(),
                     cell_real(ms),
                     cell_count((uint64_t)((double)nodes / (ms / 1000 + 1e-6)))};
    run_row(c->run, 0, depth - 1, cells, 6);
}

static void show_split(const Counting *c, uint64_t nodes)
{
    for (int i = 0; i < c->count; i++) {
        char text[MOVE_TEXT_SIZE];
        move_to_uci(&c->root, c->moves[i], setup_is_chess960(&c->root), text);
        Cell cells[3] = {cell_text(text), cell_count(c->behind[i]),
                         cell_real(nodes ? 100.0 * (double)c->behind[i] / (double)nodes : 0)};
        run_row(c->run, 1, i, cells, 3);
    }
}

// The lengths that were counted before the run was interrupted, and what stood behind each first
// move then; returns how many.
static int show_kept(Counting *c)
{
    Cell cells[COLUMNS_MAX];
    int depth = 0;
    for (; depth < c->depth && run_kept(c->run, 0, depth, cells); depth++) {
        c->expected[depth + 1] = (double)cells[1].count;
        c->counted += (double)cells[1].count;
        run_row(c->run, 0, depth, cells, table_column_count(&LAB_PERFT.tables[0]));
    }
    for (int i = 0, count; (count = run_kept(c->run, 1, i, cells)); i++)
        run_row(c->run, 1, i, cells, count);
    return depth;
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)error;
    Counting c = {.run = run,
                  .root = choice_value(&LAB_PERFT, values, "fen")->start,
                  .depth = (int)choice_value(&LAB_PERFT, values, "depth")->number,
                  .expected = {1},
                  .begin_ms = clock_ms()};
    c.known = find_known(&c.root);
    c.count = movegen_legal(&c.root, STAGE_ALL, c.moves);
    for (int depth = show_kept(&c) + 1; depth <= c.depth; depth++) {
        int64_t begin_ns = clock_thread_ns();
        uint64_t nodes = 0;
        if (!count_depth(&c, depth))
            return true;
        for (int i = 0; i < c.count; i++)
            nodes += c.behind[i];
        c.expected[depth] = (double)nodes;
        show_count(&c, depth, nodes, (double)(clock_thread_ns() - begin_ns) / 1e6);
        show_split(&c, nodes);
    }
    return true;
}

const Experiment LAB_PERFT = {
    .key = "perft",
    .title = "Perft",
    .text = "All sequences of legal moves from a position, counted by their length: the proof of a "
            "move generator, and a measure of its speed.",
    .choices = {{.key = "variant", .title = "Game", .kind = CHOICE_VARIANT},
                {.key = "fen", .title = "Position (FEN)", .kind = CHOICE_FEN, .examples = EXAMPLES},
                {.key = "depth",
                 .title = "Depth",
                 .kind = CHOICE_NUMBER,
                 .low = 1,
                 .high = DEPTH_MAX,
                 .usual = 5}},
    .tables = {{.key = "counts",
                .title = "Sequences by length",
                .columns = {{"depth", "Depth", COLUMN_COUNT, false},
                            {"sequences", "Lovac", COLUMN_COUNT, false},
                            {"known", "Known", COLUMN_COUNT, true},
                            {"agrees", "Agrees", COLUMN_TEXT, false},
                            {"time", "CPU time", COLUMN_TIME_MS, false},
                            {"speed", "Sequences/s", COLUMN_COUNT, false}}},
               {.key = "split",
                .title = "Behind each first move",
                .columns = {{"move", "Move", COLUMN_TEXT, false},
                            {"sequences", "Lovac", COLUMN_COUNT, false},
                            {"percent", "%", COLUMN_REAL, false}}}},
    .charts = {{.key = "sequences",
                .title = "Sequences by length",
                .table = "counts",
                .x = "depth",
                .series = {{"sequences", NULL, NULL}, {"known", NULL, NULL}},
                .is_logarithmic = true}},
    .sources =
        "G gives the start position to depth 6, M (2019) its seven test positions at depth 4; "
        "the other counts are well known. Those of the variants are our own, found by three "
        "generators written apart.",
    .work = work,
};
