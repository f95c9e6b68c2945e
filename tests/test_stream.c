// Packed and plain files: written, read back, damaged, cut.
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "base/stream.h"
#include "test_data.h"

static char folder[] = "/tmp/lovac-stream-XXXXXX";

// Text that packs, with some that does not.
static char *make_bytes(size_t size)
{
    char *bytes = malloc(size + 1);
    Random random;
    random_init(&random, size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i % 1000 < 900 ? "1. e4 e5 "[i % 9] : (char)random_next(&random));
    return bytes;
}

static bool write_all(const char *path, const char *bytes, size_t size, Error *error)
{
    Stream *out = stream_create(path, error);
    if (!out)
        return false;
    for (size_t at = 0; at < size;) {
        size_t part = size - at < 77777 ? size - at : 77777;
        stream_write(out, bytes + at, part);
        at += part;
    }
    return stream_close(out, error);
}

// Reads in odd pieces; the size, or -1 when stream_close complained.
static long read_all(const char *path, char *bytes, size_t room, Error *error)
{
    Stream *in = stream_open(path, error);
    if (!in)
        return -1;
    size_t used = 0, got;
    while ((got = stream_read(in, bytes + used, room - used < 4097 ? room - used : 4097)) > 0)
        used += got;
    return stream_close(in, error) ? (long)used : -1;
}

static const char *const ENDINGS[] = {".pgn", ".pgn.gz", ".pgn.zst"};

static bool is_built(const char *ending)
{
#ifndef HAVE_ZLIB
    if (strstr(ending, ".gz"))
        return false;
#endif
#ifndef HAVE_ZSTD
    if (strstr(ending, ".zst"))
        return false;
#endif
    (void)ending;
    return true;
}

static void test_round_trip(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 3, 4096, 131072, 131073, 1500000};
    for (int e = 0; e < 3; e++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char path[256];
            Error error = {0};
            if (!is_built(ENDINGS[e]))
                continue;
            snprintf(path, sizeof path, "%s/x%s", folder, ENDINGS[e]);
            char *bytes = make_bytes(sizes[i]), *back = malloc(sizes[i] + 100);
            if (!write_all(path, bytes, sizes[i], &error))
                fail_msg("%s", error.text);
            long got = read_all(path, back, sizes[i] + 100, &error);
            if (got != (long)sizes[i])
                fail_msg("%s %zu: %ld, %s", path, sizes[i], got, error.text);
            assert_memory_equal(bytes, back, sizes[i]);
            free(bytes);
            free(back);
        }
}

// Files that are cut or damaged are noticed; packed parts one behind the other are one text.
static void test_damage(void **state)
{
    (void)state;
    for (int e = 1; e < 3; e++) {
        char path[256];
        Error error = {0};
        if (!is_built(ENDINGS[e]))
            continue;
        snprintf(path, sizeof path, "%s/x%s", folder, ENDINGS[e]);
        char *bytes = make_bytes(30000), *back = malloc(100000);
        assert_true(write_all(path, bytes, 30000, &error));
        size_t size;
        char *packed = file_read(path, 1 << 20, &size, &error);
        assert_non_null(packed);
        for (size_t cut = 5; cut < size; cut += 97) {
            assert_true(file_write(path, packed, cut, &error));
            assert_int_equal(read_all(path, back, 100000, &error), -1);
            assert_non_null(strstr(error.text, "ends in the middle of packed data"));
        }
        char *twice = malloc(2 * size);
        memcpy(twice, packed, size);
        memcpy(twice + size, packed, size);
        assert_true(file_write(path, twice, 2 * size, &error));
        assert_int_equal(read_all(path, back, 100000, &error), 60000);
        assert_memory_equal(back + 30000, bytes, 30000);
        twice[size / 2] ^= 0x55;
        assert_true(file_write(path, twice, size, &error));
        long got = read_all(path, back, 100000, &error);
        assert_true(got == -1 || memcmp(back, bytes, 30000)); // zstd need not carry a checksum
        free(twice);
        free(packed);
        free(bytes);
        free(back);
    }
}

static void test_errors(void **state)
{
    (void)state;
    Error error = {0};
    assert_null(stream_open("/nowhere/at/all", &error));
    assert_string_equal(error.text, "/nowhere/at/all: No such file or directory");
    assert_null(stream_open(folder, &error));
    assert_non_null(strstr(error.text, "is a folder"));
    assert_null(stream_create("/nowhere/at/all.pgn", &error));
    char path[256];
    snprintf(path, sizeof path, "%s/never", folder);
    Stream *out = stream_create(path, &error);
    assert_true(stream_write(out, "x", 1));
    stream_abandon(out);
    assert_false(file_exists(path));
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char path[256];
    for (int e = 0; e < 3; e++) {
        snprintf(path, sizeof path, "%s/x%s", folder, ENDINGS[e]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
