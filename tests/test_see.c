// Static exchange evaluation: the threshold test is true up to the value of the exchange and false
// beyond it.
#include "test_data.h"

#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

static void check_see(const char *variant, const char *fen, const char *move_text, int value)
{
    Position pos;
    Error error = {0};
    if (!position_from_fen(&pos, rules_find(variant), fen, &error))
        fail_msg("%s: %s", fen, error.text);
    Move move = move_from_san(&pos, move_text, &error);
    if (move == MOVE_NONE)
        fail_msg("%s %s: %s", fen, move_text, error.text);
    if (!position_see_at_least(&pos, move, value, SEE_VALUES) ||
        position_see_at_least(&pos, move, value + 1, SEE_VALUES))
        fail_msg("%s %s: the exchange is worth %d", fen, move_text, value);
}

static void test_own_positions(void **state)
{
    (void)state;
    check_see("chess", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100);
    check_see("chess", "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400);
    check_see("chess", "4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0);
    check_see("chess", "3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5",
              -400); // x-rays on both sides
    check_see("chess", "3rk3/8/8/3p4/8/3Q4/3R4/3RK3 w - - 0 1", "Qxd5", -300);
    check_see("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 800);
    check_see("chess", "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 500 + 800);
    check_see("chess", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "bxa6", 100);
    check_see("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", 0);
    check_see("legan", "k7/8/8/3p4/3P4/8/8/7K w - - 0 1", "d4d5",
              100); // a white pawn takes straight up
    check_see("massacre", "8/8/8/3rQ3/3r4/8/8/8 w - - 0 1", "Qxd5", -400);
}

// FEN, move and value, separated by a sign; the third field is the value.
static void check_file(const char *name, const char *separator)
{
    char path[TEST_PATH_SIZE], line[512];
    int count = 0;
    test_shared_or_skip(name, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *fen = strsep(&rest, separator), *move = strsep(&rest, separator);
        char *value = strsep(&rest, separator);
        if (!value)
            continue;
        while (*move == ' ')
            move++;
        move[strcspn(move, " ")] = 0;
        check_see("chess", fen, move, atoi(value));
        count++;
    }
    fclose(file);
    print_message("# %d exchanges of %s\n", count, name);
    assert_true(count > 50);
}

static void test_hobbes(void **state)
{
    (void)state;
    check_file("positions/see_hobbes.epd", "|");
}

static void test_sirius(void **state)
{
    (void)state;
    check_file("positions/see_sirius.epd", ";");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_positions),
        cmocka_unit_test(test_hobbes),
        cmocka_unit_test(test_sirius),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
