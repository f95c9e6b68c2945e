// See tablebase_make.h. The work is tables/make.h and tables/check.h.
#include "app/tablebase_make.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "base/thread.h"
#include "tables/check.h"
#include "tables/make.h"
#include "tables/own.h"
#include "tables/places.h"

enum { PATH_SIZE = 1024, MEN_MOST = 5, MEN_ON_DEMAND = 4 };

typedef struct Arguments {
    const char *variant, *folder;
    long long threads, memory_mb;
    unsigned long long samples, seed;
    bool is_quiet, is_full, is_json;
    Words words; // behind the action
    const Rules *rules;
    Material *list; // the endings that they name, with room for two times MATERIAL_LIST_SIZE
    int count;
    char path[PLACES_SIZE]; // of the folder, or of all that are looked through
    LongRun *run;
} Arguments;

static double megabytes(uint64_t bytes)
{
    return (double)bytes / 1e6;
}

// What the user wants: "4" is all up to four men.
static bool read_wanted(Arguments *a, Error *error)
{
    for (int i = 0; i < a->words.count; i++) {
        long long men;
        if (str_to_int(a->words.at[i], 2, MEN_MOST, &men)) {
            for (int n = 2; n <= men && a->count < MATERIAL_LIST_SIZE; n++)
                a->count += material_list(a->rules, n, a->list + a->count);
        } else if (a->count >= MATERIAL_LIST_SIZE) {
            return error_set(error, "too many endings");
        } else if (!material_read(&a->list[a->count++], a->rules, a->words.at[i], error)) {
            return false;
        }
    }
    return true;
}

// Is a table for this position wanted that is in none of the folders?
static bool is_missing(const Position *pos, const char *folders)
{
    Material material = material_of(pos);
    if (!material_set(pos->rules) || material_men(&material) > MEN_ON_DEMAND ||
        pos->state.castling || !material_has_table(&material))
        return false;
    material_normalise(&material, pos->rules);
    OwnTables *own = own_open(folders, NULL);
    bool is_there = own && own_has(own, pos->rules, &material);
    own_close(own);
    return !is_there;
}

