// Reading lines by read(2), so that a signal can end the wait.
#include "app/line_input.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 64 << 20 };

struct LineInput {
    char buffer[65536];
    size_t at, end;
    char *line;
    size_t length, room;
};

// Set by the signal handler only.
static volatile sig_atomic_t end_asked;

static void on_signal(int number)
{
    (void)number;
    end_asked = 1;
}

static void catch_signals(void)
{
#ifndef _WIN32
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL); // without SA_RESTART, so that reading ends
    if (isatty(STDIN_FILENO))
        sigaction(SIGINT, &action, NULL);
    else
        signal(SIGINT, SIG_IGN); // some board programs send it to get attention
    signal(SIGPIPE, SIG_IGN);
#else
    signal(SIGTERM, on_signal);
#endif
}

LineInput *line_input_new(void)
{
    catch_signals();
    return calloc(1, sizeof(LineInput));
}

void line_input_free(LineInput *in)
{
    if (in)
        free(in->line);
    free(in);
}

static bool fill(LineInput *in)
{
    while (!end_asked) {
        ssize_t got = read(STDIN_FILENO, in->buffer, sizeof in->buffer);
        if (got > 0) {
            in->at = 0;
            in->end = (size_t)got;
            return true;
        }
        if (got == 0 || errno != EINTR)
            return false;
    }
    return false;
}

static bool grow(LineInput *in, size_t more)
{
    if (in->length + more + 1 <= in->room)
        return true;
    size_t room = in->room ? in->room : 4096;
    while (room < in->length + more + 1)
        room *= 2;
    char *line = realloc(in->line, room);
    if (!line)
        return false;
    in->line = line;
    in->room = room;
    return true;
}

char *line_input_read(LineInput *in, bool *is_cut)
{
    bool has_any = false;
    *is_cut = false;
    in->length = 0;
    for (;;) {
        if (in->at == in->end && !fill(in))
            break;
        has_any = true;
        char *start = in->buffer + in->at, *newline = memchr(start, '\n', in->end - in->at);
        size_t count = newline ? (size_t)(newline - start) : in->end - in->at;
        if (!*is_cut && (in->length + count > LINE_MAX_BYTES || !grow(in, count)))
            *is_cut = true;
        if (!*is_cut) {
            memcpy(in->line + in->length, start, count);
            in->length += count;
        }
        in->at += count + (newline != NULL);
        if (newline)
            break;
    }
    if (!has_any || end_asked || !grow(in, 0))
        return NULL;
    if (*is_cut)
        in->length = 0;
    for (char *c = in->line; (c = memchr(c, 0, (size_t)(in->line + in->length - c)));)
        *c = ' ';
    in->line[in->length] = 0;
    return in->line;
}
