// Lovac in this process: one engine of one worker, no text and no thread in between.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "engine/level.h"
#include "lab/player_int.h"

typedef struct LovacPlayer {
    Player player;
    Engine *engine;
    Move *moves; // the game so far
    int capacity;
    const Level *level; // NULL: full strength
    uint64_t seed;
} LovacPlayer;

static PlayerFault lovac_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error)
{
    (void)rules;
    LovacPlayer *lovac = (LovacPlayer *)player;
    lovac->seed = seed;
    return engine_new_game(lovac->engine, error) ? FAULT_NONE : FAULT_REFUSE;
}

static bool ensure_room(LovacPlayer *lovac, int count)
{
    if (count <= lovac->capacity)
        return true;
    int capacity = count * 2 + 256;
    Move *moves = realloc(lovac->moves, (size_t)capacity * sizeof *moves);
    if (!moves)
        return false;
    lovac->moves = moves;
    lovac->capacity = capacity;
    return true;
}

// A human level needs no engine.
static void choose_by_level(const LovacPlayer *lovac, const Game *game, PlayerMove *answer)
{
    LevelChoice choice;
    level_choose(lovac->level, &game->start, lovac->moves, game->count, lovac->seed, &choice);
    answer->move = choice.move;
    answer->score = choice.score;
    answer->depth = choice.depth;
    answer->nodes = choice.nodes;
}

static void think(LovacPlayer *lovac, const Game *game, const SearchLimits *limits,
                  PlayerMove *answer)
{
    Error error;
    if (!engine_set_position(lovac->engine, &game->start, lovac->moves, game->count, &error)) {
        answer->fault = FAULT_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "%.90s", error.text);
        return;
    }
    SearchLimits own = *limits;
    SearchResult result;
    own.stopped = lovac->player.stop;
    if (lovac->level && lovac->level->nodes && (!own.nodes || own.nodes > lovac->level->nodes))
        own.nodes = lovac->level->nodes;
    engine_think(lovac->engine, &own, NULL, NULL, &result);
    if (own.stopped && atomic_load_explicit(own.stopped, memory_order_relaxed))
        answer->fault = FAULT_STALL; // not waited for: the game is dropped
    answer->move = result.best;
    answer->score = result.score;
    answer->depth = result.depth;
    answer->nodes = result.nodes;
}

static void lovac_choose(Player *player, const Game *game, const SearchLimits *limits,
                         PlayerMove *answer)
{
    LovacPlayer *lovac = (LovacPlayer *)player;
    if (!ensure_room(lovac, game->count)) {
        answer->fault = FAULT_CRASH;
        snprintf(answer->detail, sizeof answer->detail, "out of memory");
        return;
    }
    for (int i = 0; i < game->count; i++)
        lovac->moves[i] = game->steps[i].move;
    if (lovac->level && level_is_human(lovac->level))
        choose_by_level(lovac, game, answer);
    else
        think(lovac, game, limits, answer);
    if (answer->fault == FAULT_NONE && answer->move == MOVE_NONE)
        answer->fault = FAULT_ILLEGAL;
}

Engine *player_lovac_engine(Player *player)
{
    return ((LovacPlayer *)player)->engine;
}

static void lovac_free(Player *player)
{
    LovacPlayer *lovac = (LovacPlayer *)player;
    engine_free(lovac->engine);
    free(lovac->moves);
    free(lovac);
}

static bool read_option(EngineOptions *options, const PlayerOption *option, bool *known,
                        Error *error)
{
    const struct {
        const char *name;
        int *value;
    } fields[] = {{"hash", &options->hash_mb},
                  {"Hash", &options->hash_mb},
                  {"threads", &options->threads},
                  {"skill", &options->skill},
                  {"overhead", &options->move_overhead_ms},
                  {"elo", &options->elo}};
    *known = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(option->name, fields[i].name))
            continue;
        char *end;
        long value = strtol(option->value, &end, 10);
        if (end == option->value || *end || value < -1000000 || value > 1000000000)
            return error_set(error, "lovac: bad number %s=%s", option->name, option->value);
        *fields[i].value = (int)value;
        if (fields[i].value == &options->elo)
            options->limit_strength = true;
        *known = true;
    }
    return true;
}

#ifdef TUNE
// A file of NAME=VALUE lines, as the tuner writes; what stands behind # is left out.
static bool set_tunables(Engine *engine, const char *path, Error *error)
{
    char *text = file_read(path, 1 << 20, NULL, error);
    if (!text)
        return false;
    bool ok = true;
    for (char *rest = text, *line; ok && (line = strsep(&rest, "\n"));) {
        line[strcspn(line, "#")] = 0;
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = 0;
        ok = engine_set_tunable(engine, line, (int)lround(atof(equals + 1))) ||
             error_set(error, "%s: no tunable is called '%s'", path, line);
    }
    free(text);
    return ok;
}
#endif

static bool set_level(LovacPlayer *lovac, const char *text, Error *error)
{
    long long level;
    if (!str_to_int(text, 1, LEVEL_COUNT, &level))
        return error_set(error, "lovac: levels are 1 to %d, not '%s'", LEVEL_COUNT, text);
    lovac->level = &LEVELS[level - 1];
    return true;
}

static bool set_other_option(LovacPlayer *lovac, const PlayerOption *option, Error *error)
{
    Engine *engine = lovac->engine;
    if (!strcmp(option->name, "net"))
        return engine_load_net(engine, option->value, error);
    if (!strcmp(option->name, "level"))
        return set_level(lovac, option->value, error);
#ifdef TUNE
    if (!strcmp(option->name, "tunables"))
        return set_tunables(engine, option->value, error);
    if (engine_set_tunable(engine, option->name, atoi(option->value)))
        return true;
#endif
    return error_set(error, "lovac: unknown option '%s'", option->name);
}

static bool set_up(LovacPlayer *lovac, Error *error)
{
    const PlayerSpec *spec = &lovac->player.spec;
    EngineOptions options = engine_default_options();
    bool known[PLAYER_OPTIONS_MAX] = {false};
    for (int i = 0; i < spec->option_count; i++)
        if (!read_option(&options, &spec->options[i], &known[i], error))
            return false;
    lovac->engine = engine_new(&options, error);
    if (!lovac->engine)
        return false;
    for (int i = 0; i < spec->option_count; i++)
        if (!known[i] && !set_other_option(lovac, &spec->options[i], error))
            return false;
    return true;
}

Player *player_lovac_new(const PlayerSpec *spec, Error *error)
{
    static const PlayerClass CLASS = {lovac_new_game, lovac_choose, lovac_free};
    LovacPlayer *lovac = calloc(1, sizeof *lovac);
    if (!lovac)
        return error_set(error, "out of memory"), NULL;
    lovac->player = (Player){.class = &CLASS, .spec = *spec};
    if (!set_up(lovac, error)) {
        lovac_free(&lovac->player);
        return NULL;
    }
    return &lovac->player;
}
