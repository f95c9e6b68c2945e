// `lovac tune`: the search's constants by games (lab/spsa.h), the evaluation's weights by results
// (lab/fit.h).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "lab/elo.h"
#include "lab/fit.h"
#include "lab/spsa.h"

const char help_tune[] =
    "Usage: lovac tune fit FILE ... [--to WEIGHTS.inc] [options]\n"
    "       lovac tune spsa STATE [options]\n"
    "\n"
    "fit: all weights of the hand-written evaluation, by logistic regression on the results of\n"
    "games that `lovac datagen` made, of any variant. Shows the loss in fitting and on games held\n"
    "out; the new weights go into src/engine/hand_weights.inc.\n"
    "  --to FILE           where the weights go (hand_weights.inc)\n"
    "  --positions N       at most so many, spread over all games (4000000)\n"
    "  --epochs N          (20)   --rate CP  first step of a weight (1)\n"
    "  --results SHARE     target: result against score of the search (0.7)\n"
    "  --threads N         (one for each processor)   --seed N  (1)\n"
    "\n"
    "spsa: the constants of the search, by pairs of games of a set moved at random against its\n"
    "mirror image. Needs `make CPPFLAGS=-DTUNE EXE=lovac-tune`. STATE is written all the time; the "
    "same\n"
    "command goes on. Play with the result by `lovac match \"lovac tunables=STATE\" ...`.\n"
    "  --pairs N           steps in all (20000)\n"
    "  --only NAMES        A,B,Reduction* (all)       --set NAME=VALUE,...  where to begin\n"
    "  --nodes N           a move (2000)              --variant NAME (chess)\n"
    "  --openings FILE     EPD or PGN (random ones)   --curve FILE  values over time, as CSV\n"
    "  --pull R --reach R  strength of a result (0.002), size of moves (0.05 of the range)\n"
    "  --lag N             pairs at a time (16): more than all threads need not be. The same\n"
    "                      values come out whoever plays, as long as this number is the same\n"
    "  --threads N --hash MB --seed N\n"
    "\n"
    "Under mpirun all processes work together, with the same result: mpirun --enable-recovery\n"
    "-n 4 lovac tune ...; --threads is for each process; one that dies gives its work to others.\n"
    "\n"
    "Example: lovac datagen a.games --games 50000 && lovac tune fit a.games\n";

typedef struct TuneArguments {
    const char *to, *only, *set, *variant, *openings, *curve;
    unsigned long long positions, seed, pairs, nodes;
    long long epochs, threads, hash, lag;
    double rate, results, pull, reach;
} TuneArguments;

// ---- Fit ----

static void show_fit(void *context, const FitReport *r)
{
    (void)context;
    if (!r->epoch) {
        printf("%s: %llu games, %llu positions to fit, %llu held out, %.1f weights a position\n",
               r->rules->title, (unsigned long long)r->games, (unsigned long long)r->positions,
               (unsigned long long)r->held_out, r->entries);
        printf("one nat is %.0f centipawns\n%6s %10s %10s %8s\n", r->scale, "epoch", "loss",
               "held out", "time");
    }
    printf("%6d %10.6f %10.6f %7.1fs\n", r->epoch, r->loss, r->held, (double)r->elapsed_ms / 1000);
    fflush(stdout);
}

// The weights of a side whose own differ go into a second file, NAME.black.
static bool write_weights(const char *path, const Weight weights[TERM_COUNT], const FitReport *r,
                          Error *error)
{
    char comment[160];
    char *text = malloc(FIT_TEXT_SIZE);
    if (!text)
        return error_set(error, "out of memory");
    snprintf(comment, sizeof comment,
             "The weights of %s, term by term as in HAND_TERMS; written by `lovac tune fit`.",
             r->rules->name);
    fit_write_weights(weights, comment, text, FIT_TEXT_SIZE);
    bool ok = file_write(path, text, strlen(text), error);
    free(text);
    return ok;
}

static bool run_fit(const TuneArguments *a, const Words *words, const LongRun *run, Error *error)
{
    FitConfig config = fit_default();
    config.paths = words->at + 1;
    config.path_count = words->count - 1;
    config.workers = (int)a->threads;
    config.positions_max = a->positions;
    config.epochs = (int)a->epochs;
    config.rate = a->rate;
    config.result_share = a->results;
    config.seed = a->seed;
    config.team = run->team;
    config.stop = run->stop;
    static const size_t SIZE = sizeof(Weight[2][TERM_COUNT]);
    Weight(*weights)[TERM_COUNT] = malloc(SIZE);
    FitReport report;
    Progress progress;
    uint64_t bytes = 0;
    progress_init(&progress, stderr, "reading", "bytes", bytes, PROGRESS_AUTO);
    bool ok = weights && fit_run(&config, &progress, show_fit, NULL, weights, &report, error);
    progress_end(&progress);
    if (!run->is_first) {
        free(weights);
        return ok;
    }
    ok = ok && write_weights(a->to, weights[WHITE], &report, error);
    if (ok && memcmp(weights[WHITE], weights[BLACK], sizeof weights[WHITE])) {
        char path[1024];
        snprintf(path, sizeof path, "%s.black", a->to);
        ok = write_weights(path, weights[BLACK], &report, error);
    }
    free(weights);
    if (ok)
        printf("loss on games held out: %.6f before, %.6f after; weights in %s\n",
               report.held_before, report.held, a->to);
    return ok;
}

// ---- SPSA ----

typedef struct SpsaDisplay {
    const LongRun *run;
    bool is_terminal;
    int lines;
    int64_t next_ms;
} SpsaDisplay;

