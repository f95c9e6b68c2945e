// Playing below full strength: Skill Level and UCI_Elo choose one of the levels (level.h).
#ifndef LOVAC_ENGINE_STRENGTH_H
#define LOVAC_ENGINE_STRENGTH_H

#include "engine/level.h"
#include "engine/search.h"

enum { RECENT_MOVES = 6 }; // what a human level remembers of the game

// The end of the game so far: a position and the moves from it to the root.
typedef struct Recent {
    Position start;
    Move moves[RECENT_MOVES];
    int count;
} Recent;

// Is any weakening asked for? For study never.
bool strength_is_limited(const EngineOptions *options);

// Lowers depth and nodes of a search as the strength asks.
void strength_limit(const EngineOptions *options, SearchLimits *limits);

// The index of the root move to play; 0, the best one, unless a human level chooses another.
int strength_choose(const Worker *worker, const EngineOptions *options, const Recent *recent,
                    uint64_t seed);

// How long after the beginning of the search the chosen move should be given, in milliseconds, when
// a humane pace is asked for; else 0.
int64_t strength_pause_ms(const EngineOptions *options, const SearchLimits *limits,
                          const Recent *recent, Move chosen, uint64_t seed);

#endif
