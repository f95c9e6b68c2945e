// Reading lines straight from the system, so that a signal can end the wait.
#include "app/line_input.h"

#include "base/console.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 64 << 20 };

struct LineInput {
    char buffer[65536];
    size_t at, end;
    char *line;
    size_t length, room;
    const atomic_bool *end_asked; // by a signal
};

LineInput *line_input_new(void)
{
    LineInput *in = calloc(1, sizeof *in);
    const atomic_bool *end_asked = console_catch_signals(CONSOLE_READ);
    if (in)
        in->end_asked = end_asked;
    return in;
}

void line_input_free(LineInput *in)
{
    if (in)
        free(in->line);
    free(in);
}

static bool fill(LineInput *in)
{
    long got = atomic_load(in->end_asked) ? 0 : console_read(in->buffer, sizeof in->buffer);
    in->at = 0;
    in->end = got > 0 ? (size_t)got : 0;
    return got > 0;
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
    if (!has_any || line_input_is_interrupted(in) || !grow(in, 0))
        return NULL;
    if (*is_cut)
        in->length = 0;
    for (char *c = in->line; (c = memchr(c, 0, (size_t)(in->line + in->length - c)));)
        *c = ' ';
    in->line[in->length] = 0;
    return in->line;
}

bool line_input_wait(LineInput *in, int time_ms)
{
    return in->at < in->end || console_wait_for_input(time_ms);
}

bool line_input_is_interrupted(const LineInput *in)
{
    return atomic_load(in->end_asked);
}
