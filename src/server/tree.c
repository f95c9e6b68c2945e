// See tree.h. Nodes lie in one array by id and are linked as first child and next sibling; the
// order of siblings is a rank, which is what is stored. Ids are never used again, so that a late
// message cannot mean another node. Positions are not kept: they are found by playing the line.
#include "server/tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/movegen.h"

const char *const SHAPE_BRUSHES[BRUSH_COUNT] = {"green", "red", "blue", "yellow"};

// Room for so many nodes; new ones are empty.
static bool reserve(Tree *tree, int count)
{
    if (count <= tree->capacity)
        return true;
    int capacity = count < 8 ? 8 : count + count / 2;
    Node *nodes = realloc(tree->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes)
        return false;
    memset(nodes + tree->capacity, 0, (size_t)(capacity - tree->capacity) * sizeof *nodes);
    tree->nodes = nodes;
    tree->capacity = capacity;
    return true;
}

static const Node EMPTY_NODE = {
    .parent = NODE_NONE, .child = NODE_NONE, .next = NODE_NONE, .clock_ms = -1, .is_alive = true};

bool tree_init(Tree *tree, const Position *start)
{
    *tree = (Tree){.start = *start};
    if (!reserve(tree, 1))
        return false;
    tree->nodes[0] = EMPTY_NODE;
    tree->count = tree->alive = 1;
    return true;
}

// Notes may be NULL, as most are.
static void free_notes(Notes *notes)
{
    if (!notes)
        return;
    free(notes->comment);
    free(notes->commands);
    free(notes->shapes);
    free(notes);
}

void tree_release(Tree *tree)
{
    for (int i = 0; i < tree->count; i++)
        free_notes(tree->nodes[i].notes);
    free(tree->nodes);
    *tree = (Tree){0};
}

bool tree_has(const Tree *tree, int id)
{
    return id >= 0 && id < tree->count && tree->nodes[id].is_alive;
}

int tree_depth(const Tree *tree, int id)
{
    int depth = 0;
    for (; id > 0; id = tree->nodes[id].parent)
        depth++;
    return depth;
}

int tree_find(const Tree *tree, int id, Move move)
{
    for (int c = tree->nodes[id].child; c != NODE_NONE; c = tree->nodes[c].next)
        if (tree->nodes[c].move == move)
            return c;
    return NODE_NONE;
}

// Links a node among its siblings by rank, behind those of the same rank.
static void link_node(Tree *tree, int id)
{
    Node *node = &tree->nodes[id];
    int32_t *at = &tree->nodes[node->parent].child;
    while (*at != NODE_NONE && tree->nodes[*at].rank <= node->rank)
        at = &tree->nodes[*at].next;
    node->next = *at;
    *at = id;
}

// Takes a node out of the list of its siblings.
static void unlink_node(Tree *tree, int id)
{
    int32_t *at = &tree->nodes[tree->nodes[id].parent].child;
    while (*at != id)
        at = &tree->nodes[*at].next;
    *at = tree->nodes[id].next;
}

// The rank of a new child: before all others, or behind them.
static int new_rank(const Tree *tree, int parent, bool is_first)
{
    int child = tree->nodes[parent].child;
    if (child == NODE_NONE)
        return 0;
    if (is_first)
        return tree->nodes[child].rank - 1;
    while (tree->nodes[child].next != NODE_NONE)
        child = tree->nodes[child].next;
    return tree->nodes[child].rank + 1;
}

int tree_add(Tree *tree, int id, Move move, bool is_first, Error *error)
{
    if (tree->alive >= TREE_NODES_MAX || tree->count >= TREE_IDS_MAX ||
        tree_depth(tree, id) >= TREE_DEPTH_MAX)
        return error_code(error, "tree-full", "the tree is full"), NODE_NONE;
    if (!reserve(tree, tree->count + 1))
        return error_set(error, "out of memory"), NODE_NONE;
    int new = tree->count++;
    tree->nodes[new] = EMPTY_NODE;
    tree->nodes[new].parent = id;
    tree->nodes[new].move = move;
    tree->nodes[new].rank = new_rank(tree, id, is_first);
    tree->alive++;
    link_node(tree, new);
    return new;
}

bool tree_restore(Tree *tree, int id, const Node *node)
{
    if (id < 0 || id >= TREE_IDS_MAX || !reserve(tree, id + 1))
        return false;
    if (id >= tree->count)
        tree->count = id + 1;
    int32_t child = tree->nodes[id].child;
    tree->nodes[id] = *node;
    tree->nodes[id].child = id ? NODE_NONE : child;
    tree->nodes[id].next = NODE_NONE;
    tree->nodes[id].is_alive = true;
    if (id)
        tree->alive++;
    return true;
}

