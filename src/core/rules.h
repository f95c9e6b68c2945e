// The games that Lovac plays, as data: one row of `Rules` for each variant, in variants.c.
// Only core reads the rules of movement; the search asks the capabilities at the end of the row.
#ifndef LOVAC_CORE_RULES_H
#define LOVAC_CORE_RULES_H

#include "base/error.h"
#include "core/types.h"

// How the first position is chosen: by a number below `start_count`, or by any 64-bit seed.
typedef enum StartKind {
    START_FIXED,
    START_CHESS960,        // Scharnagl number 0..959, 518 is chess
    START_DOUBLE_CHESS960, // white number * 960 + black number
    START_CORNER,          // 0..359
    START_FORTRESS,        // 0..359
    START_MASSACRE         // any seed
} StartKind;

typedef struct Rules {
    const char *name;    // as in UCI_Variant
    const char *title;   // as people call it
    const char *summary; // the rules in three lines

    StartKind start;
    const char *start_fen; // the fixed start, or the usual one

    bool is_orthodox; // men move as in chess: the generator's fast instance applies
    bool has_castling;
    bool has_king[2];             // by colour; a side without a king cannot be checked or mated
    bool must_capture;            // every move must take something
    bool bare_side_loses;         // a side without men has lost
    bool no_move_loses;           // else stalemate is a draw
    bool has_dead_draw;           // draw when neither side can mate any more
    int8_t pawn_step[2];          // direction of a pawn's quiet step, by colour
    int8_t pawn_capture[2][2];    // the two directions in which it takes
    Bitboard pawn_double_from[2]; // squares from which it may step twice
    Bitboard promotion_zone[2];   // squares on which it promotes

    // What the search and the tables may rely on.
    bool can_null_move[2];   // passing is a sound test, by the colour that passes
    bool can_quiesce;        // captures alone settle a position
    bool can_use_tablebases; // Syzygy tables are right
} Rules;

enum {
    VARIANT_CHESS,
    VARIANT_CHESS960,
    VARIANT_DOUBLE_CHESS960,
    VARIANT_HORDE32,
    VARIANT_LEGAN,
    VARIANT_CORNER,
    VARIANT_FORTRESS,
    VARIANT_MASSACRE,
    VARIANT_COUNT
};

// All games, in the order of the enumeration above.
extern const Rules VARIANTS[VARIANT_COUNT];

// Finds a game by name or a usual alias ("standard", "fischerandom", ...), upper or lower case;
// NULL if unknown.
const Rules *rules_find(const char *name);

// How many numbered start positions the game has (1 for a fixed one); 0 means any 64-bit seed.
uint64_t rules_start_count(const Rules *rules);

enum { FEN_SIZE = 128 }; // room for any FEN we write, with its final 0

// Writes the FEN of start position `number` (ignored for a fixed start); false when it is out of
// range.
bool rules_start_fen(const Rules *rules, uint64_t number, char fen[FEN_SIZE], Error *error);

#endif
