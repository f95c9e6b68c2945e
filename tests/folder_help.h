// For tests that write files: a folder of their own, made before the first test of a group and
// removed with all that is in it after the last.
//
//     return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
#ifndef LOVAC_TESTS_FOLDER_HELP_H
#define LOVAC_TESTS_FOLDER_HELP_H

#include <unistd.h>

#include "core/bitboard.h"
#include "test_data.h"

static char folder[] = "/tmp/lovac-test-XXXXXX";

static int folder_set_up(void **state)
{
    (void)state;
    bitboard_init();
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

// The path of a file there; good for the next seven calls.
static inline const char *folder_path(const char *name)
{
    static char paths[8][128];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

#endif
