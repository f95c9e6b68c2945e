// The request `import`: games from PGN, in one message or in pieces of a file of any size. A piece
// is parsed when it comes (pgn_stream.h); what is complete is told, and saved if that was asked
// for; only the unfinished game waits for the next piece. What comes from outside is written anew
// as a room would, so that only what we understand is kept; all that is not is told, with the game
// and the move. Start at request_import.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/str.h"
#include "core/fen.h"
#include "server/pgn_stream.h"
#include "server/pgn_tree.h"
#include "server/problem.h"
#include "server/request_int.h"
#include "server/view.h"

enum {
    GAME_NAME_SIZE = 120 * 4 + 1,
    LISTED_MAX = 1000, // games told of one piece; the others are counted
    PROBLEMS_MAX = 20, // told of one game; the others are counted
    IMPORTS_MAX = 64,  // that may be open at a time
    TAGS_MAX = 40,     // they are written with every change of the room
    TAG_NAME_LETTERS = 30,
    TAG_LETTERS = 120,
};

// An import that goes on: one of a client at a time.
typedef struct Import {
    PgnStream *stream;
    bool is_saved;
    int64_t part;                      // that must come next
    int64_t read, saved, same, failed; // games so far; same: they were in the library already
    int64_t free;                      // so many more may be saved
    json_t *problems;                  // of the game that is being read
    int64_t unlisted;                  // more of them
} Import;

// ---- Texts of a game ----

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

// ---- Problems ----

// What is wrong with the game that is being read, with the half-move where there is one.
static void note_problem(void *context, uint64_t line, const Error *error)
{
    Import *import = context;
    if (json_array_size(import->problems) >= PROBLEMS_MAX) {
        import->unlisted++;
        return;
    }
    json_t *problem = problem_view(error);
    int ply = pgn_stream_ply(import->stream);
    json_object_set_new(problem, "line", json_integer((json_int_t)line));
    if (ply >= 0)
        json_object_set_new(problem, "ply", json_integer(ply));
    json_array_append_new(import->problems, problem);
}

// The same for what a room has no place for, counted over the whole game.
static void note_loss(Import *import, const PgnGame *game, const Error *error)
{
    json_t *problem = problem_view(error);
    json_object_set_new(problem, "line", json_integer((json_int_t)game->line));
    json_array_append_new(import->problems, problem);
}

// Comments too long for a room, and glyphs too many for one move.
static void count_notes(const PgnGame *game, int *comments, int *nags)
{
    int row = 0;
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        row = item->kind == PGN_ITEM_NAG ? row + 1 : 0;
        *nags += row > NAGS_MAX;
        if (item->kind == PGN_ITEM_COMMENT)
            *comments += strlen(game->text + item->text) >= COMMENT_MAX * 4;
    }
}

// What pgn_tree_read and request_tags will leave out of a game: nothing goes in silence.
static void note_losses(Import *import, const PgnGame *game)
{
    int comments = 0, nags = 0, moves = 0, tags = (int)game->tag_count - TAGS_MAX;
    Error error;
    count_notes(game, &comments, &nags);
    for (uint32_t i = 0; i < game->item_count; i++)
        moves += game->items[i].kind == PGN_ITEM_MOVE;
    moves -= TREE_NODES_MAX - 1;
    if (moves > 0) {
        error_code(&error, "import-moves", "too many moves: {n:%d} are left out", moves);
        note_loss(import, game, &error);
    }
    if (comments) {
        error_code(&error, "import-comments", "too long comments: {n:%d} are cut", comments);
        note_loss(import, game, &error);
    }
    if (nags) {
        error_code(&error, "import-nags", "too many glyphs: {n:%d} are left out", nags);
        note_loss(import, game, &error);
    }
    if (tags > 0) {
        error_code(&error, "import-tags", "too many tags: {n:%d} are left out", tags);
        note_loss(import, game, &error);
    }
}

// ---- Saving ----

