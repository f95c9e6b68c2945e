// `lovac xboard`: the Chess Engine Communication Protocol, version 2, so that XBoard and its kin
// can play every variant. Games that XBoard does not know are taught to it (setup and piece
// commands). The reading thread owns the game; the engine's thread only hands its move over, under
// the mutex.
#include "app/command.h"
#include "app/line_input.h"
#include "app/options.h"
#include "app/version.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/notation.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char help_xboard[] =
    "Usage: lovac xboard\n"
    "\n"
    "Speaks the XBoard protocol (CECP, version 2), with all variants.\n"
    "XBoard itself cannot judge Legan, Horde and Massacre: switch its own\n"
    "test of moves off for them, as below.\n"
    "\n"
    "Example: xboard -fcp 'lovac xboard'\n"
    "         xboard -fcp 'lovac xboard' -variant fortress\n"
    "         xboard -fcp 'lovac xboard' -variant legan -testLegality false\n";

enum { STEPS_MAX = 16384, NOBODY = 2 };

typedef struct XBoard {
    Engine *engine;
    const Rules *rules;
    Game game;
    GameStep *steps;
    Move *moves;       // scratch for the engine
    Mutex mutex;       // over the game and everything below, and over the output
    Color engine_side; // or NOBODY
    bool is_analysing, shows_thinking;
    bool is_dropped; // the move of the search under way is not wanted
    int64_t time_ms[2], increment_ms, move_time_ms; // time_ms: engine's, opponent's
    int moves_per_control, depth;
} XBoard;

// --- output ----------------------------------------------------------------------------------

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool is_gone = vprintf(format, args) < 0 || putchar('\n') == EOF || fflush(stdout);
    va_end(args);
    if (is_gone)
        _exit(EXIT_FAILED); // nobody listens any more
}

// Castling is told by its name where the king's way does not show it.
static void move_text(const Position *pos, Move m, char text[MOVE_TEXT_SIZE])
{
    bool is_shuffled =
        pos->rules->start == START_CHESS960 || pos->rules->start == START_DOUBLE_CHESS960;
    if (move_is_castle(m) && is_shuffled)
        strcpy(text, move_to(m) > move_from(m) ? "O-O" : "O-O-O");
    else
        move_to_uci(pos, m, false, text);
}

static void say_result(XBoard *x)
{
    Outcome outcome = game_outcome(&x->game);
    if (outcome.result != RESULT_NONE)
        say("%s {%s}", result_text(outcome.result), reason_text(outcome.reason));
}

static void on_info(void *context, const Position *root, const SearchInfo *info)
{
    XBoard *x = context;
    char buffer[4096];
    Str line;
    if (info->kind != INFO_LINE || info->multi_pv != 1 || info->bound == BOUND_UPPER)
        return;
    str_init(&line, buffer, sizeof buffer);
    int score = info->score;
    if (score_is_mate(score))
        score = score > 0 ? 100000 + score_mate_moves(score) : -100000 + score_mate_moves(score);
    else
        score = score_shown(score);
    str_format(&line, "%d %d %" PRId64 " %" PRIu64, info->depth, score, info->time_ms / 10,
               info->nodes);
    Position pos = *root;
    for (int i = 0; i < info->pv_count; i++) {
        Undo undo;
        char text[MOVE_TEXT_SIZE];
        move_to_san(&pos, info->pv[i], text);
        str_add_char(&line, ' ');
        str_add(&line, text);
        position_make(&pos, info->pv[i], &undo);
    }
    mutex_lock(&x->mutex);
    if (x->shows_thinking || x->is_analysing)
        say("%s", buffer);
    mutex_unlock(&x->mutex);
}

// The engine's thread: play the move, unless it is no longer wanted.
static void on_best(void *context, const Position *root, const SearchResult *result)
{
    XBoard *x = context;
    mutex_lock(&x->mutex);
    if (!x->is_dropped && !x->is_analysing && result->best) {
        char text[MOVE_TEXT_SIZE];
        move_text(root, result->best, text);
        if (game_play(&x->game, result->best, NULL)) {
            say("move %s", text);
            say_result(x);
        }
    }
    mutex_unlock(&x->mutex);
}

// --- thinking --------------------------------------------------------------------------------

// Ends a search whose result nobody wants. Called without the mutex.
static void drop_search(XBoard *x)
{
    mutex_lock(&x->mutex);
    x->is_dropped = true;
    mutex_unlock(&x->mutex);
    engine_stop(x->engine);
    engine_wait(x->engine);
}

