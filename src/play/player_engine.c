// The engine of this process, at its best, with options, or at a level: no text in between.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/str.h"
#include "play/player_int.h"

typedef struct EnginePlayer {
    Player player;
    Engine *engine;
    bool is_own; // made for this player, not lent
    Level level;
    Move *moves; // the game so far
    int capacity;
} EnginePlayer;

// An own engine forgets everything; of a lent one the hash table serves all games of the same
// rules, since keys of others may be the same.
static PlayerFault engine_player_new_game(Player *player, const Rules *rules, Error *error)
{
    Engine *engine = ((EnginePlayer *)player)->engine;
    if (!((EnginePlayer *)player)->is_own && engine_position(engine)->rules == rules)
        return FAULT_NONE;
    return engine_new_game(engine, error) ? FAULT_NONE : FAULT_REFUSE;
}

static bool ensure_room(EnginePlayer *own, int count)
{
    if (count <= own->capacity)
        return true;
    int capacity = count * 2 + 256;
    Move *moves = realloc(own->moves, (size_t)capacity * sizeof *moves);
    if (!moves)
        return false;
    own->moves = moves;
    own->capacity = capacity;
    return true;
}

// A human level needs no engine.
static void choose_by_level(const EnginePlayer *own, const Game *game, PlayerMove *answer)
{
    LevelChoice choice;
    level_choose(&own->level, &game->start, own->moves, game->count, own->player.game.seed,
                 &choice);
    answer->move = choice.move;
    answer->score = choice.score;
    answer->depth = choice.depth;
    answer->nodes = choice.nodes;
}

// A search on several threads, which tells its result from one of them.
typedef struct Thought {
    const Player *player;
    SearchResult result;
} Thought;

static void on_info(void *context, const Position *root, const SearchInfo *info)
{
    const Player *player = ((Thought *)context)->player;
    if (player->on_info)
        player->on_info(player->context, root, info);
}

static void on_best(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    ((Thought *)context)->result = *result;
}

static bool search(EnginePlayer *own, const SearchLimits *limits, Thought *thought, Error *error)
{
    if (engine_options(own->engine)->threads == 1) {
        engine_think(own->engine, limits, on_info, thought, &thought->result);
        return true;
    }
    if (!engine_go(own->engine, limits, on_info, on_best, thought, error))
        return false;
    engine_wait(own->engine);
    return true;
}

static void think(EnginePlayer *own, const Game *game, const SearchLimits *given,
                  PlayerMove *answer)
{
    Error error;
    Thought thought = {.player = &own->player};
    SearchLimits limits = *given;
    limits.stopped = own->player.stop;
    limits.memory = &own->player.game.memory;
    if (own->level.nodes && (!limits.nodes || limits.nodes > own->level.nodes))
        limits.nodes = own->level.nodes;
    if (!engine_set_position(own->engine, &game->start, own->moves, game->count, &error) ||
        !search(own, &limits, &thought, &error)) {
        player_fail(answer, FAULT_CRASH, error.text);
        return;
    }
    bool is_hurried = stop_is_set(own->player.hurry);
    if (stop_is_set(limits.stopped) && !is_hurried)
        answer->fault = FAULT_STALL; // not waited for: the game is dropped
    answer->move = thought.result.best;
    answer->score = thought.result.score;
    answer->depth = thought.result.depth;
    answer->nodes = thought.result.nodes;
}

// Of a varied player, the half-moves of a game that its book is asked for: the weaker, the fewer.
static int book_plies(const EnginePlayer *own)
{
    return own->player.is_varied && own->player.level ? 2 + 2 * level_of_elo(own->level.elo) : 0;
}

// Levels that play like people know openings too. (The engine itself looks for a stronger one.)
static bool choose_by_book(EnginePlayer *own, const Game *game, PlayerMove *answer)
{
    bool is_own = engine_options(own->engine)->own_book && level_is_human(&own->level);
    if ((!is_own && game->count >= book_plies(own)) ||
        !engine_set_position(own->engine, &game->start, own->moves, game->count, NULL))
        return false;
    answer->move = engine_book_move(own->engine, own->player.game.memory.seed);
    answer->score = SCORE_NONE;
    return answer->move != MOVE_NONE;
}

static void engine_player_choose(Player *player, const Game *game, const SearchLimits *limits,
                                 PlayerMove *answer)
{
    EnginePlayer *own = (EnginePlayer *)player;
    if (!ensure_room(own, game->count)) {
        player_fail(answer, FAULT_CRASH, "out of memory");
        return;
    }
    for (int i = 0; i < game->count; i++)
        own->moves[i] = game->steps[i].move;
    if (choose_by_book(own, game, answer))
        return;
    if (level_is_human(&own->level))
        choose_by_level(own, game, answer);
    else
        think(own, game, limits, answer);
    if (answer->fault == FAULT_NONE && answer->move == MOVE_NONE)
        answer->fault = FAULT_ILLEGAL;
}

static void engine_player_free(Player *player)
{
    EnginePlayer *own = (EnginePlayer *)player;
    if (own->is_own)
        engine_free(own->engine);
    free(own->moves);
    free(own);
}

static const PlayerClass CLASS = {engine_player_new_game, engine_player_choose, engine_player_free};

Engine *player_engine(Player *player)
{
    return player->class == &CLASS ? ((EnginePlayer *)player)->engine : NULL;
}

// ---- Making ----