// "White – Black, Event, round 3, 1959.09.07", as far as the tags tell. Another game that has this
// name already must not be replaced: then a hash of the text tells them apart. Returns whether this
// very game is there already.
static bool name_import(Request *r, const PgnGame *game, const char *pgn, char name[GAME_NAME_SIZE])
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
    for (int i = 0; i < 2; i++) {
        int64_t old = store_find_saved(r->hub->store, request_owner(r), name);
        char *text = old ? store_get_saved(r->hub->store, request_owner(r), old) : NULL;
        bool is_same = text && !strcmp(text, pgn), is_taken = text && !is_same;
        free(text);
        if (is_same || !is_taken)
            return is_same;
        uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, pgn, strlen(pgn));
        str_format(&s, " #%016llx", (unsigned long long)hash);
    }
    return false;
}

// The row of the library for a game that stands in a room; counts what became of it.
static int64_t store_import(Request *r, Import *import, const PgnGame *game, const Room *room)
{
    char name[GAME_NAME_SIZE], fen[FEN_SIZE], date[16];
    Game end;
    Error error;
    tag_text(game, "Date", date, sizeof date);
    tree_game(&room->tree, tree_end(&room->tree, 0), &end, r->hub->steps);
    position_to_fen(&end.now, FEN_XFEN, fen);
    char *pgn = pgn_tree_write(room, &error);
    bool is_same = pgn && name_import(r, game, pgn, name);
    StoredGame row = {.owner = request_owner(r),
                      .name = name,
                      .variant = room->tree.start.rules->name,
                      .white = room->seats[WHITE].name,
                      .black = room->seats[BLACK].name,
                      .result = result_text(game->result),
                      .reason = "",
                      .plies = pgn_game_moves(game, NULL, 0),
                      .fen = fen,
                      .date = date,
                      .pgn = pgn};
    int64_t id = !pgn      ? 0
                 : is_same ? store_find_saved(r->hub->store, row.owner, name)
                           : store_save(r->hub->store, &row);
    free(pgn);
    *(is_same ? &import->same : id ? &import->saved : &import->failed) += 1;
    import->free -= id && !is_same;
    return id;
}

// Writes a game that was read, as a room would, so that only what we understand is kept. 0 when
// that is not possible.
static int64_t save_import(Request *r, Import *import, const PgnGame *game)
{
    Tree tree;
    Error error;
    Room *room = NULL;
    if (pgn_tree_read(game, &tree, &error) && !(room = room_new(&tree.start)))
        tree_release(&tree);
    if (!room) {
        import->failed++;
        return 0;
    }
    room_set_tree(room, &tree);
    room->is_over = game->result != RESULT_NONE;
    room->result = game->result;
    room->tags = request_tags(game);
    tag_text(game, "White", room->seats[WHITE].name, NAME_SIZE);
    tag_text(game, "Black", room->seats[BLACK].name, NAME_SIZE);
    int64_t id = store_import(r, import, game, room);
    room_free(room);
    return id;
}

// ---- The request ----

// What is told of a game that was read; it is kept too where that was asked for.
static json_t *take_game(Request *r, Import *import, const PgnGame *game)
{
    char white[NAME_SIZE], black[NAME_SIZE];
    const PgnStream *s = import->stream;
    tag_text(game, "White", white, sizeof white);
    tag_text(game, "Black", black, sizeof black);
    note_losses(import, game);
    json_t *o = json_pack("{s:I, s:s, s:s, s:s, s:s, s:i, s:b, s:O, s:I, s:I, s:I}", "index",
                          (json_int_t)import->read++, "white", white, "black", black, "result",
                          result_text(game->result), "variant",
                          game->has_start ? game->start.rules->name : "", "plies",
                          game->has_start ? pgn_game_moves(game, NULL, 0) : 0, "complete",
                          game->is_complete, "problems", import->problems, "unlisted",
                          (json_int_t)import->unlisted, "from", (json_int_t)pgn_stream_game_at(s),
                          "bytes", (json_int_t)(pgn_stream_used(s) - pgn_stream_game_at(s)));
    if (import->is_saved) {
        int64_t id = save_import(r, import, game);
        json_object_set_new(o, "saved", id ? json_integer(id) : json_null());
    }
    return o;
}

