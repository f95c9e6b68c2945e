// Endings known without tables: what every row claims, against tables, position by position; and
// what the evaluation makes of it.
#include "tables_help.h"

#include "base/thread.h"
#include "engine/evaluate.h"
#include "engine/patterns.h"
#include "engine/score.h"
#include "tables/layout.h"
#include "tables/make.h"
#include "tables/own.h"
#include "tables/solve.h"

// The endings of the rows.
static const char *const NAMES[] = {
    "KPK", "KBBK", "KPPK", "KBPK", "KNPK", "KRKP", "KQKP", "KBKP", "KNKP",
};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

// Those of five men, which the long suite makes itself.
static const char *const LARGE[] = {"KBPKB"};
enum { LARGE_COUNT = sizeof LARGE / sizeof *LARGE };

typedef struct Tally {
    Syzygy *syzygy;            // or ...
    OwnTables *own;            // ... if that is NULL
    uint64_t positions, unwon; // all, and those that the strong side does not win
    uint64_t claimed[4];       // by verdict
    uint64_t wrong;
    char first[FEN_SIZE]; // wrong
} Tally;

// Is a verdict true where the strong side has this result?
static bool is_true(PatternVerdict verdict, int wdl)
{
    switch (verdict) {
    case PATTERN_DRAW: return abs(wdl) < SYZYGY_WIN;
    case PATTERN_WIN: return wdl == SYZYGY_WIN;
    case PATTERN_NO_WIN: return wdl < SYZYGY_WIN;
    default: return true;
    }
}

static void count_position(Tally *t, const Position *pos)
{
    int wdl;
    if (position_in_check(pos) || !(t->syzygy ? syzygy_probe_wdl(t->syzygy, pos, &wdl, NULL)
                                              : own_probe_wdl(t->own, pos, &wdl, NULL)))
        return; // nobody evaluates it
    PatternFound found = patterns_find(pos);
    int strong = found.strong == pos->side ? wdl : -wdl;
    t->positions++;
    t->unwon += strong < SYZYGY_WIN;
    t->claimed[found.verdict]++;
    if (!is_true(found.verdict, strong) && !t->wrong++)
        position_to_fen(pos, FEN_XFEN, t->first);
}

// Left and right change places, or with `swaps` the colours.
static void turn(Position *pos, bool swaps)
{
    Position from = *pos;
    position_clear(pos, from.rules);
    for (Bitboard men = position_occupied(&from); men;) {
        Square s = bit_pop(&men);
        Piece man = from.board[s];
        Color c = piece_color(man);
        position_put(pos, piece_make(swaps ? !c : c, piece_type(man)), s ^ (swaps ? 56 : 7));
    }
    pos->side = (uint8_t)(swaps ? !from.side : from.side);
    pos->state.en_passant = NO_SQUARE;
    position_finish(pos);
}

// Every position of an ending in the long suite, else some of them, both colours.
static void count_ending(Tally *t, const char *name)
{
    static const uint64_t SAMPLES[] = {3000, 60000, UINT64_MAX}; // by level
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    Layout *layout = malloc(sizeof *layout);
    Material material;
    Random random;
    assert_true(material_read(&material, chess, name, NULL));
    layout_init(layout, chess, &material);
    random_init(&random, 11);
    uint64_t all = 2 * layout->size, samples = SAMPLES[test_level()];
    if (material_men(&material) == 3 && test_level() > TEST_QUICK)
        samples = UINT64_MAX;
    if (material_men(&material) > 4)
        samples = 5000000; // of hundreds of millions
    for (uint64_t i = 0; i < all && i < samples; i++) {
        uint64_t at = samples < all ? random_below(&random, all) : i;
        Position pos;
        if (!layout_position(layout, at / 2, (Color)(at % 2), &pos))
            continue;
        if (at % 3) // every way round: tables know only one
            turn(&pos, at % 3 == 1);
        count_position(t, &pos);
    }
    free(layout);
}

static void check_ending(Tally *t, const char *name)
{
    count_ending(t, name);
    uint64_t claims = t->claimed[PATTERN_DRAW] + t->claimed[PATTERN_NO_WIN];
    print_message("# %-5s %9llu positions, %5.2f %% not won; claimed %5.2f %% of these, wins "
                  "%llu; wrong %llu\n",
                  name, (unsigned long long)t->positions,
                  100.0 * (double)t->unwon / (double)t->positions,
                  100.0 * (double)claims / (double)t->unwon,
                  (unsigned long long)t->claimed[PATTERN_WIN], (unsigned long long)t->wrong);
    if (t->wrong)
        fail_msg("%s: %llu wrong, first %s", name, (unsigned long long)t->wrong, t->first);
    assert_true(claims > 0);
}

