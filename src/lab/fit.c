// See fit.h. Positions are kept as sparse rows of counts; Adam steps over shuffled batches.
#include "lab/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/str.h"
#include "base/thread.h"
#include "lab/data_tools.h"

enum { PARAMETERS = 2 * TERM_COUNT, BATCH = 16384, CHUNK = 1024, ROW_MAX = 512 };

// One count of one weight: index below TERM_COUNT for White's (or both), above for Black's own.
typedef struct Entry {
    uint16_t term;
    int16_t count;
} Entry;

typedef struct Row {
    uint64_t first; // entry
    uint16_t entries;
    uint8_t phase, scale;
    float extra;  // centipawns that no weight explains
    float target; // expected score for White
} Row;

typedef struct Fit {
    const FitConfig *config;
    const Rules *rules;
    const HandSetup *setup;
    bool sides_differ;
    Row *rows;
    Entry *entries;
    uint64_t row_count, row_room, entry_count, entry_room;
    Row *held; // rows of games held out; their entries lie among the others
    uint64_t held_count, held_room;
    double keep; // chance of a position to be kept
    uint64_t games;
    Random random;
    bool is_out_of_memory;
    double mg[PARAMETERS], eg[PARAMETERS];             // the weights, as they are fitted
    double start_mg[PARAMETERS], start_eg[PARAMETERS]; // as they were
    double scale;
} Fit;

FitConfig fit_default(void)
{
    return (FitConfig){.workers = thread_cpu_count(),
                       .positions_max = 4000000,
                       .epochs = 20,
                       .rate = 1,
                       .result_share = 0.7,
                       .hold_out = 0.05,
                       .pull = 1e-8,
                       .seed = 1};
}

// ---- Reading ----

static bool ensure(void **array, uint64_t *room, uint64_t need, size_t size)
{
    if (need <= *room)
        return true;
    uint64_t larger = *room * 2 > need ? *room * 2 : need + 1024;
    void *memory = realloc(*array, larger * size);
    if (!memory)
        return false;
    *array = memory;
    *room = larger;
    return true;
}

// The counts of a position that are not zero, White's less Black's where both share their weights.
static int collect(const Fit *f, const HandTrace *trace, Entry row[PARAMETERS])
{
    int n = 0;
    for (int t = 0; t < TERM_COUNT; t++) {
        int white = trace->counts[WHITE][t], black = trace->counts[BLACK][t];
        if (!f->sides_differ && white != black)
            row[n++] = (Entry){(uint16_t)t, (int16_t)(white - black)};
        if (f->sides_differ && white)
            row[n++] = (Entry){(uint16_t)t, (int16_t)white};
        if (f->sides_differ && black)
            row[n++] = (Entry){(uint16_t)(TERM_COUNT + t), (int16_t)-black};
    }
    return n;
}

static double result_target(Result result)
{
    return result == RESULT_WHITE ? 1 : result == RESULT_BLACK ? 0 : 0.5;
}

static bool add_position(Fit *f, const Position *pos, Result result, int score, bool is_held)
{
    HandTrace trace;
    hand_trace(f->setup, pos, &trace);
    Entry row[PARAMETERS];
    int n = collect(f, &trace, row);
    Row **rows = is_held ? &f->held : &f->rows;
    uint64_t *count = is_held ? &f->held_count : &f->row_count,
             *room = is_held ? &f->held_room : &f->row_room;
    if (!ensure((void **)rows, room, *count + 1, sizeof **rows) ||
        !ensure((void **)&f->entries, &f->entry_room, f->entry_count + (uint64_t)n,
                sizeof *f->entries))
        return !(f->is_out_of_memory = true);
    memcpy(f->entries + f->entry_count, row, (size_t)n * sizeof *row);
    double share = f->config->result_share;
    double by_score = 1 / (1 + exp(-score / 200.0));
    (*rows)[(*count)++] =
        (Row){.first = f->entry_count,
              .entries = (uint16_t)n,
              .phase = (uint8_t)trace.phase,
              .scale = (uint8_t)trace.scale,
              .extra = (float)trace.extra,
              .target = (float)(share * result_target(result) + (1 - share) * by_score)};
    f->entry_count += (uint64_t)n;
    return true;
}

