// Document K: its genetic league, generation by generation, and the final points of the ten
// champions, beside the published ones. The league itself is lab/league.h, and `lovac evolve` runs
// it with other settings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "lab/experiments/rows.h"
#include "lab/league_table.h"

enum {
    TABLE_FINAL,
    TABLE_GENERATIONS,
    TABLE_DEPTHS,
    K_POPULATIONS = 10,
    QUICK_POPULATIONS = 4,
    QUICK_INDIVIDUALS = 2,
    QUICK_GENERATIONS = 6,
    QUICK_FREEZE = 2,
    QUICK_DEPTHS = 1,
    QUICK_PAIRS = 2,
    CSV_SIZE = 1 << 22
};

static const double K_FINAL[K_POPULATIONS] = {4, 9, 4.5, 10, 12.5, 11.5, 4, 13, 9.5, 12};

// Points of the champions after single generations, as the document prints them.
static const struct {
    int generation;
    const char *points;
} K_GENERATIONS[] = {
    {1, "9/9/9/9/9/9/9/9/9/9"},
    {3, "7/7/7/11/7/12/7/12.5/7/12.5"},
    {4, "6/9/12/7.5/12/10/6/11.5/6/10"},
    {5, "6/9/12/7.5/12/10/6.5/11/6/10"},
    {6, "6/9.5/10.5/7.5/12.5/9/6.5/12.5/6.5/9.5"},
    {7, "6/10/10.5/7.5/12.5/9/6.5/13/6.5/8.5"},
    {8, "6/10/10/7.5/12/9.5/6.5/13.5/6.5/8.5"},
    {9, "6/9.5/9.5/7.5/12.5/10.5/6.5/14/6.5/7.5"},
    {12, "5.5/9/9.5/7/12.5/10/9/14/6/7.5"},
    {18, "5/8.5/11.5/6.5/13/10/9/14/5/7.5"},
    {20, "5/8/9.5/8/13/9/9/13.5/7.5/7.5"},
    {21, "5/8.5/10.5/7.5/13/9/8.5/13.5/5/9.5"},
    {22, "5/8.5/10.5/7.5/13/9/8.5/13/5.5/9.5"},
    {23, "5/8/10/7.5/12.5/9/8.5/12.5/7.5/9.5"},
    {24, "5/8/10/7/12.5/8.5/8.5/12/7.5/11"},
    {26, "4/11/8/6/12.5/8.5/8.5/12/7/12.5"},
    {28, "4/11/8/5.5/13/9/10.5/10.5/6/12.5"},
    {29, "4/12/9/5/12.5/9.5/10/12/4/12"},
    {30, "4/12/9/5/12.5/9.5/10/12.5/4.5/11"},
};

enum { GENERATION_ROWS = sizeof K_GENERATIONS / sizeof *K_GENERATIONS };

// Table 1: points of two against the first population, which never changed.
static const double K_DEPTHS[LEAGUE_DEPTHS][K_POPULATIONS - 1] = {
    {1, 1, 0.5, 0, 1, 1, 2, 1, 0.5},
    {2, 1.5, 1.5, 2, 1.5, 1, 1.5, 1, 1.5},
    {1, 1.5, 1, 0, 0.5, 1, 1.5, 0.5, 0.5},
    {0.5, 1, 0.5, 1, 1, 1, 0, 0, 1}};

// ---- The league ----

typedef struct League {
    char folder[LEAGUE_PATH_SIZE];
    bool is_temporary;
    LeagueStatus status;
    char *csv; // league.csv as it is at the end
    bool has_table;
    LeagueTable table;
} League;

static LeagueConfig config_of(const LabSettings *s, const char *folder)
{
    LeagueConfig c = league_default();
    if (s->is_quick) {
        c.populations = QUICK_POPULATIONS;
        c.individuals = QUICK_INDIVIDUALS;
        c.generations = QUICK_GENERATIONS;
        c.freeze_every = QUICK_FREEZE;
        c.style.how.normal = 1;
        c.style.how.deep = 2;
    }
    c.folder = folder;
    c.seed = s->seed;
    c.workers = s->threads;
    c.stop = s->stop;
    return c;
}

// Where the league lies: it goes on where it was, unless nobody keeps it.
static bool choose_folder(const LabSettings *s, League *league, Error *error)
{
    if (s->folder) {
        snprintf(league->folder, sizeof league->folder, "%s/k-league-%s-%llu", s->folder,
                 s->is_quick ? "quick" : "full", (unsigned long long)s->seed);
        return true;
    }
    league->is_temporary = true;
    snprintf(league->folder, sizeof league->folder, "/tmp/lovac-league-%016llx",
             (unsigned long long)random_fresh_seed());
    return file_make_folder(league->folder, error);
}

static void release(void *memory)
{
    League *league = memory;
    if (league->is_temporary)
        file_delete_folder(league->folder);
    free(league->csv);
    free(league);
}

static void hear(void *context, const LeagueStatus *s)
{
    double part = s->games ? (double)s->games_done / (double)s->games : 0;
    lab_run_progress(context, (s->generation - 1 + part) / (s->generations + 1));
}

