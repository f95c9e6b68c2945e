// `lovac uci`, and `lovac` alone: the Universal Chess Interface on standard input and output.
// The reading thread only reads and answers; all thinking goes on in the engine's own threads.
// Whatever comes in, the answer is what UCI asks for or one line "info string error: ...", and what
// was set before stays in force. Here are the commands but go (uci_go.c) and setoption
// (uci_options.c); the order of lines is uci_input.c's.
#include "app/board_view.h"
#include "app/command.h"
#include "app/eval_view.h"
#include "app/uci_go.h"
#include "app/uci_input.h"
#include "app/uci_options.h"
#include "app/uci_output.h"
#include "app/uci_task.h"
#include "app/version.h"
#include "base/console.h"
#include "base/str.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char help_uci[] =
    "Usage: lovac [uci [LINE ...]]\n"
    "       lovac UCI-COMMAND\n"
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
    "Lines may come from the command line instead of standard input; then the exit status is 1\n"
    "when one of them was refused. A command that comes during a search with a limit waits for\n"
    "its end (stop, quit and isready do not), and so does the end of the input.\n"
    "\n"
    "Example: printf 'position startpos moves e2e4\\ngo depth 12\\n' | lovac\n"
    "         lovac go depth 12\n"
    "         lovac \"position startpos moves e2e4\" \"go depth 12\"\n";

// Reads "startpos" or "fen ..." up to "moves"; true with the position.
static bool read_start(Uci *uci, Words *r, Position *start)
{
    Error error;
    const Rules *rules = uci_rules(uci);
    char *word = words_next(r);
    if (word && !strcmp(word, "startpos")) {
        word = words_next(r);
        if (!position_from_fen(start, rules, rules->start_fen, &error)) {
            uci_send_error(uci, "%s", error.text);
            return false;
        }
    } else if (word && !strcmp(word, "fen")) {
        char buffer[512];
        Str fen;
        str_init(&fen, buffer, sizeof buffer);
        while ((word = words_next(r)) && strcmp(word, "moves")) {
            if (fen.length)
                str_add_char(&fen, ' ');
            str_add(&fen, word);
        }
        if (!position_from_fen(start, rules, buffer, &error)) {
            uci_send_error(uci, "bad FEN: %s", error.text);
            return false;
        }
    } else {
        uci_send_error(uci, "position needs startpos or fen");
        return false;
    }
    if (word && strcmp(word, "moves")) {
        uci_send_error(uci, "'%.40s' where 'moves' should stand", word);
        return false;
    }
    return true;
}

static void do_position(Uci *uci, Words *r)
{
    Position start, pos;
    Error error;
    if (uci_refuse_if_busy(uci, "position") || !read_start(uci, r, &start))
        return;
    Move *moves = NULL;
    int count = 0, room = 0;
    pos = start;
    for (char *word; (word = words_next(r)); count++) {
        if (count == room) {
            room = room ? room * 2 : 256;
            Move *larger = realloc(moves, (size_t)room * sizeof *moves);
            if (!larger) {
                uci_send_error(uci, "no memory for %d moves", room);
                free(moves);
                return;
            }
            moves = larger;
        }
        Undo undo;
        moves[count] = move_from_uci(&pos, word, &error);
        if (!moves[count]) {
            uci_send_error(uci, "move %d, '%.20s', is illegal: %.200s", count + 1, word,
                           error.text);
            free(moves);
            return;
        }
        position_make(&pos, moves[count], &undo);
    }
    if (!engine_set_position(uci->engine, &start, moves, count, &error))
        uci_send_error(uci, "%s", error.text);
    free(moves);
}

static void do_uci(Uci *uci, Words *r)
{
    (void)r;
    uci_send_line(uci, "id name Lovac %s\nid author the Lovac authors\n", LOVAC_VERSION);
    uci_list_options(uci);
    uci_send_line(uci, "uciok");
}

static void do_new_game(Uci *uci, Words *r)
{
    (void)r;
    Error error;
    if (uci_refuse_if_busy(uci, "ucinewgame"))
        return;
    if (!engine_new_game(uci->engine, &error))
        uci_send_error(uci, "%s", error.text);
}

static void do_show(Uci *uci, Words *r)
{
    (void)r;
    const Position *pos = engine_position(uci->engine);
    char board[BOARD_TEXT_SIZE], fen[FEN_SIZE];
    BoardView view = {0};
    board_view_draw(&view, pos, board);
    position_to_fen(pos, uci_is_960(uci) ? FEN_SHREDDER : FEN_XFEN, fen);
    uci_send_text(uci, board);
    uci_send_line(uci, "Fen: %s\nKey: %016" PRIX64 "\nLegal moves: %d%s", fen, pos->state.key,
                  movegen_count(pos), position_in_check(pos) ? ", in check" : "");
}

