// An external engine that speaks the XBoard (CECP) protocol, version 2. It stays in force mode and
// is told to `go` on each of its turns, so that we alone keep the game; like the UCI player it is
// never trusted.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "core/fen.h"
#include "core/notation.h"
#include "play/player_external.h"
#include "play/player_int.h"

enum {
    FEATURE_WAIT_MS = 5000, // the protocol says two seconds, which a busy machine may need
    HURRY_AGAIN_MS = 250,
    NUDGE_MS = 250 // without a word for so long: the engine may not have seen all we sent
};

static const int64_t NO_TIME_NS = INT64_MAX;

typedef struct XboardPlayer {
    External external;
    bool has_setboard, has_usermove, has_ping, has_san, has_time, is_done;
    bool needs_nudge; // it answered only after another line
    char variants[EXTERNAL_LINE_SIZE];
    Bytes options; // the names it announced, each with a 0 behind it
    int told;      // half-moves of the game that it knows; -1: not even the start
    Key told_key;  // of the position that it then has
    int pings;
} XboardPlayer;

// The next line of an engine that is to answer. Some (GNU Chess) look for input with select but
// read it through a buffer: of lines that arrive together they see the first, and the others only
// when one more arrives. `post`, which every engine knows and has been told anyway, is that one.
static ReadStatus read_nudging(XboardPlayer *xb, char *line, size_t size, int64_t deadline_ns)
{
    while (true) {
        int64_t until = external_in_ms(NUDGE_MS);
        until = until < deadline_ns ? until : deadline_ns;
        ReadStatus status = process_read_line(xb->external.process, line, size, until);
        if (status != READ_TIMEOUT || until == deadline_ns)
            return status;
        external_send(&xb->external, "post\n");
        xb->needs_nudge = true;
    }
}

// The value of NAME=VALUE in a feature line: a number, or the start of a quoted text; NULL when not
// there.
static const char *feature(const char *line, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = line; (at = strstr(at, name)); at += n)
        if (at[n] == '=' && at > line && isspace((unsigned char)at[-1]))
            return at + n + 1;
    return NULL;
}

static void read_features(XboardPlayer *xb, const char *line)
{
    const struct {
        const char *name;
        bool *value;
    } flags[] = {{"setboard", &xb->has_setboard}, {"usermove", &xb->has_usermove},
                 {"ping", &xb->has_ping},         {"san", &xb->has_san},
                 {"time", &xb->has_time},         {"done", &xb->is_done}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const char *value = feature(line, flags[i].name);
        if (value)
            *flags[i].value = *value == '1';
    }
    const char *variants = feature(line, "variants");
    if (variants && *variants == '"')
        snprintf(xb->variants, sizeof xb->variants, "%.*s", (int)strcspn(variants + 1, "\""),
                 variants + 1);
}

// The name in option="NAME -type ..." joins the list.
static void read_option(XboardPlayer *xb, const char *line)
{
    const char *option = feature(line, "option");
    const char *end = option && *option == '"' ? strstr(option, " -") : NULL;
    if (end && bytes_add(&xb->options, option + 1, (size_t)(end - option) - 1))
        bytes_add(&xb->options, "", 1);
}

static bool has_option(const XboardPlayer *xb, const char *name)
{
    const char *at = (const char *)xb->options.at, *end = at + xb->options.size;
    while (at < end && strcmp(at, name))
        at += strlen(at) + 1;
    return at < end;
}

// What the protocol has no words for would be left to chance; told before the first game.
static bool check_description(const XboardPlayer *xb, Error *error)
{
    const PlayerSpec *spec = &xb->external.player.spec;
    const PlayerLimits *limits = &spec->limits;
    if (limits->nodes && !limits->depth && limits->move_time_ms == TIME_UNSET &&
        limits->time_ms == TIME_UNSET)
        return error_set(error,
                         "%s: the XBoard protocol has no limit of nodes: give tc=, movetime= or "
                         "depth=",
                         spec->name);
    for (int i = 0; i < spec->option_count; i++)
        if (!has_option(xb, spec->options[i].name))
            return error_set(error, "%s: it has no option '%.60s'", spec->name,
                             spec->options[i].name);
    return true;
}

