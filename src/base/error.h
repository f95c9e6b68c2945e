// What went wrong: the one way in which functions below app/ report bad input.
// A function that can fail returns bool and takes an `Error *` (NULL when the caller does not
// care). Every error has an English text. One that a person at the board can meet also has a code
// and named arguments, so that the page can say it in another language: "problem.CODE" in
// web/messages, which tests/check_web.sh compares with the sources.
//
//     return error_code(error, "rank-long", "board: rank {rank:%d} has more than 8 squares", rank);
#ifndef LOVAC_BASE_ERROR_H
#define LOVAC_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ERROR_TEXT_SIZE = 256,
    ERROR_CODE_SIZE = 24,
    ERROR_NAME_SIZE = 12,
    ERROR_ARGS_MAX = 3,
};

// An argument is a part of the text, with a name.
typedef struct ErrorArg {
    char name[ERROR_NAME_SIZE];
    uint16_t at, size;
} ErrorArg;

typedef struct Error {
    char text[ERROR_TEXT_SIZE]; // one line, no final full stop or newline
    char code[ERROR_CODE_SIZE]; // "": there is only the text
    ErrorArg args[ERROR_ARGS_MAX];
    uint16_t arg_count;
    uint16_t prefix_size;          // what error_prefix put before the text
    char context[ERROR_CODE_SIZE]; // the code of that prefix: this problem lies inside another
} Error;

// Writes the text (printf style, cut to fit), without a code, and returns false, so that
// `return error_set(...)` reads well.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same with a code. An argument that has a name is written {name:%d}, where %d may be any
// part of the format.
bool error_code(Error *error, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_code_list(Error *error, const char *code, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

// Puts a text before that of an error, whose code stays; returns false. `code` is that of the
// problem around it, "" for a mere place such as a file and its line.
bool error_prefix(Error *error, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
