// See wdl_fit.h. Positions are counted in a table of score and men, so that a step of the fit costs
// the same for any number of them; the steps are Fisher scoring, damped.
#include "lab/wdl_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/data_tools.h"
#include "lab/pgn_file.h"

enum { SCORE_MAX = 2000, BIN = 10, BINS = 2 * SCORE_MAX / BIN + 1, PARAMETERS = 4, ROUNDS = 200 };
enum { POSITIONS_MIN = 2000 };

// How often a position with this score and so many men was won, drawn, lost by the side to move.
typedef struct Cell {
    double count[3];
} Cell;

typedef struct Table {
    Cell cells[WDL_MEN_MAX + 1][BINS];
    uint64_t games, positions;
} Table;

// `score` is for the side to move.
static void add_position(Table *t, const Position *pos, int score, Result result)
{
    if (abs(score) > SCORE_MAX)
        return;
    int men = bit_count(position_occupied(pos));
    bool wins = result == (pos->side == WHITE ? RESULT_WHITE : RESULT_BLACK);
    int outcome = result == RESULT_DRAW ? 1 : wins ? 0 : 2;
    int bin = (score + SCORE_MAX + BIN / 2) / BIN;
    t->cells[men < WDL_MEN_MAX ? men : WDL_MEN_MAX][bin].count[outcome]++;
    t->positions++;
}

static bool add_game(void *context, const DataGame *game)
{
    Table *t = context;
    Position pos = game->start;
    t->games++;
    for (int i = 0; i < game->count; i++) {
        int score = pos.side == WHITE ? game->scores[i] : -game->scores[i];
        if (data_is_kept(game, &pos, i))
            add_position(t, &pos, score, game->result);
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
    }
    return true;
}

// Centipawns of a comment that begins like "+0.23/11"; false for a mate and for other words.
static bool score_of_comment(const char *text, int *score)
{
    char *end;
    if (*text != '+' && *text != '-')
        return false;
    double pawns = strtod(text, &end);
    *score = (int)lround(fmin(fmax(pawns, -1000), 1000) * 100);
    return *end == '/';
}

static void add_pgn_game(Table *t, const PgnGame *game)
{
    Position pos = game->start, before = pos;
    int depth = 0, score;
    if (!game->has_start || game->result == RESULT_NONE)
        return;
    t->games++;
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        if (depth)
            continue;
        if (item->kind == PGN_ITEM_MOVE) {
            Undo undo;
            if (item->value == MOVE_NONE)
                return;
            before = pos;
            position_make(&pos, item->value, &undo);
        } else if (item->kind == PGN_ITEM_COMMENT && pos.ply != game->start.ply &&
                   score_of_comment(game->text + item->text, &score)) {
            add_position(t, &before, score, game->result);
        }
    }
}

static bool add_pgn(Table *t, const char *path, Progress *progress, Error *error)
{
    PgnFile *file = pgn_file_open(path, error);
    if (!file)
        return false;
    uint64_t done = 0;
    for (PgnGame *game; (game = pgn_file_next(file, NULL));) {
        add_pgn_game(t, game);
        if (progress)
            progress_add(progress, pgn_file_position(file) - done);
        done = pgn_file_position(file);
    }
    return pgn_file_close(file, error);
}

static double bin_score(int bin)
{
    return (double)bin * BIN - SCORE_MAX;
}

// Chances with their derivatives by the four constants.
static void differentiate(const WdlModel *m, int men, double x, double p[3],
                          double slope[3][PARAMETERS])
{
    double gone = WDL_MEN_MAX - men, draw = m->draw + m->draw_men * gone,
           scale = m->scale + m->scale_men * gone;
    wdl_chances(m, men, x, &p[0], &p[2]);
    p[1] = 1 - p[0] - p[2];
    for (int o = 0; o < 3; o += 2) {
        double z = ((o ? -x : x) - draw) / scale, dz = p[o] * (1 - p[o]) / scale;
        slope[o][0] = -dz;
        slope[o][1] = -dz * gone;
        slope[o][2] = -dz * z;
        slope[o][3] = -dz * z * gone;
    }
    for (int k = 0; k < PARAMETERS; k++)
        slope[1][k] = -slope[0][k] - slope[2][k];
    for (int o = 0; o < 3; o++)
        p[o] = fmax(p[o], 1e-9);
}

// Loss (summed), gradient and Fisher information of a model.
static double weigh(const Table *t, const WdlModel *m, double gradient[PARAMETERS],
                    double fisher[PARAMETERS][PARAMETERS])
{
    double loss = 0;
    memset(gradient, 0, PARAMETERS * sizeof *gradient);
    memset(fisher, 0, PARAMETERS * PARAMETERS * sizeof **fisher);
    for (int men = 0; men <= WDL_MEN_MAX; men++)
        for (int bin = 0; bin < BINS; bin++) {
            const double *count = t->cells[men][bin].count;
            double n = count[0] + count[1] + count[2], p[3], slope[3][PARAMETERS];
            if (n <= 0)
                continue;
            differentiate(m, men, bin_score(bin), p, slope);
            for (int o = 0; o < 3; o++) {
                loss -= count[o] * log(p[o]);
                for (int i = 0; i < PARAMETERS; i++) {
                    gradient[i] -= count[o] * slope[o][i] / p[o];
                    for (int j = 0; j < PARAMETERS; j++)
                        fisher[i][j] += n * slope[o][i] * slope[o][j] / p[o];
                }
            }
        }
    return loss;
}

