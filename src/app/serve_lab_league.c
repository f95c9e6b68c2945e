// "League": networks bred as document K does (lab/league.h), with a live table, the champion of
// every generation to play against, and its network as a picture.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/serve_lab.h"
#include "base/file.h"
#include "base/thread.h"
#include "lab/brain/brain_draw.h"
#include "lab/league.h"
#include "server/runner.h"

enum { TABLE_POPULATIONS, TABLE_GENERATIONS, GENERATIONS_MOST = 1000, POPULATIONS_MOST = 16 };

static int chosen(const ChoiceValue *values, const char *key)
{
    return (int)choice_value(&LAB_LEAGUE, values, key)->number;
}

// ---- What is shown ----

typedef struct Show {
    Run *run;
    const LeagueConfig *config;
    int shown; // generations
} Show;

static void show_populations(const Show *s, const LeagueStatus *status)
{
    const int frozen_every = s->config->freeze_every;
    for (int p = 0; p < status->populations; p++) {
        const int played = status->done < status->generations ? status->done : status->generations;
        const int bred = frozen_every && p * frozen_every < played ? p * frozen_every : played;
        Cell cells[5] = {cell_count((uint64_t)p + 1), cell_count((uint64_t)bred),
                         cell_real(status->points[p]), cell_real(status->ratings[p]),
                         cell_real(status->fitness[p])};
        run_row(s->run, TABLE_POPULATIONS, p, cells, 5);
    }
}

// A row for each generation; the final tournament takes the place of the last one.
static void show_generation(const Show *s, const LeagueStatus *status)
{
    const int generation = status->done < status->generations ? status->done : status->generations;
    const int champion = status->champion;
    double best = status->fitness[0];
    for (int p = 1; p < status->populations; p++)
        best = status->fitness[p] > best ? status->fitness[p] : best;
    Cell cells[8] = {cell_count((uint64_t)generation),    cell_count((uint64_t)champion + 1),
                     cell_real(status->points[champion]), cell_real(status->ratings[champion]),
                     cell_real(status->ratings[0]),       cell_real(best),
                     cell_real(status->mean_fitness),     cell_count(status->row_games)};
    run_row(s->run, TABLE_GENERATIONS, generation - 1, cells, 8);
}

// Populations that are bred no longer play less: what is left is reckoned in games.
static double games_of(const LeagueConfig *c, int from, int to)
{
    double sum = 0;
    for (int g = from; g <= to; g++)
        for (int p = 0; p < c->populations; p++)
            sum += league_is_bred(c, p, g) ? c->individuals : 1;
    return sum;
}

static void show(void *context, const LeagueStatus *status)
{
    Show *s = context;
    if (status->done != s->shown) {
        s->shown = status->done;
        show_populations(s, status);
        show_generation(s, status);
    }
    if (status->is_old)
        return;
    const LeagueConfig *c = s->config;
    const double within = status->games ? (double)status->games_done / (double)status->games : 0;
    const double all = games_of(c, 1, c->generations),
                 done = games_of(c, 1, status->done) +
                        within * games_of(c, status->done + 1, status->done + 1),
                 now = done - games_of(c, 1, status->resumed);
    run_progress(s->run, all > 0 ? done / all : 0,
                 now > 0 ? (int64_t)((double)status->elapsed_ms * (all - done) / now) : -1);
}

// ---- The work ----

static LeagueConfig configure(const ChoiceValue *values, Run *run)
{
    LeagueConfig c = league_default();
    c.folder = run_folder(run);
    c.populations = chosen(values, "populations");
    c.individuals = chosen(values, "individuals");
    c.generations = chosen(values, "generations");
    c.freeze_every = chosen(values, "freeze");
    c.style.how.normal = chosen(values, "depth");
    c.style.how.deep = 2 * c.style.how.normal;
    c.style.how.proper_ends = chosen(values, "ends");
    c.shape.middle = c.mutation.middle_max = chosen(values, "middle");
    c.starts_random = chosen(values, "random");
    c.seed = (uint64_t)chosen(values, "chance");
    c.workers = thread_cpu_count();
    c.stop = run_stop(run);
    return c;
}

