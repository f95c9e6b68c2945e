// See train.h. Order: read all games, fit the scale, train, export, verify.
#include "lab/train.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/minmax.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/thread.h"
#include "engine/nnue.h"
#include "lab/data_file.h"
#include "lab/gpu/play.h"
#include "lab/net_export.h"
#include "lab/polish.h"
#include "lab/train_device.h"
#include "lab/train_int.h"
#include "lab/train_net.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOLD_OUT = 100, REPORTS = 10, VERIFIED = 1000, MIN_BATCH = 256, MAX_BATCH = 16384 };

// The spread of centipawns that every net is scaled to; see docs/nnue.md.
static const double SPREAD = 400;

typedef struct Positions {
    TrainPosition *list;
    size_t count, room;
} Positions;

typedef struct Training {
    const TrainConfig *config;
    const Rules *rules;
    Positions sets[2]; // to learn from, held out
    size_t games;
    int most_men;
    TrainGoal goal;
    TrainNet *net;  // or ...
    Net *start;     // ... the net to go on from,
    Polish *polish; // and its trainer
    double spread;  // of its output over the held-out positions, before
    const TrainPosition **batch;
    int batch_size;
    FILE *csv;
} Training;

TrainConfig train_default(void)
{
    return (TrainConfig){.hidden = 128,
                         .threads = thread_cpu_count(),
                         .batch = 0,
                         .epochs = 20,
                         .rate = 1e-3,
                         .end_rate = 1e-5,
                         .decay = 0.01,
                         .result_weight = 0.3,
                         .epsilon = 1e-8,
                         .seed = 1};
}

void train_say(const TrainConfig *config, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    config->say(config->context, line);
}

void train_say_losses(const TrainConfig *config, FILE *csv, double samples, double seconds,
                      double loss, double held_out, double against_result, double against_score)
{
    train_say(
        config, "%8.1f M samples, %5.2f M/s: loss %.5f, held out %.5f (result %.5f, score %.5f)",
        samples / 1e6, samples / 1e6 / seconds, loss, held_out, against_result, against_score);
    if (csv)
        fprintf(csv, "%.0f,%.2f,%.7f,%.7f,%.7f,%.7f\n", samples, seconds, loss, held_out,
                against_result, against_score);
}

void train_describe(NetInfo *info, const TrainConfig *config, const Rules *rules, size_t games,
                    size_t positions, double samples, double scale)
{
    snprintf(info->variant, sizeof info->variant, "%s", rules->name);
    snprintf(
        info->recipe, sizeof info->recipe,
        "lovac train: %zu games, %zu positions, %.1f M samples, result weight %g, later %g, scale "
        "%.0f, rate %g to %g",
        games, positions, samples / 1e6, config->result_weight, config->later_weight, scale,
        config->rate, config->end_rate);
}

double train_net_unit(const Net *net)
{
    const double one =
        net->info.has_layers ? (double)NNUE_ONE * NNUE_Q2 : (double)NNUE_QA * NNUE_QA * NNUE_QB;
    return net->info.multiplier * one / 4294967296.0;
}

bool train_judge(const TrainConfig *config, double mean, Error *error)
{
    train_say(config, "the file's net differs from the trainer's by %.2f centipawns on average",
              mean);
    return mean < 2 || error_set(error, "the exported net is %.1f centipawns off", mean);
}

bool train_is_stopped(const TrainConfig *config)
{
    return stop_is_set(config->stop);
}

// ---- Reading --------------------------------------------------------------------------------

static bool positions_add(Positions *p, TrainPosition position, Error *error)
{
    if (p->count == p->room) {
        const size_t room = p->room ? p->room * 2 : 1 << 16;
        TrainPosition *list = realloc(p->list, room * sizeof *list);
        if (!list)
            return error_set(error, "no memory for %zu positions", room);
        p->list = list;
        p->room = room;
    }
    p->list[p->count++] = position;
    return true;
}

static int result_for(Result result, Color side)
{
    if (result == RESULT_DRAW)
        return 1;
    return (result == RESULT_WHITE) == (side == WHITE) ? 2 : 0;
}