static int moves_to_control(const XBoard *x)
{
    if (!x->moves_per_control)
        return 0;
    int played = x->game.now.ply / 2;
    return x->moves_per_control - played % x->moves_per_control;
}

static void think(XBoard *x)
{
    Error error;
    SearchLimits limits = search_limits_none();
    drop_search(x);
    if (!x->is_analysing &&
        (game_outcome(&x->game).result != RESULT_NONE || x->game.now.side != x->engine_side))
        return;
    for (int i = 0; i < x->game.count; i++)
        x->moves[i] = x->game.steps[i].move;
    if (!engine_set_position(x->engine, &x->game.start, x->moves, x->game.count, &error)) {
        say("telluser %s", error.text);
        return;
    }
    Color us = x->game.now.side;
    limits.infinite = x->is_analysing;
    limits.depth = x->is_analysing ? 0 : x->depth;
    if (x->move_time_ms > 0) {
        limits.move_time_ms = x->move_time_ms;
    } else {
        limits.time_ms[us] = x->time_ms[0];
        limits.time_ms[!us] = x->time_ms[1];
        limits.increment_ms[us] = limits.increment_ms[!us] = x->increment_ms;
        limits.moves_to_go = moves_to_control(x);
    }
    x->is_dropped = false;
    if (!engine_go(x->engine, &limits, on_info, on_best, x, &error))
        say("telluser %s", error.text);
}

// --- games -----------------------------------------------------------------------------------

static void begin(XBoard *x, const Position *start)
{
    game_init(&x->game, start, x->steps, STEPS_MAX);
    engine_new_game(x->engine, NULL);
}

static void do_new(XBoard *x)
{
    Position start;
    x->rules = &VARIANTS[VARIANT_CHESS];
    x->engine_side = BLACK;
    x->is_analysing = false;
    x->depth = 0;
    position_from_fen(&start, x->rules, x->rules->start_fen, NULL);
    begin(x, &start);
}

// XBoard's names of our games, and what must be told of those it does not know. Legan's pawns
// promote where XBoard's never would, and do not where XBoard's must: to XBoard they are another
// man, in the place of its "Man", which it leaves alone.
typedef struct Teaching {
    const char *name;
    int variant;
    const char *men;   // XBoard's table of men; NULL: XBoard knows the game
    const char *piece; // a piece command, or NULL
} Teaching;

#define USUAL_MEN "PNBRQKpnbrqk"

static const Teaching GAMES[] = {
    {"normal", VARIANT_CHESS, NULL, NULL},
    {"fischerandom", VARIANT_CHESS960, NULL, NULL},
    {"horde32", VARIANT_HORDE32, USUAL_MEN, NULL},
    {"legan", VARIANT_LEGAN, ".NBRQ.....PK.nbrq.....pk",
     "piece P& flmFfcWlcW"}, // one step up-left, takes up or left
    {"corner", VARIANT_CORNER, USUAL_MEN, NULL},
    {"fortress", VARIANT_FORTRESS, USUAL_MEN, NULL},
    {"massacre", VARIANT_MASSACRE, USUAL_MEN, NULL},
};
enum { GAME_COUNT = sizeof GAMES / sizeof *GAMES };

static void do_variant(XBoard *x, const char *name)
{
    for (int i = 0; i < GAME_COUNT; i++) {
        const Teaching *t = &GAMES[i];
        Position start;
        if (strcmp(t->name, name))
            continue;
        x->rules = &VARIANTS[t->variant];
        if (!position_from_fen(&start, x->rules, x->rules->start_fen, NULL))
            return;
        begin(x, &start);
        if (t->men) {
            say("setup (%s) 8x8+0_fairy %s", t->men, x->rules->start_fen);
            if (t->piece)
                say("%s", t->piece);
        }
        return;
    }
    say("Error (unknown variant): %.40s", name);
}

static void do_setboard(XBoard *x, const char *fen)
{
    Position start;
    Error error;
    if (!position_from_fen(&start, x->rules, fen, &error)) {
        say("tellusererror Illegal position: %s", error.text);
        return;
    }
    begin(x, &start);
}

// A move of the opponent; promotions without a piece become a queen.
static void do_move(XBoard *x, const char *text)
{
    Error error;
    char longer[64];
    Move m = move_from_uci(&x->game.now, text, &error);
    if (!m && strlen(text) == 4) {
        snprintf(longer, sizeof longer, "%sq", text);
        m = move_from_uci(&x->game.now, longer, NULL);
    }
    if (!m)
        m = move_from_san(&x->game.now, text, NULL);
    if (!m) {
        say("Illegal move (%s): %.40s", error.text, text);
        return;
    }
    if (!game_play(&x->game, m, &error)) {
        say("Illegal move (%s): %.40s", error.text, text);
        return;
    }
    if (!x->is_analysing)
        say_result(x);
}

