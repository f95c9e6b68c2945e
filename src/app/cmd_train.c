// `lovac train`: a net from games, on the CPU or a GPU. The work is lab/train.h.
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "base/console.h"
#include "lab/train.h"

const char help_train[] =
    "Usage: lovac train DATA ... --to NET [options]\n"
    "\n"
    "Trains a network on the games that `lovac datagen` made, on the processor's cores or on a\n"
    "GPU. All files must be of one game. One game in a hundred is held out; after each tenth\n"
    "of the training the loss is shown and the net is written. Ctrl-C ends early.\n"
    "\n"
    "  --to NET        where the net goes\n"
    "  --from NET      go on from this net, of whatever shape, instead of random weights; cpu\n"
    "                  only, wants smaller rates\n"
    "  --layers-only   of that net, learn only what follows the accumulators\n"
    "  --epsilon X     of that net's optimiser: larger, and weights that seldom count make\n"
    "                  smaller steps (0.00000001)\n"
    "  --hidden N      units, a multiple of 32 (128)\n"
    "  --epochs N      passes over the positions (20)\n"
    "  --batch N       positions of a step (by their number, 16384 at most)\n"
    "  --rate X        learning rate at the beginning (0.001)\n"
    "  --end-rate X    and at the end (0.00001)\n"
    "  --result X      weight of the game's result in the target; the rest is the score (0.3)\n"
    "  --later X       weight of the game's later scores in it, cpu only: each counts half of the\n"
    "                  one before, the result last of all (0)\n"
    "  --scale CP      centipawns in the score's sigmoid (0: fitted to the results)\n"
    "  --add           the net is added to the hand-written evaluation and learns what that\n"
    "                  lacks; it does not replace it\n"
    "  --positions N   at most so many (0: all)\n"
    "  --device D      cpu, or cuda: the GPU's trainer, for chess and variants of at most 32 men\n"
    "                  with two kings, 128, 256, 512 or 1024 units (cpu)\n"
    "  --threads N     on the cpu (one for each processor)\n"
    "  --seed N        for weights and order (1)\n"
    "  --csv FILE      the losses as a table\n"
    "\n"
    "Example: lovac train legan.games --to legan.nnue --hidden 64 --epochs 30\n";

static void print_line(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
    fflush(stdout);
}

int cmd_train(int argc, char **argv)
{
    TrainConfig config = train_default();
    long long hidden = config.hidden, batch = config.batch, threads = config.threads;
    unsigned long long seed = 1, positions = 0;
    const char *device = "cpu";
    const Option options[] = {
        {.name = "to", .kind = OPTION_TEXT, .value = &config.out},
        {.name = "from", .kind = OPTION_TEXT, .value = &config.from},
        {.name = "layers-only", .kind = OPTION_FLAG, .value = &config.layers_only},
        {.name = "epsilon", .kind = OPTION_REAL, .value = &config.epsilon, .low = 0, .high = 1},
        {.name = "hidden", .kind = OPTION_INT, .value = &hidden, .low = 32, .high = 1024},
        {.name = "epochs", .kind = OPTION_REAL, .value = &config.epochs, .low = 0, .high = 100000},
        {.name = "batch", .kind = OPTION_INT, .value = &batch, .low = 0, .high = 1 << 20},
        {.name = "rate", .kind = OPTION_REAL, .value = &config.rate, .low = 0, .high = 1},
        {.name = "end-rate", .kind = OPTION_REAL, .value = &config.end_rate, .low = 0, .high = 1},
        {.name = "result",
         .kind = OPTION_REAL,
         .value = &config.result_weight,
         .low = 0,
         .high = 1},
        {.name = "later", .kind = OPTION_REAL, .value = &config.later_weight, .low = 0, .high = 1},
        {.name = "scale", .kind = OPTION_REAL, .value = &config.scale, .low = 0, .high = 100000},
        {.name = "add", .kind = OPTION_FLAG, .value = &config.adds_to_hand},
        {.name = "positions", .kind = OPTION_COUNT, .value = &positions},
        {.name = "device", .kind = OPTION_TEXT, .value = &device},
        {.name = "threads", .kind = OPTION_INT, .value = &threads, .low = 1, .high = 512},
        {.name = "seed", .kind = OPTION_COUNT, .value = &seed},
        {.name = "csv", .kind = OPTION_TEXT, .value = &config.csv},
        {0}};
    Words words;
    Error error = {0};
    if (!options_read(argc, argv, options, &words, &error))
        return options_refuse(argv[0], &error);
    if (!words.count || !config.out)
        error_set(&error, "files of games and --to NET are needed");
    else if (strcmp(device, "cpu") && strcmp(device, "cuda"))
        error_set(&error, "--device must be cpu or cuda, not '%s'", device);
    else if (config.adds_to_hand && !strcmp(device, "cuda"))
        error_set(&error, "--add is possible on the cpu only");
    else if (config.from && (!strcmp(device, "cuda") || config.adds_to_hand))
        error_set(&error, "--from goes with the cpu only, and not with --add");
    else if (config.layers_only && !config.from)
        error_set(&error, "--layers-only needs --from NET");
    else if (config.later_weight && !strcmp(device, "cuda"))
        error_set(&error, "--later is possible on the cpu only");
    else if (config.result_weight + config.later_weight > 1)
        error_set(&error, "--result %g and --later %g are more than 1", config.result_weight,
                  config.later_weight);
    else if (hidden % 32)
        error_set(&error, "--hidden must be a multiple of 32");
    if (error.text[0])
        return options_refuse(argv[0], &error);
    config.on_gpu = !strcmp(device, "cuda");
    config.files = words.at;
    config.file_count = words.count;
    config.hidden = (int)hidden;
    config.batch = (int)batch;
    config.threads = (int)threads;
    config.seed = seed;
    config.max_positions = positions;
    config.stop = console_catch_signals(CONSOLE_WORK);
    config.say = print_line;
    if (train_run(&config, &error))
        return EXIT_OK;
    fprintf(stderr, "lovac train: %s\n", error.text);
    return EXIT_FAILED;
}
