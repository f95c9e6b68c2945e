// Requests about games as text and positions as text: the library, PGN, FEN. A saved game is its
// PGN under a name, in the library of its owner; rooms keep themselves (room_file.c) and need no
// saving. How games come in from outside is in request_import.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "core/fen.h"
#include "server/library_search.h"
#include "server/pgn_tree.h"
#include "server/problem.h"
#include "server/request_int.h"
#include "server/view.h"

enum {
    GAME_NAME_LETTERS = 120,
    GAME_NAME_SIZE = GAME_NAME_LETTERS * 4 + 1,
    LIST_MAX = 200,
    EXPORT_MAX = 8 << 20,
};

const char *request_owner(const Request *r)
{
    return r->hub->config.is_local ? "local" : r->client->owner;
}

// ---- save, library, unsave ----

// Today, as PGN writes it.
static void date_text(char date[16])
{
    time_t now = time(NULL);
    struct tm tm;
    gmtime_r(&now, &tm);
    strftime(date, 16, "%Y.%m.%d", &tm);
}

// The common library of the own machine may be large; strangers have less.
static int library_max(const Request *r)
{
    return r->hub->config.is_local ? LIBRARY_OWN_MAX : LIBRARY_MAX;
}

int64_t request_library_free(const Request *r)
{
    return library_max(r) - store_count_saved(r->hub->store, request_owner(r));
}

// May this owner save one more game?
static bool has_room_for_more(Request *r)
{
    return request_library_free(r) > 0 ||
           request_refuse(r, "limit", "library-full", "the library is full: {most:%d} games",
                          library_max(r));
}

bool request_save(Request *r)
{
    const Room *room = r->room;
    const char *name;
    char clean[GAME_NAME_SIZE], white[NAME_SIZE], black[NAME_SIZE], fen[FEN_SIZE], date[16];
    Game game;
    Error error;
    if (!request_text(r, "name", &name) || !has_room_for_more(r))
        return false;
    clean_text(name, GAME_NAME_LETTERS, clean, sizeof clean);
    if (!*clean)
        return request_refuse(r, "bad-request", "name-empty", "name is empty");
    char *pgn = pgn_tree_write(room, &error);
    if (!pgn)
        return request_pass(r, "internal", &error);
    seat_title(&room->seats[WHITE], white, sizeof white);
    seat_title(&room->seats[BLACK], black, sizeof black);
    tree_game(&room->tree, room->is_analysis ? tree_end(&room->tree, 0) : room->live, &game,
              r->hub->steps);
    position_to_fen(&game.now, FEN_XFEN, fen);
    date_text(date);
    StoredGame row = {.owner = request_owner(r),
                      .name = clean,
                      .variant = room->tree.start.rules->name,
                      .white = white,
                      .black = black,
                      .result = result_text(room->is_over ? room->result : RESULT_NONE),
                      .reason = room->is_over ? room->reason : "",
                      .plies = game.count,
                      .fen = fen,
                      .date = date,
                      .pgn = pgn};
    int64_t id = store_save(r->hub->store, &row);
    free(pgn);
    answer_int(r, "saved", id);
    return id || request_fail(r, "internal", "the game could not be written");
}

// One row of the library.
static void list_game(void *context, const StoredGame *g)
{
    json_array_append_new(context,
                          json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:I, s:s}",
                                    "saved", (json_int_t)g->id, "name", g->name, "variant",
                                    g->variant, "white", g->white, "black", g->black, "result",
                                    g->result, "reason", g->reason, "plies", g->plies, "date",
                                    g->date, "updated", (json_int_t)g->updated, "fen", g->fen));
}

bool request_library(Request *r)
{
    int64_t from = 0, count = 50;
    const char *variant, *find;
    Error error;
    if (!request_maybe_int(r, "from", 0, INT32_MAX, &from) ||
        !request_maybe_int(r, "count", 0, LIST_MAX, &count) ||
        !request_maybe_text(r, "variant", &variant) || !request_maybe_text(r, "find", &find))
        return false;
    LibrarySearch *search = NULL;
    if (find && *find && !(search = library_search_new(find, &error)))
        return request_pass(r, "bad-request", &error);
    json_t *games = json_array();
    Store *store = r->hub->store;
    int64_t total =
        search ? store_find_all_saved(store, request_owner(r), variant, library_search_wants,
                                      search, from, count, list_game, games)
               : store_list_saved(store, request_owner(r), variant, from, count, list_game, games);
    library_search_free(search);
    answer_int(r, "total", total);
    answer_json(r, "games", games);
    return true;
}

