// Work spread over threads and, under mpirun, over processes: every piece once, in order if wanted,
// stopped and failed cleanly, and complete although processes are killed.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/spread.h"
#include "base/thread.h"
#include "test_data.h"

enum { PIECES = 500 };

// What the pieces of a test do, and what was seen of them.
typedef struct Job {
    atomic_int made, freed, working;
    uint64_t fail_at, stop_at, wait_at, skip_every; // 0: never
    atomic_bool stop;
    bool cannot_make, is_slow;
    // in the first process, one call at a time
    int taken[PIECES], calls;
    uint64_t last, most_ahead, given;
    bool is_disordered;
} Job;

static void *make_state(void *context, const atomic_bool *stop, Error *error)
{
    Job *job = context;
    assert_non_null(stop); // set already, perhaps, where a thread comes late
    if (job->cannot_make)
        return error_set(error, "no state"), NULL;
    atomic_fetch_add(&job->made, 1);
    return calloc(1, sizeof(int));
}

static void free_state(void *context, void *state)
{
    Job *job = context;
    atomic_fetch_add(&job->freed, 1);
    free(state);
}

// The square of the number, with what came as input and in common.
static bool do_piece(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                     Error *error)
{
    Job *job = context;
    int *busy = state;
    assert_int_equal((*busy)++, 0); // nobody else has this state
    uint64_t value = piece->index * piece->index, part;
    const uint8_t *at = piece->input;
    while (bytes_take(&at, piece->input + piece->input_size, &part, sizeof part))
        value += part;
    if (piece->common_size)
        value += *(const uint64_t *)(const void *)piece->common;
    if (piece->index % 7 == 0)
        clock_sleep_ms(1);
    if (job->fail_at && piece->index == job->fail_at)
        return error_set(error, "piece %d is bad", (int)piece->index);
    while (job->is_slow && !atomic_load(piece->stop))
        clock_sleep_ms(1);
    --*busy;
    return !atomic_load(piece->stop) && bytes_add(result, &value, sizeof value);
}

static SpreadGift give_piece(void *context, uint64_t index, Bytes *input)
{
    Job *job = context;
    if (index == PIECES)
        return SPREAD_END;
    if (job->skip_every && index % job->skip_every == 0)
        return SPREAD_SKIP;
    // Piece wait_at wants to know all before it.
    if (job->wait_at && index == job->wait_at && job->calls < (int)index)
        return SPREAD_WAIT;
    uint64_t more = index + 1;
    assert_true(bytes_add(input, &more, sizeof more));
    job->given++;
    if (job->given - (uint64_t)job->calls > job->most_ahead)
        job->most_ahead = job->given - (uint64_t)job->calls;
    return SPREAD_PIECE;
}

static bool take_result(void *context, uint64_t index, const uint8_t *result, size_t size,
                        Error *error)
{
    Job *job = context;
    (void)error;
    uint64_t value;
    assert_int_equal(size, sizeof value);
    memcpy(&value, result, size);
    assert_int_equal(value, index * index + index + 1 + 5);
    job->is_disordered |= job->calls && index < job->last;
    job->last = index;
    job->taken[index]++;
    job->calls++;
    if (job->stop_at && index == job->stop_at)
        atomic_store(&job->stop, true);
    return true;
}

static const uint64_t FIVE = 5;

static SpreadWork work_of(Job *job, int threads)
{
    return (SpreadWork){.context = job,
                        .threads = threads,
                        .make = make_state,
                        .free = free_state,
                        .work = do_piece,
                        .give = give_piece,
                        .take = take_result,
                        .count = UINT64_MAX,
                        .common = &FIVE,
                        .common_size = sizeof FIVE,
                        .stop = &job->stop};
}

static void run(const SpreadWork *work)
{
    Error error = {0};
    if (!spread_run(NULL, work, &error))
        fail_msg("%s", error.text);
}

static void each_piece_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads *= 2)
        for (int in_order = 0; in_order < 2; in_order++) {
            Job job = {0};
            SpreadWork work = work_of(&job, threads);
            work.is_in_order = in_order;
            run(&work);
            assert_int_equal(job.calls, PIECES);
            for (int i = 0; i < PIECES; i++)
                assert_int_equal(job.taken[i], 1);
            assert_false(in_order && job.is_disordered);
            assert_in_range(job.made, 1, threads);
            assert_int_equal(job.made, job.freed);
        }
}

static void in_order_stays_in_its_window(void **state)
{
    (void)state;
    Job job = {.skip_every = 3};
    SpreadWork work = work_of(&job, 4);
    work.is_in_order = true;
    work.window = 6;
    run(&work);
    assert_false(job.is_disordered);
    assert_in_range(job.most_ahead, 1, 6);
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(job.taken[i], i % 3 != 0);
}

static void a_piece_can_wait_for_others(void **state)
{
    (void)state;
    Job job = {.wait_at = 100};
    SpreadWork work = work_of(&job, 4);
    run(&work);
    assert_int_equal(job.calls, PIECES);
}

static void a_part_of_the_pieces(void **state)
{
    (void)state;
    Job job = {0};
    SpreadWork work = work_of(&job, 3);
    work.first = 10;
    work.count = 20;
    run(&work);
    assert_int_equal(job.calls, 10);
    assert_true(job.taken[10] && job.taken[19]);
    work.count = 10; // nothing
    run(&work);
    assert_int_equal(job.calls, 10);
}

static void what_fails_is_told(void **state)
{
    (void)state;
    Error error = {0};
    Job job = {.fail_at = 50};
    SpreadWork work = work_of(&job, 4);
    assert_false(spread_run(NULL, &work, &error));
    assert_string_equal(error.text, "piece 50 is bad");
    assert_true(job.calls < PIECES);
    assert_int_equal(job.made, job.freed);
    Job unable = {.cannot_make = true};
    work = work_of(&unable, 4);
    assert_false(spread_run(NULL, &work, &error));
    assert_string_equal(error.text, "no state");
}

