// See student_net.h.
#include "lab/student_net.h"

#include "core/bitboard.h"
#include "core/position.h"
#include "engine/nnue_threats.h"
#include "lab/learn_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Floats to integers and back ----------------------------------------------------------------

static long rounded(double x, double unit, long limit)
{
    const long v = lrint(x * unit);
    return v > limit ? limit : v < -limit ? -limit : v;
}

StudentShape student_shape_of(const NetInfo *info)
{
    StudentShape shape = {.hidden = info->hidden,
                          .buckets = info->king_buckets,
                          .batch = STUDENT_BATCH,
                          .has_threats = info->has_threats};
    memcpy(shape.king_bucket, info->king_bucket, sizeof shape.king_bucket);
    return shape;
}

static void layers_from_student(NetLayers *l, const float *p, const StudentParts *at, int hidden)
{
    const long bias = NNUE_MAX_LAYER_BIAS, weight = NNUE_MAX_LAYER_WEIGHT;
    const double one = (double)NNUE_ONE * NNUE_Q2;
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        for (int j = 0; j < NNUE_L1; j++) {
            for (int i = 0; i < hidden; i++)
                l->first[((size_t)b * NNUE_L1 + j) * hidden + i] = (int8_t)rounded(
                    p[at->first + ((size_t)i * NNUE_OUTPUTS + b) * NNUE_L1 + j], NNUE_Q1, 127);
            l->first_bias[b][j] =
                (int32_t)rounded(p[at->first_bias + b * NNUE_L1 + j], NNUE_ONE, 16L * NNUE_ONE);
        }
        for (int j = 0; j < NNUE_L2; j++) {
            for (int i = 0; i < 2 * NNUE_L1; i++)
                l->second[b][j][i] = (int16_t)rounded(
                    p[at->second + ((size_t)i * NNUE_OUTPUTS + b) * NNUE_L2 + j], NNUE_Q2, weight);
            l->second_bias[b][j] =
                (int32_t)rounded(p[at->second_bias + b * NNUE_L2 + j], one, bias);
            l->third[b][j] = (int16_t)rounded(p[at->third + b * NNUE_L2 + j], NNUE_Q2, weight);
        }
        l->third_bias[b] = (int32_t)rounded(p[at->third_bias + b], one, bias);
    }
}

Net *net_from_student(const float *p, const StudentShape *shape, const NetInfo *info, Error *error)
{
    const StudentParts at = student_parts(shape);
    Net *net = net_new(info, error);
    if (!net)
        return NULL;
    const size_t men = at.bucketed - at.shared;
    for (size_t i = 0; i < men * info->king_buckets; i++)
        net->feature[i] =
            (int16_t)rounded(p[at.shared + i % men] + p[at.bucketed + i], NNUE_QA, NNUE_MAX_WEIGHT);
    for (size_t i = at.threat; i < at.bias; i++)
        net->threat[i - at.threat] = (int8_t)rounded(p[i], NNUE_QA, NNUE_MAX_THREAT_WEIGHT);
    for (int i = 0; i < info->hidden; i++)
        net->bias[i] = (int16_t)rounded(p[at.bias + i], NNUE_QA, NNUE_MAX_BIAS);
    layers_from_student(net->layers, p, &at, info->hidden);
    return net;
}

void student_from_net(const Net *net, float *p)
{
    const StudentShape shape = student_shape_of(&net->info);
    const StudentParts at = student_parts(&shape);
    const NetLayers *l = net->layers;
    const float one = (float)NNUE_ONE * NNUE_Q2;
    memset(p, 0, at.count * sizeof *p);
    // What the buckets have in common is shared, so that it goes on learning from all of them.
    const size_t men = at.bucketed - at.shared;
    for (size_t i = 0; i < men; i++) {
        float sum = 0;
        for (int b = 0; b < shape.buckets; b++)
            sum += (float)net->feature[b * men + i] / NNUE_QA;
        p[at.shared + i] = sum / (float)shape.buckets;
        for (int b = 0; b < shape.buckets; b++)
            p[at.bucketed + b * men + i] =
                (float)net->feature[b * men + i] / NNUE_QA - p[at.shared + i];
    }
    for (size_t i = at.threat; i < at.bias; i++)
        p[i] = (float)net->threat[i - at.threat] / NNUE_QA;
    for (int i = 0; i < shape.hidden; i++)
        p[at.bias + i] = (float)net->bias[i] / NNUE_QA;
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        for (int j = 0; j < NNUE_L1; j++) {
            for (int i = 0; i < shape.hidden; i++)
                p[at.first + ((size_t)i * NNUE_OUTPUTS + b) * NNUE_L1 + j] =
                    (float)l->first[((size_t)b * NNUE_L1 + j) * shape.hidden + i] / NNUE_Q1;
            p[at.first_bias + b * NNUE_L1 + j] = (float)l->first_bias[b][j] / NNUE_ONE;
        }
        for (int j = 0; j < NNUE_L2; j++) {
            for (int i = 0; i < 2 * NNUE_L1; i++)
                p[at.second + ((size_t)i * NNUE_OUTPUTS + b) * NNUE_L2 + j] =
                    (float)l->second[b][j][i] / NNUE_Q2;
            p[at.second_bias + b * NNUE_L2 + j] = (float)l->second_bias[b][j] / one;
            p[at.third + b * NNUE_L2 + j] = (float)l->third[b][j] / NNUE_Q2;
        }
        p[at.third_bias + b] = (float)l->third_bias[b] / one;
    }
}

