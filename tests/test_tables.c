// Tables of endings: the index, solving, packing, reading, against published facts, against plain
// search and against tables made by others.
#include "core/fen.h"
#include "core/movegen.h"
#include "core/symmetry.h"
#include "tables/solve.h"
#include "test_data.h"

enum { MOST_TABLES = 64 };

// Solved endings, children first.
typedef struct Solved {
    Material list[MOST_TABLES];
    Solution solution[MOST_TABLES];
    KnownTable known[MOST_TABLES];
    int count;
} Solved;

// Solves these materials (names with blanks between them) and all that they need.
static Solved *solve_names(const Rules *rules, const char *names)
{
    Solved *solved = calloc(1, sizeof *solved);
    char copy[256], *save = NULL;
    Error error;
    Material m;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        assert_true(material_read(&m, rules, name, &error));
        solved->count = material_add_with_children(&m, rules, solved->list, solved->count);
    }
    assert_in_range(solved->count, 1, MOST_TABLES);
    for (int i = 0; i < solved->count; i++) {
        SolveConfig config = {
            .rules = rules, .material = solved->list[i], .known = solved->known, .known_count = i};
        if (!solve(&solved->solution[i], &config, &error))
            fail_msg("%s", error.text);
        solved->known[i].layout = solved->solution[i].layout;
        memcpy(solved->known[i].fate, solved->solution[i].fate, sizeof solved->known[i].fate);
    }
    return solved;
}

static void free_solved(Solved *solved)
{
    for (int i = 0; i < solved->count; i++)
        solution_release(&solved->solution[i]);
    free(solved);
}

static const Solution *find_solution(const Solved *solved, const char *name)
{
    for (int i = 0; i < solved->count; i++) {
        char own[MATERIAL_NAME_SIZE];
        material_write(&solved->list[i], own);
        if (!strcmp(own, name))
            return &solved->solution[i];
    }
    fail_msg("%s was not solved", name);
    return NULL;
}

static int longest(const Solution *s)
{
    int most = 0;
    for (Color side = 0; side < s->layout.sides; side++)
        for (uint64_t i = 0; i < s->layout.size; i++) {
            Fate fate = s->fate[side][i];
            if (fate != FATE_DRAW && fate != FATE_NONE && fate_plies(fate) > most)
                most = fate_plies(fate);
        }
    return most;
}

// ---- Materials ----

static void names_are_read(void **state)
{
    (void)state;
    const Rules *chess = rules_find("chess"), *horde = rules_find("horde32");
    static const struct {
        const char *given, *name;
    } good[] = {{"KQK", "KQK"},   {"KQvK", "KQK"},    {"KKQ", "KQK"},
                {"KRKQ", "KQKR"}, {"KPKBB", "KBBKP"}, {"KNBK", "KBNK"}};
    static const char *bad[] = {
        "", "K", "KK", "QK", "KXK", "KQ", "KQKK", "kqk", "KQKRvK", "KQQQQQQQQQQQQK", "KQRBNKP"};
    Material m;
    Error error;
    char name[MATERIAL_NAME_SIZE];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(material_read(&m, chess, good[i].given, &error));
        material_write(&m, name);
        assert_string_equal(name, good[i].name);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        assert_false(material_read(&m, chess, bad[i], &error));
        assert_true(error.text[0]);
    }
    assert_true(material_read(&m, horde, "KQvPP", &error));
    material_write(&m, name);
    assert_string_equal(name, "KQvPP");
    assert_false(material_read(&m, horde, "KQKP", &error));
}

static void lists_are_complete(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        int men, count;
    } rows[] = {{"chess", 3, 5},   {"chess", 4, 30},   {"chess", 5, 110}, {"legan", 4, 30},
                {"horde32", 2, 5}, {"horde32", 3, 40}, {"massacre", 2, 0}};
    Material *list = malloc(sizeof *list * MATERIAL_LIST_SIZE), children[64];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const Rules *rules = rules_find(rows[r].game);
        if (!material_set(rules))
            continue;
        int count = material_list(rules, rows[r].men, list);
        assert_int_equal(count, rows[r].count);
        // Nothing needs what comes later.
        for (int i = 0; i < count; i++) {
            int n = material_children(&list[i], rules, children);
            for (int c = 0; c < n; c++)
                for (int j = i; j < count; j++)
                    assert_false(material_is_same(&children[c], &list[j]));
        }
    }
    assert_null(material_set(rules_find("massacre")));
    assert_string_equal(material_set(rules_find("fortress")), "chess");
    free(list);
}

