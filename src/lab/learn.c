// The loop of learning; see learn.h. Order of a generation: play, fit the scale of scores, train,
// export and rescale, match, keep or not, write everything.
#include "lab/learn.h"

#include "base/clock.h"
#include "base/file.h"
#include "lab/gpu/encode.h"
#include "lab/learn_int.h"
#include "lab/learn_log.h"
#include "lab/learn_plan.h"
#include "lab/net_export.h"
#include "lab/start_net.h"
#include "lab/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char LEARN_PLAN[] =
    "width=128 gens=6 play=12 train=4 nodes=400 result=0.05 fresh=1; "
    "width=512 gens=24 play=45 train=25 nodes=600 fresh=0 rate=0.0006 end=0.00006; "
    "gens=1 play=60 train=400 nodes=1000 rate=0.0008 end=0.000003 result=0.1";

enum { PATH_SIZE = 1024, POOL = 2, OVERHEAD_S = 8, SPEED_SAMPLES = 16 << 20 };

typedef struct Learner {
    const LearnSetup *setup;
    LearnPlan plan;
    Device *device;
    Trainer *trainer;
    int trainer_width, trainer_buckets;
    double speed; // of training, positions a second; 0: not measured
    Net *current; // the newest kept net: it plays
    Study *study; // the students
    Error failed; // the first course that came to nothing
    LearnLog *log;
    double positions_before; // of earlier runs
    int64_t begin_ms;
} Learner;

void learn_say(const LearnSetup *setup, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    setup->say(setup->context, line);
}

static double elapsed_s(const Learner *l)
{
    return (double)(clock_ms() - l->begin_ms) / 1e3;
}

static void path_in(const Learner *l, char path[PATH_SIZE], const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", l->setup->folder, name);
}

static void net_path(const Learner *l, char path[PATH_SIZE], int generation)
{
    char name[32];
    snprintf(name, sizeof name, "gen-%04d.nnue", generation);
    path_in(l, path, name);
}

TrainerShape trainer_shape(int hidden, int buckets)
{
    TrainerShape shape = {.hidden = hidden, .buckets = buckets, .batch = BATCH};
    king_bucket_map(buckets, shape.king_bucket);
    return shape;
}

void position_of_record(const uint16_t men[32], uint32_t meta, Position *pos)
{
    position_clear(pos, rules_find("chess"));
    for (int i = 0; i < 32; i++)
        if (men[i] < RECORD_NO_MAN)
            position_put(pos, piece_make(men[i] >= 384, men[i] % 384 / 64), men[i] & 63);
    pos->side = meta >> 18 & 1;
    position_finish(pos);
}

double centipawns_per_unit(const float *values, const uint16_t *men, const uint32_t *meta,
                           int count, const Net *reference)
{
    enum { DECIDED = 1000 };
    double old = 0, now = 0;
    for (int i = 0; i < count; i++) {
        Position pos;
        position_of_record(men + (size_t)i * 32, meta[i], &pos);
        const double centipawns = nnue_evaluate_once(reference, &pos), value = values[i];
        if (fabs(centipawns) > DECIDED || fabs(value) * CENTIPAWNS_PER_UNIT > DECIDED)
            continue;
        old += centipawns * centipawns;
        now += value * value;
    }
    return old > 0 && now > 0 ? sqrt(old / now) : CENTIPAWNS_PER_UNIT;
}

// The same for a trainer, on its newest positions.
static bool trainer_scale(Trainer *trainer, const Net *reference, double *scale, Error *error)
{
    enum { COUNT = 16384 };
    float *values = calloc(COUNT, sizeof *values);
    uint16_t *men = calloc(COUNT, 32 * sizeof *men);
    uint32_t *meta = calloc(COUNT, sizeof *meta);
    const bool ok =
        values && men && meta && trainer_predict(trainer, COUNT, values, men, meta, error);
    if (ok)
        *scale = centipawns_per_unit(values, men, meta, COUNT, reference);
    free(values);
    free(men);
    free(meta);
    return ok;
}

