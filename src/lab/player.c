// See player.h. Here: descriptions of players, and the choice of the right kind.
#include "lab/player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/movegen.h"
#include "lab/player_int.h"

enum { SPEC_WORD_SIZE = 1024 };

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
        return error_set(error, "bad time control '%s': expected [moves/]seconds[+increment]",
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
        return error_set(error, "player: text too long: %.40s...", from);
    strcpy(to, from);
    return true;
}

static bool add_option(PlayerSpec *spec, const char *name, const char *value, Error *error)
{
    if (spec->option_count == PLAYER_OPTIONS_MAX)
        return error_set(error, "player: more than %d options", PLAYER_OPTIONS_MAX);
    PlayerOption *option = &spec->options[spec->option_count++];
    return copy_text(option->name, sizeof option->name, name, error) &&
           copy_text(option->value, sizeof option->value, value, error);
}

static bool set_protocol(PlayerSpec *spec, const char *value, Error *error)
{
    if (!strcmp(value, "uci"))
        spec->kind = PLAYER_UCI;
    else if (!strcmp(value, "xboard"))
        spec->kind = PLAYER_XBOARD;
    else
        return error_set(error, "player: unknown protocol '%s' (uci or xboard)", value);
    return true;
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
            return error_set(error, "player: bad number %s=%s", key, value);
        if (*key == 'n')
            limits->nodes = n;
        else
            limits->depth = (int)n;
        return true;
    }
    if (!strcmp(key, "movetime")) {
        if (!parse_seconds(&value, &limits->move_time_ms) || *value)
            return error_set(error, "player: bad time movetime=%s", value);
        return true;
    }
    *known = false;
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
    if (!strcmp(key, "dir"))
        return copy_text(spec->folder, sizeof spec->folder, value, error);
    if (!strcmp(key, "log"))
        return copy_text(spec->log, sizeof spec->log, value, error);
    if (!strncmp(key, "option.", 7))
        return add_option(spec, key + 7, value, error);
    if (!strcmp(key, "patience")) {
        if (!parse_seconds(&value, &spec->patience_ms) || *value)
            return error_set(error, "player: bad time patience=%s", value);
        spec->start_timeout_ms = spec->patience_ms;
        return true;
    }
    if (spec->kind == PLAYER_LOVAC)
        return add_option(spec, key, value, error);
    return error_set(error, "player: unknown key '%s'", key);
}

// A word that is no key=value belongs to the command.
static bool add_argument(PlayerSpec *spec, const char *word, Error *error)
{
    if (spec->kind != PLAYER_UCI && spec->kind != PLAYER_XBOARD)
        return error_set(error, "player: expected key=value, not '%s'", word);
    size_t used = strlen(spec->command);
    int n = snprintf(spec->command + used, sizeof spec->command - used, " '%s'", word);
    if (n < 0 || used + (size_t)n >= sizeof spec->command)
        return error_set(error, "player: command too long");
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

bool player_spec_parse(PlayerSpec *spec, const char *text, const PlayerLimits *defaults,
                       Error *error)
{
    char word[SPEC_WORD_SIZE];
    *spec = (PlayerSpec){.kind = PLAYER_UCI, .start_timeout_ms = 20000, .patience_ms = 60000};
    PlayerLimits limits = player_limits_none();
    bool limited = false;
    if (!next_word(&text, word))
        return error_set(error, "player: empty description");
    if (!copy_text(spec->command, sizeof spec->command, word, error))
        return false;
    if (!strcmp(word, "lovac"))
        spec->kind = PLAYER_LOVAC;
    else if (!strcmp(word, "random"))
        spec->kind = PLAYER_RANDOM;
    else if (!strcmp(word, "greedy"))
        spec->kind = PLAYER_GREEDY;
    else if (!strcmp(word, "material"))
        spec->kind = PLAYER_MATERIAL;
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
    if (!*spec->name)
        default_name(spec);
    spec->limits = limited || !defaults ? limits : *defaults;
    return true;
}

const char *player_fault_text(PlayerFault fault)
{
    static const char *const TEXT[FAULT_COUNT] = {"none", "crash",   "stall",  "illegal move",
                                                  "time", "resigns", "refuses"};
    return TEXT[fault];
}

Player *player_new(const PlayerSpec *spec, Error *error)
{
    switch (spec->kind) {
    case PLAYER_LOVAC: return player_lovac_new(spec, error);
    case PLAYER_UCI: return player_uci_new(spec, error);
    case PLAYER_XBOARD: return player_xboard_new(spec, error);
    default: return player_simple_new(spec, error);
    }
}

void player_free(Player *player)
{
    if (player)
        player->class->free(player);
}

PlayerFault player_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error)
{
    return player->class->new_game(player, rules, seed, error);
}

void player_choose(Player *player, const Game *game, const SearchLimits *limits, PlayerMove *answer)
{
    *answer = (PlayerMove){.score = SCORE_NONE};
    int64_t start = clock_ns();
    player->class->choose(player, game, limits, answer);
    answer->time_ns = clock_ns() - start;
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
