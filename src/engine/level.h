// Twelve levels of play from a beginner to full strength. The lower ones think like people: they
// look only a few moves ahead and overlook what people of that strength overlook (long, backward,
// quiet and discovered moves, and the more the farther away), instead of playing good moves mixed
// with random ones. The upper ones are the engine itself with fewer nodes. Works in every game.
#ifndef LOVAC_ENGINE_LEVEL_H
#define LOVAC_ENGINE_LEVEL_H

#include "core/position.h"

enum { LEVEL_COUNT = 12 };

typedef struct Level {
    const char *name;
    int elo; // about, on the scale of Stockfish 15.1's UCI_Elo (docs/lab.md)
    // People's levels: 0 depth means that the engine itself plays.
    int depth;      // half-moves ahead
    int captures;   // then so many half-moves of captures
    int oversight;  // chance to overlook a move, in thousandths, before its difficulty counts
    int noise;      // centipawns by which positions are misjudged
    uint64_t nodes; // of the engine's levels; 0: no limit
} Level;

// Levels 1 to 12 are LEVELS[0] to LEVELS[11].
extern const Level LEVELS[LEVEL_COUNT];

// The level (from 1) nearest to a rating, and to a skill of 0 to 20.
int level_of_elo(int elo);
int level_of_skill(int skill);

// How to play at a rating: between two levels oversights, noise and nodes lie between theirs, too;
// between the last two the nodes grow to a million.
Level level_at_elo(int elo);

// Does a person's way of thinking choose the moves of this level?
bool level_is_human(const Level *level);

typedef struct LevelChoice {
    Move move; // MOVE_NONE when there is no legal move
    int score; // as this level sees it, for the side to move
    int depth;
    uint64_t nodes;
} LevelChoice;

// Chooses a move at a human level after these moves, which must be legal. The same seed and game
// give the same move. Whoever has just lost the queen looks twice: that does not happen again at
// once.
void level_choose(const Level *level, const Position *start, const Move *moves, int count,
                  uint64_t seed, LevelChoice *choice);

// How long a person of this level would think about a position before a move, in milliseconds: the
// only move and the recapture quickly, much choice slowly, never more than a small share of the
// time left (below 0: no clock).
int64_t level_pause_ms(const Level *level, const Position *pos, bool is_recapture,
                       int64_t time_left_ms, uint64_t seed);

#endif
