// The server's workers: players of the list, what a game remembers, and tasks that cannot begin.
#include "test_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "server/thinker.h"

static void wake(void *context)
{
    (void)context;
}

static Thinker *open_thinker(void)
{
    Error error = {0};
    ThinkerConfig config = {
        .workers = 1, .hash_mb = 1, .knowledge = {.book = "none"}, .wake = wake};
    Thinker *thinker = thinker_new(&config, &error);
    if (!thinker)
        fail_msg("%s", error.text);
    return thinker;
}

static TaskSpec task_of(TaskKind kind, const Position *start, const char *player)
{
    TaskSpec spec = {.kind = kind,
                     .start = start,
                     .limits = search_limits_none(),
                     .own = player_game_new(1),
                     .left_ms = -1};
    spec.limits.nodes = 500;
    snprintf(spec.player, sizeof spec.player, "%s", player);
    return spec;
}

// The last report on a task; the caller gives it back.
static Report *await_end(Thinker *thinker, uint64_t task)
{
    for (int64_t end = clock_ms() + 20000; clock_ms() < end; clock_sleep_ms(1))
        for (Report *report; (report = thinker_take(thinker)); report_free(report))
            if (report->task == task &&
                (report->kind == REPORT_DONE || report->kind == REPORT_FAILED))
                return report;
    fail_msg("task %d does not end", (int)task);
    return NULL;
}

static Position position_from(const char *fen)
{
    Position pos;
    assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, NULL));
    return pos;
}

// Moves of players by their text; what the side remembers comes back.
static void test_players(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"level=1",       "level=7", "lovac nodes=100",
                                        "random",        "greedy",  "lovac net=none nodes=50",
                                        "lovac elo=1900"};
    Thinker *thinker = open_thinker();
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
            TaskSpec spec = task_of(TASK_MOVE, &start, TEXTS[i]);
            spec.own.memory.searches = 7;
            Report *report = await_end(thinker, thinker_submit(thinker, &spec));
            assert_int_equal(report->kind, REPORT_DONE);
            assert_true(move_is_legal(&start, report->move));
            assert_int_equal(report->own.last_score, report->score);
            bool thinks = strstr(TEXTS[i], "lovac") || !strcmp(TEXTS[i], "level=7");
            assert_int_equal(report->own.memory.searches, thinks ? 8 : 7);
            report_free(report);
        }
    // Names that were in the list once are no commands.
    TaskSpec spec = task_of(TASK_MOVE, &start, "/bin/true");
    Report *report = await_end(thinker, thinker_submit(thinker, &spec));
    assert_int_equal(report->kind, REPORT_FAILED);
    assert_non_null(strstr(report->error.text, "/bin/true"));
    report_free(report);
    thinker_free(thinker);
}

// More players than a worker keeps open: the oldest make room.
static void test_many_players(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker();
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    for (int i = 0; i < 60; i++) {
        char text[32];
        snprintf(text, sizeof text, "lovac nodes=%d", 20 + i % 40);
        TaskSpec spec = task_of(TASK_MOVE, &start, text);
        Report *report = await_end(thinker, thinker_submit(thinker, &spec));
        assert_int_equal(report->kind, REPORT_DONE);
        report_free(report);
    }
    thinker_free(thinker);
}

// A cancelled move, however long its player would think, frees the worker at once.
static void test_cancel(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker();
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    TaskSpec slow = task_of(TASK_MOVE, &start, "lovac");
    slow.limits = search_limits_none();
    slow.limits.move_time_ms = 60000;
    uint64_t task = thinker_submit(thinker, &slow);
    clock_sleep_ms(100);
    thinker_cancel(thinker, task);
    TaskSpec quick = task_of(TASK_HINT, &start, "");
    int64_t begin = clock_ms();
    report_free(await_end(thinker, thinker_submit(thinker, &quick)));
    assert_true(clock_ms() - begin < 10000);
    thinker_free(thinker);
}

typedef struct Crowd {
    Mutex mutex;
    Signal signal;
    bool is_over;
    Thread threads[16];
} Crowd;

static void stand(void *context)
{
    Crowd *crowd = context;
    mutex_lock(&crowd->mutex);
    while (!crowd->is_over)
        signal_wait(&crowd->signal, &crowd->mutex);
    mutex_unlock(&crowd->mutex);
}

