// See player.h. Here: descriptions of players, what all kinds have in common, and the policy for
// draws and resigning.
#include "play/player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/movegen.h"
#include "play/player_int.h"
#include "play/player_list.h"

enum {
    SPEC_WORD_SIZE = 1024,
    CLEARLY_WORSE = -150, // then a draw is taken
    EARLY_PLY = 60,       // before that all play on
    RESIGN_MOVES = 3,
    SHOWN_MS = 400,         // a move that comes at once is not seen
    SHORT_CLOCK_MS = 20000, // when there is no time for that
};

PlayerLimits player_limits_none(void)
{
    return (PlayerLimits){.time_ms = TIME_UNSET, .move_time_ms = TIME_UNSET};
}

static bool parse_seconds(const char **text, int64_t *ms)
{
    char *end;
    errno = 0;
    double seconds = strtod(*text, &end);
    if (end == *text || errno || !(seconds >= 0 && seconds < 1e7))
        return false;
    *text = end;
    *ms = (int64_t)(seconds * 1000 + 0.5);
    return true;
}

// The value of a key that is a time and nothing else.
static bool parse_whole_seconds(const char *key, const char *value, int64_t *ms, Error *error)
{
    const char *at = value;
    return (parse_seconds(&at, ms) && !*at) ||
           error_code(error, "player-time", "player: bad time {key:%s}={value:%s}", key, value);
}

bool player_limits_parse_clock(PlayerLimits *limits, const char *text, Error *error)
{
    const char *at = text, *slash = strchr(text, '/');
    limits->moves_per_control = 0;
    limits->increment_ms = 0;
    if (slash) {
        limits->moves_per_control = atoi(text);
        at = slash + 1;
    }
    bool ok = !slash || limits->moves_per_control > 0;
    ok = ok && parse_seconds(&at, &limits->time_ms);
    if (ok && *at == '+') {
        at++;
        ok = parse_seconds(&at, &limits->increment_ms);
    }
    if (!ok || *at)
        return error_code(error, "player-clock",
                          "bad time control '{text:%s}': expected [moves/]seconds[+increment]",
                          text);
    return true;
}

static bool parse_count(const char *text, uint64_t max, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (end == text || *end || errno || *text == '-' || n > max)
        return false;
    *value = n;
    return true;
}

// Takes the next word into `word`; blanks inside quotes stay. False at the end.
static bool next_word(const char **text, char word[SPEC_WORD_SIZE])
{
    const char *at = *text;
    while (*at == ' ' || *at == '\t')
        at++;
    if (!*at)
        return false;
    size_t length = 0;
    char quote = 0;
    for (; *at && (quote || (*at != ' ' && *at != '\t')); at++) {
        if (quote ? *at == quote : *at == '"')
            quote = quote ? 0 : *at;
        else if (length + 1 < SPEC_WORD_SIZE)
            word[length++] = *at;
    }
    word[length] = 0;
    *text = at;
    return true;
}

static bool copy_text(char *to, size_t size, const char *from, Error *error)
{
    if (strlen(from) >= size)
        return error_code(error, "player-long", "player: text too long: {text:%.40s}...", from);
    strcpy(to, from);
    return true;
}

static bool add_option(PlayerSpec *spec, const char *name, const char *value, Error *error)
{
    if (spec->option_count == PLAYER_OPTIONS_MAX)
        return error_code(error, "player-options", "player: more than {most:%d} options",
                          PLAYER_OPTIONS_MAX);
    PlayerOption *option = &spec->options[spec->option_count++];
    return copy_text(option->name, sizeof option->name, name, error) &&
           copy_text(option->value, sizeof option->value, value, error);
}

static const PlayerKind *find_kind(const PlayerKind *const *kinds, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(kinds[i]->name, name))
            return kinds[i];
    return NULL;
}

static bool set_limit(PlayerLimits *limits, const char *key, const char *value, bool *known,
                      Error *error)
{
    uint64_t n;
    *known = true;
    if (!strcmp(key, "tc"))
        return player_limits_parse_clock(limits, value, error);
    if (!strcmp(key, "nodes") || !strcmp(key, "depth")) {
        if (!parse_count(value, *key == 'n' ? UINT64_MAX : 1000, &n))
            return error_code(error, "player-number", "player: bad number {key:%s}={value:%s}", key,
                              value);
        if (*key == 'n')
            limits->nodes = n;
        else
            limits->depth = (int)n;
        return true;
    }
    if (!strcmp(key, "movetime")) {
        return parse_whole_seconds(key, value, &limits->move_time_ms, error);
    }
    *known = false;
    return true;
}

static bool set_protocol(PlayerSpec *spec, const char *value, Error *error)
{
    if (!spec->kind->is_external)
        return error_code(error, "player-external", "player: proto= is for external engines");
    if (strcmp(value, "uci") && strcmp(value, "xboard"))
        return error_code(error, "player-protocol",
                          "player: unknown protocol '{text:%s}' (uci or xboard)", value);
    spec->kind = *value == 'u' ? &PLAYER_KINDS[KIND_UCI] : &PLAYER_KINDS[KIND_XBOARD];
    return true;
}

