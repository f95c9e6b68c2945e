// Document G's agent: its board counts what core counts, its ordering changes no value, it mates,
// takes draws, and keeps to limits. Its nodes to depth 10 and 13 are reported beside the
// document's.
#include "agent_help.h"

#include "base/clock.h"
#include "lab/agents/agents.h"
#include "lab/agents/g.h"
#include "lab/agents/g_board.h"
#include "lab/agents/g_evaluate.h"
#include "play/player_list.h"

static GTables *tables;
static G *agent; // with the document's settings

static void set_up(GBoard *board, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    assert_true(g_from_fen(tables, board, fen));
}

static void test_perft(void **state)
{
    (void)state;
    GBoard board;
    Position pos;
    const bool is_quick = test_level() == TEST_QUICK;
    for (int i = 0; i < KNOWN_PERFT_COUNT; i++) {
        chess_from_fen(&pos, KNOWN_PERFT[i].fen);
        set_up(&board, &pos);
        if (is_quick)
            assert_int_equal(g_perft(tables, &board, 3), perft(&pos, 3));
        else
            assert_int_equal(g_perft(tables, &board, 4), KNOWN_PERFT[i].leaves);
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        static const int GAMES[] = {VARIANT_CHESS, VARIANT_CORNER, VARIANT_FORTRESS};
        random_walk(&pos, &VARIANTS[GAMES[seed % 3]], seed, (int)seed);
        set_up(&board, &pos);
        assert_int_equal(g_perft(tables, &board, 2), perft(&pos, 2));
    }
}

static void test_fen(void **state)
{
    (void)state;
    static const char *const BAD[] = {"", "8/8/8/8/8/8/8/8 w - - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
                                      "rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"};
    GBoard board;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(g_from_fen(tables, &board, BAD[i]));
}

// The key changes with every move as a new set-up would have it.
static void test_key(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Position pos;
        GBoard board, after, fresh;
        GMove moves[G_MOVES_MAX];
        char text[6];
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, (int)seed * 2);
        set_up(&board, &pos);
        const int count = g_moves(tables, &board, false, moves);
        for (int i = 0; i < count; i++) {
            after = board;
            if (!g_make(tables, &after, moves[i]))
                continue;
            Position next = pos;
            Undo undo;
            g_write_move(moves[i], text);
            position_make(&next, move_from_uci(&pos, text, NULL), &undo);
            set_up(&fresh, &next);
            assert_true(after.key == fresh.key);
            assert_memory_equal(after.men, fresh.men, sizeof after.men);
            assert_memory_equal(after.occupied, fresh.occupied, sizeof after.occupied);
            assert_int_equal(after.rights, fresh.rights);
        }
    }
}

static int evaluate(const char *fen)
{
    GBoard board;
    assert_true(g_from_fen(tables, &board, fen));
    return g_evaluate(&board);
}

static void test_evaluation(void **state)
{
    (void)state;
    assert_int_equal(evaluate(KNOWN_PERFT[0].fen), 0);
    // Knight in the corner, knight in the centre: -50 and 20 in the document's table.
    assert_int_equal(evaluate("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), 320 - 50);
    assert_int_equal(evaluate("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"), 320 + 20);
    assert_int_equal(evaluate("4k3/8/8/3n4/8/8/8/4K3 b - - 0 1"), 320 + 20);
    assert_int_equal(evaluate("4k3/8/8/3n4/8/8/8/4K3 w - - 0 1"), -320 - 20);
    // The king belongs in the corner while queens and rooks are there, in the centre later.
    const int hidden = evaluate("3qkr2/8/8/8/8/8/8/3QR1K1 w - - 0 1");
    const int bold = evaluate("3qkr2/8/8/8/4K3/8/8/3QR3 w - - 0 1");
    assert_true(hidden > bold);
    assert_true(evaluate("4k3/p7/8/8/4K3/8/P7/8 w - - 0 1") >
                evaluate("4k3/p7/8/8/8/8/P7/6K1 w - - 0 1"));
}

// Ordering and killers change the work, never the value.
static void test_ordering(void **state)
{
    (void)state;
    GSettings plain = g_settings(), ordered = g_settings();
    plain.table = ordered.table = 0;
    plain.pv = plain.mvv_lva = plain.killers = 0;
    G *a = g_new(&plain, NULL), *b = g_new(&ordered, NULL);
    uint64_t plain_nodes = 0, ordered_nodes = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        Position pos;
        AgentReport first, second;
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, 6 + (int)seed * 5);
        const AgentTask task = agent_task(&pos, test_level() == TEST_QUICK ? 2 : 3);
        g_search(a, &task, &first);
        g_search(b, &task, &second);
        assert_int_equal(first.score, second.score);
        assert_line(&pos, &second);
        plain_nodes += first.nodes;
        ordered_nodes += second.nodes;
    }
    assert_true(ordered_nodes < plain_nodes);
    g_free(a);
    g_free(b);
}

