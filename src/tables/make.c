// See make.h. Start with tables_make; make_table is what a worker does.
#include "tables/make.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tables/own.h"
#include "tables/table_file.h"

enum { PATH_SIZE = 1024, WORK_A_NUMBER = 2 /* for the progress: solving, packing */ };

typedef enum JobState { WANTED, UNDER_WAY, DONE } JobState;

typedef struct Job {
    Material material;
    JobState state;
    uint64_t memory;
} Job;

typedef struct Maker {
    const MakeConfig *config;
    MakeSummary *summary;
    char folder[PATH_SIZE]; // of the game
    Job *jobs;
    int count;
    int *piece_job;  // which job a piece of work is
    uint64_t memory; // of jobs under way
    Error error;     // why nothing could be given
    bool has_failed;
} Maker;

// ---- Files ----

static void file_path(const Maker *maker, const Material *material, TableKind kind,
                      char path[PATH_SIZE + TABLE_NAME_SIZE + 1])
{
    char name[TABLE_NAME_SIZE];
    table_file_name(material, kind, name);
    snprintf(path, PATH_SIZE + TABLE_NAME_SIZE + 1, "%s/%s", maker->folder, name);
}

static uint8_t *read_table(const Maker *maker, const Material *material, TableKind kind,
                           size_t *size, Error *error)
{
    char path[PATH_SIZE + TABLE_NAME_SIZE + 1];
    file_path(maker, material, kind, path);
    return (uint8_t *)file_read(path, SIZE_MAX / 2, size, error);
}

// Is a file there, whole and the right one?
static bool is_whole(const Maker *maker, const Material *material, TableKind kind, size_t *size)
{
    uint8_t *bytes = read_table(maker, material, kind, size, NULL);
    Table *table = malloc(sizeof *table);
    bool ok = bytes && table && table_open(table, maker->config->rules, bytes, *size, NULL);
    if (ok) {
        ok = table->kind == kind && material_is_same(&table->layout.material, material);
        table_release(table);
    } else if (!table) {
        free(bytes);
    }
    free(table);
    return ok;
}

// ---- A worker's part ----

// What a worker tells the progress bar; 0 in other processes than the first.
typedef struct Told {
    Progress *progress;
    uint64_t units;
} Told;

static void tell(void *context, uint64_t units)
{
    Told *told = context;
    if (!told->progress)
        return;
    progress_add(told->progress, units);
    told->units += units;
}

// The input of a piece: the material, then the files of its children, each with its size before it.
static bool read_children(const Rules *rules, const uint8_t *at, const uint8_t *end,
                          KnownTable *known, int *count, Error *error)
{
    Table *table = malloc(sizeof *table);
    bool ok = table || error_set(error, "out of memory");
    for (uint64_t size; ok && bytes_take(&at, end, &size, sizeof size);) {
        uint8_t *bytes = malloc(size);
        ok = bytes && bytes_take(&at, end, bytes, size);
        if (!ok) {
            free(bytes);
            error_set(error, "out of memory");
            break;
        }
        ok = table_open(table, rules, bytes, size, error);
        if (ok) {
            ok = table_get_known(table, &known[*count], error);
            *count += ok;
            table_release(table);
        }
    }
    free(table);
    return ok;
}

// The result: units told, then both files, each with its size before it.
static bool add_file(const Solution *solution, TableKind kind, Bytes *result, Error *error)
{
    Bytes file = {0};
    bool ok = table_write(solution, kind, &file, error);
    uint64_t size = file.size;
    ok = ok && ((bytes_add(result, &size, sizeof size) && bytes_add(result, file.at, file.size)) ||
                error_set(error, "out of memory"));
    bytes_release(&file);
    return ok;
}

