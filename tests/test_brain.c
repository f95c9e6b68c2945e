// Networks of free shape: DNA there and back, values worked out by hand, recurrent pairs and their
// reset, the gradient against finite differences, learning, mutation within its limits, the
// picture.
#include <math.h>
#include <unistd.h>

#include "lab/brain/brain.h"
#include "lab/brain/brain_draw.h"
#include "test_data.h"

static const BrainShape SMALL = {.inputs = 6,
                                 .middle = 7,
                                 .outputs = 3,
                                 .groups = 2,
                                 .group_sizes = {1, 2},
                                 .fan = 4,
                                 .has_functions = false};

static Brain *random_brain(const BrainShape *shape, uint64_t seed)
{
    Random random;
    random_init(&random, seed);
    Brain *brain = brain_new(shape, &random);
    assert_non_null(brain);
    brain_randomise(brain, 1, &random);
    return brain;
}

static bool same_dna(const Dna *a, const Dna *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at);
}

static void set_inputs(Brain *brain)
{
    for (int i = 0; i < brain->inputs; i++)
        brain_set_input(brain, i, sin(i * 1.7 + 1));
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int functions = 0; functions < 2; functions++) {
        BrainShape shape = SMALL;
        shape.has_functions = functions;
        Brain *brain = random_brain(&shape, 5);
        Dna dna, again, read;
        Error error = {0};
        assert_true(brain_to_dna(brain, &dna));
        Brain *built = brain_from_dna(&dna, &error);
        assert_non_null(built);
        assert_true(brain_to_dna(built, &again));
        assert_true(same_dna(&dna, &again));
        set_inputs(brain);
        set_inputs(built);
        for (int i = 0; i < 3; i++) { // the pairs carry on in both
            brain_update(brain);
            brain_update(built);
        }
        for (int o = 0; o < 3; o++)
            assert_true(brain_output(brain, o) == brain_output(built, o));
        char path[] = "/tmp/lovac-brain-XXXXXX";
        close(mkstemp(path));
        assert_true(dna_write(&dna, path, &error));
        assert_true(dna_read(&read, path, &error));
        assert_true(same_dna(&dna, &read));
        unlink(path);
        brain_free(brain);
        brain_free(built);
        dna_release(&dna);
        dna_release(&again);
        dna_release(&read);
    }
}

// 2 inputs, a pair, 2 middle nodes (a product of both inputs; the larger of input 0 and the first),
// an output.
static void test_values(void **state)
{
    (void)state;
    double numbers[] = {1,
                        2,
                        1,
                        2,
                        1,
                        1, // head: one group of one
                        COMBINE_PRODUCT,
                        MAP_IDENTITY,
                        2,
                        2,
                        0,
                        3,
                        1,
                        0.5, // 2 * 3a * b/2
                        COMBINE_MAX,
                        MAP_RELU,
                        -1,
                        2,
                        0,
                        1,
                        3,
                        1, // max(-1, a, product)
                        COMBINE_SUM,
                        MAP_TANH,
                        0.1,
                        2,
                        4,
                        0.25,
                        2,
                        1, // the pair comes in
                        COMBINE_SUM,
                        MAP_IDENTITY,
                        0.5,
                        1,
                        2,
                        2}; // pair: 0.5 + 2 pair
    Dna dna = {numbers, (int)(sizeof numbers / sizeof *numbers)};
    Error error = {0};
    Brain *brain = brain_from_dna(&dna, &error);
    if (!brain)
        fail_msg("%s", error.text);
    brain_set_input(brain, 0, 0.7);
    brain_set_input(brain, 1, 2);
    const double product = 2 * 3 * 0.7 * 1;
    double pair = 0;
    for (int i = 0; i < 3; i++) {
        brain_update(brain);
        assert_float_equal(brain_output(brain, 0), tanh(0.1 + product / 4 + pair), 1e-12);
        pair = 0.5 + 2 * pair;
    }
    brain_reset(brain, 0);
    brain_update(brain);
    assert_float_equal(brain_output(brain, 0), tanh(0.1 + product / 4), 1e-12);
    brain_free(brain);
    // What is no DNA is told.
    numbers[5] = 1.5;
    assert_null(brain_from_dna(&dna, &error));
    assert_non_null(strstr(error.text, "number 6"));
    numbers[5] = 1;
    numbers[12] = 9; // a source that stands behind
    assert_null(brain_from_dna(&dna, &error));
    dna.count--;
    numbers[12] = 1;
    assert_null(brain_from_dna(&dna, &error));
}

static void test_reset(void **state)
{
    (void)state;
    Brain *brain = random_brain(&SMALL, 3);
    set_inputs(brain);
    brain_update(brain);
    const double first = brain_output(brain, 0);
    brain_update(brain);
    assert_true(brain_output(brain, 0) != first); // the pairs have spoken
    const double second = brain->values[6];
    brain_reset(brain, 1);
    assert_true(brain->values[6] == second && second != 0); // group 0 keeps its value
    assert_true(brain->values[7] == 0 && brain->values[8] == 0);
    brain_reset_all(brain);
    brain_update(brain);
    assert_true(brain_output(brain, 0) == first);
    brain_free(brain);
}

