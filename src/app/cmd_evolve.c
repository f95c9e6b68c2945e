// `lovac evolve`: networks bred in a league (lab/league.h), and what comes of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/str.h"
#include "core/fen.h"
#include "lab/brain/brain_draw.h"
#include "lab/league.h"
#include "lab/league_table.h"
#include "lab/teach.h"

const char help_evolve[] =
    "Usage: lovac evolve FOLDER [options]\n"
    "       lovac evolve --table FOLDER [--games N]\n"
    "       lovac evolve --teach NAME.dna GAMES ... [--squares] [options]\n"
    "       lovac evolve --draw NAME.dna PICTURE.svg\n"
    "\n"
    "Breeds networks that help a minimax player, in a league of populations, as document K does:\n"
    "everybody plays the champions of all other populations, and changed children of the best "
    "take\n"
    "the places of the next generation. The folder gets champion-GGG.dna of every generation,\n"
    "population-PP.dna, league.csv and curve.svg. The same command goes on with a league that was\n"
    "stopped or killed; from the same seed the same champions come out.\n"
    "\n"
    "  --populations N (10)   --individuals N (6)   --generations N (450)\n"
    "  --freeze N          one population is frozen after so many generations (50; 0: none)\n"
    "  --change-best       the best is not kept unchanged\n"
    "  --random REACH      begin with random networks (silent ones)\n"
    "  --depth N --deep N  of the search, after captures (2, 4)   --factor R  of the network "
    "(0.5)\n"
    "  --middle N (40)   --pairs N  recurrent (10)   --fan N  links of a node (4)\n"
    "  --fixed             all nodes are tanh of a sum (functions from the DNA)\n"
    "  --reset WHEN        recurrent pairs begin anew: game, move, evaluation (game)\n"
    "  --share R --step R  mutation: share of the weights that move (0.05), deviation (0.1)\n"
    "  --plies N           a longer game is a draw (300)\n"
    "  --unsorted          the search tries moves in the board's order: the same moves, later\n"
    "  --hand              breed the weights of the hand-written evaluation instead\n"
    "  --seed N (1)        --threads N (one for each processor)   --quiet\n"
    "Beyond the document:\n"
    "  --ends              mates, stalemates and repetitions are seen in the search\n"
    "  --grow              fewer men, greater depth\n"
    "  --discard           a second output throws moves away before they are searched\n"
    "  --starts FILE       games begin from the FENs of a file, by turns\n"
    "\n"
    "--table plays all populations against the first at the depths 1/2, 2/4, 3/6 and 4/8, twice "
    "from\n"
    "the start position, as the document does, and N pairs of games (200; a quarter at 3/6, a 16th "
    "at 4/8)\n"
    "from openings drawn by chance, for error bars; also into FOLDER/table.csv.\n"
    "  --depths N          only the first N of the four\n"
    "\n"
    "--teach shows a 'full network', which names its move itself, the moves of games that `lovac\n"
    "datagen` made: legal answers, and answers that are the move played, on games held out too.\n"
    "  --middle N --positions N (50000)   --epochs N (10)   --rate R (0.01)\n"
    "  --squares           an output for each square, 128 in all, instead of the document's four\n"
    "\n"
    "Under mpirun all processes play together, with the same champions: mpirun --enable-recovery\n"
    "-n 4 lovac evolve FOLDER.\n"
    "\n"
    "Example: lovac evolve k && lovac match \"network file=k/champion-450.dna depth=2\" \"twodepth "
    "depth=2\"\n";

typedef struct EvolveArguments {
    long long populations, individuals, generations, freeze, depth, deep, middle, pairs, fan, plies,
        threads;
    unsigned long long seed;
    double random, factor, share, step;
    bool is_random, change_best, fixed, hand, ends, unsorted, grow, discard, quiet;
    const char *reset, *starts, *draw, *table, *teach;
    long long positions, epochs;
    double rate;
    bool squares, is_middle;
    long long depths, games;
} EvolveArguments;