// Plays the league, or what is left of it.
static bool play(LabRun *run, League *league, Error *error)
{
    LeagueConfig config = config_of(&run->settings, league->folder);
    char path[LEAGUE_PATH_SIZE + 16];
    if (!league_run(&config, hear, run, &league->status, error))
        return false;
    if (lab_run_is_stopped(run))
        return true;
    snprintf(path, sizeof path, "%s/league.csv", league->folder);
    league->csv = file_read(path, CSV_SIZE, NULL, error);
    return league->csv;
}

static bool open_league(LabRun *run, Error *error)
{
    if (run->memory)
        return true;
    League *league = calloc(1, sizeof *league);
    if (!league)
        return error_set(error, "out of memory");
    if (choose_folder(&run->settings, league, error) && play(run, league, error)) {
        run->memory = league;
        return true;
    }
    release(league);
    return false;
}

// ---- Table 1 ----

static void hear_table(void *context, const LeagueTable *table)
{
    lab_run_progress(context, table->games ? (double)table->done / (double)table->games : 0);
}

static bool open_table(LabRun *run, Error *error)
{
    League *league = run->memory;
    LeagueTableConfig config = league_table_default();
    LeagueConfig bred = config_of(&run->settings, league->folder);
    if (league->has_table)
        return true;
    config.folder = league->folder;
    config.style = bred.style;
    config.plies_max = bred.plies_max;
    config.seed = run->settings.seed;
    config.workers = run->settings.threads;
    config.stop = run->settings.stop;
    if (run->settings.is_quick) {
        config.depths = QUICK_DEPTHS;
        config.pairs[0] = QUICK_PAIRS;
    }
    league->has_table = league_table_run(&config, hear_table, run, &league->table, error);
    return league->has_table;
}

// What all champions together have: points, Elo and its error from openings, and in how many games.
#define SUM_FORMAT  "%g; Elo %+.1f ± %.1f, %.0f games"
#define SUM_PATTERN "%lf; Elo %lf ± %lf, %lf games"

// A row of ours, with the games from openings, or one of the document's.
static void fill_depth(const LabRun *run, int row, LabCell *cells)
{
    const LeagueTable *t = &((const League *)run->memory)->table;
    int depth = run->settings.is_quick ? row : row / 2;
    bool is_own = run->settings.is_quick || row % 2 == 0;
    double sum = 0;
    cells[0] = lab_format("%d/%d", depth + 1, 2 * depth + 2);
    cells[1] = lab_text(is_own ? "Lovac" : "K");
    for (int p = 1; p < K_POPULATIONS && (!is_own || p < t->populations); p++) {
        double points = is_own ? t->cells[depth][p].plain : K_DEPTHS[depth][p - 1];
        cells[1 + p] = lab_real(points);
        sum += points;
    }
    const PairCounts *pairs = &t->totals[depth].pairs;
    uint64_t games = 0;
    for (int i = 0; i < 5; i++)
        games += 2 * pairs->n[i];
    EloEstimate all = elo_from_pairs(pairs);
    cells[11] = is_own ? lab_format(SUM_FORMAT, sum, all.elo, all.error, (double)games)
                       : lab_format("%g", sum);
}

// ---- Rows ----

static int row_count(const LabSettings *settings, int table)
{
    if (table == TABLE_GENERATIONS)
        return settings->is_quick ? 4 : GENERATION_ROWS; // those that there are
    if (table == TABLE_DEPTHS)
        return settings->is_quick ? QUICK_DEPTHS : 2 * LEAGUE_DEPTHS;
    return settings->is_quick ? QUICK_POPULATIONS : K_POPULATIONS;
}

static void fill_final(const LabRun *run, int population, LabCell *cells)
{
    const League *league = run->memory;
    LeagueConfig config = config_of(&run->settings, league->folder);
    int frozen = config.freeze_every * population;
    cells[0] = lab_count((uint64_t)population + 1);
    cells[1] = lab_count((uint64_t)(frozen < config.generations ? frozen : config.generations));
    cells[2] = lab_real(league->status.points[population]);
    cells[3] = lab_real(league->status.ratings[population]);
    if (!run->settings.is_quick)
        cells[4] = lab_real(K_FINAL[population]);
}

// The points of a generation from the league's CSV: generation,games,points1,...
static bool read_points(const League *league, int generation, char *text, size_t size)
{
    char start[24];
    Str out;
    str_init(&out, text, size);
    snprintf(start, sizeof start, "\n%d,", generation);
    const char *line = strstr(league->csv, start);
    line = line ? strchr(line + strlen(start), ',') : NULL;
    for (int p = 0; line && p < league->status.populations; p++) {
        str_format(&out, "%s%g", p ? "/" : "", strtod(line + 1, NULL));
        line = strchr(line + 1, ',');
    }
    return out.length > 0;
}

