// What the server tells of endgame tables and books: verdicts and distances of all moves, the
// fifty-move counter of the game, the course of an ending, counts and shares of book moves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hub_help.h"
#include "knowledge_help.h"

#include "base/clock.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/notation.h"

static KnowledgeBed BED;

static Position position_of(const char *variant, const char *fen)
{
    Position pos;
    Error error;
    if (!position_from_fen(&pos, rules_find(variant), fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return pos;
}

static json_t *table_of(const char *variant, const char *fen)
{
    Position pos = position_of(variant, fen);
    return knowledge_table(&BED.knowledge, &pos);
}

static const char *text_of(const json_t *o, const char *name)
{
    return json_string_value(json_object_get(o, name));
}

static int number_of(const json_t *o, const char *name)
{
    return (int)json_integer_value(json_object_get(o, name));
}

static const json_t *move_of(const json_t *table, const char *san)
{
    size_t i;
    json_t *move;
    json_array_foreach(json_object_get(table, "moves"), i,
                       move) if (!strcmp(text_of(move, "san"), san)) return move;
    fail_msg("there is no %s", san);
    return NULL;
}

static void test_moves(void **state)
{
    (void)state;
    json_t *table = table_of("chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    assert_string_equal(text_of(table, "verdict"), "win");
    assert_int_equal(number_of(table, "end"), 1);
    assert_int_equal(number_of(table, "zeroing"), 1);
    const json_t *best = json_array_get(json_object_get(table, "moves"), 0);
    assert_string_equal(text_of(best, "san"), "Ra8#");
    assert_string_equal(text_of(best, "uci"), "a1a8");
    assert_true(json_is_true(json_object_get(best, "mate")));
    assert_int_equal(number_of(move_of(table, "Rb1"), "end"), 3);
    json_decref(table);
    // Black takes the rook or has lost.
    table = table_of("chess", "8/8/8/8/8/5k2/6R1/K7 b - - 0 1");
    assert_string_equal(text_of(table, "verdict"), "draw");
    assert_true(json_is_null(json_object_get(table, "end")));
    assert_string_equal(text_of(move_of(table, "Kxg2"), "verdict"), "draw");
    assert_true(json_is_true(json_object_get(move_of(table, "Kxg2"), "zeroes")));
    assert_string_equal(text_of(move_of(table, "Ke3"), "verdict"), "loss");
    json_decref(table);
}

// The longest mate with a rook takes 31 half-moves: with 80 counted it comes too late.
static void test_counter(void **state)
{
    (void)state;
    json_t *table = table_of("chess", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    int zeroing = number_of(table, "zeroing");
    assert_string_equal(text_of(table, "verdict"), "win");
    assert_in_range(zeroing, 25, 31);
    json_decref(table);
    for (int late = 0; late < 2; late++) {
        char fen[64];
        snprintf(fen, sizeof fen, "8/8/8/8/8/2k5/1R6/K7 w - - %d 90", 100 - zeroing + late);
        table = table_of("chess", fen);
        assert_string_equal(text_of(table, "verdict"), late ? "cursed-win" : "win");
        assert_string_equal(text_of(json_array_get(json_object_get(table, "moves"), 0), "verdict"),
                            late ? "cursed-win" : "win");
        json_decref(table);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    static const char *const FENS[] = {"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",  // no such table
                                       "7k/8/8/8/8/8/8/R3K3 w Q - 0 1",   // castling
                                       "7k/8/6K1/8/8/8/p7/R7 w - - 0 1"}; // too many men
    for (int i = 0; i < 3; i++) {
        json_t *table = table_of("chess", FENS[i]);
        assert_true(json_is_null(table));
        json_decref(table);
    }
    json_t *table = table_of("legan", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
    assert_string_equal(text_of(table, "verdict"), "win");
    json_decref(table);
    assert_int_equal(knowledge_men(&BED.knowledge, rules_find("chess")), 3);
    assert_int_equal(knowledge_men(&BED.knowledge, rules_find("massacre")), 0);
    Knowledge none = {0};
    Position pos = position_of("chess", FENS[0]);
    json_t *nothing = knowledge_table(&none, &pos), *book = knowledge_book(&none, &pos);
    assert_true(json_is_null(nothing) && json_is_null(book));
    json_decref(nothing);
    json_decref(book);
}

static void test_book(void **state)
{
    (void)state;
    Position pos = position_of("chess", rules_find("chess")->start_fen);
    json_t *book = knowledge_book(&BED.knowledge, &pos);
    assert_int_equal(json_array_size(book), 2);
    const json_t *first = json_array_get(book, 0);
    assert_string_equal(text_of(first, "san"), "e4");
    assert_int_equal(number_of(first, "games"), 3);
    assert_int_equal(number_of(first, "weight"), 5);
    assert_float_equal(json_real_value(json_object_get(first, "share")), 5.0 / 6, 1e-6);
    json_decref(book);
    pos = position_of("legan", rules_find("legan")->start_fen);
    book = knowledge_book(&BED.knowledge, &pos);
    assert_int_equal(json_array_size(book), 1);
    assert_true(json_is_null(json_object_get(json_array_get(book, 0), "games")));
    json_decref(book);
}

// The built-in book is there unless it is not wanted.
static void test_built_in(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"chess", "legan", "horde32"};
    KnowledgePlaces usual = {0}, none = {.book = "none"};
    Knowledge known;
    assert_true(knowledge_open(&known, &usual, NULL));
    for (int i = 0; i < 3; i++) {
        Position pos = position_of(NAMES[i], rules_find(NAMES[i])->start_fen);
        json_t *book = knowledge_book(&known, &pos);
        assert_true(json_array_size(book) > 1);
        json_decref(book);
    }
    knowledge_close(&known);
    assert_true(knowledge_open(&known, &none, NULL));
    assert_null(known.book);
    knowledge_close(&known);
}

// White gives the rook away: before that every position was won, after it none is.
static void test_course(void **state)
{
    (void)state;
    HubBed bed;
    HubConfig config = {.version = "test", .is_local = true, .knowledge = BED.knowledge};
    char text[300];
    assert_true(bed_open_as(&bed, &config));
    Client *client = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\": 1, \"do\": \"hello\"}"));
    json_t *room = bed_ask(
        client,
        "{\"id\": 2, \"do\": \"create\", \"mode\": \"analysis\", \"pgn\": \"[FEN "
        "\\\"8/8/8/8/8/2k5/8/KR6 w - - 0 1\\\"]\\n\\n1. Rb8 Kd3 2. Ka2 Kc3 3. Rb4 Kxb4 *\"}");
    snprintf(text, sizeof text, "{\"id\": 3, \"do\": \"course\", \"room\": \"%s\"}",
             text_of(room, "room"));
    json_t *answer = bed_ask(client, text);
    const json_t *course = json_object_get(answer, "course");
    assert_in_range(json_array_size(course), 6, 7); // of two kings alone nobody needs a table
    for (size_t i = 0; i < json_array_size(course); i++) {
        assert_int_equal(number_of(json_array_get(course, i), "node"), (int)i);
        assert_string_equal(text_of(json_array_get(course, i), "verdict"), i < 5 ? "win" : "draw");
    }
    json_decref(answer);
    snprintf(text, sizeof text, "{\"id\": 4, \"do\": \"known\", \"node\": 0, \"room\": \"%s\"}",
             text_of(room, "room"));
    answer = bed_ask(client, text);
    assert_string_equal(text_of(json_object_get(answer, "table"), "verdict"), "win");
    json_decref(answer);
    json_decref(room);
    bed_close(&bed);
}

// Nobody is helped against another person; whoever only looks on may ask.
static void test_no_help(void **state)
{
    (void)state;
    HubBed bed;
    HubConfig config = {.version = "test", .is_local = true, .knowledge = BED.knowledge};
    char text[300];
    assert_true(bed_open_as(&bed, &config));
    Client *player = hub_connect(&bed.hub, NULL, ""), *guest = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(player, "{\"id\": 1, \"do\": \"hello\"}"));
    json_decref(bed_ask(guest, "{\"id\": 1, \"do\": \"hello\"}"));
    json_t *room =
        bed_ask(player, "{\"id\": 2, \"do\": \"create\", \"black\": {\"kind\": \"human\", "
                        "\"remote\": true}}");
    const json_t *keys = json_object_get(room, "keys");
    Client *both[] = {player, guest};
    snprintf(text, sizeof text, "{\"id\": 3, \"do\": \"join\", \"keys\": [\"%s\"]}",
             text_of(keys, "watch"));
    json_decref(bed_ask(guest, text));
    snprintf(text, sizeof text, "{\"id\": 4, \"do\": \"join\", \"keys\": [\"%s\"]}",
             text_of(keys, "black"));
    Client *other = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(other, "{\"id\": 1, \"do\": \"hello\"}"));
    json_decref(bed_ask(other, text));
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "{\"id\": 5, \"do\": \"known\", \"node\": 0, \"room\": \"%s\"}",
                 text_of(room, "room"));
        json_t *answer = bed_ask(both[i], text);
        assert_int_equal(json_is_true(json_object_get(answer, "ok")), i);
        json_decref(answer);
    }
    // Nor by an analysis of the same position.
    snprintf(text, sizeof text,
             "{\"id\": 7, \"do\": \"move\", \"ply\": 0, \"uci\": \"e2e4\", \"room\": \"%s\"}",
             text_of(room, "room"));
    json_decref(bed_ask(player, text));
    for (int i = 0; i < 2; i++) {
        json_t *study = bed_ask(both[i], "{\"id\": 8, \"do\": \"create\", \"mode\": "
                                         "\"analysis\", \"pgn\": \"1. e4 *\"}");
        snprintf(text, sizeof text, "{\"id\": 9, \"do\": \"known\", \"node\": 1, \"room\": \"%s\"}",
                 text_of(study, "room"));
        json_t *answer = bed_ask(both[i], text);
        assert_int_equal(json_is_true(json_object_get(answer, "ok")), i);
        json_decref(answer);
        json_decref(study);
    }
    snprintf(text, sizeof text, "{\"id\": 6, \"do\": \"course\", \"room\": \"%s\"}",
             text_of(room, "room"));
    json_t *answer = bed_ask(guest, text);
    assert_string_equal(text_of(json_object_get(answer, "error"), "problem"), "game-goes-on");
    json_decref(answer);
    json_decref(room);
    bed_close(&bed);
}

