// Nets that go on learning on the CPU: they begin as the net they come from, every row and weight
// moves as the slow gradient says, and the error falls.
#include "test_data.h"

#include "base/random.h"
#include "core/bitboard.h"
#include "core/movegen.h"
#include "lab/data_format.h"
#include "lab/learn_int.h"
#include "lab/polish.h"
#include "lab/student_net.h"
#include "lab/train_device.h"
#include "random_net.h"

#include <math.h>

enum { COUNT = 256 };
static const TrainGoal GOAL = {.result_weight = 0.25, .scale = 300, .unit = 1, .men_per_bucket = 4};

// Positions of random games with scores by the number of men, and made-up results.
static void positions_fill(TrainPosition *list, uint64_t seed)
{
    Random random;
    Position pos;
    int ply = 0;
    random_init(&random, seed);
    for (int i = 0; i < COUNT;) {
        Move moves[MAX_MOVES];
        Undo undo;
        if (!ply)
            position_start(&pos, rules_find("chess"), 0, NULL);
        const int count = movegen_legal(&pos, STAGE_ALL, moves);
        if (!count || ply == 120) {
            ply = 0;
            continue;
        }
        position_make(&pos, moves[random_below(&random, (uint64_t)count)], &undo);
        const int men = bit_count(pos.by_color[pos.side]) - bit_count(pos.by_color[!pos.side]);
        if (++ply > 8 && random_below(&random, 3) == 0)
            list[i++] = train_pack(&pos, men * 150, (int)random_below(&random, 3));
    }
}

static Net *calm_net(bool has_layers, bool has_threats, uint64_t seed)
{
    Error error = {0};
    const RandomNet shape = {.hidden = 128,
                             .king_buckets = 4,
                             .has_layers = has_layers,
                             .has_threats = has_threats,
                             .kind = RANDOM_CALM,
                             .seed = seed};
    Net *net = random_net_new(&shape, &error);
    assert_non_null(net);
    memset(net->output_bias, 0, sizeof net->output_bias); // they were far from calm
    return net;
}

typedef struct Fixture {
    TrainPosition list[COUNT];
    const TrainPosition *batch[COUNT];
} Fixture;

static Fixture *fixture_new(uint64_t seed)
{
    Fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    positions_fill(f->list, seed);
    for (int i = 0; i < COUNT; i++)
        f->batch[i] = &f->list[i];
    return f;
}

static Polish *polish_with(const Net *net, int threads, bool layers_only, double epsilon)
{
    Error error = {0};
    Polish *p = polish_new(net, threads, layers_only, epsilon, &error);
    if (!p)
        fail_msg("%s", error.text);
    return p;
}

static Polish *polish_or_fail(const Net *net, int threads, bool layers_only)
{
    return polish_with(net, threads, layers_only, 1e-8);
}

static double error_of(Polish *p, const Fixture *f)
{
    TrainSums sums = {0};
    polish_measure(p, f->batch, COUNT, &GOAL, &sums);
    assert_int_equal(sums.count, COUNT);
    return sums.loss / COUNT;
}

// The output of a net without layers, to a centipawn of 400.
static double inferred(const Net *net, const Position *pos)
{
    return nnue_evaluate_once(net, pos) / 400.0;
}

static void test_begins_as_the_net(void **state)
{
    (void)state;
    Error error = {0};
    Fixture *f = fixture_new(1);
    for (int shape = 0; shape < 3; shape++) { // one output, layers, threats
        Net *net = calm_net(shape > 0, shape > 1, 5);
        Polish *p = polish_or_fail(net, 2, false);
        for (int i = 0; i < COUNT; i++) {
            Position pos;
            train_unpack(&f->list[i], rules_find("chess"), &pos);
            const double slow = shape ? student_slow_value(net, &pos, &error) : inferred(net, &pos);
            if (!(fabs(polish_value(p, &f->list[i]) - slow) < (shape ? 1e-4 : 0.02)))
                fail_msg("position %d: %g, by the slow way %g", i, polish_value(p, &f->list[i]),
                         slow);
        }
        Net *again = polish_net(p, &net->info, &error);
        size_t size, again_size;
        void *bytes = net_to_memory(net, &size, &error);
        void *again_bytes = net_to_memory(again, &again_size, &error);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again_bytes, size);
        free(bytes);
        free(again_bytes);
        net_free(again);
        polish_free(p);
        net_free(net);
    }
    free(f);
}

// The first step of Adam moves every weight by the rate, against the sign of its gradient.
static void check_moves(const char *name, const double *gradient, const int *moved, size_t count)
{
    size_t seen = 0, right = 0, still = 0;
    for (size_t i = 0; i < count; i++) {
        if (fabs(gradient[i]) < 1e-7) {
            still += gradient[i] == 0 && moved[i] == 0;
            continue;
        }
        seen++;
        right += gradient[i] > 0 ? moved[i] < 0 : moved[i] > 0;
    }
    print_message("# %s: %zu of %zu moved as the gradient says, %zu stayed\n", name, right, seen,
                  still);
    assert_true(seen > 100 && (double)right > 0.995 * (double)seen);
}

