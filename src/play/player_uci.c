// An external engine that speaks UCI. It is never trusted: every answer has a deadline, every move
// is checked, and after a fault the process is ended and started anew for the next game.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/stop.h"
#include "core/fen.h"
#include "core/notation.h"
#include "play/player_external.h"
#include "play/player_int.h"
#include "play/uci_offer.h"

typedef struct UciPlayer {
    External external;
    const Rules *rules;
    bool has_chess960, has_variant;    // the options it announced
    char variants[EXTERNAL_LINE_SIZE]; // the line that announced UCI_Variant
    UciOffer offer;
    char *message; // room for long "position" lines
    size_t message_size;
} UciPlayer;

// Does the text begin with this word?
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(text, word, n) && (!text[n] || isspace((unsigned char)text[n]));
}

static const char *after_word(const char *text)
{
    text += strcspn(text, " \t");
    return text + strspn(text, " \t");
}

// Reads until a line begins with the word.
static PlayerFault wait_for(UciPlayer *uci, const char *word, int64_t deadline_ns, Error *error)
{
    char line[EXTERNAL_LINE_SIZE];
    while (true) {
        ReadStatus status =
            process_read_line(uci->external.process, line, sizeof line, deadline_ns);
        if (status == READ_END)
            return external_blame(&uci->external, FAULT_CRASH, "ended instead of answering", error);
        if (status != READ_LINE)
            return external_blame(&uci->external, FAULT_STALL, "does not answer", error);
        if (has_word(line, word))
            return FAULT_NONE;
        if (has_word(line, "option"))
            uci_offer_add(&uci->offer, line);
        if (has_word(line, "option") && strstr(line, "name UCI_Chess960"))
            uci->has_chess960 = true;
        if (has_word(line, "option") && strstr(line, "name UCI_Variant")) {
            uci->has_variant = true;
            strcpy(uci->variants, line);
        }
    }
}

static bool send_option(UciPlayer *uci, const char *name, const char *value)
{
    char line[512];
    snprintf(line, sizeof line, "setoption name %s value %s\n", name, value);
    return external_send(&uci->external, line);
}

// Is " var NAME" among the values of UCI_Variant?
static bool offers_variant(const UciPlayer *uci, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = uci->variants; (at = strstr(at, "var ")); at += 4)
        if (!strncmp(at + 4, name, n) && (!at[4 + n] || isspace((unsigned char)at[4 + n])))
            return true;
    return false;
}

static bool is_shuffled(const Rules *rules)
{
    return rules->start == START_CHESS960 || rules->start == START_DOUBLE_CHESS960;
}

static bool choose_rules(UciPlayer *uci, const Rules *rules, Error *error)
{
    if (is_shuffled(rules) && !uci->has_chess960)
        return error_set(error, "%s: does not play %s", uci->external.player.spec.name,
                         rules->title);
    if (uci->has_chess960)
        send_option(uci, "UCI_Chess960", is_shuffled(rules) ? "true" : "false");
    bool offered = uci->has_variant && offers_variant(uci, rules->name);
    if (!offered && !player_rules_are_plain(rules))
        return error_set(error, "%s: does not play %s", uci->external.player.spec.name,
                         rules->title);
    if (uci->has_variant)
        send_option(uci, "UCI_Variant", offered ? rules->name : "chess");
    uci->rules = rules;
    return true;
}

// The greeting, in which the engine announces its options.
static PlayerFault greet(UciPlayer *uci, Error *error)
{
    return external_send(&uci->external, "uci\n")
               ? wait_for(uci, "uciok", external_in_ms(uci->external.player.spec.start_timeout_ms),
                          error)
               : external_blame(&uci->external, FAULT_CRASH, "does not read", error);
}

// Sends an option of the description; false, with the reason, when the engine has none such.
static bool set_option(UciPlayer *uci, const PlayerOption *option, Error *error)
{
    char name[sizeof option->name + 64];
    Error reason;
    if (!uci_offer_check(&uci->offer, option->name, option->value, name, sizeof name, &reason))
        return error_set(error, "%s: %s", uci->external.player.spec.name, reason.text);
    send_option(uci, name, option->value);
    return true;
}

static PlayerFault start_process(UciPlayer *uci, Error *error)
{
    const PlayerSpec *spec = &uci->external.player.spec;
    uci->rules = NULL;
    uci->has_chess960 = uci->has_variant = false;
    bytes_clear(&uci->offer.lines);
    if (!external_start(&uci->external, error))
        return FAULT_REFUSE;
    PlayerFault fault = greet(uci, error);
    bool has_new_games = false;
    for (int i = 0; i < spec->option_count && fault == FAULT_NONE; i++) {
        if (!set_option(uci, &spec->options[i], error))
            return FAULT_REFUSE;
        has_new_games |= !strcmp(spec->options[i].name, "VariantPath");
    }
    // An engine that has just read the rules of more games tells their names when asked again.
    return fault == FAULT_NONE && has_new_games ? greet(uci, error) : fault;
}