// ---- The index ----

// Every position has one number, and its mirror images have the same.
static void check_index(const char *game, const char *name)
{
    const Rules *rules = rules_find(game);
    Layout *layout = malloc(sizeof *layout);
    Material m;
    assert_true(material_read(&m, rules, name, NULL));
    layout_init(layout, rules, &m);
    for (Color side = 0; side < layout->sides; side++)
        for (uint64_t i = 0; i < layout->size; i++) {
            Position pos;
            Color found;
            if (!layout_position(layout, i, side, &pos))
                continue;
            if (layout_find(layout, &pos, &found) != i || found != side)
                fail_msg("%s: number %llu is not found again", name, (unsigned long long)i);
            for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
                Position turned;
                if (material_pawns(&m) && !rules_have_symmetry(rules, symmetry, false))
                    continue;
                position_clear(&turned, rules);
                for (Square s = 0; s < 64; s++)
                    if (pos.board[s] != NO_PIECE)
                        position_put(&turned, pos.board[s], square_turn(s, symmetry));
                turned.side = pos.side;
                position_finish(&turned);
                if (layout_find(layout, &turned, &found) != i || found != side)
                    fail_msg("%s: a mirror of number %llu has another", name,
                             (unsigned long long)i);
            }
        }
    free(layout);
}

static void index_is_unique(void **state)
{
    (void)state;
    check_index("chess", "KQK");
    check_index("chess", "KPK");
    check_index("legan", "KPK");
    check_index("horde32", "KvPQ");
    if (test_level() == TEST_LONG) {
        check_index("chess", "KQQK");
        check_index("chess", "KRKR");
    }
}

static void kings_have_462_and_1806_pairs(void **state)
{
    (void)state;
    Layout *layout = malloc(sizeof *layout);
    Material m;
    assert_true(material_read(&m, rules_find("chess"), "KQK", NULL));
    layout_init(layout, rules_find("chess"), &m);
    assert_int_equal(layout->lead_size, 462);
    assert_true(material_read(&m, rules_find("chess"), "KPK", NULL));
    layout_init(layout, rules_find("chess"), &m);
    assert_int_equal(layout->lead_size, 1806);
    free(layout);
}

// ---- Known facts ----

static void longest_mates_are_as_published(void **state)
{
    (void)state;
    Solved *solved = solve_names(rules_find("chess"), "KPK");
    assert_int_equal(longest(find_solution(solved, "KQK")), 2 * 10);
    assert_int_equal(longest(find_solution(solved, "KRK")), 2 * 16);
    assert_int_equal(longest(find_solution(solved, "KPK")), 2 * 28);
    assert_int_equal(longest(find_solution(solved, "KBK")), 0);
    assert_int_equal(longest(find_solution(solved, "KNK")), 0);
    free_solved(solved);
}

// Black to move, white king and rook: how many positions are mate in so many moves, as in the
// collection of all 28 056 positions that machine learning uses since 1994.
static void rook_ending_has_the_published_counts(void **state)
{
    (void)state;
    static const int COUNTS[17] = {27,   78,   246,  81,   198,  471,  592,  683, 1433,
                                   1712, 1985, 2854, 3597, 4194, 4553, 2166, 390};
    Solved *solved = solve_names(rules_find("chess"), "KRK");
    const Solution *s = find_solution(solved, "KRK");
    int counts[17] = {0}, draws = 0;
    for (uint64_t i = 0; i < s->layout.size; i++) {
        Fate fate = s->fate[BLACK][i];
        draws += fate == FATE_DRAW;
        if (fate != FATE_DRAW && fate != FATE_NONE)
            counts[fate_plies(fate) / 2]++;
    }
    assert_int_equal(draws, 2796);
    assert_memory_equal(counts, COUNTS, sizeof counts);
    free_solved(solved);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(lists_are_complete),
        cmocka_unit_test(index_is_unique),
        cmocka_unit_test(kings_have_462_and_1806_pairs),
        cmocka_unit_test(longest_mates_are_as_published),
        cmocka_unit_test(rook_ending_has_the_published_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
