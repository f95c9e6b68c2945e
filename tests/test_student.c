// The student's floats and integers, and the slow gradient that its trainer is compared with, which
// is compared here with differences of the error itself. Needs no GPU.
#include "test_data.h"

#include "base/random.h"
#include "core/bitboard.h"
#include "core/game.h"
#include "core/movegen.h"
#include "lab/learn_int.h"
#include "lab/student_net.h"
#include "random_net.h"

#include <math.h>

enum { COUNT = 300 };
static const double SCALE = 300, WEIGHT = 0.25;

typedef struct Records {
    uint16_t men[COUNT][32];
    uint32_t meta[COUNT];
} Records;

// A position as the GPU records it, with a made-up score and result.
static void record_write(Records *r, int i, const Position *pos, Random *random)
{
    int place = 1;
    for (int k = 0; k < 32; k++)
        r->men[i][k] = RECORD_NO_MAN;
    for (Bitboard left = position_occupied(pos); left;) {
        const Square s = bit_pop(&left);
        const Color color = piece_color(pos->board[s]);
        const PieceType type = piece_type(pos->board[s]);
        const uint16_t man = (uint16_t)(color * 384 + type * 64 + s);
        if (type == KING) {
            r->men[i][color * 16] = man;
        } else {
            r->men[i][place] = man;
            place += place == 15 ? 2 : 1;
        }
    }
    r->meta[i] = (uint16_t)(int16_t)((int)random_below(random, 801) - 400) |
                 (uint32_t)random_below(random, 3) << 16 | (uint32_t)pos->side << 18 |
                 (uint32_t)(bit_count(position_occupied(pos)) - 1) << 19;
}

// Positions of random games.
static void records_fill(Records *r, uint64_t seed)
{
    Random random;
    random_init(&random, seed);
    Position pos;
    int ply = 0;
    for (int i = 0; i < COUNT;) {
        Move list[MAX_MOVES];
        if (!ply)
            position_start(&pos, rules_find("chess"), 0, NULL);
        const int count = movegen_legal(&pos, STAGE_ALL, list);
        if (!count || ply == 120) {
            ply = 0;
            continue;
        }
        Undo undo;
        position_make(&pos, list[random_below(&random, (uint64_t)count)], &undo);
        if (++ply > 8 && random_below(&random, 3) == 0)
            record_write(r, i++, &pos, &random);
    }
}

// The mean error of the net, by inference.
static double error_of(const Net *net, const Records *r)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        Position pos;
        position_of_record(r->men[i], r->meta[i], &pos);
        const double output = nnue_evaluate_once(net, &pos) * 4294967296.0 / net->info.multiplier;
        const double value = 1 / (1 + exp(-output / ((double)NNUE_ONE * NNUE_Q2)));
        const int side = r->meta[i] >> 18 & 1, result = r->meta[i] >> 16 & 3;
        const double won = result == RESULT_DRAWN ? 0.5 : result == side ? 1 : 0;
        const double score = 1 / (1 + exp(-(int16_t)(r->meta[i] & 0xffff) / SCALE));
        const double e = value - (WEIGHT * won + (1 - WEIGHT) * score);
        sum += e * e;
    }
    return sum / COUNT;
}

static Net *calm_net(bool has_threats, uint64_t seed)
{
    Error error = {0};
    const RandomNet shape = {.hidden = 128,
                             .king_buckets = 4,
                             .has_layers = true,
                             .has_threats = has_threats,
                             .kind = RANDOM_CALM,
                             .seed = seed};
    Net *net = random_net_new(&shape, &error);
    assert_non_null(net);
    net->info.multiplier = INT32_MAX; // so that inference shows the output itself
    return net;
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int has_threats = 0; has_threats < 2; has_threats++) {
        Error error = {0};
        Net *net = calm_net(has_threats, 5);
        const StudentShape shape = student_shape_of(&net->info);
        float *parameters = malloc(student_parts(&shape).count * sizeof *parameters);
        student_from_net(net, parameters);
        Net *again = net_from_student(parameters, &shape, &net->info, &error);
        assert_non_null(again);
        size_t size, again_size;
        void *bytes = net_to_memory(net, &size, &error);
        void *again_bytes = net_to_memory(again, &again_size, &error);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again_bytes, size);
        free(bytes);
        free(again_bytes);
        free(parameters);
        net_free(net);
        net_free(again);
    }
}

// The slow way and inference agree but for inference's last bits.
static void test_value(void **state)
{
    (void)state;
    Error error = {0};
    Records *r = malloc(sizeof *r);
    records_fill(r, 4);
    for (int has_threats = 0; has_threats < 2; has_threats++) {
        Net *net = calm_net(has_threats, 21);
        for (int i = 0; i < COUNT; i++) {
            Position pos;
            position_of_record(r->men[i], r->meta[i], &pos);
            const double slow = student_slow_value(net, &pos, &error);
            const double fast = 2.0 * nnue_evaluate_once(net, &pos) / ((double)NNUE_ONE * NNUE_Q2);
            if (!(fabs(slow - fast) < 0.01))
                fail_msg("position %d: %g, inference %g", i, slow, fast);
        }
        net_free(net);
    }
    free(r);
}

