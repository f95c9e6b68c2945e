// Requests about games as text and positions as text: the library, PGN, FEN. A saved game is its
// PGN under a name, in the library of its owner; rooms keep themselves (room_file.c) and need no
// saving. What comes from outside is written anew as a room would, so that only what we understand
// is kept.
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
    IMPORT_GAMES_MAX = 1000,
    PROBLEMS_MAX = 5,
    EXPORT_MAX = 8 << 20,
    TAGS_MAX = 40, // they are written with every change of the room
    TAG_NAME_LETTERS = 30,
    TAG_LETTERS = 120,
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

// May this owner save one more game?
static bool has_room_for_more(Request *r)
{
    return store_count_saved(r->hub->store, request_owner(r)) < LIBRARY_MAX ||
           request_refuse(r, "limit", "library-full", "the library is full: {most:%d} games",
                          LIBRARY_MAX);
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

// ---- import ----

// What is wrong with the game that is being read; only the first few are told.
static void note_problem(void *context, uint64_t line, const Error *error)
{
    json_t *list = context;
    if (json_array_size(list) >= PROBLEMS_MAX)
        return;
    json_t *problem = problem_view(error);
    json_object_set_new(problem, "line", json_integer((json_int_t)line));
    json_array_append_new(list, problem);
}

// A text of a PGN file, whose letters may be cut or be no UTF-8, as people may see it.
static void clean_value(const char *value, int letters, char *out, size_t size)
{
    json_t *json = json_string(value); // NULL: no UTF-8
    clean_text(json ? json_string_value(json) : "", letters, out, size);
    json_decref(json);
}

void request_tag(const PgnGame *game, const char *name, int letters, char *out, size_t size)
{
    const char *value = pgn_game_tag(game, name);
    clean_value(value && strcmp(value, "?") ? value : "", letters, out, size);
}

json_t *request_tags(const PgnGame *game)
{
    // What the server knows better; and with a FEN it writes these two itself.
    static const char *const KNOWN[] = {"White", "Black", "Result", "FEN", "SetUp", "Variant"};
    json_t *tags = json_object();
    char name[TAG_NAME_LETTERS * 4 + 1], value[TAG_LETTERS * 4 + 1];
    for (uint32_t i = 0; tags && i < game->tag_count && json_object_size(tags) < TAGS_MAX; i++) {
        bool is_known = false;
        clean_value(game->text + game->tags[i].name, TAG_NAME_LETTERS, name, sizeof name);
        clean_value(game->text + game->tags[i].value, TAG_LETTERS, value, sizeof value);
        for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++)
            is_known = is_known || str_same_word(KNOWN[k], name);
        if (!is_known && *name && *value && strcmp(value, "?"))
            json_object_set_new(tags, name, json_string(value));
    }
    return tags;
}

// A tag as the library shows it: "?" where nothing is known.
static void tag_text(const PgnGame *game, const char *name, char *out, size_t size)
{
    request_tag(game, name, 60, out, size);
    if (!*out)
        snprintf(out, size, "?");
}

// "White – Black, Event, round 3, 1959.09.07", as far as the tags tell. Another game that has this
// name already must not be replaced: then a hash of the moves tells them apart.
static void name_import(Request *r, const PgnGame *game, const char *pgn, uint64_t hash,
                        char name[GAME_NAME_SIZE])
{
    enum { PART = 30 };
    static const char *const TAGS[] = {"White", "Black", "Event", "Round", "Date"};
    static const char *const BEFORE[] = {"", " – ", ", ", ", round ", ", "};
    Str s;
    str_init(&s, name, GAME_NAME_SIZE);
    for (int i = 0; i < 5; i++) {
        char part[PART * 4 + 1];
        request_tag(game, TAGS[i], PART, part, sizeof part);
        if (i == 4)
            part[strcspn(part, "?")] = 0; // "1959.??.??"
        size_t length = strlen(part);
        if (i == 4 && length && part[length - 1] == '.')
            part[length - 1] = 0;
        if (i < 2 || (*part && strcmp(part, "-")))
            str_format(&s, "%s%s", BEFORE[i], *part ? part : "?");
    }
    int64_t old = store_find_saved(r->hub->store, request_owner(r), name);
    char *text = old ? store_get_saved(r->hub->store, request_owner(r), old) : NULL;
    if (text && strcmp(text, pgn))
        str_format(&s, " #%08x", (unsigned)hash);
    free(text);
}

