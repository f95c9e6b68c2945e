// See room_file.h. The state is a JSON object of short names; missing fields have defaults, so that
// later versions can add some.
#include "server/room_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/fen.h"
#include "engine/level.h"
#include "engine/score.h"
#include "server/view.h"

// ---- Writing ----

// Who sits there; a player is kept by its name or description.
static json_t *save_seat(const Seat *seat)
{
    return json_pack("{s:i, s:s, s:b, s:b, s:I}", "kind", (int)seat->kind, "name", seat->name,
                     "remote", seat->is_remote, "come", seat->has_come, "move_ms",
                     (json_int_t)seat->move_ms);
}

// The clock as it shows now: it goes on from there after a restart.
static json_t *save_clock(const Room *room)
{
    int64_t now = clock_ms();
    const RoomClock *clock = &room->clock;
    return json_pack(
        "{s:i, s:I, s:I, s:I, s:I, s:I, s:I}", "kind", (int)clock->kind, "time",
        (json_int_t)clock->time_ms[WHITE], "increment", (json_int_t)clock->increment_ms[WHITE],
        "black_time", (json_int_t)clock->time_ms[BLACK], "black_increment",
        (json_int_t)clock->increment_ms[BLACK], "white", (json_int_t)room_left_ms(room, WHITE, now),
        "black", (json_int_t)room_left_ms(room, BLACK, now));
}

// The room but for its tree as JSON; NULL when there is no memory.
static char *save_state(const Room *room)
{
    char fen[FEN_SIZE];
    position_to_fen(&room->tree.start, FEN_SHREDDER, fen);
    json_t *o = json_pack(
        "{s:s, s:s, s:s, s:[s,s,s], s:b, s:o, s:o, s:o, s:i, s:i, s:b, s:b, s:i, s:s, s:i, s:i, "
        "s:i, s:i, s:b, s:i, s:b, s:b, s:I, s:[i,i], s:I, s:I, s:b, s:b}",
        "variant", room->tree.start.rules->name, "fen", fen, "start", room->start, "keys",
        room->keys[0], room->keys[1], room->keys[2], "analysis", room->is_analysis, "white",
        save_seat(&room->seats[WHITE]), "black", save_seat(&room->seats[BLACK]), "clock",
        save_clock(room), "live", room->live, "touched", room->touched, "paused", room->is_paused,
        "over", room->is_over, "result", (int)room->result, "reason", room->reason, "draw_by",
        room->draw_by, "takeback_by", room->takeback_by, "takeback_plies", room->takeback_plies,
        "rematch_by", room->rematch_by, "rematch_swaps", room->rematch_swaps, "series",
        room->series_games, "alternate", room->series_alternates, "swapped", room->is_swapped,
        "speed", (json_int_t)room->speed_ms, "scores", room->own[WHITE].last_score,
        room->own[BLACK].last_score, "created", (json_int_t)room->created_s, "version",
        (json_int_t)room->version, "random", room->has_random_start, "no_book", room->no_book);
    bool ok = o && (!room->tags || !json_object_set(o, "tags", room->tags));
    char *text = ok ? view_text(o, JSON_COMPACT) : NULL;
    json_decref(o);
    return text;
}

// The notes of a node as JSON, NULL where there are none; false when there is no memory.
static bool save_notes(const Notes *notes, char **text)
{
    *text = NULL;
    if (notes_is_empty(notes))
        return true;
    json_t *o = json_object(), *nags = json_array(), *shapes = json_array();
    bool ok =
        !notes->comment || !json_object_set_new(o, "comment", json_string_nocheck(notes->comment));
    ok = ok && (!notes->commands ||
                !json_object_set_new(o, "commands", json_string_nocheck(notes->commands)));
    for (int i = 0; i < notes->nag_count; i++)
        ok = !json_array_append_new(nags, json_integer(notes->nags[i])) && ok;
    for (int i = 0; i < notes->shape_count; i++)
        ok = !json_array_append_new(shapes, view_shape(&notes->shapes[i])) && ok;
    ok = !json_object_set_new(o, "nags", nags) && ok;
    ok = !json_object_set_new(o, "shapes", shapes) && ok;
    *text = ok ? view_text(o, JSON_COMPACT) : NULL;
    json_decref(o);
    return *text;
}

// Must something go on in this room after a restart, even if nobody comes?
static bool is_active(const Room *room)
{
    return room_is_playing(room) &&
           (!seat_is_human(&room->seats[room_turn(room)]) || room->clock.since_ms);
}

// The rows to be written, made before the first of them is: all or none.
typedef struct Rows {
    char *state;
    int *ids; // of nodes, with their notes
    char **notes;
    int count;
} Rows;

// Gives back what make_rows made, also when it failed.
static void free_rows(Rows *rows)
{
    for (int i = 0; rows->notes && i < rows->count; i++)
        free(rows->notes[i]);
    free(rows->notes);
    free(rows->ids);
    free(rows->state);
}

