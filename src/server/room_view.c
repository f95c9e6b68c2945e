// See room_view.h. The whole of a room, or the fields that changed, as the event `room`; and the
// short form for lists. Positions and nodes come from view.c. Nothing is changed here.
#include "server/room_view.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "server/view.h"

// Sets a field; takes the value over.
static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new_nocheck(object, name, value);
}

// The same for a text, which is known to be UTF-8.
static void set_text(json_t *object, const char *name, const char *text)
{
    set(object, name, json_string_nocheck(text));
}

json_t *room_view_rights(unsigned rights)
{
    json_t *list = json_array();
    for (Color c = WHITE; c <= BLACK; c++)
        if (rights & 1u << c)
            json_array_append_new(list, json_string(color_name(c)));
    return list;
}

json_t *player_view(const char *text)
{
    int level = level_of_text(text), end = 0;
    long long nodes;
    if (level)
        return json_pack("{s:s, s:i}", "kind", "lovac", "level", level);
    bool is_search = sscanf(text, "lovac nodes=%lld%n", &nodes, &end) == 1;
    if (is_search && (!text[end] || !strcmp(text + end, " net=none")))
        return json_pack("{s:s, s:s, s:I}", "kind", "search", "evaluation",
                         text[end] ? "hand" : "network", "nodes", (json_int_t)nodes);
    return json_pack("{s:s, s:s}", "kind", "engine", "engine", text);
}

json_t *seat_view(const Seat *seat, const bool *is_online)
{
    json_t *o;
    if (seat_is_human(seat)) {
        o = json_object();
        set_text(o, "kind", "human");
        set_text(o, "name", seat->name);
        set(o, "remote", json_boolean(seat->is_remote));
        if (is_online)
            set(o, "online", json_boolean(*is_online));
    } else {
        o = player_view(seat->name);
        set(o, "move_ms", json_integer(seat->move_ms));
    }
    return o;
}

// `state` of docs/protocol.md.
static const char *state_name(const Room *room)
{
    return room->is_analysis       ? "analysis"
           : room->is_over         ? "over"
           : room->is_paused       ? "paused"
           : room_is_waiting(room) ? "waiting"
                                   : "playing";
}

json_t *room_view_result(const Room *room)
{
    if (!room->is_over)
        return json_null();
    json_t *o = json_object();
    set_text(o, "result", result_text(room->result));
    bool has_winner = room->result == RESULT_WHITE || room->result == RESULT_BLACK;
    set(o, "winner",
        has_winner ? json_string(color_name(room->result == RESULT_WHITE ? WHITE : BLACK))
                   : json_null());
    set_text(o, "reason", room->reason);
    return o;
}

// The times at this moment; the page counts down from there. Null without a clock.
static json_t *view_clock(const Room *room)
{
    static const char *const KINDS[] = {"none", "game", "move"};
    const RoomClock *clock = &room->clock;
    if (clock->kind == CLOCK_NONE)
        return json_null();
    int64_t now = clock_ms();
    json_t *o = json_object();
    set_text(o, "kind", KINDS[clock->kind]);
    set(o, "time_ms", json_integer(clock->time_ms[WHITE]));
    set(o, "increment_ms", json_integer(clock->increment_ms[WHITE]));
    if (!room_clock_is_common(clock))
        set(o, "black",
            json_pack("{s:I, s:I}", "time_ms", (json_int_t)clock->time_ms[BLACK], "increment_ms",
                      (json_int_t)clock->increment_ms[BLACK]));
    set(o, "white_ms", json_integer(room_left_ms(room, WHITE, now)));
    set(o, "black_ms", json_integer(room_left_ms(room, BLACK, now)));
    set(o, "running", clock->since_ms ? json_string(color_name(room_turn(room))) : json_null());
    return o;
}

// A colour, where -1 is nobody.
static json_t *color_or_null(int c)
{
    return c < 0 ? json_null() : json_string(color_name(c));
}

// Who has offered or asked what.
static json_t *view_offers(const Room *room)
{
    json_t *o = json_object(), *takeback = json_null();
    if (room->takeback_by >= 0) {
        takeback = json_object();
        set_text(takeback, "by", color_name(room->takeback_by));
        set(takeback, "plies", json_integer(room->takeback_plies));
    }
    set(o, "draw", color_or_null(room->draw_by));
    set(o, "takeback", takeback);
    set(o, "rematch", color_or_null(room->rematch_by));
    return o;
}

// The earlier games of the room, and the score of those who are White and Black now.
static json_t *view_match(const Room *room)
{
    json_t *o = json_object(), *results = json_array(), *score = json_object();
    double points[2] = {0, 0};
    for (int i = 0; i < room->old_count; i++) {
        const OldGame *g = &room->old[i];
        json_t *row = json_object();
        set_text(row, "white", g->white);
        set_text(row, "black", g->black);
        set_text(row, "result", result_text(g->result));
        set_text(row, "reason", g->reason);
        set(row, "plies", json_integer(g->plies));
        json_array_append_new(results, row);
        if (g->result == RESULT_DRAW)
            points[WHITE] += 0.5, points[BLACK] += 0.5;
        else if (g->result != RESULT_NONE)
            points[(g->result == RESULT_BLACK) ^ g->is_swapped ^ room->is_swapped]++;
    }
    set(o, "game", json_integer(room->old_count + 1));
    set(o, "games", room->series_games ? json_integer(room->series_games) : json_null());
    for (Color c = WHITE; c <= BLACK; c++)
        set(score, color_name(c), json_real(points[c]));
    set(o, "score", score);
    set(o, "results", results);
    return o;
}

