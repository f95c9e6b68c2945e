// See log.h.
#include "base/log.h"

#include "base/clock.h"
#include "base/str.h"

void log_write(const Log *log, LogLevel level, const char *format, ...)
{
    static const char *const NAMES[] = {"error", "warning", "info", "debug"};
    if (!log || !log->out || level > log->level)
        return;
    char line[1024], when[32];
    Str str;
    clock_format(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ");
    str_init(&str, line, sizeof line - 1); // one byte is kept for the newline
    str_format(&str, "%s %s ", when, NAMES[level]);
    va_list args;
    va_start(args, format);
    str_format_list(&str, format, args);
    va_end(args);
    for (size_t i = 0; i < str.length; i++)
        if ((unsigned char)line[i] < ' ')
            line[i] = ' '; // foreign text must not forge lines
    line[str.length++] = '\n';
    fwrite(line, 1, str.length, log->out); // one call: lines of threads do not mix
    fflush(log->out);
}
