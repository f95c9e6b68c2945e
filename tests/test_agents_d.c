// Document D's agent: the switches that may change only the work change no value, in every variant;
// extensions see what they are for; each evaluation knows what its variant is about; levels and
// options.
#include "agent_help.h"

#include "lab/agents/agents.h"
#include "lab/agents/d.h"
#include "lab/agents/d_evaluate.h"
#include "play/player_list.h"

// ---- The search ----

static AgentReport search(const DSettings *settings, const Position *pos, int depth)
{
    AgentReport report;
    D *d = d_new(settings, NULL);
    assert_non_null(d);
    const AgentTask task = agent_task(pos, depth);
    d_search(d, &task, &report);
    assert_true(report.is_done);
    assert_line(pos, &report);
    d_free(d);
    return report;
}

static DSettings bare(void)
{
    DSettings settings = d_settings();
    settings.check_extension = settings.quiescence = settings.null_move = settings.pvs = 0;
    settings.table = settings.deepening = settings.history = settings.mvv_lva = 0;
    settings.window = settings.pseudo = 0;
    settings.hash_mb = 1;
    return settings;
}

// Negamax without any cut, its ends decided by game.h.
static int minimax(const Position *pos, int depth, int ply)
{
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, STAGE_ALL, moves);
    if (depth == 0)
        return d_evaluate(pos, true);
    if (count == 0)
        return agent_final_score(pos, position_outcome(pos).result, ply);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        position_make(&next, moves[i], &undo);
        const int score = -minimax(&next, depth - 1, ply + 1);
        best = score > best ? score : best;
    }
    return best;
}

// PVS, deepening, ordering, sorting and the way of generation: the same value as minimax.
static void test_same_value(void **state)
{
    (void)state;
    const int count = test_level() == TEST_QUICK ? 2 : 5;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int i = 0; i < count; i++) {
            Position pos;
            const int plies = VARIANTS[v].must_capture ? 36 : 6 + i * 11;
            random_walk(&pos, &VARIANTS[v], (uint64_t)i, plies);
            DSettings settings = bare();
            const int depth = 3, score = minimax(&pos, depth, 0);
            int *const switches[] = {&settings.mvv_lva, &settings.history,   &settings.window,
                                     &settings.pseudo,  &settings.deepening, &settings.pvs};
            assert_int_equal(search(&settings, &pos, depth).score, score);
            for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
                *switches[k] = 1;
                assert_int_equal(search(&settings, &pos, depth).score, score);
            }
        }
}

// The window saves sorting, not nodes; and so does pseudo-legal generation.
static void test_same_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        Position pos;
        DSettings window = d_settings(), whole = d_settings(), legal = d_settings();
        whole.window = legal.pseudo = 0;
        random_walk(&pos, &VARIANTS[VARIANT_CHESS], seed, 10 + (int)seed * 7);
        const AgentReport a = search(&window, &pos, 4), b = search(&whole, &pos, 4);
        const AgentReport c = search(&legal, &pos, 4);
        assert_true(a.nodes == b.nodes && a.score == b.score && a.move == b.move);
        assert_true(a.score == c.score && a.move == c.move);
        assert_true(c.generated <= a.generated);
    }
}

// The order of table A.1: quiescence costs, each of the rest saves.
static void test_rows(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"};
    uint64_t nodes[D_ROWS] = {0};
    int deepest[D_ROWS] = {0};
    const int depth = test_level() == TEST_QUICK ? 3 : 4;
    for (int row = 0; row < D_ROWS; row++) {
        const DSettings settings = d_row_settings(row);
        for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++) {
            Position pos;
            chess_from_fen(&pos, FENS[i]);
            const AgentReport report = search(&settings, &pos, depth);
            nodes[row] += report.nodes;
            deepest[row] = report.deepest > deepest[row] ? report.deepest : deepest[row];
        }
        print_message("# %s: %llu nodes, deepest %d\n", D_ROW_NAMES[row],
                      (unsigned long long)nodes[row], deepest[row]);
    }
    assert_true(nodes[1] > nodes[0] && deepest[1] > deepest[0]);
    assert_true(nodes[2] < nodes[1] && nodes[4] < nodes[2]);
    assert_int_equal(deepest[0], depth);
}

static void expect(const DSettings *settings, const char *fen, int depth, const char *move)
{
    Position pos;
    chess_from_fen(&pos, fen);
    assert_uci(&pos, search(settings, &pos, depth).move, move);
}

