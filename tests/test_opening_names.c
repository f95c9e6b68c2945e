// The table of openings: every row is legal and found again, transpositions too, and the codes
// agree with a public collection where that is at hand.
#include "core/pgn.h"
#include "notation_help.h"
#include "tables/opening_names.h"

static void start_chess(Position *pos)
{
    assert_true(position_start(pos, &VARIANTS[VARIANT_CHESS], 0, NULL));
}

// Plays moves in coordinates or SAN, with or without numbers; how many there were.
static int play_words(Position *pos, const char *words, Move *list)
{
    char copy[1024], *save = NULL;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        Undo undo;
        Error error;
        if (word[strlen(word) - 1] == '.')
            continue;
        Move move = move_from_san(pos, word, &error);
        if (!move)
            fail_msg("%s: %s", words, error.text);
        position_make(pos, move, &undo);
        list[count++] = move;
    }
    return count;
}

static void test_rows(void **state)
{
    (void)state;
    OpeningNames *openings = opening_names_new();
    bool has_code[500] = {false};
    for (int i = 0; i < OPENING_NAME_COUNT; i++) {
        const OpeningName *row = &OPENING_NAMES[i];
        Position pos;
        Move list[100];
        start_chess(&pos);
        int count = play_words(&pos, row->moves, list);
        if (opening_names_find(openings, &pos) != row)
            fail_msg("%s: its position has another name", row->name);
        start_chess(&pos);
        assert_ptr_equal(opening_names_of_moves(openings, &pos, list, count), row);
        assert_int_equal(strlen(row->code), 3);
        assert_true(strchr("ABCDE", row->code[0]) && strlen(row->name) < 100);
        has_code[(row->code[0] - 'A') * 100 + atoi(row->code + 1)] = true;
    }
    for (int i = 0; i < 500; i++)
        if (!has_code[i])
            fail_msg("%c%02d has no row", 'A' + i / 100, i % 100);
    opening_names_free(openings);
}

static void expect(const char *moves, const char *code, const char *name)
{
    OpeningNames *openings = opening_names_new();
    Position pos, start;
    Move list[100];
    start_chess(&start);
    pos = start;
    int count = play_words(&pos, moves, list);
    const OpeningName *opening = opening_names_of_moves(openings, &start, list, count);
    assert_non_null(opening);
    assert_string_equal(opening->code, code);
    assert_string_equal(opening->name, name);
    opening_names_free(openings);
}

static void test_transpositions(void **state)
{
    (void)state;
    expect("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h4 h5", "B90",
           "Sicilian Defence: Najdorf Variation");
    expect("Nf3 c5 e4 d6 d4 cxd4 Nxd4 a6 Nc3 Nf6", "B90", "Sicilian Defence: Najdorf Variation");
    expect("c4 e6 d4 d5", "D30", "Queen's Gambit Declined");
    expect("d4 e6 e4 d5 Nc3 Bb4", "C15", "French Defence: Winawer Variation");
}

static void test_unknown(void **state)
{
    (void)state;
    OpeningNames *openings = opening_names_new();
    Position pos;
    Error error;
    assert_true(
        position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &error));
    assert_null(opening_names_find(openings, &pos));
    assert_null(opening_names_of_moves(openings, &pos, NULL, 0));
    assert_true(position_start(&pos, &VARIANTS[VARIANT_CHESS960], 518, &error));
    assert_null(opening_names_of_moves(openings, &pos, NULL, 0));
    opening_names_free(openings);
}

// Of positions that both know, nearly all have the same code; the collections differ in a few
// places where one code ends and the next begins.
static void test_collection(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    OpeningNames *openings = opening_names_new();
    int both = 0, same = 0;
    for (int i = 0; i < 5; i++) {
        char path[TEST_PATH_SIZE], file[64], line[1024];
        snprintf(file, sizeof file, "openings/lichess/%s.tsv", names[i]);
        test_shared_or_skip(file, path);
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        while (fgets(line, sizeof line, in)) {
            char *moves = strrchr(line, '\t');
            Position pos;
            Move list[200];
            if (!moves || !strncmp(line, "eco", 3))
                continue;
            moves[strcspn(moves, "\n")] = 0;
            start_chess(&pos);
            play_words(&pos, moves + 1, list);
            const OpeningName *opening = opening_names_find(openings, &pos);
            both += opening != NULL;
            same += opening && !strncmp(opening->code, line, 3);
        }
        fclose(in);
    }
    opening_names_free(openings);
    assert_true(both > 750);
    assert_true(same >= both - 8);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_transpositions),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_collection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
