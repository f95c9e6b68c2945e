// EPD: operations, dialects, refusals, and that what was read is written back.
#include "core/epd.h"
#include "notation_help.h"

#define KINGS "4k3/8/8/8/8/8/4P3/4K3 w - -"

// The line written again; or the reason for the refusal, with "!" before it.
static const char *read_back(const char *line, size_t size)
{
    static char text[4096];
    Epd epd;
    Error error = {0};
    char *copy = malloc(size + 1); // exactly sized, so that a sanitizer sees a step too far
    memcpy(copy, line, size);
    if (epd_read(&epd, &VARIANTS[VARIANT_CHESS], copy, size, &error)) {
        size_t length = epd_write(&epd, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(epd_write(&epd, NULL, 0), length);
    } else {
        snprintf(text, sizeof text, "!%s", error.text);
    }
    free(copy);
    return text;
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected;
    } cases[] = {
        {KINGS, KINGS},
        {KINGS " bm e4; id \"a; b\";", KINGS " bm e4; id \"a; b\";"},
        {"  " KINGS "\tbm   e4 ;;id x\r\n", KINGS " bm e4; id x;"},
        {KINGS "; am e3", KINGS " am e3;"},
        {KINGS " 0 1 ;D1 6 ;D2 36", KINGS " D1 6; D2 36;"},
        {KINGS " 12 40 bm e4;", KINGS " hmvc 12; fmvn 40; bm e4;"},
        {KINGS " fmvn 40; hmvc 12;", KINGS " hmvc 12; fmvn 40;"},
        {KINGS " bm e4 dm 26", KINGS " bm e4; dm 26;"},
        {KINGS " id is it a bm or not; noop;", KINGS " id is it a bm or not; noop;"},
        {KINGS " c0 \"bm\"; x \"am\" y;", KINGS " c0 \"bm\"; x \"am\" y;"},
        {"4k3/8/8/8/8/8/4P3/4K3 w", KINGS},
        {"", "!empty"},
        {"   ", "!empty"},
        {"4k3/8/8/8/8/8/4P3/4K3", "!side to move: missing"},
        {"4k3/8/8/8/8/8/4P3/4K2 w - -", "!board: rank 1 has 7 squares, not 8"},
        {KINGS " id \"open", "!operation 'id \"open': quote not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_back(cases[i].line, strlen(cases[i].line)), cases[i].expected);
    assert_string_equal(read_back(KINGS " bm e4\0\0", sizeof KINGS " bm e4\0\0"), KINGS " bm e4;");
    assert_string_equal(read_back(KINGS " bm e4; +1 x;", strlen(KINGS " bm e4; +1 x;")),
                        "!operation '+1': a name begins with a letter");
}

static void test_operands(void **state)
{
    (void)state;
    Epd epd;
    Error error;
    static const char line[] = KINGS " bm e4 + e3!; am Kd5; id \"two words\" three; ce -25;";
    assert_true(epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strlen(line), &error));
    Move list[4];
    char uci[MOVE_TEXT_SIZE];
    assert_int_equal(epd_moves(&epd, "bm", list, 4, &error), 2);
    move_to_uci(&epd.pos, list[1], false, uci);
    assert_string_equal(uci, "e2e3");
    assert_int_equal(epd_moves(&epd, "am", list, 4, &error), -1);
    assert_string_equal(error.text, "'Kd5' is illegal: no king can go there");
    assert_int_equal(epd_moves(&epd, "pm", list, 4, &error), 0);
    EpdText operands = epd_find(&epd, "id")->operands, operand;
    assert_true(epd_next_operand(&operands, &operand));
    assert_int_equal(operand.size, 9);
    assert_memory_equal(operand.text, "two words", 9);
    assert_true(epd_next_operand(&operands, &operand));
    assert_memory_equal(operand.text, "three", 5);
    assert_false(epd_next_operand(&operands, &operand));
    assert_null(epd_find(&epd, "i"));
}

// Too many operations, endless lines: refused or read, quickly.
static void test_excess(void **state)
{
    (void)state;
    size_t size = 1 << 20;
    char *line = malloc(size + 1);
    static const char *const patterns[] = {"bm ", ";", "x;", "\"",  "\"a\" ",
                                           "id ", "a", " ",  "\x01"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t used = (size_t)snprintf(line, size, "%s ", KINGS), length = strlen(patterns[i]);
        for (size_t j = 0; used < size; used++, j++)
            line[used] = patterns[i][j % length];
        line[size] = 0;
        Epd epd;
        Error error = {0};
        bool ok = epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, size, &error);
        assert_true(ok || error.text[0]);
    }
    free(line);
}

