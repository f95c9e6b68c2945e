// `lovac lab`: the experiments of the laboratory in the terminal. What they are is
// lab/experiments/list.c; the page in the browser runs the same rows (serve_lab.c).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/players.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/experiments/report.h"

const char help_lab[] =
    "Usage: lovac lab list\n"
    "       lovac lab run NAME [NAME ...] [options]\n"
    "       lovac lab run all [options]\n"
    "       lovac lab page [options]\n"
    "\n"
    "Repeats the measurements of five documents about chess programs on this machine, each table\n"
    "beside the published one. Writes NAME.csv, NAME.md and pictures (SVG). A run that was\n"
    "interrupted goes on where it was when the same command is given again. `run all` also makes\n"
    "a page of all results; `page` makes it of what has been run so far with these options.\n"
    "\n"
    "  --output DIR        where everything is written (lab-results)\n"
    "  --page FILE         the page of `run all`; its pictures go into pictures/results beside it\n"
    "                      (docs/results.md in a folder of Lovac's sources unless --quick,\n"
    "                      else results.md in DIR)\n"
    "  --quick             small sizes: seconds instead of minutes, with wider errors\n"
    "  --games N           of each pairing where players meet (each experiment's own number)\n"
    "  --threads N         for matches (one for each processor); times are measured on one\n"
    "  --seed N            for everything random (1)\n"
    "  --restart           begin anew instead of going on\n"
    "  --quiet             no progress bar\n"
    "\n"
    "Times are processor time of one thread.\n"
    "\n"
    "Example: lovac lab run bit-count bit-scan --quick\n";

enum { PROGRESS_UNITS = 1000, PATH_SIZE = LAB_PATH_SIZE };

typedef struct LabArguments {
    const char *output, *page;
    unsigned long long seed;
    long long games, threads;
    bool is_quick, restarts, is_quiet;
} LabArguments;

static bool read_arguments(int argc, char **argv, LabArguments *a, Words *words, Error *error)
{
    const Option options[] = {
        {.name = "output", .kind = OPTION_TEXT, .value = &a->output},
        {.name = "page", .kind = OPTION_TEXT, .value = &a->page},
        {.name = "quick", .kind = OPTION_FLAG, .value = &a->is_quick},
        {.name = "games", .kind = OPTION_INT, .value = &a->games, .low = 2, .high = 1000000},
        OPTION_THREADS(&a->threads),
        OPTION_SEED(&a->seed),
        {.name = "restart", .kind = OPTION_FLAG, .value = &a->restarts},
        OPTION_QUIET(&a->is_quiet),
        {0}};
    if (!options_read(argc, argv, options, words, error))
        return false;
    bool lists =
        words->count == 1 && (!strcmp(words->at[0], "list") || !strcmp(words->at[0], "page"));
    bool runs = words->count > 1 && !strcmp(words->at[0], "run");
    if (words->count == 1 && !strcmp(words->at[0], "run"))
        return error_set(error, "run what? `lovac lab list` has the names; or all");
    return lists || runs || error_set(error, "list, run or page");
}

// ---- list ----

static void print_list(void)
{
    for (int i = 0; LAB_EXPERIMENTS[i]; i++) {
        const LabExperiment *e = LAB_EXPERIMENTS[i];
        printf("%s%-12s %s\n%-12s %s\n%-12s Beside: %s\n", i ? "\n" : "", e->name, e->title, "",
               e->text, "", e->source);
    }
}

// ---- run ----

static void show_progress(void *context, const LabRun *run, int table, int row, double share)
{
    (void)run, (void)table, (void)row;
    progress_set(context, (uint64_t)(share * PROGRESS_UNITS));
}

// The file of a run's rows: one for each size and seed, so that none spoils another.
static bool state_path(const LabArguments *a, const LabExperiment *e, char path[PATH_SIZE],
                       Error *error)
{
    char games[24] = "";
    if (a->games)
        snprintf(games, sizeof games, "-%lld", a->games);
    int length = snprintf(path, PATH_SIZE, "%s/state/%s-%s-%llu%s.rows", a->output, e->name,
                          a->is_quick ? "quick" : "full", a->seed, games);
    return length < PATH_SIZE || error_set(error, "--output: the name is too long");
}