static void test_extensions(void **state)
{
    (void)state;
    DSettings settings = bare();
    const char *const guarded = "4k3/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1";
    Position pos;
    settings.positional = 0;
    expect(&settings, guarded, 1, "d1d5"); // the horizon
    settings.quiescence = 1;
    chess_from_fen(&pos, guarded);
    assert_true(move_to(search(&settings, &pos, 1).move) != square_make(3, 4));
    // Mate in one at depth 1: only who looks deeper in check sees that there is no answer.
    const char *const mate = "6k1/5ppp/8/8/8/8/1r6/R3R1K1 w - - 0 1";
    chess_from_fen(&pos, mate);
    settings = bare();
    assert_false(score_is_mate(search(&settings, &pos, 1).score));
    settings.check_extension = 1;
    assert_int_equal(search(&settings, &pos, 1).score, score_mate_in(1));
    settings.quiescence = 1; // joined: in check at the end, one more depth
    assert_int_equal(search(&settings, &pos, 1).score, score_mate_in(1));
    // The mate in two of document M: a quiet queen sacrifice, which the null move overlooks.
    settings = d_settings();
    settings.null_move = 0;
    expect(&settings, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 5, "g3g6");
}

// Null move must not pass where passing would save the side to move: pawns alone, and in check.
static void test_zugzwang(void **state)
{
    (void)state;
    Position pos;
    DSettings with = d_settings(), without = d_settings();
    without.null_move = 0;
    // Trebuchet: whoever moves loses the pawn.
    chess_from_fen(&pos, "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1");
    assert_int_equal(search(&with, &pos, 6).score, search(&without, &pos, 6).score);
}

// ---- The evaluations ----

static void terms(const char *variant, const char *fen, int out[2][D_TERM_COUNT])
{
    Position pos;
    Error error;
    if (!position_set_up(&pos, rules_find(variant), fen, &error))
        fail_msg("%s: %s", fen, error.text);
    d_terms(&pos, out);
}

static int term(const char *variant, const char *fen, Color c, DTerm t)
{
    int out[2][D_TERM_COUNT];
    terms(variant, fen, out);
    return out[c][t];
}

// A symmetrical start is worth nothing in every game that has one.
static void test_even_starts(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Position pos;
        if (v == VARIANT_HORDE32 || v == VARIANT_MASSACRE || v == VARIANT_DOUBLE_CHESS960)
            continue;
        assert_true(position_start(&pos, &VARIANTS[v], v == VARIANT_CHESS960 ? 518 : 0, NULL));
        assert_int_equal(d_evaluate(&pos, true), 0);
    }
}

