// What surrounds learning on the GPU and needs none: plans, the diary, the exporter.
#include "test_data.h"

#include "base/file.h"
#include "core/bitboard.h"
#include "lab/gpu/encode.h"
#include "lab/gpu/student.h"
#include "lab/learn.h"
#include "lab/learn_log.h"
#include "lab/learn_plan.h"
#include "lab/net_export.h"
#include "lab/start_net.h"

#include <unistd.h>

static void test_plan(void **state)
{
    (void)state;
    Error error = {0};
    LearnPlan plan;
    assert_true(learn_plan_read(&plan, LEARN_PLAN, &error));
    assert_true(learn_plan_read(
        &plan, "width=128 gens=3 play=6 fresh=1 ; gens=2 width=512 nodes=500 fresh=0", &error));
    assert_int_equal(plan.count, 2);
    assert_true(plan.stages[0].width == 128 && plan.stages[1].width == 512);
    assert_true(plan.stages[1].play_s == 6 && plan.stages[0].fresh == 1 &&
                plan.stages[1].fresh == 0);
    assert_int_equal(learn_plan_stage(&plan, 2), 0);
    assert_int_equal(learn_plan_stage(&plan, 3), 1);
    assert_int_equal(learn_plan_stage(&plan, 5), -1);
    const char *bad[] = {"width=100",
                         "nodes=-3",
                         "speed=7",
                         "width",
                         "gens=x",
                         "@/no/such/file",
                         "result=0.6 later=0.5",
                         "pupil=1.5",
                         "every=0",
                         "beside=101",
                         "student=100",
                         "batch=1000",
                         "batch=65536",
                         "self=1",
                         "self=1 student=512"};
    assert_true(learn_plan_read(
        &plan, "quick=200 every=3 ; later=0.4 pupil=2 epsilon=1e-7 batch=8192", &error));
    assert_true(plan.stages[0].every == 3 && plan.stages[0].later_weight == 0);
    assert_true(plan.stages[1].quick_nodes == 200 && plan.stages[1].pupil == 2);
    assert_true(plan.stages[0].batch == STUDENT_BATCH && plan.stages[0].epsilon == 1e-5 &&
                plan.stages[1].batch == 8192);
    // The plan that is to be run next can be: a GPU is too dear to find a slip of the pen.
    if (!learn_plan_read(&plan, "@nets/next/plan.txt", &error))
        fail_msg("nets/next/plan.txt: %s", error.text);
    assert_true(plan.count > 1 && plan.stages[0].student > 0 && plan.stages[0].nodes >= 1000);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        assert_false(learn_plan_read(&plan, bad[i], &error));
        assert_true(error.text[0]);
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void test_diary(void **state)
{
    (void)state;
    Error error = {0};
    LearnLog *log = calloc(1, sizeof *log), *again = calloc(1, sizeof *again);
    char path[] = "/tmp/lovac-learn-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < 5; i++)
        log->rows[log->count++] = (LearnRow){.generation = i + 1,
                                             .width = 128,
                                             .is_kept = i != 3,
                                             .positions = 1e7 * (i + 1),
                                             .rating = 100.5 * i,
                                             .elo = -1.25,
                                             .against_score = 0.125 / (1 << i)};
    assert_true(learn_log_write(log, path, &error));
    assert_true(learn_log_read(again, path, &error));
    assert_int_equal(again->count, 5);
    for (int i = 0; i < 5; i++)
        assert_memory_equal(&log->rows[i], &again->rows[i], sizeof(LearnRow));
    assert_true(learn_log_draw(log, path, &error));
    char *svg = file_read(path, 1 << 20, NULL, &error);
    assert_non_null(svg);
    assert_non_null(strstr(svg, "</svg>"));
    assert_int_equal(count_of(svg, "<circle"), 5);
    assert_int_equal(count_of(svg, "fill=\"white\"/>\n<circle"), 1); // the one that was not kept
    assert_null(strstr(svg, "stroke-dasharray"));                    // too few positions to compare
    free(svg);
    log->rows[4].positions = 2e9;
    assert_true(learn_log_draw(log, path, &error));
    svg = file_read(path, 1 << 20, NULL, &error);
    assert_non_null(svg);
    assert_non_null(strstr(svg, "stroke-dasharray"));
    free(svg);
    assert_true(file_write(path, "generation\n1,2,x\n", 17, &error));
    assert_false(learn_log_read(again, path, &error));
    remove(path);
    assert_true(learn_log_read(again, path, &error)); // no file: nothing yet
    assert_int_equal(again->count, 0);
    free(log);
    free(again);
}

// Parameters become the nearest integers; what is out of range is clipped and can still be saved
// and read.
static void test_export(void **state)
{
    (void)state;
    enum {
        HIDDEN = 128,
        FEATURES = NNUE_INPUTS * HIDDEN,
        SIZE = FEATURES + HIDDEN + 16 * HIDDEN + 8
    };
    Error error = {0};
    NetInfo info = {.hidden = HIDDEN,
                    .king_buckets = 1,
                    .men_per_bucket = 4,
                    .multiplier = nnue_multiplier(300)};
    float *parameters = calloc(SIZE, sizeof *parameters);
    parameters[0] = 1.0f;
    parameters[1] = -0.0021f; // -0.54 of 1/255
    parameters[2] = 9;
    parameters[FEATURES] = -9;
    parameters[FEATURES + HIDDEN] = 0.5f;
    parameters[FEATURES + HIDDEN + 1] = -7;
    parameters[SIZE - 1] = 0.25f;
    Net *net = net_from_parameters(parameters, &info, &error);
    assert_non_null(net);
    assert_int_equal(net->feature[0], NNUE_QA);
    assert_int_equal(net->feature[1], -1);
    assert_int_equal(net->feature[2], NNUE_MAX_WEIGHT);
    assert_int_equal(net->bias[0], -NNUE_MAX_BIAS);
    assert_int_equal(net->output[0], NNUE_QB / 2);
    assert_int_equal(net->output[1], -NNUE_MAX_OUTPUT_WEIGHT);
    assert_int_equal(net->output_bias[7], NNUE_QA * NNUE_QA * NNUE_QB / 4);
    size_t size = 0;
    void *bytes = net_to_memory(net, &size, &error);
    Net *copy = net_from_memory(bytes, size, &error);
    assert_non_null(copy);
    net_free(copy);
    free(bytes);
    net_free(net);
    free(parameters);
}

// Which kernel plays which net, and that none plays what it is not made for.
static void test_widths(void **state)
{
    (void)state;
    Error error = {0};
    EncodedNet encoded;
    const int widths[][3] = {{100, 0, 128}, {512, 0, 512}, {1025, 0, 0},
                             {256, 1, 384}, {384, 1, 384}, {512, 1, 0}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const NetInfo info = {.hidden = (uint16_t)widths[i][0], .has_layers = widths[i][1]};
        assert_int_equal(encoded_width(&info), widths[i][2]);
    }
    Net *net = start_net_material(128, 1, &error);
    assert_false(encoded_init(&encoded, net, LAYERS_WIDTH, &error));
    assert_non_null(strstr(error.text, "cannot play"));
    assert_true(encoded_init(&encoded, net, 256, &error));
    assert_null(encoded.layers);
    encoded_release(&encoded);
    net_free(net);
}

#ifndef HAVE_CUDA
static void nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

// A build without CUDA says so.
static void test_no_device(void **state)
{
    (void)state;
    Error error = {0};
    const LearnSetup setup = {.folder = "/tmp", .say = nothing};
    assert_false(learn_check(&setup, &error));
    assert_non_null(strstr(error.text, "CUDA"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),      cmocka_unit_test(test_diary),
        cmocka_unit_test(test_export),    cmocka_unit_test(test_widths),
#ifndef HAVE_CUDA
        cmocka_unit_test(test_no_device),
#endif
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
