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

// Rows that many commands have; each takes the address of the variable.
#define OPTION_THREADS(variable)                                                                   \
    {                                                                                              \
        .name = "threads", .kind = OPTION_INT, .value = (variable), .low = 1, .high = 1024         \
    }
#define OPTION_HASH(variable)                                                                      \
    {                                                                                              \
        .name = "hash", .kind = OPTION_INT, .value = (variable), .low = 1, .high = 65536           \
    }
#define OPTION_NODES(variable)                                                                     \
    {                                                                                              \
        .name = "nodes", .kind = OPTION_COUNT, .value = (variable)                                 \
    }
#define OPTION_SEED(variable)                                                                      \
    {                                                                                              \
        .name = "seed", .kind = OPTION_COUNT, .value = (variable)                                  \
    }
#define OPTION_VARIANT(variable)                                                                   \
    {                                                                                              \
        .name = "variant", .kind = OPTION_TEXT, .value = (variable)                                \
    }
#define OPTION_QUIET(variable)                                                                     \
    {                                                                                              \
        .name = "quiet", .kind = OPTION_FLAG, .value = (variable)                                  \
    }
#define OPTION_JSON(variable)                                                                      \
    {                                                                                              \
        .name = "json", .kind = OPTION_FLAG, .value = (variable)                                   \
    }

// How long to think: --nodes, --depth, --movetime (seconds), three rows for a ThinkOptions.
typedef struct ThinkOptions {
    unsigned long long nodes; // 0: no limit
    long long depth;          // 0: no limit
    double move_time_s;       // when it is given
    bool has_move_time;
} ThinkOptions;
#define OPTIONS_THINK(think)                                                                       \
    OPTION_NODES(&(think)->nodes),                                                                 \
        {.name = "depth", .kind = OPTION_INT, .value = &(think)->depth, .low = 1, .high = 200},    \
    {                                                                                              \
        .name = "movetime", .kind = OPTION_REAL, .value = &(think)->move_time_s, .low = 0,         \
        .high = 1000000, .is_given = &(think)->has_move_time                                       \
    }

// The arguments that are not options, in their order; they stay where main got them.
typedef struct Words {
    const char *const *at;
    int count;
} Words;

// Reads all arguments after argv[0], and moves the words among them to the front. "--" ends the
// options; "-" alone is a word, and so are negative numbers. `--list-options` alone prints the rows
// and ends the program: the completion of the shells is made of it (packaging/completion.sh).
bool options_read(int argc, char **argv, const Option *options, Words *words, Error *error);

// Complains on stderr ("lovac perft: ..."), points to the help and returns EXIT_USAGE.
int options_refuse(const char *command, const Error *error);

#endif
