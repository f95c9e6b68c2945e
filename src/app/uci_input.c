// See uci_input.h.
#include "app/uci_input.h"

#include "app/line_input.h"
#include "app/uci_go.h"
#include "app/uci_output.h"
#include "app/uci_task.h"
#include "app/words.h"
#include "base/clock.h"
#include "base/console.h"

#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 4096, LOOK_MS = 2 };

struct UciInput {
    Uci *uci;
    LineInput *input;
    char **given; // instead of standard input
    int given_count, given_next;
    char *held[HELD_MAX]; // a ring of lines that were read ahead of their turn
    int first, count;
    char *current; // the line that was held and is obeyed now
    bool is_over;  // nothing more will come
    bool has_quit; // quit was heard
    bool holds_go; // there is a go among the lines that are held
};

UciInput *uci_input_new(Uci *uci, char **lines, int count)
{
    UciInput *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    *in = (UciInput){.uci = uci, .given = lines, .given_count = count};
    in->input = line_input_new();
    if (in->input)
        return in;
    free(in);
    return NULL;
}

void uci_input_free(UciInput *in)
{
    if (!in)
        return;
    while (in->count--)
        free(in->held[(in->first + in->count) % HELD_MAX]);
    free(in->current);
    line_input_free(in->input);
    free(in);
}

static bool is_first_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    line += strspn(line, " \t\r");
    return !strncmp(line, word, length) && (!line[length] || strchr(" \t\r", line[length]));
}

static bool is_one_of(const char *line, const char *const *words)
{
    while (*words && !is_first_word(line, *words))
        words++;
    return *words;
}

static void write_log(Uci *uci, const char *line)
{
    mutex_lock(&uci->output);
    if (uci->log)
        fprintf(uci->log, ">> %.4096s\n", line), fflush(uci->log);
    mutex_unlock(&uci->output);
}

// A line from outside; NULL, and is_over, at the end.
static char *read_line(UciInput *in)
{
    bool is_cut = false;
    char *line;
    if (in->given_count)
        line = in->given_next < in->given_count ? in->given[in->given_next++] : NULL;
    else
        line = line_input_read(in->input, &is_cut);
    in->is_over = !line;
    if (line)
        write_log(in->uci, line);
    if (is_cut)
        uci_send_error(in->uci, "line too long");
    return line;
}

static bool hold(UciInput *in, const char *line)
{
    char *copy = malloc(strlen(line) + 1);
    if (!copy) {
        uci_send_error(in->uci, "no memory for a line");
        return false;
    }
    in->held[(in->first + in->count++) % HELD_MAX] = strcpy(copy, line);
    in->holds_go = in->holds_go || is_first_word(line, "go");
    return true;
}

static char *take_held(UciInput *in)
{
    free(in->current);
    in->current = in->held[in->first];
    in->first = (in->first + 1) % HELD_MAX;
    if (!--in->count)
        in->holds_go = false;
    return in->current;
}

// A line that comes while an earlier one waits.
static void hear(UciInput *in, const char *line)
{
    if (is_first_word(line, "isready")) {
        uci_send_line(in->uci, "readyok");
    } else if (is_first_word(line, "quit")) {
        in->has_quit = true;
    } else if (is_first_word(line, "stop")) {
        uci_stop(in->uci);
        if (in->holds_go)
            hold(in, line); // it is meant for that one too
    } else {
        hold(in, line);
    }
}

// Reads on until the engine is idle.
static void wait_until_idle(UciInput *in)
{
    while (uci_is_busy(in->uci) && !in->has_quit && !line_input_is_interrupted(in->input)) {
        if (in->is_over || in->count >= HELD_MAX - 1)
            clock_sleep_ms(LOOK_MS);
        else if (in->given_count || line_input_wait(in->input, LOOK_MS)) {
            char *line = read_line(in);
            if (line)
                hear(in, line);
        }
    }
}

// Commands that find the engine idle or are refused.
static bool needs_idle(const char *line)
{
    static const char *const WORDS[] = {"position", "go", "setoption", "ucinewgame", "bench", NULL};
    return is_one_of(line, WORDS);
}

char *uci_input_next(UciInput *in)
{
    bool is_held = in->count;
    char *line = is_held ? take_held(in) : read_line(in);
    if (line && needs_idle(line) && uci_is_busy(in->uci) && uci_ends_by_itself(in->uci)) {
        if (!is_held) { // reading on would overwrite it
            free(in->current);
            in->current = malloc(strlen(line) + 1);
            if (!in->current)
                return line; // it will be refused
            line = strcpy(in->current, line);
        }
        wait_until_idle(in);
    }
    if (line && is_first_word(line, "quit"))
        in->has_quit = true;
    return in->has_quit || line_input_is_interrupted(in->input) ? NULL : line;
}

void uci_input_finish(UciInput *in)
{
    Uci *uci = in->uci;
    bool is_count = uci_task_is_running(uci) && uci->task.is_count;
    bool waits = in->has_quit ? is_count && !console_has_terminal_input() : uci_ends_by_itself(uci);
    while (waits && uci_is_busy(uci) && !line_input_is_interrupted(in->input))
        clock_sleep_ms(LOOK_MS);
    uci_stop(uci);
    engine_wait(uci->engine);
    uci_task_join(uci);
}
