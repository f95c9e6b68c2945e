// `lovac perft`: counts move sequences, on one thread or many, plain or with a table.
// The counting itself is core/perft.h; here the tree is cut into branches and shared out.
#include "app/command.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char help_perft[] =
    "Usage: lovac perft DEPTH [options]\n"
    "\n"
    "Counts the sequences of DEPTH legal moves from a position: the proof of the move\n"
    "generator, and a measure of its speed. The last line is `Nodes searched: N`.\n"
    "\n"
    "  --variant NAME   the game (chess, chess960, horde32, legan, corner, fortress, ...)\n"
    "  --start N        its start position number N (or seed, for massacre)\n"
    "  --fen FEN        any other position\n"
    "  --divide         the count behind each first move\n"
    "  --threads N      share the work out over N threads (1)\n"
    "  --hash MB        remember counts in a table of that size (0: none)\n"
    "  --json           the result as a JSON object\n"
    "  --quiet          no progress bar\n"
    "\n"
    "Example: lovac perft 6 --variant legan --divide --threads 2\n";

enum { MAX_DEPTH = 64, MANY_BRANCHES = 256, MIN_BRANCH_DEPTH = 3 };

// A position some plies below the root, with the first move that led to it.
typedef struct Branch {
    Position pos;
    int first_move;
} Branch;

typedef struct Count {
    Branch *branches;
    size_t branch_count;
    int depth; // left below the branches
    PerftTable table;
    Move moves[MAX_MOVES]; // at the root
    _Atomic uint64_t nodes[MAX_MOVES];
    Progress progress;
} Count;

static bool no_memory(Error *error)
{
    return error_set(error, "not enough memory");
}

// Replaces every branch by its children.
static bool branches_split(Count *count, Error *error)
{
    size_t room = count->branch_count * 32 + MAX_MOVES, used = 0;
    Branch *children = malloc(room * sizeof *children);
    if (!children)
        return no_memory(error);
    for (size_t i = 0; i < count->branch_count; i++) {
        Move list[MAX_MOVES];
        int moves = movegen_legal(&count->branches[i].pos, STAGE_ALL, list);
        if (used + MAX_MOVES > room) {
            room = room * 2 + MAX_MOVES;
            Branch *larger = realloc(children, room * sizeof *children);
            if (!larger) {
                free(children);
                return no_memory(error);
            }
            children = larger;
        }
        for (int j = 0; j < moves; j++) {
            Undo undo;
            children[used] = count->branches[i];
            position_make(&children[used++].pos, list[j], &undo);
        }
    }
    free(count->branches);
    count->branches = children;
    count->branch_count = used;
    count->depth--;
    return true;
}

// The root's moves, and below them branches enough to keep all threads busy to the end.
static bool branches_init(Count *count, const Position *root, int depth, int root_moves,
                          Error *error)
{
    count->branches = malloc((size_t)(root_moves ? root_moves : 1) * sizeof *count->branches);
    if (!count->branches)
        return no_memory(error);
    for (int i = 0; i < root_moves; i++) {
        Undo undo;
        count->branches[i] = (Branch){.pos = *root, .first_move = i};
        position_make(&count->branches[i].pos, count->moves[i], &undo);
    }
    count->branch_count = (size_t)root_moves;
    count->depth = depth - 1;
    while (count->depth > MIN_BRANCH_DEPTH && count->branch_count > 0 &&
           count->branch_count < MANY_BRANCHES)
        if (!branches_split(count, error))
            return false;
    return true;
}

static void count_branch(void *context, size_t index, int worker)
{
    Count *count = context;
    const Branch *branch = &count->branches[index];
    uint64_t nodes = count->table.entries ? perft_hashed(&branch->pos, count->depth, &count->table)
                                          : perft(&branch->pos, count->depth);
    (void)worker;
    atomic_fetch_add_explicit(&count->nodes[branch->first_move], nodes, memory_order_relaxed);
    progress_add(&count->progress, 1);
}

// The largest power of two of entries that fits.
static bool table_init(PerftTable *table, uint64_t megabytes, Error *error)
{
    if (megabytes == 0)
        return true;
    table->count = 1;
    while (table->count * 2 * sizeof *table->entries <= megabytes << 20)
        table->count *= 2;
    table->entries = calloc(table->count, sizeof *table->entries);
    return table->entries || error_set(error, "no memory for a table of %" PRIu64 " MB", megabytes);
}

typedef struct PerftJob {
    Position root;
    int depth, threads;
    uint64_t hash_mb;
    bool divide, quiet, chess960, is_json;
} PerftJob;