static bool game_add(Training *t, const DataGame *game, Error *error)
{
    Positions *set = &t->sets[t->games++ % HOLD_OUT == HOLD_OUT - 1];
    Position pos = game->start;
    Undo undo;
    int16_t later[DATA_PLIES_MAX];
    data_find_later(game, LATER_LIMIT, later);
    for (int ply = 0; ply < game->count; ply++) {
        const int score = pos.side == WHITE ? game->scores[ply] : -game->scores[ply];
        const int men = bit_count(position_occupied(&pos));
        t->most_men = men > t->most_men ? men : t->most_men;
        if (game->result != RESULT_NONE && data_is_kept(game, &pos, ply)) {
            TrainPosition p = train_pack(&pos, score, result_for(game->result, pos.side));
            p.later = pos.side == WHITE ? later[ply] : (int16_t)-later[ply];
            if (t->config->adds_to_hand)
                train_note_hand(&p, &pos);
            if (!positions_add(set, p, error))
                return false;
        }
        position_make(&pos, game->moves[ply], &undo);
    }
    return true;
}

static bool is_full(const Training *t)
{
    return t->config->max_positions && t->sets[0].count >= t->config->max_positions;
}

static bool block_add(Training *t, const DataBlock *block, DataGame *game, Error *error)
{
    const uint8_t *at = block->bytes, *end = at + block->size;
    for (uint32_t i = 0; i < block->games && !is_full(t); i++)
        if (!data_decode(&at, end, t->rules, game, error) || !game_add(t, game, error))
            return false;
    return true;
}

static bool file_add(Training *t, const char *path, Error *error)
{
    DataReader *reader = data_reader_open(path, error);
    DataGame *game = malloc(sizeof *game);
    bool ok = reader && game;
    if (ok && t->rules && t->rules != data_reader_rules(reader))
        ok = error_set(error, "%s: games of %s among games of %s", path,
                       data_reader_rules(reader)->name, t->rules->name);
    if (ok)
        t->rules = data_reader_rules(reader);
    DataBlock block;
    DataStatus status;
    while (ok && !is_full(t) && (status = data_reader_next(reader, &block, error)) != DATA_END) {
        if (status == DATA_DAMAGED)
            train_say(t->config, "%s: %s; left out", path, error ? error->text : "damaged");
        else
            ok = block_add(t, &block, game, error);
    }
    free(game);
    data_reader_close(reader);
    return ok;
}

static void shuffle(Positions *p, Random *random)
{
    for (size_t i = p->count; i > 1; i--) {
        const size_t k = (size_t)random_below(random, i);
        const TrainPosition swap = p->list[i - 1];
        p->list[i - 1] = p->list[k];
        p->list[k] = swap;
    }
}

// ---- Scale of scores ------------------------------------------------------------------------

static double scale_error(const Positions *p, bool of_hand, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const int value = of_hand ? p->list[i].hand : p->list[i].score;
        const double e = 1 / (1 + exp(-value / scale)) - p->list[i].result / 2.0;
        sum += e * e;
    }
    return sum;
}

// The scale for which scores, or hand-written evaluations, predict results best, within a few per
// cent.
static double scale_fit(const Positions *p, bool of_hand)
{
    double best = 400, least = HUGE_VAL;
    for (double scale = 60; scale < 2000; scale *= 1.06) {
        const double e = scale_error(p, of_hand, scale);
        if (e < least) {
            least = e;
            best = scale;
        }
    }
    return best;
}

// ---- Training -------------------------------------------------------------------------------

static TrainSums measure(Training *t)
{
    TrainSums sums = {0};
    const Positions *p = &t->sets[1];
    for (size_t from = 0; from < p->count; from += (size_t)t->batch_size) {
        const size_t left = p->count - from, batch = (size_t)t->batch_size;
        const int count = (int)(left < batch ? left : batch);
        for (int i = 0; i < count; i++)
            t->batch[i] = &p->list[from + (size_t)i];
        if (t->polish)
            polish_measure(t->polish, t->batch, count, &t->goal, &sums);
        else
            train_net_measure(t->net, t->batch, count, &t->goal, &sums);
    }
    return sums;
}

// The net that was gone on from, with what it has become; its centipawns spread as far as before.
static Net *polished_now(Training *t, double spread, uint64_t samples, Error *error)
{
    NetInfo info = t->start->info;
    info.multiplier = (int32_t)lrint(info.multiplier * t->spread / (spread > 0.01 ? spread : 0.01));
    info.positions += t->sets[0].count;
    train_describe(&info, t->config, t->rules, t->games, t->sets[0].count, (double)samples,
                   t->goal.scale);
    return polish_net(t->polish, &info, error);
}