static double loss_at(Brain *brain, const double *targets)
{
    double loss = 0;
    brain_update_still(brain);
    for (int o = 0; o < brain->outputs; o++)
        loss += pow(brain_output(brain, o) - targets[o], 2) / 2;
    return loss;
}

static double *parameter(Brain *brain, int p)
{
    for (int n = 0; n < brain_node_count(brain); n++) {
        if (p == 0)
            return &brain->nodes[n].bias;
        if (p <= brain->nodes[n].count)
            return &brain->nodes[n].links[p - 1].weight;
        p -= 1 + brain->nodes[n].count;
    }
    return NULL;
}

static void test_gradient(void **state)
{
    (void)state;
    const double targets[] = {0.3, -0.2, 0.9};
    Brain *brain = random_brain(&SMALL, 9);
    assert_true(brain_can_learn(brain));
    set_inputs(brain);
    brain_update(brain); // so that the recurrent inputs are not 0
    const int count = brain_parameter_count(brain);
    double scratch[64], gradient[256] = {0};
    assert_true(count < 256);
    const double loss = loss_at(brain, targets);
    assert_float_equal(brain_gradient(brain, targets, scratch, gradient), loss, 1e-12);
    double largest = 0;
    for (int p = 0; p < count; p++) {
        double *value = parameter(brain, p), step = 1e-6, was = *value;
        *value = was + step;
        const double above = loss_at(brain, targets);
        *value = was - step;
        const double below = loss_at(brain, targets);
        *value = was;
        assert_float_equal(gradient[p], (above - below) / (2 * step), 1e-7);
        largest = fmax(largest, fabs(gradient[p]));
    }
    assert_true(largest > 0.01);
    // Downhill the error goes.
    for (int i = 0; i < 500; i++) {
        memset(gradient, 0, sizeof gradient);
        brain_update_still(brain);
        brain_gradient(brain, targets, scratch, gradient);
        brain_descend(brain, gradient, 0.1);
    }
    assert_true(loss_at(brain, targets) < loss / 100);
    brain_free(brain);
    BrainShape shape = SMALL;
    shape.has_functions = true;
    brain = random_brain(&shape, 9);
    assert_false(brain_can_learn(brain));
    brain_free(brain);
}

static void test_mutation(void **state)
{
    (void)state;
    BrainMutation mutation = brain_mutation_default();
    mutation.middle_max = 9;
    mutation.node_chance = mutation.link_chance = 0.5;
    BrainShape shape = SMALL;
    shape.has_functions = true;
    Random random;
    random_init(&random, 1);
    Brain *brain = brain_new(&shape, &random);
    set_inputs(brain);
    brain_update(brain);
    assert_true(brain_output(brain, 0) == 0); // silent
    Dna dna, child;
    Error error = {0};
    int least = 99, most = 0, changed = 0;
    bool speaks = false;
    assert_true(brain_to_dna(brain, &dna));
    brain_free(brain);
    for (int i = 0; i < 400; i++) {
        assert_true(dna_mutate(&dna, &mutation, &random, &child, &error));
        changed += !same_dna(&dna, &child);
        dna_release(&dna);
        dna = child;
        brain = brain_from_dna(&dna, &error); // is a brain still
        if (!brain)
            fail_msg("%s", error.text);
        set_inputs(brain);
        brain_update(brain);
        assert_true(fabs(brain_output(brain, 0)) <= 1);
        speaks |= brain_output(brain, 0) != 0;
        least = brain->middle < least ? brain->middle : least;
        most = brain->middle > most ? brain->middle : most;
        brain_free(brain);
    }
    assert_true(speaks && changed > 350);
    assert_true(least >= 1 && least < 7 && most == 9);
    dna_release(&dna);
}

static void test_picture(void **state)
{
    (void)state;
    const BrainShape shape = {.inputs = 64, .middle = 3, .outputs = 1, .fan = 2};
    Brain *brain = random_brain(&shape, 2);
    Bytes svg = {0};
    assert_true(brain_draw(brain, &svg));
    assert_true(bytes_add(&svg, "", 1));
    int circles = 0, lines = 0;
    for (const char *at = (const char *)svg.at; (at = strstr(at, "<circle")); at++)
        circles++;
    for (const char *at = (const char *)svg.at; (at = strstr(at, "<line")); at++)
        lines++;
    assert_int_equal(circles, 68);
    assert_int_equal(lines, 3 * 2 + 3);
    assert_non_null(strstr((const char *)svg.at, "</svg>"));
    bytes_release(&svg);
    brain_free(brain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_values),
        cmocka_unit_test(test_reset),      cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_mutation),   cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