static rlim_t memory_mapped(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * 4096;
}

// Two analyses on one worker take turns; neither ever shows less than it did before.
static void test_analyses_in_turn(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker();
    Position pos =
        position_from("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    uint64_t tasks[2];
    int starts[2] = {0}, depths[2] = {0}, shared[2] = {0};
    for (int i = 0; i < 2; i++) {
        TaskSpec spec = task_of(TASK_ANALYSIS, &pos, "");
        spec.limits = search_limits_none();
        spec.limits.move_time_ms = 60000;
        spec.lines = 2;
        tasks[i] = thinker_submit(thinker, &spec);
    }
    for (int64_t end = clock_ms() + 60000; starts[0] < 3 || starts[1] < 3; clock_sleep_ms(1)) {
        assert_true(clock_ms() < end);
        for (Report *r; (r = thinker_take(thinker)); report_free(r)) {
            int i = r->task == tasks[1];
            starts[i] += r->kind == REPORT_STARTED;
            shared[i] += r->sharing == 1;
            assert_true(r->line_count == 2 || !depths[i]);
            assert_true(r->lines[0].depth >= depths[i]);
            depths[i] = r->lines[0].depth;
        }
    }
    assert_true(depths[0] > 0 && depths[1] > 0 && shared[0] && shared[1]);
    thinker_cancel(thinker, tasks[0]);
    thinker_cancel(thinker, tasks[1]);
    thinker_free(thinker);
}

// An analysis by an engine of the owner's file, several lines at once; it goes on with the next
// task after it was told to stop.
static void test_other_analyst(void **state)
{
    (void)state;
    char path[] = "/tmp/lovac-analyst-XXXXXX", program[600] = {0};
    int file = mkstemp(path);
    const char *lovac = getenv("LOVAC");
    snprintf(program, sizeof program, "Other: %s uci\n", lovac ? lovac : "./lovac");
    assert_true(write(file, program, strlen(program)) == (ssize_t)strlen(program));
    close(file);
    PlayerList players;
    Error error = {0};
    player_list_init(&players);
    assert_true(player_list_read(&players, path, &error));
    ThinkerConfig config = {.workers = 1, .hash_mb = 1, .players = &players, .wake = wake};
    Thinker *thinker = thinker_new(&config, &error);
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    TaskSpec spec = task_of(TASK_ANALYSIS, &start, "Other");
    spec.limits = search_limits_none();
    spec.limits.move_time_ms = 60000;
    spec.lines = 3;
    uint64_t task = thinker_submit(thinker, &spec);
    bool has_lines = false;
    for (int64_t end = clock_ms() + 30000; !has_lines && clock_ms() < end; clock_sleep_ms(5))
        for (Report *r; (r = thinker_take(thinker)); report_free(r)) {
            if (r->kind == REPORT_FAILED)
                fail_msg("%s", r->error.text);
            has_lines = has_lines || (r->kind == REPORT_LINES && r->line_count == 3);
        }
    assert_true(has_lines);
    thinker_cancel(thinker, task);
    spec.limits.move_time_ms = 200;
    Report *last = await_end(thinker, thinker_submit(thinker, &spec));
    assert_int_equal(last->kind, REPORT_DONE);
    assert_int_equal(last->line_count, 3);
    report_free(last);
    thinker_free(thinker);
    player_list_release(&players);
    unlink(path);
}

// A search that cannot begin (no thread is to be had) is a failure, not the result of an earlier
// one; once there is room again the worker thinks as before.
static void test_search_cannot_begin(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker(); // whose engine makes its thread for the first search
    Position pos = position_from("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    TaskSpec kinds[2] = {task_of(TASK_HINT, &pos, ""), task_of(TASK_ANALYSIS, &pos, "")};
    kinds[1].lines = 1;
    // Others take the stacks that were kept from earlier threads, and there is no room for another.
    static Crowd crowd;
    mutex_init(&crowd.mutex);
    signal_init(&crowd.signal);
    for (int i = 0; i < 16; i++)
        assert_true(thread_start(&crowd.threads[i], stand, &crowd, NULL));
    struct rlimit old, tight;
    getrlimit(RLIMIT_AS, &old);
    tight = old;
    tight.rlim_cur = memory_mapped() + (4 << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    Report *reports[2];
    for (int i = 0; i < 2; i++)
        reports[i] = await_end(thinker, thinker_submit(thinker, &kinds[i]));
    setrlimit(RLIMIT_AS, &old);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(reports[i]->kind, REPORT_FAILED);
        assert_true(*reports[i]->error.text);
        report_free(reports[i]);
    }
    Report *report = await_end(thinker, thinker_submit(thinker, &kinds[0]));
    assert_int_equal(report->kind, REPORT_DONE);
    assert_true(move_is_pseudo_legal(&pos, report->move) && move_is_legal(&pos, report->move));
    report_free(report);
    mutex_lock(&crowd.mutex);
    crowd.is_over = true;
    signal_all(&crowd.signal);
    mutex_unlock(&crowd.mutex);
    for (int i = 0; i < 16; i++)
        thread_join(&crowd.threads[i]);
    thinker_free(thinker);
}

// A task of somebody at an address.
static TaskSpec task_from(TaskKind kind, const Position *start, const char *player,
                          const char *address, uint64_t client, int64_t time_ms)
{
    TaskSpec spec = task_of(kind, start, player);
    spec.limits = search_limits_none();
    spec.limits.move_time_ms = time_ms;
    spec.lines = 1;
    spec.client = client;
    snprintf(spec.address, sizeof spec.address, "%s", address);
    return spec;
}

// Who has used little does not wait for one who has asked for much: the short move comes between,
// whether it is of another address or of another client at the same, and the long ones are
// answered with what was found.
static void test_shares(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker();
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    for (int same = 0; same < 2; same++) {
        const char *other = same ? "192.0.2.1" : "192.0.2.2";
        uint64_t slow[3];
        for (int i = 0; i < 3; i++) {
            TaskSpec spec = task_from(TASK_MOVE, &start, "lovac", "192.0.2.1", 1, 600000);
            slow[i] = thinker_submit(thinker, &spec);
        }
        clock_sleep_ms(100);
        TaskSpec spec = task_from(TASK_MOVE, &start, "level=3", other, 2, 1000);
        spec.cost_ms = 50;
        uint64_t quick = thinker_submit(thinker, &spec);
        Report *first = await_end(thinker, slow[0]), *second = await_end(thinker, quick);
        assert_int_equal(first->kind, REPORT_DONE);
        assert_true(move_is_legal(&start, first->move));
        assert_int_equal(second->kind, REPORT_DONE);
        report_free(first);
        report_free(second);
        for (int i = 1; i < 3; i++)
            thinker_cancel(thinker, slow[i]);
    }
    thinker_free(thinker);
}

// Analyses of several clients take turns, and one that was asked for more often has no more of it.
static void test_turns(void **state)
{
    (void)state;
    Thinker *thinker = open_thinker();
    Position start = position_from(VARIANTS[VARIANT_CHESS].start_fen);
    uint64_t tasks[4];
    int begun[4] = {0};
    for (int i = 0; i < 4; i++) { // three of the first, one of the second
        TaskSpec spec = task_from(TASK_ANALYSIS, &start, "", i < 3 ? "192.0.2.1" : "192.0.2.2",
                                  i < 3 ? 1 : 2, 600000);
        tasks[i] = thinker_submit(thinker, &spec);
    }
    for (int64_t end = clock_ms() + 30000; clock_ms() < end && begun[3] < 2; clock_sleep_ms(5))
        for (Report *report; (report = thinker_take(thinker)); report_free(report))
            for (int i = 0; i < 4; i++)
                begun[i] += report->task == tasks[i] && report->kind == REPORT_STARTED;
    assert_int_equal(begun[3], 2);
    assert_true(begun[0] + begun[1] + begun[2] <= 3);
    thinker_free(thinker);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_players),       cmocka_unit_test(test_many_players),
        cmocka_unit_test(test_cancel),        cmocka_unit_test(test_analyses_in_turn),
        cmocka_unit_test(test_other_analyst), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_turns),         cmocka_unit_test(test_search_cannot_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
