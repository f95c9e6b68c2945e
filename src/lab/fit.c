// See fit.h. Positions are kept as sparse rows of counts; Adam steps over shuffled batches. What is
// summed over rows (a loss, a gradient) is a task whose chunks are pieces of work (base/spread.h);
// every process has all rows, and gets the weights with the task.
#include "lab/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/stop.h"
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
    double start_mg[PARAMETERS], start_eg[PARAMETERS]; // the weights as they were
    struct Task *task;    // what is being summed, with the weights as they are
    struct Gradient *sum; // what came of it
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

// The weights, as they are fitted.
typedef struct Model {
    double mg[PARAMETERS], eg[PARAMETERS];
    double scale;
} Model;

// What is to be summed over rows first .. first + count - 1, chunk by chunk.
typedef struct Task {
    bool wants_gradient, is_held;
    uint64_t first, count, chunk;
    Model model;
} Task;

// The result of a chunk: the loss alone, or all of it.
typedef struct Gradient {
    double loss;
    double mg[PARAMETERS], eg[PARAMETERS];
} Gradient;

static double row_value(const Fit *f, const Model *m, const Row *r)
{
    double mg = 0, eg = 0;
    const Entry *e = f->entries + r->first;
    for (int i = 0; i < r->entries; i++) {
        mg += e[i].count * m->mg[e[i].term];
        eg += e[i].count * m->eg[e[i].term];
    }
    return (mg * r->phase + eg * (PHASE_MAX - r->phase) * r->scale / SCALE_MAX) / PHASE_MAX +
           r->extra;
}

// Cross entropy of a target and a prediction in nats; `x` is the prediction's logit.
static double entropy(double target, double x)
{
    return (x > 0 ? log1p(exp(-x)) + (1 - target) * x : log1p(exp(x)) - target * x);
}

static void add_gradient(const Fit *f, const Row *r, double x, Gradient *g)
{
    double slope = 1 / (1 + exp(-x)) - r->target; // of the loss by the logit
    double by_mg = slope * r->phase / PHASE_MAX;
    double by_eg = slope * (PHASE_MAX - r->phase) * r->scale / SCALE_MAX / PHASE_MAX;
    const Entry *e = f->entries + r->first;
    for (int k = 0; k < r->entries; k++) {
        g->mg[e[k].term] += by_mg * e[k].count;
        g->eg[e[k].term] += by_eg * e[k].count;
    }
}

// A chunk of the task that all have in common.
static bool sum_chunk(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                      Error *error)
{
    (void)state;
    const Fit *f = context;
    const Task *task = (const Task *)(const void *)piece->common;
    size_t size = task->wants_gradient ? sizeof(Gradient) : sizeof(double);
    Gradient *g = bytes_extend(result, size);
    if (!g)
        return error_set(error, "out of memory");
    memset(g, 0, size);
    const Row *rows = (task->is_held ? f->held : f->rows) + task->first;
    uint64_t begin = piece->index * task->chunk, end = begin + task->chunk;
    for (uint64_t i = begin; i < end && i < task->count; i++) {
        double x = row_value(f, &task->model, &rows[i]) / task->model.scale;
        g->loss += entropy(rows[i].target, x);
        if (task->wants_gradient)
            add_gradient(f, &rows[i], x, g);
    }
    return true;
}

// Adds up what the chunks gave, in their order.
static bool add_chunk(void *context, uint64_t index, const uint8_t *result, size_t size,
                      Error *error)
{
    Fit *f = context;
    const Gradient *g = (const Gradient *)(const void *)result;
    if (size != (f->task->wants_gradient ? sizeof *g : sizeof(double)))
        return error_set(error, "chunk %llu came back damaged", (unsigned long long)index);
    f->sum->loss += g->loss;
    for (int i = 0; f->task->wants_gradient && i < PARAMETERS; i++) {
        f->sum->mg[i] += g->mg[i];
        f->sum->eg[i] += g->eg[i];
    }
    return true;
}

static SpreadWork work_of(Fit *f)
{
    return (SpreadWork){.context = f,
                        .threads = f->config->workers,
                        .work = sum_chunk,
                        .take = add_chunk,
                        .is_in_order = true,
                        .common = f->task,
                        .common_size = sizeof *f->task,
                        .stop = f->config->stop};
}

// Does f->task with the weights as they are; the sums are then in f->sum.
static bool do_task(Fit *f, Error *error)
{
    memset(f->sum, 0, sizeof *f->sum);
    SpreadWork work = work_of(f);
    work.count = (f->task->count + f->task->chunk - 1) / f->task->chunk;
    return spread_run(f->config->team, &work, error);
}

// The loss of a row on average.
static bool mean_loss(Fit *f, bool is_held, uint64_t count, double scale, double *loss,
                      Error *error)
{
    Model *m = &f->task->model;
    double old = m->scale;
    m->scale = scale;
    f->task->wants_gradient = false;
    f->task->is_held = is_held;
    f->task->first = 0;
    f->task->count = count;
    f->task->chunk = BATCH;
    bool ok = do_task(f, error);
    m->scale = old;
    *loss = f->sum->loss / (double)count;
    return ok;
}

