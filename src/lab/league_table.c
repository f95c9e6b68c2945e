// See league_table.h. Pairs of games are pieces of work (base/spread.h), told apart by their number
// alone; start with piece_at and play_piece.
#include "lab/league_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/thread.h"
#include "core/movegen.h"

LeagueTableConfig league_table_default(void)
{
    const LeagueConfig league = league_default();
    return (LeagueTableConfig){.style = league.style,
                               .depths = LEAGUE_DEPTHS,
                               .pairs = {200, 200, 50, 12},
                               .plies_max = league.plies_max,
                               .seed = 1,
                               .workers = thread_cpu_count()};
}

typedef struct Run {
    const LeagueTableConfig *config;
    LeagueTable *table;
    LeagueTableCallback *callback;
    void *context;
    int populations;
} Run;

// ---- Which game is which ----

// A piece is two games of a cell, both colours: number 0 from the start position, the others from
// openings.
typedef struct Task {
    int depth, population, number;
} Task;

static uint64_t piece_count(const Run *r)
{
    uint64_t count = 0;
    for (int d = 0; d < r->config->depths; d++)
        count += (uint64_t)(r->populations - 1) * (uint64_t)(1 + r->config->pairs[d]);
    return count;
}

// Pieces go by depth, then by population, then by opening.
static Task piece_at(const Run *r, uint64_t index)
{
    int d = 0;
    for (;; d++) {
        const uint64_t row = (uint64_t)(r->populations - 1) * (uint64_t)(1 + r->config->pairs[d]);
        if (index < row)
            break;
        index -= row;
    }
    const uint64_t cell = (uint64_t)(1 + r->config->pairs[d]);
    return (Task){d, 1 + (int)(index / cell), (int)(index % cell)};
}

// An opening by chance that leaves a game to play. Every cell has its own, so that the sum over a
// row has as many openings as games and its error bars hold.
static void draw_opening(uint64_t seed, const Task *task, Position *pos)
{
    const int number = task->number;
    Random random;
    random_init(&random, (seed * 1000003u + (uint64_t)number) * 1009u + (uint64_t)task->population);
    do {
        position_start(pos, &VARIANTS[VARIANT_CHESS], 0, NULL);
        for (int ply = 0; number && ply < LEAGUE_OPENING_PLIES; ply++) {
            Move legal[MAX_MOVES];
            Undo undo;
            const int count = movegen_legal(pos, STAGE_ALL, legal);
            if (!count)
                break;
            position_make(pos, legal[random_below(&random, (uint64_t)count)], &undo);
        }
    } while (position_outcome(pos).result != RESULT_NONE);
}

// ---- Work ----

typedef struct Worker {
    Dna dna[LEAGUE_POPULATIONS_MAX];
    GameStep steps[LEAGUE_PLIES_MAX];
} Worker;

static void population_path(char path[LEAGUE_PATH_SIZE], const char *folder, int population)
{
    snprintf(path, LEAGUE_PATH_SIZE, "%s/population-%02d.dna", folder, population + 1);
}

static void free_worker(void *context, void *state)
{
    Worker *worker = state;
    (void)context;
    for (int p = 0; p < LEAGUE_POPULATIONS_MAX; p++)
        dna_release(&worker->dna[p]);
    free(worker);
}

// Every worker reads the champions itself: processes share nothing but files.
static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    const Run *r = context;
    (void)stop;
    Worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_set(error, "out of memory"), NULL;
    for (int p = 0; p < r->populations; p++) {
        char path[LEAGUE_PATH_SIZE];
        population_path(path, r->config->folder, p);
        if (!dna_read(&worker->dna[p], path, error)) {
            free_worker(context, worker);
            return NULL;
        }
    }
    return worker;
}

// Both games; points of the population against the first one.
static bool play_pair(const Run *r, Worker *worker, const LeagueMind minds[2], const Task *p,
                      const atomic_bool *stop, double points[2])
{
    Position start;
    LeagueResult result;
    draw_opening(r->config->seed, p, &start);
    for (int colour = 0; colour < 2; colour++) {
        if (!league_play(&minds[colour], &minds[!colour], &start, r->config->plies_max,
                         worker->steps, stop, &result))
            return false;
        points[colour] = colour ? 1 - league_points(&result) : league_points(&result);
    }
    return true;
}

