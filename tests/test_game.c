// Whole games: how they end and why, repetition, dead positions, declared ends, numbered starts.
#include "notation_help.h"
#include "test_json.h"

#include "core/game.h"

static GameStep steps[2048];

static void begin(Game *game, const char *variant, const char *fen)
{
    Position pos;
    Error error;
    const Rules *rules = rules_find(variant);
    assert_non_null(rules);
    fen = fen ? fen : rules->start_fen;
    if (!position_set_up(&pos, rules, fen, &error))
        fail_msg("%s: %s", fen, error.text);
    game_init(game, &pos, steps, sizeof steps / sizeof *steps);
}

static void play(Game *game, const char *moves)
{
    char word[16];
    int used;
    Error error;
    for (; sscanf(moves, "%15s%n", word, &used) == 1; moves += used) {
        Move move = move_from_san(&game->now, word, &error);
        if (move == MOVE_NONE)
            fail_msg("%s: %s", word, error.text);
        assert_true(game_play(game, move, &error));
    }
}

static void check_outcome(const Game *game, Result result, Reason reason)
{
    Outcome outcome = game_outcome(game);
    if (outcome.result != result || outcome.reason != reason)
        fail_msg("%s %s, should be %s %s", result_text(outcome.result), reason_text(outcome.reason),
                 result_text(result), reason_text(reason));
}

static void test_ends_on_the_board(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *fen;
        Result result;
        Reason reason;
    } ends[] = {
        {"chess", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", RESULT_WHITE, REASON_CHECKMATE},
        {"chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", RESULT_DRAW, REASON_STALEMATE},
        {"chess", "7k/8/6K1/8/8/8/8/R7 b - - 100 90", RESULT_DRAW, REASON_FIFTY_MOVES},
        {"chess", "R6k/8/6K1/8/8/8/8/8 b - - 100 90", RESULT_WHITE,
         REASON_CHECKMATE}, // mate comes first
        {"chess", "7k/8/6K1/8/8/8/8/8 b - - 3 90", RESULT_DRAW, REASON_DEAD_POSITION},
        {"chess", "7k/8/6K1/8/8/8/8/6N1 b - - 3 90", RESULT_DRAW, REASON_DEAD_POSITION},
        {"chess", "7k/8/6K1/8/8/8/8/B1B3b1 b - - 3 90", RESULT_DRAW,
         REASON_DEAD_POSITION}, // one colour of square
        {"chess", "7k/8/6K1/8/8/8/8/BB6 b - - 3 90", RESULT_NONE, REASON_NONE},
        {"chess", "7k/8/6K1/8/8/8/8/NN6 b - - 3 90", RESULT_NONE, REASON_NONE},
        {"horde32", "8/8/8/8/8/8/8/4K3 b - - 0 40", RESULT_WHITE, REASON_ALL_CAPTURED},
        {"horde32", "8/8/8/8/8/8/8/4K2b w - - 0 1", RESULT_NONE,
         REASON_NONE}, // no dead positions here
        {"horde32", "8/8/8/8/8/p7/P7/4K3 b - - 0 1", RESULT_DRAW, REASON_STALEMATE},
        {"massacre", "q7/8/8/8/8/8/8/1N6 w - - 0 30", RESULT_BLACK, REASON_NO_CAPTURE},
        {"massacre", "8/8/8/8/8/8/8/1N6 b - - 0 30", RESULT_WHITE, REASON_ALL_CAPTURED},
        {"legan", "k7/8/1K6/8/8/8/8/8 w - - 0 30", RESULT_DRAW, REASON_DEAD_POSITION},
        {"corner", "k7/8/1Q6/8/8/8/8/7K b - - 0 30", RESULT_DRAW, REASON_STALEMATE},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Game game;
        begin(&game, ends[i].variant, ends[i].fen);
        print_message("# %s %s\n", ends[i].variant, ends[i].fen);
        check_outcome(&game, ends[i].result, ends[i].reason);
        Outcome alone = position_outcome(&game.now);
        assert_int_equal(alone.reason, ends[i].reason);
    }
}