static uint64_t sum_counts(const PerftJob *job, const Count *count, int root_moves)
{
    uint64_t total = 0;
    for (int i = 0; i < root_moves; i++)
        total += count->nodes[i];
    return job->depth > 0 ? total : 1;
}

static void print_counts(const PerftJob *job, const Count *count, int root_moves)
{
    for (int i = 0; i < root_moves; i++) {
        char text[MOVE_TEXT_SIZE];
        move_to_uci(&job->root, count->moves[i], job->chess960, text);
        if (job->divide)
            printf("%s: %" PRIu64 "\n", text, count->nodes[i]);
    }
    if (job->divide && job->depth > 0)
        printf("\n");
}

static void print_result(const PerftJob *job, const Count *count, int root_moves, double seconds)
{
    uint64_t total = sum_counts(job, count, root_moves);
    print_counts(job, count, root_moves);
    printf("Time: %.3f s\nNodes/s: %.0f\nNodes searched: %" PRIu64 "\n", seconds,
           (double)total / seconds, total);
}

static bool print_json(const PerftJob *job, const Count *count, int root_moves, double seconds,
                       Error *error)
{
    char text[MOVE_TEXT_SIZE];
    uint64_t total = sum_counts(job, count, root_moves);
    Json json = {0};
    json_open(&json, NULL, '{');
    setup_add_json(&json, &job->root);
    json_int(&json, "depth", job->depth);
    json_count(&json, "nodes", total);
    json_decimal(&json, "seconds", seconds, 6);
    json_decimal(&json, "nps", (double)total / seconds, 0);
    if (job->divide) {
        json_open(&json, "divide", '{');
        for (int i = 0; i < root_moves; i++) {
            move_to_uci(&job->root, count->moves[i], job->chess960, text);
            json_count(&json, text, count->nodes[i]);
        }
        json_close(&json);
    }
    json_close(&json);
    return json_print(&json, stdout, error);
}

static bool perft_run(const PerftJob *job, Error *error)
{
    Count *count = calloc(1, sizeof *count);
    if (!count)
        return no_memory(error);
    int64_t start_ns = clock_ns();
    int root_moves = job->depth > 0 ? movegen_legal(&job->root, STAGE_ALL, count->moves) : 0;
    bool ok = table_init(&count->table, job->hash_mb, error);
    if (ok && job->depth > 0) {
        ok = branches_init(count, &job->root, job->depth, root_moves, error);
        if (ok) {
            progress_init(&count->progress, stderr, "perft", "branches", count->branch_count,
                          job->quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
            parallel_for(count->branch_count, job->threads, count_branch, count);
            progress_end(&count->progress);
        }
    }
    double seconds = (double)(clock_ns() - start_ns) / 1e9;
    if (ok && job->is_json)
        ok = print_json(job, count, root_moves, seconds, error);
    else if (ok)
        print_result(job, count, root_moves, seconds);
    free(count->table.entries);
    free(count->branches);
    free(count);
    return ok;
}

int cmd_perft(int argc, char **argv)
{
    Setup setup = {0};
    PerftJob job = {0};
    long long threads = 1, hash_mb = 0, depth = 0;
    const Option options[] = {
        OPTIONS_SETUP(&setup),
        {.name = "divide", .kind = OPTION_FLAG, .value = &job.divide},
        OPTION_THREADS(&threads),
        {.name = "hash", .kind = OPTION_INT, .value = &hash_mb, .low = 0, .high = 1 << 20},
        OPTION_JSON(&job.is_json),
        OPTION_QUIET(&job.quiet),
        {0}};
    Words words;
    Error error;
    if (!options_read(argc, argv, options, &words, &error))
        return options_refuse("perft", &error);
    if (words.count != 1 || !str_to_int(words.at[0], 0, MAX_DEPTH, &depth)) {
        error_set(&error,
                  words.count == 1 ? "DEPTH must be a whole number from 0 to %d, not '%.60s'"
                                   : "give one DEPTH, from 0 to %d",
                  MAX_DEPTH, words.count == 1 ? words.at[0] : "");
        return options_refuse("perft", &error);
    }
    if (!setup_position(&setup, &job.root, &error))
        return options_refuse("perft", &error);
    job.depth = (int)depth;
    job.threads = (int)threads;
    job.hash_mb = (uint64_t)hash_mb;
    job.chess960 = setup_is_chess960(&job.root);
    if (perft_run(&job, &error))
        return EXIT_OK;
    fprintf(stderr, "lovac perft: %s\n", error.text);
    return EXIT_FAILED;
}
