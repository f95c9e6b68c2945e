// For the C tests: where test data lies, and how much work a test should do.
//
// The project's own data is in tests/data. A larger collection may lie in ../shared/data beside the
// project, or where the environment variable LOVAC_DATA points; tests that need it skip themselves
// where it is missing.
#ifndef LOVAC_TESTS_TEST_DATA_H
#define LOVAC_TESTS_TEST_DATA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEST_PATH_SIZE = 1024 };

// How much a test should do: quick under the sanitizers (seconds), short by default, long in `make
// test-long`.
typedef enum TestLevel { TEST_QUICK, TEST_SHORT, TEST_LONG } TestLevel;

static inline TestLevel test_level(void)
{
    const char *level = getenv("LOVAC_TEST_LEVEL");
    if (level && strcmp(level, "quick") == 0)
        return TEST_QUICK;
    return level && strcmp(level, "long") == 0 ? TEST_LONG : TEST_SHORT;
}

// Writes the path of a file of the large collection; false when it is not there.
static inline bool test_shared_path(const char *name, char path[TEST_PATH_SIZE])
{
    const char *folder = getenv("LOVAC_DATA");
    snprintf(path, TEST_PATH_SIZE, "%s/%s", folder ? folder : "../shared/data", name);
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

// The same, and ends the running test as skipped when the file is missing.
static inline void test_shared_or_skip(const char *name, char path[TEST_PATH_SIZE])
{
    if (!test_shared_path(name, path)) {
        print_message("# no %s\n", path);
        skip();
    }
}

// Writes the path of a file of the project's own data, which must be there. Tests run in the
// project's root.
static inline void test_own_path(const char *name, char path[TEST_PATH_SIZE])
{
    snprintf(path, TEST_PATH_SIZE, "tests/data/%s", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing (run the tests in the project's root)", path);
    fclose(file);
}

#endif
