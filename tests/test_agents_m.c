// Document M's agent: its seven perft positions, a board that make and undo leave as it was, the
// mate in two by Qg6 at depth 4, and ordering that changes the work but no value.
#include "agent_help.h"

#include "lab/agents/m.h"

static MKeys keys;
static M *agent;

static void set_up(MBoard *board, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    assert_true(m_from_fen(board, &keys, fen));
}

static void test_perft(void **state)
{
    (void)state;
    MBoard board;
    Position pos;
    for (int i = 0; i < KNOWN_PERFT_COUNT; i++) {
        assert_true(m_from_fen(&board, &keys, KNOWN_PERFT[i].fen));
        if (test_level() == TEST_QUICK) {
            chess_from_fen(&pos, KNOWN_PERFT[i].fen);
            assert_int_equal(m_perft(&board, 3), perft(&pos, 3));
        } else {
            assert_int_equal(m_perft(&board, 4), KNOWN_PERFT[i].leaves);
        }
    }
    for (uint64_t seed = 0; seed < 200; seed++) {
        static const int GAMES[] = {VARIANT_CHESS, VARIANT_CORNER, VARIANT_FORTRESS};
        random_walk(&pos, &VARIANTS[GAMES[seed % 3]], seed, (int)seed);
        set_up(&board, &pos);
        assert_int_equal(m_perft(&board, 2), perft(&pos, 2));
    }
}

static void test_fen(void **state)
{
    (void)state;
    static const char *const BAD[] = {"", "8/8/8/8/8/8/8/8 w - - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
                                      "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq -"};
    MBoard board;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(m_from_fen(&board, &keys, BAD[i]));
    // Four fields and a capital letter for the side are enough; the example of the document.
    assert_true(
        m_from_fen(&board, &keys, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R B KQkq -"));
    assert_int_equal(board.side, M_BLACK);
    assert_int_equal(board.rights, 15);
}

// Everything that is kept up to date is what a new set-up would find.
static void assert_same(const MBoard *board, const MBoard *fresh)
{
    assert_memory_equal(board->square, fresh->square, sizeof board->square);
    assert_memory_equal(board->count, fresh->count, sizeof board->count);
    assert_memory_equal(board->pawns, fresh->pawns, sizeof board->pawns);
    assert_memory_equal(board->material, fresh->material, sizeof board->material);
    assert_memory_equal(board->king, fresh->king, sizeof board->king);
    assert_int_equal(board->rights, fresh->rights);
    assert_int_equal(board->fifty, fresh->fifty);
    for (int man = M_WP; man <= M_BK; man++)
        for (int i = 0; i < board->count[man]; i++)
            assert_int_equal(board->square[board->list[man][i]], man);
}

static void test_make_undo(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Position pos;
        MBoard board, before, fresh;
        MMove moves[M_MOVES_MAX];
        char text[6];
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, (int)seed * 2);
        set_up(&before, &pos);
        const int count = m_moves(&before, moves);
        for (int i = 0; i < count; i++) {
            board = before;
            if (m_make(&board, moves[i])) {
                Position next = pos;
                Undo undo;
                m_write_move(moves[i], text);
                position_make(&next, move_from_uci(&pos, text, NULL), &undo);
                set_up(&fresh, &next);
                assert_same(&board, &fresh);
                // Core writes an en passant square only where a pawn can take there.
                assert_true(board.key == fresh.key || (board.passed && !fresh.passed));
                m_undo(&board);
            }
            assert_same(&board, &before);
            assert_true(board.key == before.key && board.passed == before.passed);
            assert_int_equal(board.ply, 0);
        }
    }
}

static void search(M *m, const char *fen, int depth, Position *pos, AgentReport *report)
{
    chess_from_fen(pos, fen);
    const AgentTask task = agent_task(pos, depth);
    m_search(m, &task, report);
    assert_true(report->is_done);
    assert_line(pos, report);
}