// ---- Display ----

enum { CURVE_FIRST, CURVE_BEST, CURVE_FITNESS, CURVES, CURVE_WIDTH = 60 };

typedef struct Display {
    bool is_terminal, is_quiet;
    int lines, shown; // lines of the live table; generations printed
    int64_t next_ms;
    // By generation, for the curves: rating of the first population and of the best, mean fitness.
    double (*past)[CURVES];
    int past_count;
} Display;

// ---- Charts of letters ----

// A value between two bounds as one of eight blocks.
static const char *block(double value, double low, double high)
{
    static const char *const BLOCKS[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const int step = high > low ? (int)(8 * (value - low) / (high - low)) : 0;
    return BLOCKS[step < 0 ? 0 : step > 7 ? 7 : step];
}

// The mean of the generations that share a letter.
static double past_mean(const Display *d, int curve, int column, int columns)
{
    const int from = column * d->past_count / columns, to = (column + 1) * d->past_count / columns;
    double sum = 0;
    for (int g = from; g < to; g++)
        sum += d->past[g][curve];
    return sum / (to - from);
}

// A curve over all generations so far in one line, with its least and its greatest value.
static void print_curve(const Display *d, const char *name, int curve, int decimals)
{
    const int columns = d->past_count < CURVE_WIDTH ? d->past_count : CURVE_WIDTH;
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < columns; c++) {
        low = fmin(low, past_mean(d, curve, c, columns));
        high = fmax(high, past_mean(d, curve, c, columns));
    }
    printf("%-12s ", name);
    for (int c = 0; c < columns; c++)
        printf("%s", block(past_mean(d, curve, c, columns), low, high));
    if (columns)
        printf(" %.*f to %.*f", decimals, low, decimals, high);
    printf("\n");
}

static void print_curves(const Display *d)
{
    if (!d->past)
        return;
    print_curve(d, "best rating", CURVE_BEST, 0);
    print_curve(d, "first rating", CURVE_FIRST, 0);
    print_curve(d, "mean fitness", CURVE_FITNESS, 2);
}

// Keeps what the curves need, once for each generation.
static void remember(Display *d, const LeagueStatus *s)
{
    if (!d->past || s->done <= d->past_count || s->done > s->generations)
        return;
    d->past[d->past_count][CURVE_FIRST] = s->ratings[0];
    d->past[d->past_count][CURVE_BEST] = s->ratings[s->champion];
    d->past[d->past_count][CURVE_FITNESS] = s->mean_fitness;
    d->past_count++;
}

// ---- The table ----

static void print_points(const LeagueStatus *s)
{
    for (int p = 0; p < s->populations; p++)
        printf("%s%g", p ? "/" : "", s->points[p]);
}

// A line for each generation, as the document prints them.
static void print_row(const LeagueStatus *s)
{
    if (s->done > s->generations)
        printf("final ");
    else
        printf("%5d ", s->done);
    print_points(s);
    printf("\n");
    fflush(stdout);
}

static void print_table(const LeagueStatus *s)
{
    printf("%-12s", "population");
    for (int p = 0; p < s->populations; p++)
        printf("%6d%c", p + 1, s->is_frozen[p] ? '*' : ' ');
    printf("\n%-12s", "points");
    for (int p = 0; p < s->populations; p++)
        printf("%6.1f ", s->points[p]);
    printf("\n%-12s", "");
    for (int p = 0; p < s->populations; p++)
        printf("%5s%s ", "", block(s->points[p], 0, 2 * (s->populations - 1)));
    printf("\n%-12s", "rating");
    for (int p = 0; p < s->populations; p++)
        printf("%6.0f ", s->ratings[p]);
    printf("\n");
}

