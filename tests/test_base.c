// Tests of src/base: threads, queue, random numbers, files, text, progress, log, arena.
#include "test_data.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/queue.h"
#include "base/random.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/utf8.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- errors ----------------------------------------------------------------------------------

static void assert_arg(const Error *error, int i, const char *name, const char *value)
{
    assert_true(i < error->arg_count);
    const ErrorArg *arg = &error->args[i];
    assert_string_equal(arg->name, name);
    assert_int_equal(arg->size, strlen(value));
    assert_memory_equal(error->text + arg->at, value, arg->size);
}

static void errors_keep_code_and_arguments(void **state)
{
    (void)state;
    Error error;
    memset(&error, 0xff, sizeof error);
    assert_false(error_code(&error, "men-many", "board: {side:%s} has {men:%d} on {square:%c%d}",
                            "wh{x:%d}ite", 17, 'e', 4));
    assert_string_equal(error.text, "board: wh{x:%d}ite has 17 on e4");
    assert_string_equal(error.code, "men-many");
    assert_string_equal(error.context, "");
    assert_int_equal(error.arg_count, 3);
    assert_arg(&error, 0, "side", "wh{x:%d}ite");
    assert_arg(&error, 1, "men", "17");
    assert_arg(&error, 2, "square", "e4");
    assert_false(error_set(&error, "{%d} %s", 1, "free"));
    assert_string_equal(error.text, "{1} free");
    assert_string_equal(error.code, "");
    assert_int_equal(error.arg_count, 0);
    assert_false(error_code(NULL, "x", "%d", 1));
    assert_false(error_prefix(NULL, "x", "%d", 1));
}

static void errors_get_prefixes(void **state)
{
    (void)state;
    Error error;
    error_code(&error, "king-missing", "board: {side:%s} has no king", "black");
    assert_false(error_prefix(&error, "pgn-fen", "FEN tag: "));
    assert_false(error_prefix(&error, "", "%s, line %d: ", "games.pgn", 12));
    assert_string_equal(error.text, "games.pgn, line 12: FEN tag: board: black has no king");
    assert_string_equal(error.code, "king-missing");
    assert_string_equal(error.context, "pgn-fen");
    assert_string_equal(error.text + error.prefix_size, "board: black has no king");
    assert_arg(&error, 0, "side", "black");
}

// What does not fit is cut, and no argument reaches beyond the text.
static void errors_are_cut(void **state)
{
    (void)state;
    Error error;
    char text[400];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    error_code(&error, "long", "{one:%.250s} and {two:%s}{three:%d}", text, text, 3);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    assert_int_equal(error.args[0].size, 250);
    for (int i = 0; i < 3; i++)
        assert_true(error.args[i].at + error.args[i].size <= ERROR_TEXT_SIZE - 1);
    error_prefix(&error, "", "%s", text + 200);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    for (int i = 0; i < 3; i++)
        assert_true(error.args[i].at + error.args[i].size <= ERROR_TEXT_SIZE - 1);
    error_prefix(&error, "around", "%s", text);
    assert_true(error.prefix_size <= strlen(error.text));
}

// ---- random ----------------------------------------------------------------------------------

static void splitmix_is_the_known_sequence(void **state)
{
    (void)state;
    uint64_t s = 1234567; // the reference values of its author
    assert_int_equal(random_split(&s), 6457827717110365317u);
    assert_int_equal(random_split(&s), 3203168211198807973u);
    assert_int_equal(random_split(&s), 9817491932198370423u);
}

static void xoshiro_is_the_known_sequence(void **state)
{
    (void)state;
    Random r = {{1, 2, 3, 4}}; // 23 bits of (1 + 4) << 23, plus 1
    assert_int_equal(random_next(&r), 41943041u);
    assert_int_equal(random_next(&r), 58720359u);
    assert_int_equal(random_next(&r), 3588806011781223u);
}

static void random_is_even_and_repeatable(void **state)
{
    (void)state;
    Random a, b, c;
    random_init(&a, 7);
    random_init(&b, 7);
    random_init(&c, 8);
    int count[10] = {0}, same = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t x = random_below(&a, 10);
        assert_int_equal(x, random_below(&b, 10));
        same += x == random_below(&c, 10);
        assert_true(x < 10);
        count[x]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(count[i], 9600, 10400); // four deviations
    assert_in_range(same, 9600, 10400);         // another seed: another sequence
    assert_int_equal(random_below(&a, 1), 0);
}