static void search(const char *fen, int depth, Position *pos, AgentReport *report)
{
    chess_from_fen(pos, fen);
    const AgentTask task = agent_task(pos, depth);
    g_forget(agent);
    g_search(agent, &task, report);
    assert_true(report->is_done);
    assert_line(pos, report);
}

static void test_tactics(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    search("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 4, &pos, &report);
    assert_uci(&pos, report.move, "g3g6");
    assert_int_equal(report.score, score_mate_in(3));
    // A guarded pawn is left alone even at depth 1, thanks to quiescence.
    search("4k3/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1", 1, &pos, &report);
    assert_true(move_to(report.move) != square_make(3, 4));
    // Stalemate is a draw: not with the queen to c7.
    search("k7/8/1K6/8/8/8/2Q5/8 w - - 0 1", 3, &pos, &report);
    assert_int_equal(report.score, score_mate_in(1));
    // The far side of the table: mate scores do not depend on how a position was reached.
    search("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 7, &pos, &report);
    assert_true(score_is_mate(report.score) && report.score > 0);
}

// Who is lost repeats the position if he can.
static void test_repetition(void **state)
{
    (void)state;
    static const char *const PLAYED[] = {"e1e8", "g8h7", "e8e4", "h7g8"};
    GameStep steps[8];
    Position pos;
    Game game;
    AgentReport report;
    chess_from_fen(&pos, "6k1/5pp1/7p/8/8/q7/1r6/4Q1K1 w - - 0 1"); // Black threatens mate
    game_init(&game, &pos, steps, 8);
    for (int i = 0; i < 4; i++)
        assert_true(game_play(&game, move_from_uci(&game.now, PLAYED[i], NULL), NULL));
    AgentTask task = agent_task(&game.now, 4);
    task.game = &game;
    g_forget(agent);
    g_search(agent, &task, &report);
    assert_int_equal(report.score, SCORE_DRAW);
    assert_uci(&game.now, report.move, "e4e8");
}

static void test_limits(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    atomic_bool stop = false;
    chess_from_fen(&pos, KNOWN_PERFT[1].fen);
    AgentTask task = agent_task(&pos, 30);
    task.stop = &stop;
    task.nodes = 30000;
    g_forget(agent);
    g_search(agent, &task, &report);
    assert_int_equal(report.nodes, 30000);
    assert_false(report.is_done);
    assert_true(report.depth >= 1);
    assert_line(&pos, &report);
    task.nodes = 0;
    task.hard_ns = clock_ns() + 50000000;
    g_search(agent, &task, &report);
    assert_true(clock_ns() < task.hard_ns + 1000000000);
    assert_line(&pos, &report);
}

// What strangers may say at the board.
static void test_options(void **state)
{
    (void)state;
    PlayerList list;
    Error error;
    player_list_init(&list);
    player_list_join(&list, AGENT_KINDS);
    assert_true(player_list_allows(&list, "textbook-g depth=4 killers=off table=0 hash=8", &error));
    assert_false(player_list_allows(&list, "textbook-g depth=20", &error));
    assert_false(player_list_allows(&list, "textbook-g hash=4096", &error));
    assert_false(player_list_allows(&list, "textbook-g killers=maybe", &error));
    assert_false(player_list_allows(&list, "textbook-g colour=red", &error));
    assert_true(player_list_plays(&list, "textbook-g", &VARIANTS[VARIANT_CORNER]));
    assert_false(player_list_plays(&list, "textbook-g", &VARIANTS[VARIANT_LEGAN]));
}

// The figures of the document: 284 504 at depth 10 and 6 539 363 at depth 13 from the start.
static void report_nodes(const char *what, const GSettings *settings, int depth)
{
    Position pos;
    AgentReport report;
    G *g = g_new(settings, NULL);
    chess_from_fen(&pos, KNOWN_PERFT[0].fen);
    const AgentTask task = agent_task(&pos, depth);
    g_search(g, &task, &report);
    assert_true(report.is_done && report.depth == depth);
    assert_line(&pos, &report);
    print_message("# %s, depth %d: %llu nodes, %llu of them in the quiescence search\n", what,
                  depth, (unsigned long long)report.nodes, (unsigned long long)report.quiet_nodes);
    g_free(g);
}

static void test_nodes(void **state)
{
    (void)state;
    const TestLevel level = test_level();
    const GSettings own = g_settings();
    GSettings more = g_settings();
    more.hash_move = more.null_move = more.reductions = 1;
    report_nodes("as described", &own, level == TEST_QUICK ? 5 : level == TEST_LONG ? 10 : 7);
    report_nodes("with what is not mentioned", &more, level == TEST_QUICK ? 6 : 10);
    if (level == TEST_LONG)
        report_nodes("with what is not mentioned", &more, 13);
}

int main(void)
{
    bitboard_init();
    const GSettings settings = g_settings();
    tables = g_tables_new();
    agent = g_new(&settings, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),      cmocka_unit_test(test_fen),
        cmocka_unit_test(test_key),        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_ordering),   cmocka_unit_test(test_tactics),
        cmocka_unit_test(test_repetition), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_options),    cmocka_unit_test(test_nodes),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_free(agent);
    free(tables);
    return failed;
}
