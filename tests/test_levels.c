// The twelve levels: legal in every game, repeatable, plausible, and mapped from ratings and
// skills.
#include "base/clock.h"
#include "base/random.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/engine.h"
#include "engine/level.h"
#include "test_data.h"

static Position position_of(const char *fen)
{
    Position pos;
    Error error = {0};
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return pos;
}

static void test_mapping(void **state)
{
    (void)state;
    assert_int_equal(level_of_elo(0), 1);
    assert_int_equal(level_of_elo(10000), LEVEL_COUNT);
    assert_int_equal(level_of_skill(0), 1);
    assert_int_equal(level_of_skill(20), LEVEL_COUNT);
    for (int i = 0; i < LEVEL_COUNT; i++) {
        assert_int_equal(level_of_elo(LEVELS[i].elo), i + 1);
        if (i)
            assert_true(LEVELS[i].elo > LEVELS[i - 1].elo);
    }
    for (int skill = 1; skill <= 20; skill++)
        assert_true(level_of_skill(skill) >= level_of_skill(skill - 1));
}

// Ratings between two levels lie between them in what makes them strong; at a level they are it.
static void test_between(void **state)
{
    (void)state;
    Level last = level_at_elo(0);
    assert_int_equal(last.oversight, LEVELS[0].oversight);
    assert_int_equal(level_at_elo(10000).nodes, 0);
    for (int i = 0; i < LEVEL_COUNT; i++) {
        Level level = level_at_elo(LEVELS[i].elo);
        assert_string_equal(level.name, LEVELS[i].name);
        assert_true(level.nodes == LEVELS[i].nodes && level.oversight == LEVELS[i].oversight);
    }
    for (int elo = LEVELS[0].elo; elo < LEVELS[LEVEL_COUNT - 1].elo; elo += 10) {
        Level level = level_at_elo(elo);
        assert_true(level_is_human(&level) ? level_is_human(&last) : level.nodes > 0);
        assert_true(level.depth >= last.depth || !level.depth);
        assert_true(level.oversight <= last.oversight && level.noise <= last.noise);
        assert_true(level.nodes >= last.nodes);
        last = level;
    }
}

// Whole games of every variant: legal moves only, and the same again with the same seed.
static void test_games(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int l = 0; l < LEVEL_COUNT && level_is_human(&LEVELS[l]); l++) {
            Position start, pos;
            Move moves[120];
            int count = 0;
            assert_true(position_start(&start, &VARIANTS[v],
                                       VARIANTS[v].start == START_FIXED ? 0 : 7, NULL));
            pos = start;
            while (count < 120 && position_outcome(&pos).result == RESULT_NONE) {
                LevelChoice choice, again;
                level_choose(&LEVELS[l], &start, moves, count, 42, &choice);
                if (count < 6) {
                    level_choose(&LEVELS[l], &start, moves, count, 42, &again);
                    assert_int_equal(choice.move, again.move);
                }
                assert_true(move_is_pseudo_legal(&pos, choice.move) &&
                            move_is_legal(&pos, choice.move));
                Undo undo;
                position_make(&pos, choice.move, &undo);
                moves[count++] = choice.move;
                if (test_level() == TEST_QUICK && count >= 20)
                    break;
            }
        }
}

static int times_of(const Level *level, const Position *start, const Move *moves, int count,
                    const char *wanted)
{
    Position pos = *start;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make(&pos, moves[i], &undo);
    }
    Move move = move_from_uci(&pos, wanted, NULL);
    assert_int_not_equal(move, MOVE_NONE);
    int times = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        LevelChoice choice;
        level_choose(level, start, moves, count, seed, &choice);
        times += choice.move == move;
    }
    return times;
}

static const Level *best_human(void)
{
    const Level *level = LEVELS;
    while (level_is_human(level + 1))
        level++;
    return level;
}

// A recapture is seen by everybody; a long backward capture is overlooked by beginners, seldom
// higher up.
static void test_oversights(void **state)
{
    (void)state;
    Position before = position_of("4k3/8/8/3q4/4P3/8/8/3QK3 b - - 0 1");
    Move take = move_from_uci(&before, "d5d1", NULL); // queen takes queen
    assert_true(times_of(&LEVELS[0], &before, &take, 1, "e1d1") == 200);
    Position lone = position_of("5k2/8/8/8/7Q/8/1r6/K7 w - - 0 1"); // the rook hangs
    assert_true(times_of(&LEVELS[0], &lone, NULL, 0, "a1b2") > 100);
    // A knight guarded from afar: beginners take it with the queen now and then, others seldom.
    Position far = position_of("b5k1/5ppp/8/3n4/8/8/5PPP/3Q2K1 w - - 0 1");
    int beginner = times_of(&LEVELS[0], &far, NULL, 0, "d1d5");
    int better = times_of(best_human(), &far, NULL, 0, "d1d5");
    print_message("# queen for a guarded knight: level 1 %d, best human level %d of 200\n",
                  beginner, better);
    assert_true(better < beginner && better <= 20);
}