static PlayerFault get_ready(External *external, const Rules *rules, Error *error)
{
    UciPlayer *uci = (UciPlayer *)external;
    PlayerFault fault = uci->external.process ? FAULT_NONE : start_process(uci, error);
    if (fault != FAULT_NONE)
        return fault;
    if (uci->rules != rules && !choose_rules(uci, rules, error))
        return FAULT_REFUSE;
    if (!external_send(&uci->external, "ucinewgame\nisready\n"))
        return external_blame(&uci->external, FAULT_CRASH, "does not read", error);
    return wait_for(uci, "readyok", external_in_ms(uci->external.player.spec.patience_ms), error);
}

static PlayerFault uci_new_game(Player *player, const Rules *rules, Error *error)
{
    return external_new_game((External *)player, get_ready, rules, error);
}

static bool ensure_room(UciPlayer *uci, size_t size)
{
    if (size > uci->message_size) {
        char *message = realloc(uci->message, size);
        if (!message)
            return false;
        uci->message = message;
        uci->message_size = size;
    }
    return true;
}

// "position fen ... moves ...": the whole game, so that the engine sees repetitions.
static bool send_position(UciPlayer *uci, const Game *game)
{
    char fen[FEN_SIZE], move[MOVE_TEXT_SIZE];
    if (!ensure_room(uci, FEN_SIZE + 64 + (size_t)game->count * MOVE_TEXT_SIZE))
        return false;
    bool chess960 = is_shuffled(game->start.rules);
    position_to_fen(&game->start, chess960 ? FEN_SHREDDER : FEN_XFEN, fen);
    char *at =
        uci->message + sprintf(uci->message, "position fen %s%s", fen, game->count ? " moves" : "");
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        move_to_uci(&pos, game->steps[i].move, chess960, move);
        at += sprintf(at, " %s", move);
        position_make(&pos, game->steps[i].move, &undo);
    }
    strcpy(at, "\n");
    return external_send(&uci->external, uci->message);
}

static bool send_go(UciPlayer *uci, const SearchLimits *limits)
{
    char line[256] = "go";
    size_t n = 2;
    if (limits->time_ms[WHITE] != TIME_UNSET || limits->time_ms[BLACK] != TIME_UNSET) {
        // A side without a clock gets plenty.
        int64_t white = limits->time_ms[WHITE], black = limits->time_ms[BLACK];
        n += (size_t)snprintf(
            line + n, sizeof line - n, " wtime %lld btime %lld winc %lld binc %lld",
            (long long)(white == TIME_UNSET ? 3600000 : white),
            (long long)(black == TIME_UNSET ? 3600000 : black),
            (long long)limits->increment_ms[WHITE], (long long)limits->increment_ms[BLACK]);
        if (limits->moves_to_go)
            n += (size_t)snprintf(line + n, sizeof line - n, " movestogo %d", limits->moves_to_go);
    }
    if (limits->move_time_ms != TIME_UNSET)
        n += (size_t)snprintf(line + n, sizeof line - n, " movetime %lld",
                              (long long)limits->move_time_ms);
    if (limits->nodes)
        n += (size_t)snprintf(line + n, sizeof line - n, " nodes %llu",
                              (unsigned long long)limits->nodes);
    if (limits->depth)
        n += (size_t)snprintf(line + n, sizeof line - n, " depth %d", limits->depth);
    snprintf(line + n, sizeof line - n, "\n");
    return external_send(&uci->external, line);
}

// An info line in words that we know.
typedef struct UciInfo {
    int depth, seldepth, line, score; // score: SCORE_NONE when there is none
    bool is_bound;
    unsigned long long nodes;
    long long time_ms;
    const char *pv; // its moves, or NULL
} UciInfo;

// Reads the number behind a word, if it is one of an info line.
static void read_info_word(UciInfo *info, const char *word, const char *value)
{
    if (has_word(word, "multipv"))
        info->line = atoi(value);
    else if (has_word(word, "depth"))
        info->depth = atoi(value);
    else if (has_word(word, "seldepth"))
        info->seldepth = atoi(value);
    else if (has_word(word, "nodes"))
        info->nodes = strtoull(value, NULL, 10);
    else if (has_word(word, "time"))
        info->time_ms = atoll(value);
    else if (has_word(word, "cp"))
        info->score = atoi(value);
    else if (has_word(word, "mate"))
        info->score =
            atoi(value) > 0 ? SCORE_MATE - (2 * atoi(value) - 1) : -SCORE_MATE - 2 * atoi(value);
    else if (has_word(word, "lowerbound") || has_word(word, "upperbound"))
        info->is_bound = true;
}

static UciInfo parse_info(const char *line)
{
    UciInfo info = {.line = 1, .score = SCORE_NONE};
    for (const char *word = after_word(line), *value; *word; word = value) {
        value = after_word(word);
        if (has_word(word, "string"))
            break;
        if (has_word(word, "pv")) {
            info.pv = value;
            break;
        }
        read_info_word(&info, word, value);
    }
    return info;
}

