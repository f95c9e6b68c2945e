// See review.h.
#include "engine/review.h"

#include <math.h>
#include <string.h>

#include "core/game.h"

enum { LOSS_MAX = 1000 };

void player_report_add(PlayerReport *sum, const PlayerReport *r)
{
    sum->moves += r->moves;
    sum->accuracy_sum += r->accuracy_sum;
    sum->loss_sum += r->loss_sum;
    sum->best += r->best;
    for (int i = 0; i < JUDGEMENT_COUNT; i++)
        sum->judged[i] += r->judged[i];
}

Judgement review_judge(double given_away)
{
    return given_away >= 0.25   ? JUDGED_BLUNDER
           : given_away >= 0.15 ? JUDGED_MISTAKE
           : given_away >= 0.08 ? JUDGED_INACCURACY
                                : JUDGED_GOOD;
}

double review_accuracy(double given_away)
{
    return 100 * exp(-4.5 * fmax(0, given_away));
}

double review_expected(const Position *pos, int score)
{
    Wdl wdl = engine_wdl(pos, score);
    return (wdl.win + wdl.draw / 2.0) / 1000;
}

// Keeps the newest line of a search.
static void keep_line(void *context, const Position *root, const SearchInfo *info)
{
    (void)root;
    Finding *f = context;
    if (info->kind != INFO_LINE || info->multi_pv != 1 || info->bound != BOUND_EXACT)
        return;
    f->count = info->pv_count < FINDING_LINE_MAX ? info->pv_count : FINDING_LINE_MAX;
    memcpy(f->line, info->pv, (size_t)f->count * sizeof *f->line);
}

// A finished game has a score without a search.
static int final_score(const Position *pos, Outcome outcome)
{
    if (outcome.result == RESULT_DRAW)
        return SCORE_DRAW;
    bool wins = (outcome.result == RESULT_WHITE) == (pos->side == WHITE);
    return wins ? SCORE_MATE : -SCORE_MATE;
}

bool review_search(Engine *engine, const SearchLimits *limits, const Position *start,
                   const Move *moves, int count, const Position *pos, Finding *f, Error *error)
{
    *f = (Finding){0};
    Outcome outcome = position_outcome(pos);
    if (outcome.result != RESULT_NONE) {
        f->score = final_score(pos, outcome);
        return true;
    }
    if (!engine_set_position(engine, start, moves, count, error))
        return false;
    SearchResult result;
    engine_think(engine, limits, keep_line, f, &result);
    f->score = result.score;
    f->depth = result.depth;
    f->nodes = result.nodes;
    if (!f->count || f->line[0] != result.best) {
        f->line[0] = result.best;
        f->count = 1;
    }
    return true;
}

Verdict review_move(const Position *before, Move move, const Position *after, const Finding *best,
                    const Finding *next, PlayerReport *report)
{
    // The better of both searches: the later one has seen more of the played move.
    int played = -next->score,
        wanted = best->line[0] == move || played > best->score ? played : best->score;
    double given_away = review_expected(before, wanted) - review_expected(before, played);
    Verdict v = {.is_best = best->line[0] == move, .is_over = !next->count};
    v.judgement = v.is_best ? JUDGED_GOOD : review_judge(given_away);
    v.accuracy = review_accuracy(v.is_best ? 0 : given_away);
    v.score = after->side == WHITE ? next->score : -next->score;
    int loss = wanted - played;
    report->moves++;
    report->best += v.is_best;
    report->judged[v.judgement]++;
    report->accuracy_sum += v.accuracy;
    report->loss_sum += loss < 0 ? 0 : loss > LOSS_MAX ? LOSS_MAX : loss;
    return v;
}
