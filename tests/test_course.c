// The steps of the class: each finds what the one before finds where only the effort differs, with
// fewer positions; the tree that is written down is the one that was walked.
#include <stdlib.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "engine/score.h"
#include "lab/agents/course.h"
#include "lab/agents/steps.h"
#include "test_data.h"

static const char *const FENS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/8/8/8/8/2k5/2q5/K7 b - - 0 1"};
enum { FEN_COUNT = 4, DEPTH = 3, TREE_MOST = 200000 };

static AgentReport search(CourseStep step, const char *fen, int depth, CourseTree *tree)
{
    Position pos;
    AgentReport report;
    assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, NULL));
    const AgentTask task = agent_task(&pos, depth);
    Course *course = course_new(step, NULL);
    assert_non_null(course);
    course_search(course, &task, tree, &report);
    course_free(course);
    assert_true(report.is_done);
    return report;
}

// The first three steps find the same value, each with fewer positions; they are those of steps.h.
static void test_same_value(void **state)
{
    (void)state;
    for (int f = 0; f < FEN_COUNT; f++) {
        Position pos;
        AgentReport plain, known, cut, sorted;
        position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], FENS[f], NULL);
        const AgentTask task = agent_task(&pos, DEPTH);
        steps_search(STEP_MINIMAX, &task, &known);
        plain = search(COURSE_MINIMAX, FENS[f], DEPTH, NULL);
        cut = search(COURSE_ALPHA_BETA, FENS[f], DEPTH, NULL);
        sorted = search(COURSE_ORDERING, FENS[f], DEPTH, NULL);
        assert_int_equal(plain.score, known.score);
        assert_int_equal(plain.nodes, known.nodes);
        assert_int_equal(plain.move, known.move);
        assert_int_equal(cut.score, plain.score);
        assert_int_equal(sorted.score, plain.score);
        assert_true(cut.nodes <= plain.nodes);
        assert_int_equal(cut.move, plain.move);
    }
    assert_true(search(COURSE_ORDERING, FENS[1], DEPTH, NULL).nodes <
                search(COURSE_ALPHA_BETA, FENS[1], DEPTH, NULL).nodes / 2);
}

// A queen takes a guarded pawn: at depth 1 counting men likes it, the capture search does not.
static void test_quiescence(void **state)
{
    (void)state;
    static const char FEN[] = "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1";
    assert_int_equal(search(COURSE_ORDERING, FEN, 1, NULL).score, 800);
    assert_int_equal(search(COURSE_QUIESCENCE, FEN, 1, NULL).score, 700);
}

// The table saves positions and changes neither value nor a mate.
static void test_table(void **state)
{
    (void)state;
    for (int f = 0; f < FEN_COUNT; f++)
        assert_int_equal(search(COURSE_QUIESCENCE, FENS[f], 4, NULL).score,
                         search(COURSE_TABLE, FENS[f], 4, NULL).score);
    const uint64_t with = search(COURSE_TABLE, FENS[2], 6, NULL).nodes;
    const uint64_t without = search(COURSE_QUIESCENCE, FENS[2], 6, NULL).nodes;
    printf("# %llu positions, %llu with a table\n", (unsigned long long)without,
           (unsigned long long)with);
    assert_true(with < without);
    assert_int_equal(search(COURSE_NETWORK, "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 2, NULL).score,
                     score_mate_in(1));
}

// Children stand behind their parents, values come from them, and what was cut has a reason.
static void check_tree(const CourseTree *tree, const AgentReport *report)
{
    uint64_t visited = 0;
    assert_false(tree->is_cut_off);
    assert_int_equal(tree->nodes[0].value, report->score);
    for (int i = 0; i < tree->count; i++) {
        const CourseNode *n = &tree->nodes[i];
        int best = -SCORE_INFINITE, children = 0;
        bool has_skipped = false;
        assert_true(n->parent < i);
        visited += n->end != COURSE_SKIPPED;
        for (int k = i + 1; k < tree->count && tree->nodes[k].ply > n->ply; k++) {
            const CourseNode *c = &tree->nodes[k];
            if (c->parent != i)
                continue;
            has_skipped |= c->end == COURSE_SKIPPED;
            if (c->end != COURSE_SKIPPED && -c->value > best)
                best = -c->value;
            children++;
        }
        if (n->end == COURSE_CUT) {
            assert_true(n->value >= n->beta);
            assert_int_equal(tree->nodes[n->cut_by].parent, i);
            assert_int_equal(-tree->nodes[n->cut_by].value, n->value);
        } else {
            assert_false(has_skipped);
        }
        if (n->end == COURSE_SEARCHED && !n->is_quiet && n->ply < DEPTH)
            assert_int_equal(best, n->value);
        if (n->end == COURSE_LEAF || n->end == COURSE_KNOWN)
            assert_int_equal(children, 0);
    }
    assert_int_equal(visited, report->nodes);
}

static void test_tree(void **state)
{
    (void)state;
    CourseTree tree = {.nodes = calloc(TREE_MOST, sizeof *tree.nodes), .most = TREE_MOST};
    for (CourseStep step = COURSE_MINIMAX; step <= COURSE_QUIESCENCE; step++) {
        tree.count = 0;
        const AgentReport report = search(step, FENS[2], DEPTH, &tree);
        check_tree(&tree, &report);
    }
    tree.count = 0;
    tree.most = 50;
    search(COURSE_MINIMAX, FENS[2], DEPTH, &tree);
    assert_true(tree.is_cut_off);
    assert_int_equal(tree.count, 50);
    free(tree.nodes);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_value),
        cmocka_unit_test(test_quiescence),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
