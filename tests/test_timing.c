// The plan for a move: never more than the clock has, shares that make sense, what makes a search
// longer or shorter, and what is learned when the clock loses more than we think. No test here
// waits for a clock.
#include "test_data.h"

#include "engine/timing.h"

static const ClockLag LAG = {.usual_ms = 10, .worst_ms = 10};

static SearchLimits clock_of(int64_t time_ms, int64_t increment_ms)
{
    SearchLimits limits = search_limits_none();
    limits.time_ms[WHITE] = limits.time_ms[BLACK] = time_ms;
    limits.increment_ms[WHITE] = limits.increment_ms[BLACK] = increment_ms;
    return limits;
}

static TimePlan plan_of(const SearchLimits *limits)
{
    return timing_plan(limits, WHITE, 20, &LAG);
}

static bool is_within(double x, double least, double most)
{
    if (x < least || x > most)
        print_message("# %g is not within %g and %g\n", x, least, most);
    return x >= least && x <= most;
}

// Between a hundredth and a tenth of the clock for a move, and never more than half of it.
static void test_share_of_the_clock(void **state)
{
    (void)state;
    for (int64_t time = 1000; time <= 1000000; time *= 10) {
        SearchLimits limits = clock_of(time, 0);
        TimePlan plan = plan_of(&limits);
        assert_true(plan.is_timed && !plan.is_exact);
        assert_true(is_within(plan.soft_ms, 0.01 * (double)time, 0.1 * (double)time));
        assert_true(is_within(plan.hard_ms, plan.soft_ms, 0.5 * (double)time));
        // Most of an increment can be spent, and nothing that is not there yet.
        limits = clock_of(time, time / 50);
        TimePlan with = plan_of(&limits);
        assert_true(with.soft_ms > plan.soft_ms + 0.5 * (double)time / 50);
        assert_true(with.hard_ms <= 0.5 * (double)time);
    }
    SearchLimits limits = clock_of(100, 100000); // an increment helps only who has not lost by then
    assert_true(plan_of(&limits).hard_ms <= 50);
    limits = search_limits_none();
    assert_false(plan_of(&limits).is_timed);
}

static void test_clock_lag(void **state)
{
    (void)state;
    const ClockLag slow = {.usual_ms = 500, .worst_ms = 800};
    SearchLimits limits = clock_of(1000, 0);
    TimePlan plan = timing_plan(&limits, WHITE, 20, &slow);
    assert_true(plan.hard_ms <= 100 && plan.soft_ms <= plan.hard_ms);
}

static void test_moves_to_go(void **state)
{
    (void)state;
    SearchLimits limits = clock_of(60000, 0);
    limits.moves_to_go = 1; // then there is more: use it
    TimePlan plan = plan_of(&limits);
    assert_true(is_within(plan.soft_ms, 30000, 59000) && is_within(plan.hard_ms, 30000, 59000));
    limits.moves_to_go = 40;
    plan = plan_of(&limits);
    assert_true(is_within(plan.soft_ms, 60000 / 80, 60000 / 20));
    assert_true(is_within(plan.hard_ms, plan.soft_ms, 30000));
    limits.moves_to_go = 10;
    assert_true(plan_of(&limits).soft_ms > 2 * plan.soft_ms);
}

static void test_move_time(void **state)
{
    (void)state;
    SearchLimits limits = clock_of(60000, 0);
    limits.move_time_ms = 1000;
    TimePlan plan = plan_of(&limits);
    assert_true(plan.is_timed && plan.is_exact);
    assert_true(is_within(plan.hard_ms, 950, 1000) && plan.soft_ms == plan.hard_ms);
}

static TimeSigns calm(void)
{
    return (TimeSigns){.stable_iterations = 5, .effort = 0.5, .legal_moves = 30};
}

// What a person would think longer about.
static void test_signs(void **state)
{
    (void)state;
    TimeSigns signs = calm();
    const double usual = timing_factor(&signs);
    assert_true(is_within(usual, 0.5, 1.5));
    signs.score_drop = 60;
    assert_true(timing_factor(&signs) > 1.2 * usual);
    signs.score_drop = -60;
    assert_true(timing_factor(&signs) < usual);
    signs = calm();
    signs.stable_iterations = 0;
    assert_true(timing_factor(&signs) > usual);
    signs = calm();
    signs.changes = 1;
    assert_true(timing_factor(&signs) > 1.4 * usual);
    signs = calm();
    signs.effort = 0.95;
    assert_true(timing_factor(&signs) < 0.9 * usual);
    signs = calm();
    signs.legal_moves = 1;
    assert_true(timing_factor(&signs) <= 0.1);
}

// Another iteration begins while it can hope to end within the soft limit, never beyond the hard
// one.
static void test_is_up(void **state)
{
    (void)state;
    const TimePlan plan = {.is_timed = true, .soft_ms = 100, .hard_ms = 300};
    TimeSigns signs = calm();
    const double soft = 100 * timing_factor(&signs);
    assert_false(timing_is_up(&plan, &signs, 0.5 * soft));
    assert_true(timing_is_up(&plan, &signs, soft));
    signs.score_drop = 1000;
    signs.changes = 10;
    assert_false(timing_is_up(&plan, &signs, soft));
    assert_true(timing_is_up(&plan, &signs, 301));
    signs.legal_moves = 1;
    assert_true(timing_is_up(&plan, &signs, 20));
}

// The share of the clock a move may take, and what is learned when the clock loses more than we
// think.
static void test_clock(void **state)
{
    (void)state;
    SearchLimits limits = search_limits_none();
    limits.increment_ms[WHITE] = 20;
    ClockWatch watch = {0};
    for (int time_ms = 1; time_ms <= 100000; time_ms *= 10) {
        limits.time_ms[WHITE] = time_ms;
        ClockLag lag = timing_go(&watch, &limits, WHITE, 20, 10);
        TimePlan plan = timing_plan(&limits, WHITE, 20, &lag);
        assert_true(plan.is_timed && plan.soft_ms <= plan.hard_ms);
        assert_true(plan.hard_ms <= (time_ms > 12 ? 0.4 * time_ms : 1));
    }

    // The clock goes down by 150 ms a move though each takes 50 of ours: 120 are lost with 20
    // gained.
    int64_t clock = 2000;
    ClockLag lag = {0};
    for (int ply = 20; ply < 40; ply += 2, clock -= 150) {
        limits.time_ms[WHITE] = clock;
        lag = timing_go(&watch, &limits, WHITE, ply, 10);
        assert_true(ply > 20 || lag.worst_ms == 10);
        watch.used_ms = 50;
    }
    assert_true(lag.worst_ms > 119 && lag.worst_ms < 121);
    assert_true(lag.usual_ms > 60);
    // Another game: forgotten.
    lag = timing_go(&watch, &limits, WHITE, 4, 10);
    assert_true(lag.usual_ms == 10 && lag.worst_ms == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share_of_the_clock),
        cmocka_unit_test(test_clock_lag),
        cmocka_unit_test(test_moves_to_go),
        cmocka_unit_test(test_move_time),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_is_up),
        cmocka_unit_test(test_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
