// See match_table.h. Two players get a line with their score and one each for pairs, costs and
// SPRT; more get a rating list. Start with match_table_write and, for programs, match_table_json.
#include "lab/match_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/rate.h"

// Hours only where there are some.
static void add_time(Str *out, double seconds)
{
    long long s = (long long)(seconds + 0.5);
    if (s >= 3600)
        str_format(out, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        str_format(out, "%lld:%02lld", s / 60, s % 60);
}

void match_table_progress(const MatchStatus *status, Str *out)
{
    double seconds = (double)status->elapsed_ms / 1000;
    // Speed is that of this run: games of the journal took no time now.
    uint64_t here = status->done - status->resumed;
    str_format(out, "game %llu of %llu", (unsigned long long)status->done,
               (unsigned long long)status->total);
    if (status->resumed)
        str_format(out, " (%llu before)", (unsigned long long)status->resumed);
    if (here && seconds > 0) {
        double rate = (double)here / seconds;
        str_format(out, rate >= 1 ? ", %.1f games/s" : ", %.2f games/s", rate);
        str_format(out, ", %.0f moves/s, ", (double)status->plies / seconds);
        add_time(out, (double)(status->total - status->done) / rate);
        str_add(out, " left");
    }
}

// From pairs of games, or from the games while there is no pair.
static EloEstimate estimate(const MatchPairing *p)
{
    bool has_pairs = false;
    for (int i = 0; i < 5; i++)
        has_pairs |= p->pairs.n[i] > 0;
    return has_pairs ? elo_from_pairs(&p->pairs) : elo_from_games(&p->games);
}

// The score of two players; where one has won all, Elo is only bounded.
static void add_pairing(const MatchConfig *config, const MatchPairing *p, Str *out)
{
    const GameCounts *g = &p->games;
    uint64_t total = g->win + g->draw + g->loss;
    EloEstimate e = estimate(p);
    double points = (double)g->win + (double)g->draw / 2;
    str_format(out, "%s - %s: +%llu =%llu -%llu, %.1f of %llu (%.1f %%)",
               config->players[p->first].name, config->players[p->second].name,
               (unsigned long long)g->win, (unsigned long long)g->draw, (unsigned long long)g->loss,
               points, (unsigned long long)total, total ? 100 * points / (double)total : 0);
    if (!total)
        str_add(out, "\n");
    else if (e.side)
        str_format(out, ", Elo %s %+.0f (all %s)\n", e.side > 0 ? "above" : "below", e.bound,
                   e.side > 0 ? "won" : "lost");
    else if (e.is_open)
        str_format(out, ", Elo %+.0f (too few games for an error)\n", e.elo);
    else
        str_format(out, ", Elo %+.1f ± %.1f\n", e.elo, e.error);
}

// What the games of a pair have in common is in the counts of pairs; beside them how White fared.
static void add_details(const MatchPairing *p, Str *out)
{
    EloEstimate e = elo_from_pairs(&p->pairs);
    const uint64_t *n = p->pairs.n;
    str_format(out, "pairs 0 ½ 1 1½ 2: %llu %llu %llu %llu %llu", (unsigned long long)n[0],
               (unsigned long long)n[1], (unsigned long long)n[2], (unsigned long long)n[3],
               (unsigned long long)n[4]);
    str_format(out, ", stronger with %.1f %%, normalised Elo %+.1f ± %.1f", 100 * e.superiority,
               e.normalized, e.normalized_error);
    // `as_white` are the first player's games with White; the rest he played with Black.
    const GameCounts *w = &p->as_white, *g = &p->games;
    uint64_t white = w->win + (g->loss - w->loss), black = w->loss + (g->win - w->win);
    str_format(out, ", White +%llu =%llu -%llu\n", (unsigned long long)white,
               (unsigned long long)g->draw, (unsigned long long)black);
}

static void add_sprt(const MatchConfig *config, const MatchStatus *status, Str *out)
{
    const Sprt *s = &config->sprt;
    static const char *const VERDICT[] = {"", ": H0 accepted", ": H1 accepted"};
    str_format(out, "SPRT [%g, %g]%s: log likelihood ratio %.2f (%.2f, %.2f)%s\n", s->elo0, s->elo1,
               s->normalized ? " normalised" : "", status->llr, sprt_lower(s), sprt_upper(s),
               VERDICT[status->verdict]);
}

// Crashes, stalls, illegal moves, lost clocks: a line for each player that has some.
static void add_faults(const MatchConfig *config, const MatchStatus *status, Str *out)
{
    for (int i = 0; i < status->player_count; i++) {
        bool begun = false;
        for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++) {
            uint64_t n = status->faults[i][f];
            if (!n)
                continue;
            str_format(out, "%s%s %llu", begun ? ", " : "", player_fault_text(f),
                       (unsigned long long)n);
            begun = true;
        }
        if (begun)
            str_format(out, " (%s)\n", config->players[i].name);
    }
}