static void print_report(const LabRun *run)
{
    char *text = malloc(LAB_REPORT_SIZE);
    if (!text)
        return;
    Str out;
    str_init(&out, text, LAB_REPORT_SIZE);
    lab_report_plain(run, &out);
    puts(text);
    fflush(stdout);
    free(text);
}

static bool work(LabRun *run, const LabArguments *a, const char *state, Error *error)
{
    Progress progress;
    progress_init(&progress, stderr, run->experiment->name, "‰", PROGRESS_UNITS,
                  a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    run->on_news = show_progress;
    run->context = &progress;
    bool ok = lab_run_work(run, state, error);
    progress_end(&progress);
    return ok;
}

// Takes up what an earlier run left.
static bool open_run(LabRun *run, const LabExperiment *e, const LabArguments *a,
                     const LabSettings *settings, char state[PATH_SIZE], Error *error)
{
    if (!state_path(a, e, state, error))
        return false;
    if (a->restarts)
        unlink(state);
    lab_run_init(run, e, settings, state);
    return true;
}

// Runs one experiment or what is left of it, prints it and writes its files.
static bool run_one(LabRun *run, const LabExperiment *e, const LabArguments *a,
                    const LabSettings *settings, Error *error)
{
    char state[PATH_SIZE];
    if (!open_run(run, e, a, settings, state, error) || !work(run, a, state, error))
        return false;
    if (run->resumed)
        fprintf(stderr, "lovac lab: %s: %d of %d rows were there before\n", e->name, run->resumed,
                run->rows_total);
    print_report(run);
    return !lab_run_is_done(run) || lab_report_files(run, a->output, error);
}

enum { CHOSEN_MAX = 256 };

// Which experiments are meant; all of them for `all`.
static bool choose(const Words *words, const LabExperiment *chosen[CHOSEN_MAX], int *count,
                   Error *error)
{
    bool is_all = words->count == 1 || !strcmp(words->at[1], "all");
    *count = 0;
    for (int k = 0; is_all && LAB_EXPERIMENTS[k]; k++)
        chosen[(*count)++] = LAB_EXPERIMENTS[k];
    if (is_all)
        return words->count <= 2 || error_set(error, "all stands alone");
    if (words->count > CHOSEN_MAX)
        return error_set(error, "more than %d experiments", CHOSEN_MAX);
    for (int i = 1; i < words->count; i++) {
        const char *name = words->at[i];
        chosen[(*count)++] = lab_experiment_find(name);
        const char *nearest = lab_experiment_nearest(name);
        if (!chosen[*count - 1])
            return error_set(error, "there is no experiment '%.40s'%s%s%s", name,
                             nearest ? "; did you mean '" : "; `lovac lab list` has the names",
                             nearest ? nearest : "", nearest ? "'?" : "");
    }
    return true;
}

// ---- The page of all results ----

static void add_page_head(const LabArguments *a, Str *out)
{
    char machine[LAB_MACHINE_SIZE], games[32] = "";
    lab_report_machine(machine);
    if (a->games)
        snprintf(games, sizeof games, " --games %lld", a->games);
    str_format(out,
               "# The tables of the five documents, measured anew\n\n"
               "Made by `lovac lab run all%s%s` on: %s. Times are processor time of one thread on\n"
               "that machine; nodes, games and results follow from the seed (%llu) alone. Columns\n"
               "headed G, D, K, M or T are the documents' own figures: G (2025) a C engine with a\n"
               "desktop board, D (2011) a program with five variants, K (2021) networks bred by a\n"
               "genetic algorithm, M (2019) a 3D game, T (2020s) a small agent.\n\n",
               a->is_quick ? " --quick" : "", games, machine, a->seed);
}

// Where the page goes; small sizes do not replace the one of the sources.
static void page_path(const LabArguments *a, char page[PATH_SIZE])
{
    if (a->page)
        snprintf(page, PATH_SIZE, "%s", a->page);
    else if (!a->is_quick && file_exists("docs/lab.md") && file_exists("src/lab/experiments"))
        snprintf(page, PATH_SIZE, "docs/results.md");
    else
        snprintf(page, PATH_SIZE, "%s/results.md", a->output);
}

// The folder of the page's pictures, from the page's own.
static bool picture_folder(const char *page, char folder[PATH_SIZE], Error *error)
{
    const char *slash = strrchr(page, '/');
    int length = slash ? (int)(slash - page) + 1 : 0;
    return snprintf(folder, PATH_SIZE, "%.*spictures/results", length, page) < PATH_SIZE ||
           error_set(error, "--page: the name is too long");
}

static bool write_page(LabRun *runs, int count, const LabArguments *a, Error *error)
{
    char page[PATH_SIZE], pictures[PATH_SIZE];
    size_t size = (size_t)LAB_REPORT_SIZE * 2;
    page_path(a, page);
    if (!picture_folder(page, pictures, error))
        return false;
    char *text = malloc(size);
    if (!text)
        return error_set(error, "out of memory");
    Str out;
    str_init(&out, text, size);
    add_page_head(a, &out);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        lab_report_markdown(&runs[i], "pictures/results", &out);
        str_add(&out, i + 1 < count ? "\n" : "");
        ok = !lab_run_is_done(&runs[i]) || lab_report_charts(&runs[i], pictures, error);
    }
    ok = ok && (!out.is_cut || error_set(error, "%s: too long", page)) &&
         file_write(page, text, out.length, error);
    free(text);
    if (ok)
        printf("All results: %s\n", page);
    return ok;
}