Net *export_net(Trainer *trainer, const Net *reference, const NetInfo *info, Error *error)
{
    float *parameters = calloc(trainer_size(trainer), sizeof(float));
    if (!parameters) {
        error_set(error, "no memory for parameters");
        return NULL;
    }
    NetInfo full = *info;
    double scale = CENTIPAWNS_PER_UNIT;
    bool ok = trainer_read(trainer, parameters, error);
    if (ok && reference)
        ok = trainer_scale(trainer, reference, &scale, error);
    full.men_per_bucket = 4;
    king_bucket_map(full.king_buckets, full.king_bucket);
    full.multiplier = nnue_multiplier(scale);
    Net *net = ok ? net_from_parameters(parameters, &full, error) : NULL;
    free(parameters);
    return net;
}

// ---- State on disk --------------------------------------------------------------------------

static bool state_save(Learner *l, Error *error)
{
    char path[PATH_SIZE];
    const uint64_t size = trainer_size(l->trainer);
    FileWriter writer;
    uint64_t header[2] = {(uint64_t)l->trainer_width | (uint64_t)l->trainer_buckets << 32, 0};
    float *state = malloc(3 * size * sizeof(float));
    bool ok = state && trainer_read_state(l->trainer, state, &header[1], error);
    path_in(l, path, "state.bin");
    ok = ok && file_begin(&writer, path, error);
    if (ok) {
        fwrite(header, sizeof header, 1, writer.out);
        fwrite(state, sizeof(float), 3 * size, writer.out);
        ok = file_commit(&writer, error);
    }
    free(state);
    return ok;
}

// The trainer of an earlier run, if the folder has one: its shape is in the file.
static bool state_load(Learner *l, Error *error)
{
    char path[PATH_SIZE];
    path_in(l, path, "state.bin");
    if (!file_exists(path))
        return true;
    size_t size;
    uint64_t header[2];
    char *bytes = file_read(path, 1 << 30, &size, error);
    if (!bytes)
        return false;
    bool ok = size > sizeof header || error_set(error, "%s is cut off", path);
    if (ok) {
        memcpy(header, bytes, sizeof header);
        l->trainer_width = (int)(header[0] & 0xffff);
        l->trainer_buckets = header[0] >> 32 ? (int)(header[0] >> 32 & 0xff) : 1;
        const TrainerShape shape = trainer_shape(l->trainer_width, l->trainer_buckets);
        l->trainer = trainer_new(l->device, &shape, 1, error);
        ok = l->trainer != NULL;
    }
    if (ok && size != sizeof header + 3 * trainer_size(l->trainer) * sizeof(float))
        ok = error_set(error, "%s has the wrong size", path);
    ok = ok &&
         trainer_write_state(l->trainer, (const float *)(bytes + sizeof header), header[1], error);
    free(bytes);
    return ok;
}

// ---- One generation -------------------------------------------------------------------------

static uint64_t seed_of(const Learner *l, int generation, int purpose)
{
    return l->setup->seed * 1000003 + (uint64_t)generation * 64 + (uint64_t)purpose;
}

static bool generation_play(Learner *l, const LearnStage *stage, LearnRow *row, Error *error)
{
    EncodedNet net;
    PlayReport report = {0};
    if (stage->play_s <= 0)
        return true;
    const Net *player = stage->self > 0 ? study_net(l->study, stage, error) : l->current;
    if (!player || !encoded_init(&net, player, encoded_width(&player->info), error))
        return false;
    const uint32_t nodes = (uint32_t)stage->nodes;
    const PlayRequest request = {.nets = {&net, &net},
                                 .nodes = {nodes, nodes},
                                 .quick_nodes = (uint32_t)stage->quick_nodes,
                                 .every = (uint32_t)stage->every,
                                 .beside = (uint32_t)stage->beside,
                                 .seconds = stage->play_s,
                                 .seed = seed_of(l, row->generation, 1),
                                 .random_plies = RANDOM_PLIES,
                                 .opening_limit = OPENING_LIMIT,
                                 .record_from_ply = RECORD_FROM_PLY};
    bool ok = device_play(l->device, &request, &report, error);
    encoded_release(&net);
    if (!ok)
        return false;
    const double games = report.games ? (double)report.games : 1;
    row->nodes = nodes;
    row->play_s = report.seconds;
    row->mnps = (double)report.nodes / report.seconds / 1e6;
    row->depth = (double)report.depth_sum / (double)(report.searches ? report.searches : 1);
    row->kept_per_s = (double)report.kept / report.seconds;
    row->drawn = (double)report.results[2] / games;
    learn_say(l->setup,
              "  played %.1f s: %.1f M positions, %.0f k games, %.0f plies a game, %.0f M nodes/s, "
              "depth %.2f, "
              "drawn %.0f %%, White %.1f %%, openings refused %.1f a game",
              report.seconds, (double)report.kept / 1e6, games / 1e3, (double)report.plies / games,
              row->mnps, row->depth, 100 * row->drawn,
              100 * ((double)report.results[0] + (double)report.results[2] / 2) / games,
              (double)report.openings_refused / games);
    return true;
}

