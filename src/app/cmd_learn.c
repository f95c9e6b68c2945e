// `lovac learn`: chess from nothing on one GPU. The work is lab/learn.h.
#include "app/command.h"
#include "app/options.h"
#include "base/str.h"
#include "lab/learn.h"

#include <stdlib.h>
#include <string.h>

const char help_learn[] =
    "Usage: lovac learn FOLDER [options]\n"
    "\n"
    "Learns chess from nothing on one NVIDIA GPU: plays against itself with the newest net,\n"
    "trains on those games, matches the new net against the last ones, and again. Everything\n"
    "needed to go on lies in FOLDER: nets, optimiser, learn.csv, curve.svg, learn.log.\n"
    "\n"
    "  --seconds N      stop in time (0: when the plan is done)\n"
    "  --plan TEXT      stages of settings, separated by ';' (see docs/training.md)\n"
    "  --start NET      begin with this net instead of material\n"
    "  --student NET    a student of this net's shape goes on from it\n"
    "  --seed N         for openings, weights and order (1)\n"
    "  --records N      room for that many positions on the GPU (0: as many as fit)\n"
    "  --match-nodes N  nodes for each move in matches (800)\n"
    "  --match-pairs N  pairs of games by each warp in matches (2)\n"
    "\n"
    "       lovac learn --check             test this GPU against known numbers and the emulator\n"
    "                                       (with the net of --start or one that counts material)\n"
    "       lovac learn --check-students [WIDTH...]  test and measure the students' trainer\n"
    "       lovac learn --speed [WIDTH...]  measure games and training (--games: games alone),\n"
    "                                       with the net of --start or one that counts material\n"
    "       lovac learn --match A B         a match between two net files on the GPU\n"
    "       lovac learn --options NET N...  search options N against none\n"
    "       lovac learn --draw FOLDER       curve.svg anew from learn.csv; needs no GPU\n"
    "\n"
    "Example: lovac learn data/learn --seconds 3600\n";

typedef struct Diary {
    FILE *file; // learn.log, once the folder is there
    const char *folder;
} Diary;

static void diary_say(void *context, const char *line)
{
    Diary *diary = context;
    printf("%s\n", line);
    fflush(stdout);
    if (!diary->file && diary->folder) {
        char path[1024];
        snprintf(path, sizeof path, "%s/learn.log", diary->folder);
        diary->file = fopen(path, "a");
    }
    if (diary->file) {
        fprintf(diary->file, "%s\n", line);
        fflush(diary->file);
    }
}

static bool try_options(const LearnSetup *setup, const Words *words, Error *error)
{
    enum { OPTIONS_MAX = 256 };
    uint32_t options[OPTIONS_MAX];
    int count = 0;
    if (words->count > OPTIONS_MAX)
        return error_set(error, "more than %d numbers", OPTIONS_MAX);
    for (int i = 1; i < words->count; i++) {
        long long value;
        if (!str_to_int(words->at[i], 0, 1 << 30, &value))
            return error_set(error, "'%s' is no number of options", words->at[i]);
        options[count++] = (uint32_t)value;
    }
    return learn_try_options(setup, words->at[0], options, count, error);
}

static bool read_widths(LearnSetup *setup, const Words *words, Error *error)
{
    for (int i = 0; i < words->count; i++) {
        long long width;
        if (i == 4 || !str_to_int(words->at[i], 128, 1024, &width))
            return error_set(error, "'%s' is no width (128 to 1024)", words->at[i]);
        setup->widths[setup->width_count++] = (int)width;
    }
    return true;
}

int cmd_learn(int argc, char **argv)
{
    Diary diary = {NULL, NULL};
    LearnSetup setup = {.seed = 1, .say = diary_say, .context = &diary};
    bool check = false, check_students = false, speed = false, match = false, options_given = false,
         draw = false;
    long long match_nodes = 800, match_pairs = 2;
    unsigned long long seed = 1, records = 0;
    const Option options[] = {
        {.name = "seconds",
         .kind = OPTION_REAL,
         .value = &setup.seconds,
         .low = 0,
         .high = 100000000},
        {.name = "plan", .kind = OPTION_TEXT, .value = &setup.plan},
        {.name = "start", .kind = OPTION_TEXT, .value = &setup.start},
        {.name = "student", .kind = OPTION_TEXT, .value = &setup.student},
        {.name = "seed", .kind = OPTION_COUNT, .value = &seed},
        {.name = "records", .kind = OPTION_COUNT, .value = &records},
        {.name = "match-nodes",
         .kind = OPTION_INT,
         .value = &match_nodes,
         .low = 10,
         .high = 1000000},
        {.name = "match-pairs", .kind = OPTION_INT, .value = &match_pairs, .low = 1, .high = 10000},
        {.name = "check", .kind = OPTION_FLAG, .value = &check},
        {.name = "check-students", .kind = OPTION_FLAG, .value = &check_students},
        {.name = "speed", .kind = OPTION_FLAG, .value = &speed},
        {.name = "games", .kind = OPTION_FLAG, .value = &setup.games_only},
        {.name = "match", .kind = OPTION_FLAG, .value = &match},
        {.name = "options", .kind = OPTION_FLAG, .value = &options_given},
        {.name = "draw", .kind = OPTION_FLAG, .value = &draw},
        {0}};
    Words words;
    Error error = {0};
    if (!options_read(argc, argv, options, &words, &error))
        return options_refuse(argv[0], &error);
    setup.seed = seed;
    setup.records = records;
    setup.match_nodes = (int)match_nodes;
    setup.match_pairs = (int)match_pairs;
    bool ok;
    if (check) {
        ok = learn_check(&setup, &error);
    } else if (check_students) {
        ok = read_widths(&setup, &words, &error) && learn_check_students(&setup, &error);
    } else if (speed) {
        ok = read_widths(&setup, &words, &error) && learn_speed(&setup, &error);
    } else if (match && words.count == 2) {
        ok = learn_match(&setup, words.at[0], words.at[1], &error);
    } else if (draw && words.count == 1) {
        ok = learn_draw(words.at[0], &error);
    } else if (options_given && words.count > 1) {
        ok = try_options(&setup, &words, &error);
    } else if (!match && !options_given && words.count == 1) {
        setup.folder = diary.folder = words.at[0];
        ok = learn_run(&setup, &error);
    } else {
        error_set(&error, "one folder is needed");
        return options_refuse(argv[0], &error);
    }
    if (diary.file)
        fclose(diary.file);
    if (!ok)
        fprintf(stderr, "lovac learn: %s\n", error.text);
    return ok ? EXIT_OK : EXIT_FAILED;
}
