// `lovac tablebase`: a table of subcommands, each in a file tablebase_*.c beside this one.
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/tablebase_probe.h"

const char help_tablebase[] =
    "Usage: lovac tablebase probe FEN --syzygy FOLDERS [--variant NAME]\n"
    "\n"
    "probe tells what endgame tables say of a position: its result, how far the next capture,\n"
    "pawn move or mate is, and the same for every move, best first. FOLDERS are those of\n"
    "Syzygy files (.rtbw, .rtbz), with ':' between them.\n"
    "\n"
    "  --syzygy FOLDERS   where the tables are\n"
    "  --variant NAME     the game (chess); tables hold where men move as in chess\n"
    "\n"
    "Example: lovac tablebase probe \"8/8/8/3k4/8/8/4B3/3NK3 w - -\" --syzygy ~/syzygy\n";

static const struct {
    const char *name;
    CommandFunction *run;
} SUBCOMMANDS[] = {
    {"probe", tablebase_probe},
};

int cmd_tablebase(int argc, char **argv)
{
    Error error;
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof SUBCOMMANDS / sizeof *SUBCOMMANDS; i++)
        if (!strcmp(name, SUBCOMMANDS[i].name))
            return SUBCOMMANDS[i].run(argc - 1, argv + 1);
    error_set(&error, *name ? "unknown action '%.40s'" : "say what to do%.0s", name);
    return options_refuse(argv[0], &error);
}