bool tablebase_make_for(const Position *pos, const char *folder, bool is_quiet, Error *error)
{
    char folders[PLACES_SIZE], path[PATH_SIZE];
    Material material = material_of(pos);
    MakeSummary summary;
    Progress progress;
    if (!tablebase_find_folders(folder, folders, error))
        return false;
    if (!is_missing(pos, folders))
        return true;
    if (!tablebase_folder(folder, path, sizeof path, error))
        return false;
    material_normalise(&material, pos->rules);
    progress_init(&progress, stderr, "tables", "positions", 1,
                  is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    MakeConfig config = {.folder = path,
                         .rules = pos->rules,
                         .list = &material,
                         .count = 1,
                         .threads = thread_cpu_count(),
                         .progress = &progress};
    bool ok = tables_make(&config, &summary, error);
    progress_end(&progress);
    return ok;
}

static void print_table(void *context, const char *name, size_t wdz_size, size_t dtm_size)
{
    const Arguments *a = context;
    if (!a->is_json && !a->is_quiet && !isatty(fileno(stderr))) // there the bar is shown
        printf("%-8s %9zu bytes, with mates %9zu\n", name, wdz_size, dtm_size);
}

static bool print_made(const Arguments *a, const MakeSummary *summary, double seconds, Error *error)
{
    if (!a->is_json) {
        printf("%d tables made, %d were there; %.2f MB, with mates %.2f MB more; %.1f s\n%s\n",
               summary->made, summary->kept, megabytes(summary->bytes[0]),
               megabytes(summary->bytes[1]), seconds, a->path);
        return true;
    }
    Json json = {0};
    json_open(&json, NULL, '{');
    json_int(&json, "made", summary->made);
    json_int(&json, "kept", summary->kept);
    json_count(&json, "bytes", summary->bytes[0]);
    json_count(&json, "bytes_mates", summary->bytes[1]);
    json_decimal(&json, "seconds", seconds, 3);
    json_text(&json, "folder", a->path);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static bool make(Arguments *a, Error *error)
{
    int64_t start_ms = clock_ms();
    MakeSummary summary = {0};
    Progress progress;
    progress_init(&progress, stderr, "tables", "positions", 1,
                  a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    MakeConfig config = {.folder = a->path,
                         .rules = a->rules,
                         .list = a->list,
                         .count = a->count,
                         .memory = (uint64_t)a->memory_mb << 20,
                         .team = a->run->team,
                         .threads = (int)a->threads,
                         .stop = a->run->stop,
                         .progress = &progress,
                         .on_table = print_table,
                         .context = a};
    bool ok = tables_make(&config, &summary, error);
    progress_end(&progress);
    if (ok && long_run_is_stopped(a->run))
        ok = error_set(error, "stopped; the same command goes on");
    return ok && print_made(a, &summary, (double)(clock_ms() - start_ms) / 1000, error);
}

// The tables that are there stay in the list; false when one is missing that was named.
static bool keep_present(Arguments *a, const OwnTables *own, Error *error)
{
    int kept = 0;
    for (int i = 0; i < a->count; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&a->list[i], name);
        if (own_has(own, a->rules, &a->list[i]))
            a->list[kept++] = a->list[i];
        else if (a->words.count)
            return error_set(error, "there is no table %s in %s", name, a->path);
    }
    a->count = kept;
    return kept || error_set(error, "no tables of %s in %s", a->rules->title, a->path);
}

static bool print_check_json(const CheckSummary *summary, Error *error)
{
    Json json = {0};
    json_open(&json, NULL, '{');
    json_int(&json, "tables", summary->tables);
    json_count(&json, "positions", summary->positions);
    json_count(&json, "wrong", summary->wrong);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static bool print_check(const CheckSummary *summary, bool is_json, Error *error)
{
    if (is_json && !print_check_json(summary, error))
        return false;
    if (!is_json)
        printf("%d tables, %llu positions checked, %llu wrong\n", summary->tables,
               (unsigned long long)summary->positions, (unsigned long long)summary->wrong);
    return !summary->wrong || error_set(error, "%s", summary->first.text);
}

static bool verify(Arguments *a, Error *error)
{
    CheckSummary summary = {0};
    Progress progress;
    OwnTables *own = own_open(a->path, error);
    for (int men = 2; men <= MEN_MOST && !a->words.count; men++)
        a->count += material_list(a->rules, men, a->list + a->count);
    bool ok = own && keep_present(a, own, error);
    if (ok) {
        progress_init(&progress, stderr, "verify", "positions", 1,
                      a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
        CheckConfig config = {.own = own,
                              .rules = a->rules,
                              .list = a->list,
                              .count = a->count,
                              .is_full = a->is_full,
                              .samples = a->samples,
                              .seed = a->seed,
                              .threads = (int)a->threads,
                              .stop = a->run->stop,
                              .progress = &progress};
        ok = tables_check(&config, &summary, error);
        progress_end(&progress);
        ok = ok && print_check(&summary, a->is_json, error);
        if (ok && long_run_is_stopped(a->run))
            ok = error_set(error, "stopped before the end");
    }
    own_close(own);
    return ok;
}

// The names of those that are there, of so many men; how many they are.
static int list_men(Arguments *a, const OwnTables *own, int men, Json *json)
{
    int count = material_list(a->rules, men, a->list), there = 0;
    for (int i = 0; i < count; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&a->list[i], name);
        if (!own_has(own, a->rules, &a->list[i]))
            continue;
        if (json)
            json_text(json, NULL, name);
        else
            printf("%s%s", there ? " " : "", name);
        there++;
    }
    if (there && !json)
        printf("\n%d men: %d of %d\n", men, there, count);
    return there;
}

static bool list_json(Arguments *a, const OwnTables *own, Error *error)
{
    Json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "variant", a->rules->name);
    json_text(&json, "folder", a->path);
    json_open(&json, "tables", '[');
    for (int men = 2; men <= MEN_MOST; men++)
        list_men(a, own, men, &json);
    json_close(&json);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static bool list_tables(Arguments *a, Error *error)
{
    OwnTables *own = own_open(a->path, error);
    bool ok = own && (!a->is_json || list_json(a, own, error));
    int found = 0;
    for (int men = 2; ok && !a->is_json && men <= MEN_MOST; men++)
        found += list_men(a, own, men, NULL);
    if (ok && !a->is_json && !found)
        printf("no tables of %s in %s\n", a->rules->title, a->path);
    own_close(own);
    return ok;
}

bool tablebase_folder(const char *folder, char *path, size_t size, Error *error)
{
    if (folder)
        return snprintf(path, size, "%s", folder) < (int)size ||
               error_set(error, "--folder: the name is too long");
    return places_tables(path, size) ||
           error_set(error, "there is no home folder: use --folder DIR");
}

bool tablebase_find_folders(const char *folder, char list[PLACES_SIZE], Error *error)
{
    return (!folder && places_find_tables(list)) ||
           tablebase_folder(folder, list, PLACES_SIZE, error);
}

static bool read_arguments(int argc, char **argv, bool is_maker, Arguments *a, Error *error)
{
    const Option options[] = {
        OPTION_VARIANT(&a->variant),
        {.name = "folder", .kind = OPTION_TEXT, .value = &a->folder},
        OPTION_THREADS(&a->threads),
        {.name = "memory", .kind = OPTION_INT, .value = &a->memory_mb, .low = 1, .high = 1 << 24},
        {.name = "full", .kind = OPTION_FLAG, .value = &a->is_full},
        {.name = "samples", .kind = OPTION_COUNT, .value = &a->samples},
        OPTION_SEED(&a->seed),
        OPTION_JSON(&a->is_json),
        OPTION_QUIET(&a->is_quiet),
        {0}};
    if (!options_read(argc, argv, options, &a->words, error))
        return false;
    a->rules = rules_find(a->variant);
    if (!a->rules)
        return error_set(error, "--variant: unknown game '%s'", a->variant);
    if (!material_set(a->rules))
        return error_set(error, "%s has no tables of endings", a->rules->title);
    bool has_folder = is_maker ? tablebase_folder(a->folder, a->path, sizeof a->path, error)
                               : tablebase_find_folders(a->folder, a->path, error);
    return has_folder && read_wanted(a, error);
}

// Reads the arguments and does one of the three.
static int act(int argc, char **argv, bool (*work)(Arguments *a, Error *error))
{
    Arguments a = {.variant = "chess", .memory_mb = 4096, .samples = 1000, .seed = 1};
    Material list[2 * MATERIAL_LIST_SIZE];
    LongRun run;
    Error error;
    if (!long_run_begin(&run, "tablebase", &error))
        return long_run_end(&run, false, &error);
    a.run = &run;
    a.list = list;
    a.threads = run.threads;
    if (!read_arguments(argc, argv, work == make, &a, &error))
        return long_run_refuse(&run, &error);
    if (work != make && !run.is_first)
        return long_run_end(&run, true, &error); // only tables are made together
    if (work == make && !a.count) {
        error_set(&error, "say how many men, or which endings");
        return long_run_refuse(&run, &error);
    }
    bool ok = work(&a, &error);
    return long_run_end(&run, ok, &error);
}

int tablebase_make(int argc, char **argv)
{
    return act(argc, argv, make);
}

int tablebase_verify(int argc, char **argv)
{
    return act(argc, argv, verify);
}

int tablebase_list(int argc, char **argv)
{
    return act(argc, argv, list_tables);
}