// The live table: generation, speed and what is left, then all populations (* frozen), and how
// ratings and fitness went.
static void redraw(Display *d, const LeagueStatus *s)
{
    const double seconds = (double)s->elapsed_ms / 1000;
    const int done = s->generation - 1 - s->resumed, left = s->generations - s->generation + 1;
    if (d->lines)
        printf("\033[%dA\033[J", d->lines);
    printf("generation %d of %d, game %llu of %llu, %.0f s", s->generation, s->generations,
           (unsigned long long)s->games_done, (unsigned long long)s->games, seconds);
    if (done > 0)
        printf(", about %.0f s left", seconds / done * left);
    printf("\n");
    print_table(s);
    print_curves(d);
    fflush(stdout);
    d->lines = 8;
}

static void show(void *context, const LeagueStatus *s)
{
    Display *d = context;
    const int64_t now = clock_ms();
    remember(d, s);
    if (s->is_old)
        d->shown = s->done; // it was printed the last time
    if (d->is_quiet || s->is_old)
        return;
    if (!d->is_terminal && s->done != d->shown)
        print_row(s);
    d->shown = s->done;
    if (!d->is_terminal || now < d->next_ms)
        return;
    d->next_ms = now + 250;
    redraw(d, s);
}

// ---- Work ----

static Position *read_starts(const char *path, int *count, Error *error)
{
    char *text = file_read(path, 1 << 24, NULL, error), *rest = text;
    Position *starts = NULL;
    bool ok = text;
    *count = 0;
    for (char *line; ok && (line = str_split(&rest, "\n"));) {
        if (!*line || *line == '#')
            continue;
        Position *more = realloc(starts, (size_t)(*count + 1) * sizeof *starts);
        starts = more ? more : starts;
        ok = more ? position_from_fen(&starts[*count], &VARIANTS[VARIANT_CHESS], line, error)
                  : error_set(error, "out of memory");
        *count += ok;
    }
    ok = ok && (*count || error_set(error, "%s: there is no position", path));
    free(text);
    if (ok)
        return starts;
    free(starts);
    return NULL;
}

static bool set_reset(TwoDepth *how, const char *text, Error *error)
{
    how->reset = !strcmp(text, "move")         ? RESET_MOVE
                 : !strcmp(text, "evaluation") ? RESET_EVALUATION
                                               : RESET_GAME;
    return how->reset != RESET_GAME || !strcmp(text, "game") ||
           error_set(error, "--reset: game, move or evaluation, not '%s'", text);
}

static bool configure(LeagueConfig *c, const EvolveArguments *a, Error *error)
{
    TwoDepth *how = &c->style.how;
    c->populations = (int)a->populations;
    c->individuals = (int)a->individuals;
    c->generations = (int)a->generations;
    c->freeze_every = (int)a->freeze;
    c->keeps_best = !a->change_best;
    c->starts_random = a->is_random;
    c->random_reach = a->is_random ? a->random : c->random_reach;
    c->shape.middle = (int)a->middle;
    c->shape.groups = a->pairs > 0;
    c->shape.group_sizes[0] = (int)a->pairs;
    c->shape.fan = (int)a->fan;
    c->shape.has_functions = !a->fixed;
    c->shape.outputs = a->discard ? 2 : 1;
    c->mutation.middle_max = (int)a->middle;
    c->mutation.fan = (int)a->fan;
    c->mutation.weight_share = a->share;
    c->mutation.weight_step = a->step;
    c->style.genome = a->hand ? GENOME_HAND : GENOME_NETWORK;
    c->plies_max = (int)a->plies;
    c->seed = a->seed;
    c->workers = (int)a->threads;
    how->normal = (int)a->depth;
    how->deep = a->deep ? (int)a->deep : 2 * how->normal;
    how->factor = (float)a->factor;
    how->proper_ends = a->ends;
    how->is_sorted = !a->unsorted;
    how->grows = a->grow;
    return set_reset(how, a->reset, error);
}

