// See uci_output.h.
#include "app/uci_output.h"

#include "app/command.h"
#include "base/str.h"
#include "core/notation.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void uci_send_text(Uci *uci, const char *text)
{
    mutex_lock(&uci->output);
    if (uci->log)
        fprintf(uci->log, "<< %s", text), fflush(uci->log);
    bool is_gone = fputs(text, stdout) < 0 || fflush(stdout);
    mutex_unlock(&uci->output);
    if (is_gone)
        _exit(EXIT_FAILED);
}

void uci_send_line(Uci *uci, const char *format, ...)
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
    uci_send_text(uci, buffer);
}

void uci_send_error(Uci *uci, const char *format, ...)
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
    atomic_store(&uci->has_erred, true);
    uci_send_line(uci, "info string error: %s", buffer);
}

bool uci_is_960(const Uci *uci)
{
    return uci->chess960 || uci->rules->start == START_CHESS960 ||
           uci->rules->start == START_DOUBLE_CHESS960;
}

static void add_move(Str *line, const Uci *uci, const Position *pos, Move m)
{
    char text[MOVE_TEXT_SIZE];
    move_to_uci(pos, m, uci_is_960(uci), text);
    str_add_char(line, ' ');
    str_add(line, text);
}

static void add_score(Str *line, int score)
{
    if (score_is_mate(score))
        str_format(line, " score mate %d", score_mate_moves(score));
    else
        str_format(line, " score cp %d", score_shown(score));
}

void uci_on_info(void *context, const Position *root, const SearchInfo *info)
{
    Uci *uci = context;
    char buffer[8192];
    Str line;
    str_init(&line, buffer, sizeof buffer);
    if (info->kind == INFO_CURRENT_MOVE) {
        str_format(&line, "info depth %d currmove", info->depth);
        add_move(&line, uci, root, info->current_move);
        str_format(&line, " currmovenumber %d\n", info->current_number);
        uci_send_text(uci, buffer);
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
    uci_send_text(uci, buffer);
}

void uci_on_best(void *context, const Position *root, const SearchResult *result)
{
    Uci *uci = context;
    char buffer[128];
    Str line;
    str_init(&line, buffer, sizeof buffer);
    if (!result->best) {
        bool is_lost = score_is_mate(result->score);
        uci_send_line(uci, "info depth 0 score %s", is_lost ? "mate 0" : "cp 0");
        uci_send_line(uci, "bestmove 0000");
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
    uci_send_text(uci, buffer);
}
