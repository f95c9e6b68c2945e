// See spsa.h. The gains follow Spall: a / (A + k)^0.602 for the pull, c / k^0.101 for the moves.
#include "lab/spsa.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "base/thread.h"
#include "engine/tunables.h"
#include "play/match_game.h"

enum { STATE_SIZE = 1 << 16, SAVE_EVERY_MS = 5000, CURVE_EVERY = 50, GAME_PLIES_MAX = 800 };
static const double ALPHA = 0.602, GAMMA = 0.101, STABILITY = 0.1;

bool spsa_is_possible(void)
{
#ifdef TUNE
    return true;
#else
    return false;
#endif
}

SpsaConfig spsa_default(void)
{
    SpsaConfig c = {.rules = &VARIANTS[VARIANT_CHESS],
                    .limits = player_limits_none(),
                    .pairs = 20000,
                    .rate = 0.002,
                    .step_share = 0.05,
                    .seed = 1,
                    .workers = thread_cpu_count(),
                    .hash_mb = 4};
    c.limits.nodes = 2000;
    return c;
}

typedef struct Spsa {
    const SpsaConfig *config;
    SpsaCallback *callback;
    void *context;
    Mutex mutex;
    // under the mutex
    SpsaParameter parameters[SPSA_PARAMETERS_MAX];
    uint64_t next; // step to begin
    SpsaStatus status;
    int64_t start_ms, saved_ms;
    FILE *curve;
    bool has_failed;
    Error error;
} Spsa;

// ---- Which parameters ----

