// The evaluation: the same for both colours, the same by all ways, and true to its own table.
#include "test_data.h"

#include "base/random.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/evaluate.h"

static Position position_of(int variant, const char *fen)
{
    Position pos;
    Error error;
    if (!position_from_fen(&pos, &VARIANTS[variant], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return pos;
}

// The position with colours exchanged and the board turned as this game asks.
static Position exchanged(const Position *pos, int turn)
{
    Position other;
    position_clear(&other, pos->rules);
    for (Square s = 0; s < 64; s++)
        if (pos->board[s] != NO_PIECE)
            position_put(&other, pos->board[s] ^ 1, s ^ turn);
    other.side = !pos->side;
    for (Bitboard b = pos->state.castling; b;)
        other.state.castling |= square_bit(bit_pop(&b) ^ turn);
    position_finish(&other);
    return other;
}

// Calls `check` on positions of random games of a variant.
static void walk(int variant, int games, void (*check)(const Position *pos, void *context),
                 void *context)
{
    Random random;
    random_init(&random, (uint64_t)variant + 1);
    for (int g = 0; g < games; g++) {
        Position pos = position_of(variant, VARIANTS[variant].start_fen);
        for (int ply = 0; ply < 120; ply++) {
            Move list[MAX_MOVES];
            int count = movegen_legal(&pos, STAGE_ALL, list);
            if (!count || !pos.by_color[!pos.side])
                break;
            Undo undo;
            position_make(&pos, list[random_below(&random, (uint64_t)count)], &undo);
            if (pos.by_color[pos.side])
                check(&pos, context);
        }
    }
}

static int games_to_play(void)
{
    return test_level() == TEST_QUICK ? 2 : 20;
}

static void check_symmetry(const Position *pos, void *context)
{
    const HandSetup *setup = hand_setup(pos->rules);
    Position other = exchanged(pos, setup->flip[BLACK]);
    (void)context;
    int here = hand_evaluate(setup, NULL, pos), there = hand_evaluate(setup, NULL, &other);
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    if (here != there)
        fail_msg("%s: %s: %d, with colours exchanged %d", pos->rules->name, fen, here, there);
}

static void test_symmetry(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (v != VARIANT_HORDE32) // the sides differ
            walk(v, games_to_play(), check_symmetry, NULL);
}

// Value and trace agree; counts times weights give the value; the pawn cache changes nothing.
static void check_trace(const Position *pos, void *context)
{
    const HandSetup *setup = hand_setup(pos->rules);
    PawnCache *cache = context;
    static HandTrace trace;
    int value = hand_trace(setup, pos, &trace);
    assert_int_equal(value, hand_evaluate(setup, NULL, pos));
    assert_int_equal(value, hand_evaluate(setup, cache, pos));
    assert_int_equal(value, hand_evaluate(setup, cache, pos));
    int mg = 0, eg = 0;
    for (int i = 0; i < TERM_COUNT; i++) {
        mg += trace.counts[WHITE][i] * weight_mg(setup->weights[WHITE][i]) -
              trace.counts[BLACK][i] * weight_mg(setup->weights[BLACK][i]);
        eg += trace.counts[WHITE][i] * weight_eg(setup->weights[WHITE][i]) -
              trace.counts[BLACK][i] * weight_eg(setup->weights[BLACK][i]);
    }
    int white =
        (mg * trace.phase + eg * (PHASE_MAX - trace.phase) * trace.scale / SCALE_MAX) / PHASE_MAX +
        trace.extra;
    assert_int_equal(white, trace.value);
    assert_int_equal(white, pos->side == WHITE ? value : -value);
}

static void test_trace(void **state)
{
    (void)state;
    PawnCache *cache = calloc(1, sizeof *cache);
    for (int v = 0; v < VARIANT_COUNT; v++)
        walk(v, games_to_play(), check_trace, cache);
    free(cache);
}

// What any chess player would say.
static void test_sense(void **state)
{
    (void)state;
    static const struct {
        const char *better, *worse; // for the side to move
    } PAIRS[] = {
        // a queen more; a passed pawn further on; a bishop pair; an open file; a sound pawn chain
        {"3qk3/8/8/8/8/8/8/3QK2R w K - 0 1", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1"},
        {"4k3/8/P7/8/8/8/7p/4K2R w - - 0 1", "4k3/8/8/P7/8/8/7p/4K2R w - - 0 1"},
        {"4k3/pppp4/8/8/8/3BB3/4PPPP/4K3 w - - 0 1", "4k3/pppp4/8/8/8/3NB3/4PPPP/4K3 w - - 0 1"},
        {"4k3/8/8/8/8/2P5/PP6/4K3 w - - 0 1", "4k3/8/8/8/P7/8/P6P/4K3 w - - 0 1"},
    };
    const HandSetup *setup = hand_setup(&VARIANTS[VARIANT_CHESS]);
    for (unsigned i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        Position better = position_of(VARIANT_CHESS, PAIRS[i].better),
                 worse = position_of(VARIANT_CHESS, PAIRS[i].worse);
        int high = hand_evaluate(setup, NULL, &better), low = hand_evaluate(setup, NULL, &worse);
        if (high <= low)
            fail_msg("%s: %d, not more than %s: %d", PAIRS[i].better, high, PAIRS[i].worse, low);
    }
    // Nobody can win these.
    static const char *const DEAD[] = {"4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
                                       "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"};
    for (unsigned i = 0; i < sizeof DEAD / sizeof *DEAD; i++) {
        Position pos = position_of(VARIANT_CHESS, DEAD[i]);
        int value = hand_evaluate(setup, NULL, &pos);
        assert_true(value > -100 && value < 100);
    }
}

// Massacre: whoever can take, safely and often, stands better; a man more is worth something.
static void test_massacre(void **state)
{
    (void)state;
    static const struct {
        const char *better, *worse;
    } PAIRS[] = {
        {"n7/8/8/8/8/8/8/R7 w - - 0 1", "1n6/8/8/8/8/8/8/R7 w - - 0 1"},
        {"n6n/8/8/8/8/8/8/R6Q w - - 0 1", "1n4n1/8/8/8/8/8/8/R6Q w - - 0 1"},
        {"q7/8/8/8/8/8/8/R3Q2q w - - 0 1", "q7/8/8/8/8/8/4r3/R6q w - - 0 1"},
    };
    const HandSetup *setup = hand_setup(&VARIANTS[VARIANT_MASSACRE]);
    for (unsigned i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        Position better = position_of(VARIANT_MASSACRE, PAIRS[i].better),
                 worse = position_of(VARIANT_MASSACRE, PAIRS[i].worse);
        int high = hand_evaluate(setup, NULL, &better), low = hand_evaluate(setup, NULL, &worse);
        if (high <= low)
            fail_msg("%s: %d, not more than %s: %d", PAIRS[i].better, high, PAIRS[i].worse, low);
    }
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_sense),
        cmocka_unit_test(test_massacre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
