// Requests that look at the tree of a room or change it: variations, comments, glyphs, shapes. The
// moves of a game that goes on stay as they are; notes may be added at any time.
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "server/request_int.h"
#include "server/view.h"

enum { LINE_MAX = 100 };

// While a game goes on its moves stay as they are.
static bool must_be_free(Request *r)
{
    return r->room->is_analysis || r->room->is_over ||
           request_refuse(r, "not-allowed", "game-goes-on", "the game is still going on");
}

bool request_show(Request *r)
{
    int node = 0;
    Game game;
    if (!request_node(r, &node))
        return false;
    tree_game(&r->room->tree, node, &game, r->hub->steps);
    answer_json(r, "position", view_position(&game, node));
    return true;
}

// The glyphs of a request; -1: none were given, the old ones stay.
static bool read_nags(Request *r, uint8_t nags[NAGS_MAX], int *count)
{
    const json_t *list = json_object_get(r->json, "nags");
    *count = -1;
    if (!list)
        return true;
    if (!json_is_array(list) || json_array_size(list) > NAGS_MAX)
        return request_fail(r, "bad-request", "nags must be a list of at most %d", NAGS_MAX);
    for (*count = 0; (size_t)*count < json_array_size(list); ++*count) {
        int64_t nag = json_integer_value(json_array_get(list, (size_t)*count));
        if (nag < 1 || nag > 255)
            return request_fail(r, "bad-request", "a NAG is a number from 1 to 255");
        nags[*count] = (uint8_t)nag;
    }
    return true;
}

// The shapes of a request; -1: none were given, the old ones stay.
static bool read_shapes(Request *r, Shape shapes[SHAPES_MAX], int *count)
{
    const json_t *list = json_object_get(r->json, "shapes");
    *count = -1;
    if (!list)
        return true;
    if (!json_is_array(list) || json_array_size(list) > SHAPES_MAX)
        return request_fail(r, "bad-request", "shapes must be a list of at most %d", SHAPES_MAX);
    for (*count = 0; (size_t)*count < json_array_size(list); ++*count)
        if (!shape_from_json(json_array_get(list, (size_t)*count), &shapes[*count]))
            return request_fail(r, "bad-request", "shape %d: brush, from and to", *count);
    return true;
}

bool request_annotate(Request *r)
{
    int node = 0, nag_count = 0, shape_count = 0;
    uint8_t nags[NAGS_MAX];
    Shape shapes[SHAPES_MAX];
    const char *comment;
    if (!request_node(r, &node) || !request_maybe_text(r, "comment", &comment) ||
        !read_nags(r, nags, &nag_count) || !read_shapes(r, shapes, &shape_count))
        return false;
    Notes *notes = tree_notes(&r->room->tree, node);
    bool ok = notes;
    if (ok && comment) {
        char *clean = malloc(COMMENT_MAX * 4 + 1);
        ok = clean;
        if (ok) {
            clean_text(comment, COMMENT_MAX, clean, COMMENT_MAX * 4 + 1);
            ok = notes_set_comment(notes, clean);
        }
        free(clean);
    }
    if (ok && nag_count >= 0) {
        memcpy(notes->nags, nags, (size_t)nag_count);
        notes->nag_count = nag_count;
    }
    if (ok && shape_count >= 0)
        ok = notes_set_shapes(notes, shapes, shape_count);
    room_touch_node(r->room, node);
    return ok || request_fail(r, "internal", "out of memory");
}

bool request_promote(Request *r)
{
    int node = 0;
    bool main = false;
    Room *room = r->room;
    if (!must_be_free(r) || !request_node(r, &node) || !request_maybe_bool(r, "main", &main))
        return false;
    // The first fork above the node, or with `main` all of them.
    for (int id = node; id > 0; id = room->tree.nodes[id].parent) {
        int parent = room->tree.nodes[id].parent;
        if (room->tree.nodes[parent].child == id)
            continue;
        tree_put_first(&room->tree, id);
        room_touch_node(room, parent);
        room_touch_node(room, id);
        if (!main)
            break;
    }
    room->touched = node;
    room_touch(room, FIELD_POSITION);
    return true;
}

