// Games as bytes: a start, then about a byte and a half for each half-move and its score.
// docs/formats.md describes every bit. Here games in memory; files of them are data_file.h.
#ifndef LOVAC_LAB_DATA_FORMAT_H
#define LOVAC_LAB_DATA_FORMAT_H

#include <stddef.h>

#include "core/game.h"

enum {
    DATA_PLIES_MAX = 1024, // longest game that can be kept
    DATA_EVERY_MAX = 255,
    DATA_GAME_SIZE = 64 + FEN_SIZE + DATA_PLIES_MAX * 8 // room for any encoded game
};

// A game to keep, or one that was read.
typedef struct DataGame {
    Position start;
    bool has_number; // start is start position `number` of its game
    uint64_t number;
    int opening; // half-moves at the start that nobody thought about; they have no scores
    int every;   // one move in so many was searched to be learned from, the others quickly; 0: all
    int count;   // half-moves
    Move moves[DATA_PLIES_MAX];
    int16_t scores[DATA_PLIES_MAX]; // of the search before each move, for White
    Result result;
    Reason reason;
} DataGame;

// Writes a game and returns the number of bytes. The game must be legal, which only assertions
// check.
size_t data_encode(const DataGame *game, uint8_t buffer[DATA_GAME_SIZE]);

// Reads one game from `*at`, which is moved on; false with the reason when the bytes are no legal
// game.
bool data_decode(const uint8_t **at, const uint8_t *end, const Rules *rules, DataGame *game,
                 Error *error);

// Was the move at `ply` searched to be learned from? Which ones of a game these are hangs on its
// opening.
bool data_is_full(const DataGame *game, int ply);

// What a trainer keeps of a game: is the position before move `ply` quiet and open enough to learn
// from? `pos` is that position. Searched for that, not in check, the move no capture or promotion,
// the game begun, the score not extreme.
bool data_is_kept(const DataGame *game, const Position *pos, int ply);

// What the scores after each position came to, for White: a mean in which each, within the limit,
// counts half of the one before it, and the result, worth the limit, last of all.
void data_find_later(const DataGame *game, int limit, int16_t later[DATA_PLIES_MAX]);

#endif
