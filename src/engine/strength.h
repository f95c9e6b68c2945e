// Playing below full strength: lines are searched as usual, and a weaker one is chosen now and then.
#ifndef LOVAC_ENGINE_STRENGTH_H
#define LOVAC_ENGINE_STRENGTH_H

#include "engine/search.h"

// Is any weakening asked for?
bool strength_is_limited(const EngineOptions *options);

// How many lines must be searched for it, at least `multi_pv`.
int strength_lines(const EngineOptions *options);

// Lowers depth and nodes of a search as the strength asks.
void strength_limit(const EngineOptions *options, SearchLimits *limits);

// The index of the root move to play among the lines searched.
int strength_choose(const Worker *worker, const EngineOptions *options, uint64_t seed);

#endif