#ifdef TUNE
// A file of NAME=VALUE lines, as the tuner writes; what stands behind # is left out.
static bool set_tunables(Engine *engine, const char *path, Error *error)
{
    char *text = file_read(path, 1 << 20, NULL, error);
    if (!text)
        return false;
    bool ok = true;
    for (char *rest = text, *line; ok && (line = str_split(&rest, "\n"));) {
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

// Numbers of the engine's options.
static bool read_number(EngineOptions *options, const PlayerOption *option, bool *known,
                        Error *error)
{
    const struct {
        const char *name;
        int *value;
    } fields[] = {{"hash", &options->hash_mb},
                  {"Hash", &options->hash_mb},
                  {"threads", &options->threads},
                  {"overhead", &options->move_overhead_ms}};
    *known = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(option->name, fields[i].name))
            continue;
        long long value;
        if (!str_to_int(option->value, -1000000, 1000000000, &value))
            return error_set(error, "lovac: bad number %s=%s", option->name, option->value);
        *fields[i].value = (int)value;
        *known = true;
    }
    return true;
}

// The number of a level, or its name.
static bool find_level(const char *text, Level *level, Error *error)
{
    long long number = 0;
    for (int i = 0; i < LEVEL_COUNT; i++)
        if (!strcmp(LEVELS[i].name, text))
            number = i + 1;
    if (!number && !str_to_int(text, 1, LEVEL_COUNT, &number))
        return error_code(error, "player-level",
                          "levels are 1 to {most:%d} or their names, not '{text:%s}'", LEVEL_COUNT,
                          text);
    *level = LEVELS[number - 1];
    return true;
}

// How strong: level, elo or skill.
static bool read_strength(Level *level, const PlayerOption *option, bool *known, Error *error)
{
    long long number = 0;
    *known = true;
    if (!strcmp(option->name, "level"))
        return find_level(option->value, level, error);
    bool is_elo = !strcmp(option->name, "elo");
    if (!is_elo && strcmp(option->name, "skill"))
        return *known = false, true;
    int low = is_elo ? ELO_MIN : 0, high = is_elo ? ELO_MAX : SKILL_MAX;
    if (!str_to_int(option->value, low, high, &number))
        return error_code(error, "player-range",
                          "lovac: {key:%s} must be from {low:%d} to {high:%d}, not '%s'",
                          option->name, low, high, option->value);
    *level = is_elo ? level_at_elo((int)number) : LEVELS[level_of_skill((int)number) - 1];
    return true;
}

static bool set_other_option(Engine *engine, const PlayerOption *option, Error *error)
{
    if (!strcmp(option->name, "net"))
        return engine_load_net(engine, option->value, error);
    if (!strcmp(option->name, "book")) {
        EngineOptions options = *engine_options(engine);
        options.own_book = *option->value;
        bool is_built_in = !strcmp(option->value, "own");
        return engine_load_book(engine, is_built_in ? "" : option->value, error) &&
               engine_set_options(engine, &options, error);
    }
    if (!strcmp(option->name, "tables"))
        return engine_load_own_tables(engine, option->value, error);
    if (!strcmp(option->name, "syzygy"))
        return engine_load_tables(engine, option->value, error);
#ifdef TUNE
    if (!strcmp(option->name, "tunables"))
        return set_tunables(engine, option->value, error);
    if (engine_set_tunable(engine, option->name, atoi(option->value)))
        return true;
#endif
    return error_set(error, "lovac: unknown option '%s'", option->name);
}

// Reads what is known without an engine; `others` gets the rest.
static bool read_options(EnginePlayer *own, EngineOptions *options,
                         const PlayerOption *others[PLAYER_OPTIONS_MAX], int *other_count,
                         Error *error)
{
    const PlayerSpec *spec = &own->player.spec;
    for (int i = 0; i < spec->option_count; i++) {
        bool known;
        if (!read_strength(&own->level, &spec->options[i], &known, error))
            return false;
        if (known)
            continue;
        own->is_own = true;
        if (!read_number(options, &spec->options[i], &known, error))
            return false;
        if (!known)
            others[(*other_count)++] = &spec->options[i];
    }
    return true;
}

bool player_engine_check(const PlayerSpec *spec, Error *error)
{
    Level level;
    bool known;
    for (int i = 0; i < spec->option_count; i++)
        if (!read_strength(&level, &spec->options[i], &known, error))
            return false;
    return true;
}

static bool set_up(EnginePlayer *own, Engine *engine, Error *error)
{
    EngineOptions options = engine_default_options();
    const PlayerOption *others[PLAYER_OPTIONS_MAX];
    int other_count = 0;
    own->level = LEVELS[LEVEL_COUNT - 1];
    own->is_own = !engine;
    if (!read_options(own, &options, others, &other_count, error))
        return false;
    own->engine = own->is_own ? engine_new(&options, error) : engine;
    bool ok = own->engine;
    for (int i = 0; i < other_count && ok; i++)
        ok = set_other_option(own->engine, others[i], error);
    bool is_limited = level_is_human(&own->level) || own->level.nodes;
    own->player.level = is_limited ? &own->level : NULL;
    return ok;
}

Player *player_engine_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    EnginePlayer *own = calloc(1, sizeof *own);
    if (!own)
        return error_set(error, "out of memory"), NULL;
    own->player = (Player){.class = &CLASS, .spec = *spec};
    if (set_up(own, engine, error))
        return &own->player;
    engine_player_free(&own->player);
    return NULL;
}
