// Moves as text: every legal move of random games of every variant is written and read back, and a
// table of forms people type, with those that must be refused.
#include "core/letters.h"
#include "notation_help.h"

static void set_up(Position *pos, const char *variant, const char *fen)
{
    Error error;
    if (!position_from_fen(pos, rules_find(variant), fen, &error))
        fail_msg("%s: %s", fen, error.text);
}

// Coordinates of the move that a text means, "-" for none.
static const char *read_san(const Position *pos, const char *san)
{
    static char uci[MOVE_TEXT_SIZE];
    Error error = {0};
    Move move = move_from_san(pos, san, &error);
    if (!move) {
        assert_string_not_equal(error.text, ""); // there is always a reason
        return "-";
    }
    move_to_uci(pos, move, false, uci);
    return uci;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void check_all_moves(const Position *pos, Move next, void *context)
{
    (void)next, (void)context;
    Move list[MAX_MOVES];
    static char sans[MAX_MOVES][MOVE_TEXT_SIZE];
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        char uci[MOVE_TEXT_SIZE];
        Error error = {0};
        move_to_san(pos, list[i], sans[i]);
        Move back = move_from_san(pos, sans[i], &error);
        if (back != list[i])
            fail_msg("%s: %s was not read back: %s", pos->rules->name, sans[i], error.text);
        move_to_long(pos, list[i], uci);
        if (move_from_san(pos, uci, &error) != list[i])
            fail_msg("%s: %s was not read back: %s", pos->rules->name, uci, error.text);
        for (int chess960 = 0; chess960 < 2; chess960++) {
            move_to_uci(pos, list[i], chess960, uci);
            if (move_from_uci(pos, uci, &error) != list[i] ||
                move_from_san(pos, uci, &error) != list[i])
                fail_msg("%s: %s was not read back: %s", pos->rules->name, uci, error.text);
        }
        // The sign at the end tells the truth.
        Position after = *pos;
        Undo undo;
        position_make(&after, list[i], &undo);
        char expected = !position_in_check(&after) ? 0 : movegen_any(&after) ? '+' : '#';
        char last = sans[i][strlen(sans[i]) - 1];
        assert_int_equal(last == '+' || last == '#' ? last : 0, expected);
    }
    qsort(sans, (size_t)count, sizeof *sans, compare_texts);
    for (int i = 1; i < count; i++)
        assert_string_not_equal(sans[i - 1], sans[i]);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t game = 0; game < (test_level() == TEST_QUICK ? 5 : 40); game++)
            random_game(&VARIANTS[v], game + 1000, 250, check_all_moves, NULL);
}

// Coordinates that are no legal move are refused, all 64 * 64 of them and with every promotion.
static void check_no_other_moves(const Position *pos, Move next, void *context)
{
    (void)next;
    if (++*(int *)context % 16)
        return;
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list), accepted = 0, castles = 0;
    for (int i = 0; i < count; i++) {
        char wide[MOVE_TEXT_SIZE], narrow[MOVE_TEXT_SIZE];
        move_to_uci(pos, list[i], true, wide);
        move_to_uci(pos, list[i], false, narrow);
        castles += strcmp(wide, narrow) != 0; // these are accepted in two forms
    }
    for (Square from = 0; from < 64; from++)
        for (Square to = 0; to < 64; to++)
            for (const char *p = " nbrqkp"; *p; p++) {
                char text[6] = {(char)('a' + square_file(from)), (char)('1' + square_rank(from)),
                                (char)('a' + square_file(to)),   (char)('1' + square_rank(to)),
                                (char)(*p == ' ' ? 0 : *p),      0};
                Move move = move_from_uci(pos, text, NULL);
                accepted += move != MOVE_NONE;
                if (!move)
                    continue;
                int found = 0;
                for (int i = 0; i < count; i++)
                    found += list[i] == move;
                assert_int_equal(found, 1);
            }
    // In Chess960 a king may also be sent to its goal from afar: more texts, but no other moves.
    bool is_plain =
        pos->rules->start != START_CHESS960 && pos->rules->start != START_DOUBLE_CHESS960;
    if (is_plain)
        assert_int_equal(accepted, count + castles);
}

static void test_coordinates_exact(void **state)
{
    (void)state;
    int counter = 0;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t game = 0; game < 10; game++)
            random_game(&VARIANTS[v], game + 2000, 200, check_no_other_moves, &counter);
}

typedef struct Case {
    const char *variant, *fen, *text, *expected;
} Case;

#define START     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define CASTLE    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define PROMOTE   "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
#define ENPASSANT "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
#define LEGAN     "k7/8/8/4p3/4PPP1/8/8/7K w - - 0 1"