bool request_unsave(Request *r)
{
    int64_t id = 0;
    return request_int(r, "saved", 1, INT64_MAX, &id) &&
           (store_delete_saved(r->hub->store, request_owner(r), id) ||
            request_refuse(r, "bad-request", "saved-unknown",
                           "there is no saved game {number:%lld}", (long long)id));
}

// ---- export ----

// The game of a room as PGN, or an earlier one of it.
static bool export_room(Request *r, const char *id)
{
    Error error;
    int64_t number = -1;
    Room *room = secret_is_formed(id) ? hub_find_awake(r->hub, id) : NULL;
    if (!room || !hub_member(r->client, room))
        return request_refuse(r, "unknown-room", "room-not-joined",
                              "you are not in this room: join it first");
    if (!request_maybe_int(r, "game", 0, OLD_GAMES_MAX, &number))
        return false;
    char *pgn = number < 0 ? pgn_tree_write(room, &error)
                           : store_get_old_game(r->hub->store, room->id, (int)number);
    if (!pgn)
        return number < 0
                   ? request_pass(r, "internal", &error)
                   : request_refuse(r, "bad-request", "game-unknown",
                                    "this room has no game {number:%lld}", (long long)number);
    answer_text(r, "pgn", pgn);
    free(pgn);
    return true;
}

// Saved games, one behind the other; more than a message may hold is refused.
static bool export_saved(Request *r, const json_t *ids)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return request_fail(r, "internal", "out of memory");
    bool ok = json_is_array(ids) || request_fail(r, "bad-request", "saved must be a list");
    for (size_t i = 0; ok && i < json_array_size(ids); i++) {
        int64_t id = json_integer_value(json_array_get(ids, i));
        char *pgn = store_get_saved(r->hub->store, request_owner(r), id);
        ok = pgn || request_refuse(r, "bad-request", "saved-unknown",
                                   "there is no saved game {number:%lld}", (long long)id);
        if (pgn)
            fputs(pgn, out);
        free(pgn);
        if (ok && ftell(out) > EXPORT_MAX)
            ok = request_refuse(r, "too-large", "export-large", "ask for fewer games at a time");
    }
    fclose(out);
    if (ok)
        answer_text(r, "pgn", text);
    free(text);
    return ok;
}

bool request_export(Request *r)
{
    const char *id;
    const json_t *saved = json_object_get(r->json, "saved");
    if (!request_maybe_text(r, "room", &id))
        return false;
    if (id)
        return export_room(r, id);
    return saved ? export_saved(r, saved)
                 : request_fail(r, "bad-request", "room or saved is missing");
}

// ---- check, start ----

bool request_check(Request *r)
{
    const Rules *rules = NULL;
    const char *fen = NULL;
    char normal[FEN_SIZE];
    Position pos;
    Error error;
    Game game;
    if (!request_rules(r, &rules) || !request_text(r, "fen", &fen))
        return false;
    bool legal = position_from_fen(&pos, rules, fen, &error);
    answer_json(r, "legal", json_boolean(legal));
    if (!legal) {
        answer_json(r, "problem", problem_view(&error));
        return true;
    }
    game_init(&game, &pos, r->hub->steps, 0);
    position_to_fen(&pos, FEN_XFEN, normal);
    answer_text(r, "fen", normal);
    answer_json(r, "position", view_position(&game, 0));
    return true;
}

bool request_start(Request *r)
{
    Position pos;
    Game game;
    char number[START_SIZE], fen[FEN_SIZE];
    if (!request_position(r, &pos, number))
        return false;
    game_init(&game, &pos, r->hub->steps, 0);
    position_to_fen(&pos, FEN_XFEN, fen);
    answer_text(r, "start", number);
    answer_text(r, "fen", fen);
    answer_json(r, "position", view_position(&game, 0));
    return true;
}
