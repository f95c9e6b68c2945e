// Workers of a search without threads and clocks: what they think of a position as it stands, who
// is first at the depth asked for, and whose move is played.
#include "worker_help.h"

#include "core/movegen.h"
#include "core/notation.h"
#include "engine/ends.h"
#include "engine/node.h"
#include "engine/quiesce.h"

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// What a worker believes in after its last iteration.
static void believe(Worker *w, const char *move, int score, int depth)
{
    RootMove *r = &w->root_moves[0];
    r->move = r->pv[0] = move_from_uci(&w->pos, move, NULL);
    assert_int_not_equal(r->move, MOVE_NONE);
    r->score = r->shown_score = score;
    r->bound = BOUND_EXACT;
    w->completed_depth = depth;
}

static void check_vote(const Bench *b, int expected)
{
    assert_int_equal(search_vote(&b->search)->index, expected);
}

static void test_vote(void **state)
{
    (void)state;
    Bench *b = bench_new(START, 4);
    // The majority at equal depth and score.
    believe(b->workers[0], "a2a3", 20, 10);
    believe(b->workers[1], "e2e4", 20, 10);
    believe(b->workers[2], "e2e4", 20, 10);
    believe(b->workers[3], "d2d4", 20, 10);
    check_vote(b, 1);
    // The deeper of two.
    believe(b->workers[1], "e2e4", 20, 10);
    believe(b->workers[2], "d2d4", 20, 30);
    believe(b->workers[3], "c2c4", 20, 10);
    check_vote(b, 2);
    // The better of two.
    believe(b->workers[2], "d2d4", 20, 10);
    believe(b->workers[3], "c2c4", 90, 10);
    check_vote(b, 3);
    // One alone who is much better does not outvote three who are deep.
    for (int i = 0; i < 3; i++)
        believe(b->workers[i], "g1f3", 20, 20);
    believe(b->workers[3], "c2c4", 40, 5);
    check_vote(b, 0);
    // Nobody listens to who has only a bound, or nothing.
    believe(b->workers[3], "c2c4", 900, 20);
    b->workers[3]->root_moves[0].bound = BOUND_LOWER;
    check_vote(b, 0);
    b->workers[3]->root_moves[0].score = -SCORE_INFINITE;
    check_vote(b, 0);
    // Unless nobody else has anything.
    believe(b->workers[3], "c2c4", 900, 20);
    b->workers[3]->root_moves[0].bound = BOUND_LOWER;
    for (int i = 0; i < 3; i++)
        b->workers[i]->root_moves[0].score = -SCORE_INFINITE;
    check_vote(b, 3);
    bench_free(b);
}

// Proven results count more than votes: a mate is played, the shortest one, and the longest way is
// gone where all ways lose.
static void test_vote_on_mates(void **state)
{
    (void)state;
    Bench *b = bench_new(START, 4);
    for (int i = 0; i < 4; i++)
        believe(b->workers[i], "g1f3", 500, 20);
    believe(b->workers[2], "e2e4", score_mate_in(9), 5);
    check_vote(b, 2);
    believe(b->workers[3], "d2d4", score_mate_in(5), 5);
    check_vote(b, 3);
    for (int i = 0; i < 4; i++)
        believe(b->workers[i], "g1f3", score_mated_in(4), 20);
    believe(b->workers[1], "e2e4", score_mated_in(8), 5);
    check_vote(b, 1);
    bench_free(b);
}

// A search to a depth ends when the first of its workers is there, and its answer is that one's.
static void test_helper_ends_the_search(void **state)
{
    (void)state;
    Bench *b = bench_new(START, 2);
    b->search.limits.depth = 5;
    worker_iterate(b->workers[1]);
    assert_int_equal(b->workers[1]->completed_depth, 5);
    assert_true(search_is_stopped(&b->search));
    worker_iterate(b->workers[0]); // has nothing to do any more
    assert_int_equal(b->workers[0]->completed_depth, 0);
    assert_ptr_equal(search_vote(&b->search), b->workers[1]);
    bench_free(b);

    // The other way round the helper's work counts for nothing.
    b = bench_new(START, 2);
    b->search.limits.depth = 5;
    worker_iterate(b->workers[0]);
    assert_int_equal(b->workers[0]->completed_depth, 5);
    worker_iterate(b->workers[1]);
    assert_ptr_equal(search_vote(&b->search), b->workers[0]);
    bench_free(b);
}