static void test_forms(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", START, "e4", "e2e4"},
        {"chess", START, " 1. e4 ", "e2e4"},
        {"chess", START, "1...e4", "e2e4"},
        {"chess", START, "e2-e4", "e2e4"},
        {"chess", START, "Pe2e4", "e2e4"},
        {"chess", START, "e2xe4", "e2e4"}, // coordinates: signs do not matter
        {"chess", START, "exe4", "-"},
        {"chess", START, "Nxf3", "g1f3"},
        {"chess", START, "Ng1-f3!?", "g1f3"},
        {"chess", START,
         "\xe2\x99\x98"
         "f3",
         "g1f3"},
        {"chess", START,
         "\xe2\x99\x9e"
         "f3",
         "g1f3"},
        {"chess", START, "g1f3", "g1f3"},
        {"chess", START, "e2e4q", "-"},
        {"chess", START, "e4=Q", "-"},
        {"chess", START, "e4=K", "-"},
        {"chess", START, "Nf3=Q", "-"},
        {"chess", START, "nf3", "-"},
        {"chess", START, "e9", "-"},
        {"chess", START, "i4", "-"},
        {"chess", START, "e", "-"},
        {"chess", START, "4", "-"},
        {"chess", START, "N", "-"},
        {"chess", START, "Nf", "-"},
        {"chess", START, "x", "-"},
        {"chess", START, "e4e", "-"},
        {"chess", START, "e4 e5", "-"},
        {"chess", START, "12.", "-"},
        {"chess", START, "\xe2\x99", "-"},
        {"chess", START, "\xe2", "-"},
        {"chess", START, "e7e5", "-"},
        {"chess", CASTLE, "O-O", "e1g1"},
        {"chess", CASTLE, "0-0-0+", "e1c1"},
        {"chess", CASTLE, "O-0", "-"},
        {"chess", CASTLE, "e1h1", "e1g1"},
        {"chess", CASTLE, "e1a1", "e1c1"},
        {"chess", CASTLE, "e1b1", "-"},
        {"chess", CASTLE, "e1g1q", "-"},
        {"chess", CASTLE, "Kg1", "-"},
        {"chess", CASTLE, "Ra8+", "a1a8"},
        {"chess", PROMOTE, "a8Q", "a7a8q"},
        {"chess", PROMOTE, "a8b", "a7a8b"},
        {"chess", PROMOTE, "a7a8b", "a7a8b"},
        {"chess", PROMOTE, "a8=(N)", "-"},
        {"chess", PROMOTE, "a8(N)", "a7a8n"},
        {"chess", PROMOTE, "axb8=R+", "a7b8r"},
        {"chess", PROMOTE, "ab8R", "a7b8r"},
        {"chess", PROMOTE, "abR", "a7b8r"},
        {"chess", PROMOTE, "axb", "-"},
        {"chess", PROMOTE, "a8", "-"},
        {"chess", PROMOTE, "a7a8", "-"},
        {"chess", ENPASSANT, "exf6e.p.", "e5f6"},
        {"chess", ENPASSANT, "ef", "e5f6"},
        {"chess", ENPASSANT, "e:f6", "e5f6"},
        {"chess", ENPASSANT, "f6", "-"},
        {"chess", ENPASSANT, "exd6", "-"},
        // The king stays, the rook moves: only king takes rook can say it.
        {"chess960", "4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O", "g1h1"},
        {"chess960", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "f1g1"},
        {"chess960", "4k3/8/8/8/8/8/8/5K1R w K - 0 1", "Kg1", "f1g1"},
        {"chess960", "4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", "f1g1"},
        {"chess960", "4k3/8/8/8/8/8/8/5K1R w K - 0 1", "O-O", "f1h1"},
        {"chess960", "4k3/8/8/8/8/8/8/1K5R w K - 0 1", "b1g1", "b1h1"},
        // Legan: a step goes up-left, a capture up or left, told apart by the file it starts from.
        {"legan", LEGAN, "exe5", "e4e5"},
        {"legan", LEGAN, "e5", "-"}, // a bare square is never a capture
        {"legan", LEGAN, "d5", "e4d5"},
        {"legan", LEGAN, "f5", "g4f5"},
        {"legan", LEGAN, "gf5", "g4f5"},
        {"legan", "k7/8/8/4pP2/4P3/8/8/7K w - - 0 1", "exe5", "e4e5"},
        {"legan", "k7/8/8/4pP2/4P3/8/8/7K w - - 0 1", "fxe5", "f5e5"},
        {"legan", "k7/8/8/4pP2/4P3/8/8/7K w - - 0 1", "xe5", "-"},
        {"massacre", "8/8/8/8/8/8/1n6/N2N3r w - - 0 1", "Nxb2", "d1b2"},
        {"massacre", "8/8/8/8/8/8/1n6/N2N3r w - - 0 1", "Nb3", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos;
        set_up(&pos, cases[i].variant, cases[i].fen);
        const char *got = read_san(&pos, cases[i].text);
        if (strcmp(got, cases[i].expected))
            fail_msg("%s '%s': expected %s, got %s", cases[i].fen, cases[i].text, cases[i].expected,
                     got);
    }
}