static void test_steps_follow_the_gradient(void **state)
{
    (void)state;
    Error error = {0};
    Fixture *f = fixture_new(2);
    Net *net = calm_net(true, true, 11);
    const StudentShape shape = student_shape_of(&net->info);
    const StudentParts at = student_parts(&shape);
    double *gradient = malloc(at.count * sizeof *gradient);
    uint16_t(*men)[32] = malloc(COUNT * sizeof *men);
    uint32_t meta[COUNT];
    for (int i = 0; i < COUNT; i++)
        assert_true(train_record(&f->list[i], men[i], &meta[i]));
    assert_true(student_slow_gradient(net, (const uint16_t(*)[32])men, meta, COUNT, GOAL.scale,
                                      GOAL.result_weight, gradient, &error));
    Polish *p = polish_or_fail(net, 3, false);
    TrainSums sums = {0};
    polish_step(p, f->batch, COUNT, &GOAL, 0.02, &sums);
    Net *after = polish_net(p, &net->info, &error);
    const size_t hidden = net->info.hidden, rows = 4 * NNUE_INPUTS * hidden;
    int *moved = calloc(NNUE_THREATS * hidden, sizeof *moved);
    for (size_t i = 0; i < rows; i++)
        moved[i] = after->feature[i] - net->feature[i];
    check_moves("men", gradient + at.bucketed, moved, rows);
    for (size_t i = 0; i < NNUE_THREATS * hidden; i++)
        moved[i] = after->threat[i] - net->threat[i];
    check_moves("threats", gradient + at.threat, moved, NNUE_THREATS * hidden);
    for (size_t b = 0; b < NNUE_OUTPUTS; b++)
        for (size_t j = 0; j < NNUE_L1; j++)
            for (size_t i = 0; i < hidden; i++)
                moved[(i * NNUE_OUTPUTS + b) * NNUE_L1 + j] =
                    after->layers->first[(b * NNUE_L1 + j) * hidden + i] -
                    net->layers->first[(b * NNUE_L1 + j) * hidden + i];
    check_moves("first layer", gradient + at.first, moved, NNUE_OUTPUTS * NNUE_L1 * hidden);
    for (size_t b = 0; b < NNUE_OUTPUTS; b++)
        for (size_t j = 0; j < NNUE_L2; j++)
            for (size_t i = 0; i < 2 * NNUE_L1; i++)
                moved[(i * NNUE_OUTPUTS + b) * NNUE_L2 + j] =
                    after->layers->second[b][j][i] - net->layers->second[b][j][i];
    check_moves("second layer", gradient + at.second, moved,
                (size_t)NNUE_OUTPUTS * NNUE_L2 * 2 * NNUE_L1);
    free(moved);
    net_free(after);
    polish_free(p);
    free(men);
    free(gradient);
    net_free(net);
    free(f);
}

// The error of a net without layers after one of its weights has moved.
static double error_after(const Fixture *f, bool is_bias, size_t at, int step)
{
    Net *net = calm_net(false, false, 31);
    int16_t *weight = is_bias ? &net->bias[at] : &net->output[at];
    *weight = (int16_t)(*weight + step);
    Polish *p = polish_or_fail(net, 1, true);
    const double e = error_of(p, f);
    polish_free(p);
    net_free(net);
    return e;
}

// Without layers: the first step goes against the slope of the error itself, weight by weight.
static void test_steps_of_one_output(void **state)
{
    (void)state;
    Error error = {0};
    Fixture *f = fixture_new(4);
    Net *net = calm_net(false, false, 31);
    const size_t hidden = net->info.hidden;
    Polish *p = polish_or_fail(net, 2, false);
    TrainSums sums = {0};
    polish_step(p, f->batch, COUNT, &GOAL, 0.04, &sums);
    Net *after = polish_net(p, &net->info, &error);
    int seen = 0, right = 0;
    for (size_t i = 0; i < 2 * hidden; i++) {
        const bool is_bias = i < hidden;
        const size_t at = is_bias ? i : 6 * 2 * hidden + i; // of a bucket with many positions
        const double slope = error_after(f, is_bias, at, 2) - error_after(f, is_bias, at, -2);
        const int moved =
            is_bias ? after->bias[at] - net->bias[at] : after->output[at] - net->output[at];
        if (fabs(slope) < 1e-6 || !moved)
            continue;
        seen++;
        right += (slope > 0) == (moved < 0);
    }
    print_message("# %d of %d moved against the slope\n", right, seen);
    assert_true(seen > 100 && right > 0.97 * seen);
    net_free(after);
    polish_free(p);
    net_free(net);
    free(f);
}

