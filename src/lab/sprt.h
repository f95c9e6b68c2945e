// The sequential probability ratio test over pairs of games: play until one of two hypotheses is
// accepted. The ratio is that of the best multinomial laws whose means are those of the hypotheses.
#ifndef LOVAC_LAB_SPRT_H
#define LOVAC_LAB_SPRT_H

#include <stdbool.h>

#include "base/error.h"
#include "lab/elo.h"

typedef struct Sprt {
    double elo0, elo1;  // H0: the difference is elo0; H1: it is elo1
    double alpha, beta; // chance of accepting H1 under H0, and H0 under H1
    bool normalized;    // bounds in normalised Elo instead of logistic
} Sprt;

typedef enum SprtVerdict { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 } SprtVerdict;

// Reads "0,5" or "elo0=0,elo1=5,alpha=0.05,beta=0.05,normalized"; what is not said is 0, 5, 0.05,
// 0.05, logistic.
bool sprt_parse(Sprt *sprt, const char *text, Error *error);

// The logarithm of the likelihood ratio of H1 to H0.
double sprt_llr(const Sprt *sprt, const PairCounts *pairs);

// The bounds at which H0 and H1 are accepted.
double sprt_lower(const Sprt *sprt);
double sprt_upper(const Sprt *sprt);

SprtVerdict sprt_verdict(const Sprt *sprt, const PairCounts *pairs);

#endif
