// Which men are on the board: what a table of endings is made for. "KQKR" is king and queen
// against king and rook; a game in which Black has no king writes "KQvPP".
#ifndef LOVAC_TABLES_MATERIAL_H
#define LOVAC_TABLES_MATERIAL_H

#include "core/position.h"

enum {
    TABLE_MEN = 6,            // the most men that a table can have
    MATERIAL_NAME_SIZE = 12,  // its name with a 'v' and the final 0
    MATERIAL_LIST_SIZE = 1024 // more than there are with up to TABLE_MEN men
};

typedef struct Material {
    uint8_t count[2][TYPE_COUNT]; // by colour and type
} Material;

// The name of the set of tables that a game uses: "chess" for all whose endings are those of chess;
// NULL for a game that has none (it has no king at all).
const char *material_set(const Rules *rules);

// Reads a name such as KQKR or KQvKR; the sides may come in either order. False with the reason
// when it is none of the game's.
bool material_read(Material *material, const Rules *rules, const char *name, Error *error);

// Writes the name.
void material_write(const Material *material, char name[MATERIAL_NAME_SIZE]);

// The men of a position.
Material material_of(const Position *pos);

static inline bool material_is_same(const Material *a, const Material *b)
{
    return !__builtin_memcmp(a, b, sizeof *a);
}

// Men in all, pawns in all.
int material_men(const Material *material);
int material_pawns(const Material *material);

// The symmetry (core/symmetry.h) by which White and Black change places; -1 where they cannot.
int material_swap(const Rules *rules);

// Puts the stronger side first (more men, then better ones) where colours can change places; true
// when they did.
bool material_normalise(Material *material, const Rules *rules);

// Is there something to store? Not if only kings are left or a side has nothing at all.
bool material_has_table(const Material *material);

// All materials of a game with exactly so many men, in an order in which they can be made one after
// the other; returns how many. `list` has room for MATERIAL_LIST_SIZE.
int material_list(const Rules *rules, int men, Material *list);

// The tables that the moves out of this one lead to (captures, promotions), each once; returns how
// many.
int material_children(const Material *material, const Rules *rules, Material *list);

// Adds all that a material needs, children first, then itself, to a list of `count`, where missing;
// returns the new count. Ends at MATERIAL_LIST_SIZE: then the list is not complete.
int material_add_with_children(const Material *material, const Rules *rules, Material *list,
                               int count);

#endif
