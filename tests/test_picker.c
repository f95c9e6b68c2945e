// The order of moves: every move comes once and only once, what promises most comes first, and what
// did well before comes earlier the next time. Also what the search learns about its evaluation.
#include "worker_help.h"

#include "core/movegen.h"
#include "core/notation.h"
#include "engine/node.h"
#include "engine/picker.h"

static const char *const FENS[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
};
enum { FEN_COUNT = sizeof FENS / sizeof *FENS };

typedef struct Picked {
    Move moves[MAX_MOVES + 1];
    int count;
} Picked;

static Picked pick_main(Worker *w, Move hash_move)
{
    Picker picker;
    CheckMap checks;
    Picked picked = {.count = 0};
    check_map_fill(&checks, &w->pos);
    node_find_attacks(&w->pos, worker_root(w));
    picker_init_main(&picker, w, worker_root(w), &checks, hash_move, 10);
    for (Move m; (m = picker_next(&picker));) {
        assert_true(picked.count < MAX_MOVES);
        picked.moves[picked.count++] = m;
    }
    picker_end(&picker);
    assert_int_equal(w->moves_used, 0);
    return picked;
}

static int place_of(const Picked *picked, Move m)
{
    for (int i = 0; i < picked->count; i++)
        if (picked->moves[i] == m)
            return i;
    return -1;
}

static Move move_of(const Worker *w, const char *text)
{
    Move m = move_from_uci(&w->pos, text, NULL);
    assert_int_not_equal(m, MOVE_NONE);
    return m;
}

// The same moves as the generator's, each once.
static void check_complete(Worker *w, const Picked *picked)
{
    Move all[MAX_MOVES];
    int count = movegen_pseudo(&w->pos, STAGE_ALL, all);
    assert_int_equal(picked->count, count);
    for (int i = 0; i < count; i++)
        assert_true(place_of(picked, all[i]) >= 0);
}

static void test_every_move_once(void **state)
{
    (void)state;
    for (int i = 0; i < FEN_COUNT; i++) {
        Bench *b = bench_new(FENS[i], 1);
        Worker *w = b->workers[0];
        Picked plain = pick_main(w, MOVE_NONE);
        check_complete(w, &plain);
        for (int j = 0; j < plain.count; j++) {
            Picked picked = pick_main(w, plain.moves[j]);
            assert_int_equal(picked.moves[0], plain.moves[j]);
            check_complete(w, &picked);
        }
        bench_free(b);
    }
}

// What the hash table says may be a move of another position.
static void test_foreign_hash_moves(void **state)
{
    (void)state;
    for (int i = 0; i < FEN_COUNT; i++) {
        Bench *b = bench_new(FENS[i], 1);
        for (int bits = 1; bits < 65536; bits += 331) {
            Picked picked = pick_main(b->workers[0], (Move)bits);
            check_complete(b->workers[0], &picked);
        }
        bench_free(b);
    }
}

// Winning captures, then quiet moves, then captures that lose; the greatest victim first.
static void test_order(void **state)
{
    (void)state;
    Bench *b = bench_new("1r1qk3/1p6/2p1n3/3P4/8/8/1Q6/B3K3 w - - 0 1", 1);
    Worker *w = b->workers[0];
    Picked picked = pick_main(w, MOVE_NONE);
    const Move takes_knight = move_of(w, "d5e6"), takes_pawn = move_of(w, "d5c6"),
               losing = move_of(w, "b2b7"), quiet = move_of(w, "e1f1");
    assert_int_equal(place_of(&picked, takes_knight), 0);
    assert_int_equal(place_of(&picked, takes_pawn), 1);
    assert_true(place_of(&picked, quiet) > 1);
    assert_true(place_of(&picked, losing) > place_of(&picked, quiet));
    bench_free(b);
}

// In quiescence captures and promotions to a queen; for ProbCut those that gain enough.
static void test_noisy_and_gain(void **state)
{
    (void)state;
    Bench *b = bench_new("1r1qk3/1p6/2p1n3/3P4/8/8/1Q6/B3K3 w - - 0 1", 1);
    Worker *w = b->workers[0];
    Picker picker;
    picker_init_noisy(&picker, w, worker_root(w), MOVE_NONE);
    assert_int_equal(picker_next(&picker), move_of(w, "d5e6"));
    int count = 1;
    for (Move m; (m = picker_next(&picker)); count++)
        assert_true(move_is_capture(m));
    assert_int_equal(count, 3);
    picker_end(&picker);
    picker_init_gain(&picker, w, worker_root(w), MOVE_NONE, 150);
    assert_int_equal(picker_next(&picker), move_of(w, "d5e6"));
    assert_int_equal(picker_next(&picker), MOVE_NONE);
    picker_end(&picker);
    bench_free(b);
}

