// `lovac uci`, and `lovac` alone: the Universal Chess Interface on standard input and output.
// The reading thread only reads and answers; all thinking goes on in the engine's own threads.
// Whatever comes in, the answer is what UCI asks for or one line "info string error: ...", and what
// was set before stays in force. Here are the commands but go (uci_go.c) and setoption
// (uci_options.c).
#include "app/bench.h"
#include "app/board_view.h"
#include "app/command.h"
#include "app/eval_view.h"
#include "app/line_input.h"
#include "app/uci_go.h"
#include "app/uci_options.h"
#include "app/uci_output.h"
#include "app/uci_perft.h"
#include "app/version.h"
#include "base/str.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

#include <inttypes.h>
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

static void do_uci(Uci *uci)
{
    uci_send_line(uci, "id name Lovac %s\nid author the Lovac authors\n", LOVAC_VERSION);
    uci_list_options(uci);
    uci_send_line(uci, "uciok");
}

static void do_new_game(Uci *uci)
{
    Error error;
    if (uci_refuse_if_busy(uci, "ucinewgame"))
        return;
    if (!engine_new_game(uci->engine, &error))
        uci_send_error(uci, "%s", error.text);
}

static void do_show(Uci *uci)
{
    const Position *pos = engine_position(uci->engine);
    char board[BOARD_TEXT_SIZE], fen[FEN_SIZE];
    BoardView view = {0};
    board_view_draw(&view, pos, board);
    position_to_fen(pos, uci_is_960(uci) ? FEN_SHREDDER : FEN_XFEN, fen);
    uci_send_text(uci, board);
    uci_send_line(uci, "Fen: %s\nKey: %016" PRIX64 "\nLegal moves: %d%s", fen, pos->state.key,
                  movegen_count(pos), position_in_check(pos) ? ", in check" : "");
}

static void do_eval(Uci *uci)
{
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
    BenchSettings settings = bench_default_settings();
    int64_t depth;
    char *word = words_next(r);
    if (uci_refuse_if_busy(uci, "bench"))
        return;
    if (word && words_to_number(word, 1, MAX_PLY - 1, &depth))
        settings.depth = (int)depth;
    BenchResult result;
    Error error;
    if (!bench_run(&settings, &result, &error)) {
        uci_send_error(uci, "%s", error.text);
        return;
    }
    uci_send_line(uci, "Nodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\nNodes/second: %" PRIu64,
                  result.nodes, result.time_ms,
                  result.nodes * 1000 / (uint64_t)(result.time_ms > 0 ? result.time_ms : 1));
}

// Does what a line says; false for quit.
static bool do_line(Uci *uci, char *line)
{
    Words r = {line};
    char *word = words_next(&r);
    if (!word)
        return true;
    if (!strcmp(word, "quit"))
        return false;
    if (!strcmp(word, "uci"))
        do_uci(uci);
    else if (!strcmp(word, "isready"))
        uci_send_line(uci, "readyok");
    else if (!strcmp(word, "position"))
        do_position(uci, &r);
    else if (!strcmp(word, "go"))
        uci_go(uci, &r);
    else if (!strcmp(word, "stop"))
        uci_stop(uci);
    else if (!strcmp(word, "ponderhit"))
        engine_ponderhit(uci->engine);
    else if (!strcmp(word, "setoption"))
        uci_set_option(uci, &r);
    else if (!strcmp(word, "ucinewgame"))
        do_new_game(uci);
    else if (!strcmp(word, "d"))
        do_show(uci);
    else if (!strcmp(word, "eval"))
        do_eval(uci);
    else if (!strcmp(word, "bench"))
        do_bench(uci, &r);
    else if (strcmp(word, "debug") && strcmp(word, "register"))
        uci_send_error(uci, "unknown command '%.40s'", word);
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
        uci_send_line(uci, "Lovac %s", LOVAC_VERSION);

    bool is_cut;
    for (char *line; (line = line_input_read(input, &is_cut));) {
        mutex_lock(&uci->output);
        if (uci->log)
            fprintf(uci->log, ">> %.4096s\n", line), fflush(uci->log);
        mutex_unlock(&uci->output);
        if (is_cut)
            uci_send_error(uci, "line too long");
        else if (!do_line(uci, line))
            break;
    }
    uci_stop(uci);
    engine_wait(uci->engine);
    uci_perft_join(uci);
    engine_free(uci->engine);
    if (uci->log)
        fclose(uci->log);
    mutex_release(&uci->output);
    line_input_free(input);
    free(uci);
    return EXIT_OK;
}
