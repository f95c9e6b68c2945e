// A game: a start position, the moves played, and how it ended. Repetition lives here.
// core does not allocate: the caller gives the room for the steps.
#ifndef LOVAC_CORE_GAME_H
#define LOVAC_CORE_GAME_H

#include "core/position.h"

typedef enum Result {
    RESULT_NONE,
    RESULT_WHITE,
    RESULT_BLACK,
    RESULT_DRAW
} Result; // * 1-0 0-1 1/2-1/2

typedef enum Reason {
    REASON_NONE,
    REASON_CHECKMATE,
    REASON_ALL_CAPTURED, // the other side has no men left
    REASON_NO_CAPTURE,   // Massacre: nothing to take
    REASON_STALEMATE,
    REASON_FIFTY_MOVES,
    REASON_REPETITION,
    REASON_DEAD_POSITION, // neither side can mate
    REASON_RESIGNATION,
    REASON_TIME,
    REASON_AGREEMENT,
    REASON_TIME_NO_MATE,        // time ran out, but the other side cannot mate: draw
    REASON_RESIGNATION_NO_MATE, // resigned, but the other side cannot mate: draw
    REASON_ADJUDICATION,
    REASON_ILLEGAL_MOVE,
    REASON_ABANDONED,
} Reason;

typedef struct Outcome {
    Result result;
    Reason reason;
} Outcome;

// "1-0", "0-1", "1/2-1/2" or "*".
const char *result_text(Result result);

// "checkmate", "fifty moves", ... as shown to people; "" for none.
const char *reason_text(Reason reason);

typedef struct GameStep {
    Move move;
    Undo undo;
} GameStep;

typedef struct Game {
    Position start, now;
    GameStep *steps;
    int count, capacity;
    Outcome declared; // resignation, time, agreement, ...: set by game_declare
} Game;

// Begins a game from a position, with the caller's room for `capacity` half-moves.
void game_init(Game *game, const Position *start, GameStep *steps, int capacity);

// Plays a legal move; false when the room is full or the game has been declared over.
bool game_play(Game *game, Move move, Error *error);

// Takes back the last move (and any declared end); false at the start.
bool game_undo(Game *game);

// How often the current position has stood on the board, this time included.
int game_repetitions(const Game *game);

// How the game stands: men gone, no legal move, fifty moves, repetition, dead position, in that
// order; else what was declared; else RESULT_NONE.
Outcome game_outcome(const Game *game);

// The same without history: no repetition.
Outcome position_outcome(const Position *pos);

// Could that side still win by mate (or by its variant's goal) with some help? For flag falls and
// resignations.
bool position_can_win(const Position *pos, Color c);

// Declares an end from outside. Time and resignation become draws when the other side cannot win.
// `loser` is ignored for REASON_AGREEMENT.
void game_declare(Game *game, Reason reason, Color loser);

#endif
