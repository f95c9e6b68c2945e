// Lines cut out of what a process has said; for process.c and its Windows sibling.
#ifndef LOVAC_BASE_PROCESS_LINE_H
#define LOVAC_BASE_PROCESS_LINE_H

#include <stdbool.h>
#include <stddef.h>

// Moves bytes from `buffer`, between `*start` and `end`, behind the `*length` bytes of `line`, up
// to the end of a line; true when that was found: then the line has its final 0. What does not fit
// into `size` is cut, and zero bytes are passed over.
bool process_line_take(const char *buffer, size_t *start, size_t end, char *line, size_t size,
                       size_t *length);

#endif