static void do_eval(Uci *uci, Words *r)
{
    (void)r;
    char *buffer = malloc(EVAL_TEXT_SIZE);
    Str text;
    if (!buffer) {
        uci_send_error(uci, "no memory");
        return;
    }
    str_init(&text, buffer, EVAL_TEXT_SIZE);
    eval_view_write(&text, engine_position(uci->engine), engine_net(uci->engine));
    uci_send_text(uci, buffer);
    free(buffer);
}

static void do_bench(Uci *uci, Words *r)
{
    if (!uci_refuse_if_busy(uci, "bench"))
        uci_task_bench(uci, words_next(r));
}

static void do_nothing(Uci *uci, Words *r)
{
    (void)uci, (void)r;
}

static void do_ready(Uci *uci, Words *r)
{
    (void)r;
    uci_send_line(uci, "readyok");
}

static void do_stop(Uci *uci, Words *r)
{
    (void)r;
    uci_stop(uci);
}

static void do_ponderhit(Uci *uci, Words *r)
{
    (void)r;
    uci_ponderhit(uci);
}

static const struct {
    const char *name;
    void (*run)(Uci *uci, Words *words);
} LINES[] = {
    {"uci", do_uci},
    {"isready", do_ready},
    {"position", do_position},
    {"go", uci_go},
    {"stop", do_stop},
    {"ponderhit", do_ponderhit},
    {"bench", do_bench},
    {"d", do_show},
    {"setoption", uci_set_option},
    {"eval", do_eval},
    {"debug", do_nothing},
    {"register", do_nothing},
    {"ucinewgame", do_new_game},
    {"quit", do_nothing},
};
enum { LINE_COUNT = sizeof LINES / sizeof *LINES };

// Which row of LINES the first word of a line is; -1 for none.
static int line_find(const char *line, size_t length)
{
    for (int i = 0; i < LINE_COUNT; i++)
        if (strlen(LINES[i].name) == length && !strncmp(line, LINES[i].name, length))
            return i;
    return -1;
}

bool uci_knows(const char *line)
{
    return line_find(line, strcspn(line, " \t")) >= 0;
}

static void do_line(Uci *uci, char *line)
{
    Words r = {line};
    char *word = words_next(&r);
    int row = word ? line_find(word, strlen(word)) : -1;
    if (row >= 0)
        LINES[row].run(uci, &r);
    else if (word)
        uci_send_error(uci, "unknown command '%.40s'", word);
}

static void uci_free(Uci *uci)
{
    if (uci && uci->engine) {
        engine_free(uci->engine);
        if (uci->log)
            fclose(uci->log);
        mutex_release(&uci->output);
    }
    free(uci);
}

static Uci *uci_new(Error *error)
{
    Uci *uci = calloc(1, sizeof *uci);
    error_set(error, "no memory");
    if (uci)
        uci->engine = engine_new(NULL, error);
    if (!uci || !uci->engine) {
        free(uci);
        return NULL;
    }
    engine_load_usual_tables(uci->engine);
    uci->rules = &VARIANTS[VARIANT_CHESS];
    mutex_init(&uci->output);
    return uci;
}

// Obeys the given lines, or, without any, those of standard input.
static int converse(char **lines, int count)
{
    Error error;
    Uci *uci = uci_new(&error);
    UciInput *input = uci ? uci_input_new(uci, lines, count) : NULL;
    if (!input) {
        fprintf(stderr, "lovac: %s\n", uci ? "no memory" : error.text);
        uci_free(uci);
        return EXIT_FAILED;
    }
    if (!count && console_has_terminal_input())
        uci_send_line(
            uci,
            "Lovac %s. This is UCI, for chess programs: `quit` ends it. `lovac play` is a "
            "game, `lovac help` tells the rest.",
            LOVAC_VERSION);
    for (char *line; (line = uci_input_next(input));)
        do_line(uci, line);
    uci_input_finish(input);
    bool is_bad = count && atomic_load(&uci->has_erred);
    uci_input_free(input);
    uci_free(uci);
    return is_bad ? EXIT_FAILED : EXIT_OK;
}

int cmd_uci(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!uci_knows(argv[i])) {
            fprintf(stderr,
                    "lovac uci: '%.60s' is no command of UCI\n"
                    "`lovac help uci` explains the command.\n",
                    argv[i]);
            return EXIT_USAGE;
        }
    return converse(argv + 1, argc > 1 ? argc - 1 : 0);
}

int uci_run_words(int argc, char **argv)
{
    size_t length = 1;
    if (strchr(argv[0], ' ')) // each is a line
        return cmd_uci(argc + 1, argv - 1);
    for (int i = 0; i < argc; i++)
        length += strlen(argv[i]) + 1;
    char *line = calloc(length, 1);
    if (!line)
        return EXIT_FAILED;
    for (int i = 0; i < argc; i++) {
        strcat(line, argv[i]);
        strcat(line, " ");
    }
    int status = converse(&line, 1);
    free(line);
    return status;
}