bool request_demote(Request *r)
{
    int node = 0;
    Room *room = r->room;
    if (!must_be_free(r) || !request_node(r, &node))
        return false;
    // The nearest fork above the node at which another line comes behind.
    for (int id = node; id > 0; id = room->tree.nodes[id].parent) {
        int parent = room->tree.nodes[id].parent, next = room->tree.nodes[id].next;
        if (!tree_put_later(&room->tree, id))
            continue;
        room_touch_node(room, parent);
        room_touch_node(room, id);
        room_touch_node(room, next);
        room->touched = node;
        room_touch(room, FIELD_POSITION);
        return true;
    }
    return request_refuse(r, "not-allowed", "line-last", "there is no line behind this one");
}

// Is `id` on the way from the start to `node`?
static bool is_before(const Tree *tree, int id, int node)
{
    while (node != id && node > 0)
        node = tree->nodes[node].parent;
    return node == id;
}

bool request_cut(Request *r)
{
    int node = 0;
    Room *room = r->room;
    if (!must_be_free(r) || !request_node(r, &node))
        return false;
    if (!node)
        return request_refuse(r, "bad-request", "start-stays", "the start cannot be cut");
    int parent = room->tree.nodes[node].parent;
    if (!room->is_analysis && is_before(&room->tree, node, room->live))
        return request_refuse(r, "not-allowed", "main-game", "this is the game itself");
    if (is_before(&room->tree, node, room->live))
        room->live = parent;
    if (is_before(&room->tree, node, room->touched))
        room->touched = parent;
    int *removed = malloc((size_t)room->tree.alive * sizeof *removed);
    if (!removed)
        return request_fail(r, "internal", "out of memory");
    int count = tree_cut(&room->tree, node, removed);
    room_remove_nodes(room, removed, count);
    room_touch_node(room, parent);
    free(removed);
    return true;
}

// The moves of a request, at most `LINE_MAX`.
static bool read_line(Request *r, const json_t **list)
{
    *list = json_object_get(r->json, "uci");
    return (json_is_array(*list) && json_array_size(*list) <= LINE_MAX) ||
           request_fail(r, "bad-request", "uci must be a list of at most %d moves", LINE_MAX);
}

// The i-th of them, which must be legal.
static bool read_line_move(Request *r, const json_t *list, size_t i, const Position *pos,
                           Move *move)
{
    const char *uci = json_string_value(json_array_get(list, i));
    *move = uci ? view_find_move(pos, uci) : MOVE_NONE;
    return *move != MOVE_NONE || request_refuse(r, "illegal-move", "move-of-line",
                                                "move {number:%d} is not legal", (int)i + 1);
}

bool request_peek(Request *r)
{
    int node = 0;
    bool is_threat = false;
    const json_t *list;
    Game game;
    Move move;
    char fen[FEN_SIZE];
    if (!request_node(r, &node) || !read_line(r, &list) ||
        !request_maybe_bool(r, "threat", &is_threat))
        return false;
    tree_game(&r->room->tree, node, &game, r->hub->steps);
    if (is_threat)
        tree_play(&game.now, MOVE_NONE);
    json_t *fens = json_array();
    answer_json(r, "fens", fens);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_line_move(r, list, i, &game.now, &move))
            return false;
        tree_play(&game.now, move);
        position_to_fen(&game.now, FEN_XFEN, fen);
        json_array_append_new(fens, json_string(fen));
    }
    return true;
}

bool request_line(Request *r)
{
    int node = 0;
    Room *room = r->room;
    const json_t *list;
    Game game;
    Error error;
    Move move;
    if (!must_be_free(r) || !request_node(r, &node) || !read_line(r, &list))
        return false;
    tree_game(&room->tree, node, &game, r->hub->steps);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_line_move(r, list, i, &game.now, &move))
            return false;
        int id = tree_find(&room->tree, node, move);
        if (id == NODE_NONE) {
            id = tree_add(&room->tree, node, move, false, &error);
            if (id == NODE_NONE)
                return request_pass(r, "limit", &error);
            room_touch_node(room, node);
            room_touch_node(room, id);
        }
        tree_play(&game.now, move);
        node = id;
    }
    room->touched = node;
    room_touch(room, FIELD_POSITION);
    answer_int(r, "node", node);
    return true;
}