// Both players; a person is online when somebody with that key is here.
static void add_seats(json_t *o, const Room *room)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        bool is_online = false;
        for (const Member *m = room->members; m; m = m->next_in_room)
            is_online = is_online || (m->rights & 1u << c);
        set(o, color_name(c), seat_view(&room->seats[c], &is_online));
    }
}

// Members who play neither side.
static int count_watchers(const Room *room)
{
    int count = 0;
    for (const Member *m = room->members; m; m = m->next_in_room)
        count += !m->rights;
    return count;
}

// ---- The tree ----

// One changed node: its position is found by playing the line to it.
static json_t *view_one_node(const Tree *tree, int id, GameStep *steps)
{
    Game game;
    if (!id)
        return view_node(tree, 0, NULL, &tree->start);
    tree_game(tree, tree->nodes[id].parent, &game, steps);
    Position after = game.now;
    tree_play(&after, tree->nodes[id].move);
    return view_node(tree, id, &game.now, &after);
}

// All nodes, each line walked once: the positions of the current line lie in the steps' room.
static json_t *view_all_nodes(const Tree *tree)
{
    json_t *list = json_array();
    int *stack = malloc((size_t)tree->alive * sizeof *stack);
    Position *positions = NULL;
    int capacity = 0, top = 0;
    if (stack)
        stack[top++] = 0;
    while (top) {
        int id = stack[--top], depth = tree_depth(tree, id);
        if (depth >= capacity) {
            capacity = depth * 2 + 64;
            Position *larger = realloc(positions, (size_t)capacity * sizeof *larger);
            if (!larger)
                break;
            positions = larger;
        }
        if (id) {
            positions[depth] = positions[depth - 1];
            tree_play(&positions[depth], tree->nodes[id].move);
        } else {
            positions[0] = tree->start;
        }
        json_array_append_new(
            list, view_node(tree, id, id ? &positions[depth - 1] : NULL, &positions[depth]));
        for (int c = tree->nodes[id].child; c != NODE_NONE; c = tree->nodes[c].next)
            stack[top++] = c;
    }
    free(positions);
    free(stack);
    return list;
}

// The whole tree, or the nodes that changed and the ids that are gone.
static void add_nodes(json_t *o, const Room *room, bool is_full, GameStep *steps)
{
    if (is_full || room->has_new_tree) {
        set(o, "nodes", view_all_nodes(&room->tree));
        return;
    }
    if (room->changed_count) {
        json_t *nodes = json_array();
        for (int i = 0; i < room->changed_count; i++)
            json_array_append_new(nodes, view_one_node(&room->tree, room->changed[i], steps));
        set(o, "nodes", nodes);
    }
    if (room->removed_count) {
        json_t *removed = json_array();
        for (int i = 0; i < room->removed_count; i++)
            json_array_append_new(removed, json_integer(room->removed[i]));
        set(o, "removed", removed);
    }
}

// Where the game stands, or what was touched last in an analysis.
static json_t *view_room_position(const Room *room, GameStep *steps)
{
    Game game;
    int node = room->is_analysis ? room->touched : room->live;
    tree_game(&room->tree, node, &game, steps);
    return view_position(&game, node);
}

json_t *room_event(const Room *room, unsigned fields, bool is_full, GameStep *steps)
{
    json_t *o = json_object();
    bool is_new = is_full || room->has_new_tree;
    set_text(o, "event", "room");
    set_text(o, "room", room->id);
    set(o, "version", json_integer((json_int_t)room->version));
    set(o, "full", json_boolean(is_new));
    if (is_new)
        fields = FIELD_ALL;
    if (fields & FIELD_SETUP) {
        set_text(o, "mode", room->is_analysis ? "analysis" : "play");
        set_text(o, "variant", room->tree.start.rules->name);
        set(o, "start", *room->start ? json_string(room->start) : json_null());
        set(o, "tags", room->tags ? json_incref(room->tags) : json_null());
    }
    if (fields & FIELD_SEATS)
        add_seats(o, room);
    if (fields & FIELD_STATE)
        set_text(o, "state", state_name(room));
    if (fields & FIELD_POSITION) {
        set(o, "position", view_room_position(room, steps));
        set(o, "live", json_integer(room->live));
        add_nodes(o, room, is_full, steps);
    }
    if (fields & FIELD_CLOCK)
        set(o, "clock", view_clock(room));
    if (fields & FIELD_RESULT)
        set(o, "result", room_view_result(room));
    if (fields & FIELD_OFFERS)
        set(o, "offers", view_offers(room));
    if (fields & FIELD_MATCH)
        set(o, "match", view_match(room));
    if (fields & FIELD_SPEED)
        set(o, "speed_ms", json_integer(room->speed_ms));
    if (fields & FIELD_WATCHERS)
        set(o, "watchers", json_integer(count_watchers(room)));
    if (fields & FIELD_REVIEW)
        set(o, "review", room->review ? json_loads(room->review, 0, NULL) : json_null());
    return o;
}

json_t *room_summary(const Room *room, unsigned rights, int64_t updated_s, GameStep *steps)
{
    Game game;
    tree_game(&room->tree, room->is_analysis ? room->touched : room->live, &game, steps);
    json_t *position = view_position(&game, room->live), *o = json_object();
    set_text(o, "room", room->id);
    set_text(o, "mode", room->is_analysis ? "analysis" : "play");
    set_text(o, "variant", room->tree.start.rules->name);
    add_seats(o, room);
    set(o, "you", room_view_rights(rights));
    set_text(o, "state", state_name(room));
    set(o, "result", room_view_result(room));
    static const char *const COPIED[] = {"ply", "turn", "fen", "last"};
    for (int i = 0; i < 4; i++)
        json_object_set(o, COPIED[i], json_object_get(position, COPIED[i]));
    set(o, "updated", json_integer(updated_s));
    json_decref(position);
    return o;
}