static void show_spsa(void *context, const SpsaStatus *s)
{
    SpsaDisplay *d = context;
    bool is_last = s->done >= s->total || long_run_is_stopped(d->run);
    int64_t now = clock_ms();
    if (now < d->next_ms && !is_last)
        return;
    d->next_ms = now + (d->is_terminal ? 500 : 30000);
    if (d->is_terminal && d->lines)
        printf("\033[%dA\033[J", d->lines);
    double seconds = (double)s->elapsed_ms / 1000, here = (double)(s->done - s->resumed);
    double rate = seconds > 0 ? here / seconds : 0;
    printf("pair %llu of %llu, %.2f pairs/s, %.0f min left\n", (unsigned long long)s->done,
           (unsigned long long)s->total, rate,
           rate > 0 ? (double)(s->total - s->done) / rate / 60 : 0);
    d->lines = 1;
    for (int i = 0; i < s->count; i++) {
        const SpsaParameter *p = &s->parameters[i];
        printf("  %-24s %10.2f  from %10.2f  standard %6d  [%d, %d]\n", p->name, p->value, p->start,
               p->standard, p->low, p->high);
        d->lines++;
    }
    fflush(stdout);
}

static Openings *make_openings(const TuneArguments *a, const Rules *rules, Error *error)
{
    if (a->openings) {
        int refused;
        return openings_load(a->openings, rules, 0, true, a->seed, &refused, error);
    }
    OpeningRecipe recipe = opening_default_recipe();
    return openings_random(rules, &recipe, a->seed, error);
}

static bool run_spsa(const TuneArguments *a, const char *path, const LongRun *run, Error *error)
{
    SpsaConfig config = spsa_default();
    config.rules = setup_rules(a->variant, error);
    Openings *openings = config.rules ? make_openings(a, config.rules, error) : NULL;
    if (!openings)
        return false;
    config.path = path;
    config.curve_path = a->curve;
    config.only = a->only;
    config.set = a->set;
    config.openings = openings;
    config.limits.nodes = a->nodes;
    config.pairs = a->pairs;
    config.rate = a->pull;
    config.step_share = a->reach;
    config.seed = a->seed;
    config.workers = (int)a->threads;
    config.hash_mb = (int)a->hash;
    config.lag = (int)a->lag;
    config.team = run->team;
    config.stop = run->stop;
    SpsaDisplay display = {.run = run, .is_terminal = !run->team && isatty(STDOUT_FILENO)};
    bool ok = spsa_run(&config, show_spsa, &display, error);
    openings_free(openings);
    return ok;
}

static bool read_arguments(int argc, char **argv, TuneArguments *a, Words *words, Error *error)
{
    const Option options[] = {
        {.name = "to", .kind = OPTION_TEXT, .value = &a->to},
        {.name = "positions", .kind = OPTION_COUNT, .value = &a->positions},
        {.name = "epochs", .kind = OPTION_INT, .value = &a->epochs, .low = 1, .high = 100000},
        {.name = "rate", .kind = OPTION_REAL, .value = &a->rate, .low = 0, .high = 1000},
        {.name = "results", .kind = OPTION_REAL, .value = &a->results, .low = 0, .high = 1},
        OPTION_THREADS(&a->threads),
        OPTION_SEED(&a->seed),
        {.name = "pairs", .kind = OPTION_COUNT, .value = &a->pairs},
        {.name = "only", .kind = OPTION_TEXT, .value = &a->only},
        {.name = "set", .kind = OPTION_TEXT, .value = &a->set},
        OPTION_NODES(&a->nodes),
        OPTION_VARIANT(&a->variant),
        {.name = "openings", .kind = OPTION_TEXT, .value = &a->openings},
        {.name = "curve", .kind = OPTION_TEXT, .value = &a->curve},
        {.name = "pull", .kind = OPTION_REAL, .value = &a->pull, .low = 0, .high = 10},
        {.name = "reach", .kind = OPTION_REAL, .value = &a->reach, .low = 0, .high = 1},
        OPTION_HASH(&a->hash),
        {.name = "lag", .kind = OPTION_INT, .value = &a->lag, .low = 1, .high = SPSA_LAG_MAX},
        {0}};
    return options_read(argc, argv, options, words, error) &&
           (words->count >= 2 || error_set(error, "say fit or spsa, and a file"));
}

int cmd_tune(int argc, char **argv)
{
    LongRun run;
    Words words;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    FitConfig fit = fit_default();
    SpsaConfig spsa = spsa_default();
    TuneArguments a = {.to = "hand_weights.inc",
                       .variant = "chess",
                       .positions = fit.positions_max,
                       .seed = 1,
                       .pairs = spsa.pairs,
                       .nodes = spsa.limits.nodes,
                       .epochs = fit.epochs,
                       .threads = run.threads,
                       .hash = spsa.hash_mb,
                       .lag = spsa.lag,
                       .rate = fit.rate,
                       .results = fit.result_share,
                       .pull = spsa.rate,
                       .reach = spsa.step_share};
    if (!read_arguments(argc, argv, &a, &words, &error))
        return long_run_refuse(&run, &error);
    if (!strcmp(words.at[0], "fit"))
        return long_run_end(&run, run_fit(&a, &words, &run, &error), &error);
    if (!strcmp(words.at[0], "spsa"))
        return long_run_end(&run, run_spsa(&a, words.at[1], &run, &error), &error);
    error_set(&error, "fit or spsa, not '%s'", words.at[0]);
    return long_run_refuse(&run, &error);
}