static bool make_table(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                       Error *error)
{
    const Maker *maker = context;
    const MakeConfig *config = maker->config;
    const uint8_t *at = piece->input, *end = at + piece->input_size;
    Told told = {.progress = spread_is_first(config->team) ? config->progress : NULL};
    KnownTable *known = calloc(64, sizeof *known);
    Solution solution;
    SolveConfig solving = {.rules = config->rules,
                           .known = known,
                           .stop = piece->stop,
                           .on_work = tell,
                           .context = &told};
    (void)state;
    bool ok = known && bytes_take(&at, end, &solving.material, sizeof solving.material) &&
              read_children(config->rules, at, end, known, &solving.known_count, error) &&
              solve(&solution, &solving, error);
    for (int i = 0; known && i < solving.known_count; i++)
        known_release(&known[i]);
    free(known);
    if (!ok)
        return false;
    uint64_t nodes = solution.layout.size * (uint64_t)solution.layout.sides;
    ok = bytes_add(result, &told.units, sizeof told.units) || error_set(error, "out of memory");
    ok = ok && add_file(&solution, TABLE_WDZ, result, error);
    tell(&told, nodes / 2);
    ok = ok && add_file(&solution, TABLE_DTM, result, error);
    tell(&told, nodes - nodes / 2);
    if (ok)
        memcpy(result->at, &told.units, sizeof told.units);
    solution_release(&solution);
    return ok;
}

// ---- The first process's part ----

static const Job *find_job(const Maker *maker, const Material *material)
{
    for (int i = 0; i < maker->count; i++)
        if (material_is_same(&maker->jobs[i].material, material))
            return &maker->jobs[i];
    return NULL;
}

static bool is_ready(const Maker *maker, const Job *job)
{
    Material children[64];
    int count = material_children(&job->material, maker->config->rules, children);
    for (int i = 0; i < count; i++)
        if (find_job(maker, &children[i])->state != DONE)
            return false;
    return job->state == WANTED && (!maker->memory || !maker->config->memory ||
                                    maker->memory + job->memory <= maker->config->memory);
}

// Adds what a worker needs to know.
static bool add_input(const Maker *maker, const Job *job, Bytes *input, Error *error)
{
    Material children[64];
    int count = material_children(&job->material, maker->config->rules, children);
    bool ok = bytes_add(input, &job->material, sizeof job->material);
    for (int i = 0; i < count && ok; i++) {
        size_t file_size;
        uint8_t *bytes = read_table(maker, &children[i], TABLE_DTM, &file_size, error);
        if (!bytes)
            return false;
        uint64_t size = file_size;
        ok = bytes_add(input, &size, sizeof size) && bytes_add(input, bytes, file_size);
        free(bytes);
    }
    return ok || error_set(error, "out of memory");
}

static SpreadGift give(void *context, uint64_t index, Bytes *input)
{
    Maker *maker = context;
    int left = 0;
    for (int i = 0; i < maker->count && !maker->has_failed; i++) {
        Job *job = &maker->jobs[i];
        left += job->state == WANTED;
        if (!is_ready(maker, job))
            continue;
        if (!add_input(maker, job, input, &maker->error)) {
            maker->has_failed = true;
            break;
        }
        job->state = UNDER_WAY;
        maker->memory += job->memory;
        maker->piece_job[index] = i;
        return SPREAD_PIECE;
    }
    return left && !maker->has_failed ? SPREAD_WAIT : SPREAD_END;
}

static bool write_file(Maker *maker, const Job *job, TableKind kind, const uint8_t **at,
                       const uint8_t *end, uint64_t *size, Error *error)
{
    char path[PATH_SIZE + TABLE_NAME_SIZE + 1];
    bool ok = bytes_take(at, end, size, sizeof *size) && (uint64_t)(end - *at) >= *size;
    if (!ok)
        return error_set(error, "a table came back damaged");
    file_path(maker, &job->material, kind, path);
    ok = file_write(path, *at, *size, error);
    *at += *size;
    maker->summary->bytes[kind == TABLE_DTM] += *size;
    return ok;
}

