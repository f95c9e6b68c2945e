// See rate.h. Natural units inside: strength in nats, Elo only at the doors. The likelihood is
// concave, so that Newton steps on one unknown after the other (players, first move, draws) climb
// to its only top.
#include "lab/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS_MAX = 20000 };
static const double ELO_OF_NAT = 400 / 2.302585092994046; // 400 / ln 10
static const double Z95 = 1.959963984540054;

typedef struct Fit {
    const RateGames *games;
    int count, players;
    double prior;
    double *strength;
    double white, log_draw;
    int *first, *link; // games of a player: CSR lists of indices into games
} Fit;

typedef struct Shares {
    double win, draw, loss;
} Shares;

// What the model expects for a difference seen from White (first move included).
static Shares expected(double difference, double log_draw)
{
    // Scaled by the largest term so that nothing overflows.
    double a = difference / 2, top = fmax(fabs(a), log_draw);
    double w = exp(a - top), l = exp(-a - top), d = exp(log_draw - top), sum = w + l + d;
    return (Shares){w / sum, d / sum, l / sum};
}

// First and second derivative of the log likelihood of one pairing by the difference in strength.
static void derivatives(const Fit *f, const RateGames *g, double *slope, double *bend)
{
    Shares p = expected(f->strength[g->white] - f->strength[g->black] + f->white, f->log_draw);
    double n = (double)(g->white_wins + g->draws + g->black_wins);
    double mean = p.win - p.loss; // derivative of twice the exponent
    double seen = (double)g->white_wins - (double)g->black_wins;
    *slope = (seen - n * mean) / 2;
    *bend = n * (p.win + p.loss - mean * mean) / 4;
}

static bool list_games(Fit *f, Error *error)
{
    f->first = calloc((size_t)f->players + 2, sizeof *f->first);
    f->link = malloc(((size_t)f->count * 2 + 1) * sizeof *f->link);
    f->strength = calloc((size_t)f->players + 1, sizeof *f->strength);
    if (!f->first || !f->link || !f->strength)
        return error_set(error, "out of memory");
    for (int i = 0; i < f->count; i++) {
        f->first[f->games[i].white + 2]++;
        f->first[f->games[i].black + 2]++;
    }
    for (int i = 2; i < f->players + 2; i++)
        f->first[i] += f->first[i - 1];
    for (int i = 0; i < f->count; i++) {
        f->link[f->first[f->games[i].white + 1]++] = i;
        f->link[f->first[f->games[i].black + 1]++] = i;
    }
    return true;
}

static double bounded_step(double slope, double bend, double limit)
{
    double step = bend > 1e-12 ? slope / bend : 0;
    return fmax(-limit, fmin(limit, step));
}

static double improve_player(Fit *f, int player)
{
    double slope = 0, bend = 0;
    for (int k = f->first[player]; k < f->first[player + 1]; k++) {
        const RateGames *g = &f->games[f->link[k]];
        if (g->white == g->black)
            continue;
        double s, b;
        derivatives(f, g, &s, &b);
        slope += g->white == player ? s : -s;
        bend += b;
    }
    // The imagined draws with an average player.
    Shares p = expected(f->strength[player], f->log_draw);
    double mean = p.win - p.loss;
    slope += -f->prior * mean / 2;
    bend += f->prior * (p.win + p.loss - mean * mean) / 4;
    double step = bounded_step(slope, bend, 1);
    f->strength[player] += step;
    return fabs(step);
}

static double improve_white(Fit *f)
{
    double slope = 0, bend = 0.01; // a weak wish for none
    for (int i = 0; i < f->count; i++) {
        double s, b;
        derivatives(f, &f->games[i], &s, &b);
        slope += s;
        bend += b;
    }
    slope -= 0.01 * f->white;
    double step = bounded_step(slope, bend, 1);
    f->white += step;
    return fabs(step);
}

static double improve_draws(Fit *f)
{
    double slope = -0.01 * f->log_draw, bend = 0.01;
    for (int i = 0; i < f->count; i++) {
        const RateGames *g = &f->games[i];
        Shares p = expected(f->strength[g->white] - f->strength[g->black] + f->white, f->log_draw);
        double n = (double)(g->white_wins + g->draws + g->black_wins);
        slope += (double)g->draws - n * p.draw;
        bend += n * p.draw * (1 - p.draw);
    }
    double step = bounded_step(slope, bend, 1);
    f->log_draw += step;
    return fabs(step);
}

static void climb(Fit *f)
{
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double change = 0;
        for (int i = 0; i < f->players; i++)
            change = fmax(change, improve_player(f, i));
        change = fmax(change, improve_white(f));
        change = fmax(change, improve_draws(f));
        if (change < 1e-7)
            break;
    }
}

// Cholesky's root of a symmetric positive matrix in place (lower half); false when it is not
// positive.
static bool cholesky(double *m, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = m[(size_t)i * n + j];
            for (int k = 0; k < j; k++)
                sum -= m[(size_t)i * n + k] * m[(size_t)j * n + k];
            if (i == j) {
                if (sum <= 0)
                    return false;
                m[(size_t)j * n + j] = sqrt(sum);
            } else {
                m[(size_t)i * n + j] = sum / m[(size_t)j * n + j];
            }
        }
    }
    return true;
}

