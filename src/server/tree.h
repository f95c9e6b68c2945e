// The record of a room: a tree of moves with comments, glyphs and shapes. Node 0 is the start; ids
// are never used twice. The first child of a node goes on with its main line. No JSON, no disk
// here: see view.h and store.h.
#ifndef LOVAC_SERVER_TREE_H
#define LOVAC_SERVER_TREE_H

#include <stddef.h>

#include "core/game.h"

enum {
    TREE_NODES_MAX = 10000, // alive at a time
    TREE_IDS_MAX = 60000,   // ever
    TREE_DEPTH_MAX = 6000,
    NODE_NONE = -1,
    NAGS_MAX = 8,
    SHAPES_MAX = 64,
    COMMENT_MAX = 2000,
    COMMANDS_MAX = 500, // bytes
};

// An arrow, or a circle when both squares are the same.
typedef struct Shape {
    uint8_t brush; // index into SHAPE_BRUSHES
    uint8_t from, to;
} Shape;

enum { BRUSH_COUNT = 4 };
extern const char *const SHAPE_BRUSHES[BRUSH_COUNT]; // green, red, blue, yellow

// What people wrote to a move.
typedef struct Notes {
    char *comment;  // or NULL
    char *commands; // signs of other programs in PGN, "[%eval 0.24]", which are kept as they are;
                    // or NULL
    uint8_t nags[NAGS_MAX];
    int nag_count;
    Shape *shapes;
    int shape_count;
} Notes;

typedef struct Node {
    int32_t parent, child, next; // ids; child: the first one, next: the next sibling
    int32_t rank;                // orders siblings, the least first
    int32_t clock_ms;            // of the mover after the move; -1 when there was none
    Move move;                   // MOVE_NONE is a null move
    bool is_alive;
    Notes *notes; // or NULL
} Node;

typedef struct Tree {
    Position start;
    Node *nodes;
    int count, capacity; // ids given
    int alive;
} Tree;

// A tree of the start alone; false when there is no memory.
bool tree_init(Tree *tree, const Position *start);
void tree_release(Tree *tree);

// Is there such a node?
bool tree_has(const Tree *tree, int id);

// The number of moves from the start.
int tree_depth(const Tree *tree, int id);

// The child with that move, or NODE_NONE.
int tree_find(const Tree *tree, int id, Move move);

// Adds a child with a legal move, as the first or the last one; NODE_NONE and the reason when the
// tree is full.
int tree_add(Tree *tree, int id, Move move, bool is_first, Error *error);

// Puts a node back that was stored: ids in any order, then tree_link once.
bool tree_restore(Tree *tree, int id, const Node *node);

// Links restored nodes; false when they are no tree or a move is not legal.
bool tree_link(Tree *tree, Error *error);

// Deletes a node and all behind it; `removed` (room for tree->alive ids) gets them. Not node 0.
int tree_cut(Tree *tree, int id, int *removed);

// Makes a node the first of its siblings.
void tree_put_first(Tree *tree, int id);

// Lets a node change places with its next sibling; false when there is none.
bool tree_put_later(Tree *tree, int id);

// The notes of a node, made when there are none yet; NULL when there is no memory.
Notes *tree_notes(Tree *tree, int id);

// Replaces a comment; "" removes it. False when there is no memory.
bool notes_set_comment(Notes *notes, const char *text);

// Adds signs such as "[%eval 0.24]"; false when there is no room or no memory.
bool notes_add_commands(Notes *notes, const char *text, size_t size);
bool notes_set_shapes(Notes *notes, const Shape *shapes, int count);
bool notes_is_empty(const Notes *notes);

// The moves from the start to a node, at most `capacity`; returns how many there are. A null move
// is MOVE_NONE.
int tree_moves(const Tree *tree, int id, Move *moves, int capacity);

// The last node of the main line behind a node.
int tree_end(const Tree *tree, int id);

// Plays the line to a node; `steps` has room for TREE_DEPTH_MAX. A line with a null move begins
// anew behind it.
void tree_game(const Tree *tree, int id, Game *game, GameStep *steps);

// Plays one move, also a null move.
void tree_play(Position *pos, Move move);

#endif