static double per_move(uint64_t sum, const Effort *effort)
{
    return effort->moves ? (double)sum / (double)effort->moves : 0;
}

// What a move cost each of the two.
static void add_efforts(const MatchConfig *config, const MatchStatus *status, Str *out)
{
    for (int i = 0; i < status->player_count; i++) {
        const Effort *e = &status->efforts[i];
        str_format(out, "%s%s: %.0f nodes and %.2f ms a move", i ? "; " : "",
                   config->players[i].name, per_move(e->nodes, e), per_move(e->time_ms, e));
    }
    str_add(out, "\n");
}

// The stronger first.
static int by_elo(const void *a, const void *b)
{
    const Rating *x = *(const Rating *const *)a, *y = *(const Rating *const *)b;
    return (x->elo < y->elo) - (x->elo > y->elo);
}

// The pairings as counts for the rating fit, by colour.
static int fill_games(const MatchStatus *status, RateGames *games)
{
    int count = 0;
    for (int i = 0; i < status->pairing_count; i++) {
        const MatchPairing *p = &status->pairings[i];
        const GameCounts *w = &p->as_white, *g = &p->games;
        games[count++] = (RateGames){p->first, p->second, w->win, w->draw, w->loss};
        games[count++] =
            (RateGames){p->second, p->first, g->loss - w->loss, g->draw - w->draw, g->win - w->win};
    }
    return count;
}

// Points of one player against another, and of how many games; false when they have not met.
static bool points_between(const MatchStatus *status, int a, int b, double *points, double *games)
{
    for (int i = 0; i < status->pairing_count; i++) {
        const MatchPairing *p = &status->pairings[i];
        const GameCounts *g = &p->games;
        bool is_straight = p->first == a && p->second == b;
        if (!is_straight && !(p->first == b && p->second == a))
            continue;
        *points = (double)(is_straight ? g->win : g->loss) + (double)g->draw / 2;
        *games = (double)(g->win + g->draw + g->loss);
        return *games > 0;
    }
    return false;
}

// Everybody against everybody, in the order of the rating list.
static void add_crosstable(const MatchConfig *config, const MatchStatus *status,
                           const Rating *const *order, const Rating *ratings, Str *out)
{
    enum { WIDE = 16 };
    int n = status->player_count;
    if (n > WIDE)
        return;
    str_format(out, "\n%4s  %-24s", "", "points of games");
    for (int i = 0; i < n; i++)
        str_format(out, " %10d.", i + 1);
    str_add(out, "\n");
    for (int i = 0; i < n; i++) {
        str_format(out, "%3d.  %-24.24s", i + 1, config->players[order[i] - ratings].name);
        for (int k = 0; k < n; k++) {
            char cell[32] = "";
            double points, games;
            if (points_between(status, (int)(order[i] - ratings), (int)(order[k] - ratings),
                               &points, &games))
                snprintf(cell, sizeof cell, "%.1f/%.0f", points, games);
            str_format(out, " %11s", i == k ? "x" : cell);
        }
        str_add(out, "\n");
    }
}

// All players by a joint fit; half an imagined draw keeps those who lost all within reason.
static void add_ratings(const MatchConfig *config, const MatchStatus *status, Str *out)
{
    int n = status->player_count;
    RateGames *games = malloc((size_t)status->pairing_count * 2 * sizeof *games);
    Rating *ratings = malloc((size_t)n * sizeof *ratings);
    const Rating **order = malloc((size_t)n * sizeof *order);
    RateModel model;
    RateOptions options = {.anchor = -1, .prior = 0.5};
    int count = games ? fill_games(status, games) : 0;
    if (games && ratings && order && rate_fit(games, count, n, &options, ratings, &model, NULL)) {
        for (int i = 0; i < n; i++)
            order[i] = &ratings[i];
        qsort(order, (size_t)n, sizeof *order, by_elo);
        str_format(out, "%4s  %-24s %8s %7s %7s %8s %7s %10s %9s\n", "", "player", "Elo", "±",
                   "games", "score", "draws", "nodes/move", "ms/move");
        for (int i = 0; i < n; i++) {
            const Rating *r = order[i];
            const Effort *e = &status->efforts[r - ratings];
            str_format(out, "%3d.  %-24.24s %+8.1f %7.1f %7llu %6.1f %% %5.1f %% %10.0f %9.2f\n",
                       i + 1, config->players[r - ratings].name, r->elo, r->error,
                       (unsigned long long)r->games, 100 * r->score, 100 * r->draws,
                       per_move(e->nodes, e), per_move(e->time_ms, e));
        }
        if (config->format == MATCH_ROUND_ROBIN)
            add_crosstable(config, status, order, ratings, out);
    }
    free(games);
    free(ratings);
    free(order);
}