// A trainer of the stage's shape: the last one, one grown from it, or a fresh one.
static bool trainer_prepare(Learner *l, const LearnStage *stage, int generation, Error *error)
{
    const int width = (int)stage->width, buckets = (int)stage->buckets;
    const uint64_t seed = seed_of(l, generation, 2);
    if (!l->trainer && stage->fresh == 0 && !state_load(l, error))
        return false;
    if (l->trainer && l->trainer_width == width && l->trainer_buckets == buckets)
        return stage->fresh == 0 || trainer_restart(l->trainer, seed, error);
    const TrainerShape shape = trainer_shape(width, buckets);
    Trainer *last = l->trainer;
    l->trainer = trainer_new(l->device, &shape, seed, error);
    l->trainer_width = width;
    l->trainer_buckets = buckets;
    l->speed = 0;
    const bool ok =
        l->trainer && (!last || stage->fresh > 0 || trainer_grow(l->trainer, last, seed, error));
    trainer_free(last);
    return ok;
}

// Trains with the row's result weight.
static bool train_once(Learner *l, const LearnStage *stage, LearnRow *row, TrainReport *report,
                       Error *error)
{
    const uint64_t kept = device_kept(l->device), window = (uint64_t)(stage->window_m * 1e6);
    row->window = (double)(window && window < kept ? window : kept);
    TrainRequest request = {.window = window,
                            .samples = SPEED_SAMPLES,
                            .rate = stage->rate,
                            .end_rate = stage->rate,
                            .decay = 0.01,
                            .result_weight = row->result_weight,
                            .scale = row->scale};
    double measured_s = 0;
    // A piece shows how many samples fill the time; one goes before it, for the first steps of a
    // new shape are slow.
    for (int i = 0; i < 2 && l->speed == 0; i++) {
        if (!trainer_run(l->trainer, &request, report, error))
            return false;
        measured_s += report->seconds;
        if (i == 1)
            l->speed = SPEED_SAMPLES / report->seconds;
    }
    row->samples = floor(fmax(stage->train_s - measured_s, 0.1) * l->speed);
    request.samples = (uint64_t)row->samples;
    request.end_rate = stage->end_rate;
    if (!trainer_run(l->trainer, &request, report, error))
        return false;
    l->speed = row->samples / report->seconds;
    row->train_s = report->seconds;
    row->loss = report->loss;
    row->validation = report->validation;
    row->against_result = report->against_result;
    row->against_score = report->against_score;
    row->spread = report->spread;
    learn_say(l->setup,
              "  trained %.1f s: result %g, %.2f G samples of %.1f M positions (%.1f M/s), K %.0f, "
              "loss %.5f, "
              "validation %.5f (result %.5f, score %.5f), spread %.3f",
              report->seconds, row->result_weight, row->samples / 1e9, row->window / 1e6,
              l->speed / 1e6, row->scale, report->loss, report->validation, report->against_result,
              report->against_score, report->spread);
    return true;
}

static NetInfo info_of(const LearnRow *row, const LearnStage *stage)
{
    NetInfo info = {.generation = (uint32_t)row->generation,
                    .positions = (uint64_t)row->positions,
                    .hidden = (uint16_t)row->width,
                    .king_buckets = (uint16_t)stage->buckets};
    snprintf(info.variant, sizeof info.variant, "chess");
    snprintf(info.recipe, sizeof info.recipe,
             "lovac learn: generation %d, %.0f M own positions, window %.0f M at %.0f nodes, %.2f "
             "G samples, "
             "result weight %g, rate %g to %g%s",
             row->generation, row->positions / 1e6, row->window / 1e6, stage->nodes,
             row->samples / 1e9, row->result_weight, stage->rate, stage->end_rate,
             stage->fresh > 0 ? ", from random" : "");
    return info;
}

