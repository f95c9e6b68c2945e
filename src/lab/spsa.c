// See spsa.h. The gains follow Spall: a / (A + k)^0.602 for the pull, c / k^0.101 for the moves.
// A step is a piece of work (base/spread.h): the moved sets go out, the points come back, in order.
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
                    .hash_mb = 4,
                    .lag = 16};
    c.limits.nodes = 2000;
    return c;
}

typedef struct Spsa {
    const SpsaConfig *config;
    SpsaParameter parameters[SPSA_PARAMETERS_MAX];
    SpsaStatus status;
    // Only in the first process, one call at a time:
    SpsaCallback *callback;
    void *context;
    double (*known)[SPSA_PARAMETERS_MAX]; // values after result r, at r % lag: what step r + lag
                                          // begins with
    int64_t start_ms, saved_ms;
    FILE *curve;
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
    s->status.resumed = s->status.done;
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

// One step: how each parameter is moved.
typedef struct Step {
    signed char sign[SPSA_PARAMETERS_MAX];
    double reach[SPSA_PARAMETERS_MAX];  // c_k
    int values[2][SPSA_PARAMETERS_MAX]; // upper and lower set
} Step;

typedef struct Worker {
    Player *players[2]; // upper, lower
    Engine *judge;
    MatchGame game;
} Worker;

static int round_randomly(double value, Random *random)
{
    double whole = floor(value);
    return (int)whole + (random_unit(random) < value - whole);
}

// The signs follow from the seed and the number alone; the values also from what was known.
static void make_step(const Spsa *s, uint64_t number, Step *step)
{
    Random random;
    random_init(&random, s->config->seed + number * 0x9e3779b97f4a7c15u);
    double k = (double)number + 1, n = (double)s->config->pairs;
    const double *known = s->known[number % (uint64_t)s->config->lag];
    for (int i = 0; i < s->status.count; i++) {
        const SpsaParameter *p = &s->parameters[i];
        step->sign[i] = random_next(&random) & 1 ? 1 : -1;
        step->reach[i] = p->step * pow(n / k, GAMMA);
        for (int side = 0; side < 2; side++) {
            double v = known[i] + (side ? -1 : 1) * step->sign[i] * step->reach[i];
            step->values[side][i] = round_randomly(fmin(p->high, fmax(p->low, v)), &random);
        }
    }
}

// The values that step `number + lag` will begin with.
static void remember(Spsa *s, uint64_t number)
{
    double *known = s->known[number % (uint64_t)s->config->lag];
    for (int i = 0; i < s->status.count; i++)
        known[i] = s->parameters[i].value;
}

static SpreadGift give_step(void *context, uint64_t number, Bytes *input)
{
    const Spsa *s = context;
    Step *step = bytes_extend(input, sizeof *step);
    if (!step)
        return SPREAD_END;
    memset(step, 0, sizeof *step);
    make_step(s, number, step);
    return SPREAD_PIECE;
}

// Moves the values by the result of a step.
static void learn(Spsa *s, uint64_t number, int points)
{
    Step step;
    make_step(s, number, &step); // its place in `known` is still as it was
    double k = (double)number + 1, n = (double)s->config->pairs, shift = STABILITY * n;
    double result = points - 2; // -2 .. 2
    for (int i = 0; i < s->status.count; i++) {
        SpsaParameter *p = &s->parameters[i];
        double a_end = s->config->rate * p->step * p->step;
        double a = a_end * pow((shift + n) / (shift + k), ALPHA);
        p->value += a / step.reach[i] * result * step.sign[i];
        p->value = fmin(p->high, fmax(p->low, p->value));
    }
}

static bool finish_step(void *context, uint64_t number, const uint8_t *result, size_t size,
                        Error *error)
{
    Spsa *s = context;
    if (size != 1 || *result > 4)
        return error_set(error, "pair %" PRIu64 " came back damaged", number);
    learn(s, number, *result);
    remember(s, number);
    s->status.done++;
    s->status.results[*result]++;
    s->status.elapsed_ms = clock_ms() - s->start_ms;
    write_curve(s);
    if (clock_ms() - s->saved_ms >= SAVE_EVERY_MS) {
        s->saved_ms = clock_ms();
        if (!save(s, error))
            return false;
    }
    s->callback(s->context, &s->status);
    return true;
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

static bool play_pair(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                      Error *error)
{
    const Spsa *s = context;
    Worker *w = state;
    Step step;
    uint8_t points = 0;
    const uint8_t *at = piece->input;
    Adjudication adjudication = adjudication_default();
    Opening opening;
    if (!bytes_take(&at, at + piece->input_size, &step, sizeof step))
        return error_set(error, "pair %" PRIu64 " arrived damaged", piece->index);
    if (!openings_get(s->config->openings, piece->index, w->judge, &opening, error))
        return false;
    for (int side = 0; side < 2; side++)
        set_values(s, w->players[side], step.values[side]);
    for (int game = 0; game < 2; game++) {
        Player *players[2] = {w->players[game], w->players[!game]};
        if (!match_game_play(&w->game, players, &opening, &adjudication, 50, piece->index,
                             piece->stop))
            return false;
        points += (uint8_t)upper_points(game_outcome(&w->game.game).result, game == 0);
    }
    return bytes_add(result, &points, 1) || error_set(error, "out of memory");
}

static void free_worker(void *context, void *state)
{
    (void)context;
    Worker *w = state;
    player_free(w->players[0]);
    player_free(w->players[1]);
    if (w->judge)
        engine_free(w->judge);
    match_game_release(&w->game);
    free(w);
}

static bool init_worker(Worker *w, const SpsaConfig *c, Error *error)
{
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

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    Worker *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(error, "out of memory"), NULL;
    if (!init_worker(w, ((const Spsa *)context)->config, error)) {
        free_worker(context, w);
        return NULL;
    }
    for (int i = 0; i < 2; i++)
        w->players[i]->stop = stop;
    return w;
}

// ---- All together ----

static bool tune(Spsa *s, const SpreadWork *work, Error *error)
{
    if (!restore(s, error) || !open_curve(s, error))
        return false;
    for (int i = 0; i < s->config->lag; i++)
        remember(s, (uint64_t)i); // nothing is known yet
    SpreadWork left = *work;
    left.first = s->status.done;
    return spread_run(s->config->team, &left, error) && save(s, error);
}

bool spsa_run(const SpsaConfig *config, SpsaCallback *callback, void *context, Error *error)
{
    if (!spsa_is_possible())
        return error_set(
            error,
            "this build has fixed constants; build with `make CPPFLAGS=-DTUNE EXE=lovac-tune`");
    if (config->lag < 1 || config->lag > SPSA_LAG_MAX)
        return error_set(error, "spsa: the lag must lie between 1 and %d", SPSA_LAG_MAX);
    Spsa *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, "out of memory");
    s->config = config;
    s->callback = callback;
    s->context = context;
    s->start_ms = s->saved_ms = clock_ms();
    s->status.parameters = s->parameters;
    s->status.total = config->pairs;
    s->known = calloc((size_t)config->lag, sizeof *s->known);
    SpreadWork work = {.context = s,
                       .threads = config->workers,
                       .make = make_worker,
                       .free = free_worker,
                       .work = play_pair,
                       .give = give_step,
                       .take = finish_step,
                       .count = config->pairs,
                       .is_in_order = true,
                       .window = (uint64_t)config->lag,
                       .stop = config->stop};
    bool ok = (s->known || error_set(error, "out of memory")) && choose_parameters(s, error) &&
              set_starts(s, error);
    bool is_first = spread_is_first(config->team);
    ok = ok && (is_first ? tune(s, &work, error) : spread_serve(config->team, &work, error));
    if (ok && is_first)
        callback(context, &s->status);
    if (s->curve)
        fclose(s->curve);
    free(s->known);
    free(s);
    return ok;
}