// ---- The slow gradient --------------------------------------------------------------------------

enum { MOST_INPUTS = 512 };

// One position on its way through the net.
typedef struct Pass {
    int men[2][32], threats[2][MOST_INPUTS]; // inputs that are on, side to move first
    int men_count[2], threat_count[2];
    int bucket;
    int units[2][NNUE_MAX_HIDDEN]; // clipped
    double z[NNUE_L1], h[2 * NNUE_L1], y[NNUE_L2], value;
} Pass;

static void find_inputs(const Net *net, const Position *pos, Pass *pass)
{
    const Bitboard all = position_occupied(pos);
    for (int half = 0; half < 2; half++) {
        const Color us = pos->side ^ half;
        const NnueView view = nnue_view(us, position_king(pos, us), net->info.king_bucket);
        pass->men_count[half] = pass->threat_count[half] = 0;
        for (Bitboard left = all; left;) {
            const Square from = bit_pop(&left);
            const Color color = piece_color(pos->board[from]);
            const PieceType type = piece_type(pos->board[from]);
            pass->men[half][pass->men_count[half]++] = nnue_feature(view, us, color, type, from);
            if (!net->threat || type == KING)
                continue;
            Bitboard hits =
                type == PAWN ? PAWN_ATTACKS[color][from] : piece_attacks(type, from, all);
            for (hits &= all; hits;) {
                const Square to = bit_pop(&hits);
                const PieceType victim = piece_type(pos->board[to]);
                const int input = victim == KING
                                      ? -1
                                      : nnue_threat(net->threat_tables, view.turn, us, color, type,
                                                    from, piece_color(pos->board[to]), victim, to);
                if (input >= 0 && pass->threat_count[half] < MOST_INPUTS)
                    pass->threats[half][pass->threat_count[half]++] = input;
            }
        }
    }
}

// Forward, with the integers of the net.
static void forward(const Net *net, Pass *p)
{
    const int hidden = net->info.hidden, half_width = hidden / 2;
    const NetLayers *l = net->layers;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < hidden; i++) {
            int sum = net->bias[i];
            for (int k = 0; k < p->men_count[half]; k++)
                sum += net->feature[(size_t)p->men[half][k] * hidden + i];
            for (int k = 0; k < p->threat_count[half]; k++)
                sum += net->threat[(size_t)p->threats[half][k] * hidden + i];
            p->units[half][i] = sum < 0 ? 0 : sum > NNUE_QA ? NNUE_QA : sum;
        }
    for (int j = 0; j < NNUE_L1; j++) {
        const int8_t *w = l->first + ((size_t)p->bucket * NNUE_L1 + j) * hidden;
        long sum = l->first_bias[p->bucket][j];
        for (int i = 0; i < hidden; i++) {
            const int *units = p->units[i >= half_width], k = i % half_width;
            sum += (units[k] * units[k + half_width] >> NNUE_PRODUCT_SHIFT) * w[i];
        }
        const double z = p->z[j] = (double)sum / NNUE_ONE, cut = fmin(fmax(z, -1), 1);
        p->h[j] = fmin(fmax(z, 0), 1);
        p->h[NNUE_L1 + j] = cut * cut * NNUE_ONE / (1 << NNUE_SQUARE_SHIFT);
    }
    const double one = (double)NNUE_ONE * NNUE_Q2;
    p->value = l->third_bias[p->bucket] / one;
    for (int j = 0; j < NNUE_L2; j++) {
        p->y[j] = l->second_bias[p->bucket][j] / one;
        for (int i = 0; i < 2 * NNUE_L1; i++)
            p->y[j] += p->h[i] * l->second[p->bucket][j][i] / NNUE_Q2;
        p->value += fmin(fmax(p->y[j], 0), 1) * l->third[p->bucket][j] / NNUE_Q2;
    }
}