static bool take(void *context, uint64_t index, const uint8_t *result, size_t size, Error *error)
{
    Maker *maker = context;
    const MakeConfig *config = maker->config;
    Job *job = &maker->jobs[maker->piece_job[index]];
    const uint8_t *at = result, *end = result + size;
    uint64_t told = 0, file_size[2];
    if (!bytes_take(&at, end, &told, sizeof told) ||
        !write_file(maker, job, TABLE_WDZ, &at, end, &file_size[0], error) ||
        !write_file(maker, job, TABLE_DTM, &at, end, &file_size[1], error))
        return false;
    job->state = DONE;
    maker->memory -= job->memory;
    maker->summary->made++;
    if (config->progress)
        progress_add(config->progress,
                     WORK_A_NUMBER * layout_nodes(config->rules, &job->material) - told);
    char name[MATERIAL_NAME_SIZE];
    material_write(&job->material, name);
    if (config->on_table)
        config->on_table(config->context, name, file_size[0], file_size[1]);
    return true;
}

// Lists what is to be done, children first, and what is there already.
static bool list_jobs(Maker *maker, Error *error)
{
    const MakeConfig *config = maker->config;
    Material *all = calloc(MATERIAL_LIST_SIZE, sizeof *all);
    uint64_t work = 0;
    for (int i = 0; all && i < config->count; i++)
        maker->count =
            material_add_with_children(&config->list[i], config->rules, all, maker->count);
    maker->jobs = calloc((size_t)maker->count + 1, sizeof *maker->jobs);
    maker->piece_job = calloc((size_t)maker->count + 1, sizeof *maker->piece_job);
    bool ok = (all && maker->jobs && maker->piece_job) || error_set(error, "out of memory");
    if (ok && maker->count == MATERIAL_LIST_SIZE)
        ok = error_set(error, "these are too many tables for one run");
    for (int i = 0; ok && i < maker->count; i++) {
        Job *job = &maker->jobs[i];
        size_t size[2];
        job->material = all[i];
        job->memory = solve_memory(config->rules, &all[i]);
        bool is_there = is_whole(maker, &all[i], TABLE_WDZ, &size[0]) &&
                        is_whole(maker, &all[i], TABLE_DTM, &size[1]);
        char name[MATERIAL_NAME_SIZE];
        material_write(&all[i], name);
        if (is_there) {
            job->state = DONE;
            maker->summary->kept++;
            for (int k = 0; k < 2; k++)
                maker->summary->bytes[k] += size[k];
        } else if (config->memory && job->memory > config->memory) {
            ok = error_set(error, "%s needs about %llu MB of memory, more than the %llu allowed",
                           name, (unsigned long long)(job->memory >> 20),
                           (unsigned long long)(config->memory >> 20));
        } else {
            work += WORK_A_NUMBER * layout_nodes(config->rules, &all[i]);
        }
    }
    if (config->progress)
        config->progress->total = work;
    free(all);
    return ok;
}

bool tables_make(const MakeConfig *config, MakeSummary *summary, Error *error)
{
    Maker maker = {.config = config, .summary = summary};
    *summary = (MakeSummary){0};
    SpreadWork work = {.context = &maker,
                       .threads = config->threads,
                       .work = make_table,
                       .give = give,
                       .take = take,
                       .count = UINT64_MAX,
                       .stop = config->stop};
    if (!spread_is_first(config->team))
        return spread_serve(config->team, &work, error);
    bool ok = own_folder(config->folder, config->rules, maker.folder, sizeof maker.folder) ||
              error_set(error, "%s has no tables of own, or the folder's name is too long",
                        config->rules->title);
    ok = ok && file_make_folder(maker.folder, error) && list_jobs(&maker, error) &&
         spread_run(config->team, &work, error);
    if (ok && maker.has_failed) {
        *error = maker.error;
        ok = false;
    }
    free(maker.jobs);
    free(maker.piece_job);
    return ok;
}
