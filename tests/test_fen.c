// FEN: what is read, what is repaired, what is refused and with which words; and that all is
// written back.
#include "notation_help.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

// What was accepted, written in X-FEN; or the reason for the refusal, with "!" before it.
static const char *read_back(const char *variant, const char *fen)
{
    static char text[ERROR_TEXT_SIZE + 1];
    Position pos;
    Error error = {.text = "no reason given"};
    const Rules *rules = rules_find(variant);
    assert_non_null(rules);
    memset(&pos, 0x5a, sizeof pos);
    Position before = pos;
    if (!position_from_fen(&pos, rules, fen, &error)) {
        assert_memory_equal(&pos, &before, sizeof pos); // a refusal leaves the position alone
        snprintf(text, sizeof text, "!%s", error.text);
        return text;
    }
    if (!position_is_ok(&pos, &error))
        fail_msg("%s: %s", fen, error.text);
    position_to_fen(&pos, FEN_XFEN, text);
    return text;
}

typedef struct Case {
    const char *variant, *fen, *expected; // NULL: as given
} Case;

static void check_cases(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *expected = cases[i].expected ? cases[i].expected : cases[i].fen;
        const char *got = read_back(cases[i].variant, cases[i].fen);
        if (strcmp(got, expected))
            fail_msg("%s: %s\n  expected %s\n  got      %s", cases[i].variant, cases[i].fen,
                     expected, got);
    }
}
#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

static void test_accepted(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", START " w KQkq - 0 1", NULL},
        {"chess", "  " START "\tb  -\n", START " b - - 0 1"},
        {"chess", START " w HAha - 3 7", START " w KQkq - 3 7"},
        {"chess", START " w KQkq - 0 0", START " w KQkq - 0 1"},
        {"chess", START " w KQkq - 0 1 and some words", START " w KQkq - 0 1"},
        {"chess", "4k3/8/4p3/3pP3/8/8/8/4K3 w - d6 0 1", NULL},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - 100 200", NULL},
        {"chess960", "rkr5/8/8/8/8/8/8/RKR5 w KQkq - 0 1", NULL},
        {"chess960", "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1", "rkr5/8/8/8/8/8/8/RKR5 w KQkq - 0 1"},
        // An inner rook needs its file.
        {"chess960", "4k3/8/8/8/8/8/8/R1R1K1RR w CG - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1"},
        {"doublechess960", "bbqnnrkr/8/8/8/8/8/8/RKRNNQBB w KQkq - 0 1", NULL},
        {"horde32", "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", NULL},
        {"horde32", "8/8/8/8/8/8/8/4K3 b - - 0 40", NULL}, // all taken: the end of a game
        {"horde32", "8/qqqqqqqq/qqqqqqqq/8/8/8/K7/8 b - - 0 1",
         "!side to move: black could take the king"},
        {"legan", "knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1", NULL},
        {"legan", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", NULL},
        {"corner", "krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w KQkq - 0 1",
         "krrqbbnn/pppppppp/8/8/8/8/PPPPPPPP/NNBBQRRK w - - 0 1"},
        {"fortress", "krrqbbnn/pppppppp/ppp5/8/8/5PPP/PPPPPPPP/NNBBQRRK w - - 0 1", NULL},
        {"massacre", "8/8/8/8/8/8/8/nN6 w - - 3 9", NULL},
    };
    CHECK_CASES(cases);
}

