// The index of a table: every way to put its men on the board has a number, and positions that a
// symmetry turns into each other share one.
//
// The number is made of digits. Digit 0 stands for the kings: pairs that symmetries do not turn
// into each other, 462 without pawns, 1806 with pawns that walk straight; a single king where the
// game gives only White one. Every other digit is a group of equal men, as a combination of the
// squares they may stand on. Not every number is a position: men may overlap, a king may be
// capturable; such numbers are never asked for.
#ifndef LOVAC_TABLES_LAYOUT_H
#define LOVAC_TABLES_LAYOUT_H

#include "tables/material.h"

enum { LAYOUT_DIGITS = TABLE_MEN, NO_LEAD = 0xffff };

// Equal men.
typedef struct LayoutGroup {
    uint8_t piece, count, first; // the first of them among the men
    uint8_t square_count;        // on which they may stand
    uint8_t square[64], rank[64];
    uint64_t size; // combinations
} LayoutGroup;

typedef struct Layout {
    const Rules *rules;
    Material material;
    int sides; // 1 where a position with Black to move is one with White to move, colours swapped
    int swap;  // the symmetry for that; -1: none
    uint8_t allowed; // a bit for each symmetry that leaves the game as it is
    int kings, men;
    uint8_t piece[TABLE_MEN]; // kings first, then the groups
    uint8_t group_of[TABLE_MEN];
    uint32_t lead_size;
    uint16_t lead_of[64 * 64]; // by the kings' squares; NO_LEAD where they cannot stand so
    uint8_t turn_of[64 * 64];  // the symmetry that brings them there
    uint8_t lead_square[64 * 64][2];
    uint8_t lead_mirror[64 * 64]; // another symmetry that leaves the kings where they are, or 0
    int groups;
    LayoutGroup group[LAYOUT_DIGITS];
    uint64_t times[LAYOUT_DIGITS];  // what a step of each digit adds: pawns, kings, then the rest
    uint64_t size;                  // numbers for each side to move
    uint64_t pawn_parts, pawn_step; // numbers with the same pawns: pawn_step in a row
} Layout;

// Where the men stand, in the order of `piece`.
typedef struct Placement {
    uint8_t square[TABLE_MEN];
} Placement;

// Makes the index of a normalised material.
void layout_init(Layout *layout, const Rules *rules, const Material *material);

// The numbers that a table of this material would have for each side, and in all.
uint64_t layout_nodes(const Rules *rules, const Material *material);

// The number of a placement whose kings do not touch. `*twins` (may be NULL) becomes 2 where a
// symmetry turns the placement into itself, else 1.
uint64_t layout_encode(const Layout *layout, const Placement *placement, int *twins);

// The placement of a number; false when two men share a square.
bool layout_decode(const Layout *layout, uint64_t index, Placement *placement);

// The digits of a number, and how many values each has.
void layout_digits(const Layout *layout, uint64_t index, uint32_t digit[LAYOUT_DIGITS]);
uint64_t layout_radix(const Layout *layout, int digit);

// The digit of a group whose men stand so.
uint64_t layout_group_digit(const LayoutGroup *group, const uint8_t *square);

// Side to move and number of a position with these men, in either colouring.
uint64_t layout_find(const Layout *layout, const Position *pos, Color *side);

// The same, as digits.
void layout_find_digits(const Layout *layout, const Position *pos, Color *side,
                        uint32_t digit[LAYOUT_DIGITS]);

// The position of a number; false when there is none: men overlap, a king could be taken, or
// another number stands for it.
bool layout_position(const Layout *layout, uint64_t index, Color side, Position *pos);

// White and Black change places.
Placement layout_swap(const Layout *layout, const Placement *placement);

// How far the pawns of a number have come, all together: grows with each pawn's step.
int layout_progress(const Layout *layout, uint64_t index);

#endif