// The document's example. Found at depth 4, not before: mate is seen only where there is depth
// left.
static void test_mate_in_two(void **state)
{
    (void)state;
    static const char *const FEN = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    Position pos;
    AgentReport report;
    search(agent, FEN, 4, &pos, &report);
    assert_uci(&pos, report.move, "g3g6");
    assert_int_equal(report.score, score_mate_in(3));
    assert_int_equal(report.pv_count, 3);
    print_message("# mate in two: %llu nodes to depth 4\n", (unsigned long long)report.nodes);
    search(agent, FEN, 5, &pos, &report);
    assert_uci(&pos, report.move, "g3g6");
    search(agent, FEN, 3, &pos, &report);
    assert_false(score_is_mate(report.score));
}

static void test_evaluation(void **state)
{
    (void)state;
    MBoard board;
    assert_true(m_from_fen(&board, &keys, KNOWN_PERFT[0].fen));
    assert_int_equal(m_evaluate(&board), 0);
    assert_true(m_from_fen(&board, &keys, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"));
    assert_int_equal(m_evaluate(&board), -550);
    // Black sees what White sees, mirrored.
    for (uint64_t seed = 0; seed < 20; seed++) {
        Position pos;
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, 30);
        set_up(&board, &pos);
        const int score = m_evaluate(&board);
        board.side = !board.side;
        assert_int_equal(m_evaluate(&board), -score);
    }
}

// The horizon: without quiescence a guarded pawn is taken by the queen at depth 1.
static void test_horizon(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    search(agent, "4k3/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1", 1, &pos, &report);
    assert_uci(&pos, report.move, "d1d5");
    search(agent, "4k3/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1", 2, &pos, &report);
    assert_true(move_to(report.move) != square_make(3, 4));
}

// The document's examples of its order of captures.
static void test_capture_order(void **state)
{
    (void)state;
    static const struct {
        const char *move;
        int order;
    } CASES[] = {{"e4d5", 505}, {"e4f5", 105}, {"b1b5", 101}, {"a4b5", 105}};
    MBoard board;
    MMove moves[M_MOVES_MAX];
    assert_true(m_from_fen(&board, &keys, "4k3/8/8/1p1q1p2/P3P3/8/8/1Q2K3 w - - 0 1"));
    const int count = m_moves(&board, moves);
    int seen = 0;
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
            char text[6];
            m_write_move(moves[i], text);
            if (strcmp(text, CASES[k].move))
                continue;
            assert_int_equal(m_mvv_lva(&board, moves[i]), CASES[k].order);
            seen++;
        }
    assert_int_equal(seen, 4);
}

// PV first and MVV-LVA: the same values with fewer nodes. The share is reported.
static void test_ordering(void **state)
{
    (void)state;
    static const MSettings SETTINGS[3] = {{0, 0, 2048}, {0, 1, 2048}, {1, 1, 2048}};
    static const char *const NAMES[3] = {"unsorted", "MVV-LVA", "PV first and MVV-LVA"};
    const int depth = test_level() == TEST_QUICK ? 3 : 4;
    uint64_t nodes[3] = {0};
    int score[3];
    for (int i = 0; i < KNOWN_PERFT_COUNT; i++)
        for (int k = 0; k < 3; k++) {
            Position pos;
            AgentReport report;
            M *m = m_new(&SETTINGS[k], NULL);
            search(m, KNOWN_PERFT[i].fen, depth, &pos, &report);
            nodes[k] += report.nodes;
            score[k] = report.score;
            assert_int_equal(score[k], score[0]);
            m_free(m);
        }
    for (int k = 0; k < 3; k++)
        print_message("# %s: %llu nodes to depth %d in seven positions\n", NAMES[k],
                      (unsigned long long)nodes[k], depth);
    assert_true(nodes[1] < nodes[0] && nodes[2] < nodes[1]);
}

int main(void)
{
    bitboard_init();
    m_keys_init(&keys);
    const MSettings settings = m_settings();
    agent = m_new(&settings, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),         cmocka_unit_test(test_fen),
        cmocka_unit_test(test_make_undo),     cmocka_unit_test(test_mate_in_two),
        cmocka_unit_test(test_evaluation),    cmocka_unit_test(test_horizon),
        cmocka_unit_test(test_capture_order), cmocka_unit_test(test_ordering),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    m_free(agent);
    return failed;
}