static bool add_game(void *context, const DataGame *game)
{
    Fit *f = context;
    Position pos = game->start;
    bool is_held = random_unit(&f->random) < f->config->hold_out;
    f->games++;
    for (int i = 0; i < game->count; i++) {
        if (data_is_kept(game, &pos, i) && random_unit(&f->random) < f->keep &&
            !add_position(f, &pos, game->result, game->scores[i], is_held))
            return false;
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
    }
    return true;
}

// How many positions there are, about, and of which game; so that a limit can be spread over all
// games.
static bool survey(Fit *f, uint64_t *plies, Error *error)
{
    *plies = 0;
    for (int i = 0; i < f->config->path_count; i++) {
        DataReader *reader = data_reader_open(f->config->paths[i], error);
        if (!reader)
            return false;
        const Rules *rules = data_reader_rules(reader);
        bool same = !f->rules || rules == f->rules;
        f->rules = rules;
        DataBlock block;
        DataStatus status;
        while (same && (status = data_reader_next(reader, &block, NULL)) != DATA_END)
            *plies += status == DATA_OK ? block.plies : 0;
        data_reader_close(reader);
        if (!same)
            return error_set(error, "%s: holds games of other rules", f->config->paths[i]);
    }
    return true;
}

static bool load(Fit *f, Progress *progress, Error *error)
{
    uint64_t plies, damages;
    if (!survey(f, &plies, error))
        return false;
    f->setup = hand_setup(f->rules);
    f->sides_differ = f->rules->has_king[WHITE] != f->rules->has_king[BLACK];
    f->keep = plies * 0.65 > (double)f->config->positions_max
                  ? (double)f->config->positions_max / (plies * 0.65)
                  : 1;
    random_init(&f->random, f->config->seed);
    for (int i = 0; i < f->config->path_count; i++)
        if (!data_visit(f->config->paths[i], progress, add_game, f, &damages, error))
            return false;
    if (f->is_out_of_memory)
        return error_set(error, "out of memory: use fewer positions");
    if (f->row_count < BATCH || !f->held_count)
        return error_set(error, "too few positions to fit: %llu", (unsigned long long)f->row_count);
    for (uint64_t i = f->row_count; i > 1; i--) { // neighbours in a game must not share a batch
        uint64_t j = random_below(&f->random, i);
        Row swap = f->rows[i - 1];
        f->rows[i - 1] = f->rows[j];
        f->rows[j] = swap;
    }
    return true;
}

// ---- The model ----

static double row_value(const Fit *f, const Row *r)
{
    double mg = 0, eg = 0;
    const Entry *e = f->entries + r->first;
    for (int i = 0; i < r->entries; i++) {
        mg += e[i].count * f->mg[e[i].term];
        eg += e[i].count * f->eg[e[i].term];
    }
    return (mg * r->phase + eg * (PHASE_MAX - r->phase) * r->scale / SCALE_MAX) / PHASE_MAX +
           r->extra;
}

// Cross entropy of a target and a prediction in nats; `x` is the prediction's logit.
static double entropy(double target, double x)
{
    return (x > 0 ? log1p(exp(-x)) + (1 - target) * x : log1p(exp(x)) - target * x);
}

typedef struct LossJob {
    const Fit *f;
    const Row *rows;
    uint64_t count;
    double scale;
    double *sums; // by chunk
} LossJob;

static void loss_chunk(void *context, size_t index, int worker)
{
    (void)worker;
    LossJob *job = context;
    double sum = 0;
    uint64_t end = (index + 1) * CHUNK < job->count ? (index + 1) * CHUNK : job->count;
    for (uint64_t i = index * CHUNK; i < end; i++)
        sum += entropy(job->rows[i].target, row_value(job->f, &job->rows[i]) / job->scale);
    job->sums[index] = sum;
}

