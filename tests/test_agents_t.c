// Document T's agent: its board (with queens as the only promotion), the value kept by make and
// take-back, the same value with and without cuts and ordering, and the horizon example.
#include "agent_help.h"

#include "lab/agents/t.h"
#include "lab/agents/t_board.h"

// Perft without the promotions that T does not know.
static uint64_t queens_only_perft(const Position *pos, int depth)
{
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, STAGE_ALL, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        if (move_is_promotion(moves[i]) && move_promotion(moves[i]) != QUEEN)
            continue;
        position_make(&next, moves[i], &undo);
        sum += depth == 1 ? 1 : queens_only_perft(&next, depth - 1);
    }
    return sum;
}

static void set_up(TBoard *board, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    assert_true(t_from_fen(board, fen));
}

static void test_perft(void **state)
{
    (void)state;
    static TBoard board;
    Position pos;
    for (int i = 0; i < KNOWN_PERFT_COUNT; i++) {
        chess_from_fen(&pos, KNOWN_PERFT[i].fen);
        set_up(&board, &pos);
        const int depth = test_level() == TEST_QUICK ? 2 : 3;
        assert_int_equal(t_perft(&board, depth), queens_only_perft(&pos, depth));
    }
    for (uint64_t seed = 0; seed < 100; seed++) {
        static const int GAMES[] = {VARIANT_CHESS, VARIANT_CORNER, VARIANT_FORTRESS};
        random_walk(&pos, &VARIANTS[GAMES[seed % 3]], seed, (int)seed * 2);
        set_up(&board, &pos);
        assert_int_equal(t_perft(&board, 2), queens_only_perft(&pos, 2));
    }
}

static int count_value(const TBoard *board)
{
    int sum = 0;
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++) {
            const TPiece *piece = board->square[x][y];
            if (!piece)
                continue;
            assert_true(piece->x == x && piece->y == y && !piece->is_taken);
            sum += piece->is_white ? t_value(piece->name) : -t_value(piece->name);
        }
    return sum;
}

static void test_value_is_kept(void **state)
{
    (void)state;
    static TBoard board, before;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Position pos;
        TMove moves[T_MOVES_MAX];
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, (int)seed * 2);
        set_up(&board, &pos);
        const int count = t_moves(&board, moves);
        before = board;
        for (int i = 0; i < count; i++) {
            t_make(&board, &moves[i]);
            assert_int_equal(board.value, count_value(&board));
            t_take_back(&board);
            assert_int_equal(board.value, before.value);
            assert_memory_equal(board.square, before.square, sizeof board.square);
            assert_memory_equal(board.pieces, before.pieces, sizeof board.pieces);
            assert_true(board.passed_x == before.passed_x && board.is_white == before.is_white);
        }
    }
}

static void test_fen(void **state)
{
    (void)state;
    static TBoard board;
    static const char *const BAD[] = {"", "8/8/8/8/8/8/8/8 w - - 0 1", "kK7x/8/8/8/8/8/8/8 w - -",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(t_from_fen(&board, BAD[i]));
    assert_true(t_from_fen(&board, KNOWN_PERFT[0].fen));
    assert_int_equal(board.value, 0);
}

// Cuts and order change the work, never the value. (Without cuts the capture search would not end,
// so plain minimax goes without it.)
static void test_cuts(void **state)
{
    (void)state;
    TSettings full = {.cuts = 0}, plain = {.cuts = 1}, cut = t_settings();
    const TSettings ordered = t_settings();
    const TSettings *const all[4] = {&full, &plain, &cut, &ordered};
    cut.order = 0;
    uint64_t nodes[4] = {0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        Position pos;
        AgentReport report[4];
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, 4 + (int)seed * 6);
        const AgentTask task = agent_task(&pos, test_level() == TEST_QUICK ? 2 : 3);
        for (int i = 0; i < 4; i++) {
            t_search(all[i], &task, &report[i]);
            assert_line(&pos, &report[i]);
            nodes[i] += report[i].nodes;
        }
        assert_int_equal(report[1].score, report[0].score);
        assert_int_equal(report[3].score, report[2].score);
    }
    print_message(
        "# minimax %llu nodes, alpha-beta %llu; with captures %llu, ordered by gain %llu\n",
        (unsigned long long)nodes[0], (unsigned long long)nodes[1], (unsigned long long)nodes[2],
        (unsigned long long)nodes[3]);
    assert_true(nodes[1] < nodes[0] && nodes[3] < nodes[2]);
}

// The queen can take a pawn on c2 or g4 and would be lost for either. At the last depth both look
// good; the capture search sees White's answer.
static void test_horizon(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    TSettings settings = t_settings();
    chess_from_fen(&pos, "rnb1kbnr/pppp1ppp/4p1q1/8/3P2P1/2N4P/PPP1PP2/R1BQKBNR b KQkq - 2 4");
    const AgentTask task = agent_task(&pos, 1);
    settings.captures = 0;
    t_search(&settings, &task, &report);
    assert_int_equal(report.score, 100);
    assert_true(move_to(report.move) == square_make(2, 1) ||
                move_to(report.move) == square_make(6, 3));
    settings.captures = 1;
    t_search(&settings, &task, &report);
    assert_int_equal(report.score, 0);
    assert_false(move_is_capture(report.move));
    // Taking all the same: a pawn won and the queen lost, 900 for White.
    Position after = pos;
    Undo undo;
    position_make(&after, move_from_uci(&pos, "g6g4", NULL), &undo);
    const AgentTask answer = agent_task(&after, 1);
    t_search(&settings, &answer, &report);
    assert_int_equal(report.score, 900);
}

// The limits of the capture search: its levels, and a lead that decides.
static void test_capture_limits(void **state)
{
    (void)state;
    Position pos;
    AgentReport narrow, wide;
    TSettings settings = t_settings();
    chess_from_fen(&pos, KNOWN_PERFT[1].fen);
    const AgentTask task = agent_task(&pos, 2);
    t_search(&settings, &task, &wide);
    assert_true(wide.deepest <= 2 + 6);
    settings.levels = 0;
    t_search(&settings, &task, &narrow);
    assert_true(narrow.deepest <= 2 + 1 && narrow.quiet_nodes < wide.quiet_nodes);
    settings = t_settings();
    settings.lead = 0; // at 0 everything but an even position decides
    t_search(&settings, &task, &narrow);
    assert_true(narrow.quiet_nodes < wide.quiet_nodes);
}

// Stalemate is as good as mate for it, as in the document.
static void test_no_moves(void **state)
{
    (void)state;
    Position pos;
    AgentReport report;
    const TSettings settings = t_settings();
    chess_from_fen(&pos, "k7/8/2K5/1Q6/8/8/8/8 w - - 0 1");
    const AgentTask task = agent_task(&pos, 2);
    t_search(&settings, &task, &report);
    assert_int_equal(report.score, 10000);
    chess_from_fen(&pos, "7k/8/5K2/8/8/8/8/R7 b - - 0 1"); // mated whatever it plays
    t_search(&settings, &task, &report);
    assert_line(&pos, &report);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),    cmocka_unit_test(test_value_is_kept),
        cmocka_unit_test(test_fen),      cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_horizon),  cmocka_unit_test(test_capture_limits),
        cmocka_unit_test(test_no_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
