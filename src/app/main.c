// The program `lovac`: a table of commands. Each command is a file cmd_*.c beside this one.
#include "app/command.h"
#include "app/version.h"
#include "base/console.h"
#include "base/str.h"
#include "core/bitboard.h"
#include "engine/nnue.h"

#include <limits.h>
#include <string.h>

const Command COMMANDS[] = {
    {"uci", "speak UCI, for chess programs (also without any command)", cmd_uci, help_uci},
    {"xboard", "speak the XBoard protocol", cmd_xboard, help_xboard},
    {"bench", "speed and signature of the search", cmd_bench, help_bench},
    {"play", "play a game in the terminal", cmd_play, help_play},
    {"perft", "count the move sequences of a position", cmd_perft, help_perft},
    {"convert", "check, clean and convert PGN, EPD and FEN", cmd_convert, help_convert},
    {"tablebase", "make, check and ask tables of endings", cmd_tablebase, help_tablebase},
    {"book", "make opening books, look at them, edit them", cmd_book, help_book},
#ifdef WITH_LAB
    {"match", "play games between engines, with Elo and SPRT", cmd_match, help_match},
    {"analyse", "judge games, solve suites, look at a position", cmd_analyse, help_analyse},
    {"rate", "rate the players of PGN files", cmd_rate, help_rate},
    {"tune", "tune the search by games, the evaluation by results", cmd_tune, help_tune},
    {"datagen", "make games to learn from, by self-play", cmd_datagen, help_datagen},
    {"data", "look at, check, mix and export such games", cmd_data, help_data},
    {"train", "train a net on such games", cmd_train, help_train},
    {"learn", "learn chess from nothing on a GPU", cmd_learn, help_learn},
    {"lab", "the tables of five documents, measured anew", cmd_lab, help_lab},
    {"evolve", "breed networks in a league", cmd_evolve, help_evolve},
#endif
#ifdef WITH_SERVER
    {"serve", "the board in the browser, alone or over a network", cmd_serve, help_serve},
#endif
    {"help", "explain a command, with an example", cmd_help, help_help},
    {NULL, NULL, NULL, NULL},
};

const Command *command_find(const char *name)
{
    for (const Command *c = COMMANDS; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

const char *command_nearest(const char *name)
{
    const char *nearest = NULL;
    int best = INT_MAX;
    for (const Command *c = COMMANDS; c->name; c++) {
        int distance = str_distance(c->name, name);
        // More than half of a word wrong is another word.
        if (distance < best && distance * 2 <= (int)strlen(c->name)) {
            best = distance;
            nearest = c->name;
        }
    }
    return nearest;
}

void command_print_list(FILE *out)
{
    fprintf(out, "Lovac %s, a chess program\n\nUsage: lovac COMMAND [arguments]\n\n",
            LOVAC_VERSION);
    for (const Command *c = COMMANDS; c->name; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->summary);
    fprintf(out,
            "\n`lovac help COMMAND` explains a command, `lovac help --all` explains all of them.\n"
            "`lovac` alone speaks UCI; `lovac --version` tells what was built, and of what.\n");
}

static int unknown_command(const char *name)
{
    const char *nearest = command_nearest(name);
    fprintf(stderr, "lovac: unknown command '%s'", name);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\n`lovac help` lists the commands.\n");
    return EXIT_USAGE;
}

// --help anywhere before a lone "--" asks for the command's help.
static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

// What was printed must have arrived: a full disk makes a good end a bad one.
static int end_output(const char *name, int status)
{
    bool is_lost = ferror(stdout) || fflush(stdout);
    if (is_lost)
        fprintf(stderr, "lovac %s: cannot write to standard output\n", name);
    return is_lost && status == EXIT_OK ? EXIT_FAILED : status;
}

static int run_command(const Command *command, int argc, char **argv)
{
    int status = EXIT_OK;
    if (wants_help(argc, argv))
        fputs(command->help, stdout);
    else
        status = command->run(argc, argv);
    return end_output(command->name, status);
}

// The version, what it was built from and by, and the nets that are in it.
static void print_version(void)
{
    Net *net;
    printf("Lovac %s\ncommit    %s\ncompiler  %s\n", LOVAC_VERSION, LOVAC_COMMIT, LOVAC_COMPILER);
    for (int i = 0; (net = net_from_program(i, NULL)); i++)
        printf("net       %s: generation %u, %s\n", net->info.variant,
               (unsigned)net->info.generation, net->info.recipe);
}

static bool asks_version(const char *name)
{
    return !strcmp(name, "--version") || !strcmp(name, "-V") || !strcmp(name, "-v") ||
           !strcmp(name, "version");
}

int main(int argc, char **argv)
{
    console_begin();
    bitboard_init();
    if (argc < 2) {
        const Command *uci = command_find("uci"); // `lovac` is how chess programs start an engine
        if (uci)
            return uci->run(argc, argv);
        command_print_list(stdout);
        return EXIT_OK;
    }
    const char *name = argv[1];
    if (asks_version(name)) {
        if (argc > 2) {
            fprintf(stderr, "lovac: %s stands alone\n", name);
            return EXIT_USAGE;
        }
        print_version();
        return end_output(name, EXIT_OK);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const Command *command = command_find(name);
    if (!command && uci_knows(name))
        return uci_run_words(argc - 1, argv + 1);
    return command ? run_command(command, argc - 1, argv + 1) : unknown_command(name);
}