void match_table_write(const MatchConfig *config, const MatchStatus *status, Str *out)
{
    if (status->player_count == 2) {
        add_pairing(config, &status->pairings[0], out);
        add_details(&status->pairings[0], out);
        add_efforts(config, status, out);
        if (config->has_sprt)
            add_sprt(config, status, out);
    } else {
        add_ratings(config, status, out);
        if (config->format == MATCH_GAUNTLET)
            for (int i = 0; i < status->pairing_count; i++)
                add_pairing(config, &status->pairings[i], out);
    }
    add_faults(config, status, out);
}

static void json_pairing(const MatchConfig *config, const MatchPairing *p, Json *json)
{
    EloEstimate e = estimate(p);
    json_open(json, NULL, '{');
    json_text(json, "first", config->players[p->first].name);
    json_text(json, "second", config->players[p->second].name);
    json_count(json, "wins", p->games.win);
    json_count(json, "draws", p->games.draw);
    json_count(json, "losses", p->games.loss);
    json_open(json, "pairs", '[');
    for (int i = 0; i < 5; i++)
        json_count(json, NULL, p->pairs.n[i]);
    json_close(json);
    // All won or all lost: a bound is known, no more.
    if (e.side) {
        json_none(json, "elo");
        json_decimal(json, e.side > 0 ? "elo_above" : "elo_below", e.bound, 1);
    } else {
        json_decimal(json, "elo", e.elo, 1);
        if (e.is_open)
            json_none(json, "error");
        else
            json_decimal(json, "error", e.error, 1);
        json_decimal(json, "normalised_elo", e.normalized, 1);
        json_decimal(json, "superiority", e.superiority, 4);
    }
    json_close(json);
}

static void json_player(const MatchConfig *config, const MatchStatus *status, int i, Json *json)
{
    const Effort *e = &status->efforts[i];
    json_open(json, NULL, '{');
    json_text(json, "name", config->players[i].name);
    json_decimal(json, "nodes_per_move", per_move(e->nodes, e), 1);
    json_decimal(json, "ms_per_move", per_move(e->time_ms, e), 3);
    json_open(json, "faults", '{');
    for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        if (status->faults[i][f])
            json_count(json, player_fault_text(f), status->faults[i][f]);
    json_close(json);
    json_close(json);
}

static void json_sprt(const MatchConfig *config, const MatchStatus *status, Json *json)
{
    static const char *const VERDICT[] = {"open", "H0", "H1"};
    json_open(json, "sprt", '{');
    json_decimal(json, "elo0", config->sprt.elo0, 2);
    json_decimal(json, "elo1", config->sprt.elo1, 2);
    json_decimal(json, "llr", status->llr, 4);
    json_decimal(json, "lower", sprt_lower(&config->sprt), 4);
    json_decimal(json, "upper", sprt_upper(&config->sprt), 4);
    json_text(json, "accepted", VERDICT[status->verdict]);
    json_close(json);
}

void match_table_json(const MatchConfig *config, const MatchStatus *status, Json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "variant", config->rules->name);
    json_count(json, "games", status->done);
    json_count(json, "total", status->total);
    json_count(json, "resumed", status->resumed);
    json_decimal(json, "seconds", (double)status->elapsed_ms / 1000, 3);
    json_open(json, "players", '[');
    for (int i = 0; i < status->player_count; i++)
        json_player(config, status, i, json);
    json_close(json);
    json_open(json, "pairings", '[');
    for (int i = 0; i < status->pairing_count; i++)
        json_pairing(config, &status->pairings[i], json);
    json_close(json);
    if (config->has_sprt)
        json_sprt(config, status, json);
    json_close(json);
}
