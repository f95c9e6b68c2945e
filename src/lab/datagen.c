// See datagen.h. Workers play games by number; finished games wait in a ring until all before them
// are written.
#include "lab/datagen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "core/movegen.h"

enum { RING_PER_WORKER = 64 };

DatagenConfig datagen_default(void)
{
    return (DatagenConfig){
        .rules = &VARIANTS[VARIANT_CHESS],
        .nodes = 1000,
        .seed = 1,
        .workers = thread_cpu_count(),
        .hash_mb = 2,
        .recipe = {.plies_min = 8, .plies_max = 9, .score_max = 400, .nodes = 1000},
        .win_score = 1500,
        .win_plies = 6,
        .draw_score = 4,
        .draw_plies = 12,
        .draw_from_ply = 80};
}

static uint64_t game_seed(const DatagenConfig *c, uint64_t number)
{
    uint64_t state = c->seed ^ number * 0x9fb21c651e98df25u;
    random_split(&state);
    return random_split(&state);
}

// How long the game has been clearly won (by White, by Black) or level.
typedef struct Verdicts {
    int white, black, level;
} Verdicts;

static Result adjudicate(const DatagenConfig *c, Verdicts *v, int score, int ply)
{
    v->white = score >= c->win_score ? v->white + 1 : 0;
    v->black = score <= -c->win_score ? v->black + 1 : 0;
    v->level = abs(score) <= c->draw_score && ply >= c->draw_from_ply ? v->level + 1 : 0;
    // A mate that the search has seen needs no more moves.
    if (score_is_mate(score))
        return score > 0 ? RESULT_WHITE : RESULT_BLACK;
    if (c->win_plies && v->white >= c->win_plies)
        return RESULT_WHITE;
    if (c->win_plies && v->black >= c->win_plies)
        return RESULT_BLACK;
    return c->draw_plies && v->level >= c->draw_plies ? RESULT_DRAW : RESULT_NONE;
}

static void make_opening(const DatagenConfig *c, Engine *engine, Random *random, DataGame *game)
{
    Opening opening;
    opening_make(&opening, c->rules, &c->recipe, random, engine);
    game->start = opening.start;
    game->opening = game->count = opening.count;
    memcpy(game->moves, opening.moves, (size_t)opening.count * sizeof *opening.moves);
    memset(game->scores, 0, (size_t)opening.count * sizeof *game->scores);
    game->has_number = opening.has_number;
    game->number = opening.number;
}

static void end_game(DataGame *game, Result result, Reason reason)
{
    game->result = result;
    game->reason = reason;
}

void datagen_play(const DatagenConfig *c, Engine *engine, uint64_t number, DataGame *game)
{
    GameStep steps[DATA_PLIES_MAX];
    Game play;
    Random random;
    random_init(&random, game_seed(c, number));
    make_opening(c, engine, &random, game);
    engine_new_game(engine, NULL);
    game_init(&play, &game->start, steps, DATA_PLIES_MAX);
    for (int i = 0; i < game->count; i++)
        game_play(&play, game->moves[i], NULL);
    SearchLimits limits = search_limits_none();
    limits.nodes = c->nodes;
    Verdicts verdicts = {0};
    while (true) {
        Outcome outcome = game_outcome(&play);
        if (outcome.result != RESULT_NONE) {
            end_game(game, outcome.result, outcome.reason);
            return;
        }
        SearchResult found;
        engine_set_position(engine, &game->start, game->moves, game->count, NULL);
        engine_think(engine, &limits, NULL, NULL, &found);
        int score = play.now.side == WHITE ? found.score : -found.score;
        Result result = adjudicate(c, &verdicts, score, game->count);
        if (result == RESULT_NONE && game->count == DATA_PLIES_MAX)
            result = RESULT_DRAW;
        if (result != RESULT_NONE) {
            end_game(game, result, REASON_ADJUDICATION);
            return;
        }
        game->scores[game->count] = (int16_t)score;
        game->moves[game->count++] = found.best;
        game_play(&play, found.best, NULL);
    }
}

// ---- Many games ----

// A finished game that waits for its turn.
typedef struct Slot {
    bool is_full;
    size_t size;
    int plies, kept;
    Result result;
    uint8_t bytes[DATA_GAME_SIZE];
} Slot;

typedef struct Datagen {
    const DatagenConfig *config;
    DatagenCallback *callback;
    void *context;
    DataWriter *writer;
    Mutex mutex;
    Signal room; // a place in the ring became free
    // under the mutex
    Slot *ring;
    uint64_t ring_size, next, written; // games to begin, games in the file
    DatagenStatus *status;
    int64_t start_ms;
    bool is_over, has_failed;
    Error error;
} Datagen;

// The games of this part are numbered from 0 here; this is the number among all.
static uint64_t number_of(const DatagenConfig *c, uint64_t own)
{
    return c->parts > 1 ? own * (uint64_t)c->parts + (uint64_t)c->part : own;
}

static bool is_beyond_end(const DatagenConfig *c, uint64_t own)
{
    return c->games && number_of(c, own) >= c->games;
}

static bool is_stopped(const Datagen *d)
{
    return d->is_over ||
           (d->config->stop && atomic_load_explicit(d->config->stop, memory_order_relaxed));
}

static bool take_number(Datagen *d, uint64_t *number)
{
    mutex_lock(&d->mutex);
    while (!is_stopped(d) && d->next >= d->written + d->ring_size)
        signal_wait_ms(&d->room, &d->mutex, 100);
    bool ok = !is_stopped(d) && !is_beyond_end(d->config, d->next);
    if (ok)
        *number = d->next++;
    mutex_unlock(&d->mutex);
    return ok;
}