// Writes a game that was read, as a room would, so that only what we understand is kept.
static int64_t save_import(Request *r, const PgnGame *game, const char *white, const char *black,
                           int plies)
{
    Tree tree;
    Error error;
    char name[GAME_NAME_SIZE], fen[FEN_SIZE], date[16];
    Game end;
    if (!pgn_tree_read(game, &tree, &error))
        return 0;
    Room *room = room_new(&tree.start);
    if (!room) {
        tree_release(&tree);
        return 0;
    }
    room_set_tree(room, &tree);
    room->is_over = game->result != RESULT_NONE;
    room->result = game->result;
    room->tags = request_tags(game);
    snprintf(room->seats[WHITE].name, NAME_SIZE, "%s", white);
    snprintf(room->seats[BLACK].name, NAME_SIZE, "%s", black);
    tag_text(game, "Date", date, sizeof date);
    tree_game(&room->tree, tree_end(&room->tree, 0), &end, r->hub->steps);
    position_to_fen(&end.now, FEN_XFEN, fen);
    char *pgn = pgn_tree_write(room, &error);
    if (pgn)
        name_import(r, game, pgn, end.now.state.key ^ (uint64_t)plies, name);
    StoredGame row = {.owner = request_owner(r),
                      .name = name,
                      .variant = tree.start.rules->name,
                      .white = white,
                      .black = black,
                      .result = result_text(game->result),
                      .reason = "",
                      .plies = plies,
                      .fen = fen,
                      .date = date,
                      .pgn = pgn};
    int64_t id = pgn ? store_save(r->hub->store, &row) : 0;
    free(pgn);
    room_free(room);
    return id;
}

// What is told of a game that was read; with `save` it is kept too.
static json_t *describe_import(Request *r, PgnGame *game, int index, json_t *problems, bool save)
{
    char white[NAME_SIZE], black[NAME_SIZE];
    tag_text(game, "White", white, sizeof white);
    tag_text(game, "Black", black, sizeof black);
    int plies = game->has_start ? pgn_game_moves(game, NULL, 0) : 0;
    json_t *o = json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:b, s:o}", "index", index, "white",
                          white, "black", black, "result", result_text(game->result), "variant",
                          game->has_start ? game->start.rules->name : "", "plies", plies,
                          "complete", game->is_complete, "problems", problems);
    if (save && game->has_start) {
        int64_t id = save_import(r, game, white, black, plies);
        json_object_set_new(o, "saved", id ? json_integer(id) : json_null());
    }
    return o;
}

bool request_import(Request *r)
{
    const char *text;
    bool save = false;
    if (!request_text(r, "pgn", &text) || !request_maybe_bool(r, "save", &save) ||
        (save && !has_room_for_more(r)))
        return false;
    json_t *games = json_array(), *problems = json_array();
    PgnText *reader = pgn_text_open(text, strlen(text), note_problem, problems);
    bool more = false;
    int index = 0;
    for (PgnGame *game; reader && (game = pgn_text_next(reader)); index++) {
        more = index == IMPORT_GAMES_MAX;
        if (more)
            break;
        json_array_append_new(games, describe_import(r, game, index, json_copy(problems), save));
        json_array_clear(problems);
    }
    if (reader)
        pgn_text_close(reader);
    json_decref(problems);
    answer_json(r, "games", games);
    answer_json(r, "more", json_boolean(more));
    return reader || request_fail(r, "internal", "out of memory");
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