// Solves a x = b by elimination; a is positive definite.
static void solve(double a[PARAMETERS][PARAMETERS], double b[PARAMETERS], double x[PARAMETERS])
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = i + 1; j < PARAMETERS; j++) {
            double share = a[j][i] / a[i][i];
            for (int k = i; k < PARAMETERS; k++)
                a[j][k] -= share * a[i][k];
            b[j] -= share * b[i];
        }
    for (int i = PARAMETERS - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int k = i + 1; k < PARAMETERS; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

// Curves must keep a width, and the middle must not lie below nought.
static bool is_sound(const WdlModel *m)
{
    double few = WDL_MEN_MAX - 2;
    return m->scale > 5 && m->scale + m->scale_men * few > 5 && m->draw >= 0 &&
           m->draw + m->draw_men * few >= 0;
}

static WdlModel moved(const WdlModel *m, const double step[PARAMETERS])
{
    return (WdlModel){m->draw - step[0], m->draw_men - step[1], m->scale - step[2],
                      m->scale_men - step[3]};
}

static double descend(const Table *t, WdlModel *model)
{
    double gradient[PARAMETERS], fisher[PARAMETERS][PARAMETERS], step[PARAMETERS];
    double loss = weigh(t, model, gradient, fisher), damping = 1e-3;
    for (int round = 0; round < ROUNDS && damping < 1e12; round++) {
        double a[PARAMETERS][PARAMETERS], b[PARAMETERS], g[PARAMETERS], f[PARAMETERS][PARAMETERS];
        memcpy(a, fisher, sizeof a);
        memcpy(b, gradient, sizeof b);
        for (int i = 0; i < PARAMETERS; i++)
            a[i][i] = a[i][i] * (1 + damping) + 1e-9;
        solve(a, b, step);
        WdlModel next = moved(model, step);
        double next_loss = is_sound(&next) ? weigh(t, &next, g, f) : INFINITY;
        if (!(next_loss < loss)) {
            damping *= 10;
            continue;
        }
        *model = next;
        loss = next_loss;
        damping = fmax(damping / 10, 1e-9);
        memcpy(gradient, g, sizeof g);
        memcpy(fisher, f, sizeof f);
    }
    return loss;
}

// By bins of one hundred centipawns and four men: how far the expected score is from the real one.
static double expected_error(const Table *t, const WdlModel *model)
{
    double sum = 0, total = 0;
    enum { WIDE = 100 / BIN, MEN = 4 };
    for (int men = 0; men <= WDL_MEN_MAX; men += MEN)
        for (int bin = 0; bin < BINS; bin += WIDE) {
            double n = 0, real = 0, expected = 0;
            for (int m = men; m < men + MEN && m <= WDL_MEN_MAX; m++)
                for (int b = bin; b < bin + WIDE && b < BINS; b++) {
                    const double *count = t->cells[m][b].count;
                    double all = count[0] + count[1] + count[2], win, loss;
                    wdl_chances(model, m, bin_score(b), &win, &loss);
                    n += all;
                    real += count[0] + count[1] / 2;
                    expected += all * (win + (1 - win - loss) / 2);
                }
            sum += fabs(real - expected);
            total += n;
        }
    return total > 0 ? sum / total : 0;
}

static bool fit_table(const Table *t, WdlFit *fit, Error *error)
{
    double gradient[PARAMETERS], fisher[PARAMETERS][PARAMETERS], n = (double)t->positions;
    if (t->positions < POSITIONS_MIN)
        return error_set(error, "%llu positions are too few for a fit",
                         (unsigned long long)t->positions);
    fit->games = t->games;
    fit->positions = t->positions;
    fit->model = WDL_MODEL;
    fit->loss_before = weigh(t, &fit->model, gradient, fisher) / n;
    fit->loss = descend(t, &fit->model) / n;
    fit->expected_error = expected_error(t, &fit->model);
    return true;
}

bool wdl_fit(const char *const *paths, int count, Progress *progress, WdlFit *fit, Error *error)
{
    *fit = (WdlFit){0};
    Table *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(error, "out of memory");
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        uint64_t damages = 0;
        ok = strstr(paths[i], ".pgn")
                 ? add_pgn(t, paths[i], progress, error)
                 : data_visit(paths[i], progress, add_game, t, &damages, error);
        fit->damages += damages;
    }
    ok = ok && fit_table(t, fit, error);
    free(t);
    return ok;
}