// A change of weights: steps for all of a part, up or, where the gradient has the same order, as
// its sign says (so that nothing cancels out); and what the gradient says it does.
typedef struct Shift {
    const char *name;
    int32_t *wide;
    int16_t *words;
    int8_t *bytes;
    size_t count;
    uint64_t from, to; // in the gradient
    double unit;       // of one step
    bool is_signed;
} Shift;

static void shift_by(const Shift *s, const double *gradient, int up)
{
    for (size_t i = 0; i < s->count; i++) {
        const double slope = gradient[s->from + i];
        const int step = !s->is_signed ? up : slope > 0 ? up : slope < 0 ? -up : 0;
        if (s->wide)
            s->wide[i] += step;
        if (s->words)
            s->words[i] = (int16_t)(s->words[i] + step);
        if (s->bytes)
            s->bytes[i] = (int8_t)(s->bytes[i] + step);
    }
}

static void check_shift(Net *net, const Records *r, const double *gradient, const Shift *s,
                        int step, double tolerance)
{
    double slope = 0;
    for (uint64_t i = s->from; i < s->to; i++)
        slope += s->is_signed ? fabs(gradient[i]) : gradient[i];
    shift_by(s, gradient, step);
    const double up = error_of(net, r);
    shift_by(s, gradient, -2 * step);
    const double down = error_of(net, r);
    shift_by(s, gradient, step);
    const double seen = (up - down) / (2 * step * s->unit);
    if (fabs(seen - slope) > tolerance * fabs(slope))
        fail_msg("%s: the gradient says %g, the error %g", s->name, slope, seen);
}

static void test_gradient(void **state)
{
    (void)state;
    Error error = {0};
    Records *r = malloc(sizeof *r);
    records_fill(r, 3);
    Net *net = calm_net(true, 11);
    const StudentShape shape = student_shape_of(&net->info);
    const StudentParts at = student_parts(&shape);
    double *gradient = malloc(at.count * sizeof *gradient);
    assert_true(student_slow_gradient(net, (const uint16_t(*)[32])r->men, r->meta, COUNT, SCALE,
                                      WEIGHT, gradient, &error));
    NetLayers *l = net->layers;
    const size_t hidden = net->info.hidden, men = 4 * NNUE_INPUTS * hidden;
    const double one = (double)NNUE_ONE * NNUE_Q2;
    const Shift shifts[] = {{.name = "third bias",
                             .wide = l->third_bias,
                             .count = 8,
                             .from = at.third_bias,
                             .to = at.count,
                             .unit = 1 / one},
                            {.name = "third",
                             .words = &l->third[0][0],
                             .count = 8 * 32,
                             .from = at.third,
                             .to = at.third_bias,
                             .unit = 1.0 / NNUE_Q2},
                            {.name = "second bias",
                             .wide = &l->second_bias[0][0],
                             .count = 8 * 32,
                             .from = at.second_bias,
                             .to = at.third,
                             .unit = 1 / one},
                            {.name = "second",
                             .words = &l->second[0][0][0],
                             .count = 8 * 32 * 32,
                             .from = at.second,
                             .to = at.second_bias,
                             .unit = 1.0 / NNUE_Q2},
                            {.name = "first bias",
                             .wide = &l->first_bias[0][0],
                             .count = 8 * 16,
                             .from = at.first_bias,
                             .to = at.second,
                             .unit = 1.0 / NNUE_ONE},
                            {.name = "first",
                             .bytes = l->first,
                             .count = 8 * 16 * hidden,
                             .from = at.first,
                             .to = at.first_bias,
                             .unit = 1.0 / NNUE_Q1},
                            {.name = "bias",
                             .is_signed = true,
                             .words = net->bias,
                             .count = hidden,
                             .from = at.bias,
                             .to = at.first,
                             .unit = 1.0 / NNUE_QA},
                            {.name = "threats",
                             .is_signed = true,
                             .bytes = net->threat,
                             .count = NNUE_THREATS * hidden,
                             .from = at.threat,
                             .to = at.bias,
                             .unit = 1.0 / NNUE_QA},
                            {.name = "men",
                             .is_signed = true,
                             .words = net->feature,
                             .count = men,
                             .from = at.bucketed,
                             .to = at.threat,
                             .unit = 1.0 / NNUE_QA}};
    const int steps[] = {20000, 4, 20000, 2, 40, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        check_shift(net, r, gradient, &shifts[i], steps[i], i < 6 ? 0.1 : 0.2);
    free(gradient);
    free(r);
    net_free(net);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
