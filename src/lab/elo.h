// From results to Elo: scores, error bars, likelihood of superiority.
// Games are counted in pairs (one opening, both colours), since the two games of a pair are not
// independent.
#ifndef LOVAC_LAB_ELO_H
#define LOVAC_LAB_ELO_H

#include <stdbool.h>
#include <stdint.h>

// Pairs by what the first player scored in them: 0, 1/2, 1, 3/2, 2 points.
typedef struct PairCounts {
    uint64_t n[5];
} PairCounts;

// Single games by the first player's result.
typedef struct GameCounts {
    uint64_t win, draw, loss;
} GameCounts;

typedef struct EloEstimate {
    double score;      // mean points a game, 0 to 1
    double elo, error; // difference and half the width of its 95 % interval
    double low, high;  // the interval
    double normalized; // score above one half in standard deviations of a game, scaled to Elo-like
                       // units
    double normalized_error; // half the width of its 95 % interval
    double superiority;      // probability that the first player is the stronger
    int side;     // 1: all was won, -1: all was lost, and no difference can be measured, only
    double bound; // one beyond which it lies with 95 %; else side is 0
    bool is_open; // too few games: an end of the interval is beyond what is told, and no error is
} EloEstimate;

// The expected score for a difference in Elo, and back; the ends are held within ±1200.
double elo_to_score(double elo);
double elo_from_score(double score);

// All zero (superiority one half) when nothing has been counted.
EloEstimate elo_from_pairs(const PairCounts *pairs);
EloEstimate elo_from_games(const GameCounts *games);

#endif
