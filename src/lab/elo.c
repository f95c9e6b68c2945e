// See elo.h.
#include "lab/elo.h"

#include <math.h>

static const double ELO_LIMIT = 1200;
static const double Z95 = 1.959963984540054; // two-sided 95 % of the normal distribution

double elo_to_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double elo_from_score(double score)
{
    if (score <= 0)
        return -ELO_LIMIT;
    if (score >= 1)
        return ELO_LIMIT;
    double elo = 400 * log10(score / (1 - score));
    return fmax(-ELO_LIMIT, fmin(ELO_LIMIT, elo));
}

// `n[i]` items scored i / (kinds - 1); one item is made of `games` games.
static EloEstimate estimate(const uint64_t *n, int kinds, int games)
{
    double total = 0, sum = 0, squares = 0;
    for (int i = 0; i < kinds; i++) {
        double x = (double)i / (kinds - 1);
        total += (double)n[i];
        sum += (double)n[i] * x;
        squares += (double)n[i] * x * x;
    }
    EloEstimate e = {.superiority = 0.5};
    if (total == 0)
        return e;
    double mean = sum / total;
    // With few items the sample may show no spread at all: then assume one more item of the other
    // extremes.
    double variance = fmax(0, squares / total - mean * mean);
    if (variance < 1e-9)
        variance = 0.25 / (total + 1);
    double deviation = sqrt(variance / total);
    e.score = mean;
    e.elo = elo_from_score(mean);
    e.low = elo_from_score(mean - Z95 * deviation);
    e.high = elo_from_score(mean + Z95 * deviation);
    e.error = (e.high - e.low) / 2;
    e.is_open = e.low <= -ELO_LIMIT || e.high >= ELO_LIMIT;
    e.side = mean >= 1 ? 1 : mean <= 0 ? -1 : 0;
    // Chances up to this of not winning an item leave one in twenty to win so many in a row.
    e.bound = e.side * elo_from_score(pow(0.05, 1 / total));
    double game_deviation = sqrt(variance * games);
    double unit = 800 / log(10);
    e.normalized = (mean - 0.5) / game_deviation * unit;
    e.normalized_error = Z95 * unit / sqrt(total * games);
    e.superiority = 0.5 * erfc(-(mean - 0.5) / (deviation * sqrt(2)));
    return e;
}

EloEstimate elo_from_pairs(const PairCounts *pairs)
{
    return estimate(pairs->n, 5, 2);
}

EloEstimate elo_from_games(const GameCounts *games)
{
    uint64_t n[3] = {games->loss, games->draw, games->win};
    return estimate(n, 3, 1);
}