// A late move that beats alpha at a reduced depth is looked at again before it is believed: the
// position behind it was then searched to the full depth. The fork comes second and wins a rook.
static void test_second_look(void **state)
{
    (void)state;
    enum { DEPTH = 8, ALPHA = 150 };
    static const struct {
        const char *fen, *first, *fork;
    } CASES[] = {
        {"r3k3/5ppp/8/1N6/8/8/P4PPP/6K1 w - - 0 1", "h2h3", "b5c7"},
        {"3k3r/ppp5/8/6N1/8/8/PPP4P/1K6 w - - 0 1", "a2a3", "g5f7"},
        {"6k1/p4ppp/8/8/1n6/8/5PPP/R3K3 b - - 0 1", "h7h6", "b4c2"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Bench *b = bench_new(CASES[i].fen, 1);
        Worker *w = b->workers[0];
        Position after = b->search.root;
        Undo undo;
        const Move fork = move_from_uci(&after, CASES[i].fork, NULL);
        w->root_moves[0].move = move_from_uci(&after, CASES[i].first, NULL);
        w->root_moves[1].move = fork;
        w->root_count = w->line_end = 2;
        w->root_window = 1;
        w->root_depth = DEPTH;
        assert_true(worker_search_root(w, ALPHA, ALPHA + 1, DEPTH) > ALPHA);
        position_make(&after, fork, &undo);
        assert_true(hash_probe(&b->hash, node_key(&after), 1).depth >= DEPTH - 1);
        bench_free(b);
    }
}

// The hash table answers for a search only what it knows: a bound on the side that matters, from a
// depth as great. Else not one node may be saved.
static void test_hash_answers(void **state)
{
    (void)state;
    enum { DEPTH = 8, BETA = 1 };
    static const struct {
        Bound bound;
        int score, depth;
        bool is_answer;
    } CASES[] = {
        {BOUND_LOWER, 500, DEPTH + 2, true},  {BOUND_UPPER, 500, DEPTH + 2, false},
        {BOUND_UPPER, -500, DEPTH + 2, true}, {BOUND_LOWER, -500, DEPTH + 2, false},
        {BOUND_LOWER, 500, DEPTH - 5, false}, {BOUND_UPPER, -500, DEPTH - 5, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Bench *b = bench_new(START, 1);
        Worker *w = b->workers[0];
        const Key key = node_key(&w->pos);
        hash_store(&b->hash, hash_probe(&b->hash, key, 0).entry, key, 0, CASES[i].depth,
                   CASES[i].bound, false, MOVE_NONE, CASES[i].score, SCORE_NONE);
        w->root_window = 1;
        w->root_depth = DEPTH;
        const int value = worker_search_root(w, BETA - 1, BETA, DEPTH);
        assert_int_equal(worker_nodes(w) == 0, CASES[i].is_answer);
        if (CASES[i].is_answer)
            assert_int_equal(value >= BETA, CASES[i].score >= BETA);
        bench_free(b);
    }
}

// Who is content with what he has need not look at a single capture.
static void test_stand_pat(void **state)
{
    (void)state;
    Bench *b = bench_new("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 1);
    Worker *w = b->workers[0];
    const int enough = node_raw_eval(w) - 200;
    assert_true(quiesce(w, worker_root(w), enough - 1, enough) >= enough);
    assert_int_equal(worker_nodes(w), 0);
    quiesce(w, worker_root(w), enough + 399, enough + 400);
    assert_true(worker_nodes(w) > 0);
    bench_free(b);
}

// A side with nothing but pawns never passes: whoever must move may be lost for it. Where nobody
// has or gets anything else, a search that may pass visits the same nodes as one that may not.
static void test_no_null_move_with_pawns_only(void **state)
{
    (void)state;
    static const char *const LOCKED[] = {
        "8/8/3k4/p6p/P6P/3K4/8/8 w - - 0 1",
        "8/8/3k4/p3p2p/P3P2P/3K4/8/8 w - - 0 1",
        "8/2k5/p6p/P2p3P/3P4/5K2/8/8 b - - 0 1",
        "8/8/2k5/p1p2p1p/P1P2P1P/4K3/8/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof LOCKED / sizeof *LOCKED; i++) {
        uint64_t nodes[2];
        for (int may_pass = 0; may_pass < 2; may_pass++) {
            Bench *b = bench_new(LOCKED[i], 1);
            Rules rules = VARIANTS[VARIANT_CHESS];
            rules.can_null_move[WHITE] = rules.can_null_move[BLACK] = may_pass;
            b->workers[0]->pos.rules = &rules;
            b->search.limits.depth = 11;
            worker_iterate(b->workers[0]);
            nodes[may_pass] = worker_nodes(b->workers[0]);
            bench_free(b);
        }
        assert_true(nodes[0] > 500);
        assert_int_equal(nodes[0], nodes[1]);
    }
}

static int raw_eval(const char *board, int fifty)
{
    char fen[FEN_SIZE];
    snprintf(fen, sizeof fen, "%s %d 80", board, fifty);
    Bench *b = bench_new(fen, 1);
    int value = node_raw_eval(b->workers[0]);
    bench_free(b);
    return value;
}

// The nearer the fifty-move limit, the less an advantage is worth, for both sides.
static void test_fifty_move_damping(void **state)
{
    (void)state;
    static const char *const BOARDS[] = {"6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - -",
                                         "6k1/5ppp/8/8/8/8/5PPP/1R4K1 b - -"};
    for (int i = 0; i < 2; i++) {
        const int full = abs(raw_eval(BOARDS[i], 0));
        assert_true(full > 200);
        assert_true(abs(raw_eval(BOARDS[i], 40)) < full * 9 / 10);
        assert_true(abs(raw_eval(BOARDS[i], 90)) < full * 2 / 3);
        assert_true(abs(raw_eval(BOARDS[i], 90)) > full / 3);
    }
}

// Goes on from the root of the first worker; the node that it leads to.
static Node *go_on(Bench *b, const char *moves)
{
    Worker *w = b->workers[0];
    Node *n = worker_root(w);
    char word[8];
    int used;
    for (; sscanf(moves, "%7s%n", word, &used) == 1; moves += used, n++) {
        Move m = move_from_uci(&w->pos, word, NULL);
        assert_int_not_equal(m, MOVE_NONE);
        n[1].ply = (int16_t)(n->ply + 1);
        node_make(w, n, m, move_is_capture(m));
        n[1].in_check = position_in_check(&w->pos);
    }
    return n;
}

// Is the game over for the search after moves of the game and then of the search?
static bool is_over(const char *fen, const char *played, const char *searched)
{
    int score = 12345;
    Bench *b = bench_new(fen, 1);
    bench_play(b, played);
    bool result = ends_is_over(b->workers[0], go_on(b, searched), &score);
    assert_true(!result || abs(score) <= 1);
    bench_free(b);
    return result;
}

// Can the side to move lead back to a position that has stood?
static bool can_repeat(const char *fen, const char *played, const char *searched)
{
    Bench *b = bench_new(fen, 1);
    bench_play(b, played);
    bool result = ends_can_repeat(b->workers[0], go_on(b, searched));
    bench_free(b);
    return result;
}

// Once more is a draw within the search; of positions before the root it takes the third time.
static void test_repetition(void **state)
{
    (void)state;
    static const char AHEAD[] = "7k/8/8/8/8/8/4Q3/K7 w - - 0 1";
    assert_false(is_over(AHEAD, "", "e2d2 h8g8 d2e2"));
    assert_false(is_over(AHEAD, "", "e2d2 h8g8 d2e2 g8h8")); // the root itself has stood once
    assert_true(is_over(AHEAD, "", "e2d2 h8g8 d2e2 g8h8 e2d2"));
    assert_false(is_over(AHEAD, "e2d2 h8g8 d2e2", "g8h8"));
    assert_true(is_over(AHEAD, "e2d2 h8g8 d2e2 g8h8 e2d2 h8g8 d2e2", "g8h8"));
    assert_true(is_over(AHEAD, "e2d2 h8g8 d2e2 g8h8 e2d2 h8g8", "d2e2 g8h8"));
    // What a capture or a pawn has changed does not come back.
    static const char WITH_PAWN[] = "7k/8/8/8/8/8/4Q2P/K7 w - - 0 1";
    assert_false(is_over(WITH_PAWN, "e2d2 h8g8 d2e2 g8h8 e2d2 h8g8 d2e2 g8h8 h2h3", "h8g8"));
}

static void test_repetition_ahead(void **state)
{
    (void)state;
    static const char AHEAD[] = "7k/8/8/8/8/8/4Q3/K7 w - - 0 1";
    assert_false(can_repeat(AHEAD, "", "e2d2 h8g8 d2e2")); // to the root alone, once
    assert_true(can_repeat(AHEAD, "", "e2d2 h8g8 d2e2 g8h8"));
    assert_false(can_repeat(AHEAD, "", "e2d2 h8g8 d2e2 g8g7"));
    assert_false(can_repeat(AHEAD, "e2d2 h8g8 d2e2", ""));
    assert_true(can_repeat(AHEAD, "e2d2 h8g8 d2e2 g8h8 e2d2 h8g8 d2e2", ""));
}

// Positions in which nobody can be mated are over, and no others.
static void test_dead_positions(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool is_dead;
    } CASES[] = {
        {"7k/8/8/8/8/8/8/K7 w - - 0 1", true},    {"7k/8/8/8/8/8/8/KN6 w - - 0 1", true},
        {"7k/8/8/8/8/8/8/KB6 w - - 0 1", true},   {"7k/8/8/8/8/8/8/KBB5 w - - 0 1", false},
        {"7k/8/8/8/8/8/8/KBN5 w - - 0 1", false}, {"7k/8/8/8/8/8/8/KNN5 w - - 0 1", false},
        {"6bk/8/8/8/8/8/8/KB6 w - - 0 1", true},  {"5b1k/8/8/8/8/8/8/KB6 w - - 0 1", false},
        {"7k/8/8/8/8/8/P7/K7 w - - 0 1", false},  {"7k/8/8/8/8/8/8/KR6 w - - 0 1", false},
        {"7k/8/8/8/8/8/8/KQ6 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (is_over(CASES[i].fen, "", "") != CASES[i].is_dead)
            fail_msg("%s should be %s", CASES[i].fen, CASES[i].is_dead ? "over" : "open");
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifty_move_damping),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_repetition_ahead),
        cmocka_unit_test(test_dead_positions),
        cmocka_unit_test(test_vote),
        cmocka_unit_test(test_vote_on_mates),
        cmocka_unit_test(test_helper_ends_the_search),
        cmocka_unit_test(test_second_look),
        cmocka_unit_test(test_hash_answers),
        cmocka_unit_test(test_stand_pat),
        cmocka_unit_test(test_no_null_move_with_pawns_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