static void undo(XBoard *x, int count)
{
    while (count-- > 0 && game_undo(&x->game))
        continue;
}

// --- commands --------------------------------------------------------------------------------

static void say_features(void)
{
    char names[256];
    Str list;
    str_init(&list, names, sizeof names);
    for (int i = 0; i < GAME_COUNT; i++)
        str_format(&list, "%s%s", i ? "," : "", GAMES[i].name);
    say("feature done=0 ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 "
        "sigterm=0 reuse=1 nps=0");
    say("feature analyze=1 myname=\"Lovac %s\" colors=0 ics=0 name=0 pause=0 debug=1 memory=1 "
        "smp=1 egt=\"syzygy\"",
        LOVAC_VERSION);
    say("feature variants=\"%s\"", names);
    say("feature option=\"Skill Level -spin 20 0 %d\" option=\"Move Overhead -spin 10 0 %d\" "
        "option=\"OwnBook -check 0\" option=\"BookFile -file \" done=1",
        SKILL_MAX, MOVE_OVERHEAD_MS_MAX);
}

// "40 5 0", "0 2:30 12": moves, minutes or minutes:seconds, increment in seconds.
static void do_level(XBoard *x, const char *arguments)
{
    int moves = 0, minutes = 0, seconds = 0;
    double increment = 0;
    if (sscanf(arguments, "%d %d:%d %lf", &moves, &minutes, &seconds, &increment) < 3) {
        seconds = 0;
        if (sscanf(arguments, "%d %d %lf", &moves, &minutes, &increment) < 2) {
            say("Error (bad time control): level %.40s", arguments);
            return;
        }
    }
    x->moves_per_control = moves > 0 ? moves : 0;
    x->time_ms[0] = x->time_ms[1] = ((int64_t)minutes * 60 + seconds) * 1000;
    x->increment_ms = (int64_t)(increment * 1000);
    x->move_time_ms = 0;
}

static void set_engine_option(XBoard *x, const char *name, long value)
{
    EngineOptions options = *engine_options(x->engine);
    Error error;
    if (!strcmp(name, "memory"))
        options.hash_mb =
            value > 16 ? (int)(value - 8) : (int)value; // something for the rest of us
    else if (!strcmp(name, "cores"))
        options.threads = (int)value;
    else if (!strcmp(name, "Skill Level"))
        options.skill = (int)value;
    else if (!strcmp(name, "Move Overhead"))
        options.move_overhead_ms = (int)value;
    else if (!strcmp(name, "OwnBook"))
        options.own_book = value;
    if (!engine_set_options(x->engine, &options, &error))
        say("Error (%s): %s", error.text, name);
}

static void do_option(XBoard *x, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return;
    *equals = 0;
    if (!strcmp(text, "BookFile")) {
        Error error;
        if (!engine_load_book(x->engine, equals + 1, &error))
            say("Error (%s): BookFile", error.text);
        return;
    }
    set_engine_option(x, text, strtol(equals + 1, NULL, 10));
}

// "syzygy FOLDERS"; other kinds of tables are none of ours.
static void do_tables(XBoard *x, const char *arguments)
{
    Error error;
    if (!strncmp(arguments, "syzygy ", 7) && !engine_load_tables(x->engine, arguments + 7, &error))
        say("Error (%s): egtpath", error.text);
}

static void do_hint(XBoard *x)
{
    SearchLimits limits = search_limits_none();
    SearchResult result;
    char text[MOVE_TEXT_SIZE];
    limits.nodes = 20000;
    for (int i = 0; i < x->game.count; i++)
        x->moves[i] = x->game.steps[i].move;
    if (!engine_set_position(x->engine, &x->game.start, x->moves, x->game.count, NULL))
        return;
    engine_think(x->engine, &limits, NULL, NULL, &result);
    if (!result.best)
        return;
    move_to_san(&x->game.now, result.best, text);
    say("Hint: %s", text);
}

static bool is(const char *word, const char *other)
{
    return !strcmp(word, other);
}