// What has to be written: the state, and all nodes or those that changed.
static bool make_rows(const Room *room, bool is_whole, Rows *rows)
{
    int most = is_whole ? room->tree.count : room->changed_count;
    *rows = (Rows){.state = save_state(room),
                   .ids = calloc((size_t)most + 1, sizeof *rows->ids),
                   .notes = calloc((size_t)most + 1, sizeof *rows->notes)};
    bool ok = rows->state && rows->ids && rows->notes;
    for (int i = 0; i < most && ok; i++) {
        int id = is_whole ? i : room->changed[i];
        const Node *node = &room->tree.nodes[id];
        if ((is_whole && !node->is_alive) || (!id && !node->notes))
            continue;
        rows->ids[rows->count] = id;
        ok = save_notes(node->notes, &rows->notes[rows->count++]);
    }
    return ok;
}

// Puts the rows into the store's transaction.
static void write_rows(const Room *room, Store *store, bool is_whole, const Rows *rows)
{
    store_put_room(store, room->id, rows->state, is_active(room));
    if (is_whole)
        store_delete_nodes(store, room->id);
    for (int i = 0; i < room->removed_count && !is_whole; i++)
        store_delete_node(store, room->id, room->removed[i]);
    for (int i = 0; i < rows->count; i++)
        store_put_node(store, room->id, rows->ids[i], &room->tree.nodes[rows->ids[i]],
                       rows->notes[i]);
}

bool room_save(const Room *room, Store *store, bool is_new)
{
    Rows rows;
    bool is_whole = room->has_new_tree || is_new, ok = make_rows(room, is_whole, &rows);
    if (ok)
        write_rows(room, store, is_whole, &rows);
    free_rows(&rows);
    if (!ok)
        return false;
    for (int i = 0; i < KEY_COUNT && is_new; i++)
        store_put_key(store, room->keys[i], room->id);
    if (room->dirty & FIELD_REVIEW)
        store_put_review(store, room->id, room->review);
    return true;
}

// ---- Reading ----

// Fields of a stored object; what is missing, or of another kind, is as usual.
static int get_int(const json_t *o, const char *name, int fallback)
{
    const json_t *value = json_object_get(o, name);
    return json_is_integer(value) ? (int)json_integer_value(value) : fallback;
}

static int64_t get_long(const json_t *o, const char *name)
{
    return json_integer_value(json_object_get(o, name));
}

static bool get_bool(const json_t *o, const char *name)
{
    return json_is_true(json_object_get(o, name));
}

static void get_text(const json_t *o, const char *name, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(o, name));
    snprintf(text, size, "%s", value ? value : "");
}

// A seat; a player that is no longer in the list keeps its name, and cannot play.
static void load_seat(const json_t *o, Seat *seat)
{
    seat->kind = get_int(o, "kind", SEAT_HUMAN) ? SEAT_PLAYER : SEAT_HUMAN;
    get_text(o, "name", seat->name, sizeof seat->name);
    seat->is_remote = get_bool(o, "remote");
    seat->has_come = get_bool(o, "come");
    seat->move_ms = get_long(o, "move_ms");
    if (seat->kind == SEAT_PLAYER && !*seat->name) // a level, as rooms were once kept
        snprintf(seat->name, sizeof seat->name, "level=%d", get_int(o, "level", 1));
}

// A clock that stands still: play starts it when the game goes on.
static void load_clock(const json_t *o, RoomClock *clock)
{
    clock->kind = (ClockKind)get_int(o, "kind", CLOCK_NONE);
    // Rooms were once kept with one time for both.
    bool is_common = !json_object_get(o, "black_time");
    clock->time_ms[WHITE] = get_long(o, "time");
    clock->increment_ms[WHITE] = get_long(o, "increment");
    clock->time_ms[BLACK] = is_common ? clock->time_ms[WHITE] : get_long(o, "black_time");
    clock->increment_ms[BLACK] =
        is_common ? clock->increment_ms[WHITE] : get_long(o, "black_increment");
    clock->left_ms[WHITE] = get_long(o, "white");
    clock->left_ms[BLACK] = get_long(o, "black");
}

