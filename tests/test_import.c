// PGN that comes in pieces: wherever it is cut, the same games come out; what a browser is told of
// them, and what is kept.
#include "test_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "hub_help.h"
#include "server/pgn_stream.h"

static const char GAMES[] =
    "\xef\xbb\xbf[Event \"One\"]\n[White \"Ada\"]\n[Black \"Bela\"]\n[Result \"1-0\"]\n\n"
    "1. e4 {[%eval 0.24] Best \xc4\x8d.} e5 (1... c5 2. Nf3 (2. c3)) 2. Bc4 Nc6 3. Qh5 Nf6 $4\n"
    "4. Qxf7# 1-0\n\n% an escape [Event \"x\"]\n"
    "[Event \"Two\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. Ke4 Nf6 1/2-1/2\n\n\n"
    "1. e4 e5\n\n[Event \"Without a result before\"]\n\n1. c4 *\n"
    "[Variant \"Horde\"]\n[FEN \"ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ "
    "- "
    "0 1\"]\n\n1. e3 *\n"
    "[Variant \"Horde\"]\n\n1. e5 *\n"
    "[Event \"Open\"]\n\n1. e4 {never closed";

enum { GAMES_COUNT = 7, TOLD_SIZE = 4000 };

// What was complained about the game that is being read.
typedef struct Told {
    PgnStream *stream;
    char game[TOLD_SIZE], all[TOLD_SIZE];
    int games;
} Told;

static void tell(void *context, uint64_t line, const Error *problem)
{
    Told *told = context;
    size_t n = strlen(told->game);
    snprintf(told->game + n, sizeof told->game - n, " %d:%s@%d", (int)line, problem->code,
             pgn_stream_ply(told->stream));
}

// Reads GAMES in pieces of `size` bytes; what came out as one text.
static void read_in_pieces(size_t size, Told *told)
{
    *told = (Told){0};
    told->stream = pgn_stream_new(1, tell, told);
    size_t length = sizeof GAMES - 1;
    for (size_t at = 0; at < length; at += size) {
        size_t count = length - at < size ? length - at : size;
        assert_true(pgn_stream_add(told->stream, GAMES + at, count, at + count == length));
        told->game[0] = 0;
        for (PgnGame *g; (g = pgn_stream_next(told->stream)); told->game[0] = 0, told->games++) {
            size_t n = strlen(told->all);
            snprintf(told->all + n, sizeof told->all - n, "%d tags %d items %d to %d:%s\n",
                     (int)g->tag_count, (int)g->item_count, g->result,
                     (int)pgn_stream_used(told->stream), told->game);
        }
    }
    assert_int_equal(pgn_stream_used(told->stream), length);
    pgn_stream_free(told->stream);
}

static void test_any_cut(void **state)
{
    (void)state;
    Told *whole = malloc(sizeof *whole), *told = malloc(sizeof *told);
    read_in_pieces(sizeof GAMES, whole);
    assert_int_equal(whole->games, GAMES_COUNT);
    assert_non_null(strstr(whole->all, "move-unreachable@2"));
    for (size_t size = 1; size < sizeof GAMES; size += size < 40 ? 1 : 37) {
        read_in_pieces(size, told);
        assert_string_equal(told->all, whole->all);
    }
    free(whole);
    free(told);
}

// A game without an end is cut where its limit is, and says so; memory stays bounded.
static void test_endless_game(void **state)
{
    (void)state;
    Told *told = calloc(1, sizeof *told);
    enum { PIECE = 1 << 16 };
    char *piece = malloc(PIECE);
    memset(piece, 'x', PIECE);
    memcpy(piece, "1. e4 {", 7);
    told->stream = pgn_stream_new(1, tell, told);
    bool is_cut = false;
    for (int i = 0; i < 2 * PGN_STREAM_GAME_MAX / PIECE; i++) {
        assert_true(pgn_stream_add(told->stream, piece, PIECE, false));
        for (told->game[0] = 0; pgn_stream_next(told->stream); told->game[0] = 0)
            is_cut = is_cut || strstr(told->game, "pgn-game-long");
        memset(piece, 'x', PIECE);
    }
    assert_true(is_cut);
    pgn_stream_free(told->stream);
    free(piece);
    free(told);
}

