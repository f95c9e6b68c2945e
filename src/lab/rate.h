// Ratings of many players from all their games together: the likeliest ones under a model in which
// Elo, the first move and a taste for draws explain the results (Davidson's form of Bradley and
// Terry).
#ifndef LOVAC_LAB_RATE_H
#define LOVAC_LAB_RATE_H

#include <stdint.h>

#include "base/error.h"

// The games of one player with White against another with Black.
typedef struct RateGames {
    int white, black;
    uint64_t white_wins, draws, black_wins;
} RateGames;

typedef struct Rating {
    double elo,
        error; // error: half the width of the 95 % interval, against the anchor or the average
    uint64_t games;
    double score;    // share of the points
    double opponent; // average rating of the opponents, by games
    double draws;    // share of draws
    int group; // players of different groups never met, not even by others: their ratings cannot be
               // compared
} Rating;

typedef struct RateModel {
    double white_elo;  // what the first move is worth
    double draw_share; // share of draws between equals
    double error;      // of white_elo
    int groups;
} RateModel;

typedef struct RateOptions {
    int anchor; // this player's rating is anchor_elo; -1: the average is
    double anchor_elo;
    double prior; // that many imagined draws of each player with the average: keeps perfect scores
                  // finite
} RateOptions;

// Fits. `games` may hold any pair any number of times. Errors are left 0 for more players than
// RATE_ERRORS_MAX.
enum { RATE_ERRORS_MAX = 2000 };
bool rate_fit(const RateGames *games, int count, int players, const RateOptions *options,
              Rating *ratings, RateModel *model, Error *error);

#endif
