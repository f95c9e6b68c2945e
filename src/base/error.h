// What went wrong, in words: the one way in which functions below app/ report bad input.
// A function that can fail returns bool and takes an `Error *` (NULL when the caller does not
// care).
#ifndef LOVAC_BASE_ERROR_H
#define LOVAC_BASE_ERROR_H

#include <stdbool.h>

enum { ERROR_TEXT_SIZE = 256 };

typedef struct Error {
    char text[ERROR_TEXT_SIZE]; // one line, no final full stop or newline
} Error;

// Writes the text (printf style, cut to fit) and returns false, so that `return error_set(...)`
// reads well.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
