// What the tests of tables share: random positions of given men, the folder of tables.
#ifndef LOVAC_TESTS_TABLES_HELP_H
#define LOVAC_TESTS_TABLES_HELP_H

#include "test_data.h"

#include "core/fen.h"
#include "core/movegen.h"
#include "random_position.h"
#include "tables/syzygy.h"

enum { FOLDERS_SIZE = 2 * TEST_PATH_SIZE + 8 };

// The folders of the shared collection, as syzygy_new wants them; ends the test as skipped without
// them.
static inline void syzygy_folders_or_skip(char folders[FOLDERS_SIZE])
{
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("tablebases/syzygy/KQvK.rtbw", path);
    *strrchr(path, '/') = 0;
    snprintf(folders, FOLDERS_SIZE, "%s:%s/5", path, path);
}

// A new folder for tables, and its end.
static inline char *make_folder(void)
{
    char *folder = strdup("/tmp/lovac-tables-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static inline void remove_folder(char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
}

// All endings of three and four men.
static const char *const ENDINGS[] = {
    "KQvK",  "KRvK",  "KBvK",  "KNvK",  "KPvK",  "KQvKQ", "KQvKR", "KQvKB", "KQvKN",
    "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKB", "KBvKN", "KBvKP", "KNvKN",
    "KNvKP", "KPvKP", "KQQvK", "KQRvK", "KQBvK", "KQNvK", "KQPvK", "KRRvK", "KRBvK",
    "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK", "KNPvK", "KPPvK",
};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

#endif
