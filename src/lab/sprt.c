// See sprt.h.
#include "lab/sprt.h"
#include "base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5 };

static double kind_value(int i)
{
    return i / (KINDS - 1.0);
}

// Among the laws p on the five results with the given mean, the one under which the observed
// frequencies are most likely is p_i = f_i / (1 + t (x_i - mean)); finds t by bisection (the
// condition falls with t).
static void likeliest_law(const double frequency[KINDS], double mean, double law[KINDS])
{
    double low = -1 / (1 - mean), high = 1 / mean;
    for (int step = 0; step < 80; step++) {
        double t = (low + high) / 2, sum = 0;
        for (int i = 0; i < KINDS; i++) {
            double d = kind_value(i) - mean;
            sum += frequency[i] * d / (1 + t * d);
        }
        if (sum > 0)
            low = t;
        else
            high = t;
    }
    for (int i = 0; i < KINDS; i++)
        law[i] = frequency[i] / (1 + (low + high) / 2 * (kind_value(i) - mean));
}

// Normalised Elo counts in standard deviations of a game: what score is that with the observed
// spread?
static double hypothesis_score(const Sprt *sprt, double elo, const double frequency[KINDS])
{
    if (!sprt->normalized)
        return elo_to_score(elo);
    double mean = 0, squares = 0;
    for (int i = 0; i < KINDS; i++) {
        mean += frequency[i] * kind_value(i);
        squares += frequency[i] * kind_value(i) * kind_value(i);
    }
    double game_deviation = sqrt(2 * (squares - mean * mean));
    double score = 0.5 + elo * log(10) / 800 * game_deviation;
    return fmin(0.999, fmax(0.001, score));
}

double sprt_llr(const Sprt *sprt, const PairCounts *pairs)
{
    double total = 0, count[KINDS], frequency[KINDS], law0[KINDS], law1[KINDS];
    uint64_t seen = 0;
    for (int i = 0; i < KINDS; i++) {
        seen += pairs->n[i];
        count[i] = pairs->n[i] ? (double)pairs->n[i] : 1e-3; // no result is impossible
        total += count[i];
    }
    if (!seen)
        return 0;
    for (int i = 0; i < KINDS; i++)
        frequency[i] = count[i] / total;
    likeliest_law(frequency, hypothesis_score(sprt, sprt->elo0, frequency), law0);
    likeliest_law(frequency, hypothesis_score(sprt, sprt->elo1, frequency), law1);
    double llr = 0;
    for (int i = 0; i < KINDS; i++)
        llr += count[i] * log(law1[i] / law0[i]);
    return llr;
}

double sprt_lower(const Sprt *sprt)
{
    return log(sprt->beta / (1 - sprt->alpha));
}
double sprt_upper(const Sprt *sprt)
{
    return log((1 - sprt->beta) / sprt->alpha);
}

SprtVerdict sprt_verdict(const Sprt *sprt, const PairCounts *pairs)
{
    double llr = sprt_llr(sprt, pairs);
    if (llr >= sprt_upper(sprt))
        return SPRT_ACCEPTS_H1;
    return llr <= sprt_lower(sprt) ? SPRT_ACCEPTS_H0 : SPRT_GOES_ON;
}

static bool parse_item(Sprt *sprt, const char *item, int index, Error *error)
{
    if (!strcmp(item, "normalized") || !strcmp(item, "logistic")) {
        sprt->normalized = *item == 'n';
        return true;
    }
    const struct {
        const char *name;
        double *value;
    } fields[] = {{"elo0", &sprt->elo0},
                  {"elo1", &sprt->elo1},
                  {"alpha", &sprt->alpha},
                  {"beta", &sprt->beta}};
    const char *equals = strchr(item, '='), *number = equals ? equals + 1 : item;
    double *target = !equals && index < 4 ? fields[index].value : NULL;
    for (int i = 0; equals && i < 4; i++)
        if (strlen(fields[i].name) == (size_t)(equals - item) &&
            !strncmp(item, fields[i].name, (size_t)(equals - item)))
            target = fields[i].value;
    char *end;
    double value = strtod(number, &end);
    if (!target || end == number || *end)
        return error_set(
            error, "SPRT: what is '%s'? Expected elo0=, elo1=, alpha=, beta= or normalized", item);
    *target = value;
    return true;
}

bool sprt_parse(Sprt *sprt, const char *text, Error *error)
{
    Sprt s = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    char copy[256];
    if (strlen(text) >= sizeof copy)
        return error_set(error, "SPRT: text too long");
    strcpy(copy, text);
    char *rest = copy;
    for (int index = 0; rest; index++) {
        char *item = str_split(&rest, ", ");
        if (*item && !parse_item(&s, item, index, error))
            return false;
    }
    if (!(s.elo0 < s.elo1))
        return error_set(error, "SPRT: elo0 must be below elo1");
    if (!(s.alpha > 0 && s.alpha < 0.5 && s.beta > 0 && s.beta < 0.5))
        return error_set(error, "SPRT: alpha and beta must lie between 0 and 0.5");
    *sprt = s;
    return true;
}
