// `lovac datagen`: self-play into a file of games. The work is lab/datagen.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/setup.h"
#include "app/version.h"
#include "base/progress.h"
#include "lab/datagen.h"

const char help_datagen[] =
    "Usage: lovac datagen FILE [options]\n"
    "\n"
    "Plays Lovac against itself at a fixed number of nodes and writes the games, with the score\n"
    "of every position, for training and fitting. The same command goes on with a file that is\n"
    "there; with the same seed the same games come out, whatever was killed in between.\n"
    "\n"
    "  --games N           in the whole file (1000)\n"
    "  --positions N       stop after about so many kept positions of this run\n"
    "  --nodes N           for every move (1000)\n"
    "  --every N           only one move in N of each game has these nodes and is kept to learn\n"
    "                      from, the others are quick: more games, fewer positions of each (1)\n"
    "  --quick N           nodes for those others (150)\n"
    "  --variant NAME      the game (chess)\n"
    "  --seed N            (1)\n"
    "  --threads N         in each process (one for each processor)\n"
    "  --hash MB           for each thread (2)\n"
    "  --net FILE          evaluation network (the built-in one; none: hand-written)\n"
    "  --plies MIN,MAX     random half-moves at the start (8,9)\n"
    "  --balance CP        openings beyond are refused (400; 0 for any)\n"
    "  --part I/N          plays only every N-th game, into FILE.I: for several machines\n"
    "  --quiet             no progress bar\n"
    "\n"
    "Under mpirun all processes make one file together, the same as on threads: mpirun\n"
    "--enable-recovery -n 4 lovac datagen chess.games; one that dies gives its games to the "
    "others.\n"
    "Parts made on machines that do not know each other are put together by `lovac data merge`.\n"
    "\n"
    "Example: lovac datagen chess.games --games 50000 --nodes 1000\n"
    "         lovac data check chess.games\n";

typedef struct DatagenDisplay {
    Progress progress;
    bool by_positions;
} DatagenDisplay;

static void show(void *context, const DatagenStatus *status)
{
    DatagenDisplay *d = context;
    progress_set(&d->progress, d->by_positions ? status->kept : status->games);
}

static void print_summary(const DatagenStatus *s)
{
    double seconds = (double)s->elapsed_ms / 1000;
    if (s->resumed_games)
        printf("%llu games were there\n", (unsigned long long)s->resumed_games);
    printf("%llu games, %llu half-moves, %llu kept positions in %.1f s\n",
           (unsigned long long)s->games, (unsigned long long)s->plies, (unsigned long long)s->kept,
           seconds);
    if (!s->games || seconds <= 0)
        return;
    printf("%.0f kept positions/s, %.0f half-moves/s, %.2f bytes a half-move\n",
           (double)s->kept / seconds, (double)s->plies / seconds,
           (double)s->bytes / (double)s->plies);
    printf("White won %llu, drawn %llu, Black won %llu\n",
           (unsigned long long)s->results[RESULT_WHITE],
           (unsigned long long)s->results[RESULT_DRAW],
           (unsigned long long)s->results[RESULT_BLACK]);
}

static bool read_plies(const char *text, OpeningRecipe *recipe, Error *error)
{
    int low, high;
    char rest;
    int n = sscanf(text, "%d,%d%c", &low, &high, &rest);
    if (n == 1)
        high = low;
    if (n < 1 || n > 2 || low < 0 || high < low || high > OPENING_PLIES_MAX)
        return error_set(error, "--plies: expected MIN,MAX, not '%s'", text);
    recipe->plies_min = low;
    recipe->plies_max = high;
    return true;
}

static bool read_part(const char *text, DatagenConfig *config, Error *error)
{
    char rest;
    bool ok = sscanf(text, "%d/%d%c", &config->part, &config->parts, &rest) == 2 &&
              config->part >= 1 && config->part <= config->parts;
    config->part--;
    return ok || error_set(error, "--part: expected I/N with I from 1 to N, not '%s'", text);
}

static int run_datagen(const DatagenConfig *config, bool is_quiet, LongRun *run)
{
    Error error;
    DatagenStatus status;
    DatagenDisplay display = {.by_positions = config->positions};
    uint64_t parts = config->parts > 1 ? (uint64_t)config->parts : 1;
    uint64_t total = config->positions ? config->positions : config->games / parts;
    progress_init(&display.progress, stderr, "datagen", config->positions ? "positions" : "games",
                  total, is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    bool ok = datagen_run(config, show, &display, &status, &error);
    progress_end(&display.progress);
    if (ok && config->parts > 1)
        printf("%s, part %d of %d:\n", config->path, config->part + 1, config->parts);
    if (ok)
        print_summary(&status);
    return long_run_end(run, ok, &error);
}

int cmd_datagen(int argc, char **argv)
{
    LongRun run;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    DatagenConfig config = datagen_default();
    unsigned long long games = 1000, positions = 0, nodes = config.nodes, seed = config.seed,
                       quick = config.quick_nodes;
    long long threads = run.threads, hash = config.hash_mb, balance = config.recipe.score_max,
              every = 1;
    const char *variant = "chess", *plies = NULL, *net = "", *part = NULL;
    bool is_quiet = false, has_games = false;
    char path[4096];
    const Option options[] = {
        {.name = "games", .kind = OPTION_COUNT, .value = &games, .is_given = &has_games},
        {.name = "positions", .kind = OPTION_COUNT, .value = &positions},
        OPTION_NODES(&nodes),
        {.name = "every", .kind = OPTION_INT, .value = &every, .low = 1, .high = DATA_EVERY_MAX},
        {.name = "quick", .kind = OPTION_COUNT, .value = &quick},
        OPTION_VARIANT(&variant),
        OPTION_SEED(&seed),
        OPTION_THREADS(&threads),
        OPTION_HASH(&hash),
        {.name = "net", .kind = OPTION_TEXT, .value = &net},
        {.name = "plies", .kind = OPTION_TEXT, .value = &plies},
        {.name = "balance", .kind = OPTION_INT, .value = &balance, .low = 0, .high = 10000},
        {.name = "part", .kind = OPTION_TEXT, .value = &part},
        OPTION_QUIET(&is_quiet),
        {0}};
    Words words;
    bool ok = options_read(argc, argv, options, &words, &error) &&
              (words.count == 1 || error_set(&error, "one file is needed")) &&
              (games || error_set(&error, "--games 0: there is nothing to do")) &&
              (config.rules = setup_rules(variant, &error)) &&
              (!plies || read_plies(plies, &config.recipe, &error)) &&
              (!part || read_part(part, &config, &error));
    if (!ok)
        return long_run_refuse(&run, &error);
    int parts = config.parts > 1 ? config.parts : 1;
    snprintf(path, sizeof path, parts > 1 ? "%s.%d" : "%s", words.at[0], config.part + 1);
    config.path = path;
    config.games = positions && !has_games ? 0 : games;
    config.positions = (positions + (unsigned)parts - 1) / (unsigned)parts;
    config.nodes = nodes;
    config.every = (int)every;
    config.quick_nodes = quick;
    config.seed = seed;
    config.workers = (int)threads;
    config.hash_mb = (int)hash;
    config.recipe.score_max = (int)balance;
    config.net = net;
    config.engine_name = "Lovac " LOVAC_VERSION;
    config.team = run.team;
    config.stop = run.stop;
    return run_datagen(&config, is_quiet || config.part > 0 || !run.is_first, &run);
}
