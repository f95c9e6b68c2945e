// Reading a command's arguments: --name value, --name=value, --flag, and words without dashes.
//
//     long long threads = 1;
//     bool divide = false;
//     const Option options[] = {{.name = "threads", .kind = OPTION_INT, .value = &threads, .low =
//     1, .high = 512},
//                               {.name = "divide", .kind = OPTION_FLAG, .value = &divide},
//                               {0}};
//     Words words;
//     if (!options_read(argc, argv, options, &words, &error))
//         return options_refuse(argv[0], &error);
#ifndef LOVAC_APP_OPTIONS_H
#define LOVAC_APP_OPTIONS_H

#include "base/error.h"

typedef enum OptionKind {
    OPTION_FLAG,  // bool: set to true when present
    OPTION_TEXT,  // const char *
    OPTION_INT,   // long long, from low to high
    OPTION_COUNT, // unsigned long long, any
    OPTION_REAL   // double, from low to high when these differ
} OptionKind;

typedef struct Option {
    const char *name; // without the dashes; NULL ends the list
    OptionKind kind;
    void *value; // what `kind` says; keeps its default when the option is absent
    long long low, high;
    bool *is_given; // set to true when the option is present; may be NULL
} Option;

enum { MAX_WORDS = 256 };

// The arguments that are not options, in their order.
typedef struct Words {
    const char *at[MAX_WORDS];
    int count;
} Words;

// Reads all arguments after argv[0]. "--" ends the options; "-" alone is a word, and so are
// negative numbers.
bool options_read(int argc, char **argv, const Option *options, Words *words, Error *error);

// Complains on stderr ("lovac perft: ..."), points to the help and returns EXIT_USAGE.
int options_refuse(const char *command, const Error *error);

#endif