static void fill_generation(const LabRun *run, int row, LabCell *cells)
{
    char text[LAB_TEXT_SIZE];
    int generation = K_GENERATIONS[row].generation;
    cells[0] = lab_count((uint64_t)generation);
    if (read_points(run->memory, generation, text, sizeof text))
        cells[1] = lab_text(text);
    if (!run->settings.is_quick)
        cells[2] = lab_text(K_GENERATIONS[row].points);
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    if (!open_league(run, error))
        return false;
    if (lab_run_is_stopped(run))
        return true;
    if (table == TABLE_DEPTHS && !open_table(run, error))
        return false;
    if (lab_run_is_stopped(run))
        return true;
    if (table == TABLE_FINAL)
        fill_final(run, row, cells);
    else if (table == TABLE_GENERATIONS)
        fill_generation(run, row, cells);
    else
        fill_depth(run, row, cells);
    return true;
}

// ---- What it shows ----

// Is what was learned at the trained depth, and at the others, beyond its error?
static void tell_depths(const LabRun *run, Str *out)
{
    for (int depth = 0; depth < LEAGUE_DEPTHS; depth++) {
        double sum, elo, error, games;
        const char *text = lab_run_cell(run, TABLE_DEPTHS, 2 * depth, "k_sum")->text;
        if (sscanf(text, SUM_PATTERN, &sum, &elo, &error, &games) != 4)
            continue;
        str_format(out, "%s%d/%d%s: %+.1f ± %.1f Elo (%.0f games), %s", depth ? "; " : "",
                   depth + 1, 2 * depth + 2, depth == 1 ? ", the trained depth" : "", elo, error,
                   games,
                   elo > error    ? "a gain beyond its error"
                   : elo < -error ? "a loss beyond its error"
                                  : "not significant");
    }
    str_add(out, ". From the start position, the only one that the league ever saw, the champions "
                 "look far better than that: most of what is learned are moves against opponents "
                 "that always play the same.\n\n");
}

static void conclude(const LabRun *run, Str *out)
{
    double points[K_POPULATIONS], line[2][3];
    int count = run->rows[TABLE_FINAL].count;
    for (int p = 0; p < count; p++)
        points[p] = lab_run_number(run, TABLE_FINAL, p, "k_points");
    league_line(points, count, &line[0][0], &line[0][1], &line[0][2]);
    league_line(K_FINAL, K_POPULATIONS, &line[1][0], &line[1][1], &line[1][2]);
    str_format(out,
               "Slope of the final points: %.2f a population (r = %.2f); from the document's "
               "points it is %.2f (r = %.2f), which it does not print. ",
               line[0][0], line[0][2], line[1][0], line[1][2]);
    if (run->settings.is_quick)
        str_add(out, "A quick league is far smaller than the document's. ");
    else {
        str_add(out, "Against population 1 from openings of six random half-moves, all nine "
                     "champions together: ");
        tell_depths(run, out);
    }
    str_add(out, "The document's two totals contradict each other: its table 1 leaves the base "
                 "player 4.5 points against the nine champions at the trained depth, its final "
                 "list gives it 4.0.\n");
}

const LabExperiment LAB_K_LEAGUE = {
    .name = "k-league",
    .title = "The genetic league of document K",
    .text = "Ten populations of networks bred apart, one frozen every 50 generations: the points "
            "of their champions, generation by generation and at the end. The whole run takes "
            "many minutes; it goes on where it was. More about it is in docs/evolve.md.",
    .source = "K (2021): 10 populations of 6, 450 generations, depth 2/4; its final scores.",
    .tables = {{.key = "k_final",
                .title = "The champions at the end",
                .columns = {{"population", "Population", LAB_COUNT, 0, false},
                            {"frozen", "Bred until generation", LAB_COUNT, 0, false},
                            {"k_points", "Points", LAB_REAL, 1, false},
                            {"k_rating", "Rating", LAB_REAL, 0, false},
                            {"k_published", "K: points", LAB_REAL, 1, true}}},
               {.key = "k_generations",
                .title = "Points of the champions after single generations",
                .columns = {{"generation", "Generation", LAB_COUNT, 0, false},
                            {"k_row", "Points", LAB_TEXT, 0, false},
                            {"k_row_published", "K", LAB_TEXT, 0, true}}},
               {.key = "k_depths",
                .title = "Table 1: points of two against population 1, and Elo from openings",
                .columns = {{"k_depth", "Depth", LAB_TEXT, 0, false},
                            {"whose", "Whose", LAB_TEXT, 0, false},
                            {"p2", "2", LAB_REAL, 1, false},
                            {"p3", "3", LAB_REAL, 1, false},
                            {"p4", "4", LAB_REAL, 1, false},
                            {"p5", "5", LAB_REAL, 1, false},
                            {"p6", "6", LAB_REAL, 1, false},
                            {"p7", "7", LAB_REAL, 1, false},
                            {"p8", "8", LAB_REAL, 1, false},
                            {"p9", "9", LAB_REAL, 1, false},
                            {"p10", "10", LAB_REAL, 1, false},
                            {"k_sum", "All", LAB_TEXT, 0, false}}}},
    .charts = {{.key = "k-league",
                .title = "Final points of the champions",
                .x = "population",
                .series = {"k_points", "k_published"}}},
    .row_count = row_count,
    .fill = fill,
    .release = release,
    .conclude = conclude,
};
