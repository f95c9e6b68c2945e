// The hash table alone: what is stored comes back, mates are counted from where one asks, and what
// gives way is old or shallow.
#include "test_data.h"

#include "engine/hash.h"

enum { MOVE = 1234, OTHER_MOVE = 4321, SOME_EVAL = 17 };

static HashTable table;

// The n-th of the keys that fall into the same cluster.
static Key key_of(int n)
{
    return 0x123456789a000000ull + (Key)n;
}

static void put(int n, int depth, Bound bound, Move move, int score)
{
    HashProbe probe = hash_probe(&table, key_of(n), 0);
    hash_store(&table, probe.entry, key_of(n), 0, depth, bound, false, move, score, SOME_EVAL);
}

static bool has(int n)
{
    return hash_probe(&table, key_of(n), 0).hit;
}

static int clear(void **state)
{
    (void)state;
    hash_clear(&table, 1);
    return 0;
}

static int open_table(void **state)
{
    (void)state;
    return hash_init(&table, 1, NULL) ? 0 : -1;
}

static int close_table(void **state)
{
    (void)state;
    hash_release(&table);
    return 0;
}

static void test_round_trip(void **state)
{
    (void)state;
    assert_false(has(1));
    assert_int_equal(hash_probe(&table, key_of(1), 0).score, SCORE_NONE);
    put(1, 9, BOUND_LOWER, MOVE, -321);
    HashProbe probe = hash_probe(&table, key_of(1), 0);
    assert_true(probe.hit && !probe.is_pv);
    assert_int_equal(probe.depth, 9);
    assert_int_equal(probe.bound, BOUND_LOWER);
    assert_int_equal(probe.move, MOVE);
    assert_int_equal(probe.score, -321);
    assert_int_equal(probe.eval, SOME_EVAL);
    // Another position of the same cluster is not this one.
    assert_false(has(2));
    hash_clear(&table, 1);
    assert_false(has(1));
}

// A mate is so many moves from the position, whatever ply it was seen at.
static void test_mates(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        HashProbe probe = hash_probe(&table, key_of(1), 4);
        hash_store(&table, probe.entry, key_of(1), 4, 9, BOUND_EXACT, false, MOVE,
                   sign * score_mate_in(10), SOME_EVAL);
        assert_int_equal(hash_probe(&table, key_of(1), 4).score, sign * score_mate_in(10));
        assert_int_equal(hash_probe(&table, key_of(1), 0).score, sign * score_mate_in(6));
        assert_int_equal(hash_probe(&table, key_of(1), 7).score, sign * score_mate_in(13));
    }
    put(2, 9, BOUND_EXACT, MOVE, 500);
    assert_int_equal(hash_probe(&table, key_of(2), 30).score, 500);
}

// The shallowest of a full cluster gives way, and old ones before new ones.
static void test_who_gives_way(void **state)
{
    (void)state;
    for (int i = 0; i < CLUSTER_ENTRIES; i++)
        put(i, i == 1 ? 3 : 10 + i, BOUND_EXACT, MOVE, 0);
    put(10, 5, BOUND_EXACT, MOVE, 0);
    assert_true(has(0) && !has(1) && has(2) && has(10));
    for (int i = 0; i < 3; i++)
        hash_new_search(&table);
    put(2, 4, BOUND_EXACT, MOVE, 0); // asked for again, so young
    put(10, 4, BOUND_EXACT, MOVE, 0);
    put(11, 2, BOUND_EXACT, MOVE, 0); // the deep one of three searches ago goes
    assert_true(!has(0) && has(2) && has(10) && has(11));
}

static void test_what_is_kept(void **state)
{
    (void)state;
    put(1, 12, BOUND_EXACT, MOVE, 40);
    put(1, 11, BOUND_UPPER, MOVE_NONE, 30); // nearly as deep: newer, but the move stays
    assert_int_equal(hash_probe(&table, key_of(1), 0).score, 30);
    assert_int_equal(hash_probe(&table, key_of(1), 0).move, MOVE);
    put(1, 2, BOUND_UPPER, OTHER_MOVE, 20); // much less deep: only the move
    assert_int_equal(hash_probe(&table, key_of(1), 0).score, 30);
    assert_int_equal(hash_probe(&table, key_of(1), 0).depth, 11);
    assert_int_equal(hash_probe(&table, key_of(1), 0).move, OTHER_MOVE);
    put(1, 2, BOUND_EXACT, OTHER_MOVE, 10); // unless it is exact
    assert_int_equal(hash_probe(&table, key_of(1), 0).score, 10);
    put(1, 12, BOUND_LOWER, MOVE, 50);
    hash_new_search(&table);
    put(1, 2, BOUND_LOWER, MOVE, 60); // or the other is of an earlier search
    assert_int_equal(hash_probe(&table, key_of(1), 0).score, 60);
}

static void test_fullness(void **state)
{
    (void)state;
    assert_int_equal(hash_full(&table), 0);
    for (uint64_t i = 0; i < table.count; i++) {
        Key key = (Key)(((unsigned __int128)i << 64) / table.count) + (1ull << 40);
        HashProbe probe = hash_probe(&table, key, 0);
        hash_store(&table, probe.entry, key, 0, 3, BOUND_EXACT, false, MOVE, 0, 0);
    }
    assert_int_equal(hash_full(&table), 1000 / CLUSTER_ENTRIES);
    hash_new_search(&table);
    assert_int_equal(hash_full(&table), 0); // what is old can be had
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_round_trip, clear),
        cmocka_unit_test_setup(test_mates, clear),
        cmocka_unit_test_setup(test_who_gives_way, clear),
        cmocka_unit_test_setup(test_what_is_kept, clear),
        cmocka_unit_test_setup(test_fullness, clear),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