// Players at this depth, twice as deep after captures, as the document has it.
static bool play_piece(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                       Error *error)
{
    const Run *r = context;
    Worker *worker = state;
    const Task p = piece_at(r, piece->index);
    LeagueStyle style = r->config->style;
    LeagueMind minds[2] = {0};
    double points[2];
    style.how.normal = p.depth + 1;
    style.how.deep = 2 * (p.depth + 1);
    const bool ok = league_mind_init(&minds[0], &style, &worker->dna[p.population], error) &&
                    league_mind_init(&minds[1], &style, &worker->dna[0], error) &&
                    play_pair(r, worker, minds, &p, piece->stop, points) &&
                    bytes_add(result, points, sizeof points);
    league_mind_release(&minds[0]);
    league_mind_release(&minds[1]);
    return ok;
}

// A pair counts for its own cell and for the sum of its depth.
static bool take_pair(void *context, uint64_t index, const uint8_t *result, size_t size,
                      Error *error)
{
    Run *r = context;
    double points[2];
    const Task p = piece_at(r, index);
    LeagueCell *const cells[2] = {&r->table->cells[p.depth][p.population],
                                  &r->table->totals[p.depth]};
    if (size != sizeof points)
        return error_set(error, "a pair of games came back in a form that is not known");
    memcpy(points, result, size);
    for (int i = 0; i < 2; i++)
        if (p.number)
            cells[i]->pairs.n[(int)(2 * (points[0] + points[1]))]++;
        else
            cells[i]->plain += points[0] + points[1];
    r->table->done += 2;
    if (r->callback)
        r->callback(r->context, r->table);
    return true;
}

// Champions are numbered without gaps.
static int count_populations(const char *folder)
{
    int count = 0;
    char path[LEAGUE_PATH_SIZE];
    for (; count < LEAGUE_POPULATIONS_MAX; count++) {
        population_path(path, folder, count);
        if (!file_exists(path))
            break;
    }
    return count;
}

bool league_table_run(const LeagueTableConfig *config, LeagueTableCallback *callback, void *context,
                      LeagueTable *table, Error *error)
{
    Run r = {.config = config,
             .table = table,
             .callback = callback,
             .context = context,
             .populations =
                 config->populations ? config->populations : count_populations(config->folder)};
    if (r.populations < 2)
        return error_set(error, "%s: there are no populations of a league", config->folder);
    *table = (LeagueTable){
        .populations = r.populations, .depths = config->depths, .games = 2 * piece_count(&r)};
    const SpreadWork work = {.context = &r,
                             .threads = config->workers,
                             .make = make_worker,
                             .free = free_worker,
                             .work = play_piece,
                             .take = take_pair,
                             .count = piece_count(&r),
                             .stop = config->stop};
    return spread_is_first(config->team) ? spread_run(config->team, &work, error)
                                         : spread_serve(config->team, &work, error);
}

// A row of the CSV file: points from the start position, then what the openings gave.
static void write_cell(FILE *out, int depth, const char *population, const LeagueCell *cell)
{
    const EloEstimate e = elo_from_pairs(&cell->pairs);
    uint64_t pairs = 0;
    for (int i = 0; i < 5; i++)
        pairs += cell->pairs.n[i];
    fprintf(out, "%d/%d,%s,%g,%llu,%.4f,%.1f,%.1f\n", depth + 1, 2 * depth + 2, population,
            cell->plain, (unsigned long long)(2 * pairs), e.score, e.elo, e.error);
}

bool league_table_write(const LeagueTable *table, const char *folder, Error *error)
{
    char path[LEAGUE_PATH_SIZE], name[16];
    FileWriter writer;
    snprintf(path, sizeof path, "%s/table.csv", folder);
    if (!file_begin(&writer, path, error))
        return false;
    fputs("depth,population,points of 2,games,score,elo,error\n", writer.out);
    for (int d = 0; d < table->depths; d++) {
        for (int p = 1; p < table->populations; p++) {
            snprintf(name, sizeof name, "%d", p + 1);
            write_cell(writer.out, d, name, &table->cells[d][p]);
        }
        write_cell(writer.out, d, "all", &table->totals[d]);
    }
    return file_commit(&writer, error);
}
