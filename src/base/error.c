// See error.h.
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool error_set(Error *error, const char *format, ...)
{
    if (error) {
        va_list list;
        va_start(list, format);
        *error = (Error){0};
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return false;
}

// How long the text of a format becomes in an error, where it may be cut.
static uint16_t written_size(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    return (uint16_t)(size < 0 ? 0 : size >= ERROR_TEXT_SIZE ? ERROR_TEXT_SIZE - 1 : size);
}

// The format as printf understands it: without the names, which `error` keeps with the places of
// what they name. These are found by writing what stands before them.
static void take_names(Error *error, const char *format, char plain[ERROR_TEXT_SIZE], va_list list)
{
    size_t size = 0;
    ErrorArg *arg = NULL;
    for (const char *p = format; *p && size < ERROR_TEXT_SIZE - 1; p++) {
        plain[size] = 0;
        if (*p == '{') {
            size_t length = strcspn(p + 1, ":");
            assert(error->arg_count < ERROR_ARGS_MAX && p[1 + length] && length < ERROR_NAME_SIZE);
            arg = &error->args[error->arg_count++];
            memcpy(arg->name, p + 1, length);
            arg->at = written_size(plain, list);
            p += length + 1;
        } else if (*p == '}' && arg) {
            arg->size = (uint16_t)(written_size(plain, list) - arg->at);
        } else {
            plain[size++] = *p;
        }
    }
    plain[size] = 0;
}

bool error_code_list(Error *error, const char *code, const char *format, va_list list)
{
    char plain[ERROR_TEXT_SIZE];
    if (!error)
        return false;
    *error = (Error){0};
    snprintf(error->code, sizeof error->code, "%s", code);
    take_names(error, format, plain, list);
    vsnprintf(error->text, sizeof error->text, plain, list);
    return false;
}

bool error_code(Error *error, const char *code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_code_list(error, code, format, list);
    va_end(list);
    return false;
}

bool error_prefix(Error *error, const char *code, const char *format, ...)
{
    char old[ERROR_TEXT_SIZE];
    if (!error)
        return false;
    va_list list;
    va_start(list, format);
    uint16_t size = written_size(format, list);
    memcpy(old, error->text, sizeof old);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    snprintf(error->text + size, sizeof error->text - size, "%s", old);
    size_t end = strlen(error->text);
    for (int i = 0; i < error->arg_count; i++) { // what no longer fits is cut
        ErrorArg *arg = &error->args[i];
        size_t at = arg->at + size < end ? arg->at + size : end;
        arg->size = (uint16_t)(at + arg->size < end ? arg->size : end - at);
        arg->at = (uint16_t)at;
    }
    size_t before = error->prefix_size + (size_t)size;
    error->prefix_size = (uint16_t)(before < end ? before : end);
    if (*code)
        snprintf(error->context, sizeof error->context, "%s", code);
    return false;
}