// ---- Through the hub ----

static int64_t int_of(const json_t *o, const char *name)
{
    const json_t *value = json_object_get(o, name);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

// Sends a part of an import; the answer.
static json_t *send_part(Client *client, const char *text, size_t size, int part, bool is_last)
{
    json_t *o = json_pack("{s:i, s:s, s:s%, s:b, s:i, s:b}", "id", 10 + part, "do", "import", "pgn",
                          text, size, "save", true, "part", part, "last", is_last);
    assert_non_null(o);
    char *frame = json_dumps(o, JSON_COMPACT);
    json_t *answer = bed_ask(client, frame);
    free(frame);
    json_decref(o);
    return answer;
}

// Imports GAMES in two parts; the last answer.
static json_t *import_games(Client *client)
{
    size_t half = (size_t)(strstr(GAMES, "Qh5") - GAMES), all = sizeof GAMES - 1;
    json_t *first = send_part(client, GAMES, half, 0, false);
    assert_true(json_is_true(json_object_get(first, "ok")));
    assert_int_equal(int_of(first, "read"), 0);
    json_decref(first);
    return send_part(client, GAMES + half, all - half, 1, true);
}

static const json_t *game_of(const json_t *answer, int index)
{
    return json_array_get(json_object_get(answer, "games"), (size_t)index);
}

// All games are saved but the one of an unknown variant; problems name move and line.
static void test_import(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Client *client = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}"));
    json_t *answer = import_games(client);
    assert_int_equal(int_of(answer, "read"), GAMES_COUNT);
    assert_int_equal(int_of(answer, "saved"), GAMES_COUNT - 1);
    assert_int_equal(int_of(answer, "failed"), 1);
    const json_t *bad = json_array_get(json_object_get(game_of(answer, 1), "problems"), 0);
    assert_int_equal(int_of(bad, "ply"), 2);
    assert_int_equal(int_of(bad, "line"), 13);
    assert_string_equal(json_string_value(json_object_get(game_of(answer, 4), "variant")),
                        "horde32");
    json_decref(answer);
    answer = import_games(client); // all of it is there already
    assert_int_equal(int_of(answer, "same"), GAMES_COUNT - 1);
    assert_int_equal(int_of(answer, "saved"), 0);
    int64_t id = int_of(game_of(answer, 0), "saved");
    json_decref(answer);
    char *pgn = store_get_saved(bed.store, "local", id);
    assert_non_null(pgn);
    assert_non_null(strstr(pgn, "{[%eval 0.24] Best \xc4\x8d.}"));
    free(pgn);
    bed_close(&bed);
}

// A part that does not follow, a stop, an import that goes on from a game further on.
static void test_parts(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Client *client = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}"));
    json_decref(send_part(client, "1. e4 ", 6, 0, false));
    json_t *answer = send_part(client, "*\n", 2, 2, true);
    assert_true(json_is_false(json_object_get(answer, "ok")));
    json_decref(answer);
    json_decref(bed_ask(client, "{\"id\":2,\"do\":\"import\",\"stop\":true}"));
    assert_int_equal(bed.hub.import_count, 0);
    answer = send_part(client, "*\n", 2, 1, true);
    assert_true(json_is_false(json_object_get(answer, "ok")));
    json_decref(answer);
    answer = bed_ask(client, "{\"id\":3,\"do\":\"import\",\"pgn\":\"\\n1. Ke2 *\","
                             "\"game\":41,\"line\":100}");
    assert_int_equal(int_of(answer, "read"), 42);
    const json_t *game = game_of(answer, 0);
    assert_int_equal(int_of(game, "index"), 41);
    assert_int_equal(int_of(json_array_get(json_object_get(game, "problems"), 0), "line"), 101);
    json_decref(answer);
    json_decref(send_part(client, "1. e4 ", 6, 0, false));
    hub_disconnect(client);
    assert_int_equal(bed.hub.import_count, 0);
    bed_close(&bed);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_cut),
        cmocka_unit_test(test_endless_game),
        cmocka_unit_test(test_import),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
