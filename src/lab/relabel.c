// See relabel.h. Games are pieces of work (base/spread.h), read and written in the old order.
#include "lab/relabel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "lab/datagen.h"

enum { CHANGE_MAX = 1000 };

typedef struct Relabel {
    const RelabelConfig *config;
    const Rules *rules;
    // Only in the first process, one call at a time:
    DataReader *reader;
    DataWriter *writer;
    Progress *progress;
    const uint8_t *at, *end; // what is left of the block
    uint32_t games;          // and how many games that is
    DataGame game;           // the last one read
    uint64_t seen;           // games read so far
    uint64_t done;           // bytes told to the progress
    RelabelStatus *status;
} Relabel;

// What comes back of a game, with its bytes behind it.
typedef struct Relabelled {
    RelabelStatus change; // what it adds to the status
    int plies;
} Relabelled;

// ---- Handing out ----

static void show_progress(Relabel *r)
{
    uint64_t done, total;
    data_reader_progress(r->reader, &done, &total);
    if (r->progress)
        progress_add(r->progress, done - r->done);
    r->done = done;
}

// Goes on to the next good block; false at the end of the file.
static bool next_block(Relabel *r)
{
    DataBlock block;
    DataStatus found;
    while ((found = data_reader_next(r->reader, &block, NULL)) == DATA_DAMAGED)
        r->status->damages++;
    show_progress(r);
    if (found == DATA_END)
        return false;
    r->at = block.bytes;
    r->end = r->at + block.size;
    r->games = block.games;
    return true;
}

// The next game that is not in the new file.
static SpreadGift give_game(void *context, uint64_t number, Bytes *input)
{
    (void)number;
    Relabel *r = context;
    while (true) {
        while (!r->games)
            if (!next_block(r))
                return SPREAD_END;
        const uint8_t *begin = r->at;
        r->games--;
        if (!data_decode(&r->at, r->end, r->rules, &r->game, NULL)) {
            r->status->damages++;
            r->games = 0;
        } else if (r->seen++ >= r->status->resumed_games) {
            return bytes_add(input, begin, (size_t)(r->at - begin)) ? SPREAD_PIECE : SPREAD_END;
        }
    }
}

// ---- Searching ----

static bool search_positions(const Relabel *r, DatagenWorker *w, const atomic_bool *stop,
                             RelabelStatus *change)
{
    DataGame *game = &w->game;
    SearchLimits limits = search_limits_none();
    limits.nodes = r->config->nodes;
    engine_new_game(w->engine, NULL);
    for (int i = game->opening; i < game->count; i++) {
        SearchResult found;
        if (stop_is_set(stop))
            return false;
        if (!data_is_full(game, i))
            continue;
        engine_set_position(w->engine, &game->start, game->moves, i, NULL);
        engine_think(w->engine, &limits, NULL, NULL, &found);
        bool is_white = engine_position(w->engine)->side == WHITE;
        int score = is_white ? found.score : -found.score, old = game->scores[i];
        if (abs(score) <= CHANGE_MAX && abs(old) <= CHANGE_MAX) {
            change->change_sum += abs(score - old);
            change->change_count++;
        }
        game->scores[i] = (int16_t)score;
        change->positions++;
    }
    return true;
}

static bool search_game(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                        Error *error)
{
    const Relabel *r = context;
    DatagenWorker *w = state;
    Relabelled done = {.change = {.games = 1}};
    const uint8_t *at = piece->input;
    if (!data_decode(&at, at + piece->input_size, r->rules, &w->game, error) ||
        !search_positions(r, w, piece->stop, &done.change))
        return false;
    uint8_t bytes[DATA_GAME_SIZE];
    size_t size = data_encode(&w->game, bytes);
    done.plies = w->game.count;
    return (bytes_add(result, &done, sizeof done) && bytes_add(result, bytes, size)) ||
           error_set(error, "out of memory");
}

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    const RelabelConfig *c = ((const Relabel *)context)->config;
    (void)stop;
    return datagen_worker_new(c->net, c->hash_mb, error);
}

static void free_worker(void *context, void *state)
{
    (void)context;
    datagen_worker_free(state);
}

// ---- Writing ----

static bool write_game(void *context, uint64_t number, const uint8_t *result, size_t size,
                       Error *error)
{
    Relabel *r = context;
    RelabelStatus *s = r->status;
    Relabelled done;
    const uint8_t *at = result;
    if (!bytes_take(&at, result + size, &done, sizeof done))
        return error_set(error, "game %" PRIu64 " came back damaged", number);
    s->games++;
    s->positions += done.change.positions;
    s->change_sum += done.change.change_sum;
    s->change_count += done.change.change_count;
    return data_writer_add(r->writer, at, size - sizeof done, done.plies, error);
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

// Opens the new file and does what it lacks.
static bool relabel(Relabel *r, const SpreadWork *work, Error *error)
{
    const RelabelConfig *c = r->config;
    DataHeader header;
    uint64_t plies;
    if (!make_header(c, data_reader_header(r->reader), &header))
        return error_set(error, "%s: no room in its header", c->from);
    r->writer = data_writer_open(c->to, &header, true, &r->status->resumed_games, &plies, error);
    if (!r->writer)
        return false;
    bool ok = spread_run(c->team, work, error);
    return data_writer_close(r->writer, !ok || stop_is_set(c->stop), ok ? error : NULL) && ok;
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
    r->progress = progress;
    r->status = status;
    r->reader = data_reader_open(config->from, error);
    SpreadWork work = {.context = r,
                       .threads = config->workers,
                       .make = make_worker,
                       .free = free_worker,
                       .work = search_game,
                       .give = give_game,
                       .take = write_game,
                       .count = UINT64_MAX,
                       .is_in_order = true,
                       .stop = config->stop};
    bool ok = r->reader;
    if (ok) {
        r->rules = data_reader_rules(r->reader);
        ok = spread_is_first(config->team) ? relabel(r, &work, error)
                                           : spread_serve(config->team, &work, error);
    }
    data_reader_close(r->reader);
    free(r);
    return ok;
}