// A net of the trainer's present weights.
static Net *net_now(Learner *l, const LearnStage *stage, LearnRow *row, Error *error)
{
    const NetInfo info = info_of(row, stage);
    Net *net = export_net(l->trainer, l->current, &info, error);
    if (net)
        row->multiplier = net->info.multiplier;
    return net;
}

// Trains a rival with another result weight from the same beginning, and returns the better of
// both. The trainer goes on with the winner's weights.
static Net *train_rival(Learner *l, const LearnStage *stage, LearnRow *row, Net *net,
                        const float *before, uint64_t steps_before, Error *error)
{
    const uint64_t size = 3 * trainer_size(l->trainer);
    const uint32_t options[2] = {0, 0};
    float *state = malloc(size * sizeof *state);
    uint64_t steps;
    LearnRow other = *row;
    TrainReport report = {0};
    MatchResult result;
    Net *rival = NULL;
    other.result_weight = stage->trial;
    bool ok = state && trainer_read_state(l->trainer, state, &steps, error) &&
              trainer_write_state(l->trainer, before, steps_before, error) &&
              train_once(l, stage, &other, &report, error) &&
              (rival = net_now(l, stage, &other, error)) &&
              match_nets(l->device, l->setup, rival, net, options, seed_of(l, row->generation, 16),
                         &result, error);
    if (ok) {
        learn_say(l->setup, "  result weight %g against %g: %+.1f +- %.1f Elo", other.result_weight,
                  row->result_weight, result.elo, result.error);
        // The loser's file is kept too: deeper searches may judge otherwise.
        char path[PATH_SIZE], name[32];
        snprintf(name, sizeof name, "gen-%04d-other.nnue", row->generation);
        path_in(l, path, name);
        ok = net_to_file(result.elo > 0 ? net : rival, path, error);
        if (result.elo > 0)
            *row = other;
        else
            ok = ok && trainer_write_state(l->trainer, state, steps, error);
    }
    free(state);
    Net *better = ok && result.elo > 0 ? rival : net;
    net_free(better == rival ? net : rival);
    if (!ok) {
        net_free(better);
        return NULL;
    }
    return better;
}

static Net *generation_train(Learner *l, const LearnStage *stage, LearnRow *row, Error *error)
{
    TrainReport report = {0};
    if (!trainer_prepare(l, stage, row->generation, error) ||
        !device_fit_scale(l->device, &row->scale, error))
        return NULL;
    const bool has_rival = stage->trial >= 0;
    float *before = NULL;
    uint64_t steps = 0;
    row->result_weight = stage->result_weight;
    bool ok = true;
    if (has_rival) {
        before = malloc(3 * trainer_size(l->trainer) * sizeof *before);
        ok = before && trainer_read_state(l->trainer, before, &steps, error);
    }
    Net *net = NULL;
    if (ok && train_once(l, stage, row, &report, error))
        net = net_now(l, stage, row, error);
    if (net && has_rival)
        net = train_rival(l, stage, row, net, before, steps, error);
    free(before);
    return net;
}

static double rating_of(const Learner *l, int generation)
{
    for (int i = l->log->count - 1; i >= 0; i--)
        if (l->log->rows[i].generation == generation)
            return l->log->rows[i].rating;
    return 0;
}

// The generations of the pool: the last kept net (0 is the start), and one some generations back.
static int pool_members(const Learner *l, int members[POOL])
{
    int kept[LEARN_MAX_GENERATIONS + 1], n = 0, count = 0;
    kept[n++] = 0;
    for (int i = 0; i < l->log->count; i++)
        if (l->log->rows[i].is_kept)
            kept[n++] = l->log->rows[i].generation;
    const int back[POOL] = {1, 4};
    for (int i = 0; i < POOL; i++) {
        char path[PATH_SIZE];
        if (n < back[i])
            continue;
        members[count] = kept[n - back[i]];
        net_path(l, path, members[count]);
        count += count == 0 || file_exists(path); // a folder may hold the last nets alone
    }
    return count;
}

