// The textbook agents: alpha-beta finds what full minimax finds, in every variant, and takes what
// is free.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/score.h"
#include "lab/agents/material.h"

// Minimax without any pruning, its end of the game decided by game.h alone.
static int minimax(Position *pos, int depth, int ply)
{
    const Outcome outcome = position_outcome(pos);
    if (outcome.result == RESULT_DRAW)
        return 0;
    if (outcome.result != RESULT_NONE)
        return outcome.result == (pos->side == WHITE ? RESULT_WHITE : RESULT_BLACK)
                   ? SCORE_MATE - ply
                   : ply - SCORE_MATE;
    if (!depth)
        return material_count(pos);
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves), best = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        position_make(&next, moves[i], &undo);
        int score = -minimax(&next, depth - 1, ply + 1);
        best = score > best ? score : best;
    }
    return best;
}

// A position after so many random moves; the last one before the end if the game ends earlier.
static void walk(Position *pos, int plies, Random *random)
{
    Move moves[MAX_MOVES];
    while (plies-- > 0) {
        Position next = *pos;
        Undo undo;
        int count = movegen_legal(pos, STAGE_ALL, moves);
        position_make(&next, moves[random_below(random, (uint64_t)count)], &undo);
        if (position_outcome(&next).result != RESULT_NONE)
            return;
        *pos = next;
    }
}

static void test_same_as_minimax(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const bool is_wide = VARIANTS[v].must_capture;
        for (uint64_t i = 0; i < 12; i++) {
            Random random;
            random_init(&random, i * 100 + (uint64_t)v);
            Position pos;
            assert_true(position_start(&pos, &VARIANTS[v], i, NULL) ||
                        position_start(&pos, &VARIANTS[v], 0, NULL));
            walk(&pos, (is_wide ? 30 : 0) + (int)random_below(&random, 40), &random);
            for (int depth = 1; depth <= 3; depth++) {
                MaterialChoice choice;
                material_choose(&pos, depth, &random, &choice);
                assert_true(move_is_pseudo_legal(&pos, choice.move) &&
                            move_is_legal(&pos, choice.move));
                assert_int_equal(choice.score, minimax(&pos, depth, 0));
                Position next = pos; // the move itself is worth what was said
                Undo undo;
                position_make(&next, choice.move, &undo);
                assert_int_equal(choice.score, -minimax(&next, depth - 1, 1));
            }
        }
    }
}

static void expect_move(const char *variant, const char *fen, int depth, const char *move)
{
    Position pos;
    Error error;
    Random random;
    MaterialChoice choice;
    char text[16];
    assert_true(position_from_fen(&pos, rules_find(variant), fen, &error));
    random_init(&random, 1);
    material_choose(&pos, depth, &random, &choice);
    move_to_uci(&pos, choice.move, false, text);
    assert_string_equal(text, move);
}

static void test_tactics(void **state)
{
    (void)state;
    expect_move("chess", "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", 1, "c3d5"); // takes the queen
    // A pawn that is guarded: taken at depth 1, left alone at depth 2.
    expect_move("chess", "4k3/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1", 1, "d1d5");
    // The shortest mate, though it wins no material.
    expect_move("chess", "7k/8/5K2/p5Q1/8/8/8/8 w - - 0 1", 3, "g5g7");
    // Massacre: the capture that leaves the other side none.
    expect_move("massacre", "n7/8/8/8/8/8/8/R6b w - - 0 1", 2, "a1h1");
}

// Equal moves: the choice is the seed's, and the same for the same seed.
static void test_chance(void **state)
{
    (void)state;
    Position pos;
    assert_true(position_start(&pos, &VARIANTS[VARIANT_CHESS], 0, NULL));
    Move seen[32] = {0};
    int different = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        Random a, b;
        MaterialChoice first, second;
        random_init(&a, seed);
        random_init(&b, seed);
        material_choose(&pos, 2, &a, &first);
        material_choose(&pos, 2, &b, &second);
        assert_int_equal(first.move, second.move);
        seen[seed] = first.move;
        bool is_new = true;
        for (uint64_t i = 0; i < seed; i++)
            is_new &= seen[i] != first.move;
        different += is_new;
    }
    assert_true(different >= 8); // of twenty that are worth the same
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_minimax),
        cmocka_unit_test(test_tactics),
        cmocka_unit_test(test_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