// Slopes of the layers from that of the output; leaves those of z.
static void layers_backward(const Net *net, const StudentParts *at, const Pass *p, double slope,
                            double *g, double z_slope[NNUE_L1])
{
    const NetLayers *l = net->layers;
    const int b = p->bucket;
    double h_slope[2 * NNUE_L1] = {0};
    g[at->third_bias + b] += slope;
    for (int j = 0; j < NNUE_L2; j++) {
        const bool is_inside = p->y[j] > 0 && p->y[j] < 1;
        const double y_slope = is_inside ? slope * l->third[b][j] / NNUE_Q2 : 0;
        g[at->third + b * NNUE_L2 + j] += slope * fmin(fmax(p->y[j], 0), 1);
        g[at->second_bias + b * NNUE_L2 + j] += y_slope;
        for (int i = 0; i < 2 * NNUE_L1; i++) {
            g[at->second + ((size_t)i * NNUE_OUTPUTS + b) * NNUE_L2 + j] += y_slope * p->h[i];
            h_slope[i] += y_slope * l->second[b][j][i] / NNUE_Q2;
        }
    }
    for (int j = 0; j < NNUE_L1; j++) {
        const double z = p->z[j], square = (double)NNUE_ONE / (1 << NNUE_SQUARE_SHIFT);
        z_slope[j] = (z > 0 && z < 1 ? h_slope[j] : 0) +
                     (fabs(z) < 1 ? h_slope[NNUE_L1 + j] * 2 * z * square : 0);
        g[at->first_bias + b * NNUE_L1 + j] += z_slope[j];
    }
}

// Slopes of the first layer's weights, the products, and the rows that are on.
static void rows_backward(const Net *net, const StudentParts *at, const Pass *p,
                          const double z_slope[NNUE_L1], double *g)
{
    const int hidden = net->info.hidden, half_width = hidden / 2;
    for (int i = 0; i < hidden; i++) {
        const int half = i >= half_width, k = i % half_width;
        const int pair[2] = {p->units[half][k], p->units[half][k + half_width]};
        const double product = (pair[0] * pair[1] >> NNUE_PRODUCT_SHIFT) / 127.0;
        double slope = 0;
        for (int j = 0; j < NNUE_L1; j++) {
            const size_t row = (size_t)p->bucket * NNUE_L1 + j;
            g[at->first + (size_t)i * NNUE_OUTPUTS * NNUE_L1 + row] += z_slope[j] * product;
            slope += z_slope[j] * net->layers->first[row * hidden + i] / NNUE_Q1;
        }
        for (int side = 0; side < 2; side++) {
            if (pair[side] == 0 || pair[side] == NNUE_QA)
                continue;
            const double unit_slope = slope * pair[!side] / NNUE_QA;
            const int unit = k + side * half_width;
            g[at->bias + unit] += unit_slope;
            for (int m = 0; m < p->men_count[half]; m++)
                g[at->bucketed + (size_t)p->men[half][m] * hidden + unit] += unit_slope;
            for (int m = 0; m < p->threat_count[half]; m++)
                g[at->threat + (size_t)p->threats[half][m] * hidden + unit] += unit_slope;
        }
    }
}

double student_slow_value(const Net *net, const Position *pos, Error *error)
{
    Pass *p = malloc(sizeof *p);
    if (!p) {
        error_set(error, "no memory");
        return NAN;
    }
    find_inputs(net, pos, p);
    p->bucket = nnue_bucket(net, pos);
    forward(net, p);
    const double value = p->value;
    free(p);
    return value;
}

bool student_slow_gradient(const Net *net, const uint16_t (*men)[32], const uint32_t *meta,
                           int count, double scale, double result_weight, double *g, Error *error)
{
    const StudentShape shape = student_shape_of(&net->info);
    const StudentParts at = student_parts(&shape);
    Pass *p = malloc(sizeof *p);
    if (!p)
        return error_set(error, "no memory");
    memset(g, 0, at.count * sizeof *g);
    for (int i = 0; i < count; i++) {
        Position pos;
        double z_slope[NNUE_L1];
        const int side = meta[i] >> 18 & 1, result = meta[i] >> 16 & 3;
        if (result == RESULT_OPEN)
            continue;
        position_of_record(men[i], meta[i], &pos);
        find_inputs(net, &pos, p);
        p->bucket = nnue_bucket(net, &pos);
        forward(net, p);
        const double won = result == RESULT_DRAWN ? 0.5 : result == side ? 1 : 0;
        const double score = 1 / (1 + exp(-(int16_t)(meta[i] & 0xffff) / scale));
        const double value = 1 / (1 + exp(-p->value));
        const double error_size = value - (result_weight * won + (1 - result_weight) * score);
        layers_backward(net, &at, p, 2 * error_size * value * (1 - value) / count, g, z_slope);
        rows_backward(net, &at, p, z_slope, g);
    }
    free(p);
    return true;
}