static void test_repetition(void **state)
{
    (void)state;
    Game game;
    begin(&game, "chess", NULL);
    play(&game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    check_outcome(&game, RESULT_NONE, REASON_NONE);
    play(&game, "Ng8");
    check_outcome(&game, RESULT_DRAW, REASON_REPETITION);
    assert_int_equal(game_repetitions(&game), 3);
    assert_true(game_undo(&game));
    check_outcome(&game, RESULT_NONE, REASON_NONE);
    // A right to castle that is lost makes another position of it.
    begin(&game, "chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    play(&game, "Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8");
    assert_int_equal(game_repetitions(&game), 2);
    // So does a right to take en passant, but only if it could be used.
    begin(&game, "chess", "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1");
    play(&game, "a4 Kd8 Kd1 Ke8 Ke1");
    assert_int_equal(game_repetitions(&game), 1);
    begin(&game, "chess", "4k3/8/8/8/7p/8/P7/4K3 w - - 0 1");
    play(&game, "a4 Kd8 Kd1 Ke8 Ke1");
    assert_int_equal(game_repetitions(&game), 2);
}

static void test_declared_ends(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *fen;
        Reason reason;
        Color loser;
        Result result;
        Reason final;
    } ends[] = {
        {"chess", NULL, REASON_RESIGNATION, WHITE, RESULT_BLACK, REASON_RESIGNATION},
        {"chess", NULL, REASON_TIME, BLACK, RESULT_WHITE, REASON_TIME},
        {"chess", NULL, REASON_AGREEMENT, WHITE, RESULT_DRAW, REASON_AGREEMENT},
        {"chess", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", REASON_TIME, WHITE, RESULT_DRAW,
         REASON_TIME_NO_MATE},
        {"chess", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", REASON_TIME, BLACK, RESULT_WHITE, REASON_TIME},
        {"chess", "4k3/8/8/8/8/8/P7/4KN2 w - - 0 1", REASON_RESIGNATION, WHITE, RESULT_DRAW,
         REASON_RESIGNATION_NO_MATE},
        {"chess", "4k3/8/8/8/8/8/q7/4KN2 w - - 0 1", REASON_TIME, BLACK, RESULT_DRAW,
         REASON_TIME_NO_MATE},
        {"chess", "4k3/8/8/8/8/8/r7/4KN2 w - - 0 1", REASON_TIME, BLACK, RESULT_WHITE,
         REASON_TIME}, // smothered
        {"chess", "4k3/8/8/8/8/8/p7/4KB2 w - - 0 1", REASON_TIME, BLACK, RESULT_WHITE, REASON_TIME},
        {"chess", "4k3/8/8/8/8/8/r7/4KB2 w - - 0 1", REASON_TIME, BLACK, RESULT_DRAW,
         REASON_TIME_NO_MATE},
        {"horde32", "8/8/8/8/8/8/p7/4K3 w - - 0 1", REASON_TIME, BLACK, RESULT_WHITE, REASON_TIME},
        {"massacre", NULL, REASON_TIME, BLACK, RESULT_WHITE, REASON_TIME},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Game game;
        Error error;
        begin(&game, ends[i].variant, ends[i].fen);
        game_declare(&game, ends[i].reason, ends[i].loser);
        check_outcome(&game, ends[i].result, ends[i].final);
        assert_false(game_play(&game, MOVE_NONE, &error));
        assert_non_null(strstr(error.text, "over"));
    }
}

static void test_room_runs_out(void **state)
{
    (void)state;
    Game game;
    Error error;
    begin(&game, "chess", NULL);
    game.capacity = 2;
    play(&game, "e4 e5");
    assert_false(game_play(&game, move_from_san(&game.now, "d4", &error), &error));
    assert_int_equal(game.count, 2);
    assert_true(game_undo(&game) && game_undo(&game));
    assert_false(game_undo(&game));
    assert_memory_equal(&game.now, &game.start, sizeof game.now);
}

static void check_start(const char *variant, uint64_t number, const char *expected)
{
    char fen[FEN_SIZE], back[FEN_SIZE];
    Position pos;
    Error error;
    assert_true(rules_start_fen(rules_find(variant), number, fen, &error));
    assert_string_equal(fen, expected);
    assert_true(position_start(&pos, rules_find(variant), number, &error));
    position_to_fen(&pos, FEN_XFEN, back);
    assert_string_equal(fen, back);
}

static void test_starts(void **state)
{
    (void)state;
    check_start("chess", 0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    check_start("chess960", 518, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    check_start("chess960", 0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    check_start("chess960", 959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
    check_start("doublechess960", 518 * 960,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    check_start("corner", 137, "krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w - - 0 1");
    check_start("fortress", 137, "krrqbbnn/pppppppp/ppp5/8/8/5PPP/PPPPPPPP/NNBBQRRK w - - 0 1");
    check_start(
        "massacre", 1,
        "NRnRNrNN/BRQQQnnB/bnQnrrbq/NqBRQbqq/brqBrBQB/RqbnQRqr/qrnBNRbb/NbNnQrRB w - - 0 1");
    char fen[FEN_SIZE];
    Error error;
    assert_false(rules_start_fen(rules_find("corner"), 360, fen, &error));
    assert_string_equal(error.text, "Corner has start positions 0 to 359, not 360");
    assert_false(rules_start_fen(rules_find("doublechess960"), 960 * 960, fen, &error));
    assert_null(rules_find("horde")); // that name is another game's
    // every number gives another position
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const Rules *rules = &VARIANTS[v];
        static char all[960][FEN_SIZE];
        uint64_t count = rules_start_count(rules) <= 960 ? rules_start_count(rules) : 960;
        for (uint64_t n = 0; n < count; n++) {
            Position pos;
            assert_true(rules_start_fen(rules, n, all[n], &error) &&
                        position_start(&pos, rules, n, &error));
            assert_true(position_is_ok(&pos, &error));
        }
        qsort(all, count, FEN_SIZE, (int (*)(const void *, const void *))strcmp);
        for (uint64_t n = 1; n < count; n++)
            assert_string_not_equal(all[n - 1], all[n]);
    }
}

// --- the large collection ----------------------------------------------------------------------

static void check_stated_end(const Game *game, const char *line)
{
    char result[16], reason[64];
    Outcome outcome = game_outcome(game);
    assert_true(json_text(line, "result", result, sizeof result) &&
                json_text(line, "reason", reason, sizeof reason));
    if (!strcmp(result, "1/2"))
        strcpy(result, "1/2-1/2");
    assert_string_equal(result_text(outcome.result), result);
    assert_string_equal(reason_text(outcome.reason), reason);
}

static void test_terminal_positions(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], line[1024], variant[64], fen[FEN_SIZE];
    int count = 0;
    test_shared_or_skip("variants/thesis-terminal.json", path);
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        Game game;
        if (!json_text(line, "variant", variant, sizeof variant))
            continue;
        assert_true(json_text(line, "fen", fen, sizeof fen));
        Position pos;
        Error error;
        if (!position_set_up(&pos, rules_find(variant), fen,
                             &error)) { // a few could not arise in a game
            print_message("# %s %s: %s\n", variant, fen, error.text);
            set_up_unchecked(&pos, rules_find(variant), fen);
        }
        game_init(&game, &pos, steps, sizeof steps / sizeof *steps);
        check_stated_end(&game, line);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 54);
}

static void test_whole_games(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], variant[64], fen[FEN_SIZE], final[FEN_SIZE];
    static char line[1 << 16], moves[1 << 16];
    int count = 0;
    test_shared_or_skip("variants/thesis-games.json", path);
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        Game game;
        Error error;
        if (!json_text(line, "variant", variant, sizeof variant))
            continue;
        assert_true(json_text(line, "start", fen, sizeof fen) &&
                    json_text(line, "moves", moves, sizeof moves) &&
                    json_text(line, "final", final, sizeof final));
        begin(&game, variant, fen);
        char *rest = moves;
        for (char *word; (word = strsep(&rest, " "));) {
            check_outcome(&game, RESULT_NONE, REASON_NONE); // not over before its end
            Move move = move_from_uci(&game.now, word, &error);
            assert_int_not_equal(move, MOVE_NONE);
            assert_true(game_play(&game, move, &error));
        }
        position_to_fen(&game.now, FEN_XFEN, fen);
        assert_string_equal(fen, final);
        check_stated_end(&game, line);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_on_the_board),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_declared_ends),
        cmocka_unit_test(test_room_runs_out),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_terminal_positions),
        cmocka_unit_test(test_whole_games),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