// All of a room but its tree.
static void load_state(Room *room, json_t *o)
{
    const json_t *keys = json_object_get(o, "keys"), *scores = json_object_get(o, "scores");
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        snprintf(room->keys[i], SECRET_SIZE, "%s", key ? key : "");
    }
    get_text(o, "start", room->start, sizeof room->start);
    room->has_random_start = get_bool(o, "random");
    room->is_analysis = get_bool(o, "analysis");
    load_seat(json_object_get(o, "white"), &room->seats[WHITE]);
    load_seat(json_object_get(o, "black"), &room->seats[BLACK]);
    load_clock(json_object_get(o, "clock"), &room->clock);
    room->live = get_int(o, "live", 0);
    room->touched = get_int(o, "touched", 0);
    room->is_paused = get_bool(o, "paused");
    room->is_over = get_bool(o, "over");
    room->result = (Result)get_int(o, "result", RESULT_NONE);
    get_text(o, "reason", room->reason, sizeof room->reason);
    room->draw_by = get_int(o, "draw_by", -1);
    room->takeback_by = get_int(o, "takeback_by", -1);
    room->takeback_plies = get_int(o, "takeback_plies", 0);
    room->rematch_by = get_int(o, "rematch_by", -1);
    room->rematch_swaps = get_bool(o, "rematch_swaps");
    room->series_games = get_int(o, "series", 0);
    room->series_alternates = get_bool(o, "alternate");
    room->is_swapped = get_bool(o, "swapped");
    room->speed_ms = get_long(o, "speed");
    room->no_book = get_bool(o, "no_book");
    for (size_t i = 0; i < 2; i++)
        room->own[i].last_score = (int)json_integer_value(json_array_get(scores, i));
    if (json_is_object(json_object_get(o, "tags")))
        room->tags = json_incref(json_object_get(o, "tags"));
    room->created_s = get_long(o, "created");
    room->version = (uint64_t)get_long(o, "version");
}

// The notes of a node; false when there is no memory.
static bool load_notes(Notes *notes, const char *text)
{
    json_t *o = json_loads(text, 0, NULL);
    const char *comment = json_string_value(json_object_get(o, "comment"));
    const json_t *nags = json_object_get(o, "nags"), *shapes = json_object_get(o, "shapes");
    const char *commands = json_string_value(json_object_get(o, "commands"));
    bool ok = (!comment || notes_set_comment(notes, comment)) &&
              (!commands || notes_add_commands(notes, commands, strlen(commands)));
    for (size_t i = 0; i < json_array_size(nags) && i < NAGS_MAX; i++)
        notes->nags[notes->nag_count++] = (uint8_t)json_integer_value(json_array_get(nags, i));
    Shape list[SHAPES_MAX];
    int count = 0;
    for (size_t i = 0; i < json_array_size(shapes) && count < SHAPES_MAX; i++)
        count += shape_from_json(json_array_get(shapes, i), &list[count]);
    ok = ok && notes_set_shapes(notes, list, count);
    json_decref(o);
    return ok;
}

// One node of the tree, in the order of ids: parents come first.
static bool load_node(void *context, int id, const Node *node, const char *notes)
{
    Tree *tree = context;
    if (!tree_restore(tree, id, node))
        return false;
    if (!notes)
        return true;
    Notes *own = tree_notes(tree, id);
    return own && load_notes(own, notes);
}

// The other way round than result_text; none when the text is odd.
static Result result_from_text(const char *text)
{
    for (Result r = RESULT_WHITE; r <= RESULT_DRAW; r++)
        if (!strcmp(text, result_text(r)))
            return r;
    return RESULT_NONE;
}

// One earlier game of the room; its moves stay in the store.
static void load_old_game(void *context, const StoredGame *game)
{
    Room *room = context;
    if (room->old_count == OLD_GAMES_MAX)
        return;
    OldGame *old = realloc(room->old, (size_t)(room->old_count + 1) * sizeof *old);
    if (!old)
        return;
    room->old = old;
    OldGame *g = &old[room->old_count++];
    *g = (OldGame){.result = result_from_text(game->result), .plies = game->plies};
    snprintf(g->white, sizeof g->white, "%s", game->white);
    snprintf(g->black, sizeof g->black, "%s", game->black);
    snprintf(g->reason, sizeof g->reason, "%s", game->reason);
    g->is_swapped = game->is_swapped;
}

// A room from its state, its nodes and its earlier games; NULL when they make none.
static Room *load(Store *store, const char *id, json_t *state, Error *error)
{
    const char *variant = json_string_value(json_object_get(state, "variant"));
    const char *fen = json_string_value(json_object_get(state, "fen"));
    const Rules *rules = variant ? rules_find(variant) : NULL;
    Position start;
    if (!rules || !fen || !position_set_up(&start, rules, fen, error))
        return NULL;
    Room *room = room_new(&start);
    if (!room)
        return error_set(error, "out of memory"), NULL;
    snprintf(room->id, sizeof room->id, "%s", id);
    load_state(room, state);
    if (!store_each_node(store, id, load_node, &room->tree) || !tree_link(&room->tree, error)) {
        room_free(room);
        return NULL;
    }
    if (!tree_has(&room->tree, room->live))
        room->live = tree_end(&room->tree, 0);
    if (!tree_has(&room->tree, room->touched))
        room->touched = room->live;
    store_each_old_game(store, id, load_old_game, room);
    return room;
}

Room *room_load(Store *store, const char *id, int64_t *updated_s, Error *error)
{
    char *text = NULL, *review = NULL;
    if (!store_get_room(store, id, &text, &review, updated_s))
        return error_set(error, "there is no such room"), NULL;
    error_set(error, "the stored room cannot be read");
    json_t *state = json_loads(text, 0, NULL);
    Room *room = state ? load(store, id, state, error) : NULL;
    if (room)
        room->review = review;
    else
        free(review);
    json_decref(state);
    free(text);
    return room;
}