static void print_summary(const LeagueStatus *s, const Display *d, const char *folder)
{
    double slope, intercept, correlation;
    league_line(s->points, s->populations, &slope, &intercept, &correlation);
    print_table(s);
    print_curves(d);
    printf("%llu games played, %llu known from before, %.1f million nodes, %.1f s\n",
           (unsigned long long)s->games_total, (unsigned long long)s->games_known,
           (double)s->nodes / 1e6, (double)s->elapsed_ms / 1000);
    if (!s->is_over) {
        printf("stopped in generation %d; the same command goes on\n", s->generation);
        return;
    }
    printf("final ");
    print_points(s);
    printf("\nslope %.2f a population, intercept %.2f, r = %.2f\n", slope, intercept, correlation);
    printf("play: lovac play --opponent \"network file=%s/champion-%03d.dna\"\n", folder,
           s->generations);
}

static bool run_league(const EvolveArguments *a, const char *folder, const LongRun *run,
                       Error *error)
{
    LeagueConfig config = league_default();
    LeagueStatus status;
    Position *starts = NULL;
    Display display = {.is_terminal = !run->team && isatty(STDOUT_FILENO), .is_quiet = a->quiet};
    if (!configure(&config, a, error))
        return false;
    if (a->starts && !(starts = read_starts(a->starts, &config.start_count, error)))
        return false;
    config.folder = folder;
    config.starts = starts;
    config.team = run->team;
    config.stop = run->stop;
    display.past = calloc((size_t)config.generations, sizeof *display.past);
    const bool ok = league_run(&config, show, &display, &status, error);
    free(starts);
    if (ok && run->is_first) {
        if (display.lines)
            printf("\033[%dA\033[J", display.lines);
        print_summary(&status, &display, folder);
    }
    free(display.past);
    return ok;
}

// ---- Table ----

static void show_table(void *context, const LeagueTable *table)
{
    Progress *progress = context;
    progress->total = table->games;
    progress_set(progress, table->done);
}

// The document's points of two, and below them what the games from openings say.
static void print_depth(const LeagueTable *t, int depth)
{
    printf("%d/%d    ", depth + 1, 2 * depth + 2);
    for (int p = 1; p < t->populations; p++)
        printf("%8g", t->cells[depth][p].plain);
    printf("%9g\n    %%  ", t->totals[depth].plain);
    for (int p = 1; p < t->populations; p++)
        printf("%8.1f", 100 * elo_from_pairs(&t->cells[depth][p].pairs).score);
    const EloEstimate all = elo_from_pairs(&t->totals[depth].pairs);
    printf("%9.1f\n    Elo", 100 * all.score);
    for (int p = 1; p < t->populations; p++) {
        const EloEstimate e = elo_from_pairs(&t->cells[depth][p].pairs);
        printf(" %+4.0f±%-2.0f", e.elo, e.error);
    }
    printf("  %+.1f ± %.1f\n", all.elo, all.error);
}

static bool run_table(const EvolveArguments *a, const LongRun *run, Error *error)
{
    LeagueConfig league = league_default();
    LeagueTableConfig config = league_table_default();
    LeagueTable *table = calloc(1, sizeof *table);
    if (!table)
        return error_set(error, "out of memory");
    bool ok = configure(&league, a, error);
    config.folder = a->table;
    config.style = league.style;
    config.plies_max = league.plies_max;
    config.depths = (int)a->depths;
    for (int d = 0; d < LEAGUE_DEPTHS; d++)
        config.pairs[d] = (int)(a->games >> (d < 2 ? 0 : 2 * (d - 1)));
    config.seed = a->seed;
    config.workers = (int)a->threads;
    config.team = run->team;
    config.stop = run->stop;
    Progress progress;
    progress_init(&progress, stderr, "table", "games", 0, PROGRESS_AUTO);
    ok = ok && league_table_run(&config, show_table, &progress, table, error);
    progress_end(&progress);
    if (ok && run->is_first && !long_run_is_stopped(run)) {
        printf("points of 2 against population 1; then %% and Elo from openings\ndepth  ");
        for (int p = 1; p < table->populations; p++)
            printf("%8d", p + 1);
        printf("      all\n");
        for (int d = 0; d < table->depths; d++)
            print_depth(table, d);
        ok = league_table_write(table, a->table, error);
    }
    free(table);
    return ok;
}

