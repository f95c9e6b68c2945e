// Which games are wanted: a text such as `player:tal date>=1960 (result=1-0 or moves<25)`, read
// once and then asked of every game. The one filter of the program: `lovac convert --where` and the
// library's search are this code.
//
//     FIELD OP VALUE    OP is one of = != < <= > >= : (contains) ~ (pattern with * and ?)
//     WORD              stands in any tag
//     not X, X Y (and X and Y), X or Y, ( X )
//
// FIELD is one of those named in FilterField (player, elo, result, ...), or the name of any tag. A
// value with blanks or brackets stands in quotes. Capital and small letters are alike.
#ifndef LOVAC_CORE_FILTER_H
#define LOVAC_CORE_FILTER_H

#include "core/filter_board.h"
#include "core/pgn.h"

enum {
    FILTER_TESTS = 48,
    FILTER_NODES = 2 * FILTER_TESTS,
    FILTER_TEXT_SIZE = 4096,
};

typedef enum FilterField {
    FILTER_TAG,    // any tag, by its name
    FILTER_ANY,    // a word in any tag
    FILTER_PLAYER, // White or Black
    FILTER_ELO,    // of both players
    FILTER_RESULT, // as the tag tells, else as stands behind the moves
    FILTER_DATE,
    FILTER_YEAR,
    FILTER_MOVES,
    FILTER_PLIES,
    FILTER_ECO,
    FILTER_VARIANT,
    FILTER_END, // checkmate, stalemate, ... in the last position
    FILTER_COMMENT,
    FILTER_POSITION, // from here on: positions of the main line
    FILTER_FINAL_POSITION,
    FILTER_MATERIAL,
    FILTER_FINAL_MATERIAL,
} FilterField;

typedef enum FilterOp {
    FILTER_OP_EQUAL,
    FILTER_OP_NOT_EQUAL,
    FILTER_OP_LESS,
    FILTER_OP_LESS_EQUAL,
    FILTER_OP_GREATER,
    FILTER_OP_GREATER_EQUAL,
    FILTER_OP_CONTAINS,
    FILTER_OP_PATTERN
} FilterOp;

typedef struct FilterTest {
    uint8_t field, op;
    uint16_t name, value; // where they begin in the filter's text
    double number;        // the value where it is one
    bool is_number;
    const Rules *rules;
    Result result;
    Reason reason;
    union {
        BoardPattern board;
        MenPattern men;
    } of;
} FilterTest;

typedef struct FilterNode {
    uint8_t kind; // what filter.c makes of it
    uint8_t left, right;
    bool walks; // asks for positions
} FilterNode;

typedef struct Filter {
    FilterTest tests[FILTER_TESTS];
    FilterNode nodes[FILTER_NODES];
    int test_count, node_count;
    int root; // -1: every game is wanted
    size_t text_size;
    char text[FILTER_TEXT_SIZE];
} Filter;

// Reads a filter; an empty text wants every game. False, with the reason, when it is not
// understood.
bool filter_read(Filter *filter, const char *text, Error *error);

// Is the game wanted? Asked of a game that has been read.
bool filter_matches(const Filter *filter, const PgnGame *game);

// Is the game certainly not wanted, as far as its tags tell? Asked before its moves are read.
bool filter_rules_out(const Filter *filter, const PgnGame *game);

// Does it ask for the opening (eco, or the tags Opening and Variation)? And for what this game does
// not tell of it? Then it can be classified before.
bool filter_asks_opening(const Filter *filter);
bool filter_lacks_opening(const Filter *filter, const PgnGame *game);

// Does it ask for more than the tags tell?
bool filter_needs_moves(const Filter *filter);

// A text against a pattern in which * is any text and ? any one byte; capital and small letters are
// alike. Linear in the product of both lengths at worst.
bool filter_text_matches(const char *pattern, const char *text);

#endif
