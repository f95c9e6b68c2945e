// See options.h.
#include "app/options.h"

#include "app/command.h"
#include "base/str.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option *find_option(const Option *options, const char *name, size_t length)
{
    for (const Option *o = options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static bool unknown_option(const Option *options, const char *name, size_t length, Error *error)
{
    const char *nearest = NULL;
    int best = 3; // three slips of the finger are another word
    char word[64];
    Str str;
    str_init(&str, word, sizeof word);
    str_add_bytes(&str, name, length);
    for (const Option *o = options; o->name; o++) {
        int distance = str_distance(o->name, word);
        if (distance < best) {
            best = distance;
            nearest = o->name;
        }
    }
    if (nearest)
        return error_set(error, "unknown option --%s; did you mean --%s?", word, nearest);
    return error_set(error, "unknown option --%s", word);
}

static bool store(const Option *option, const char *text, Error *error)
{
    double *real = option->value;
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)option->value = true; return true;
    case OPTION_TEXT: *(const char **)option->value = text; return true;
    case OPTION_INT:
        return str_to_int(text, option->low, option->high, option->value) ||
               error_set(error, "--%s wants a whole number from %lld to %lld, not '%.60s'",
                         option->name, option->low, option->high, text);
    case OPTION_COUNT:
        return str_to_count(text, ULLONG_MAX, option->value) ||
               error_set(error, "--%s wants a whole number of at least 0, not '%.60s'",
                         option->name, text);
    case OPTION_REAL:
        if (!str_to_real(text, real))
            return error_set(error, "--%s wants a number, not '%.60s'", option->name, text);
        if (option->low < option->high &&
            (*real < (double)option->low || *real > (double)option->high))
            return error_set(error, "--%s must lie between %lld and %lld, not at %.60s",
                             option->name, option->low, option->high, text);
        return true;
    }
    return error_set(error, "--%s cannot be read", option->name);
}

// Reads the option at argv[*i] and, where it has one, its value; moves *i to the last word used.
static bool read_option(int argc, char **argv, int *i, const Option *options, Error *error)
{
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const Option *option = find_option(options, name, length);
    if (!option)
        return unknown_option(options, name, length, error);
    if (option->is_given)
        *option->is_given = true;
    if (option->kind == OPTION_FLAG) {
        if (equals)
            return error_set(error, "--%s takes no value", option->name);
        return store(option, NULL, error);
    }
    if (equals)
        return store(option, equals + 1, error);
    if (*i + 1 >= argc)
        return error_set(error, "--%s needs a value", option->name);
    return store(option, argv[++*i], error);
}

static bool is_number(const char *text)
{
    return text[0] == '-' && text[1] >= '0' && text[1] <= '9';
}

// For the shells: NAME of a flag, NAME= of what takes a value, NAME=NUMBER where it is one.
static _Noreturn void list_options(const Option *options)
{
    for (const Option *o = options; o->name; o++)
        printf("--%s%s\n", o->name,
               o->kind == OPTION_FLAG   ? ""
               : o->kind == OPTION_TEXT ? "="
                                        : "=NUMBER");
    exit(fflush(stdout) ? EXIT_FAILED : EXIT_OK);
}

bool options_read(int argc, char **argv, const Option *options, Words *words, Error *error)
{
    bool only_words = false;
    words->at = (const char *const *)(argv + 1);
    words->count = 0;
    if (argc == 2 && strcmp(argv[1], "--list-options") == 0)
        list_options(options);
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        if (!only_words && strcmp(text, "--") == 0) {
            only_words = true;
        } else if (!only_words && text[0] == '-' && text[1] == '-') {
            if (!read_option(argc, argv, &i, options, error))
                return false;
        } else if (!only_words && text[0] == '-' && text[1] && !is_number(text)) {
            return error_set(error, "unknown option %.60s (options begin with two dashes)", text);
        } else {
            argv[++words->count] = argv[i];
        }
    }
    return true;
}

int options_refuse(const char *command, const Error *error)
{
    fprintf(stderr, "lovac %s: %s\n`lovac help %s` explains the command.\n", command, error->text,
            command);
    return EXIT_USAGE;
}
