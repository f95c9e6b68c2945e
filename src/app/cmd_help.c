// `lovac help`: the list of commands, or one of them explained.
#include "app/command.h"

#include <string.h>

const char help_help[] = "Usage: lovac help [COMMAND]\n"
                         "       lovac help --all\n"
                         "\n"
                         "Lists the commands, or explains one, or with --all every one on a page.\n"
                         "\n"
                         "Example: lovac help perft\n";

// The list and after it every command, each under a line with its name.
static void print_all(void)
{
    command_print_list(stdout);
    for (const Command *c = COMMANDS; c->name; c++)
        printf("\n==== %s: %s\n\n%s", c->name, c->summary, c->help);
}

int cmd_help(int argc, char **argv)
{
    if (argc < 2) {
        command_print_list(stdout);
        return EXIT_OK;
    }
    if (argc == 2 && strcmp(argv[1], "--all") == 0) {
        print_all();
        return EXIT_OK;
    }
    const Command *command = argc == 2 ? command_find(argv[1]) : NULL;
    if (command) {
        fputs(command->help, stdout);
        return EXIT_OK;
    }
    if (argc > 2) {
        fprintf(stderr, "lovac help: one command at a time, please\n");
        return EXIT_USAGE;
    }
    const char *nearest = command_nearest(argv[1]);
    fprintf(stderr, "lovac help: no command '%s'", argv[1]);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}