static bool set_key(PlayerSpec *spec, const char *key, const char *value, PlayerLimits *limits,
                    bool *limited, Error *error)
{
    bool known;
    if (!set_limit(limits, key, value, &known, error))
        return false;
    if (known) {
        *limited = true;
        return true;
    }
    if (!strcmp(key, "name"))
        return copy_text(spec->name, sizeof spec->name, value, error);
    if (!strcmp(key, "proto"))
        return set_protocol(spec, value, error);
    if (!strcmp(key, "resign")) {
        uint64_t score;
        if (!parse_count(value, SCORE_MATE, &score))
            return error_code(error, "player-number", "player: bad number {key:%s}={value:%s}", key,
                              value);
        spec->resign_score = (int)score;
        return true;
    }
    if (!strcmp(key, "dir"))
        return copy_text(spec->folder, sizeof spec->folder, value, error);
    if (!strcmp(key, "log"))
        return copy_text(spec->log, sizeof spec->log, value, error);
    if (!strncmp(key, "option.", 7))
        return add_option(spec, key + 7, value, error);
    if (!strcmp(key, "patience")) {
        if (!parse_whole_seconds(key, value, &spec->patience_ms, error))
            return false;
        spec->start_timeout_ms = spec->patience_ms;
        return true;
    }
    if (spec->kind->has_options)
        return add_option(spec, key, value, error);
    return error_code(error, "player-key", "player: unknown key '{key:%s}'", key);
}

// A word that is no key=value belongs to the command.
static bool add_argument(PlayerSpec *spec, const char *word, Error *error)
{
    if (!spec->kind->is_external)
        return error_code(error, "player-word", "player: expected key=value, not '{text:%s}'",
                          word);
    size_t used = strlen(spec->command);
    int n =
        snprintf(spec->command + used, sizeof spec->command - used, used ? " '%s'" : "%s", word);
    if (n < 0 || used + (size_t)n >= sizeof spec->command)
        return error_code(error, "player-command-long", "player: command too long");
    return true;
}

// "stockfish" from "/usr/games/stockfish -x".
static void default_name(PlayerSpec *spec)
{
    const char *start = spec->command, *end = start + strcspn(start, " \t");
    for (const char *c = start; c < end; c++)
        if (*c == '/')
            start = c + 1;
    snprintf(spec->name, sizeof spec->name, "%.*s", (int)(end - start), start);
}

// The first word: a kind, a kind with a value of its own (level=5), or the command of an external
// engine.
static bool begin_spec(PlayerSpec *spec, const PlayerKind *const *kinds, int count, char *word,
                       Error *error)
{
    *spec = (PlayerSpec){.start_timeout_ms = 20000, .patience_ms = 60000};
    char *equals = strchr(word, '=');
    if (equals)
        *equals = 0;
    spec->kind = find_kind(kinds, count, word);
    if (equals && spec->kind)
        return snprintf(spec->name, sizeof spec->name, "%s %s", word, equals + 1) &&
               copy_text(spec->command, sizeof spec->command, word, error) &&
               add_option(spec, word, equals + 1, error);
    if (equals)
        *equals = '=';
    if (spec->kind && spec->kind->is_external)
        return true; // the command comes next
    if (!spec->kind)
        spec->kind = &PLAYER_KINDS[KIND_UCI];
    return copy_text(spec->command, sizeof spec->command, word, error);
}

bool player_spec_parse_as(PlayerSpec *spec, const PlayerKind *const *kinds, int count,
                          const char *text, const PlayerLimits *defaults, Error *error)
{
    char word[SPEC_WORD_SIZE];
    PlayerLimits limits = player_limits_none();
    bool limited = false;
    if (!next_word(&text, word))
        return error_code(error, "player-empty", "player: empty description");
    if (!begin_spec(spec, kinds, count, word, error))
        return false;
    while (next_word(&text, word)) {
        char *equals = *word == '-' ? NULL : strchr(word, '=');
        if (!equals) {
            if (!add_argument(spec, word, error))
                return false;
            continue;
        }
        *equals = 0;
        if (!set_key(spec, word, equals + 1, &limits, &limited, error))
            return false;
    }
    if (!*spec->command)
        return error_code(error, "player-no-command", "player: {kind:%s} needs a command",
                          spec->kind->name);
    if (!*spec->name)
        default_name(spec);
    spec->limits = limited || !defaults ? limits : *defaults;
    return true;
}

bool player_spec_parse(PlayerSpec *spec, const char *text, const PlayerLimits *defaults,
                       Error *error)
{
    PlayerList own;
    player_list_init(&own);
    return player_list_find(&own, text, defaults, spec, error);
}