static PlayerFault start_process(XboardPlayer *xb, Error *error)
{
    const PlayerSpec *spec = &xb->external.player.spec;
    if (!external_start(&xb->external, error))
        return FAULT_REFUSE;
    xb->has_setboard = xb->has_usermove = xb->has_ping = xb->has_san = xb->is_done = false;
    xb->has_time = true;
    xb->needs_nudge = false;
    strcpy(xb->variants, "normal");
    bytes_clear(&xb->options);
    if (!external_send(&xb->external, "xboard\nprotover 2\n"))
        return external_blame(&xb->external, FAULT_CRASH, "does not read", error);
    // Engines that say done=0 want more time; those of version 1 say nothing at all.
    int64_t deadline = external_in_ms(FEATURE_WAIT_MS);
    char line[EXTERNAL_LINE_SIZE];
    while (!xb->is_done) {
        ReadStatus status = read_nudging(xb, line, sizeof line, deadline);
        if (status == READ_END)
            return external_blame(&xb->external, FAULT_CRASH, "ended during its start", error);
        if (status == READ_STOPPED)
            return external_blame(&xb->external, FAULT_STALL, "was not waited for", error);
        if (status == READ_TIMEOUT)
            break;
        char *text = strstr(line, "feature ");
        if (!text)
            continue;
        read_features(xb, text);
        read_option(xb, text);
        if (feature(text, "done") && !xb->is_done)
            deadline = external_in_ms(spec->start_timeout_ms);
    }
    return check_description(xb, error) ? FAULT_NONE : FAULT_REFUSE;
}

static bool offers(const XboardPlayer *xb, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = xb->variants; (at = strstr(at, name)); at += n)
        if ((at == xb->variants || at[-1] == ',' || at[-1] == ' ') &&
            (!at[n] || at[n] == ',' || at[n] == ' '))
            return true;
    return false;
}

// The protocol's name for a game, or NULL when this engine does not offer it.
static const char *variant_name(const XboardPlayer *xb, const Rules *rules)
{
    if (rules->start == START_CHESS960)
        return offers(xb, "fischerandom") ? "fischerandom" : NULL;
    if (offers(xb, rules->name))
        return rules->name;
    return player_rules_are_plain(rules) && rules->start != START_DOUBLE_CHESS960 ? "normal" : NULL;
}

// "Error (unknown command): sd 4", "Invalid move: sd 4": it does not know how deep it may look, and
// would think for ever.
static bool is_refused_limit(const char *line)
{
    const char *colon = strstr(line, ": ");
    bool is_complaint = !strncmp(line, "Error", 5) || !strncmp(line, "Invalid move", 12) ||
                        !strncmp(line, "Illegal move", 12);
    return is_complaint && colon &&
           (!strncmp(colon + 2, "sd ", 3) || !strncmp(colon + 2, "level ", 6) ||
            !strncmp(colon + 2, "st ", 3));
}

static PlayerFault refuse_limit(const XboardPlayer *xb, const char *line, Error *error)
{
    error_set(error, "%s: does not know its limit: %.80s", xb->external.player.spec.name, line);
    return FAULT_REFUSE;
}

static PlayerFault wait_for_pong(XboardPlayer *xb, Error *error)
{
    if (!xb->has_ping)
        return FAULT_NONE;
    char line[EXTERNAL_LINE_SIZE];
    snprintf(line, sizeof line, "ping %d\n", ++xb->pings);
    external_send(&xb->external, line);
    int64_t deadline = external_in_ms(xb->external.player.spec.patience_ms);
    while (true) {
        ReadStatus status = read_nudging(xb, line, sizeof line, deadline);
        if (status != READ_LINE)
            return external_blame(&xb->external, status == READ_END ? FAULT_CRASH : FAULT_STALL,
                                  "no pong", error);
        if (is_refused_limit(line))
            return refuse_limit(xb, line, error);
        if (!strncmp(line, "pong ", 5) && atoi(line + 5) == xb->pings)
            return FAULT_NONE;
    }
}

static bool send_limits(XboardPlayer *xb)
{
    const PlayerLimits *limits = &xb->external.player.spec.limits;
    char line[256];
    if (limits->depth) {
        snprintf(line, sizeof line, "sd %d\n", limits->depth);
        external_send(&xb->external, line);
    }
    if (limits->move_time_ms != TIME_UNSET) {
        int64_t seconds = (limits->move_time_ms + 999) / 1000; // read_answer knows it exactly
        snprintf(line, sizeof line, "st %lld\n", (long long)(seconds ? seconds : 1));
        return external_send(&xb->external, line);
    }
    if (limits->time_ms == TIME_UNSET)
        return true;
    long long seconds = limits->time_ms / 1000;
    snprintf(line, sizeof line, "level %d %lld:%02lld %g\n", limits->moves_per_control,
             seconds / 60, seconds % 60, (double)limits->increment_ms / 1000);
    return external_send(&xb->external, line);
}