static Net *net_now(Training *t, const TrainSums *held_out, uint64_t samples, Error *error)
{
    const double n = held_out->count ? (double)held_out->count : 1;
    const double spread = sqrt(held_out->spread / n);
    if (t->polish)
        return polished_now(t, spread, samples, error);
    NetInfo info = {.hidden = (uint16_t)t->config->hidden,
                    .king_buckets = 1,
                    .men_per_bucket = (uint16_t)t->goal.men_per_bucket,
                    .adds_to_hand = t->config->adds_to_hand,
                    .multiplier = nnue_multiplier(t->config->adds_to_hand
                                                      ? t->goal.hand_scale
                                                      : SPREAD / (spread > 0.01 ? spread : 0.01)),
                    .positions = t->sets[0].count,
                    .generation = 1};
    train_describe(&info, t->config, t->rules, t->games, t->sets[0].count, (double)samples,
                   t->goal.scale);
    return net_from_parameters(train_net_parameters(t->net), &info, error);
}

static bool report(Training *t, TrainSums *learned, uint64_t samples, double seconds, Error *error)
{
    const TrainSums held = measure(t);
    const double n = held.count ? (double)held.count : 1,
                 m = learned->count ? (double)learned->count : 1;
    train_say_losses(t->config, t->csv, (double)samples, seconds, learned->loss / m, held.loss / n,
                     held.against_result / n, held.against_score / n);
    memset(learned, 0, sizeof *learned);
    Net *net = net_now(t, &held, samples, error);
    bool ok = net && net_to_file(net, t->config->out, error);
    net_free(net);
    return ok;
}

static bool learn(Training *t, Random *random, Error *error)
{
    const TrainConfig *c = t->config;
    Positions *p = &t->sets[0];
    const int batch = t->batch_size;
    const uint64_t steps = (uint64_t)ceil(c->epochs * (double)p->count / batch);
    const int64_t begin = clock_ms();
    TrainSums learned = {0};
    size_t next = p->count;
    for (uint64_t step = 0; step < steps && !train_is_stopped(c); step++) {
        if (next + (size_t)batch > p->count) {
            shuffle(p, random);
            next = 0;
        }
        for (int i = 0; i < batch; i++)
            t->batch[i] = &p->list[next++];
        const double part = (double)step / (double)steps;
        double rate = c->end_rate + (c->rate - c->end_rate) * 0.5 * (1 + cos(M_PI * part));
        rate *= step < 100 ? (double)(step + 1) / 100 : 1;
        if (t->polish)
            polish_step(t->polish, t->batch, batch, &t->goal, rate, &learned);
        else
            train_net_step(t->net, t->batch, batch, &t->goal, rate, c->decay, &learned);
        const bool is_due = (step + 1) * REPORTS / steps != step * REPORTS / steps;
        if (is_due && !report(t, &learned, (step + 1) * (uint64_t)batch,
                              (double)(clock_ms() - begin + 1) / 1e3, error))
            return false;
    }
    return true;
}

// Reads the net back and compares it with the trainer.
static bool verify(Training *t, Error *error)
{
    Net *net = net_from_file(t->config->out, error);
    if (!net)
        return false;
    const Positions *p = &t->sets[1];
    const size_t count = p->count < VERIFIED ? p->count : VERIFIED;
    const double unit = train_net_unit(net);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        Position pos;
        train_unpack(&p->list[i], t->rules, &pos);
        const double value = t->polish ? polish_value(t->polish, &p->list[i])
                                       : train_net_value(t->net, &p->list[i], &t->goal);
        sum += fabs(value * unit - nnue_evaluate_once(net, &pos));
    }
    net_free(net);
    return train_judge(t->config, sum / (double)(count ? count : 1), error);
}

// Few positions want small steps: some 64 of them in a pass.
static int batch_for(const TrainConfig *config, size_t positions)
{
    const size_t most = config->batch ? (size_t)config->batch : MAX_BATCH;
    size_t batch = config->batch ? most : positions / 64;
    batch = batch < MIN_BATCH ? MIN_BATCH : batch > most ? most : batch;
    return (int)(batch < positions ? batch : positions);
}

// How the board may be turned: any way in a game without pawns and kings, about the diagonal in one
// that is played from corner to corner.
static int symmetries_of(const Rules *rules)
{
    if (!rules->has_king[WHITE] && !rules->has_king[BLACK])
        return SYMMETRY_FILES | SYMMETRY_RANKS | SYMMETRY_DIAGONAL;
    return nnue_is_from_corner(rules) ? SYMMETRY_DIAGONAL : 0;
}