static void random_normal_has_its_moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    Random r;
    double sum = 0, squares = 0;
    random_init(&r, 1);
    for (int i = 0; i < N; i++) {
        double x = random_normal(&r);
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / N) < 0.01);
    assert_true(fabs(squares / N - 1) < 0.02);
    assert_int_not_equal(random_fresh_seed(), random_fresh_seed());
}

// ---- threads ---------------------------------------------------------------------------------

enum { JOBS = 5000 };

typedef struct Tally {
    atomic_int done[JOBS];
    atomic_int by_worker[8];
} Tally;

static void count_job(void *context, size_t index, int worker)
{
    Tally *tally = context;
    atomic_fetch_add(&tally->done[index], 1);
    atomic_fetch_add(&tally->by_worker[worker], 1);
}

static void parallel_for_does_each_once(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 8; workers++) {
        static Tally tally;
        memset(&tally, 0, sizeof tally);
        parallel_for(JOBS, workers, count_job, &tally);
        int total = 0;
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(tally.done[i], 1);
        for (int i = 0; i < 8; i++) {
            total += tally.by_worker[i];
            assert_true(i < workers || tally.by_worker[i] == 0);
        }
        assert_int_equal(total, JOBS);
    }
    parallel_for(0, 4, count_job, NULL); // nothing to do: nothing is called
}

typedef struct Pipe {
    Queue queue;
    _Atomic uint64_t sum;
    atomic_int taken;
} Pipe;

static void consume(void *context)
{
    Pipe *pipe = context;
    void *item;
    while (queue_take(&pipe->queue, &item)) {
        atomic_fetch_add(&pipe->sum, (uint64_t)(uintptr_t)item);
        atomic_fetch_add(&pipe->taken, 1);
    }
}

static void queue_loses_nothing(void **state)
{
    (void)state;
    static Pipe pipe;
    Thread threads[3];
    assert_true(queue_init(&pipe.queue, 4, NULL)); // small: both sides must wait
    for (int i = 0; i < 3; i++)
        assert_true(thread_start(&threads[i], consume, &pipe, NULL));
    for (uintptr_t i = 1; i <= 20000; i++)
        assert_true(queue_put(&pipe.queue, (void *)i));
    queue_close(&pipe.queue);
    assert_false(queue_put(&pipe.queue, NULL));
    for (int i = 0; i < 3; i++)
        thread_join(&threads[i]);
    assert_int_equal(pipe.taken, 20000);
    assert_int_equal(pipe.sum, 20000u * 20001 / 2);
    void *item;
    assert_false(queue_try_take(&pipe.queue, &item));
    queue_release(&pipe.queue);
}

static void queue_keeps_the_order(void **state)
{
    (void)state;
    Queue queue;
    int items[3];
    void *item = NULL;
    assert_true(queue_init(&queue, 3, NULL));
    for (int round = 0; round < 4; round++) { // the ring goes round
        for (int i = 0; i < 3; i++)
            assert_true(queue_put(&queue, &items[i]));
        for (int i = 0; i < 3; i++) {
            assert_true(queue_try_take(&queue, &item));
            assert_ptr_equal(item, &items[i]);
        }
        assert_false(queue_try_take(&queue, &item));
        assert_true(queue_put(&queue, &items[0]));
        assert_true(queue_take(&queue, &item));
    }
    queue_release(&queue);
}

static void signal_wait_ends_in_time(void **state)
{
    (void)state;
    Mutex mutex;
    Signal signal;
    mutex_init(&mutex);
    signal_init(&signal);
    mutex_lock(&mutex);
    int64_t start = clock_ms();
    assert_false(signal_wait_ms(&signal, &mutex, 30));
    assert_in_range(clock_ms() - start, 29, 2000);
    assert_false(signal_wait_ms(&signal, &mutex, -5));
    mutex_unlock(&mutex);
    signal_release(&signal);
    mutex_release(&mutex);
    assert_true(thread_cpu_count() >= 1);
    start = clock_ns();
    clock_sleep_ms(20);
    assert_in_range(clock_ns() - start, 20000000, 2000000000);
}

// ---- files -----------------------------------------------------------------------------------

static char folder[] = "/tmp/lovac-test-XXXXXX";