static void test_repaired(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w KQkq - 0 1",
         "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - - 0 1"},
        {"chess", START " w KQkq e6 0 1", START " w KQkq - 0 1"},
        {"chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
        {"chess", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"},
        {"chess", "8/6b1/8/3pP3/3K4/8/8/7k w - d6 0 1", "8/6b1/8/3pP3/3K4/8/8/7k w - - 0 1"},
        {"chess", "3k4/8/8/8/8/8/8/R5KR w KQ - 0 1", "3k4/8/8/8/8/8/8/R5KR w - - 0 1"},
        {"chess", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"},
        {"chess", "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/1R2K2R w K - 0 1"},
        {"horde32", "8/8/8/8/8/8/p7/R3K2R w KQkq - 0 1", "8/8/8/8/8/8/p7/R3K2R w KQ - 0 1"},
    };
    CHECK_CASES(cases);
}

static void test_refused(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", "", "!FEN: empty"},
        {"chess", START, "!side to move: missing"},
        {"chess", START " x", "!side to move: 'x' is neither w nor b"},
        {"chess", START " W KQkq - 0 1", "!side to move: 'W' is neither w nor b"},
        {"chess", "8/8/8/8/8/8/8 w", "!board: 7 ranks, not 8"},
        {"chess", "8/8/8/8/8/8/8/8/8 w", "!board: more than 8 ranks"},
        {"chess", "8/8/8/8/8/8/8/7 w", "!board: rank 1 has 7 squares, not 8"},
        {"chess", "9/8/8/8/8/8/8/8 w", "!board: '9' on rank 8 is no piece"},
        {"chess", "8/8p/8/8/8/8/8/8 w", "!board: rank 7 has more than 8 squares"},
        {"chess", "8/8/8/3x4/8/8/8/8 w", "!board: 'x' on rank 5 is no piece"},
        {"chess", "8/8/8/8/8/8/8/8 w - -", "!board: empty"},
        {"chess", START " w KK - 0 1", "!castling: 'K' stands twice"},
        {"chess", START " w KQAb - 0 1", "!castling: 'A' names a rook for the second time"},
        {"chess", START " w KX - 0 1", "!castling: 'X' is no castling right"},
        {"chess", "4k3/8/8/8/8/8/8/1R2K2R w B - 0 1",
         "!castling: 'B' is a right of Chess960, not of this game"},
        {"chess960", "4k3/8/8/8/8/8/8/4K1RR w HG - 0 1",
         "!castling: 'G' is a second right on the same side"},
        {"chess", START " w - e4 0 1",
         "!en passant: 'e4' is neither - nor a square of rank 3 or 6"},
        {"chess", START " w - - -1 1", "!half-move clock: '-1' is no number"},
        {"chess", START " w - - 10000 1", "!half-move clock: more than 9999"},
        {"chess", START " w - - 0 30001", "!move number: more than 30000"},
        {"chess", START " w - - 0 99999999999999999999", "!move number: more than 30000"},
        {"chess", "8/8/8/8/8/8/8/K7 w - - 0 1", "!board: black has no king"},
        {"chess", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "!board: black has 2 kings"},
        {"horde32", "k7/8/8/8/8/8/8/K7 w - - 0 1",
         "!board: black has a king, which this game does not know"},
        {"chess", "k7/8/8/8/8/8/8/K3P3 w - - 0 1", "!board: a white pawn cannot stand on e1"},
        {"chess", "k2P4/8/8/8/8/8/8/K7 w - - 0 1", "!board: a white pawn cannot stand on d8"},
        {"horde32", "8/8/8/8/8/8/8/K2p4 w - - 0 1", "!board: a black pawn cannot stand on d1"},
        {"legan", "k7/8/P7/8/8/8/8/K7 w - - 0 1", "!board: a white pawn cannot stand on a6"},
        {"chess", "k7/8/8/P7/8/8/PPPPPPPP/K7 w - - 0 1", "!board: white has 9 pawns, more than 8"},
        {"chess", "k7/8/8/QQ6/8/8/PPPPPPPP/K7 w - - 0 1",
         "!board: white has 1 promoted men, but only 0 pawns are gone"},
        {"massacre", "8/8/8/8/8/8/8/nNP5 w - - 0 1", "!board: white has 1 pawns, more than 0"},
        {"massacre", "8/8/8/8/8/8/NNNNNNNN/nN6 w - - 0 1",
         "!board: white has 1 promoted men, but only 0 pawns are gone"},
        {"fortress", "k7/8/8/PPPP4/8/PPP5/PPPPP3/K7 w - - 0 1",
         "!board: white has 12 pawns, more than 11"},
        {"chess", "8/8/8/3Kk3/8/8/8/8 w - - 0 1", "!side to move: white could take the king"},
        {"legan", "8/8/8/3k4/3P4/8/8/K7 w - - 0 1", "!side to move: white could take the king"},
    };
    CHECK_CASES(cases);
}

static void test_long_text_refused(void **state)
{
    (void)state;
    static char text[70000];
    memset(text, 'x', sizeof text - 1);
    memcpy(text, START " w KQkq - 0 1 ", sizeof START " w KQkq - 0 1 " - 1);
    assert_string_equal(read_back("chess", text), "!FEN: longer than 512 characters");
}

static void check_round_trip(const Position *pos, Move next, void *context)
{
    (void)next, (void)context;
    for (FenStyle style = FEN_XFEN; style <= FEN_SHREDDER; style++) {
        char fen[FEN_SIZE], again[FEN_SIZE];
        Position copy;
        Error error;
        position_to_fen(pos, style, fen);
        if (!position_from_fen(&copy, pos->rules, fen, &error))
            fail_msg("%s: '%s' was written but is refused: %s", pos->rules->name, fen, error.text);
        position_to_fen(&copy, style, again);
        assert_string_equal(fen, again);
        assert_true(copy.state.key == pos->state.key);
        assert_true(copy.state.castling == pos->state.castling);
        assert_true(copy.state.en_passant == pos->state.en_passant);
        assert_true(copy.state.checkers == pos->state.checkers);
        assert_memory_equal(copy.state.part, pos->state.part, sizeof copy.state.part);
        assert_memory_equal(copy.board, pos->board, sizeof copy.board);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t game = 0; game < (test_level() == TEST_QUICK ? 20 : 200); game++)
            random_game(&VARIANTS[v], game, 300, check_round_trip, NULL);
}

// The collection of bad and odd texts: every verdict as it should be.
static void test_bad_list(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("fen_bad/fen_bad_A.tsv", path);
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    int count = 0, wrong = 0;
    while (getline(&line, &size, file) > 0) {
        char *fields[5];
        split_tabs(line, fields, 5);
        if (!strcmp(fields[1], "verdict"))
            continue;
        for (char *tab; (tab = strstr(fields[4], "<TAB>"));) {
            *tab = '\t';
            memmove(tab + 1, tab + 5, strlen(tab + 5) + 1);
        }
        bool accepted = read_back("chess", fields[4])[0] != '!';
        bool is_right =
            !strcmp(fields[1], "either") || accepted == (strcmp(fields[1], "reject") != 0);
        if (!is_right)
            print_error("%s %s (%s): %.80s\n", fields[0], fields[1], fields[2], fields[4]);
        wrong += !is_right;
        count++;
    }
    free(line);
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_int_equal(count, 103);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),   cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_long_text_refused),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