static bool generation_match(Learner *l, const Net *net, LearnRow *row, Error *error)
{
    int members[POOL];
    const int count = pool_members(l, members);
    const uint32_t options[2] = {0, 0};
    double weight = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        MatchResult result;
        net_path(l, path, members[i]);
        Net *other = i == 0 ? l->current : net_from_file(path, error);
        bool ok = other && match_nets(l->device, l->setup, net, other, options,
                                      seed_of(l, row->generation, 8 + i), &result, error);
        if (i)
            net_free(other);
        if (!ok)
            return false;
        if (i == 0) {
            row->elo = result.elo;
            row->elo_error = result.error;
        }
        // Lopsided matches say little about small differences.
        const double error_size = result.error + 1 + fabs(result.elo) / 10;
        weight += 1 / (error_size * error_size);
        sum += (rating_of(l, members[i]) + result.elo) / (error_size * error_size);
        learn_say(l->setup,
                  "  against generation %d: %+.1f +- %.1f Elo (%llu games, drawn %.0f %%, %.1f s)",
                  members[i], result.elo, result.error, (unsigned long long)result.games,
                  100 * result.drawn, result.seconds);
    }
    row->rating = sum / weight;
    row->rating_error = sqrt(1 / weight);
    return true;
}

// Adds a generation to the diary, which is where a later run goes on.
static bool log_row(Learner *l, LearnRow *row, Error *error)
{
    char path[PATH_SIZE];
    row->elapsed_s = elapsed_s(l);
    l->log->rows[l->log->count++] = *row;
    path_in(l, path, "learn.csv");
    if (!learn_log_write(l->log, path, error))
        return false;
    path_in(l, path, "curve.svg");
    return learn_log_draw(l->log, path, error);
}

static bool generation_write(Learner *l, Net *net, LearnRow *row, Error *error)
{
    char path[PATH_SIZE];
    net_path(l, path, row->generation);
    if (!net_to_file(net, path, error))
        return false;
    path_in(l, path, "latest.nnue");
    if (row->is_kept && !net_to_file(net, path, error))
        return false;
    return state_save(l, error) && log_row(l, row, error);
}

// The player's part of a generation: training, match, and the new net if it is better.
static bool generation_teach(Learner *l, const LearnStage *stage, LearnRow *row, Error *error)
{
    Net *net = generation_train(l, stage, row, error);
    if (!net)
        return false;
    bool ok = generation_match(l, net, row, error);
    row->is_kept = row->elo >= 0;
    ok = ok && generation_write(l, net, row, error);
    if (ok)
        learn_say(l->setup, "  generation %d: rating %.0f, %s", row->generation, row->rating,
                  row->is_kept ? "kept" : "not kept");
    if (ok && row->is_kept) {
        net_free(l->current);
        l->current = net;
    } else {
        net_free(net);
    }
    return ok;
}

// The student's part.
static bool generation_study(Learner *l, const LearnStage *stage, const LearnRow *row, Error *error)
{
    StudyTask task = {.generation = (int)l->current->info.generation,
                      .positions = row->positions,
                      .scale = row->scale,
                      .reference = l->current};
    return (task.scale > 0 || device_fit_scale(l->device, &task.scale, error)) &&
           study_run(l->study, stage, &task, error);
}

static bool generation_run(Learner *l, int generation, int stage_index, Error *error)
{
    const LearnStage *stage = &l->plan.stages[stage_index];
    LearnRow row = {.generation = generation, .stage = stage_index, .width = (int)stage->width};
    learn_say(l->setup, "generation %d, stage %d, width %d, king buckets %.0f, after %.0f s",
              generation, stage_index + 1, row.width, stage->buckets, elapsed_s(l));
    if (!generation_play(l, stage, &row, error))
        return false;
    row.positions = l->positions_before + (double)device_recorded(l->device);
    row.rating = l->log->count ? l->log->rows[l->log->count - 1].rating : 0;
    if (stage->train_s > 0 ? !generation_teach(l, stage, &row, error) : !log_row(l, &row, error))
        return false;
    // Positions are worth more than one course: where it fails, learning goes on without it.
    if (stage->student > 0 && stage->study_s > 0 && !generation_study(l, stage, &row, error)) {
        learn_say(l->setup, "  this course came to nothing: %s", error->text);
        if (!l->failed.text[0])
            l->failed = *error;
    }
    return true;
}

// ---- The whole ------------------------------------------------------------------------------