// Commands that may come while the engine thinks and leave it alone; false if it is none of them.
static bool do_light(XBoard *x, const char *word, const char *rest)
{
    if (is(word, "ping")) {
        say("pong %.40s", rest);
    } else if (is(word, "time")) {
        x->time_ms[0] = strtol(rest, NULL, 10) * 10;
    } else if (is(word, "otim")) {
        x->time_ms[1] = strtol(rest, NULL, 10) * 10;
    } else if (is(word, "?")) {
        engine_stop(x->engine);
    } else if (is(word, "post")) {
        x->shows_thinking = true;
    } else if (is(word, "nopost")) {
        x->shows_thinking = false;
    } else if (is(word, "protover")) {
        say_features();
    } else {
        static const char *const IGNORED[] = {"xboard", "accepted", "rejected", "random",   "hard",
                                              "easy",   "name",     "rating",   "computer", "ics",
                                              "bk",     "draw",     ".",        NULL};
        for (int i = 0; IGNORED[i]; i++)
            if (is(word, IGNORED[i]))
                return true;
        return false;
    }
    return true;
}

// Commands that change the game; the engine is at rest. Returns whether it should think afterwards.
static bool do_heavy(XBoard *x, char *word, char *rest)
{
    if (is(word, "new")) {
        do_new(x);
    } else if (is(word, "variant")) {
        do_variant(x, rest);
    } else if (is(word, "force") || is(word, "result")) {
        x->engine_side = NOBODY;
    } else if (is(word, "go")) {
        x->engine_side = x->game.now.side;
    } else if (is(word, "playother")) {
        x->engine_side = !x->game.now.side;
    } else if (is(word, "setboard")) {
        do_setboard(x, rest);
        return x->is_analysing;
    } else if (is(word, "undo")) {
        undo(x, 1);
        return x->is_analysing;
    } else if (is(word, "remove")) {
        undo(x, 2);
    } else if (is(word, "analyze")) {
        x->is_analysing = true;
        x->engine_side = NOBODY;
    } else if (is(word, "exit")) {
        x->is_analysing = false;
    } else if (is(word, "egtpath")) {
        do_tables(x, rest);
    } else if (is(word, "level")) {
        do_level(x, rest);
    } else if (is(word, "st")) {
        x->move_time_ms = (int64_t)(strtod(rest, NULL) * 1000);
    } else if (is(word, "sd")) {
        x->depth = (int)strtol(rest, NULL, 10);
    } else if (is(word, "memory") || is(word, "cores")) {
        set_engine_option(x, word, strtol(rest, NULL, 10));
    } else if (is(word, "option")) {
        do_option(x, rest);
    } else if (is(word, "hint")) {
        do_hint(x);
    } else if (is(word, "usermove")) {
        do_move(x, rest);
    } else if (move_from_uci(&x->game.now, word, NULL)) {
        do_move(x, word);
    } else {
        say("Error (unknown command): %.40s", word);
    }
    return true;
}

// False for quit.
static bool do_line(XBoard *x, char *line)
{
    line[strcspn(line, "\r")] = 0;
    char *word = line + strspn(line, " \t"), *rest = word + strcspn(word, " \t");
    if (*rest)
        *rest++ = 0;
    rest += strspn(rest, " \t");
    if (!*word)
        return true;
    if (is(word, "quit"))
        return false;
    mutex_lock(&x->mutex);
    bool is_light = do_light(x, word, rest);
    mutex_unlock(&x->mutex);
    if (is_light)
        return true;
    drop_search(x);
    if (do_heavy(x, word, rest))
        think(x);
    return true;
}

int cmd_xboard(int argc, char **argv)
{
    Error error = {.text = "no memory"};
    if (argc > 1) {
        error_set(&error, "what is '%.60s'?", argv[1]);
        return options_refuse(argv[0], &error);
    }
    XBoard *x = calloc(1, sizeof *x);
    LineInput *input = line_input_new();
    if (x) {
        x->engine = engine_new(NULL, &error);
        x->steps = calloc(STEPS_MAX, sizeof *x->steps);
        x->moves = calloc(STEPS_MAX, sizeof *x->moves);
    }
    if (!x || !input || !x->engine || !x->steps || !x->moves) {
        fprintf(stderr, "lovac xboard: %s\n", error.text);
        return EXIT_FAILED;
    }
    engine_load_usual_tables(x->engine);
    mutex_init(&x->mutex);
    x->time_ms[0] = x->time_ms[1] = 300000;
    do_new(x);
    bool is_cut;
    for (char *line; (line = line_input_read(input, &is_cut));)
        if (!is_cut && !do_line(x, line))
            break;
    drop_search(x);
    engine_free(x->engine);
    mutex_release(&x->mutex);
    line_input_free(input);
    free(x->steps);
    free(x->moves);
    free(x);
    return EXIT_OK;
}