static void stop_later(void *context)
{
    clock_sleep_ms(50);
    atomic_store((atomic_bool *)context, true);
}

static void a_stop_drops_what_is_under_way(void **state)
{
    (void)state;
    Job job = {.stop_at = 30};
    SpreadWork work = work_of(&job, 4);
    run(&work);
    assert_true(job.calls >= 1 && job.calls < PIECES);
    Job slow = {.is_slow = true};
    Thread stopper;
    work = work_of(&slow, 4);
    assert_true(thread_start(&stopper, stop_later, &slow.stop, NULL));
    run(&work);
    thread_join(&stopper);
    assert_int_equal(slow.calls, 0);
    assert_int_equal(slow.made, slow.freed);
}

// ---- Processes ----
// The program starts itself under mpirun; what it does there is member_main below.

typedef struct Member {
    int served;     // pieces done by this process
    bool is_killed; // dies with its tenth piece
    bool is_unable, is_stopped;
    // in the first process
    bool is_disordered;
    uint64_t taken, others;
    atomic_bool stop;
} Member;

static bool serve_piece(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                        Error *error)
{
    Member *member = context;
    (void)state;
    uint64_t answer[2] = {piece->index + *(const uint64_t *)(const void *)piece->common,
                          (uint64_t)getpid()};
    clock_sleep_ms(2);
    if (member->is_unable)
        return error_set(error, "piece %d is bad", (int)piece->index);
    while (member->is_stopped && !atomic_load(piece->stop))
        clock_sleep_ms(1);
    if (++member->served == 10 && member->is_killed)
        kill(getpid(), SIGKILL);
    return !atomic_load(piece->stop) && bytes_add(result, answer, sizeof answer);
}

static bool take_answer(void *context, uint64_t index, const uint8_t *result, size_t size,
                        Error *error)
{
    Member *member = context;
    uint64_t answer[2];
    if (size != sizeof answer)
        return error_set(error, "bad answer");
    memcpy(answer, result, size);
    member->is_disordered |= index != member->taken || answer[0] != index + 5;
    member->taken++;
    member->others += answer[1] != (uint64_t)getpid();
    return true;
}

// `killed`: all but the first die; `failed`: they say that they cannot; `stopped`: the first is
// told to stop while all are busy. Writes what came of it to a file.
static int member_main(const char *how, const char *path)
{
    SpreadTeam *team;
    Error error = {0};
    if (!spread_join(&team, &error))
        return 1;
    bool is_first = spread_is_first(team);
    Member member = {.is_killed = !is_first && !strcmp(how, "killed"),
                     .is_unable = !is_first && !strcmp(how, "failed"),
                     .is_stopped = !strcmp(how, "stopped")};
    SpreadWork work = {.context = &member,
                       .threads = 1,
                       .work = serve_piece,
                       .take = take_answer,
                       .count = 300,
                       .is_in_order = true,
                       .common = &FIVE,
                       .common_size = sizeof FIVE,
                       .stop = &member.stop};
    if (!is_first) {
        spread_serve(team, &work, &error);
        spread_leave(team);
        return 0;
    }
    Thread stopper;
    if (member.is_stopped)
        thread_start(&stopper, stop_later, &member.stop, NULL);
    bool ok = spread_run(team, &work, &error);
    if (ok && !member.is_stopped) { // a team serves more than one run
        uint64_t others = member.others;
        member.taken = 0;
        ok = spread_run(team, &work, &error);
        member.others = others;
    }
    FILE *out = fopen(path, "w");
    if (out) {
        fprintf(out, "%d %d %d %d %d %d %s\n", ok, spread_processes(team), spread_lost(team),
                (int)member.taken, member.is_disordered, member.others > 0, error.text);
        fclose(out);
    }
    spread_leave(team);
    return 0;
}

static char program[1024];

// What the program under mpirun found.
static char *under_mpirun(const char *how, char text[256])
{
    char path[] = "/tmp/lovac-spread-XXXXXX", command[2048];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    snprintf(command, sizeof command,
             "ASAN_OPTIONS=detect_leaks=0 timeout 60 mpirun --allow-run-as-root --oversubscribe "
             "--enable-recovery -n 3 %s member %s %s >/dev/null 2>&1",
             program, how, path);
    int status = system(command);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    *text = 0;
    if (!fgets(text, 256, in))
        print_message("# %s: status %d\n", how, status);
    fclose(in);
    unlink(path);
    text[strcspn(text, "\n")] = 0;
    return text;
}

static void processes_share_the_work(void **state)
{
    (void)state;
#ifndef HAVE_MPI
    skip();
#endif
    char text[256];
    assert_string_equal(under_mpirun("whole", text), "1 3 0 300 0 1 ");
    assert_string_equal(under_mpirun("killed", text), "1 3 2 300 0 1 ");
    under_mpirun("stopped", text);
    assert_memory_equal(text, "1 3 0 0 0 0", 11);
    under_mpirun("failed", text);
    assert_memory_equal(text, "0 3 0 ", 6);
    assert_non_null(strstr(text, "is bad"));
    assert_non_null(strstr(text, "process "));
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "member"))
        return member_main(argv[2], argv[3]);
    if (!realpath(argv[0], program))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_once),
        cmocka_unit_test(in_order_stays_in_its_window),
        cmocka_unit_test(a_piece_can_wait_for_others),
        cmocka_unit_test(a_part_of_the_pieces),
        cmocka_unit_test(what_fails_is_told),
        cmocka_unit_test(a_stop_drops_what_is_under_way),
        cmocka_unit_test(processes_share_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