static int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_scratch(const char *name)
{
    static char path[2][TEST_PATH_SIZE];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], TEST_PATH_SIZE, "%s/%s", folder, name);
    return path[turn];
}

static int remove_scratch(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a", "big", "pipe", "d/e/f", "d/e", "d", "log"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        remove(in_scratch(NAMES[i]));
    return rmdir(folder); // fails, and so does the group, if a temporary file was left behind
}

static void file_write_then_read(void **state)
{
    (void)state;
    Error error;
    size_t size = 0;
    assert_true(file_write(in_scratch("a"), "one\0two", 7, &error));
    char *bytes = file_read(in_scratch("a"), 100, &size, &error);
    assert_non_null(bytes);
    assert_int_equal(size, 7);
    assert_memory_equal(bytes, "one\0two", 8); // with the 0 behind the end
    free(bytes);
    assert_true(file_write(in_scratch("a"), "", 0, &error));
    bytes = file_read(in_scratch("a"), 0, &size, &error);
    assert_non_null(bytes);
    assert_int_equal(size, 0);
    free(bytes);
}

static void file_read_of_large_and_too_large(void **state)
{
    (void)state;
    enum { SIZE = 300001 };
    Error error;
    size_t size;
    char *data = malloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 7);
    assert_true(file_write(in_scratch("big"), data, SIZE, &error));
    char *bytes = file_read(in_scratch("big"), SIZE, &size, &error);
    assert_non_null(bytes);
    assert_int_equal(size, SIZE);
    assert_memory_equal(bytes, data, SIZE);
    free(bytes);
    free(data);
    assert_null(file_read(in_scratch("big"), SIZE - 1, &size, &error));
    assert_non_null(strstr(error.text, "larger than"));
}

static void file_read_refuses_what_is_no_file(void **state)
{
    (void)state;
    Error error;
    assert_null(file_read(in_scratch("none"), 10, NULL, &error));
    assert_non_null(strstr(error.text, "/none: No such file"));
    assert_null(file_read(folder, 10, NULL, &error));
    assert_non_null(strstr(error.text, "not a regular file"));
    assert_int_equal(mkfifo(in_scratch("pipe"), 0600), 0);
    assert_null(file_read(in_scratch("pipe"), 10, NULL, &error)); // and does not wait for a writer
    assert_null(file_read("/dev/zero", 10, NULL, &error));
}