// The first move of a level, in the seed-th game.
static Move first_move(Thinker *thinker, const char *player, const Position *start, uint64_t seed,
                       bool no_book)
{
    TaskSpec spec = {.kind = TASK_MOVE,
                     .start = start,
                     .limits = search_limits_none(),
                     .own = player_game_new(seed),
                     .left_ms = -1,
                     .no_book = no_book};
    spec.limits.nodes = 200;
    strcpy(spec.player, player);
    uint64_t task = thinker_submit(thinker, &spec);
    for (;;) {
        Report *report = thinker_take(thinker);
        if (!report) {
            clock_sleep_ms(1);
            continue;
        }
        bool is_done = report->task == task && report->kind >= REPORT_DONE;
        Move move = report->move;
        report_free(report);
        if (is_done)
            return move;
    }
}

// Weak and strong levels play from the book, not always the same, and without it when told so. The
// book's only move in Legan is one that few would find.
static void test_play(void **state)
{
    (void)state;
    Error error;
    ThinkerConfig config = {.workers = 1, .hash_mb = 1, .wake = bed_wake, .knowledge = BED.places};
    Thinker *thinker = thinker_new(&config, &error);
    assert_non_null(thinker);
    Position chess = position_of("chess", rules_find("chess")->start_fen);
    Position legan = position_of("legan", rules_find("legan")->start_fen);
    Move e4 = move_from_san(&chess, "e4", NULL), d4 = move_from_san(&chess, "d4", NULL);
    Move f4 = move_from_san(&legan, "Nf4", NULL);
    static const char *const PLAYERS[] = {"level=2", "level=12"};
    for (int i = 0; i < 2; i++) {
        int count[2] = {0}, others = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            Move m = first_move(thinker, PLAYERS[i], &chess, seed, false);
            assert_true(m == e4 || m == d4);
            count[m == e4]++;
        }
        assert_true(count[0] && count[1]);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            assert_true(first_move(thinker, PLAYERS[i], &legan, seed, false) == f4);
            others += first_move(thinker, PLAYERS[i], &legan, seed, true) != f4;
        }
        assert_true(others);
    }
    thinker_stop(thinker);
    thinker_free(thinker);
}

static int open_bed(void **state)
{
    (void)state;
    return knowledge_bed_open(&BED) ? 0 : -1;
}

static int close_bed(void **state)
{
    (void)state;
    knowledge_bed_close(&BED);
    return 0;
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),    cmocka_unit_test(test_counter),
        cmocka_unit_test(test_unknown),  cmocka_unit_test(test_book),
        cmocka_unit_test(test_built_in), cmocka_unit_test(test_course),
        cmocka_unit_test(test_no_help),  cmocka_unit_test(test_play),
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
