// `lovac uci`, and `lovac` alone: the Universal Chess Interface on standard input and output.
// The reading thread only reads and answers; all thinking goes on in the engine's own threads.
// Whatever comes in, the answer is what UCI asks for or one line "info string error: ...", and what
// was set before stays in force.
#include "app/bench.h"
#include "app/board_view.h"
#include "app/command.h"
#include "app/eval_view.h"
#include "app/line_input.h"
#include "app/version.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "engine/engine.h"
#include "engine/tunables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char help_uci[] =
    "Usage: lovac [uci]\n"
    "\n"
    "Speaks UCI, the protocol by which chess programs talk to an engine. Beside its\n"
    "commands it knows\n"
    "\n"
    "  d                     show the position\n"
    "  eval                  the static evaluation: its terms, what the network says, which one\n"
    "                        the search uses\n"
    "  go perft N            count move sequences\n"
    "  bench [DEPTH]         search a set of positions; the node count is a signature\n"
    "\n"
    "Example: printf 'position startpos moves e2e4\\ngo depth 12\\n' | lovac\n";

typedef struct Uci {
    Engine *engine;
    const Rules *rules;
    bool chess960, show_wdl, ponder;
    bool stop_sent; // stop has been asked for the search under way
    Mutex output;
    FILE *log; // under `output`

    // go perft, in a thread of its own
    Thread perft_thread;
    bool has_perft_thread;
    atomic_bool is_counting, stop_counting;
    Position perft_root;
    int perft_depth;
} Uci;

// --- output ----------------------------------------------------------------------------------

// Writes whole lines; without a reader there is nobody left to play for.
static void send_text(Uci *uci, const char *text)
{
    mutex_lock(&uci->output);
    if (uci->log)
        fprintf(uci->log, "<< %s", text), fflush(uci->log);
    bool is_gone = fputs(text, stdout) < 0 || fflush(stdout);
    mutex_unlock(&uci->output);
    if (is_gone)
        _exit(EXIT_FAILED);
}