static void write_slot(Datagen *d, Slot *slot)
{
    DatagenStatus *s = d->status;
    Error error;
    if (!data_writer_add(d->writer, slot->bytes, slot->size, slot->plies, &error)) {
        if (!d->has_failed)
            d->error = error;
        d->has_failed = d->is_over = true;
        return;
    }
    slot->is_full = false;
    d->written++;
    s->games++;
    s->plies += (uint64_t)slot->plies;
    s->kept += (uint64_t)slot->kept;
    s->bytes += slot->size;
    s->results[slot->result]++;
    s->elapsed_ms = clock_ms() - d->start_ms;
    if (d->config->positions && s->kept >= d->config->positions)
        d->is_over = true;
    if (d->callback)
        d->callback(d->context, s);
}

static int count_kept(const DataGame *game)
{
    int kept = 0;
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        kept += data_is_kept(game, &pos, i);
        position_make(&pos, game->moves[i], &undo);
    }
    return kept;
}

static void hand_in(Datagen *d, uint64_t number, const DataGame *game)
{
    Slot *slot = &d->ring[number % d->ring_size]; // ours alone until it is full
    slot->size = data_encode(game, slot->bytes);
    slot->plies = game->count;
    slot->kept = count_kept(game);
    slot->result = game->result;
    mutex_lock(&d->mutex);
    slot->is_full = true;
    while (!d->is_over && d->ring[d->written % d->ring_size].is_full)
        write_slot(d, &d->ring[d->written % d->ring_size]);
    signal_all(&d->room);
    mutex_unlock(&d->mutex);
}

Engine *datagen_engine(const char *net, int hash_mb, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = hash_mb;
    Engine *engine = engine_new(&options, error);
    if (engine && net && *net && !engine_load_net(engine, net, error)) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

static void work(void *context)
{
    Datagen *d = context;
    Error error;
    Engine *engine = datagen_engine(d->config->net, d->config->hash_mb, &error);
    DataGame *game = malloc(sizeof *game);
    uint64_t number = 0;
    if (!engine || !game) {
        mutex_lock(&d->mutex);
        if (!d->has_failed)
            d->error = error;
        d->has_failed = d->is_over = true;
        mutex_unlock(&d->mutex);
    } else {
        while (take_number(d, &number)) {
            datagen_play(d->config, engine, number_of(d->config, number), game);
            hand_in(d, number, game);
        }
    }
    free(game);
    if (engine)
        engine_free(engine);
}

static void add_number(DataHeader *header, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    data_header_add(header, key, text);
}

// Everything that the games depend on.
static void make_header(const DatagenConfig *c, DataHeader *header)
{
    header->text[0] = 0;
    data_header_add(header, "variant", c->rules->name);
    data_header_add(header, "engine", c->engine_name ? c->engine_name : "Lovac");
    data_header_add(header, "net", c->net ? c->net : "");
    add_number(header, "nodes", c->nodes);
    add_number(header, "seed", c->seed);
    if (c->parts > 1) {
        add_number(header, "part", (uint64_t)c->part + 1);
        add_number(header, "parts", (uint64_t)c->parts);
    }
    add_number(header, "hash_mb", (uint64_t)c->hash_mb);
    add_number(header, "opening_plies_min", (uint64_t)c->recipe.plies_min);
    add_number(header, "opening_plies_max", (uint64_t)c->recipe.plies_max);
    add_number(header, "opening_score_max", (uint64_t)c->recipe.score_max);
    add_number(header, "opening_nodes", c->recipe.nodes);
    add_number(header, "win_score", (uint64_t)c->win_score);
    add_number(header, "win_plies", (uint64_t)c->win_plies);
    add_number(header, "draw_score", (uint64_t)c->draw_score);
    add_number(header, "draw_plies", (uint64_t)c->draw_plies);
    add_number(header, "draw_from_ply", (uint64_t)c->draw_from_ply);
}

static bool run_workers(Datagen *d, Error *error)
{
    int count = d->config->workers, started = 0;
    Thread *threads = calloc((size_t)count, sizeof *threads);
    if (!threads)
        return error_set(error, "out of memory");
    while (started < count && thread_start(&threads[started], work, d, error))
        started++;
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    free(threads);
    return started;
}

bool datagen_run(const DatagenConfig *config, DatagenCallback *callback, void *context,
                 DatagenStatus *status, Error *error)
{
    *status = (DatagenStatus){0};
    if (config->workers < 1 || !config->nodes)
        return error_set(error, "datagen: workers and nodes must be at least 1");
    if (config->parts > 1 && (config->part < 0 || config->part >= config->parts))
        return error_set(error, "datagen: there is no part %d of %d", config->part + 1,
                         config->parts);
    Datagen d = {.config = config, .callback = callback, .context = context, .status = status};
    DataHeader header;
    uint64_t plies;
    make_header(config, &header);
    d.writer = data_writer_open(config->path, &header, true, &status->resumed_games, &plies, error);
    if (!d.writer)
        return false;
    d.next = d.written = status->resumed_games;
    d.ring_size = (uint64_t)config->workers * RING_PER_WORKER;
    d.ring = calloc(d.ring_size, sizeof *d.ring);
    d.start_ms = clock_ms();
    mutex_init(&d.mutex);
    signal_init(&d.room);
    bool ok = d.ring ? run_workers(&d, error) : error_set(error, "out of memory");
    if (ok && d.has_failed) {
        *error = d.error;
        ok = false;
    }
    // An unfinished block only ends a finished file: so that going on gives the same bytes.
    bool is_complete = is_beyond_end(config, d.written);
    ok = data_writer_close(d.writer, !is_complete, ok ? error : NULL) && ok;
    status->elapsed_ms = clock_ms() - d.start_ms;
    signal_release(&d.room);
    mutex_release(&d.mutex);
    free(d.ring);
    return ok;
}