// The slope at which the old weights explain the results best, by golden section.
static bool find_scale(Fit *f, Error *error)
{
    double low = 50, high = 800, ratio = 0.6180339887;
    uint64_t count = f->row_count < 200000 ? f->row_count : 200000;
    for (int i = 0; i < 24; i++) {
        double a = high - (high - low) * ratio, b = low + (high - low) * ratio, at_a, at_b;
        if (!mean_loss(f, false, count, a, &at_a, error) ||
            !mean_loss(f, false, count, b, &at_b, error))
            return false;
        if (at_a < at_b)
            high = b;
        else
            low = a;
    }
    f->task->model.scale = (low + high) / 2;
    return true;
}

// ---- The climb ----

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

static bool is_stopped(const Fit *f)
{
    return stop_is_set(f->config->stop);
}

// One step over the batch that begins at row `first`; adds to the loss.
static bool step_batch(Fit *f, Adam adam[2], uint64_t first, int step, int steps, double *loss,
                       Error *error)
{
    const FitConfig *c = f->config;
    Task *task = f->task;
    task->wants_gradient = true;
    task->is_held = false;
    task->first = first;
    task->count = BATCH;
    task->chunk = CHUNK;
    if (!do_task(f, error))
        return false;
    if (is_stopped(f))
        return true; // the sums are not whole
    for (int i = 0; i < PARAMETERS; i++) {
        f->sum->mg[i] /= BATCH;
        f->sum->eg[i] /= BATCH;
    }
    double rate = c->rate * 0.5 * (1 + cos(M_PI * (step - 1) / steps));
    adam_step(&adam[0], task->model.mg, f->start_mg, f->sum->mg, rate, c->pull, step);
    adam_step(&adam[1], task->model.eg, f->start_eg, f->sum->eg, rate, c->pull, step);
    *loss += f->sum->loss / BATCH;
    return true;
}

static bool climb(Fit *f, FitCallback *callback, void *context, FitReport *report, Error *error)
{
    const FitConfig *c = f->config;
    Adam *adam = calloc(2, sizeof *adam);
    int64_t start_ms = clock_ms();
    uint64_t batches = f->row_count / BATCH;
    int step = 0, steps = (int)batches * c->epochs;
    bool ok = adam || error_set(error, "out of memory");
    for (int epoch = 1; ok && epoch <= c->epochs && !is_stopped(f); epoch++) {
        double loss = 0;
        for (uint64_t b = 0; ok && b < batches && !is_stopped(f); b++)
            ok = step_batch(f, adam, b * BATCH, ++step, steps, &loss, error);
        if (!ok || is_stopped(f))
            break;
        report->epoch = epoch;
        report->loss = loss / (double)batches;
        ok = mean_loss(f, true, f->held_count, f->task->model.scale, &report->held, error);
        report->elapsed_ms = clock_ms() - start_ms;
        callback(context, report);
    }
    free(adam);
    return ok;
}

// Weights that no position touches stay as they are, also where both colours share one.
static void read_weights(Fit *f)
{
    Model *m = &f->task->model;
    const Weight(*start)[TERM_COUNT] = f->config->start;
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TERM_COUNT; t++) {
            Weight w = start ? start[c][t] : f->setup->weights[c][t];
            m->mg[c * TERM_COUNT + t] = f->start_mg[c * TERM_COUNT + t] = weight_mg(w);
            m->eg[c * TERM_COUNT + t] = f->start_eg[c * TERM_COUNT + t] = weight_eg(w);
        }
}

static void write_weights(const Fit *f, Weight weights[2][TERM_COUNT])
{
    const Model *m = &f->task->model;
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < TERM_COUNT; t++) {
            int from = f->sides_differ ? c * TERM_COUNT + t : t;
            weights[c][t] = WEIGHT((int)lround(m->mg[from]), (int)lround(m->eg[from]));
        }
}

// How the old weights do.
static bool begin_report(Fit *f, FitReport *report, Error *error)
{
    if (!find_scale(f, error))
        return false;
    report->rules = f->rules;
    report->games = f->games;
    report->positions = f->row_count;
    report->held_out = f->held_count;
    report->entries = (double)f->entry_count / (double)(f->row_count + f->held_count);
    report->scale = f->task->model.scale;
    bool ok = mean_loss(f, false, f->row_count, report->scale, &report->loss, error) &&
              mean_loss(f, true, f->held_count, report->scale, &report->held, error);
    report->loss_before = report->loss;
    report->held_before = report->held;
    return ok;
}

static bool fit(Fit *f, FitCallback *callback, void *context, Weight weights[2][TERM_COUNT],
                FitReport *report, Error *error)
{
    read_weights(f);
    if (!begin_report(f, report, error))
        return false;
    callback(context, report);
    bool ok = climb(f, callback, context, report, error);
    write_weights(f, weights);
    return ok;
}

bool fit_run(const FitConfig *config, Progress *progress, FitCallback *callback, void *context,
             Weight weights[2][TERM_COUNT], FitReport *report, Error *error)
{
    *report = (FitReport){0};
    Fit *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(error, "out of memory");
    f->config = config;
    f->task = calloc(1, sizeof *f->task);
    f->sum = calloc(1, sizeof *f->sum);
    bool ok =
        ((f->task && f->sum) || error_set(error, "out of memory")) && load(f, progress, error);
    if (ok && !spread_is_first(config->team)) {
        SpreadWork work = work_of(f);
        ok = spread_serve(config->team, &work, error);
    } else if (ok) {
        ok = fit(f, callback, context, weights, report, error);
    }
    free(f->rows);
    free(f->held);
    free(f->entries);
    free(f->task);
    free(f->sum);
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
