// The first steps: the naive board generates what core generates; minimax, negamax and alpha-beta
// agree everywhere, with the counts that theory gives; limits and the order to stop are kept.
#include "agent_help.h"

#include "base/clock.h"
#include "lab/agents/agents.h"
#include "lab/agents/naive.h"
#include "lab/agents/steps.h"

static uint64_t naive_count(const Position *pos, int depth)
{
    char fen[FEN_SIZE];
    NaiveBoard board;
    position_to_fen(pos, FEN_XFEN, fen);
    assert_true(naive_from_fen(&board, fen));
    return naive_perft(&board, depth);
}

static void test_naive_perft(void **state)
{
    (void)state;
    const int depth = test_level() == TEST_QUICK ? 2 : 3;
    Position pos;
    for (int i = 0; i < KNOWN_PERFT_COUNT; i++) {
        chess_from_fen(&pos, KNOWN_PERFT[i].fen);
        assert_int_equal(naive_count(&pos, depth), perft(&pos, depth));
    }
    for (uint64_t seed = 0; seed < 40; seed++) {
        const Rules *rules = &VARIANTS[seed % 4 == 0 ? VARIANT_FORTRESS : VARIANT_CHESS];
        random_walk(&pos, rules, seed, 10 + (int)seed * 3);
        assert_int_equal(naive_count(&pos, 2), perft(&pos, 2));
    }
}

static void test_naive_refuses(void **state)
{
    (void)state;
    static const char *const BAD[] = {"", "8/8/8 w - - 0 1", "9x/8/8/8/8/8/8/8 w - -",
                                      "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"};
    NaiveBoard board;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(naive_from_fen(&board, BAD[i]));
}

// All three find the same value; the two without cuts look at the same positions, and alpha-beta
// finds its move with fewer.
static void test_steps_agree(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            AgentReport report[STEP_COUNT];
            Position pos;
            random_walk(&pos, &VARIANTS[v], seed,
                        (VARIANTS[v].must_capture ? 34 : 4) + (int)seed * 9);
            const AgentTask task = agent_task(&pos, 3);
            for (int m = 0; m < STEP_COUNT; m++) {
                steps_search((StepMethod)m, &task, &report[m]);
                assert_true(report[m].is_done && report[m].depth == 3);
                assert_int_equal(report[m].score, report[0].score);
                assert_int_equal(report[m].move, report[0].move);
                assert_line(&pos, &report[m]);
            }
            assert_int_equal(report[STEP_MINIMAX].nodes, report[STEP_NEGAMAX].nodes);
            assert_int_equal(report[STEP_MINIMAX].leaves, report[STEP_NEGAMAX].leaves);
            assert_true(report[STEP_ALPHA_BETA].nodes <= report[STEP_MINIMAX].nodes);
        }
}

// From the start nothing is cut or over: minimax visits 1 + 20 + 400 + 8902 + 197281 positions.
static void test_counts(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    chess_from_fen(&pos, KNOWN_PERFT[0].fen);
    AgentTask task = agent_task(&pos, 3);
    steps_search(STEP_MINIMAX, &task, &report);
    assert_int_equal(report.nodes, 1 + 20 + 400 + 8902);
    assert_int_equal(report.leaves, 8902);
    assert_int_equal(report.generated, 20 + 400 + 8902);
    assert_int_equal(report.deepest, 3);
    assert_int_equal(report.cutoffs, 0);
    steps_search(STEP_ALPHA_BETA, &task, &report);
    // Never better than perfect order: b^ceil(n/2) + b^floor(n/2) - 1 leaves with 20 moves each.
    assert_true(report.leaves >= 400 + 20 - 1 && report.leaves < 8902);
    assert_true(report.cutoffs > 0 && report.first_cut <= report.cutoffs);
}

static void test_limits(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    chess_from_fen(&pos, KNOWN_PERFT[1].fen);
    AgentTask task = agent_task(&pos, 20);
    task.nodes = 5000;
    steps_search(STEP_NEGAMAX, &task, &report);
    assert_false(report.is_done);
    assert_int_equal(report.nodes, 5000);
    task.nodes = 0;
    task.hard_ns = clock_ns() + 30000000;
    naive_search(&task, &report);
    assert_false(report.is_done);
    assert_true(clock_ns() < task.hard_ns + 2000000000);
    atomic_bool stop = true;
    task.hard_ns = 0;
    task.stop = &stop;
    steps_search(STEP_ALPHA_BETA, &task, &report);
    assert_false(report.is_done);
    assert_int_equal(report.move, MOVE_NONE);
}

// Under a limit a method without iterative deepening still has a move: that of the last depth that
// it finished.
static void test_deepening(void **state)
{
    (void)state;
    Position pos;
    Error error;
    chess_from_fen(&pos, KNOWN_PERFT[0].fen);
    PlayerSpec spec = {.kind = &AGENT_KINDS[1], .limits = player_limits_none()};
    Player *player = player_new(&spec, &error);
    assert_non_null(player);
    assert_int_equal(player_new_game(player, pos.rules, 1, &error), FAULT_NONE);
    Game game;
    game_init(&game, &pos, NULL, 0);
    SearchLimits limits = search_limits_none();
    limits.depth = 9;
    limits.nodes = 20000; // depth 3 needs 9323, depth 4 206604
    PlayerMove answer;
    player_choose(player, &game, &limits, &answer);
    assert_int_equal(answer.fault, FAULT_NONE);
    assert_int_equal(answer.depth, 3);
    assert_int_equal(answer.nodes, 20000);
    player_free(player);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive_perft), cmocka_unit_test(test_naive_refuses),
        cmocka_unit_test(test_steps_agree), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_deepening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
