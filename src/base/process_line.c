// See process_line.h.
#include "base/process_line.h"

bool process_line_take(const char *buffer, size_t *start, size_t end, char *line, size_t size,
                       size_t *length)
{
    while (*start < end) {
        char c = buffer[(*start)++];
        if (c == '\n') {
            while (*length > 0 && line[*length - 1] == '\r')
                --*length;
            line[*length] = 0;
            return true;
        }
        if (*length + 1 < size && c)
            line[(*length)++] = c;
    }
    return false;
}
