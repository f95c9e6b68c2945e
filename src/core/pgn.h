// A game of PGN as a whole: tags in order, and the moves with their comments, glyphs and nested
// variations as one list of items, in the order in which they are written. Nothing that was read is
// lost, so reading and writing (pgn_write.h) is a round trip. Reading checks every move by the
// rules of its game.
//
// core does not allocate: memory comes from the caller's function.
#ifndef LOVAC_CORE_PGN_H
#define LOVAC_CORE_PGN_H

#include "core/game.h"
#include "core/letters.h"
#include "core/pgn_read.h"
#include "core/position.h"

// Gives `size` bytes with the content of `memory` (NULL at first) kept, like realloc; size 0 frees.
// NULL when there is no memory.
typedef void *PgnMemory(void *context, void *memory, size_t size);

// Told of everything that was wrong with a game, as it is found.
typedef void PgnReport(void *context, uint64_t line, const Error *problem);

typedef struct PgnGame PgnGame;

// Asked when the tags of a game have been read and its moves have not: is it worth reading them?
typedef bool PgnQuestion(void *context, const PgnGame *game);

typedef enum PgnItemKind {
    PGN_ITEM_MOVE,    // move; MOVE_NONE is a null move
    PGN_ITEM_NAG,     // number
    PGN_ITEM_COMMENT, // text
    PGN_ITEM_OPEN,    // a variation that replaces the move before
    PGN_ITEM_CLOSE,
} PgnItemKind;

typedef struct PgnItem {
    uint8_t kind;
    uint16_t value; // the move or the number
    uint32_t text;  // of a comment: where it begins in the game's text
} PgnItem;

typedef struct PgnTag {
    uint32_t name, value; // where they begin in the game's text
} PgnTag;

enum { PGN_MAX_DEPTH = 64 }; // variations nested deeper are skipped, with a report

// One line of play while it is read or written.
typedef struct PgnLevel {
    Position now, before; // before its last move
    bool has_move;
    bool is_broken; // by an illegal move: the rest of the line is skipped
} PgnLevel;

struct PgnGame {
    PgnTag *tags;
    PgnItem *items;
    char *text;
    uint32_t tag_count, tag_capacity;
    uint32_t item_count, item_capacity;
    uint32_t text_size, text_capacity;

    Position start;
    bool has_start; // false: the variant is unknown or its FEN is bad, there are no moves
    Result result;
    bool is_complete; // all that was written has been understood
    uint64_t line;    // where it begins

    PgnMemory *memory;
    PgnReport *report; // may be NULL
    void *context;     // of both

    const PieceLetters *letters; // of the moves that are read; NULL: English ones
    PgnQuestion *is_wanted;      // may be NULL; gets `context` too
    bool is_passed_over;         // it was not wanted: there are tags and a result, no moves

    // While reading and adding:
    PgnLevel levels[PGN_MAX_DEPTH];
    int depth;        // the level that is being played
    uint64_t skipped; // open variations that are being skipped
    bool is_out_of_memory;
};

// An empty game. `memory` and `report` get `context`.
void pgn_game_init(PgnGame *game, PgnMemory *memory, PgnReport *report, void *context);

// Gives all memory back.
void pgn_game_release(PgnGame *game);

// Reads the next game, whatever was in `game` before; false at the end of the text. Tags and moves
// are kept up to an illegal one. `rules` are for games that do not name their variant (NULL: chess,
// or Chess960 where only that explains the castling rights).
bool pgn_game_read(PgnGame *game, PgnReader *reader, const Rules *rules);

// Begins a new game by hand: Variant, SetUp and FEN tags are set where the start needs them. Then
// add tags, moves, ... in the order in which they are to be written. False when there is no memory.
bool pgn_game_begin(PgnGame *game, const Position *start);
bool pgn_game_add_tag(PgnGame *game, const char *name, const char *value);
bool pgn_game_add_move(PgnGame *game, Move move); // legal; MOVE_NONE for a null move
bool pgn_game_add_nag(PgnGame *game, int number);
bool pgn_game_add_comment(PgnGame *game, const char *text);
bool pgn_game_open(PgnGame *game); // false also when nested too deep, or before any move
bool pgn_game_close(PgnGame *game);

// The value of a tag, or NULL; upper and lower case do not matter.
const char *pgn_game_tag(const PgnGame *game, const char *name);

// Sets a tag, in its old place if there is one.
bool pgn_game_set_tag(PgnGame *game, const char *name, const char *value);

// The moves of the main line, at most `capacity`; returns how many there are.
int pgn_game_moves(const PgnGame *game, Move *list, int capacity);

// The main line of a game, move by move:
//     for (pgn_line_begin(&line, game); pgn_line_next(&line); pgn_line_play(&line)) ...
typedef struct PgnLine {
    const PgnGame *game;
    uint32_t item;
    int count;    // moves played so far
    Position pos; // before `move`
    Move move;    // MOVE_NONE for a null move
} PgnLine;

void pgn_line_begin(PgnLine *line, const PgnGame *game); // the game has a start
bool pgn_line_next(PgnLine *line);                       // finds the next move; false at the end
void pgn_line_play(PgnLine *line);                       // plays it

// The variant that a Variant tag means ("Chess 960", "Standard", "From Position", ...); NULL if
// unknown.
const Rules *pgn_find_rules(const char *variant);

// What a Variant tag says for a game, so that pgn_find_rules finds it again: its title, or its name
// where the title means another game elsewhere ("Horde").
const char *pgn_variant_text(const Rules *rules);

#endif