// How the champions play, for player_list.h.
static bool write_player(const LeagueConfig *c, Error *error)
{
    const TwoDepth *how = &c->style.how;
    char path[LEAGUE_PATH_SIZE], text[160];
    int length =
        snprintf(text, sizeof text, "network depth=%d deep=%d factor=%g ends=%d sort=1 file=\n",
                 how->normal, how->deep, (double)how->factor, how->proper_ends);
    snprintf(path, sizeof path, "%s/" LEAGUE_PLAYER_FILE, c->folder);
    return file_make_folder(c->folder, error) && file_write(path, text, (size_t)length, error);
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context;
    const LeagueConfig config = configure(values, run);
    Show s = {.run = run, .config = &config};
    LeagueStatus status;
    if (!config.folder)
        return error_set(error, "a league needs a folder to keep its champions in");
    return write_player(&config, error) && league_run(&config, show, &s, &status, error);
}

static char *draw(const char *folder, int row, Error *error)
{
    char path[LEAGUE_PATH_SIZE];
    Bytes svg = {0};
    snprintf(path, sizeof path, "%.900s/champion-%03d.dna", folder, row + 1);
    if (file_exists(path) && brain_draw_file(path, &svg, error) && bytes_add(&svg, "", 1))
        return (char *)svg.at;
    bytes_release(&svg);
    return NULL;
}

#define NUMBER(KEY, TITLE, LOW, HIGH, USUAL)                                                       \
    {                                                                                              \
        .key = KEY, .title = TITLE, .kind = CHOICE_NUMBER, .low = LOW, .high = HIGH,               \
        .usual = USUAL                                                                             \
    }

const Experiment LAB_LEAGUE = {
    .key = "league",
    .title = "League of networks",
    .text = "Networks that help a minimax player, bred in populations: everybody plays the "
            "champions of the others, and changed children of the best take the next places.",
    .choices = {NUMBER("populations", "Populations", 2, POPULATIONS_MOST, 10),
                NUMBER("individuals", "Individuals of each", 1, 16, 6),
                NUMBER("generations", "Generations", 1, GENERATIONS_MOST, 90),
                NUMBER("freeze", "Freeze one population after so many generations (0: none)", 0,
                       GENERATIONS_MOST, 10),
                NUMBER("depth", "Depth", 1, 4, 2),
                NUMBER("middle", "Nodes in the middle of a network", 1, 100, 40),
                {.key = "random", .title = "Begin with random networks", .kind = CHOICE_SWITCH},
                {.key = "ends", .title = "See mate and stalemate", .kind = CHOICE_SWITCH},
                NUMBER("chance", "Random numbers", 1, 1000000, 1)},
    .tables = {[TABLE_POPULATIONS] = {.key = "league_populations",
                                      .title = "Populations",
                                      .columns = {{"population", "Population", COLUMN_COUNT, false},
                                                  {"bred", "Bred for", COLUMN_COUNT, false},
                                                  {"points", "Points", COLUMN_REAL, false},
                                                  {"rating", "Rating", COLUMN_REAL, false},
                                                  {"fitness", "Fitness", COLUMN_REAL, false}}},
               [TABLE_GENERATIONS] =
                   {.key = "league_generations",
                    .title = "Champions of the generations",
                    .columns = {{"generation", "Generation", COLUMN_COUNT, false},
                                {"population", "Population", COLUMN_COUNT, false},
                                {"points", "Points", COLUMN_REAL, false},
                                {"rating", "Rating", COLUMN_REAL, false},
                                {"rating_first", "Rating of population 1", COLUMN_REAL, false},
                                {"fitness", "Fitness", COLUMN_REAL, false},
                                {"fitness_mean", "Mean fitness", COLUMN_REAL, false},
                                {"games", "Games", COLUMN_COUNT, false}},
                    .has_players = true}},
    .charts = {{.key = "league_points",
                .title = "Points of the champions by population",
                .table = "league_populations",
                .x = "population",
                .series = {{"points", NULL, NULL}},
                .has_bars = true},
               {.key = "league_ratings",
                .title = "Rating by generation: champion, population 1",
                .table = "league_generations",
                .x = "generation",
                .series = {{"rating", NULL, NULL}, {"rating_first", NULL, NULL}}},
               {.key = "league_fitness",
                .title = "Fitness by generation",
                .table = "league_generations",
                .x = "generation",
                .series = {{"fitness", NULL, NULL}, {"fitness_mean", NULL, NULL}}}},
    .sources =
        "K (2021): 10 populations of 6, 450 generations, frozen every 50, depth 2/4, five "
        "hours; points of its champions at the end: 4, 9, 4.5, 10, 12.5, 11.5, 4, 13, 9.5, 12.",
    .work = work,
    .draw = draw,
};