// Is the name in "A,B*,C"?
static bool is_listed(const char *list, const char *name)
{
    while (list && *list) {
        size_t n = strcspn(list, ",");
        bool is_prefix = n && list[n - 1] == '*';
        if (is_prefix ? !strncmp(list, name, n - 1) : strlen(name) == n && !strncmp(list, name, n))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static bool choose_parameters(Spsa *s, Error *error)
{
    for (const TunableInfo *t = TUNABLE_INFO; t->name; t++) {
        if (s->config->only ? !is_listed(s->config->only, t->name)
                            : t->greatest - t->least < 2) // switches are moved by name only
            continue;
        if (s->status.count == SPSA_PARAMETERS_MAX)
            return error_set(error, "more than %d parameters", SPSA_PARAMETERS_MAX);
        s->parameters[s->status.count++] =
            (SpsaParameter){.name = t->name,
                            .standard = t->value,
                            .low = t->least,
                            .high = t->greatest,
                            .start = t->value,
                            .value = t->value,
                            .step = fmax(0.5, (t->greatest - t->least) * s->config->step_share)};
    }
    return s->status.count || error_set(error, "no parameter is called '%s'", s->config->only);
}

static SpsaParameter *find_parameter(Spsa *s, const char *name, size_t length)
{
    for (int i = 0; i < s->status.count; i++)
        if (strlen(s->parameters[i].name) == length &&
            !strncmp(s->parameters[i].name, name, length))
            return &s->parameters[i];
    return NULL;
}

static bool set_starts(Spsa *s, Error *error)
{
    for (const char *at = s->config->set; at && *at;) {
        size_t n = strcspn(at, ","), name = strcspn(at, "=");
        SpsaParameter *p = name < n ? find_parameter(s, at, name) : NULL;
        if (!p)
            return error_set(error, "cannot set '%.*s'", (int)n, at);
        p->start = p->value = atof(at + name + 1);
        if (p->value < p->low || p->value > p->high)
            return error_set(error, "%s must lie between %d and %d", p->name, p->low, p->high);
        at += n + (at[n] == ',');
    }
    return true;
}

// ---- State on disk ----

static bool save(const Spsa *s, Error *error)
{
    char *text = malloc(STATE_SIZE);
    if (!text)
        return error_set(error, "out of memory");
    Str out;
    str_init(&out, text, STATE_SIZE);
    str_format(&out, "# lovac-spsa 1: %" PRIu64 " of %" PRIu64 " pairs, seed %" PRIu64 "\n",
               s->status.done, s->config->pairs, s->config->seed);
    for (int i = 0; i < s->status.count; i++) {
        const SpsaParameter *p = &s->parameters[i];
        str_format(&out, "%s=%.4f # from %.4f\n", p->name, p->value, p->start);
    }
    bool ok = file_write(s->config->path, text, out.length, error);
    free(text);
    return ok;
}

static bool restore(Spsa *s, Error *error)
{
    if (!file_exists(s->config->path))
        return true;
    char *text = file_read(s->config->path, STATE_SIZE, NULL, error);
    if (!text)
        return false;
    uint64_t seed;
    bool ok = sscanf(text, "# lovac-spsa 1: %" SCNu64 " of %*u pairs, seed %" SCNu64,
                     &s->status.done, &seed) == 2;
    int seen = 0;
    for (char *line = text; ok && *line;) {
        size_t n = strcspn(line, "\n"), name = strcspn(line, "=");
        SpsaParameter *p = name < n ? find_parameter(s, line, name) : NULL;
        if (p) {
            ok = sscanf(line + name + 1, "%lf # from %lf", &p->value, &p->start) == 2;
            seen++;
        }
        line += n + (line[n] == '\n');
    }
    ok = ok && seen == s->status.count && seed == s->config->seed;
    free(text);
    s->next = s->status.resumed = s->status.done;
    return ok || error_set(error, "%s: belongs to another tuning", s->config->path);
}

static void write_curve(Spsa *s)
{
    if (!s->curve || s->status.done % CURVE_EVERY)
        return;
    fprintf(s->curve, "%" PRIu64, s->status.done);
    for (int i = 0; i < s->status.count; i++)
        fprintf(s->curve, ",%.3f", s->parameters[i].value);
    fprintf(s->curve, "\n");
    fflush(s->curve);
}

static bool open_curve(Spsa *s, Error *error)
{
    const char *path = s->config->curve_path;
    if (!path)
        return true;
    bool is_new = !file_exists(path);
    s->curve = fopen(path, "a");
    if (!s->curve)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (is_new) {
        fprintf(s->curve, "pairs");
        for (int i = 0; i < s->status.count; i++)
            fprintf(s->curve, ",%s", s->parameters[i].name);
        fprintf(s->curve, "\n");
    }
    return true;
}

// ---- Games ----

// One step: how each parameter is moved, and what came of it.
typedef struct Step {
    uint64_t number; // from 0
    signed char sign[SPSA_PARAMETERS_MAX];
    double reach[SPSA_PARAMETERS_MAX];  // c_k
    int values[2][SPSA_PARAMETERS_MAX]; // upper and lower set
    int points;                         // of the upper set in both games, 0..4
} Step;

typedef struct Worker {
    Spsa *spsa;
    Thread thread;
    Player *players[2]; // upper, lower
    Engine *judge;
    MatchGame game;
    Step step;
} Worker;

static int round_randomly(double value, Random *random)
{
    double whole = floor(value);
    return (int)whole + (random_unit(random) < value - whole);
}

static bool take_step(Spsa *s, Step *step)
{
    mutex_lock(&s->mutex);
    bool stopped = s->config->stop && atomic_load_explicit(s->config->stop, memory_order_relaxed);
    bool ok = !stopped && !s->has_failed && s->next < s->config->pairs;
    if (ok) {
        step->number = s->next++;
        Random random;
        random_init(&random, s->config->seed + step->number * 0x9e3779b97f4a7c15u);
        double k = (double)step->number + 1, n = (double)s->config->pairs;
        for (int i = 0; i < s->status.count; i++) {
            const SpsaParameter *p = &s->parameters[i];
            step->sign[i] = random_next(&random) & 1 ? 1 : -1;
            step->reach[i] = p->step * pow(n / k, GAMMA);
            for (int side = 0; side < 2; side++) {
                double v = p->value + (side ? -1 : 1) * step->sign[i] * step->reach[i];
                step->values[side][i] = round_randomly(fmin(p->high, fmax(p->low, v)), &random);
            }
        }
    }
    mutex_unlock(&s->mutex);
    return ok;
}

static void finish_step(Spsa *s, const Step *step)
{
    mutex_lock(&s->mutex);
    double k = (double)step->number + 1, n = (double)s->config->pairs, shift = STABILITY * n;
    double result = step->points - 2; // -2 .. 2
    for (int i = 0; i < s->status.count; i++) {
        SpsaParameter *p = &s->parameters[i];
        double a_end = s->config->rate * p->step * p->step;
        double a = a_end * pow((shift + n) / (shift + k), ALPHA);
        p->value += a / step->reach[i] * result * step->sign[i];
        p->value = fmin(p->high, fmax(p->low, p->value));
    }
    s->status.done++;
    s->status.results[step->points]++;
    s->status.elapsed_ms = clock_ms() - s->start_ms;
    write_curve(s);
    if (clock_ms() - s->saved_ms >= SAVE_EVERY_MS) {
        s->saved_ms = clock_ms();
        if (!save(s, &s->error))
            s->has_failed = true;
    }
    s->callback(s->context, &s->status);
    mutex_unlock(&s->mutex);
}

static void set_values(const Spsa *s, Player *player, const int *values)
{
    Engine *engine = player_engine(player);
    for (int i = 0; i < s->status.count; i++) {
#ifdef TUNE
        engine_set_tunable(engine, s->parameters[i].name, values[i]);
#else
        (void)engine, (void)values;
#endif
    }
}

static int upper_points(Result result, bool upper_is_white)
{
    if (result == RESULT_DRAW)
        return 1;
    return (result == RESULT_WHITE) == upper_is_white ? 2 : 0;
}

// Plays the pair; false when stopped.
static bool play_pair(Worker *w, Error *error)
{
    const SpsaConfig *c = w->spsa->config;
    Adjudication adjudication = adjudication_default();
    Opening opening;
    if (!openings_get(c->openings, w->step.number, w->judge, &opening, error))
        return false;
    w->step.points = 0;
    for (int side = 0; side < 2; side++)
        set_values(w->spsa, w->players[side], w->step.values[side]);
    for (int game = 0; game < 2; game++) {
        Player *players[2] = {w->players[game], w->players[!game]};
        if (!match_game_play(&w->game, players, &opening, &adjudication, 50, w->step.number,
                             c->stop))
            return false;
        w->step.points += upper_points(game_outcome(&w->game.game).result, game == 0);
    }
    return true;
}

static void work(void *context)
{
    Worker *w = context;
    Error error = {""};
    while (take_step(w->spsa, &w->step)) {
        if (!play_pair(w, &error)) {
            if (*error.text) {
                mutex_lock(&w->spsa->mutex);
                w->spsa->error = error;
                w->spsa->has_failed = true;
                mutex_unlock(&w->spsa->mutex);
            }
            return;
        }
        finish_step(w->spsa, &w->step);
    }
}

static bool worker_init(Worker *w, Spsa *s, Error *error)
{
    const SpsaConfig *c = s->config;
    *w = (Worker){.spsa = s};
    PlayerSpec spec;
    char text[64];
    snprintf(text, sizeof text, "lovac hash=%d", c->hash_mb);
    if (!player_spec_parse(&spec, text, &c->limits, error))
        return false;
    for (int i = 0; i < 2; i++)
        if (!(w->players[i] = player_new(&spec, error)))
            return false;
    EngineOptions options = engine_default_options();
    options.hash_mb = 1;
    return (w->judge = engine_new(&options, error)) &&
           match_game_init(&w->game, GAME_PLIES_MAX, error);
}

static void worker_release(Worker *w)
{
    player_free(w->players[0]);
    player_free(w->players[1]);
    if (w->judge)
        engine_free(w->judge);
    match_game_release(&w->game);
}

static bool run_workers(Spsa *s, Error *error)
{
    int count = s->config->workers, made = 0, started = 0;
    Worker *workers = calloc((size_t)count, sizeof *workers);
    if (!workers)
        return error_set(error, "out of memory");
    bool ok = true;
    while (ok && made < count)
        ok = worker_init(&workers[made++], s, error);
    while (ok && started < count &&
           thread_start(&workers[started].thread, work, &workers[started], error))
        started++;
    for (int i = 0; i < started; i++)
        thread_join(&workers[i].thread);
    for (int i = 0; i < made; i++)
        worker_release(&workers[i]);
    free(workers);
    if (ok && s->has_failed)
        return error_set(error, "%s", s->error.text);
    return ok && started;
}

bool spsa_run(const SpsaConfig *config, SpsaCallback *callback, void *context, Error *error)
{
    if (!spsa_is_possible())
        return error_set(
            error,
            "this build has fixed constants; build with `make CPPFLAGS=-DTUNE EXE=lovac-tune`");
    Spsa *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, "out of memory");
    s->config = config;
    s->callback = callback;
    s->context = context;
    s->start_ms = s->saved_ms = clock_ms();
    s->status.parameters = s->parameters;
    s->status.total = config->pairs;
    mutex_init(&s->mutex);
    bool ok = choose_parameters(s, error) && set_starts(s, error) && restore(s, error) &&
              open_curve(s, error) && run_workers(s, error) && save(s, error);
    if (ok)
        callback(context, &s->status);
    if (s->curve)
        fclose(s->curve);
    mutex_release(&s->mutex);
    free(s);
    return ok;
}