static PlayerFault get_ready(External *external, const Rules *rules, Error *error)
{
    XboardPlayer *xb = (XboardPlayer *)external;
    PlayerFault fault = xb->external.process ? FAULT_NONE : start_process(xb, error);
    if (fault != FAULT_NONE)
        return fault;
    const char *variant = variant_name(xb, rules);
    if (!variant) {
        error_set(error, "%s: does not play %s", xb->external.player.spec.name, rules->title);
        return FAULT_REFUSE;
    }
    external_send(&xb->external, "new\n");
    if (strcmp(variant, "normal")) {
        char line[128];
        snprintf(line, sizeof line, "variant %s\n", variant);
        external_send(&xb->external, line);
    }
    external_send(&xb->external, "force\neasy\npost\n");
    for (int i = 0; i < xb->external.player.spec.option_count; i++) {
        const PlayerOption *option = &xb->external.player.spec.options[i];
        char line[512];
        snprintf(line, sizeof line, "option %s=%s\n", option->name, option->value);
        external_send(&xb->external, line);
    }
    send_limits(xb);
    xb->told = -1;
    return wait_for_pong(xb, error);
}

static PlayerFault xboard_new_game(Player *player, const Rules *rules, Error *error)
{
    return external_new_game((External *)player, get_ready, rules, error);
}

// Does the engine have a position of this game? Not after moves were taken back.
static bool is_on_the_way(const XboardPlayer *xb, const Game *game)
{
    Position pos = game->start;
    for (int i = 0; i < xb->told && i < game->count; i++) {
        Undo undo;
        position_make(&pos, game->steps[i].move, &undo);
    }
    return xb->told < 0 || (xb->told <= game->count && pos.state.key == xb->told_key);
}

static bool send_move(XboardPlayer *xb, const Position *pos, Move move)
{
    char text[MOVE_TEXT_SIZE], line[64];
    bool shuffled = pos->rules->start == START_CHESS960;
    if (xb->has_san || (shuffled && move_is_castle(move)))
        move_to_san(pos, move, text);
    else
        move_to_uci(pos, move, false, text);
    snprintf(line, sizeof line, "%s%s\n", xb->has_usermove ? "usermove " : "", text);
    return external_send(&xb->external, line);
}

// Brings the engine's board to ours: the start once, then the moves it has not seen.
static bool send_position(XboardPlayer *xb, const Game *game)
{
    char fen[FEN_SIZE], start[FEN_SIZE], line[FEN_SIZE + 16];
    if (!is_on_the_way(xb, game) && get_ready(&xb->external, game->start.rules, NULL) != FAULT_NONE)
        return false;
    position_to_fen(&game->start, FEN_XFEN, fen);
    if (xb->told < 0) {
        bool usual = game->start.rules->start == START_FIXED &&
                     rules_start_fen(game->start.rules, 0, start, NULL) && !strcmp(fen, start);
        if (!usual && !xb->has_setboard)
            return false;
        snprintf(line, sizeof line, "setboard %s\n", fen);
        if (!usual && !external_send(&xb->external, line))
            return false;
        xb->told = 0;
    }
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        if (i >= xb->told && !send_move(xb, &pos, game->steps[i].move))
            return false;
        position_make(&pos, game->steps[i].move, &undo);
    }
    xb->told = game->count;
    return true;
}

static bool send_clocks(XboardPlayer *xb, const Game *game, const SearchLimits *limits)
{
    int64_t own = limits->time_ms[game->now.side], other = limits->time_ms[!game->now.side];
    if (own == TIME_UNSET || !xb->has_time)
        return true;
    char line[96];
    snprintf(line, sizeof line, "time %lld\notim %lld\n", (long long)own / 10,
             (long long)(other == TIME_UNSET ? own : other) / 10);
    return external_send(&xb->external, line);
}

// "ply score time nodes pv" of post mode; version 1 engines may put a sign after the ply.
static void read_post(const char *line, PlayerMove *answer)
{
    int depth, score;
    long long time, nodes;
    if (sscanf(line, "%d%*[.&+ \t]%d %lld %lld", &depth, &score, &time, &nodes) != 4)
        return;
    answer->depth = depth;
    answer->nodes = nodes > 0 ? (uint64_t)nodes : 0;
    if (score >= 100000)
        score = SCORE_MATE - (score - 100000) * 2 + 1;
    else if (score <= -100000)
        score = -SCORE_MATE - (score + 100000) * 2;
    answer->score = score > SCORE_MATE ? SCORE_MATE : score < -SCORE_MATE ? -SCORE_MATE : score;
}

// The text of a move in a line that announces one, or NULL.
static const char *announced_move(const char *line)
{
    if (!strncmp(line, "move ", 5))
        return line + 5;
    const char *old = strstr(line, "My move is");
    if (!old)
        return NULL;
    old += strcspn(old, ":");
    return old + strspn(old, ": \t");
}