static void send_line(Uci *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void send_line(Uci *uci, const char *format, ...)
{
    char buffer[8192];
    Str line;
    va_list args;
    str_init(&line, buffer, sizeof buffer - 1);
    va_start(args, format);
    str_format_list(&line, format, args);
    va_end(args);
    buffer[line.length] = '\n';
    buffer[line.length + 1] = 0;
    send_text(uci, buffer);
}

static void send_error(Uci *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void send_error(Uci *uci, const char *format, ...)
{
    char buffer[ERROR_TEXT_SIZE + 64];
    Str text;
    va_list args;
    str_init(&text, buffer, sizeof buffer);
    va_start(args, format);
    str_format_list(&text, format, args);
    va_end(args);
    for (char *c = buffer; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?'; // an echo of bad input must not break the line
    send_line(uci, "info string error: %s", buffer);
}

static bool is_960(const Uci *uci)
{
    return uci->chess960 || uci->rules->start == START_CHESS960 ||
           uci->rules->start == START_DOUBLE_CHESS960;
}

static void add_move(Str *line, const Uci *uci, const Position *pos, Move m)
{
    char text[MOVE_TEXT_SIZE];
    move_to_uci(pos, m, is_960(uci), text);
    str_add_char(line, ' ');
    str_add(line, text);
}

static void add_score(Str *line, int score)
{
    if (score_is_mate(score))
        str_format(line, " score mate %d", score_mate_moves(score));
    else
        str_format(line, " score cp %d", score);
}

static void on_info(void *context, const Position *root, const SearchInfo *info)
{
    Uci *uci = context;
    char buffer[8192];
    Str line;
    str_init(&line, buffer, sizeof buffer);
    if (info->kind == INFO_TEXT) {
        send_line(uci, "info string %s", info->text);
        return;
    }
    if (info->kind == INFO_CURRENT_MOVE) {
        str_format(&line, "info depth %d currmove", info->depth);
        add_move(&line, uci, root, info->current_move);
        str_format(&line, " currmovenumber %d\n", info->current_number);
        send_text(uci, buffer);
        return;
    }
    int64_t time_ms = info->time_ms > 0 ? info->time_ms : 1;
    str_format(&line, "info depth %d seldepth %d multipv %d", info->depth, info->seldepth,
               info->multi_pv);
    add_score(&line, info->score);
    if (info->bound == BOUND_LOWER)
        str_add(&line, " lowerbound");
    else if (info->bound == BOUND_UPPER)
        str_add(&line, " upperbound");
    if (uci->show_wdl)
        str_format(&line, " wdl %d %d %d", info->wdl.win, info->wdl.draw, info->wdl.loss);
    str_format(&line,
               " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64
               " pv",
               info->nodes, info->nodes * 1000 / (uint64_t)time_ms, info->hashfull,
               info->table_hits, info->time_ms);
    Position pos = *root;
    for (int i = 0; i < info->pv_count; i++) {
        Undo undo;
        add_move(&line, uci, &pos, info->pv[i]);
        position_make(&pos, info->pv[i], &undo);
    }
    str_add_char(&line, '\n');
    send_text(uci, buffer);
}

static void on_best(void *context, const Position *root, const SearchResult *result)
{
    Uci *uci = context;
    char buffer[128];
    Str line;
    str_init(&line, buffer, sizeof buffer);
    if (!result->best) {
        bool is_lost = score_is_mate(result->score);
        send_line(uci, "info depth 0 score %s", is_lost ? "mate 0" : "cp 0");
        send_line(uci, "bestmove 0000");
        return;
    }
    str_add(&line, "bestmove");
    add_move(&line, uci, root, result->best);
    if (result->ponder) {
        Position pos = *root;
        Undo undo;
        position_make(&pos, result->best, &undo);
        str_add(&line, " ponder");
        add_move(&line, uci, &pos, result->ponder);
    }
    str_add_char(&line, '\n');
    send_text(uci, buffer);
}

// --- words of a line -------------------------------------------------------------------------

typedef struct Reader {
    char *at;
} Reader;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// The next word, ended in place; NULL at the end.
static char *next_word(Reader *r)
{
    while (is_space(*r->at))
        r->at++;
    if (!*r->at)
        return NULL;
    char *word = r->at;
    while (*r->at && !is_space(*r->at))
        r->at++;
    if (*r->at)
        *r->at++ = 0;
    return word;
}

// What is left of the line, without spaces around it.
static char *rest_of_line(Reader *r)
{
    while (is_space(*r->at))
        r->at++;
    size_t length = strlen(r->at);
    while (length && is_space(r->at[length - 1]))
        r->at[--length] = 0;
    return r->at;
}

// A whole number, clamped into a range however large it is written; false when it is none.
static bool read_clamped(const char *word, int64_t least, int64_t greatest, int64_t *value)
{
    if (!word)
        return false;
    const char *digits = word + (*word == '-' || *word == '+');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        return false;
    errno = 0;
    long long x =
        strtoll(word, NULL, 10); // out of range gives the end of the range, which is what we want
    *value = x < least ? least : x > greatest ? greatest : x;
    return true;
}

// --- being busy ------------------------------------------------------------------------------

static void join_perft(Uci *uci)
{
    if (uci->has_perft_thread)
        thread_join(&uci->perft_thread);
    uci->has_perft_thread = false;
}

// True, with an error line, while a search is under way that nobody has told to stop.
static bool refuse_if_busy(Uci *uci, const char *command)
{
    if (atomic_load(&uci->is_counting)) {
        if (!atomic_load(&uci->stop_counting)) {
            send_error(uci, "%s refused: counting moves", command);
            return true;
        }
        join_perft(uci);
    }
    if (!engine_is_thinking(uci->engine))
        return false;
    if (!uci->stop_sent) {
        send_error(uci, "%s refused: a search is running", command);
        return true;
    }
    engine_wait(uci->engine); // it is about to end
    return false;
}

// --- position --------------------------------------------------------------------------------

static const Rules *current_rules(const Uci *uci)
{
    if (uci->chess960 && uci->rules == &VARIANTS[VARIANT_CHESS])
        return &VARIANTS[VARIANT_CHESS960];
    return uci->rules;
}

// Reads "startpos" or "fen ..." up to "moves"; true with the position.
static bool read_start(Uci *uci, Reader *r, Position *start)
{
    Error error;
    const Rules *rules = current_rules(uci);
    char *word = next_word(r);
    if (word && !strcmp(word, "startpos")) {
        word = next_word(r);
        if (!position_from_fen(start, rules, rules->start_fen, &error)) {
            send_error(uci, "%s", error.text);
            return false;
        }
    } else if (word && !strcmp(word, "fen")) {
        char buffer[512];
        Str fen;
        str_init(&fen, buffer, sizeof buffer);
        while ((word = next_word(r)) && strcmp(word, "moves")) {
            if (fen.length)
                str_add_char(&fen, ' ');
            str_add(&fen, word);
        }
        if (!position_from_fen(start, rules, buffer, &error)) {
            send_error(uci, "bad FEN: %s", error.text);
            return false;
        }
    } else {
        send_error(uci, "position needs startpos or fen");
        return false;
    }
    if (word && strcmp(word, "moves")) {
        send_error(uci, "'%.40s' where 'moves' should stand", word);
        return false;
    }
    return true;
}

static void do_position(Uci *uci, Reader *r)
{
    Position start, pos;
    Error error;
    if (refuse_if_busy(uci, "position") || !read_start(uci, r, &start))
        return;
    Move *moves = NULL;
    int count = 0, room = 0;
    pos = start;
    for (char *word; (word = next_word(r)); count++) {
        if (count == room) {
            room = room ? room * 2 : 256;
            Move *larger = realloc(moves, (size_t)room * sizeof *moves);
            if (!larger) {
                send_error(uci, "no memory for %d moves", room);
                free(moves);
                return;
            }
            moves = larger;
        }
        Undo undo;
        moves[count] = move_from_uci(&pos, word, &error);
        if (!moves[count]) {
            send_error(uci, "move %d, '%.20s', is illegal: %.200s", count + 1, word, error.text);
            free(moves);
            return;
        }
        position_make(&pos, moves[count], &undo);
    }
    if (!engine_set_position(uci->engine, &start, moves, count, &error))
        send_error(uci, "%s", error.text);
    free(moves);
}

// --- go --------------------------------------------------------------------------------------

// Counts so that `stop` is heard: only short counts go on undisturbed.
static uint64_t count_below(Uci *uci, Position *pos, int depth)
{
    enum { SHORT = 4 };
    if (depth <= SHORT)
        return depth ? perft(pos, depth) : 1;
    Move list[MAX_MOVES];
    uint64_t nodes = 0;
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count && !atomic_load(&uci->stop_counting); i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        nodes += count_below(uci, pos, depth - 1);
        position_unmake(pos, list[i], &undo);
    }
    return nodes;
}

static void count_moves(void *context)
{
    Uci *uci = context;
    Position pos = uci->perft_root;
    Move list[MAX_MOVES];
    int64_t start = clock_ms();
    uint64_t total = 0;
    int count = movegen_legal(&pos, STAGE_ALL, list);
    for (int i = 0; i < count && !atomic_load(&uci->stop_counting); i++) {
        Undo undo;
        char text[MOVE_TEXT_SIZE];
        move_to_uci(&pos, list[i], is_960(uci), text);
        position_make(&pos, list[i], &undo);
        uint64_t nodes = count_below(uci, &pos, uci->perft_depth - 1);
        position_unmake(&pos, list[i], &undo);
        send_line(uci, "%s: %" PRIu64, text, nodes);
        total += nodes;
    }
    int64_t time_ms = clock_ms() - start;
    send_line(uci, "\nNodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\n", total, time_ms);
    atomic_store(&uci->is_counting, false);
}

static void go_perft(Uci *uci, const char *word)
{
    int64_t depth;
    Error error;
    if (!read_clamped(word, 0, 64, &depth)) {
        send_error(uci, "go perft needs a depth");
        return;
    }
    if (depth == 0) {
        send_line(uci, "\nNodes searched: 1\n");
        return;
    }
    join_perft(uci);
    uci->perft_root = *engine_position(uci->engine);
    uci->perft_depth = (int)depth;
    atomic_store(&uci->stop_counting, false);
    atomic_store(&uci->is_counting, true);
    uci->has_perft_thread = thread_start(&uci->perft_thread, count_moves, uci, &error);
    if (!uci->has_perft_thread) {
        atomic_store(&uci->is_counting, false);
        send_error(uci, "%s", error.text);
    }
}

// The moves after searchmoves; *next is the first word that is none. False when nothing legal is
// among them.
static bool read_search_moves(Uci *uci, Reader *r, Move *list, int *count, char **next)
{
    const Position *pos = engine_position(uci->engine);
    int seen = 0;
    *count = 0;
    while ((*next = next_word(r))) {
        Error error;
        const char *w = *next;
        bool looks_like_move =
            strlen(w) >= 4 && w[0] >= 'a' && w[0] <= 'h' && w[1] >= '1' && w[1] <= '8';
        if (!looks_like_move)
            break;
        seen++;
        Move m = move_from_uci(pos, w, &error);
        if (!m)
            send_error(uci, "searchmoves: '%.20s' is illegal", w);
        else if (*count < MAX_MOVES)
            list[(*count)++] = m;
    }
    return !seen || *count;
}

// Numbers behind the words of go; everything that is a number has a meaning, however odd.
static bool set_limit(SearchLimits *l, const char *name, const char *word, bool *is_known,
                      Error *error)
{
    const int64_t LONG = 1000000000000ll;
    int64_t x;
    struct {
        const char *name;
        int64_t least, greatest;
    } const KNOWN[] = {
        {"wtime", 1, LONG},        {"btime", 1, LONG},      {"winc", 0, LONG},
        {"binc", 0, LONG},         {"movestogo", 0, 10000}, {"movetime", 0, LONG},
        {"depth", 1, MAX_PLY - 1}, {"nodes", 1, INT64_MAX}, {"mate", 0, MAX_PLY / 2}};
    *is_known = false;
    for (unsigned i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (strcmp(name, KNOWN[i].name))
            continue;
        *is_known = true;
        if (!read_clamped(word, KNOWN[i].least, KNOWN[i].greatest, &x))
            return error_set(error, "go %s needs a number, not '%.20s'", name, word ? word : "");
        switch (i) {
        case 0: l->time_ms[WHITE] = x; break;
        case 1: l->time_ms[BLACK] = x; break;
        case 2: l->increment_ms[WHITE] = x; break;
        case 3: l->increment_ms[BLACK] = x; break;
        case 4: l->moves_to_go = (int)x; break;
        case 5: l->move_time_ms = x; break;
        case 6: l->depth = (int)x; break;
        case 7: l->nodes = (uint64_t)x; break;
        default: l->mate = (int)x; break;
        }
    }
    return true;
}

static void do_go(Uci *uci, Reader *r)
{
    SearchLimits limits = search_limits_none();
    Move search_moves[MAX_MOVES];
    Error error;
    if (refuse_if_busy(uci, "go"))
        return;
    char *word = next_word(r);
    while (word) {
        bool is_known = true;
        if (!strcmp(word, "perft")) {
            go_perft(uci, next_word(r));
            return;
        }
        if (!strcmp(word, "infinite")) {
            limits.infinite = true;
        } else if (!strcmp(word, "ponder")) {
            limits.ponder = true;
        } else if (!strcmp(word, "searchmoves")) {
            if (!read_search_moves(uci, r, search_moves, &limits.search_move_count, &word)) {
                send_error(uci, "go refused: no legal move among searchmoves");
                return;
            }
            limits.search_moves = limits.search_move_count ? search_moves : NULL;
            continue;
        } else {
            char *name = word;
            char *value = next_word(r);
            if (!set_limit(&limits, name, value, &is_known, &error)) {
                send_error(uci, "%s", error.text);
                return;
            }
            if (!is_known) {
                send_error(uci, "go: unknown word '%.40s'", name);
                word = value;
                continue;
            }
        }
        word = next_word(r);
    }
    bool is_bounded = limits.time_ms[WHITE] != TIME_UNSET || limits.time_ms[BLACK] != TIME_UNSET ||
                      limits.move_time_ms != TIME_UNSET || limits.nodes || limits.depth ||
                      limits.mate;
    if (!is_bounded)
        limits.infinite = true;
    uci->stop_sent = false;
    if (!engine_go(uci->engine, &limits, on_info, on_best, uci, &error))
        send_error(uci, "%s", error.text);
}

static void do_stop(Uci *uci)
{
    atomic_store(&uci->stop_counting, true);
    uci->stop_sent = true;
    engine_stop(uci->engine);
}

// --- options ---------------------------------------------------------------------------------

typedef enum OptionId {
    ID_HASH,
    ID_CLEAR_HASH,
    ID_THREADS,
    ID_MULTI_PV,
    ID_PONDER,
    ID_MOVE_OVERHEAD,
    ID_SKILL,
    ID_LIMIT_STRENGTH,
    ID_ELO,
    ID_CHESS960,
    ID_VARIANT,
    ID_SHOW_WDL,
    ID_HUMAN_PACE,
    ID_ANALYSE_MODE,
    ID_EVAL_FILE,
    ID_LOG_FILE,
} OptionId;

typedef struct UciOption {
    OptionId id;
    const char *name, *type, *value; // value: the default as shown
    int least, greatest;             // of a spin
} UciOption;

static const UciOption OPTIONS[] = {
    {ID_HASH, "Hash", "spin", "16", 1, HASH_MB_MAX},
    {ID_CLEAR_HASH, "Clear Hash", "button", NULL, 0, 0},
    {ID_THREADS, "Threads", "spin", "1", 1, THREADS_MAX},
    {ID_MULTI_PV, "MultiPV", "spin", "1", 1, MULTI_PV_MAX},
    {ID_PONDER, "Ponder", "check", "false", 0, 0},
    {ID_MOVE_OVERHEAD, "Move Overhead", "spin", "10", 0, MOVE_OVERHEAD_MS_MAX},
    {ID_SKILL, "Skill Level", "spin", "20", 0, SKILL_MAX},
    {ID_LIMIT_STRENGTH, "UCI_LimitStrength", "check", "false", 0, 0},
    {ID_ELO, "UCI_Elo", "spin", "2000", ELO_MIN, ELO_MAX},
    {ID_CHESS960, "UCI_Chess960", "check", "false", 0, 0},
    {ID_VARIANT, "UCI_Variant", "combo", "chess", 0, 0},
    {ID_SHOW_WDL, "UCI_ShowWDL", "check", "false", 0, 0},
    {ID_HUMAN_PACE, "Human Pace", "check", "false", 0, 0},
    {ID_ANALYSE_MODE, "UCI_AnalyseMode", "check", "false", 0, 0},
    {ID_EVAL_FILE, "EvalFile", "string", "<empty>", 0, 0},
    {ID_LOG_FILE, "Debug Log File", "string", "<empty>", 0, 0},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

static void list_options(Uci *uci)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const UciOption *o = &OPTIONS[i];
        char buffer[512];
        Str line;
        str_init(&line, buffer, sizeof buffer);
        str_format(&line, "option name %s type %s", o->name, o->type);
        if (o->value)
            str_format(&line, " default %s", o->value);
        if (!strcmp(o->type, "spin"))
            str_format(&line, " min %d max %d", o->least, o->greatest);
        if (o->id == ID_VARIANT)
            for (int v = 0; v < VARIANT_COUNT; v++)
                str_format(&line, " var %s", VARIANTS[v].name);
        send_line(uci, "%s", buffer);
    }
#ifdef TUNE
    for (const TunableInfo *t = TUNABLE_INFO; t->name; t++)
        send_line(uci, "option name %s type spin default %d min %d max %d", t->name, t->value,
                  t->least, t->greatest);
#endif
}

static void set_log(Uci *uci, const char *path)
{
    FILE *log = NULL;
    if (*path && strcmp(path, "<empty>") && !(log = fopen(path, "a"))) {
        send_error(uci, "cannot write '%.100s': %s", path, strerror(errno));
        return;
    }
    mutex_lock(&uci->output);
    if (uci->log)
        fclose(uci->log);
    uci->log = log;
    mutex_unlock(&uci->output);
}

static void set_variant(Uci *uci, const char *name)
{
    const Rules *rules = rules_find(name);
    Position start;
    if (!rules) {
        send_error(uci, "unknown variant '%.40s'", name);
        return;
    }
    if (rules == uci->rules)
        return;
    uci->rules = rules;
    if (position_from_fen(&start, current_rules(uci), rules->start_fen, NULL))
        engine_set_position(uci->engine, &start, NULL, 0, NULL);
}

static bool read_check(Uci *uci, const UciOption *o, const char *value, bool *out)
{
    if (str_same_word(value, "true"))
        *out = true;
    else if (str_same_word(value, "false"))
        *out = false;
    else {
        send_error(uci, "%s must be true or false, not '%.40s'", o->name, value);
        return false;
    }
    return true;
}

static void set_option(Uci *uci, const UciOption *o, const char *value)
{
    EngineOptions e = *engine_options(uci->engine);
    Error error;
    bool flag = false;
    int64_t number = 0;
    if (!strcmp(o->type, "check") && !read_check(uci, o, value, &flag))
        return;
    if (!strcmp(o->type, "spin")) {
        if (!read_clamped(value, INT32_MIN, INT32_MAX, &number) || number < o->least ||
            number > o->greatest) {
            send_error(uci, "%s must be a number from %d to %d, not '%.40s'", o->name, o->least,
                       o->greatest, value);
            return;
        }
    }
    int n = (int)number;
    switch (o->id) {
    case ID_HASH: e.hash_mb = n; break;
    case ID_THREADS: e.threads = n; break;
    case ID_MULTI_PV: e.multi_pv = n; break;
    case ID_MOVE_OVERHEAD: e.move_overhead_ms = n; break;
    case ID_SKILL: e.skill = n; break;
    case ID_ELO: e.elo = n; break;
    case ID_LIMIT_STRENGTH: e.limit_strength = flag; break;
    case ID_HUMAN_PACE: e.human_pace = flag; break;
    case ID_ANALYSE_MODE: e.analyse_mode = flag; break;
    case ID_CLEAR_HASH:
        if (!engine_new_game(uci->engine, &error))
            send_error(uci, "%s", error.text);
        return;
    case ID_PONDER: uci->ponder = flag; return;
    case ID_SHOW_WDL: uci->show_wdl = flag; return;
    case ID_CHESS960: uci->chess960 = flag; return;
    case ID_VARIANT: set_variant(uci, value); return;
    case ID_LOG_FILE: set_log(uci, value); return;
    case ID_EVAL_FILE:
        if (!engine_load_net(uci->engine, strcmp(value, "<empty>") ? value : "", &error))
            send_error(uci, "%s", error.text);
        return;
    }
    if (!engine_set_options(uci->engine, &e, &error))
        send_error(uci, "%s", error.text);
}

static void do_setoption(Uci *uci, Reader *r)
{
    char name[128], *word = next_word(r);
    Str text;
    if (refuse_if_busy(uci, "setoption"))
        return;
    if (!word || strcmp(word, "name")) {
        send_error(uci, "setoption needs a name");
        return;
    }
    str_init(&text, name, sizeof name);
    while ((word = next_word(r)) && strcmp(word, "value")) {
        if (text.length)
            str_add_char(&text, ' ');
        str_add(&text, word);
    }
    const char *value = word ? rest_of_line(r) : "";
    for (int i = 0; i < OPTION_COUNT; i++)
        if (str_same_word(OPTIONS[i].name, name)) {
            set_option(uci, &OPTIONS[i], value);
            return;
        }
#ifdef TUNE
    int64_t number;
    if (read_clamped(value, INT32_MIN, INT32_MAX, &number) &&
        engine_set_tunable(uci->engine, name, (int)number))
        return;
#endif
    send_error(uci, "unknown option '%.60s'", name);
}

// --- the rest --------------------------------------------------------------------------------

static void do_uci(Uci *uci)
{
    send_line(uci, "id name Lovac %s\nid author the Lovac authors\n", LOVAC_VERSION);
    list_options(uci);
    send_line(uci, "uciok");
}

static void do_new_game(Uci *uci)
{
    Error error;
    if (refuse_if_busy(uci, "ucinewgame"))
        return;
    if (!engine_new_game(uci->engine, &error))
        send_error(uci, "%s", error.text);
}

static void do_show(Uci *uci)
{
    const Position *pos = engine_position(uci->engine);
    char board[BOARD_TEXT_SIZE], fen[FEN_SIZE];
    BoardView view = {0};
    board_view_draw(&view, pos, board);
    position_to_fen(pos, is_960(uci) ? FEN_SHREDDER : FEN_XFEN, fen);
    send_text(uci, board);
    send_line(uci, "Fen: %s\nKey: %016" PRIX64 "\nLegal moves: %d%s", fen, pos->state.key,
              movegen_count(pos), position_in_check(pos) ? ", in check" : "");
}

static void do_eval(Uci *uci)
{
    char *buffer = malloc(EVAL_TEXT_SIZE);
    Str text;
    if (!buffer) {
        send_error(uci, "no memory");
        return;
    }
    str_init(&text, buffer, EVAL_TEXT_SIZE);
    eval_view_write(&text, engine_position(uci->engine), engine_net(uci->engine));
    send_text(uci, buffer);
    free(buffer);
}

static void do_bench(Uci *uci, Reader *r)
{
    BenchSettings settings = bench_default_settings();
    int64_t depth;
    char *word = next_word(r);
    if (refuse_if_busy(uci, "bench"))
        return;
    if (word && read_clamped(word, 1, MAX_PLY - 1, &depth))
        settings.depth = (int)depth;
    BenchResult result;
    Error error;
    if (!bench_run(&settings, &result, &error)) {
        send_error(uci, "%s", error.text);
        return;
    }
    send_line(uci, "Nodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\nNodes/second: %" PRIu64,
              result.nodes, result.time_ms,
              result.nodes * 1000 / (uint64_t)(result.time_ms > 0 ? result.time_ms : 1));
}

// Does what a line says; false for quit.
static bool do_line(Uci *uci, char *line)
{
    Reader r = {line};
    char *word = next_word(&r);
    if (!word)
        return true;
    if (!strcmp(word, "quit"))
        return false;
    if (!strcmp(word, "uci"))
        do_uci(uci);
    else if (!strcmp(word, "isready"))
        send_line(uci, "readyok");
    else if (!strcmp(word, "position"))
        do_position(uci, &r);
    else if (!strcmp(word, "go"))
        do_go(uci, &r);
    else if (!strcmp(word, "stop"))
        do_stop(uci);
    else if (!strcmp(word, "ponderhit"))
        engine_ponderhit(uci->engine);
    else if (!strcmp(word, "setoption"))
        do_setoption(uci, &r);
    else if (!strcmp(word, "ucinewgame"))
        do_new_game(uci);
    else if (!strcmp(word, "d"))
        do_show(uci);
    else if (!strcmp(word, "eval"))
        do_eval(uci);
    else if (!strcmp(word, "bench"))
        do_bench(uci, &r);
    else if (strcmp(word, "debug") && strcmp(word, "register"))
        send_error(uci, "unknown command '%.40s'", word);
    return true;
}

int cmd_uci(int argc, char **argv)
{
    (void)argc, (void)argv;
    Error error;
    Uci *uci = calloc(1, sizeof *uci);
    LineInput *input = line_input_new();
    if (uci)
        uci->engine = engine_new(NULL, &error);
    if (!uci || !input || !uci->engine) {
        fprintf(stderr, "lovac: %s\n", uci && input ? error.text : "no memory");
        free(uci);
        line_input_free(input);
        return EXIT_FAILED;
    }
    uci->rules = &VARIANTS[VARIANT_CHESS];
    mutex_init(&uci->output);
    if (isatty(STDIN_FILENO))
        send_line(uci, "Lovac %s", LOVAC_VERSION);

    bool is_cut;
    for (char *line; (line = line_input_read(input, &is_cut));) {
        mutex_lock(&uci->output);
        if (uci->log)
            fprintf(uci->log, ">> %.4096s\n", line), fflush(uci->log);
        mutex_unlock(&uci->output);
        if (is_cut)
            send_error(uci, "line too long");
        else if (!do_line(uci, line))
            break;
    }
    do_stop(uci);
    engine_wait(uci->engine);
    join_perft(uci);
    engine_free(uci->engine);
    if (uci->log)
        fclose(uci->log);
    mutex_release(&uci->output);
    line_input_free(input);
    free(uci);
    return EXIT_OK;
}