static void file_commit_is_all_or_nothing(void **state)
{
    (void)state;
    Error error;
    FileWriter writer;
    assert_true(file_write(in_scratch("a"), "old", 3, &error));
    assert_int_equal(chmod(in_scratch("a"), 0640), 0);
    assert_true(file_begin(&writer, in_scratch("a"), &error));
    fputs("half", writer.out);
    fflush(writer.out);
    char *bytes = file_read(in_scratch("a"), 100, NULL, &error);
    assert_string_equal(bytes, "old"); // still
    free(bytes);
    file_abandon(&writer);
    bytes = file_read(in_scratch("a"), 100, NULL, &error);
    assert_string_equal(bytes, "old");
    free(bytes);
    assert_true(file_begin(&writer, in_scratch("a"), &error));
    fputs("new", writer.out);
    assert_true(file_commit(&writer, &error));
    bytes = file_read(in_scratch("a"), 100, NULL, &error);
    assert_string_equal(bytes, "new");
    free(bytes);
    struct stat status;
    assert_int_equal(stat(in_scratch("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_false(file_write(in_scratch("no/such/folder"), "x", 1, &error));
    assert_false(file_write("/dev/full/x", "x", 1, &error));
    assert_false(file_write(folder, "x", 1, &error)); // a folder is in the place
}

static void file_makes_folders(void **state)
{
    (void)state;
    Error error;
    assert_false(file_exists(in_scratch("d")));
    assert_true(file_make_folder(in_scratch("d/e/f"), &error));
    assert_true(file_make_folder(in_scratch("d/e/f"), &error));
    assert_true(file_exists(in_scratch("d/e/f")));
    assert_false(file_make_folder(in_scratch("a"), &error));
    assert_false(file_make_folder(in_scratch("a/b"), &error));
    assert_false(file_make_folder("", &error));
}

// ---- text ------------------------------------------------------------------------------------

static void str_cuts_what_does_not_fit(void **state)
{
    (void)state;
    char buffer[8];
    Str str;
    str_init(&str, buffer, sizeof buffer);
    str_add(&str, "abc");
    str_add_char(&str, '-');
    str_format(&str, "%d", 12);
    assert_string_equal(buffer, "abc-12");
    assert_false(str.is_cut);
    str_format(&str, "%d", 345);
    assert_string_equal(buffer, "abc-123");
    assert_true(str.is_cut);
    assert_int_equal(str.length, 7);
    str_add(&str, "more");
    assert_string_equal(buffer, "abc-123");
    str_init(&str, buffer, 1);
    str_add(&str, "x");
    str_format(&str, "%s", "y");
    assert_string_equal(buffer, "");
}

static void str_reads_numbers_strictly(void **state)
{
    (void)state;
    long long i = 5;
    unsigned long long n = 5;
    double x = 5;
    static const char *const BAD[] = {"", " 1", "1 ", "+1", "1x", "x", "-", "--1", "0x10", "1e3"};
    for (size_t b = 0; b < sizeof BAD / sizeof *BAD; b++) {
        assert_false(str_to_int(BAD[b], LLONG_MIN, LLONG_MAX, &i));
        assert_false(str_to_count(BAD[b], ULLONG_MAX, &n));
    }
    assert_int_equal(i, 5);
    assert_true(str_to_int("-12", -12, 0, &i) && i == -12);
    assert_false(str_to_int("-13", -12, 0, &i));
    assert_false(str_to_int("9223372036854775808", LLONG_MIN, LLONG_MAX, &i));
    assert_true(str_to_count("18446744073709551615", ULLONG_MAX, &n) && n == ULLONG_MAX);
    assert_false(str_to_count("18446744073709551616", ULLONG_MAX, &n));
    assert_false(str_to_count("-1", ULLONG_MAX, &n));
    assert_true(str_to_real("-0.5e1", &x) && x == -5);
    assert_true(str_to_real(".25", &x) && x == 0.25);
    assert_false(str_to_real("nan", &x));
    assert_false(str_to_real("1e999", &x));
    assert_false(str_to_real("inf", &x));
    assert_false(str_to_real("1.5 ", &x));
}

static void str_measures_slips(void **state)
{
    (void)state;
    assert_int_equal(str_distance("perft", "perft"), 0);
    assert_int_equal(str_distance("perft", "PERFT"), 0);
    assert_int_equal(str_distance("perft", "pefrt"), 1);
    assert_int_equal(str_distance("perft", "prft"), 1);
    assert_int_equal(str_distance("perft", "perfft"), 1);
    assert_int_equal(str_distance("play", "perft"), 4);
    assert_int_equal(str_distance("", "abc"), 3);
    char longer[80];
    memset(longer, 'a', 79);
    longer[79] = 0;
    assert_int_equal(str_distance(longer, "a"), INT_MAX);
    assert_true(str_same_word("Chess960", "cHESS960"));
    assert_false(str_same_word("chess", "chess9"));
    assert_false(str_same_word("chess9", "chess"));
}

// ---- progress and log ------------------------------------------------------------------------

static void progress_line_tells_share_rate_and_time(void **state)
{
    (void)state;
    Progress progress;
    char line[PROGRESS_LINE_SIZE];
    progress_init(&progress, NULL, "work", "games", 1000, PROGRESS_AUTO);
    progress_line(&progress, 250, 5000, 100, line);
    assert_string_equal(line, "work [######..................]  25%  50 games/s  0:15 left");
    progress_line(&progress, 1000, 5000, 100, line);
    assert_string_equal(line, "work [########################] 100%  200 games/s  0:05");
    progress_line(&progress, 250, 5000, 10, line);
    assert_string_equal(line, "work [####");
    progress_init(&progress, NULL, "work", "B", 0, PROGRESS_AUTO);
    progress_line(&progress, 12345678, 4000000, 100, line);
    assert_string_equal(line, "work 12.3 M B  3.09 k B/s  1:06:40");
    progress_add(&progress, 5); // no stream: only counted
    progress_add(&progress, 6);
    assert_int_equal(progress.done, 11);
    progress_end(&progress);
}

static void progress_is_quiet_when_not_a_terminal(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    Progress progress;
    progress_init(&progress, out, "work", "games", 10, PROGRESS_AUTO);
    progress.next_ms = 0; // due at once
    progress_add(&progress, 5);
    progress_end(&progress);
    assert_int_equal(ftell(out), 0);
    progress_init(&progress, out, "work", "games", 10, PROGRESS_ALWAYS);
    progress_add(&progress, 1); // too early
    assert_int_equal(ftell(out), 0);
    progress.next_ms = 0;
    progress_add(&progress, 4);
    progress_add(&progress, 4); // too early again
    progress_end(&progress);
    rewind(out);
    char line[200];
    assert_non_null(fgets(line, sizeof line, out));
    assert_non_null(strstr(line, " 50%"));
    assert_null(fgets(line, sizeof line, out));
    fclose(out);
}

static void log_writes_whole_lines(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    Log log = {.out = out, .level = LOG_INFO};
    log_write(&log, LOG_DEBUG, "left out");
    log_write(&log, LOG_ERROR, "a%cb %d", '\n', 7);
    log_write(&log, LOG_INFO, "%2000s", "long");
    log_write(NULL, LOG_ERROR, "nowhere");
    rewind(out);
    char line[2000];
    assert_non_null(fgets(line, sizeof line, out));
    assert_string_equal(line + 20, " error a b 7\n");
    assert_non_null(fgets(line, sizeof line, out));
    assert_int_equal(line[strlen(line) - 1], '\n');
    assert_null(fgets(line, sizeof line, out));
    fclose(out);
}

// ---- UTF-8 -----------------------------------------------------------------------------------

static void utf8_fits_whole_characters(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82z"; // 1, 2, 3, 4 and 1 bytes
    static const size_t FITS[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t size = 1; size <= 13; size++)
        assert_int_equal(utf8_fit(text, size), FITS[size - 1]);
    assert_int_equal(utf8_fit("", 1), 0);
    assert_int_equal(utf8_fit("\x80\x80", 2), 0); // no character at all
}

// ---- arena -----------------------------------------------------------------------------------

static void arena_gives_separate_zeroed_memory(void **state)
{
    (void)state;
    Arena arena;
    unsigned char *pieces[200];
    arena_init(&arena, 100);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 200; i++) {
            pieces[i] = arena_alloc(&arena, (size_t)i);
            assert_non_null(pieces[i]);
            assert_int_equal((uintptr_t)pieces[i] % 16, 0);
            for (int j = 0; j < i; j++)
                assert_int_equal(pieces[i][j], 0);
            memset(pieces[i], i, (size_t)i);
        }
        for (int i = 0; i < 200; i++)
            for (int j = 0; j < i; j++)
                assert_int_equal(pieces[i][j], i);
        arena_reset(&arena);
    }
    assert_string_equal(arena_copy(&arena, "text"), "text");
    assert_string_equal(arena_copy_bytes(&arena, "text", 2), "te");
    assert_null(arena_alloc(&arena, SIZE_MAX));
    arena_release(&arena);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_keep_code_and_arguments),
        cmocka_unit_test(errors_get_prefixes),
        cmocka_unit_test(errors_are_cut),
        cmocka_unit_test(splitmix_is_the_known_sequence),
        cmocka_unit_test(xoshiro_is_the_known_sequence),
        cmocka_unit_test(random_is_even_and_repeatable),
        cmocka_unit_test(random_normal_has_its_moments),
        cmocka_unit_test(parallel_for_does_each_once),
        cmocka_unit_test(queue_loses_nothing),
        cmocka_unit_test(queue_keeps_the_order),
        cmocka_unit_test(signal_wait_ends_in_time),
        cmocka_unit_test(file_write_then_read),
        cmocka_unit_test(file_read_of_large_and_too_large),
        cmocka_unit_test(file_read_refuses_what_is_no_file),
        cmocka_unit_test(file_commit_is_all_or_nothing),
        cmocka_unit_test(file_makes_folders),
        cmocka_unit_test(str_cuts_what_does_not_fit),
        cmocka_unit_test(str_reads_numbers_strictly),
        cmocka_unit_test(str_measures_slips),
        cmocka_unit_test(progress_line_tells_share_rate_and_time),
        cmocka_unit_test(progress_is_quiet_when_not_a_terminal),
        cmocka_unit_test(log_writes_whole_lines),
        cmocka_unit_test(utf8_fits_whole_characters),
        cmocka_unit_test(arena_gives_separate_zeroed_memory),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