// A quiet move that was best goes to the front; those that were tried before it go to the end.
static void test_learning(void **state)
{
    (void)state;
    Bench *b = bench_new(FENS[0], 1);
    Worker *w = b->workers[0];
    Picked before = pick_main(w, MOVE_NONE);
    const Move best = move_of(w, "a2a3"), tried = move_of(w, "a1b1");
    int first_quiet = 0;
    while (move_is_capture(before.moves[first_quiet]))
        first_quiet++;
    assert_true(place_of(&before, best) > first_quiet);
    const Tried quiets = {.moves = {tried}, .count = 1}, none = {.count = 0};
    for (int i = 0; i < 20; i++)
        history_learn(w, worker_root(w), best, &quiets, &none, 12, false);
    Picked after = pick_main(w, MOVE_NONE);
    assert_int_equal(place_of(&after, best), first_quiet);
    for (int i = place_of(&after, tried); i < after.count; i++)
        assert_true(after.moves[i] == tried || move_is_capture(after.moves[i]));
    // Likewise captures.
    const Move capture = move_of(w, "e5d7");
    const Tried others = {.moves = {move_of(w, "e5g6"), move_of(w, "e5f7")}, .count = 2};
    for (int i = 0; i < 20; i++)
        history_learn(w, worker_root(w), capture, &none, &others, 12, false);
    assert_true(*history_capture(&w->histories, &w->pos, capture) > 0);
    assert_true(*history_capture(&w->histories, &w->pos, others.moves[1]) < 0);
    worker_clear(w);
    Picked anew = pick_main(w, MOVE_NONE);
    assert_memory_equal(anew.moves, before.moves, (size_t)before.count * sizeof(Move));
    bench_free(b);
}

// The evaluation is moved towards what the search found, and not beyond it.
static void test_correction(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        Bench *b = bench_new(FENS[0], 1);
        Worker *w = b->workers[0];
        const Node *n = worker_root(w);
        assert_int_equal(history_correction(w, n), 0);
        int last = 0;
        for (int i = 0; i < 5; i++) {
            history_correct(w, n, sign * 100, 8);
            int now = sign * history_correction(w, n);
            assert_true(now > last && now < 200);
            last = now;
        }
        for (int i = 0; i < 20; i++)
            history_correct(w, n, sign * -100, 8);
        assert_true(sign * history_correction(w, n) < 0);
        bench_free(b);
    }
}

// What a move learned out of an attack says nothing of the same move in peace.
static void test_attacks_are_told_apart(void **state)
{
    (void)state;
    Bench *b = bench_new("4k3/8/8/8/8/1p5N/8/R3K3 w - - 0 1", 1);
    Worker *w = b->workers[0];
    Node *n = worker_root(w);
    const Move m = move_of(w, "a1b1"), other = move_of(w, "a1c1");
    n->attacked = square_bit(move_from(m));
    history_add_quiet(w, n, m, 1000);
    assert_true(*history_butterfly(&w->histories, WHITE, n->attacked, m) > 0);
    assert_int_equal(*history_butterfly(&w->histories, WHITE, 0, m), 0);
    assert_int_equal(*history_butterfly(&w->histories, WHITE, square_bit(move_to(m)), m), 0);
    assert_int_equal(*history_butterfly(&w->histories, BLACK, n->attacked, m), 0);
    assert_int_equal(*history_butterfly(&w->histories, WHITE, n->attacked, other), 0);
    bench_free(b);
}

// Squares that a set of men of the side not to move attacks, by asking each for its attackers.
static Bitboard slowly_attacked(const Position *pos, Bitboard by)
{
    Bitboard result = 0;
    for (Square s = 0; s < 64; s++)
        if (position_attackers(pos, s, position_occupied(pos)) & pos->by_color[!pos->side] & by)
            result |= square_bit(s);
    return result;
}

static void test_attacked_squares(void **state)
{
    (void)state;
    for (int i = 0; i < FEN_COUNT; i++) {
        Bench *b = bench_new(FENS[i], 1);
        const Position *pos = &b->workers[0]->pos;
        Node *n = worker_root(b->workers[0]);
        Bitboard men = pos->by_type[PAWN];
        node_find_attacks(pos, n);
        assert_true(n->attacked_by_pawn == slowly_attacked(pos, men));
        men |= pos->by_type[KNIGHT] | pos->by_type[BISHOP];
        assert_true(n->attacked_by_minor == slowly_attacked(pos, men));
        men |= pos->by_type[ROOK];
        assert_true(n->attacked_by_rook == slowly_attacked(pos, men));
        assert_true(n->attacked == slowly_attacked(pos, ~0ull));
        bench_free(b);
    }
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks_are_told_apart),
        cmocka_unit_test(test_attacked_squares),
        cmocka_unit_test(test_every_move_once),
        cmocka_unit_test(test_foreign_hash_moves),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_noisy_and_gain),
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_correction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