static bool learner_resume(Learner *l, Error *error)
{
    char path[PATH_SIZE];
    path_in(l, path, "learn.csv");
    if (!learn_log_read(l->log, path, error))
        return false;
    if (l->log->count)
        l->positions_before = l->log->rows[l->log->count - 1].positions;
    path_in(l, path, "latest.nnue");
    if (file_exists(path)) {
        l->current = net_from_file(path, error);
        learn_say(l->setup, "going on after %d generations", l->log->count);
        return l->current != NULL;
    }
    l->current = l->setup->start ? net_from_file(l->setup->start, error)
                                 : start_net_material(128, l->setup->seed, error);
    if (!l->current)
        return false;
    l->positions_before = (double)l->current->info.positions;
    net_path(l, path, 0);
    return net_to_file(l->current, path, error);
}

static double stage_time(const LearnStage *s)
{
    return s->play_s + s->train_s + (s->student > 0 ? s->study_s : 0) + OVERHEAD_S;
}

// The stage to run next, or -1 when the plan or the time is over. When the last stage would not fit
// after one more generation, it is its turn.
static int stage_next(const Learner *l, int generation, bool *did_last)
{
    const int last = l->plan.count - 1, stage = learn_plan_stage(&l->plan, generation - 1);
    if (stage < 0 || *did_last)
        return -1;
    if (l->setup->seconds <= 0 || stage == last) {
        *did_last = l->setup->seconds > 0 && l->plan.stages[last].generations == 1;
        return stage;
    }
    const double left = l->setup->seconds - elapsed_s(l);
    const double last_time = stage_time(&l->plan.stages[last]);
    if (left >= stage_time(&l->plan.stages[stage]) + last_time)
        return stage;
    *did_last = true;
    return left >= last_time * 0.5 ? last : -1;
}

static const char *plan_of(const LearnSetup *setup)
{
    return setup->plan ? setup->plan : LEARN_PLAN;
}

static bool learner_run(Learner *l, Error *error)
{
    bool did_last = false;
    for (int generation = l->log->count + 1; generation < LEARN_MAX_GENERATIONS; generation++) {
        if (!learn_plan_read(&l->plan, plan_of(l->setup), error))
            return false;
        const int stage = stage_next(l, generation, &did_last);
        if (stage < 0)
            break;
        // What is left of the time goes into the last training.
        LearnStage *s = &l->plan.stages[stage];
        if (did_last && l->setup->seconds > 0) {
            const double left_s = l->setup->seconds - elapsed_s(l) - s->play_s - OVERHEAD_S;
            *(s->student > 0 ? &s->study_s : &s->train_s) =
                fmax(1, s->student > 0 ? left_s - s->train_s : left_s);
        }
        if (!generation_run(l, generation, stage, error))
            return false;
        if (l->setup->seconds > 0 && elapsed_s(l) >= l->setup->seconds)
            break;
    }
    learn_say(l->setup, "stopped after %.0f s, %d generations, %.0f M positions in all",
              elapsed_s(l), l->log->count,
              (l->positions_before + (double)device_recorded(l->device)) / 1e6);
    if (l->failed.text[0])
        *error = l->failed;
    return !l->failed.text[0];
}

bool learn_run(const LearnSetup *setup, Error *error)
{
    Learner l = {.setup = setup, .begin_ms = clock_ms()};
    const DeviceSetup device = {.records = setup->records, .validation = VALIDATION_ROOM};
    bool ok =
        learn_plan_read(&l.plan, plan_of(setup), error) && file_make_folder(setup->folder, error);
    l.log = calloc(1, sizeof *l.log);
    ok = ok && l.log && (l.device = device_new(&device, error));
    if (ok)
        learn_say(setup, "device: %s", device_text(l.device));
    ok = ok && (l.study = study_new(setup, l.device, error)) && learner_resume(&l, error) &&
         learner_run(&l, error);
    study_free(l.study);
    trainer_free(l.trainer);
    device_free(l.device);
    net_free(l.current);
    free(l.log);
    return ok;
}

bool learn_draw(const char *folder, Error *error)
{
    char path[PATH_SIZE];
    LearnLog *log = calloc(1, sizeof *log);
    snprintf(path, sizeof path, "%s/learn.csv", folder);
    bool ok = log && learn_log_read(log, path, error);
    if (ok && !log->count)
        ok = error_set(error, "%s: no generation is in it", path);
    snprintf(path, sizeof path, "%s/curve.svg", folder);
    ok = ok && learn_log_draw(log, path, error);
    free(log);
    return ok;
}
