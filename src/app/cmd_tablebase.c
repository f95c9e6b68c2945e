// `lovac tablebase`: a table of subcommands, each in a file tablebase_*.c beside this one.
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/tablebase_make.h"
#include "app/tablebase_probe.h"

const char help_tablebase[] =
    "Usage: lovac tablebase make 4               all endings of up to 4 men\n"
    "       lovac tablebase make KQK KRKP ...    these, and the smaller ones they need\n"
    "       lovac tablebase verify [4 | KQK ...] positions against their moves; status 1 if wrong\n"
    "       lovac tablebase list                 what is there\n"
    "       lovac tablebase probe FEN            what the tables say of a position\n"
    "\n"
    "Tables say how a position with few men ends with best play: win, draw or loss, half-moves to\n"
    "mate (DTM), and to the next capture or pawn move with the fifty-move rule (DTZ).\n"
    "\n"
    "make: Lovac's own tables. Those that are there and whole are kept, so a stopped run goes on.\n"
    "Under mpirun all processes help.\n"
    "probe tells the result, how far the next capture, pawn move or mate is, and the same for\n"
    "every move, best first. Tables of up to four men are made where they are missing, unless\n"
    "--no-make. With --syzygy these are asked first: folders of Syzygy files (.rtbw, .rtbz), ':'\n"
    "between them.\n"
    "\n"
    "Without --folder tables are made in the user's data folder ($XDG_DATA_HOME/lovac/tables or\n"
    "~/.local/share/lovac/tables) and looked for there and in lovac/tables of $XDG_DATA_DIRS. So\n"
    "do the engine (TablePath), lovac play, lovac analyse and lovac serve; lovac bench asks none.\n"
    "\n"
    "  --variant NAME     the game (chess); Chess960, Corner and Fortress use the tables of "
    "chess,\n"
    "                     legan and horde32 have their own\n"
    "  --folder DIR       of our own tables\n"
    "  --threads N        make: tables at the same time (one for each processor)\n"
    "  --memory MB        make: bound for them all (4096); a table that needs more is refused\n"
    "  --full             verify: every position, else --samples N of each table (1000), --seed N\n"
    "  --syzygy FOLDERS   probe: where such tables are\n"
    "  --no-make          probe: make no tables\n"
    "  --json             a JSON object instead of words\n"
    "  --quiet            no progress bar\n"
    "\n"
    "Example: lovac tablebase make 4\n"
    "         lovac tablebase probe \"8/8/8/4k3/8/8/8/3RK3 w - -\"\n";

static const struct {
    const char *name;
    CommandFunction *run;
} SUBCOMMANDS[] = {
    {"make", tablebase_make},
    {"verify", tablebase_verify},
    {"list", tablebase_list},
    {"probe", tablebase_probe},
};

int cmd_tablebase(int argc, char **argv)
{
    Error error;
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof SUBCOMMANDS / sizeof *SUBCOMMANDS; i++)
        if (!strcmp(name, SUBCOMMANDS[i].name))
            return SUBCOMMANDS[i].run(argc - 1, argv + 1);
    error_set(&error,
              *name ? "'%.40s' is none of make, verify, list and probe"
                    : "say make, verify, list or probe%.0s",
              name);
    return options_refuse(argv[0], &error);
}
