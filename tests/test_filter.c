// The filter of games: every field and operator, what is refused, and patterns of boards and men.
#include "base/memory.h"
#include "core/filter.h"
#include "notation_help.h"

// Is the first game of this text wanted? -1 when the filter is refused.
static int ask(const char *where, const char *pgn)
{
    static PgnReader reader;
    static PgnGame game;
    static Filter filter;
    Error error;
    if (!filter_read(&filter, where, &error)) {
        assert_true(*error.text);
        return -1;
    }
    PgnBytes source = {pgn, strlen(pgn)};
    pgn_game_init(&game, memory_from_heap, NULL, NULL);
    pgn_reader_init(&reader, pgn_read_bytes, &source);
    assert_true(pgn_game_read(&game, &reader, NULL));
    int is_wanted = filter_matches(&filter, &game);
    if (filter_rules_out(&filter, &game))
        assert_false(is_wanted);
    pgn_game_release(&game);
    return is_wanted;
}

static const char GAME[] =
    "[Event \"Wijk aan Zee, Open\"]\n[Date \"1959.09.??\"]\n[Round \"3\"]\n[White \"Tal, "
    "Mikhail\"]\n"
    "[Black \"Fischer, Robert J\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2650\"]\n"
    "[ECO \"C57\"]\n[EventDate \"1959.09.07\"]\n\n"
    "1. e4 e5 2. Qh5 {too early} Nc6 3. Bc4 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0\n";

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        int expected;
    } cases[] = {
        {"", 1},
        {"  ", 1},
        {"tal", 1},
        {"wijk", 1},
        {"karpov", 0},
        {"White=\"tal, mikhail\"", 1},
        {"White=tal", 0},
        {"white:TAL", 1},
        {"white~tal*", 1},
        {"white~*mik?ail", 1},
        {"white~mik*", 0},
        {"white!=x", 1},
        {"white\xe2\x89\xa0x", 1},
        {"Nothing=x", 0},
        {"Nothing!=x", 1},
        {"round<10", 1}, // as numbers
        {"round>=3.5", 0},
        {"event<z", 1},
        {"player:fischer", 1},
        {"player:tal", 1},
        {"player!=\"Tal, Mikhail\"", 0},
        {"player!=Tal", 1},
        {"elo>=2650", 1},
        {"elo>2650", 0},
        {"whiteelo>2650", 1},
        {"result=1-0", 1},
        {"result=draw", 0},
        {"result!=draw", 1},
        {"date=1959", 1},
        {"date=1959.09", 1},
        {"date=1959.09.05", 1}, // the day is not known
        {"date=1959.08", 0},
        {"date>=1959", 1},
        {"date>1959", 0},
        {"date<1959.10", 1},
        {"date<1959.09", 0},
        {"eventdate>=1959.09.07 eventdate<1959-09-08", 1},
        {"eventdate>1959.09.07", 0},
        {"year=1959", 1},
        {"year>1959", 0},
        {"moves=4", 1},
        {"plies=7", 1},
        {"plies<7", 0},
        {"eco=C57", 1},
        {"eco=C", 1},
        {"eco=B", 0},
        {"eco>=C50 eco<=C59", 1},
        {"eco>C57", 0},
        {"variant=chess", 1},
        {"variant=legan", 0},
        {"variant!=legan", 1},
        {"end=checkmate", 1},
        {"end=stalemate", 0},
        {"end!=stalemate", 1},
        {"comment:early", 1},
        {"comment:late", 0},
        {"position=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", 1},
        {"fen=\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w\"", 1},
        {"fen=\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b\"", 0},
        {"fen=\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"", 1},
        {"fen=\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQ\"", 0},
        {"fen=\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR ? KQkq\"", 1},
        {"position=*/*Q*/*/*/*/*/*/*", 1},
        {"finalposition=*/*Q*/*/*/*/*/*/*", 1},
        {"finalposition=*/*/*/*Q*/*/*/*/*", 0},
        {"position=*/*/*Q*/*/*/*/*/*", 0},
        {"position=*/*/*/*Q/*/*/*/*", 1}, // on h5, the end of its rank
        {"position=*/*/*/*[Nn]Q*/*/*/*/*", 0},
        {"position=*/*/2[nb]*/*/2B?P?2/*/*/*", 1},
        {"position=*/*/*/*/2B_A3/*/*/*", 1},
        {"position=*/*/*/*/2[^BP_]1P3/*/*/*", 0},
        {"position!=*/*/*/*Q/*/*/*/*", 0},
        {"material=KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPP", 1},
        {"material=KQRRBBNNPPPPPPP:KQRRBBNNPPPPPPPP", 0}, // it is Black who has fewer
        {"material=KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPPP", 1},
        {"finalmaterial=KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP", 0},
        {"material>=KQKR", 1},
        {"material>=KQQKR", 0},
        {"material!=KQKR", 1},
        {"not tal", 0},
        {"not karpov", 1},
        {"karpov or tal", 1},
        {"karpov or moves<3", 0},
        {"karpov or (tal moves<9)", 1},
        {"tal and fischer", 1},
        {"tal (karpov or result=0-1)", 0},
        {"not (tal and karpov)", 1},
        {"not not tal", 1},
        {"end=checkmate or white=x", 1},
        {"end=stalemate or white:tal", 1},
        {"end=checkmate white=x", 0},
        {"orlov or android", 0}, // words that begin like a keyword
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (ask(cases[i].where, GAME) != cases[i].expected)
            fail_msg("%s: not %d", cases[i].where, cases[i].expected);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "white=",
        "(tal",
        "tal)",
        "not",
        "tal or",
        "or tal",
        "white=\"tal",
        "result=2-0",
        "result<1-0",
        "moves=many",
        "moves:4",
        "date=may",
        "date=59",
        "variant=ludo",
        "end=soon",
        "position=8/8",
        "position=9/8/8/8/8/8/8/8",
        "position=7/8/8/8/8/8/8/8",
        "position=x7/8/8/8/8/8/8/8",
        "position=[Q7/8/8/8/8/8/8/8",
        "position=8/8/8/8/8/8/8/8/8",
        "position=\"8/8/8/8/8/8/8/8 x\"",
        "material=KRP",
        "material=XK",
        "material=K:K:K",
        "material<KK",
        "position>8",
        "material=KKK",
        "()",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (ask(cases[i], GAME) != -1)
            fail_msg("%s: not refused", cases[i]);
    char deep[2 * 4000 + 8];
    memset(deep, '(', 4000);
    strcpy(deep + 4000, "tal");
    assert_int_equal(ask(deep, GAME), -1);
    *deep = 0;
    for (int i = 0; i < 60; i++)
        strcat(deep, "tal ");
    assert_int_equal(ask(deep, GAME), -1);
    memset(deep, 'x', 5000);
    deep[5000] = 0;
    assert_int_equal(ask(deep, GAME), -1);
}

// What tags alone decide, and what they do not.
static void test_ruled_out(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        bool expected;
    } cases[] = {
        {"", false},
        {"white=karpov", true},
        {"white:tal", false},
        {"result=0-1", true},
        {"result=1-0", false},
        {"eco=B", false}, // it has no tag, and may be classified
        {"moves>900", false},
        {"white=karpov moves>900", true},
        {"moves>900 white=karpov", true},
        {"white=karpov or moves>900", false},
        {"not white:tal", true},
        {"not (moves>900 white:tal)", false},
        {"not (white:tal or moves>900)", true},
        {"variant=legan", false},
        {"karpov", true},
    };
    static PgnGame game;
    static Filter filter;
    Position start;
    position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL);
    pgn_game_init(&game, memory_from_heap, NULL, NULL);
    assert_true(pgn_game_begin(&game, &start) && pgn_game_add_tag(&game, "White", "Tal") &&
                pgn_game_add_tag(&game, "Result", "1-0"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(filter_read(&filter, cases[i].where, NULL));
        if (filter_rules_out(&filter, &game) != cases[i].expected)
            fail_msg("%s: not %d", cases[i].where, cases[i].expected);
    }
    pgn_game_release(&game);
}

