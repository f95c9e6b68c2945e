// The subcommands of `lovac`. To add one: write src/app/cmd_NAME.c with `cmd_NAME` and `help_NAME`,
// add a line below and a row to the table in main.c. A command that includes the lab or the
// server is built only with them: its row stands between #ifdef WITH_LAB or WITH_SERVER and #endif.
#ifndef LOVAC_APP_COMMAND_H
#define LOVAC_APP_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

// Exit statuses.
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// A command gets its own name as argv[0] and returns the exit status.
typedef int CommandFunction(int argc, char **argv);

typedef struct Command {
    const char *name;
    const char *summary; // one line, no full stop
    CommandFunction *run;
    const char *help; // usage, options and an example; shown by `lovac help NAME`
} Command;

// All commands of this build, ended by a row without name.
extern const Command COMMANDS[];

// The command of that name, or NULL.
const Command *command_find(const char *name);

// The name nearest to a mistyped one, or NULL when none is near.
const char *command_nearest(const char *name);

// The list that `lovac help` prints.
void command_print_list(FILE *out);

// UCI from the command line: is this the beginning of such a line, and what it does. The words are
// one line together, or, if the first has a blank in it, one line each.
bool uci_knows(const char *line);
int uci_run_words(int argc, char **argv);

// One line for each command: its function and its help text.
#define DECLARE_COMMAND(name)                                                                      \
    int cmd_##name(int argc, char **argv);                                                         \
    extern const char help_##name[]
int cmd_uci(int argc, char **argv);
int cmd_xboard(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_perft(int argc, char **argv);
int cmd_play(int argc, char **argv);
extern const char help_xboard[], help_uci[], help_bench[], help_help[], help_perft[], help_play[];

DECLARE_COMMAND(uci);
DECLARE_COMMAND(bench);
DECLARE_COMMAND(play);
DECLARE_COMMAND(perft);
DECLARE_COMMAND(convert);
DECLARE_COMMAND(tablebase);
DECLARE_COMMAND(book);
DECLARE_COMMAND(match);
DECLARE_COMMAND(rate);
DECLARE_COMMAND(analyse);
DECLARE_COMMAND(tune);
DECLARE_COMMAND(datagen);
DECLARE_COMMAND(data);
DECLARE_COMMAND(train);
DECLARE_COMMAND(learn);
DECLARE_COMMAND(lab);
DECLARE_COMMAND(evolve);
DECLARE_COMMAND(serve);
DECLARE_COMMAND(help);

#endif