// ---- Teaching ----

static void show_teach(void *context, const TeachReport *r)
{
    (void)context;
    if (!r->epoch)
        printf(
            "%d weights and biases, %d positions, %d of games held out; any legal move is the one "
            "played with %.1f %%\n"
            "            learned from: %% of answers      held out\n"
            "epoch   loss legal  same  near     loss legal  same  near     time\n",
            r->parameters, r->positions, r->held_positions, 100 * r->chance);
    printf("%5d %6.4f %5.1f %5.1f %5.1f   %6.4f %5.1f %5.1f %5.1f %7.1fs\n", r->epoch,
           r->taught.loss, 100 * r->taught.legal, 100 * r->taught.same, 100 * r->taught.near,
           r->held.loss, 100 * r->held.legal, 100 * r->held.same, 100 * r->held.near,
           (double)r->elapsed_ms / 1000);
    fflush(stdout);
}

static bool run_teach(const EvolveArguments *a, const Words *words, const LongRun *run,
                      Error *error)
{
    TeachConfig config = teach_default();
    Dna dna;
    Progress progress;
    if (!run->is_first)
        return true; // one process does it
    config.paths = words->at;
    config.path_count = words->count;
    config.middle = a->is_middle ? (int)a->middle : config.middle;
    config.squares = a->squares;
    config.positions = (int)a->positions;
    config.epochs = (int)a->epochs;
    config.rate = a->rate;
    config.seed = a->seed;
    config.stop = run->stop;
    progress_init(&progress, stderr, "teaching", "positions",
                  (uint64_t)config.positions * (uint64_t)config.epochs, PROGRESS_AUTO);
    bool ok = teach_run(&config, a->quiet ? NULL : &progress, show_teach, NULL, &dna, error);
    progress_end(&progress);
    if (ok) {
        ok = dna_write(&dna, a->teach, error);
        dna_release(&dna);
    }
    return ok;
}

static bool draw_brain(const char *from, const char *to, Error *error)
{
    Bytes svg = {0};
    const bool ok = brain_draw_file(from, &svg, error) && file_write(to, svg.at, svg.size, error);
    bytes_release(&svg);
    return ok;
}

// ---- Arguments ----

static EvolveArguments defaults(const LongRun *run)
{
    const LeagueConfig c = league_default();
    return (EvolveArguments){.populations = c.populations,
                             .individuals = c.individuals,
                             .generations = c.generations,
                             .freeze = c.freeze_every,
                             .depth = c.style.how.normal,
                             .middle = c.shape.middle,
                             .pairs = c.shape.group_sizes[0],
                             .fan = c.shape.fan,
                             .plies = c.plies_max,
                             .threads = run->threads,
                             .seed = c.seed,
                             .factor = (double)c.style.how.factor,
                             .share = c.mutation.weight_share,
                             .step = c.mutation.weight_step,
                             .depths = LEAGUE_DEPTHS,
                             .games = 200,
                             .positions = teach_default().positions,
                             .epochs = teach_default().epochs,
                             .rate = teach_default().rate,
                             .reset = "game"};
}