// Forgets the problems of the game before.
static void clear_problems(Import *import)
{
    json_decref(import->problems);
    import->problems = json_array();
    import->unlisted = 0;
}

// All games of the piece that are complete. False when the library is full.
static bool take_games(Request *r, Import *import, json_t *games, int64_t *more)
{
    const PgnGame *game;
    clear_problems(import);
    while ((game = pgn_stream_next(import->stream))) {
        if (import->is_saved && import->free <= 0)
            return false;
        json_t *told = take_game(r, import, game);
        if (json_array_size(games) < LISTED_MAX)
            json_array_append_new(games, told);
        else
            json_decref(told), ++*more;
        clear_problems(import);
    }
    return true;
}

void request_end_import(Client *client)
{
    Import *import = client->import;
    client->import = NULL;
    if (!import)
        return;
    client->hub->import_count--;
    pgn_stream_free(import->stream);
    json_decref(import->problems);
    free(import);
}

// Opens an import for part 0; `game` and `line` are those at which an interrupted one goes on.
static bool begin_import(Request *r, bool is_saved)
{
    int64_t game = 0, line = 1;
    request_end_import(r->client);
    if (!request_maybe_int(r, "game", 0, INT32_MAX, &game) ||
        !request_maybe_int(r, "line", 1, INT64_MAX / 2, &line))
        return false;
    if (r->hub->import_count >= IMPORTS_MAX)
        return request_refuse(r, "limit", "imports", "others are importing: try again later");
    Import *import = calloc(1, sizeof *import);
    PgnStream *stream = import ? pgn_stream_new((uint64_t)line, note_problem, import) : NULL;
    if (!stream) {
        free(import);
        return request_fail(r, "internal", "out of memory");
    }
    *import = (Import){.stream = stream,
                       .is_saved = is_saved,
                       .read = game,
                       .free = request_library_free(r),
                       .problems = json_array()};
    r->client->import = import;
    r->hub->import_count++;
    return true;
}

// Part 0 begins an import, the others must follow each other.
static bool find_import(Request *r, bool is_saved)
{
    int64_t part = 0;
    if (!request_maybe_int(r, "part", 0, INT64_MAX / 2, &part))
        return false;
    if (!part)
        return begin_import(r, is_saved);
    return (r->client->import && r->client->import->part == part) ||
           request_refuse(r, "stale", "import-lost", "this import is no longer open");
}

// How far it is.
static void answer_import(Request *r, const Import *import, json_t *games, int64_t more)
{
    answer_json(r, "games", games);
    answer_int(r, "more", more);
    answer_int(r, "read", import->read);
    answer_int(r, "saved", import->saved);
    answer_int(r, "same", import->same);
    answer_int(r, "failed", import->failed);
    answer_int(r, "used", (int64_t)pgn_stream_used(import->stream));
    answer_int(r, "line", (int64_t)pgn_stream_line(import->stream));
}

bool request_import(Request *r)
{
    const char *text;
    bool is_saved = false, is_last = true, stop = false;
    if (!request_maybe_bool(r, "stop", &stop))
        return false;
    if (stop) {
        request_end_import(r->client);
        return true;
    }
    if (!request_text(r, "pgn", &text) || !request_maybe_bool(r, "save", &is_saved) ||
        !request_maybe_bool(r, "last", &is_last) || !find_import(r, is_saved))
        return false;
    Import *import = r->client->import;
    size_t size = strlen(text);
    json_t *games = json_array();
    int64_t more = 0;
    if (!pgn_stream_add(import->stream, text, size, is_last)) {
        json_decref(games);
        request_end_import(r->client);
        return request_fail(r, "internal", "out of memory");
    }
    bool is_full = !take_games(r, import, games, &more);
    import->part++;
    answer_import(r, import, games, more);
    answer_json(r, "full", json_boolean(is_full));
    if (is_last || is_full)
        request_end_import(r->client);
    // At home nobody has to be held back.
    if (r->hub->config.is_local)
        hub_refund(r->client, size);
    return true;
}