static void test_ends(void **state)
{
    (void)state;
    assert_int_equal(ask("end=repetition", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *"), 1);
    assert_int_equal(ask("end=repetition", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *"), 0);
    assert_int_equal(
        ask("end=stalemate", "[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qf7 1/2-1/2"), 1);
    assert_int_equal(
        ask("end=dead material=KK", "[FEN \"7k/8/8/8/8/8/q7/K7 w - - 0 1\"]\n\n1. Kxa2 1/2-1/2"),
        1);
    assert_int_equal(ask("moves=2", "[FEN \"7k/8/8/8/8/8/8/K7 b - - 0 1\"]\n\n1... Kg8 2. Ka2 *"),
                     1);
    assert_int_equal(ask("variant=legan", "[Variant \"Legan\"]\n\n1. f5 *"), 1);
    // A game whose moves could not be read has no positions.
    assert_int_equal(ask("material>=KK", "[Variant \"Unknown\"]\n\n1. e4 *"), 0);
}

// A position is found by its own FEN, and by it with any square made unknown.
static void find_own(const Position *pos, Move next, void *context)
{
    BoardPattern pattern;
    char fen[FEN_SIZE];
    Error error;
    (void)next;
    position_to_fen(pos, FEN_XFEN, fen);
    assert_true(board_pattern_read(&pattern, fen, &error));
    assert_true(board_pattern_matches(&pattern, pos));
    for (char *p = fen; *p != ' '; p++)
        if (strchr("PNBRQKpnbrqk", *p)) {
            char letter = *p;
            *p = letter == 'K' ? 'k' : 'K';
            assert_true(board_pattern_read(&pattern, fen, &error));
            assert_false(board_pattern_matches(&pattern, pos));
            *p = '?';
            assert_true(board_pattern_read(&pattern, fen, &error));
            assert_true(board_pattern_matches(&pattern, pos));
            *p = letter;
        }
    ++*(int *)context;
}

static void test_own_fen(void **state)
{
    (void)state;
    int positions = 0;
    for (int v = 0; v < VARIANT_COUNT; v++)
        random_game(&VARIANTS[v], 7, 40, find_own, &positions);
    assert_true(positions > 100);
}

static void test_text_patterns(void **state)
{
    (void)state;
    assert_true(filter_text_matches("*", ""));
    assert_true(filter_text_matches("a*b*c", "axxbyybzzc"));
    assert_false(filter_text_matches("a*b*c", "axxbyyd"));
    assert_false(filter_text_matches("?", ""));
    assert_true(filter_text_matches("A?c", "abC"));
    assert_false(filter_text_matches("", "a"));
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ends),    cmocka_unit_test(test_ruled_out),
        cmocka_unit_test(test_own_fen), cmocka_unit_test(test_text_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