// The moves of a line of play, as far as they are legal and there is room.
static int read_pv(const Position *root, const char *text, Move *moves, int most)
{
    Position pos = *root;
    int count = 0;
    for (; *text && count < most; text = after_word(text)) {
        char word[MOVE_TEXT_SIZE];
        Undo undo;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t"), text);
        Move move = move_from_uci(&pos, word, NULL);
        if (move == MOVE_NONE)
            break;
        moves[count++] = move;
        position_make(&pos, move, &undo);
    }
    return count;
}

// Tells whoever listens what the engine thinks.
static void pass_info_on(const Player *player, const Game *game, const UciInfo *info)
{
    enum { PV_MAX = 64 };
    Move moves[PV_MAX];
    if (!player->on_info || !info->pv || info->score == SCORE_NONE || info->line < 1)
        return;
    SearchInfo told = {.kind = INFO_LINE,
                       .depth = info->depth,
                       .seldepth = info->seldepth,
                       .multi_pv = info->line,
                       .score = info->score,
                       .bound = info->is_bound ? BOUND_LOWER : BOUND_EXACT,
                       .wdl = engine_wdl(&game->now, info->score),
                       .nodes = info->nodes,
                       .time_ms = info->time_ms,
                       .pv = moves,
                       .pv_count = read_pv(&game->now, info->pv, moves, PV_MAX)};
    if (told.pv_count)
        player->on_info(player->context, &game->now, &told);
}

// Takes depth, score and nodes out of an info line of the first line of play.
static void read_info(const Player *player, const Game *game, const char *line, PlayerMove *answer)
{
    UciInfo info = parse_info(line);
    pass_info_on(player, game, &info);
    if (info.line > 1)
        return;
    if (info.nodes)
        answer->nodes = info.nodes;
    if (info.score != SCORE_NONE) {
        answer->score = info.score;
        answer->depth = info.depth;
    }
}

// The next line before the deadline. An engine whose player is in a hurry is told to stop thinking,
// once, and has a moment for its move.
static ReadStatus read_line(UciPlayer *uci, char *line, size_t size, int64_t *deadline_ns,
                            bool *is_told)
{
    enum { LOOK_MS = 50, MOMENT_MS = 2000 };
    const Player *player = &uci->external.player;
    while (true) {
        int64_t look_ns = external_in_ms(LOOK_MS);
        bool is_last = !player->hurry || look_ns >= *deadline_ns;
        ReadStatus status =
            process_read_line(uci->external.process, line, size, is_last ? *deadline_ns : look_ns);
        if (!*is_told && stop_is_set(player->hurry)) {
            int64_t moment_ns = external_in_ms(MOMENT_MS);
            *is_told = external_send(&uci->external, "stop\n");
            *deadline_ns = moment_ns < *deadline_ns ? moment_ns : *deadline_ns;
        }
        if (status != READ_TIMEOUT || is_last)
            return status;
    }
}

static void read_answer(UciPlayer *uci, const Game *game, int64_t deadline_ns, PlayerMove *answer)
{
    char line[EXTERNAL_LINE_SIZE];
    bool is_told = false;
    while (true) {
        ReadStatus status = read_line(uci, line, sizeof line, &deadline_ns, &is_told);
        if (status != READ_LINE) {
            player_fail(answer, status == READ_END ? FAULT_CRASH : FAULT_STALL,
                        status == READ_END ? "ended without a move" : "no bestmove");
            return;
        }
        if (has_word(line, "info"))
            read_info(&uci->external.player, game, line, answer);
        if (!has_word(line, "bestmove"))
            continue;
        const char *word = after_word(line);
        char text[MOVE_TEXT_SIZE];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(word, " \t"), word);
        answer->move = move_from_uci(&game->now, text, NULL);
        if (answer->move == MOVE_NONE)
            player_fail(answer, FAULT_ILLEGAL, text);
        return;
    }
}

static void uci_choose(Player *player, const Game *game, const SearchLimits *limits,
                       PlayerMove *answer)
{
    UciPlayer *uci = (UciPlayer *)player;
    int64_t deadline = player_deadline_ns(player, game, limits);
    if (!uci->external.process || !send_position(uci, game) || !send_go(uci, limits))
        player_fail(answer, FAULT_CRASH, "does not read");
    else
        read_answer(uci, game, deadline, answer);
    if (answer->fault == FAULT_CRASH || answer->fault == FAULT_STALL)
        external_stop(&uci->external);
}

static void uci_free(Player *player)
{
    UciPlayer *uci = (UciPlayer *)player;
    external_quit(&uci->external);
    bytes_release(&uci->offer.lines);
    free(uci->message);
    free(uci);
}

Player *player_uci_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    (void)engine;
    static const PlayerClass CLASS = {uci_new_game, uci_choose, uci_free};
    UciPlayer *uci = calloc(1, sizeof *uci);
    if (!uci)
        return error_set(error, "out of memory"), NULL;
    uci->external.player = (Player){.class = &CLASS, .spec = *spec};
    return &uci->external.player;
}