// Are the moves behind a node legal? Deep lines are walked in a loop, variations by recursion on
// an explicit list.
static bool check_moves(const Tree *tree, Error *error)
{
    int *list = malloc((size_t)tree->count * sizeof *list);
    Position *positions = malloc((size_t)(TREE_DEPTH_MAX + 2) * sizeof *positions);
    bool ok = (list && positions) || error_set(error, "out of memory");
    int top = 0;
    if (ok)
        list[top++] = 0;
    while (ok && top) {
        int id = list[--top], depth = tree_depth(tree, id);
        ok = depth <= TREE_DEPTH_MAX;
        if (!ok)
            break;
        const Node *node = &tree->nodes[id];
        if (!id) {
            positions[0] = tree->start;
        } else {
            positions[depth] = positions[depth - 1];
            Move m = node->move;
            ok = m == MOVE_NONE ? !position_in_check(&positions[depth])
                                : move_is_pseudo_legal(&positions[depth], m) &&
                                      move_is_legal(&positions[depth], m);
            if (ok)
                tree_play(&positions[depth], m);
        }
        for (int c = node->child; c != NODE_NONE; c = tree->nodes[c].next)
            list[top++] = c;
    }
    free(list);
    free(positions);
    return ok || error_set(error, "the stored game has an illegal move");
}

bool tree_link(Tree *tree, Error *error)
{
    for (int id = 1; id < tree->count; id++) {
        Node *node = &tree->nodes[id];
        if (!node->is_alive)
            continue;
        // A parent is always older than its child, so there are no rings.
        if (node->parent < 0 || node->parent >= id || !tree->nodes[node->parent].is_alive)
            return error_set(error, "the stored game is no tree: node %d", id);
        link_node(tree, id);
    }
    return check_moves(tree, error);
}

int tree_cut(Tree *tree, int id, int *removed)
{
    int count = 0;
    unlink_node(tree, id);
    removed[count++] = id;
    for (int i = 0; i < count; i++)
        for (int c = tree->nodes[removed[i]].child; c != NODE_NONE; c = tree->nodes[c].next)
            removed[count++] = c;
    for (int i = 0; i < count; i++) {
        free_notes(tree->nodes[removed[i]].notes);
        tree->nodes[removed[i]] = (Node){.parent = NODE_NONE};
    }
    tree->alive -= count;
    return count;
}

void tree_put_first(Tree *tree, int id)
{
    int parent = tree->nodes[id].parent;
    if (tree->nodes[parent].child == id)
        return;
    tree->nodes[id].rank = new_rank(tree, parent, true);
    unlink_node(tree, id);
    link_node(tree, id);
}

bool tree_put_later(Tree *tree, int id)
{
    int next = tree->nodes[id].next;
    if (next == NODE_NONE)
        return false;
    int32_t rank = tree->nodes[id].rank;
    unlink_node(tree, id);
    unlink_node(tree, next);
    tree->nodes[id].rank = tree->nodes[next].rank;
    tree->nodes[next].rank = rank;
    link_node(tree, next);
    link_node(tree, id);
    return true;
}

Notes *tree_notes(Tree *tree, int id)
{
    if (!tree->nodes[id].notes)
        tree->nodes[id].notes = calloc(1, sizeof(Notes));
    return tree->nodes[id].notes;
}

bool notes_set_comment(Notes *notes, const char *text)
{
    char *copy = *text ? strdup(text) : NULL;
    if (*text && !copy)
        return false;
    free(notes->comment);
    notes->comment = copy;
    return true;
}

bool notes_add_commands(Notes *notes, const char *text, size_t size)
{
    size_t old = notes->commands ? strlen(notes->commands) : 0;
    char *larger = old + size <= COMMANDS_MAX ? realloc(notes->commands, old + size + 1) : NULL;
    if (!larger)
        return false;
    memcpy(larger + old, text, size);
    larger[old + size] = 0;
    notes->commands = larger;
    return true;
}

bool notes_set_shapes(Notes *notes, const Shape *shapes, int count)
{
    Shape *copy = count ? malloc((size_t)count * sizeof *copy) : NULL;
    if (count && !copy)
        return false;
    if (count)
        memcpy(copy, shapes, (size_t)count * sizeof *copy);
    free(notes->shapes);
    notes->shapes = copy;
    notes->shape_count = count;
    return true;
}

bool notes_is_empty(const Notes *notes)
{
    return !notes ||
           (!notes->comment && !notes->commands && !notes->nag_count && !notes->shape_count);
}

int tree_moves(const Tree *tree, int id, Move *moves, int capacity)
{
    int depth = tree_depth(tree, id);
    for (int i = depth - 1; i >= 0; i--, id = tree->nodes[id].parent)
        if (i < capacity)
            moves[i] = tree->nodes[id].move;
    return depth;
}

int tree_end(const Tree *tree, int id)
{
    while (tree->nodes[id].child != NODE_NONE)
        id = tree->nodes[id].child;
    return id;
}

void tree_play(Position *pos, Move move)
{
    Undo undo;
    if (move == MOVE_NONE)
        position_make_null(pos, &undo);
    else
        position_make(pos, move, &undo);
}

void tree_game(const Tree *tree, int id, Game *game, GameStep *steps)
{
    // The moves wait in the steps' own places; each is read before it is played.
    int depth = tree_depth(tree, id);
    for (int i = depth - 1; i >= 0; i--, id = tree->nodes[id].parent)
        steps[i].move = tree->nodes[id].move;
    game_init(game, &tree->start, steps, TREE_DEPTH_MAX);
    for (int i = 0; i < depth; i++) {
        Move move = steps[i].move;
        if (move != MOVE_NONE) {
            game_play(game, move, NULL);
            continue;
        }
        Position after = game->now;
        tree_play(&after, MOVE_NONE);
        game_init(game, &after, steps, TREE_DEPTH_MAX);
    }
}
