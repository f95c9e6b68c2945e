// See relabel.h. A batch of games is read, searched on all cores and written in the old order.
#include "lab/relabel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "lab/datagen.h"

enum { BATCH = 256, CHANGE_MAX = 1000 };

typedef struct Relabel {
    const RelabelConfig *config;
    DataReader *reader;
    DataWriter *writer;
    Engine **engines;             // one for each worker
    DataGame *games;              // the batch
    RelabelStatus changes[BATCH]; // what each game adds to the status
    int count;
    uint64_t seen; // games read so far
    uint64_t done; // bytes told to the progress
    RelabelStatus *status;
} Relabel;

static bool is_stopped(const Relabel *r)
{
    return r->config->stop && atomic_load_explicit(r->config->stop, memory_order_relaxed);
}

static void search_game(void *context, size_t index, int worker)
{
    Relabel *r = context;
    Engine *engine = r->engines[worker];
    DataGame *game = &r->games[index];
    RelabelStatus *change = &r->changes[index];
    SearchLimits limits = search_limits_none();
    limits.nodes = r->config->nodes;
    *change = (RelabelStatus){.games = 1};
    engine_new_game(engine, NULL);
    for (int i = game->opening; i < game->count && !is_stopped(r); i++) {
        SearchResult found;
        engine_set_position(engine, &game->start, game->moves, i, NULL);
        engine_think(engine, &limits, NULL, NULL, &found);
        bool is_white = engine_position(engine)->side == WHITE;
        int score = is_white ? found.score : -found.score, old = game->scores[i];
        if (abs(score) <= CHANGE_MAX && abs(old) <= CHANGE_MAX) {
            change->change_sum += abs(score - old);
            change->change_count++;
        }
        game->scores[i] = (int16_t)score;
        change->positions++;
    }
}

// Searches the batch and writes it; a batch that was stopped is not written.
static bool finish_batch(Relabel *r, Error *error)
{
    parallel_for((size_t)r->count, r->config->workers, search_game, r);
    bool ok = true;
    for (int i = 0; ok && !is_stopped(r) && i < r->count; i++) {
        uint8_t bytes[DATA_GAME_SIZE];
        size_t size = data_encode(&r->games[i], bytes);
        ok = data_writer_add(r->writer, bytes, size, r->games[i].count, error);
        r->status->games++;
        r->status->positions += r->changes[i].positions;
        r->status->change_sum += r->changes[i].change_sum;
        r->status->change_count += r->changes[i].change_count;
    }
    r->count = 0;
    return ok;
}

static bool take_block(Relabel *r, const DataBlock *block, Error *error)
{
    const uint8_t *at = block->bytes, *end = at + block->size;
    bool ok = true;
    for (uint32_t i = 0; ok && i < block->games && !is_stopped(r); i++) {
        if (!data_decode(&at, end, data_reader_rules(r->reader), &r->games[r->count], NULL)) {
            r->status->damages++;
            break;
        }
        if (r->seen++ < r->status->resumed_games)
            continue;
        if (++r->count == BATCH)
            ok = finish_batch(r, error);
    }
    return ok;
}

static bool run(Relabel *r, Progress *progress, Error *error)
{
    DataBlock block;
    DataStatus found;
    bool ok = true;
    while (ok && !is_stopped(r) &&
           (found = data_reader_next(r->reader, &block, NULL)) != DATA_END) {
        if (found == DATA_DAMAGED)
            r->status->damages++;
        else
            ok = take_block(r, &block, error);
        uint64_t done, total;
        data_reader_progress(r->reader, &done, &total);
        if (progress)
            progress_add(progress, done - r->done);
        r->done = done;
    }
    return ok && (is_stopped(r) || finish_batch(r, error));
}

// The old header without an earlier relabelling, and how it is done now.
static bool make_header(const RelabelConfig *c, const DataHeader *old, DataHeader *header)
{
    char nodes[32];
    header->text[0] = 0;
    for (const char *line = old->text; *line;) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        if (strncmp(line, "relabel_", 8))
            strncat(header->text, line, n);
        line += n;
    }
    snprintf(nodes, sizeof nodes, "%" PRIu64, c->nodes);
    return data_header_add(header, "relabel_nodes", nodes) &&
           data_header_add(header, "relabel_net", c->net ? c->net : "");
}

static bool make_engines(Relabel *r, Error *error)
{
    r->engines = calloc((size_t)r->config->workers, sizeof *r->engines);
    r->games = calloc(BATCH, sizeof *r->games);
    if (!r->engines || !r->games)
        return error_set(error, "out of memory");
    for (int i = 0; i < r->config->workers; i++)
        if (!(r->engines[i] = datagen_engine(r->config->net, r->config->hash_mb, error)))
            return false;
    return true;
}

static void release(Relabel *r)
{
    for (int i = 0; r->engines && i < r->config->workers; i++)
        engine_free(r->engines[i]);
    free(r->engines);
    free(r->games);
    data_reader_close(r->reader);
    free(r);
}

bool relabel_run(const RelabelConfig *config, Progress *progress, RelabelStatus *status,
                 Error *error)
{
    *status = (RelabelStatus){0};
    if (config->workers < 1 || !config->nodes)
        return error_set(error, "relabel: workers and nodes must be at least 1");
    Relabel *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(error, "out of memory");
    r->config = config;
    r->status = status;
    r->reader = data_reader_open(config->from, error);
    DataHeader header;
    uint64_t plies;
    bool ok = r->reader && make_engines(r, error);
    if (ok && !make_header(config, data_reader_header(r->reader), &header))
        ok = error_set(error, "%s: no room in its header", config->from);
    if (ok)
        r->writer =
            data_writer_open(config->to, &header, true, &status->resumed_games, &plies, error);
    if (ok && r->writer) {
        ok = run(r, progress, error);
        ok = data_writer_close(r->writer, !ok || is_stopped(r), ok ? error : NULL) && ok;
    } else {
        ok = false;
    }
    release(r);
    return ok;
}