const char *player_fault_text(PlayerFault fault)
{
    static const char *const TEXT[FAULT_COUNT] = {"none", "crash",   "stall",  "illegal move",
                                                  "time", "resigns", "refuses"};
    return TEXT[fault];
}

Player *player_new_on(const PlayerSpec *spec, Engine *engine, Error *error)
{
    return spec->kind->make ? spec->kind->make(spec, engine, error)
                            : player_simple_new(spec, error);
}

Player *player_new(const PlayerSpec *spec, Error *error)
{
    return player_new_on(spec, NULL, error);
}

void player_free(Player *player)
{
    if (player)
        player->class->free(player);
}

// ---- A game ----

PlayerGame player_game_new(uint64_t seed)
{
    PlayerGame game = {.seed = seed, .memory = game_memory_none(), .last_score = SCORE_NONE};
    game.memory.seed = seed;
    return game;
}

PlayerFault player_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error)
{
    player->game = player_game_new(seed);
    PlayerFault fault = player->class->new_game(player, rules, error);
    player->rules = fault == FAULT_NONE ? rules : NULL;
    return fault;
}

PlayerFault player_resume(Player *player, const Rules *rules, const PlayerGame *own, Error *error)
{
    PlayerFault fault = FAULT_NONE;
    if (player->rules != rules || player->game.seed != own->seed)
        fault = player_new_game(player, rules, own->seed, error);
    player->game = *own;
    return fault;
}

// The limits of a move, and those that the player's description names.
static SearchLimits bound_limits(const PlayerLimits *own, const SearchLimits *given, Color side)
{
    SearchLimits limits = *given;
    if (own->nodes && (!limits.nodes || own->nodes < limits.nodes))
        limits.nodes = own->nodes;
    if (own->depth && (!limits.depth || own->depth < limits.depth))
        limits.depth = own->depth;
    bool is_timed = limits.time_ms[side] != TIME_UNSET || limits.move_time_ms != TIME_UNSET;
    if (own->move_time_ms != TIME_UNSET && (!is_timed || own->move_time_ms < limits.move_time_ms))
        limits.move_time_ms = own->move_time_ms;
    return limits;
}

// What the answer means for the rest of the game.
static void remember(Player *player, PlayerMove *answer)
{
    PlayerGame *own = &player->game;
    bool is_lost = player->spec.resign_score && answer->score != SCORE_NONE &&
                   answer->score <= -player->spec.resign_score;
    own->last_score = answer->score;
    own->lost_moves = is_lost ? own->lost_moves + 1 : 0;
    if (answer->fault == FAULT_NONE && own->lost_moves >= RESIGN_MOVES)
        player_fail(answer, FAULT_RESIGN, "gives up");
    if (answer->fault != FAULT_NONE)
        player->rules = NULL; // a process may have to be started anew
}

void player_choose(Player *player, const Game *game, const SearchLimits *limits, PlayerMove *answer)
{
    *answer = (PlayerMove){.score = SCORE_NONE};
    int64_t start = clock_ns();
    SearchLimits own = bound_limits(&player->spec.limits, limits, game->now.side);
    player->class->choose(player, game, &own, answer);
    answer->time_ns = clock_ns() - start;
    remember(player, answer);
}

bool player_accepts_draw(const PlayerGame *own, int ply)
{
    return own->last_score != SCORE_NONE &&
           (own->last_score <= CLEARLY_WORSE || (ply >= EARLY_PLY && own->last_score <= 0));
}

bool player_claims_draw(const PlayerGame *own)
{
    return own->last_score != SCORE_NONE && own->last_score <= 0;
}

int64_t player_pause_ms(const Player *player, const Game *game, Move chosen, int64_t left_ms)
{
    if (!player->level)
        return left_ms < 0 || left_ms > SHORT_CLOCK_MS ? SHOWN_MS : 0;
    Move last = game->count ? game->steps[game->count - 1].move : MOVE_NONE;
    bool is_recapture = game->now.state.captured != NO_PIECE && last != MOVE_NONE &&
                        move_to(chosen) == move_to(last);
    return level_pause_ms(player->level, &game->now, is_recapture, left_ms, player->game.seed);
}

void player_fail(PlayerMove *answer, PlayerFault fault, const char *detail)
{
    answer->fault = fault;
    snprintf(answer->detail, sizeof answer->detail, "%.90s", detail);
}

int64_t player_deadline_ns(const Player *player, const Game *game, const SearchLimits *limits)
{
    int64_t allowed = player->spec.patience_ms;
    int64_t clock = limits->time_ms[game->now.side];
    if (clock != TIME_UNSET)
        allowed = clock + 1000;
    else if (limits->move_time_ms != TIME_UNSET)
        allowed = limits->move_time_ms + (allowed < 5000 ? allowed : 5000);
    return clock_ns() + allowed * 1000000;
}

bool player_rules_are_plain(const Rules *rules)
{
    return rules->is_orthodox && rules->has_king[WHITE] && rules->has_king[BLACK] &&
           !rules->must_capture && !rules->no_move_loses;
}