// The first line after `go`. An engine that does not see all lines at once is nudged until it says
// something; one that does may think as silently as it likes.
static ReadStatus read_first(XboardPlayer *xb, char *line, size_t size, int64_t hurry_ns,
                             int64_t deadline_ns)
{
    if (!xb->needs_nudge)
        return READ_TIMEOUT;
    return read_nudging(xb, line, size, hurry_ns < deadline_ns ? hurry_ns : deadline_ns);
}

// The next line; from `hurry_ns` on the engine is told to move now, again and again, for who has
// not yet begun to think does not hear it: whole seconds are all that `st` can say, and some
// engines never move by it.
static ReadStatus read_hurrying(XboardPlayer *xb, char *line, size_t size, int64_t *hurry_ns,
                                int64_t deadline_ns)
{
    while (true) {
        int64_t until = *hurry_ns < deadline_ns ? *hurry_ns : deadline_ns;
        ReadStatus status = process_read_line(xb->external.process, line, size, until);
        if (status != READ_TIMEOUT || until == deadline_ns)
            return status;
        external_send(&xb->external, "?\n");
        *hurry_ns = external_in_ms(HURRY_AGAIN_MS);
    }
}

// When to say so: a little before the time is over.
static int64_t hurry_time_ns(const SearchLimits *limits)
{
    int64_t ms = limits->move_time_ms;
    return ms == TIME_UNSET ? NO_TIME_NS : external_in_ms(ms - (ms / 20 + 5));
}

static void read_answer(XboardPlayer *xb, const Game *game, int64_t hurry_ns, int64_t deadline_ns,
                        PlayerMove *answer)
{
    char line[EXTERNAL_LINE_SIZE];
    ReadStatus status = read_first(xb, line, sizeof line, hurry_ns, deadline_ns);
    for (;; status = READ_TIMEOUT) {
        if (status == READ_TIMEOUT)
            status = read_hurrying(xb, line, sizeof line, &hurry_ns, deadline_ns);
        if (status != READ_LINE) {
            player_fail(answer, status == READ_END ? FAULT_CRASH : FAULT_STALL, "no move");
            return;
        }
        const char *word = announced_move(line);
        if (word) {
            char text[MOVE_TEXT_SIZE];
            snprintf(text, sizeof text, "%.*s", (int)strcspn(word, " \t"), word);
            answer->move = move_from_san(&game->now, text, NULL);
            if (answer->move == MOVE_NONE)
                player_fail(answer, FAULT_ILLEGAL, text);
            return;
        }
        if (!strncmp(line, "resign", 6)) {
            player_fail(answer, FAULT_RESIGN, line);
            return;
        }
        if (!strncmp(line, "Illegal move", 12) ||
            !strncmp(line, "tellusererror Illegal position", 30)) {
            player_fail(answer, FAULT_ILLEGAL, line);
            return;
        }
        if (isdigit((unsigned char)line[strspn(line, " ")]))
            read_post(line, answer);
    }
}

static void xboard_choose(Player *player, const Game *game, const SearchLimits *limits,
                          PlayerMove *answer)
{
    XboardPlayer *xb = (XboardPlayer *)player;
    int64_t deadline = player_deadline_ns(player, game, limits);
    if (!xb->external.process || !send_position(xb, game) || !send_clocks(xb, game, limits) ||
        !external_send(&xb->external, "go\n"))
        player_fail(answer, FAULT_CRASH,
                    xb->external.process ? "cannot set up the position" : "not running");
    else
        read_answer(xb, game, hurry_time_ns(limits), deadline, answer);
    if (answer->fault == FAULT_CRASH || answer->fault == FAULT_STALL)
        external_stop(&xb->external);
    if (!xb->external.process)
        return;
    external_send(&xb->external, "force\n");
    if (answer->fault == FAULT_NONE) {
        Position pos = game->now;
        Undo undo;
        position_make(&pos, answer->move, &undo);
        xb->told = game->count + 1; // it has played its own move
        xb->told_key = pos.state.key;
    }
}

static void xboard_free(Player *player)
{
    XboardPlayer *xb = (XboardPlayer *)player;
    external_quit(&xb->external);
    bytes_release(&xb->options);
    free(xb);
}

Player *player_xboard_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    (void)engine;
    static const PlayerClass CLASS = {xboard_new_game, xboard_choose, xboard_free};
    XboardPlayer *xb = calloc(1, sizeof *xb);
    if (!xb)
        return error_set(error, "out of memory"), NULL;
    xb->external.player = (Player){.class = &CLASS, .spec = *spec};
    return &xb->external.player;
}