static void check_round_trip(const Position *pos, Move next, void *context)
{
    (void)next, (void)context;
    char line[512], again[512];
    Epd epd = {.pos = *pos, .count = 1};
    epd.operations[0] = (EpdOperation){{"id", 2}, {"\"x; y\"", 6}};
    epd_write(&epd, line, sizeof line);
    Error error;
    Epd back;
    if (!epd_read(&back, pos->rules, line, strlen(line), &error))
        fail_msg("%s: %s", line, error.text);
    assert_true(back.pos.state.key == pos->state.key);
    assert_int_equal(back.pos.state.fifty, pos->state.fifty);
    assert_int_equal(back.pos.ply, pos->ply);
    epd_write(&back, again, sizeof again);
    assert_string_equal(line, again);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t game = 0; game < 10; game++)
            random_game(&VARIANTS[v], game + 3000, 200, check_round_trip, NULL);
}

// Suites in every dialect: how many lines are read, and how many have all their best moves legal.
static void test_shared_suites(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int read, refused;
    } files[] = {
        {"suites/sarona/bratko-kopec.epd", 24, 0},
        {"suites/sarona/hard-mates-blass-uri.epd", 24, 0},
        {"suites/sarona/nolot.epd", 11, 0},
        {"suites/sarona/kaufman.epd", 21, 4},
        {"suites/sarona/fortresses.epd", 166, 3},
        {"suites/sarona/wac.epd", 299, 0},
        {"suites/arasan/wacnew.epd", 300, 0},
        {"suites/sts/STS1-STS15_LAN_v6.epd", 1188, 0},
        {"suites/whittington/benchmark.epd", 948, 0},
        {"suites/lct2.epd", 35, 0},
        {"endgame/pychess_GetMated.epd", 3119, 0},
        {"perft/ethereal_standard.epd", 128, 0},
    };
    char path[TEST_PATH_SIZE];
    int wrong = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        test_shared_or_skip(files[i].name, path);
        FILE *file = fopen(path, "rb");
        char *line = NULL;
        size_t capacity = 0;
        int read = 0, refused = 0;
        for (ssize_t size; (size = getline(&line, &capacity, file)) > 0;) {
            Epd epd;
            if (line[strspn(line, "\r\n")] == 0 && size <= 2)
                continue;
            bool ok = epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, (size_t)size, NULL);
            read += ok;
            refused += !ok;
        }
        free(line);
        fclose(file);
        if (read != files[i].read || refused != files[i].refused) {
            print_error("%s: %d read, %d refused\n", files[i].name, read, refused);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// As many operations as there is room for, and the counters beside them.
static void test_full_line(void **state)
{
    (void)state;
    char line[1024] = "4k3/8/8/8/8/8/4P3/4K3 b - - fmvn 5;", written[1024];
    Epd epd, again;
    Error error = {0};
    for (int i = 0; i < EPD_MAX_OPERATIONS; i++)
        strcat(line, " D 5;");
    assert_true(epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strlen(line), &error));
    assert_int_equal(epd.pos.ply, 9);
    size_t size = epd_write(&epd, written, sizeof written);
    assert_true(epd_read(&again, &VARIANTS[VARIANT_CHESS], written, size, &error));
    assert_int_equal(again.count, EPD_MAX_OPERATIONS);
    strcat(line, " D 5;");
    assert_false(epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strlen(line), &error));
    assert_string_equal(error.text, "more than 64 operations");
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_operands),
        cmocka_unit_test(test_excess),    cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_full_line), cmocka_unit_test(test_shared_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