// Stronger levels find a mate in one more often, the upper human ones nearly always.
static void test_mate(void **state)
{
    (void)state;
    Position pos = position_of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    int first = times_of(&LEVELS[0], &pos, NULL, 0, "d1d8"),
        best = times_of(best_human(), &pos, NULL, 0, "d1d8");
    print_message("# mate in one: level 1 %d, best human level %d of 200\n", first, best);
    assert_true(best >= 180 && best >= first && first > 60);
}

// Whoever has just lost the queen does not leave the next big piece hanging to a plain capture.
static void test_queen_not_twice(void **state)
{
    (void)state;
    // White has a second queen on d4, attacked by the pawn e5; the first was taken by the last move
    // on a1.
    Position before = position_of("6k1/5ppp/8/4p3/3Q4/8/r4PPP/Q5K1 b - - 0 1");
    Move take = move_from_uci(&before, "a2a1", NULL);
    int lost = 0;
    Position pos = before;
    Undo undo;
    position_make(&pos, take, &undo);
    for (uint64_t seed = 0; seed < 200; seed++) {
        LevelChoice choice;
        level_choose(&LEVELS[0], &before, &take, 1, seed, &choice);
        Position next = pos;
        position_make(&next, choice.move, &undo);
        // Still hanging: a black capture of a queen is there.
        Move list[MAX_MOVES];
        int n = movegen_legal(&next, STAGE_NOISY, list);
        bool hangs = false;
        for (int i = 0; i < n; i++) {
            Piece taken = position_captured(&next, list[i]);
            hangs |= taken != NO_PIECE && piece_type(taken) == QUEEN;
        }
        lost += hangs;
    }
    print_message("# second queen left hanging in %d of 200\n", lost);
    assert_int_equal(lost, 0);
}

static void test_pause(void **state)
{
    (void)state;
    Position pos = position_of(VARIANTS[VARIANT_CHESS].start_fen);
    for (int l = 0; l < LEVEL_COUNT; l++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            int64_t ms = level_pause_ms(&LEVELS[l], &pos, false, -1, seed);
            assert_in_range(ms, 300, 5000);
            assert_true(level_pause_ms(&LEVELS[l], &pos, true, -1, seed) <= 1000);
            assert_true(level_pause_ms(&LEVELS[l], &pos, false, 4000, seed) <= 100);
        }
}

typedef struct Answer {
    int64_t time_ns;
    Move move;
} Answer;

static void note_answer(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    *(Answer *)context = (Answer){clock_ns(), result->best};
}

static int64_t answer_ms(Engine *engine, bool stops)
{
    Answer answer = {0};
    SearchLimits limits = search_limits_none();
    int64_t start = clock_ns();
    assert_true(engine_go(engine, &limits, NULL, note_answer, &answer, NULL));
    if (stops)
        engine_stop(engine);
    engine_wait(engine);
    assert_int_not_equal(answer.move, MOVE_NONE);
    return (answer.time_ns - start) / 1000000;
}

// With a humane pace the engine waits, without it does not, and stop ends the wait.
static void test_pace(void **state)
{
    (void)state;
    EngineOptions options = engine_default_options();
    options.hash_mb = 1;
    options.limit_strength = options.human_pace = true;
    options.elo = LEVELS[1].elo;
    Engine *engine = engine_new(&options, NULL);
    assert_non_null(engine);
    int64_t slow = answer_ms(engine, false);
    assert_in_range(slow, 300, 8000);
    assert_true(answer_ms(engine, true) < slow / 2 + 150);
    options.human_pace = false;
    assert_true(engine_set_options(engine, &options, NULL));
    assert_true(answer_ms(engine, false) < slow / 2 + 150);
    engine_free(engine);
}

// For study a weak level searches as deep as it is asked to.
static void test_analyse_mode(void **state)
{
    (void)state;
    enum { DEPTH = 9 };
    EngineOptions options = engine_default_options();
    options.hash_mb = 1;
    options.skill = 0;
    Engine *engine = engine_new(&options, NULL);
    assert_non_null(engine);
    SearchLimits limits = search_limits_none();
    limits.depth = DEPTH;
    SearchResult result;
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_true(result.depth < DEPTH);
    options.analyse_mode = true;
    assert_true(engine_set_options(engine, &options, NULL));
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_int_equal(result.depth, DEPTH);
    engine_free(engine);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),      cmocka_unit_test(test_between),
        cmocka_unit_test(test_games),        cmocka_unit_test(test_oversights),
        cmocka_unit_test(test_mate),         cmocka_unit_test(test_queen_not_twice),
        cmocka_unit_test(test_pause),        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_analyse_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