static double mean_loss(const Fit *f, const Row *rows, uint64_t count, double scale)
{
    size_t chunks = (count + CHUNK - 1) / CHUNK;
    LossJob job = {f, rows, count, scale, calloc(chunks, sizeof(double))};
    if (!job.sums)
        return NAN;
    parallel_for(chunks, f->config->workers, loss_chunk, &job);
    double sum = 0;
    for (size_t i = 0; i < chunks; i++)
        sum += job.sums[i];
    free(job.sums);
    return sum / (double)count;
}

// The slope at which the old weights explain the results best, by golden section.
static double best_scale(const Fit *f)
{
    double low = 50, high = 800, ratio = 0.6180339887;
    uint64_t count = f->row_count < 200000 ? f->row_count : 200000;
    for (int i = 0; i < 24; i++) {
        double a = high - (high - low) * ratio, b = low + (high - low) * ratio;
        if (mean_loss(f, f->rows, count, a) < mean_loss(f, f->rows, count, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

// ---- The climb ----

typedef struct Gradient {
    double mg[PARAMETERS], eg[PARAMETERS];
    double loss;
} Gradient;

typedef struct BatchJob {
    const Fit *f;
    uint64_t first, count;
    Gradient *gradients; // by worker
} BatchJob;

static void batch_chunk(void *context, size_t index, int worker)
{
    BatchJob *job = context;
    const Fit *f = job->f;
    Gradient *g = &job->gradients[worker];
    uint64_t begin = job->first + index * CHUNK, end = begin + CHUNK;
    if (end > job->first + job->count)
        end = job->first + job->count;
    for (uint64_t i = begin; i < end; i++) {
        const Row *r = &f->rows[i];
        double x = row_value(f, r) / f->scale;
        double slope = 1 / (1 + exp(-x)) - r->target; // of the loss by the logit
        double by_mg = slope * r->phase / PHASE_MAX;
        double by_eg = slope * (PHASE_MAX - r->phase) * r->scale / SCALE_MAX / PHASE_MAX;
        g->loss += entropy(r->target, x);
        const Entry *e = f->entries + r->first;
        for (int k = 0; k < r->entries; k++) {
            g->mg[e[k].term] += by_mg * e[k].count;
            g->eg[e[k].term] += by_eg * e[k].count;
        }
    }
}

// Adam's memory of one half of the weights.
typedef struct Adam {
    double mean[PARAMETERS], square[PARAMETERS];
} Adam;

static void adam_step(Adam *a, double *weights, const double *start, const double *gradient,
                      double rate, double pull, int step)
{
    const double b1 = 0.9, b2 = 0.999;
    double fix1 = 1 - pow(b1, step), fix2 = 1 - pow(b2, step);
    for (int i = 0; i < PARAMETERS; i++) {
        double g = gradient[i] + pull * (weights[i] - start[i]);
        a->mean[i] = b1 * a->mean[i] + (1 - b1) * g;
        a->square[i] = b2 * a->square[i] + (1 - b2) * g * g;
        weights[i] -= rate * (a->mean[i] / fix1) / (sqrt(a->square[i] / fix2) + 1e-12);
    }
}

// Adds up what the workers found, into the first.
static void gather(Gradient *gradients, int workers, double count)
{
    for (int w = 1; w < workers; w++) {
        for (int i = 0; i < PARAMETERS; i++) {
            gradients[0].mg[i] += gradients[w].mg[i];
            gradients[0].eg[i] += gradients[w].eg[i];
        }
        gradients[0].loss += gradients[w].loss;
    }
    for (int i = 0; i < PARAMETERS; i++) {
        gradients[0].mg[i] /= count;
        gradients[0].eg[i] /= count;
    }
}

static bool is_stopped(const Fit *f)
{
    return f->config->stop && atomic_load_explicit(f->config->stop, memory_order_relaxed);
}

static bool climb(Fit *f, FitCallback *callback, void *context, FitReport *report, Error *error)
{
    const FitConfig *c = f->config;
    Gradient *gradients = malloc((size_t)c->workers * sizeof *gradients);
    Adam *adam = calloc(2, sizeof *adam);
    int64_t start_ms = clock_ms();
    uint64_t batches = f->row_count / BATCH;
    int step = 0, steps = (int)batches * c->epochs;
    bool ok = gradients && adam;
    for (int epoch = 1; ok && epoch <= c->epochs && !is_stopped(f); epoch++) {
        double loss = 0;
        for (uint64_t b = 0; b < batches && !is_stopped(f); b++) {
            memset(gradients, 0, (size_t)c->workers * sizeof *gradients);
            BatchJob job = {f, b * BATCH, BATCH, gradients};
            parallel_for(BATCH / CHUNK, c->workers, batch_chunk, &job);
            gather(gradients, c->workers, BATCH);
            double rate = c->rate * 0.5 * (1 + cos(M_PI * step / steps));
            step++;
            adam_step(&adam[0], f->mg, f->start_mg, gradients[0].mg, rate, c->pull, step);
            adam_step(&adam[1], f->eg, f->start_eg, gradients[0].eg, rate, c->pull, step);
            loss += gradients[0].loss / BATCH;
        }
        report->epoch = epoch;
        report->loss = loss / (double)batches;
        report->held = mean_loss(f, f->held, f->held_count, f->scale);
        report->elapsed_ms = clock_ms() - start_ms;
        callback(context, report);
    }
    free(gradients);
    free(adam);
    return ok || error_set(error, "out of memory");
}

// Weights that no position touches stay as they are, also where both colours share one.
static void read_weights(Fit *f)
{
    const Weight(*start)[TERM_COUNT] = f->config->start;
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TERM_COUNT; t++) {
            Weight w = start ? start[c][t] : f->setup->weights[c][t];
            f->mg[c * TERM_COUNT + t] = f->start_mg[c * TERM_COUNT + t] = weight_mg(w);
            f->eg[c * TERM_COUNT + t] = f->start_eg[c * TERM_COUNT + t] = weight_eg(w);
        }
}

static void write_weights(const Fit *f, Weight weights[2][TERM_COUNT])
{
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TERM_COUNT; t++) {
            int from = f->sides_differ ? c * TERM_COUNT + t : t;
            weights[c][t] = WEIGHT((int)lround(f->mg[from]), (int)lround(f->eg[from]));
        }
}

bool fit_run(const FitConfig *config, Progress *progress, FitCallback *callback, void *context,
             Weight weights[2][TERM_COUNT], FitReport *report, Error *error)
{
    *report = (FitReport){0};
    Fit *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(error, "out of memory");
    f->config = config;
    bool ok = load(f, progress, error);
    if (ok) {
        read_weights(f);
        f->scale = best_scale(f);
        report->rules = f->rules;
        report->games = f->games;
        report->positions = f->row_count;
        report->held_out = f->held_count;
        report->entries = (double)f->entry_count / (double)(f->row_count + f->held_count);
        report->scale = f->scale;
        report->loss = report->loss_before = mean_loss(f, f->rows, f->row_count, f->scale);
        report->held = report->held_before = mean_loss(f, f->held, f->held_count, f->scale);
        callback(context, report);
        ok = climb(f, callback, context, report, error);
        write_weights(f, weights);
    }
    free(f->rows);
    free(f->held);
    free(f->entries);
    free(f);
    return ok;
}

void fit_write_weights(const Weight weights[TERM_COUNT], const char *comment, char *text,
                       size_t size)
{
    Str out;
    str_init(&out, text, size);
    str_format(&out, "// %s\n// clang-format off\n", comment);
    for (const HandTermInfo *info = HAND_TERM_INFO; info->name; info++) {
        str_format(&out, "// %s\n", info->name);
        for (int i = 0; i < info->count; i++) {
            Weight w = weights[info->first + i];
            bool ends = i % 8 == 7 || i + 1 == info->count;
            str_format(&out, "WEIGHT(%d, %d),%s", weight_mg(w), weight_eg(w), ends ? "\n" : " ");
        }
    }
    str_add(&out, "// clang-format on\n");
}
