// The openings of a match: from an EPD or PGN file, or made at random and weighed by a short
// search. An opening is found by its number alone, so that a match can go on after a break where it
// was.
#ifndef LOVAC_LAB_MATCH_OPENINGS_H
#define LOVAC_LAB_MATCH_OPENINGS_H

#include "base/random.h"
#include "core/position.h"
#include "engine/engine.h"
#include "play/match_game.h"

// How random openings are made.
typedef struct OpeningRecipe {
    int plies_min, plies_max; // random half-moves
    int score_max;            // refused when a search says more for one side; 0: no search
    uint64_t nodes;           // of that search
} OpeningRecipe;

// 8 or 9 random half-moves, at most 250 centipawns in 2 000 nodes.
OpeningRecipe opening_default_recipe(void);

// Makes one opening that is not over. `judge` does the search of the recipe (NULL: none is done); a
// game with numbered starts begins from any of them. The opening depends only on the random
// numbers.
void opening_make(Opening *opening, const Rules *rules, const OpeningRecipe *recipe, Random *random,
                  Engine *judge);

// The usual start: number 518 of Chess960, the first of others.
bool opening_plain_start(Opening *opening, const Rules *rules, Error *error);

typedef struct Openings Openings;

// Reads a file of openings: PGN if it is called so, else one EPD or FEN a line. `plies_max` cuts
// PGN lines (0: whole). With `shuffled` the order is drawn from the seed. Lines that cannot be read
// are left out and counted in `refused`.
Openings *openings_load(const char *path, const Rules *rules, int plies_max, bool shuffled,
                        uint64_t seed, int *refused, Error *error);

// Openings without end, made by the recipe.
Openings *openings_random(const Rules *rules, const OpeningRecipe *recipe, uint64_t seed,
                          Error *error);

// Only the usual start; numbered starts one after the other, in an order drawn from the seed.
Openings *openings_start(const Rules *rules, uint64_t seed, Error *error);

void openings_free(Openings *openings);

// How many there are; 0 for no end. Beyond the last they begin anew.
uint64_t openings_count(const Openings *openings);

// Opening number `index`. Several threads may call it, each with its own judge.
bool openings_get(const Openings *openings, uint64_t index, Engine *judge, Opening *opening,
                  Error *error);

// Do these openings want a judge?
bool openings_want_judge(const Openings *openings);

#endif