// The error falls, whoever learns; what is not to learn stays.
static void test_learns(void **state)
{
    (void)state;
    Error error = {0};
    Fixture *f = fixture_new(3);
    for (int kind = 0; kind < 4; kind++) {
        const bool layers_only = kind & 1, has_layers = kind & 2;
        Net *net = calm_net(has_layers, has_layers, 21);
        Polish *p = polish_or_fail(net, 2, layers_only);
        const double before = error_of(p, f);
        TrainSums sums = {0};
        for (int i = 0; i < 60; i++)
            polish_step(p, f->batch, COUNT, &GOAL, 0.002, &sums);
        const double after = error_of(p, f);
        if (after > 0.8 * before)
            fail_msg("kind %d: %g, before %g", kind, after, before);
        Net *learned = polish_net(p, &net->info, &error);
        const size_t bytes = 4 * NNUE_INPUTS * (size_t)net->info.hidden * sizeof *net->feature;
        assert_int_equal(!memcmp(learned->feature, net->feature, bytes), layers_only);
        if (has_layers)
            assert_int_equal(
                !memcmp(learned->threat, net->threat, NNUE_THREATS * (size_t)net->info.hidden),
                layers_only);
        net_free(learned);
        polish_free(p);
        net_free(net);
    }
    free(f);
}

// A score counts half of the one before it, the result last of all; all within the limit.
static void test_later_scores(void **state)
{
    (void)state;
    DataGame game = {.count = 4, .scores = {100, -50, 700, -40}, .result = RESULT_WHITE};
    int16_t later[DATA_PLIES_MAX];
    data_find_later(&game, 600, later);
    assert_int_equal(later[3], 600);
    assert_int_equal(later[2], (600 - 40) / 2);
    assert_int_equal(later[1], (280 + 600) / 2);
    assert_int_equal(later[0], (440 - 50) / 2);
    game.result = RESULT_DRAW;
    data_find_later(&game, 600, later);
    assert_int_equal(later[3], 0);
    assert_int_equal(later[2], -20);
}

// The target is a mean of the score, the later scores and the result, by their weights.
static void test_target(void **state)
{
    (void)state;
    TrainGoal goal = {.result_weight = 0.25, .later_weight = 0.5, .scale = 300};
    const TrainPosition p = {.score = 300, .later = -300, .result = 2};
    const double one = 1 / (1 + exp(-1)), minus = 1 / (1 + exp(1));
    assert_float_equal(train_target(&p, &goal), 0.25 + 0.5 * minus + 0.25 * one, 1e-6);
    goal.later_weight = 0;
    assert_float_equal(train_target(&p, &goal), 0.25 + 0.75 * one, 1e-6);
}

// The output counts so many times: the error is that of a net whose last layer is so much larger,
// and learning goes the same way.
static void test_unit(void **state)
{
    (void)state;
    Fixture *f = fixture_new(7);
    Net *net = calm_net(true, true, 51);
    Polish *p = polish_or_fail(net, 1, true);
    TrainGoal half = GOAL;
    half.unit = 0.5;
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        const double e =
            1 / (1 + exp(-polish_value(p, f->batch[i]) / 2)) - train_target(f->batch[i], &half);
        sum += e * e;
    }
    TrainSums sums = {0};
    polish_measure(p, f->batch, COUNT, &half, &sums);
    assert_float_equal(sums.loss, sum, 1e-4 * sum);
    for (int i = 0; i < 60; i++)
        polish_step(p, f->batch, COUNT, &half, 0.002, &sums);
    TrainSums after = {0};
    polish_measure(p, f->batch, COUNT, &half, &after);
    assert_true(after.loss < 0.9 * sum);
    polish_free(p);
    net_free(net);
    free(f);
}

// The sum of all distances that weights of men move in one step.
static double way_of_a_step(const Net *net, const Fixture *f, double epsilon)
{
    Error error = {0};
    Polish *p = polish_with(net, 2, false, epsilon);
    TrainSums sums = {0};
    polish_step(p, f->batch, COUNT, &GOAL, 0.02, &sums);
    Net *after = polish_net(p, &net->info, &error);
    double way = 0;
    for (size_t i = 0; i < 4 * NNUE_INPUTS * (size_t)net->info.hidden; i++)
        way += abs(after->feature[i] - net->feature[i]);
    net_free(after);
    polish_free(p);
    return way;
}

static void test_epsilon(void **state)
{
    (void)state;
    Fixture *f = fixture_new(6);
    Net *net = calm_net(true, true, 41);
    const double usual = way_of_a_step(net, f, 1e-8), less = way_of_a_step(net, f, 1e-4),
                 least = way_of_a_step(net, f, 1);
    print_message("# a step of %.0f, of %.0f with epsilon 1e-4, of %.0f with 1\n", usual, less,
                  least);
    assert_true(usual > 0 && less < 0.7 * usual && less > 0 && least == 0);
    net_free(net);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins_as_the_net),
        cmocka_unit_test(test_steps_follow_the_gradient),
        cmocka_unit_test(test_steps_of_one_output),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_later_scores),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_epsilon),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