static bool read_arguments(int argc, char **argv, EvolveArguments *a, Words *words, Error *error)
{
    const Option options[] = {
        {.name = "populations", .kind = OPTION_INT, .value = &a->populations, .low = 2, .high = 64},
        {.name = "individuals", .kind = OPTION_INT, .value = &a->individuals, .low = 1, .high = 64},
        {.name = "generations",
         .kind = OPTION_INT,
         .value = &a->generations,
         .low = 1,
         .high = 100000},
        {.name = "freeze", .kind = OPTION_INT, .value = &a->freeze, .low = 0, .high = 100000},
        {.name = "change-best", .kind = OPTION_FLAG, .value = &a->change_best},
        {.name = "random",
         .kind = OPTION_REAL,
         .value = &a->random,
         .low = 0,
         .high = 100,
         .is_given = &a->is_random},
        {.name = "depth", .kind = OPTION_INT, .value = &a->depth, .low = 1, .high = 16},
        {.name = "deep", .kind = OPTION_INT, .value = &a->deep, .low = 1, .high = 32},
        {.name = "factor", .kind = OPTION_REAL, .value = &a->factor, .low = -100, .high = 100},
        {.name = "middle",
         .kind = OPTION_INT,
         .value = &a->middle,
         .low = 1,
         .high = 50000,
         .is_given = &a->is_middle},
        {.name = "pairs", .kind = OPTION_INT, .value = &a->pairs, .low = 0, .high = 64},
        {.name = "fan", .kind = OPTION_INT, .value = &a->fan, .low = 1, .high = 64},
        {.name = "fixed", .kind = OPTION_FLAG, .value = &a->fixed},
        {.name = "reset", .kind = OPTION_TEXT, .value = &a->reset},
        {.name = "share", .kind = OPTION_REAL, .value = &a->share, .low = 0, .high = 1},
        {.name = "step", .kind = OPTION_REAL, .value = &a->step, .low = 0, .high = 100},
        {.name = "plies", .kind = OPTION_INT, .value = &a->plies, .low = 1, .high = 1000},
        {.name = "hand", .kind = OPTION_FLAG, .value = &a->hand},
        {.name = "ends", .kind = OPTION_FLAG, .value = &a->ends},
        {.name = "unsorted", .kind = OPTION_FLAG, .value = &a->unsorted},
        {.name = "grow", .kind = OPTION_FLAG, .value = &a->grow},
        {.name = "discard", .kind = OPTION_FLAG, .value = &a->discard},
        {.name = "starts", .kind = OPTION_TEXT, .value = &a->starts},
        {.name = "draw", .kind = OPTION_TEXT, .value = &a->draw},
        {.name = "teach", .kind = OPTION_TEXT, .value = &a->teach},
        {.name = "squares", .kind = OPTION_FLAG, .value = &a->squares},
        {.name = "positions",
         .kind = OPTION_INT,
         .value = &a->positions,
         .low = 1,
         .high = 10000000},
        {.name = "epochs", .kind = OPTION_INT, .value = &a->epochs, .low = 1, .high = 100000},
        {.name = "rate", .kind = OPTION_REAL, .value = &a->rate, .low = 0, .high = 10},
        {.name = "table", .kind = OPTION_TEXT, .value = &a->table},
        {.name = "depths", .kind = OPTION_INT, .value = &a->depths, .low = 1, .high = 4},
        {.name = "games", .kind = OPTION_INT, .value = &a->games, .low = 0, .high = 100000},
        OPTION_SEED(&a->seed),
        OPTION_THREADS(&a->threads),
        OPTION_QUIET(&a->quiet),
        {0}};
    return options_read(argc, argv, options, words, error) &&
           (words->count == (a->table ? 0 : 1) || (a->teach && words->count > 0) ||
            error_set(error,
                      a->draw ? "a file for the picture is missing" : "one folder was expected"));
}

int cmd_evolve(int argc, char **argv)
{
    LongRun run;
    Words words;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    EvolveArguments a = defaults(&run);
    if (!read_arguments(argc, argv, &a, &words, &error))
        return long_run_refuse(&run, &error);
    const bool ok = a.table   ? run_table(&a, &run, &error)
                    : a.teach ? run_teach(&a, &words, &run, &error)
                    : a.draw  ? draw_brain(a.draw, words.at[0], &error)
                              : run_league(&a, words.at[0], &run, &error);
    return long_run_end(&run, ok, &error);
}
