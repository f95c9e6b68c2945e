// See datagen.h. Games are pieces of work (base/spread.h), taken in order and written.
#include "lab/datagen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"

DatagenConfig datagen_default(void)
{
    return (DatagenConfig){
        .rules = &VARIANTS[VARIANT_CHESS],
        .nodes = 1000,
        .every = 1,
        .quick_nodes = 150,
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

// A game hangs on the run's seed and its own number, not on who plays it or what was before.
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

// Called after every search, with the score for White.
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
    game->every = c->every > 1 ? c->every : 0;
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
    Verdicts verdicts = {0};
    while (true) {
        Outcome outcome = game_outcome(&play);
        if (outcome.result != RESULT_NONE) {
            end_game(game, outcome.result, outcome.reason);
            return;
        }
        SearchResult found;
        limits.nodes = data_is_full(game, game->count) ? c->nodes : c->quick_nodes;
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

// What comes back of a game, with its bytes behind it.
typedef struct Made {
    int plies, kept;
    Result result;
} Made;

typedef struct Datagen {
    const DatagenConfig *config;
    // Only in the first process, one call at a time:
    DatagenCallback *callback;
    void *context;
    DataWriter *writer;
    uint64_t written; // games in the file
    DatagenStatus *status;
    int64_t start_ms;
    bool is_enough;
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

// There is no last game where positions are counted: then it ends when enough are written.
static SpreadGift give_game(void *context, uint64_t own, Bytes *input)
{
    const Datagen *d = context;
    (void)input;
    return d->is_enough || is_beyond_end(d->config, own) ? SPREAD_END : SPREAD_PIECE;
}

// Positions that a trainer will take.
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

void datagen_worker_free(DatagenWorker *worker)
{
    if (worker && worker->engine)
        engine_free(worker->engine);
    free(worker);
}

DatagenWorker *datagen_worker_new(const char *net, int hash_mb, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = hash_mb;
    DatagenWorker *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(error, "out of memory"), NULL;
    w->engine = engine_new(&options, error);
    if (w->engine && (!net || !*net || engine_load_net(w->engine, net, error)))
        return w;
    datagen_worker_free(w);
    return NULL;
}

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    const DatagenConfig *c = ((const Datagen *)context)->config;
    (void)stop;
    return datagen_worker_new(c->net, c->hash_mb, error);
}

static void free_worker(void *context, void *state)
{
    (void)context;
    datagen_worker_free(state);
}

// In any process: plays the game and packs it.
static bool make_game(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                      Error *error)
{
    const DatagenConfig *c = ((const Datagen *)context)->config;
    DatagenWorker *w = state;
    datagen_play(c, w->engine, number_of(c, piece->index), &w->game);
    uint8_t bytes[DATA_GAME_SIZE];
    size_t size = data_encode(&w->game, bytes);
    Made made = {.plies = w->game.count, .kept = count_kept(&w->game), .result = w->game.result};
    return (bytes_add(result, &made, sizeof made) && bytes_add(result, bytes, size)) ||
           error_set(error, "out of memory");
}

// In the first process, in the order of the numbers.
static bool write_game(void *context, uint64_t own, const uint8_t *result, size_t size,
                       Error *error)
{
    Datagen *d = context;
    DatagenStatus *s = d->status;
    Made made;
    const uint8_t *at = result;
    if (d->is_enough)
        return true;
    if (!bytes_take(&at, result + size, &made, sizeof made))
        return error_set(error, "game %" PRIu64 " came back damaged", own);
    size -= sizeof made;
    if (!data_writer_add(d->writer, at, size, made.plies, error))
        return false;
    d->written++;
    s->games++;
    s->plies += (uint64_t)made.plies;
    s->kept += (uint64_t)made.kept;
    s->bytes += size;
    s->results[made.result]++;
    s->elapsed_ms = clock_ms() - d->start_ms;
    d->is_enough = d->config->positions && s->kept >= d->config->positions;
    if (d->callback)
        d->callback(d->context, s);
    return true;
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
    if (c->every > 1) {
        add_number(header, "every", (uint64_t)c->every);
        add_number(header, "quick", c->quick_nodes);
    }
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

bool datagen_run(const DatagenConfig *config, DatagenCallback *callback, void *context,
                 DatagenStatus *status, Error *error)
{
    *status = (DatagenStatus){0};
    if (config->workers < 1 || !config->nodes)
        return error_set(error, "datagen: workers and nodes must be at least 1");
    if (config->every > 1 && !config->quick_nodes)
        return error_set(error, "quick moves (--quick) need at least one node");
    if (config->parts > 1 && (config->part < 0 || config->part >= config->parts))
        return error_set(error, "datagen: there is no part %d of %d", config->part + 1,
                         config->parts);
    Datagen d = {.config = config, .callback = callback, .context = context, .status = status};
    SpreadWork work = {.context = &d,
                       .threads = config->workers,
                       .make = make_worker,
                       .free = free_worker,
                       .work = make_game,
                       .give = give_game,
                       .take = write_game,
                       .count = UINT64_MAX,
                       .is_in_order = true,
                       .stop = config->stop};
    if (!spread_is_first(config->team))
        return spread_serve(config->team, &work, error);
    DataHeader header;
    uint64_t plies;
    make_header(config, &header);
    d.writer = data_writer_open(config->path, &header, true, &status->resumed_games, &plies, error);
    if (!d.writer)
        return false;
    work.first = d.written = status->resumed_games;
    d.start_ms = clock_ms();
    bool ok = spread_run(config->team, &work, error);
    // An unfinished block only ends a finished file: so that going on gives the same bytes.
    bool is_complete = is_beyond_end(config, d.written);
    ok = data_writer_close(d.writer, !is_complete, ok ? error : NULL) && ok;
    status->elapsed_ms = clock_ms() - d.start_ms;
    return ok;
}