// ---- The command ----

static bool run_chosen(const LabExperiment *const *chosen, int count, bool is_all,
                       const LabArguments *a, const LabSettings *settings, Error *error)
{
    LabRun *runs = calloc((size_t)count, sizeof *runs);
    if (!runs)
        return error_set(error, "out of memory");
    bool ok = true, is_done = true;
    for (int i = 0; ok && is_done && i < count; i++) {
        ok = run_one(&runs[i], chosen[i], a, settings, error);
        is_done = lab_run_is_done(&runs[i]);
    }
    if (ok && is_done && is_all)
        ok = write_page(runs, count, a, error);
    for (int i = 0; i < count; i++)
        lab_run_release(&runs[i]);
    free(runs);
    return ok;
}

// The page of what there is, without running anything.
static bool make_page(const LabExperiment *const *chosen, int count, const LabArguments *a,
                      const LabSettings *settings, Error *error)
{
    LabRun *runs = calloc((size_t)count, sizeof *runs);
    char state[PATH_SIZE];
    bool ok = runs || error_set(error, "out of memory");
    for (int i = 0; ok && i < count; i++)
        ok = open_run(&runs[i], chosen[i], a, settings, state, error);
    ok = ok && write_page(runs, count, a, error);
    for (int i = 0; runs && i < count; i++)
        lab_run_release(&runs[i]);
    free(runs);
    return ok;
}

static int run_words(const Words *words, const LabArguments *a, LongRun *run, Error *error)
{
    bool only_page = !strcmp(words->at[0], "page");
    const LabExperiment *chosen[CHOSEN_MAX];
    PlayerList players;
    char state[PATH_SIZE];
    int count;
    if (!choose(words, chosen, &count, error) || !players_open(&players, NULL, error))
        return long_run_refuse(run, error);
    snprintf(state, sizeof state, "%s/state", a->output);
    LabSettings settings = {.is_quick = a->is_quick,
                            .seed = a->seed,
                            .games = (int)a->games,
                            .threads = (int)a->threads,
                            .folder = state,
                            .players = &players,
                            .stop = run->stop};
    bool ok =
        file_make_folder(state, error) &&
        (only_page ? make_page(chosen, count, a, &settings, error)
                   : run_chosen(chosen, count, !strcmp(words->at[1], "all"), a, &settings, error));
    player_list_release(&players);
    bool is_stopped = long_run_is_stopped(run);
    int status = long_run_end(run, ok, error);
    return is_stopped ? EXIT_FAILED : status;
}

int cmd_lab(int argc, char **argv)
{
    LongRun run;
    Words words;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    LabArguments a = {.output = "lab-results", .seed = 1, .threads = run.threads};
    if (!read_arguments(argc, argv, &a, &words, &error))
        return long_run_refuse(&run, &error);
    if (strcmp(words.at[0], "list"))
        return run_words(&words, &a, &run, &error);
    print_list();
    return long_run_end(&run, true, &error);
}