static bool prepare(Training *t, Error *error)
{
    const TrainConfig *c = t->config;
    for (int i = 0; i < c->file_count; i++)
        if (!file_add(t, c->files[i], error))
            return false;
    if (t->sets[0].count < 1000 || !t->sets[1].count)
        return error_set(error, "%zu positions of %zu games are too few to learn from",
                         t->sets[0].count, t->games);
    t->goal.result_weight = c->result_weight;
    t->goal.later_weight = c->later_weight;
    t->goal.scale = c->scale > 0 ? c->scale : scale_fit(&t->sets[1], false);
    t->goal.hand_scale = c->adds_to_hand ? scale_fit(&t->sets[1], true) : 0;
    t->goal.is_from_corner = nnue_is_from_corner(t->rules);
    t->goal.symmetries = symmetries_of(t->rules);
    t->goal.men_per_bucket = (t->most_men + NNUE_OUTPUTS - 1) / NNUE_OUTPUTS;
    if (c->on_gpu)
        t->goal.men_per_bucket = 4; // its trainer knows no other
    train_say(c, "%zu games of %s, %zu positions, %zu held out; scale %.0f, %d men for each output",
              t->games, t->rules->name, t->sets[0].count, t->sets[1].count, t->goal.scale,
              t->goal.men_per_bucket);
    if (c->adds_to_hand)
        train_say(c, "on top of the hand-written evaluation, whose scale is %.0f",
                  t->goal.hand_scale);
    return true;
}

// The net to go on from may have another unit than these games' scores: the one that fits them best
// is found, its weights stay as they are, and what it says of them before it learns is told.
static void fit_unit(Training *t)
{
    double best = 1, least = HUGE_VAL;
    for (t->goal.unit = 0.5; t->goal.unit < 2; t->goal.unit *= 1.03) {
        const double loss = measure(t).loss;
        best = loss < least ? t->goal.unit : best;
        least = fmin(loss, least);
    }
    t->goal.unit = best;
    const TrainSums sums = measure(t);
    const double n = (double)sums.count;
    t->spread = sqrt(sums.spread / n);
    train_say(t->config, "before, %.2f times as large: held out %.5f (result %.5f, score %.5f)",
              best, sums.loss / n, sums.against_result / n, sums.against_score / n);
}

static bool read_start(Training *t, Error *error)
{
    const TrainConfig *c = t->config;
    t->start = net_from_file(c->from, error);
    if (!t->start)
        return false;
    const NetInfo *info = &t->start->info;
    if (info->adds_to_hand || t->start->is_from_corner)
        return error_set(error,
                         "%s: a net that is added to the hand-written evaluation, or looks from "
                         "the corner, cannot be gone on from",
                         c->from);
    if (strcmp(info->variant, t->rules->name) != 0)
        return error_set(error, "%s: a net for %s, games of %s", c->from, info->variant,
                         t->rules->name);
    t->polish = polish_new(t->start, c->threads, c->layers_only, c->epsilon, error);
    return t->polish;
}

static bool learn_on_cpu(Training *t, Random *random, Error *error)
{
    const TrainConfig *c = t->config;
    t->batch_size = batch_for(c, t->sets[0].count);
    t->batch = malloc((size_t)t->batch_size * sizeof *t->batch);
    if (!t->batch)
        return error_set(error, "no memory");
    if (c->from) {
        if (!read_start(t, error))
            return false;
        fit_unit(t);
    } else if (!(t->net = train_net_new(c->hidden, c->threads, c->seed, error))) {
        return false;
    }
    return learn(t, random, error) && verify(t, error);
}

// The GPU draws its batches itself, but only from what it was given: the order does not matter.
static bool learn_on_gpu(Training *t, Error *error)
{
    DeviceTraining d = {.config = t->config,
                        .rules = t->rules,
                        .positions = {t->sets[0].list, t->sets[1].list},
                        .counts = {t->sets[0].count, t->sets[1].count},
                        .games = t->games,
                        .goal = t->goal,
                        .csv = t->csv};
    return train_on_device(&d, error);
}

bool train_run(const TrainConfig *config, Error *error)
{
    Training t = {.config = config};
    Random random;
    random_init(&random, config->seed);
    bool ok = prepare(&t, error);
    if (ok && config->csv) {
        t.csv = fopen(config->csv, "w");
        ok = t.csv || error_set(error, "cannot write %s", config->csv);
        if (ok)
            fprintf(t.csv, "samples,seconds,loss,held_out,against_result,against_score\n");
    }
    ok = ok && (config->on_gpu ? learn_on_gpu(&t, error) : learn_on_cpu(&t, &random, error));
    if (t.csv && fclose(t.csv))
        ok = error_set(error, "cannot write %s", config->csv);
    train_net_free(t.net);
    polish_free(t.polish);
    net_free(t.start);
    free(t.batch);
    free(t.sets[0].list);
    free(t.sets[1].list);
    return ok;
}