// v' M^-1 v, given the root of M.
static double inverse_square(const double *root, int n, double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            v[i] -= root[(size_t)i * n + k] * v[k];
        v[i] /= root[(size_t)i * n + i];
        sum += v[i] * v[i];
    }
    return sum;
}

// The information matrix over players and first move (the last row).
static void fill_information(const Fit *f, double *m, int n)
{
    for (int i = 0; i < f->count; i++) {
        const RateGames *g = &f->games[i];
        double s, b;
        derivatives(f, g, &s, &b);
        int at[3] = {g->white, g->black, f->players}, sign[3] = {1, -1, 1};
        for (int x = 0; x < 3; x++)
            for (int y = 0; y < 3; y++)
                m[(size_t)at[x] * n + at[y]] += b * sign[x] * sign[y];
    }
    for (int i = 0; i < f->players; i++) {
        Shares p = expected(f->strength[i], f->log_draw);
        double mean = p.win - p.loss;
        m[(size_t)i * n + i] += f->prior * (p.win + p.loss - mean * mean) / 4 + 1e-9;
    }
    m[(size_t)n * n - 1] += 0.01;
}

static bool find_errors(const Fit *f, int anchor, Rating *ratings, RateModel *model, Error *error)
{
    int n = f->players + 1;
    double *m = calloc((size_t)n * n, sizeof *m), *v = malloc((size_t)n * sizeof *v);
    bool ok = m && v;
    if (ok) {
        fill_information(f, m, n);
        if (cholesky(m, n)) {
            for (int i = 0; i < n; i++) {
                // The variance of the difference to the anchor, or to the average of all.
                for (int k = 0; k < n; k++)
                    v[k] = (k == i) - (i == n - 1 || k == n - 1 ? 0
                                       : anchor >= 0            ? k == anchor
                                                                : 1.0 / f->players);
                double e = Z95 * ELO_OF_NAT * sqrt(inverse_square(m, n, v));
                if (i < f->players)
                    ratings[i].error = e;
                else
                    model->error = e;
            }
        }
    }
    free(m);
    free(v);
    return ok || error_set(error, "out of memory");
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static bool find_groups(const Fit *f, Rating *ratings, RateModel *model, Error *error)
{
    int *parent = malloc(((size_t)f->players + 1) * sizeof *parent);
    if (!parent)
        return error_set(error, "out of memory");
    for (int i = 0; i < f->players; i++)
        parent[i] = i;
    for (int i = 0; i < f->count; i++)
        parent[root_of(parent, f->games[i].white)] = root_of(parent, f->games[i].black);
    model->groups = 0;
    for (int i = 0; i < f->players; i++)
        if (root_of(parent, i) == i)
            ratings[i].group = model->groups++;
    for (int i = 0; i < f->players; i++)
        ratings[i].group = ratings[root_of(parent, i)].group;
    free(parent);
    return true;
}

// Games, scores and draws of each player, and the ratings on the wanted scale.
static void summarise(const Fit *f, const RateOptions *options, Rating *ratings)
{
    double shift = 0;
    for (int i = 0; i < f->players; i++)
        shift += f->strength[i] / f->players;
    if (options->anchor >= 0)
        shift = f->strength[options->anchor];
    for (int i = 0; i < f->players; i++)
        ratings[i].elo = (f->strength[i] - shift) * ELO_OF_NAT + options->anchor_elo;
    for (int i = 0; i < f->count; i++) {
        const RateGames *g = &f->games[i];
        Rating *w = &ratings[g->white], *b = &ratings[g->black];
        uint64_t n = g->white_wins + g->draws + g->black_wins;
        w->games += n;
        b->games += n;
        w->score += (double)g->white_wins + (double)g->draws / 2;
        b->score += (double)g->black_wins + (double)g->draws / 2;
        w->draws += (double)g->draws;
        b->draws += (double)g->draws;
        w->opponent += (double)n * b->elo;
        b->opponent += (double)n * w->elo;
    }
    for (int i = 0; i < f->players; i++) {
        double n = ratings[i].games ? (double)ratings[i].games : 1;
        ratings[i].score /= n;
        ratings[i].draws /= n;
        ratings[i].opponent /= n;
    }
}

bool rate_fit(const RateGames *games, int count, int players, const RateOptions *options,
              Rating *ratings, RateModel *model, Error *error)
{
    Fit f = {.games = games, .count = count, .players = players, .prior = options->prior};
    memset(ratings, 0, (size_t)players * sizeof *ratings);
    *model = (RateModel){0};
    bool ok = list_games(&f, error) && find_groups(&f, ratings, model, error);
    if (ok) {
        climb(&f);
        summarise(&f, options, ratings);
        model->white_elo = f.white * ELO_OF_NAT;
        model->draw_share = expected(0, f.log_draw).draw;
        if (players <= RATE_ERRORS_MAX)
            ok = find_errors(&f, options->anchor, ratings, model, error);
    }
    free(f.first);
    free(f.link);
    free(f.strength);
    return ok;
}