static void test_chess_terms(void **state)
{
    (void)state;
    // Towards the ending the knight falls, the bishop rises.
    assert_int_equal(term("chess", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", WHITE, D_MATERIAL), 300);
    assert_int_equal(term("chess", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", WHITE, D_MATERIAL), 340);
    assert_int_equal(term("chess", "qqq1k3/8/8/8/8/8/8/4KNB1 w - - 0 1", WHITE, D_MATERIAL),
                     320 + 325);
    assert_int_equal(term("chess", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", WHITE, D_PAIR), 30);
    assert_int_equal(term("chess", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", WHITE, D_PAIR), 0);
    // The king: castled early, central late, the corner worst.
    const int castled = term("chess", "rq2k2r/8/8/8/8/8/8/RQ3RK1 w - - 0 1", WHITE, D_KING);
    const int walking = term("chess", "rq2k2r/8/8/8/4K3/8/8/RQ3R2 w - - 0 1", WHITE, D_KING);
    assert_true(castled > walking);
    const int centre = term("chess", "4k3/8/8/8/4K3/8/8/8 w - - 0 1", WHITE, D_KING);
    const int corner = term("chess", "4k3/8/8/8/8/8/8/K7 w - - 0 1", WHITE, D_KING);
    assert_true(centre == 30 && corner == -30);
    // Enemy pieces near the king are worse than far ones.
    assert_true(term("chess", "4k3/8/8/8/8/5q2/8/6K1 w - - 0 1", WHITE, D_PRESSURE) <
                term("chess", "q3k3/8/8/8/8/8/8/6K1 w - - 0 1", WHITE, D_PRESSURE));
}

static void test_pawn_terms(void **state)
{
    (void)state;
    // advance 3 a step, passed 20, isolated -15; guarded in the ending 10 more.
    assert_int_equal(term("chess", "4k3/8/8/P7/8/8/8/6K1 w - - 0 1", WHITE, D_PAWNS), 9 + 20 - 15);
    assert_int_equal(term("chess", "4k3/8/8/P7/8/8/8/R5K1 w - - 0 1", WHITE, D_PAWNS),
                     9 + 20 - 15 + 10);
    // Blocked by a pawn; an enemy pawn on the neighbouring file does not matter.
    assert_int_equal(term("chess", "4k3/8/p7/P7/8/8/8/6K1 w - - 0 1", WHITE, D_PAWNS), 9 - 15 - 10);
    assert_int_equal(term("chess", "4k3/1p6/8/P7/8/8/8/6K1 w - - 0 1", WHITE, D_PAWNS),
                     9 + 20 - 15);
    // Doubled and isolated.
    assert_int_equal(term("chess", "4k3/8/8/P7/P7/8/8/6K1 w - - 0 1", WHITE, D_PAWNS),
                     9 + 6 + 2 * (20 - 15) - 15);
    // All eight still there: ten less.
    assert_int_equal(term("chess", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", WHITE, D_PAWNS),
                     -10);
}

static void test_variant_terms(void **state)
{
    (void)state;
    // Horde: a guarded pawn of the horde is worth more than one that is far but alone.
    const int guarded = term("horde32", "8/8/1p6/p7/8/8/8/4K3 w - - 0 1", BLACK, D_PAWNS);
    const int alone = term("horde32", "8/8/8/1p6/7p/8/8/4K3 w - - 0 1", BLACK, D_PAWNS);
    assert_true(guarded > alone);
    assert_int_equal(term("horde32", "R7/8/8/p7/8/8/8/4K3 b - - 0 1", WHITE, D_SPECIAL), 15);
    // White's pawns hurry half as much.
    assert_int_equal(term("horde32", "8/8/8/P6p/8/8/8/4K3 b - - 0 1", WHITE, D_PAWNS), 4 + 20 - 15);
    // Legan: progress goes along the diagonal; a pawn at a bare edge can only capture.
    const char *const near = "k7/8/8/8/4P3/8/8/7K w - - 0 1", *const far =
                                                                  "k7/8/3P4/8/8/8/8/7K w - - 0 1";
    assert_true(term("legan", far, WHITE, D_PAWNS) > term("legan", near, WHITE, D_PAWNS));
    assert_int_equal(term("legan", "k7/8/8/8/8/P7/8/7K w - - 0 1", WHITE, D_SPECIAL), -10);
    assert_int_equal(term("legan", near, WHITE, D_SPECIAL), 0);
    // A bishop that attacks the way of an enemy pawn (d5, then e4, f3 ...).
    assert_int_equal(term("legan", "k7/8/8/3p4/8/8/6B1/7K w - - 0 1", WHITE, D_SPECIAL), 4);
    // Corner: no bonus for squares that castling leads to, no penalty at home.
    assert_int_equal(term("corner", "qqq1k3/8/8/8/8/8/8/QQQ3K1 w - - 0 1", WHITE, D_KING), 0);
    assert_true(term("corner", "k7/8/8/8/8/8/8/1N5K w - - 0 1", WHITE, D_SQUARES) >
                term("chess", "k7/8/8/8/8/8/8/1N5K w - - 0 1", WHITE, D_SQUARES));
    // Fortress: pawns of the fortress' wing go twice as fast.
    assert_int_equal(term("fortress", "k7/8/8/6P1/8/8/8/7K w - - 0 1", WHITE, D_PAWNS),
                     18 + 20 - 15);
    assert_int_equal(term("fortress", "k7/8/8/1P6/8/8/8/7K w - - 0 1", WHITE, D_PAWNS),
                     9 + 20 - 15);
    // Massacre: half a pawn for each capture, and nothing else.
    int out[2][D_TERM_COUNT];
    terms("massacre", "n7/8/8/8/8/8/8/R6b w - - 0 1", out);
    assert_int_equal(out[WHITE][D_SPECIAL], 100);
    assert_int_equal(out[BLACK][D_SPECIAL], 0); // the bishop looks along the diagonal to its knight
    assert_int_equal(out[WHITE][D_SQUARES], 0);
}

// ---- As a player ----

static void test_levels(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"textbook-d level=easy", "textbook-d",
                                        "textbook-d level=hard"};
    PlayerList list;
    player_list_init(&list);
    player_list_join(&list, AGENT_KINDS);
    for (int i = 0; i < 3; i++) {
        PlayerSpec spec;
        Position pos;
        Game game;
        PlayerMove answer;
        Error error;
        const SearchLimits limits = search_limits_none();
        assert_true(player_list_find(&list, WORDS[i], NULL, &spec, &error));
        Player *player = player_new(&spec, &error);
        chess_from_fen(&pos, "8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1");
        game_init(&game, &pos, NULL, 0);
        assert_int_equal(player_new_game(player, pos.rules, 1, &error), FAULT_NONE);
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.depth, d_depth(i));
        player_free(player);
    }
    Error error;
    assert_int_equal(d_depth(D_EASY), 3);
    assert_true(player_list_allows(&list, "textbook-d level=3 null=off pvs=0 depth=4", &error));
    assert_false(player_list_allows(&list, "textbook-d level=brutal", &error));
    assert_string_equal(error.code, "player-level");
    assert_false(player_list_allows(&list, "textbook-d null=2", &error));
    assert_true(player_list_plays(&list, "textbook-d", &VARIANTS[VARIANT_LEGAN]));
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_value),    cmocka_unit_test(test_same_nodes),
        cmocka_unit_test(test_rows),          cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_zugzwang),      cmocka_unit_test(test_even_starts),
        cmocka_unit_test(test_chess_terms),   cmocka_unit_test(test_pawn_terms),
        cmocka_unit_test(test_variant_terms), cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