static void claims_are_true(void **state)
{
    char folders[FOLDERS_SIZE];
    (void)state;
    syzygy_folders_or_skip(folders);
    patterns_init();
    for (int i = 0; i < NAME_COUNT; i++) {
        Tally t = {.syzygy = syzygy_new(folders, NULL)};
        assert_non_null(t.syzygy);
        check_ending(&t, NAMES[i]);
        if (i == 0) // king and pawn: nothing is left open
            assert_int_equal(t.claimed[PATTERN_UNKNOWN], 0);
        syzygy_free(t.syzygy);
    }
}

// The same with our own tables, made in LOVAC_TEST_TABLES if that is set, and kept there.
static void claims_of_five_men_are_true(void **state)
{
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    const char *kept = getenv("LOVAC_TEST_TABLES");
    Material list[64], material;
    MakeSummary summary;
    Error error = {0};
    int count = 0;
    (void)state;
    if (test_level() != TEST_LONG)
        return; // they take minutes
    patterns_init();
    for (int i = 0; i < LARGE_COUNT; i++) {
        assert_true(material_read(&material, chess, LARGE[i], NULL));
        count = material_add_with_children(&material, chess, list, count);
    }
    char *folder = kept ? strdup(kept) : make_folder();
    MakeConfig config = {
        .folder = folder, .rules = chess, .list = list, .count = count, .threads = 2};
    if (!tables_make(&config, &summary, &error))
        fail_msg("%s", error.text);
    for (int i = 0; i < LARGE_COUNT; i++) {
        Tally t = {.own = own_open(folder, &error)};
        assert_non_null(t.own);
        check_ending(&t, LARGE[i]);
        own_close(t.own);
    }
    if (!kept)
        remove_folder(folder);
    else
        free(folder);
}

static PatternFound found_in(const char *fen)
{
    Position pos;
    Error error;
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return patterns_find(&pos);
}

// Examples from the books, without any tables.
static void known_endings_are_known(void **state)
{
    static const struct {
        const char *fen;
        PatternVerdict verdict;
    } CASES[] = {
        {"8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", PATTERN_DRAW},    // Black has the opposition
        {"8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", PATTERN_WIN},     // and here White
        {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", PATTERN_WIN},     // the key squares
        {"k7/8/K7/P7/8/8/8/8 w - - 0 1", PATTERN_DRAW},       // the rook's pawn
        {"k7/8/1K6/P7/3B4/8/8/8 w - - 0 1", PATTERN_DRAW},    // the wrong bishop
        {"k7/8/1K6/P7/4B3/8/8/8 b - - 0 1", PATTERN_UNKNOWN}, // the right one
        {"7k/7P/5N2/8/8/4K3/8/8 b - - 0 1", PATTERN_DRAW},
        {"8/8/7k/8/8/2B3B1/8/4K3 w - - 0 1", PATTERN_DRAW}, // both on dark squares
        {"8/8/7k/8/8/2BB4/8/4K3 w - - 0 1", PATTERN_UNKNOWN},
        {"8/8/8/8/8/2k5/2p5/K6Q b - - 0 1", PATTERN_UNKNOWN},
        {"7K/8/8/4Q3/8/8/2pk4/8 w - - 0 1", PATTERN_NO_WIN}, // the bishop's pawn
        {"7K/8/8/6R1/8/8/2pk4/8 b - - 0 1", PATTERN_NO_WIN},
        {"8/4k3/8/3BP3/3K4/8/8/2b5 w - - 0 1", PATTERN_NO_WIN},   // opposite bishops
        {"8/4k3/8/4P3/3K1B2/8/8/2b5 w - - 0 1", PATTERN_UNKNOWN}, // equal ones
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", PATTERN_UNKNOWN},
    };
    (void)state;
    patterns_init();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (found_in(CASES[i].fen).verdict != CASES[i].verdict)
            fail_msg("%s: %d", CASES[i].fen, found_in(CASES[i].fen).verdict);
}

static int corrected(const char *fen, int value)
{
    Position pos;
    assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, NULL));
    return patterns_correct(&pos, value);
}

// A draw is worth nothing, a win something from both sides, and who cannot win has no plus.
static void values_are_corrected(void **state)
{
    (void)state;
    patterns_init();
    assert_int_equal(corrected("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 250), SCORE_DRAW);
    assert_true(corrected("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 90) > 500);
    assert_true(corrected("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 90) < -500);
    assert_int_equal(corrected("7K/8/8/4Q3/8/8/2pk4/8 w - - 0 1", 700), SCORE_DRAW);
    assert_int_equal(corrected("7K/8/8/4Q3/8/8/2pk4/8 w - - 0 1", -70), -70);
    assert_int_equal(corrected("8/8/7k/8/8/2BB4/8/4K3 w - - 0 1", 1500), 1500);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_endings_are_known),
        cmocka_unit_test(values_are_corrected),
        cmocka_unit_test(claims_are_true),
        cmocka_unit_test(claims_of_five_men_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
