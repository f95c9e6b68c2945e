// Workers of a search without threads and clocks: what they think of a position as it stands, who
// is first at the depth asked for, and whose move is played.
#include "worker_help.h"

#include "core/movegen.h"
#include "core/notation.h"
#include "engine/node.h"

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

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifty_move_damping),
        cmocka_unit_test(test_vote),
        cmocka_unit_test(test_vote_on_mates),
        cmocka_unit_test(test_helper_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