static void test_reasons(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", START, "Nd4", "'Nd4' is illegal: no knight can go there"},
        {"chess", START, "", "'' is no move: empty"},
        {"chess", START, "hello", "'hello' is no move"},
        {"chess", START, "e7e5", "'e7e5' is illegal: that man is not yours to move"},
        {"chess", START, "e4e5", "'e4e5' is illegal: no man stands there"},
        {"chess", START, "O-O", "'O-O' is illegal: no such castling"},
        {"chess", "4k3/8/8/8/8/8/8/N1K1N3 w - - 0 1", "Nc2", "'Nc2' is ambiguous: a1c2 or e1c2"},
        {"chess", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3",
         "'Nc3' is illegal: it leaves the king in check"},
        {"chess", PROMOTE, "a8", "'a8' is illegal: it does not say what the pawn becomes"},
        {"chess", PROMOTE, "a8=K",
         "'a8=K' is illegal: a pawn becomes a queen, rook, bishop or knight"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos;
        Error error;
        set_up(&pos, cases[i].variant, cases[i].fen);
        assert_int_equal(move_from_san(&pos, cases[i].text, &error), MOVE_NONE);
        assert_string_equal(error.text, cases[i].expected);
    }
}

// Writing: no more of the origin than is needed, pinned men do not count.
static void test_written(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"chess", "Q6Q/8/8/8/8/6k1/8/Q1K5 w - - 0 1", "h8d4", "Qhd4"},
        {"chess", "Q6Q/8/8/8/8/1k6/8/Q1K4Q w - - 0 1", "a1d4", "Qad4"},
        {"chess", "8/8/8/N7/8/N7/7k/N1K5 w - - 0 1", "a3c4", "N3c4"},
        {"chess", "4k3/8/8/8/8/N3N3/8/N1K5 w - - 0 1", "a3c2", "Na3c2"},
        {"chess", "8/8/8/1Q3Q2/7k/8/8/1Q3QK1 w - - 0 1", "b5d3", "Qb5d3"},
        {"chess", "4k3/8/8/8/4r3/8/4N1N1/4K3 w - - 0 1", "g2f4", "Nf4"},
        {"chess", PROMOTE, "a7b8q", "axb8=Q+"},
        {"chess", ENPASSANT, "e5f6", "exf6"},
        {"chess", "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", "h1h7", "Rxh7"},
        {"chess", "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1", "b1b8", "Rb8#"},
        {"chess", "r3k2r/8/8/8/8/8/5P2/R3K2R b kq - 0 1", "e8c8", "O-O-O"},
        {"chess", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"legan", "k7/8/8/4pP2/4P3/8/8/7K w - - 0 1", "f5e5", "fxe5"},
        {"legan", "k7/8/8/1P6/8/8/8/7K w - - 0 1", "b5a6q", "a6=Q+"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos;
        char san[MOVE_TEXT_SIZE];
        Error error = {0};
        set_up(&pos, cases[i].variant, cases[i].fen);
        Move move = move_from_uci(&pos, cases[i].text, &error);
        if (!move)
            fail_msg("%s %s: %s", cases[i].fen, cases[i].text, error.text);
        move_to_san(&pos, move, san);
        assert_string_equal(san, cases[i].expected);
    }
}

static void test_edge_list(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("positions/san_edge.tsv", path);
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    int count = 0, wrong = 0;
    while (getline(&line, &size, file) > 0) {
        char *fields[4];
        split_tabs(line, fields, 4);
        if (!strcmp(fields[0], "fen"))
            continue;
        Position pos;
        // A few of the positions leave a king to be taken, which no FEN reader lets pass.
        if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fields[0], NULL))
            set_up_unchecked(&pos, &VARIANTS[VARIANT_CHESS], fields[0]);
        const char *got = read_san(&pos, fields[1]);
        if (strcmp(got, fields[2])) {
            print_error("%s '%s' (%s): %s, not %s\n", fields[0], fields[1], fields[3], got,
                        fields[2]);
            wrong++;
        }
        count++;
    }
    free(line);
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(count >= 60);
}

static void test_letters(void **state)
{
    (void)state;
    static const struct {
        const char *language, *move, *english;
    } cases[] = {
        {"de", "Sgf3", "Ngf3"},     {"German", "Txd1+", "Rxd1+"}, {"cs", "dxe8=D", "dxe8=Q"},
        {"cs", "Jb1-c3", "Nb1-c3"}, {"fr", "Rf1", "Kf1"},         {"fr", "O-O-O", "O-O-O"},
        {"ru", "Крf1", "Kf1"},      {"ru", "Кf3", "Nf3"},         {"ru", "Фxa1#", "Qxa1#"},
        {"en", "Nf3", "Nf3"},       {"hu", "Be1", "Re1"},         {"pt", "Bb5", "Bb5"},
    };
    char english[LETTERS_TEXT_SIZE], longer[LETTERS_TEXT_SIZE + 1];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PieceLetters *letters = letters_find(cases[i].language);
        assert_non_null(letters);
        assert_true(letters_to_english(letters, cases[i].move, english));
        assert_string_equal(english, cases[i].english);
    }
    assert_null(letters_find("xx"));
    memset(longer, 'S', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_false(letters_to_english(letters_find("de"), longer, english));
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_coordinates_exact),
        cmocka_unit_test(test_forms),      cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_written),    cmocka_unit_test(test_edge_list),
        cmocka_unit_test(test_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
