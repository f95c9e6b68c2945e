// See polish.h. A batch is cut into one slice for each thread, which has gradients of its own; then
// the threads share the rows that were touched, add the gradients up and take the step.
#include "lab/polish.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "core/bitboard.h"

enum { MOST_INPUTS = 512, H = 2 * NNUE_L1 };

// The layers of one output bucket in floats; weights of the first by sum, then product.
typedef struct Layers {
    float first[NNUE_L1][NNUE_MAX_HIDDEN], first_bias[NNUE_L1];
    float second[NNUE_L2][H], second_bias[NNUE_L2];
    float third[NNUE_L2], third_bias;
} Layers;

// The one output of a net without layers: weights of the side to move's units, then of the other's.
typedef struct Output {
    float weights[2 * NNUE_MAX_HIDDEN], bias;
} Output;

// What follows the accumulators, for one output bucket.
typedef union Tail {
    Layers layers;
    Output output;
} Tail;
enum { TAIL_FLOATS = sizeof(Tail) / sizeof(float) };

// What one thread works with.
typedef struct Slice {
    float *rows;      // gradients of the rows, [row_count][hidden]; the last row is the bias
    uint8_t *touched; // by row
    Tail *tails;      // gradients, [NNUE_OUTPUTS]
    int inputs[2][MOST_INPUTS], counts[2];
    TrainSums totals;
} Slice;

struct Polish {
    NetInfo info;
    NnueThreatTables *tables; // NULL without threats
    int hidden, threads;
    bool layers_only, has_layers;
    float epsilon; // gradients below it make small steps
    size_t men_rows, row_count;
    // Rows of men, of threats, and the bias: as integers for the forward pass, as floats of the
    // same unit, and Adam's two moments.
    int16_t *integers;
    float *rows, *row_first, *row_second;
    Tail *tails, *rounded, *tail_first, *tail_second; // [NNUE_OUTPUTS]
    uint32_t *row_steps;
    uint64_t steps;
    Slice *slices;
};

// ---- From a net and back
// -------------------------------------------------------------------------

static long to_integer(float x, double unit, long limit)
{
    const long v = lrint(x * unit);
    return v > limit ? limit : v < -limit ? -limit : v;
}

static void layers_read(Layers *to, const NetLayers *from, int b, int hidden)
{
    const float one = (float)NNUE_ONE * NNUE_Q2;
    for (int j = 0; j < NNUE_L1; j++) {
        for (int i = 0; i < hidden; i++)
            to->first[j][i] = (float)from->first[((size_t)b * NNUE_L1 + j) * hidden + i] / NNUE_Q1;
        to->first_bias[j] = (float)from->first_bias[b][j] / NNUE_ONE;
    }
    for (int o = 0; o < NNUE_L2; o++) {
        for (int i = 0; i < H; i++)
            to->second[o][i] = (float)from->second[b][o][i] / NNUE_Q2;
        to->second_bias[o] = (float)from->second_bias[b][o] / one;
        to->third[o] = (float)from->third[b][o] / NNUE_Q2;
    }
    to->third_bias = (float)from->third_bias[b] / one;
}

static void layers_write(NetLayers *to, const Layers *from, int b, int hidden)
{
    const double one = (double)NNUE_ONE * NNUE_Q2;
    for (int j = 0; j < NNUE_L1; j++) {
        for (int i = 0; i < hidden; i++)
            to->first[((size_t)b * NNUE_L1 + j) * hidden + i] =
                (int8_t)to_integer(from->first[j][i], NNUE_Q1, 127);
        to->first_bias[b][j] = (int32_t)to_integer(from->first_bias[j], NNUE_ONE, 16L * NNUE_ONE);
    }
    for (int o = 0; o < NNUE_L2; o++) {
        for (int i = 0; i < H; i++)
            to->second[b][o][i] =
                (int16_t)to_integer(from->second[o][i], NNUE_Q2, NNUE_MAX_LAYER_WEIGHT);
        to->second_bias[b][o] = (int32_t)to_integer(from->second_bias[o], one, NNUE_MAX_LAYER_BIAS);
        to->third[b][o] = (int16_t)to_integer(from->third[o], NNUE_Q2, NNUE_MAX_LAYER_WEIGHT);
    }
    to->third_bias[b] = (int32_t)to_integer(from->third_bias, one, NNUE_MAX_LAYER_BIAS);
}

static void tail_read(Tail *to, const Net *net, int b)
{
    const int hidden = net->info.hidden;
    if (net->layers) {
        layers_read(&to->layers, net->layers, b, hidden);
        return;
    }
    for (int i = 0; i < 2 * hidden; i++)
        to->output.weights[i] = (float)net->output[b * 2 * hidden + i] / NNUE_QB;
    to->output.bias = (float)net->output_bias[b] / ((float)NNUE_QA * NNUE_QA * NNUE_QB);
}

static void tail_write(Net *net, const Tail *from, int b)
{
    const int hidden = net->info.hidden;
    if (net->layers) {
        layers_write(net->layers, &from->layers, b, hidden);
        return;
    }
    for (int i = 0; i < 2 * hidden; i++)
        net->output[b * 2 * hidden + i] =
            (int16_t)to_integer(from->output.weights[i], NNUE_QB, NNUE_MAX_OUTPUT_WEIGHT);
    net->output_bias[b] =
        (int32_t)to_integer(from->output.bias, (double)NNUE_QA * NNUE_QA * NNUE_QB, INT32_MAX);
}

// The largest integer of a row.
static int limit_of(const Polish *p, size_t row)
{
    return row < p->men_rows        ? NNUE_MAX_WEIGHT
           : row + 1 < p->row_count ? NNUE_MAX_THREAT_WEIGHT
                                    : NNUE_MAX_BIAS;
}

static float rounded_to(float w, int unit, int limit)
{
    const float v = rintf(w * (float)unit);
    return fminf(fmaxf(v, (float)-limit), (float)limit) / (float)unit;
}

static void round_layers(Layers *l, int hidden)
{
    for (int j = 0; j < NNUE_L1; j++)
        for (int i = 0; i < hidden; i++)
            l->first[j][i] = rounded_to(l->first[j][i], NNUE_Q1, 127);
    for (int o = 0; o < NNUE_L2; o++) {
        for (int i = 0; i < H; i++)
            l->second[o][i] = rounded_to(l->second[o][i], NNUE_Q2, NNUE_MAX_LAYER_WEIGHT);
        l->third[o] = rounded_to(l->third[o], NNUE_Q2, NNUE_MAX_LAYER_WEIGHT);
    }
}

// The weights behind the accumulators as they will be exported; biases are fine enough as they are.
static void round_tails(Polish *p)
{
    memcpy(p->rounded, p->tails, NNUE_OUTPUTS * sizeof *p->rounded);
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        float *weights = p->rounded[b].output.weights;
        if (p->has_layers)
            round_layers(&p->rounded[b].layers, p->hidden);
        else
            for (int i = 0; i < 2 * p->hidden; i++)
                weights[i] = rounded_to(weights[i], NNUE_QB, NNUE_MAX_OUTPUT_WEIGHT);
    }
}

static void read_net(Polish *p, const Net *net)
{
    const size_t hidden = (size_t)p->hidden;
    memcpy(p->integers, net->feature, p->men_rows * hidden * sizeof *p->integers);
    for (size_t i = 0; net->threat && i < NNUE_THREATS * hidden; i++)
        p->integers[p->men_rows * hidden + i] = net->threat[i];
    memcpy(p->integers + (p->row_count - 1) * hidden, net->bias, hidden * sizeof *p->integers);
    for (size_t i = 0; i < p->row_count * hidden; i++)
        p->rows[i] = p->integers[i];
    for (int b = 0; b < NNUE_OUTPUTS; b++)
        tail_read(&p->tails[b], net, b);
    round_tails(p);
}

Net *polish_net(const Polish *p, const NetInfo *info, Error *error)
{
    const size_t hidden = (size_t)p->hidden;
    Net *net = net_new(info, error);
    if (!net)
        return NULL;
    memcpy(net->feature, p->integers, p->men_rows * hidden * sizeof *p->integers);
    for (size_t i = 0; net->threat && i < NNUE_THREATS * hidden; i++)
        net->threat[i] = (int8_t)p->integers[p->men_rows * hidden + i];
    memcpy(net->bias, p->integers + (p->row_count - 1) * hidden, hidden * sizeof *p->integers);
    for (int b = 0; b < NNUE_OUTPUTS; b++)
        tail_write(net, &p->tails[b], b);
    return net;
}

// ---- Memory
// --------------------------------------------------------------------------------------

static bool allocate(Polish *p)
{
    const size_t cells = p->row_count * (size_t)p->hidden, moved = p->layers_only ? 0 : cells;
    p->integers = memory_aligned(cells * sizeof *p->integers);
    p->rows = memory_aligned(cells * sizeof *p->rows);
    p->row_first = calloc(moved + 1, sizeof *p->row_first);
    p->row_second = calloc(moved + 1, sizeof *p->row_second);
    p->row_steps = calloc(p->row_count, sizeof *p->row_steps);
    p->tails = calloc(4 * NNUE_OUTPUTS, sizeof *p->tails);
    p->slices = calloc((size_t)p->threads, sizeof *p->slices);
    if (!p->integers || !p->rows || !p->row_first || !p->row_second || !p->row_steps || !p->tails ||
        !p->slices)
        return false;
    p->rounded = p->tails + NNUE_OUTPUTS;
    p->tail_first = p->rounded + NNUE_OUTPUTS;
    p->tail_second = p->tail_first + NNUE_OUTPUTS;
    for (int i = 0; i < p->threads; i++) {
        Slice *s = &p->slices[i];
        s->rows = calloc(moved + 1, sizeof *s->rows);
        s->touched = calloc(p->row_count, 1);
        s->tails = calloc(NNUE_OUTPUTS, sizeof *s->tails);
        if (!s->rows || !s->touched || !s->tails)
            return false;
    }
    return true;
}

Polish *polish_new(const Net *net, int threads, bool layers_only, double epsilon, Error *error)
{
    Polish *p = calloc(1, sizeof *p);
    if (p) {
        p->info = net->info;
        p->hidden = net->info.hidden;
        p->threads = threads;
        p->layers_only = layers_only;
        p->epsilon = (float)epsilon;
        p->has_layers = net->layers;
        p->men_rows = (size_t)net->info.king_buckets * NNUE_INPUTS;
        p->row_count = p->men_rows + (net->threat ? NNUE_THREATS : 0) + 1;
        if (net->threat && (p->tables = malloc(sizeof *p->tables)))
            *p->tables = *net->threat_tables;
    }
    if (!p || (net->threat && !p->tables) || !allocate(p)) {
        error_set(error, "no memory to train this net");
        polish_free(p);
        return NULL;
    }
    read_net(p, net);
    return p;
}

void polish_free(Polish *p)
{
    if (!p)
        return;
    for (int i = 0; p->slices && i < p->threads; i++) {
        free(p->slices[i].rows);
        free(p->slices[i].touched);
        free(p->slices[i].tails);
    }
    memory_free_aligned(p->integers);
    memory_free_aligned(p->rows);
    free(p->row_first);
    free(p->row_second);
    free(p->row_steps);
    free(p->tails);
    free(p->slices);
    free(p->tables);
    free(p);
}

// ---- Forward
// -------------------------------------------------------------------------------------

// One position on its way through the net.
typedef struct Pass {
    int bucket;
    int16_t units[2][NNUE_MAX_HIDDEN]; // clipped
    // Products, or without layers squares, of the side to move, then of the other.
    float products[2 * NNUE_MAX_HIDDEN];
    float z[NNUE_L1], h[H], y[NNUE_L2], value;
} Pass;

// The rows that are on for both halves.
static void find_inputs(const Polish *p, const TrainPosition *t, Slice *s)
{
    uint8_t board[64];
    int kings[2] = {-1, -1}, man = 0;
    for (Bitboard left = t->occupied; left; man++) {
        const Square at = bit_pop(&left);
        board[at] = t->pieces[man / 2] >> (man % 2 * 4) & 15;
        if (piece_type(board[at]) == KING)
            kings[piece_color(board[at])] = at;
    }
    NnueView view[2];
    for (int half = 0; half < 2; half++) {
        view[half] = nnue_view(t->side ^ half, kings[t->side ^ half], p->info.king_bucket);
        s->counts[half] = 0;
    }
    for (Bitboard left = t->occupied; left;) {
        const Square from = bit_pop(&left);
        const Color color = piece_color(board[from]);
        const PieceType type = piece_type(board[from]);
        for (int half = 0; half < 2; half++)
            s->inputs[half][s->counts[half]++] =
                nnue_feature(view[half], t->side ^ half, color, type, from);
        if (!p->tables || type == KING)
            continue;
        Bitboard hits =
            type == PAWN ? PAWN_ATTACKS[color][from] : piece_attacks(type, from, t->occupied);
        for (hits &= t->occupied; hits;) {
            const Square to = bit_pop(&hits);
            const PieceType victim = piece_type(board[to]);
            for (int half = 0; half < 2 && victim != KING; half++) {
                const int input = nnue_threat(p->tables, view[half].turn, t->side ^ half, color,
                                              type, from, piece_color(board[to]), victim, to);
                if (input >= 0 && s->counts[half] < MOST_INPUTS)
                    s->inputs[half][s->counts[half]++] = (int)p->men_rows + input;
            }
        }
    }
}

static void sum_rows(const Polish *p, const int *inputs, int count, int16_t *units)
{
    const int hidden = p->hidden;
    memcpy(units, p->integers + (p->row_count - 1) * (size_t)hidden,
           (size_t)hidden * sizeof *units);
    for (int k = 0; k < count; k++) {
        const int16_t *row = p->integers + (size_t)inputs[k] * (size_t)hidden;
        for (int i = 0; i < hidden; i++)
            units[i] = (int16_t)(units[i] + row[i]);
    }
    for (int i = 0; i < hidden; i++)
        units[i] = units[i] < 0 ? 0 : units[i] > NNUE_QA ? NNUE_QA : units[i];
}

static float dot(const float *restrict a, const float *restrict b, int count)
{
    float lanes[16] = {0}, sum = 0;
    for (int i = 0; i < count; i += 16)
        for (int k = 0; k < 16; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 16; k++)
        sum += lanes[k];
    return sum;
}

static void layers_forward(const Polish *p, Pass *pass)
{
    const int half_width = p->hidden / 2;
    const Layers *l = &p->rounded[pass->bucket].layers;
    for (int half = 0; half < 2; half++) {
        const int16_t *units = pass->units[half];
        float *products = pass->products + half * half_width;
        for (int i = 0; i < half_width; i++)
            products[i] =
                (float)(units[i] * units[i + half_width] >> NNUE_PRODUCT_SHIFT) * (1 / 127.0f);
    }
    const float square = (float)NNUE_ONE / (1 << NNUE_SQUARE_SHIFT);
    for (int j = 0; j < NNUE_L1; j++) {
        const float z = l->first_bias[j] + dot(pass->products, l->first[j], p->hidden);
        const float cut = fminf(fmaxf(z, -1), 1);
        pass->z[j] = z;
        pass->h[j] = fminf(fmaxf(z, 0), 1);
        pass->h[NNUE_L1 + j] = cut * cut * square;
    }
    pass->value = l->third_bias;
    for (int o = 0; o < NNUE_L2; o++) {
        pass->y[o] = l->second_bias[o] + dot(pass->h, l->second[o], H);
        pass->value += fminf(fmaxf(pass->y[o], 0), 1) * l->third[o];
    }
}

static void output_forward(const Polish *p, Pass *pass)
{
    const Output *o = &p->rounded[pass->bucket].output;
    pass->value = o->bias;
    for (int half = 0; half < 2; half++) {
        float *squares = pass->products + half * p->hidden;
        for (int i = 0; i < p->hidden; i++)
            squares[i] =
                (float)(pass->units[half][i] * pass->units[half][i]) * (1.0f / NNUE_QA / NNUE_QA);
    }
    pass->value += dot(pass->products, o->weights, 2 * p->hidden);
}

static void forward(const Polish *p, const TrainPosition *t, Slice *s, Pass *pass)
{
    pass->bucket = nnue_output_bucket(bit_count(t->occupied), p->info.men_per_bucket);
    find_inputs(p, t, s);
    for (int half = 0; half < 2; half++)
        sum_rows(p, s->inputs[half], s->counts[half], pass->units[half]);
    if (p->has_layers)
        layers_forward(p, pass);
    else
        output_forward(p, pass);
}

// ---- Backward
// ------------------------------------------------------------------------------------

static void layers_backward(const Polish *p, const Pass *pass, float slope, Layers *g,
                            float z_slope[NNUE_L1])
{
    const Layers *l = &p->rounded[pass->bucket].layers;
    const float square = (float)NNUE_ONE / (1 << NNUE_SQUARE_SHIFT);
    float h_slope[H] = {0};
    g->third_bias += slope;
    for (int o = 0; o < NNUE_L2; o++) {
        const float y = pass->y[o], y_slope = y > 0 && y < 1 ? slope * l->third[o] : 0;
        g->third[o] += slope * fminf(fmaxf(y, 0), 1);
        g->second_bias[o] += y_slope;
        for (int i = 0; i < H; i++) {
            g->second[o][i] += y_slope * pass->h[i];
            h_slope[i] += y_slope * l->second[o][i];
        }
    }
    for (int j = 0; j < NNUE_L1; j++) {
        const float z = pass->z[j];
        z_slope[j] = (z > 0 && z < 1 ? h_slope[j] : 0) +
                     (fabsf(z) < 1 ? h_slope[NNUE_L1 + j] * 2 * z * square : 0);
        g->first_bias[j] += z_slope[j];
        for (int i = 0; i < p->hidden; i++)
            g->first[j][i] += z_slope[j] * pass->products[i];
    }
}

// Slopes of the units of one half, in those of the integers.
static void unit_slopes(const Polish *p, const Pass *pass, int half, const float z_slope[NNUE_L1],
                        float *slopes)
{
    const int half_width = p->hidden / 2;
    const int16_t *units = pass->units[half];
    const Layers *l = &p->rounded[pass->bucket].layers;
    float products[NNUE_MAX_HIDDEN / 2] = {0};
    for (int j = 0; j < NNUE_L1; j++)
        for (int i = 0; i < half_width; i++)
            products[i] += z_slope[j] * l->first[j][half * half_width + i];
    for (int i = 0; i < half_width; i++) {
        const int a = units[i], b = units[i + half_width];
        const float slope = products[i] * (1.0f / NNUE_QA / NNUE_QA);
        slopes[i] = a > 0 && a < NNUE_QA ? slope * (float)b : 0;
        slopes[i + half_width] = b > 0 && b < NNUE_QA ? slope * (float)a : 0;
    }
}

static void output_backward(const Polish *p, const Pass *pass, float slope, Output *g)
{
    g->bias += slope;
    for (int i = 0; i < 2 * p->hidden; i++)
        g->weights[i] += slope * pass->products[i];
}

// The same without layers.
static void square_slopes(const Polish *p, const Pass *pass, int half, float slope, float *slopes)
{
    const float *weights = p->rounded[pass->bucket].output.weights + half * p->hidden;
    for (int i = 0; i < p->hidden; i++) {
        const int unit = pass->units[half][i];
        slopes[i] = unit > 0 && unit < NNUE_QA
                        ? 2 * slope * weights[i] * (float)unit * (1.0f / NNUE_QA / NNUE_QA)
                        : 0;
    }
}

static void touch(const Polish *p, Slice *s, size_t row, const float *slopes)
{
    float *g = s->rows + row * (size_t)p->hidden;
    s->touched[row] = 1;
    for (int i = 0; i < p->hidden; i++)
        g[i] += slopes[i];
}

static void backward(const Polish *p, Slice *s, const Pass *pass, float slope)
{
    float z_slope[NNUE_L1], slopes[NNUE_MAX_HIDDEN];
    Tail *g = &s->tails[pass->bucket];
    if (p->has_layers)
        layers_backward(p, pass, slope, &g->layers, z_slope);
    else
        output_backward(p, pass, slope, &g->output);
    for (int half = 0; half < 2 && !p->layers_only; half++) {
        if (p->has_layers)
            unit_slopes(p, pass, half, z_slope, slopes);
        else
            square_slopes(p, pass, half, slope, slopes);
        for (int k = 0; k < s->counts[half]; k++)
            touch(p, s, (size_t)s->inputs[half][k], slopes);
        touch(p, s, p->row_count - 1, slopes);
    }
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

// The error of a position; returns its slope with regard to the output.
static double add_error(const TrainPosition *t, const TrainGoal *goal, double output,
                        TrainSums *sums)
{
    const double value = sigmoid(output * goal->unit), score = sigmoid(t->score / goal->scale);
    const double won = t->result / 2.0;
    const double e = value - train_target(t, goal);
    sums->loss += e * e;
    sums->against_result += (value - won) * (value - won);
    sums->against_score += (value - score) * (value - score);
    sums->spread += output * output;
    sums->count++;
    return 2 * e * value * (1 - value) * goal->unit;
}

// ---- Steps
// ---------------------------------------------------------------------------------------

typedef struct Batch {
    Polish *polish;
    const TrainPosition *const *list;
    int count;
    const TrainGoal *goal;
    bool learns;
    double rate; // corrected for the first steps
} Batch;

static void pass_slice(void *context, size_t index, int worker)
{
    const Batch *b = context;
    Polish *p = b->polish;
    Slice *s = &p->slices[index];
    const int from = (int)((size_t)b->count * index / (size_t)p->threads);
    const int to = (int)((size_t)b->count * (index + 1) / (size_t)p->threads);
    Pass *pass = malloc(sizeof *pass);
    (void)worker;
    s->totals = (TrainSums){0};
    for (int i = from; pass && i < to; i++) {
        forward(p, b->list[i], s, pass);
        const double slope = add_error(b->list[i], b->goal, pass->value, &s->totals);
        if (b->learns)
            backward(p, s, pass, (float)(slope / b->count));
    }
    free(pass);
}

static const float BETA1 = 0.9f, BETA2 = 0.999f;

// One row: gradients of all slices, Adam's step, integers anew.
static void step_row(Polish *p, size_t row, float rate)
{
    const size_t hidden = (size_t)p->hidden, at = row * hidden;
    const float limit = (float)limit_of(p, row);
    const double steps = ++p->row_steps[row];
    const float fix1 = 1 / (float)(1 - pow(BETA1, steps)),
                fix2 = 1 / (float)(1 - pow(BETA2, steps));
    const float epsilon = p->epsilon / NNUE_QA; // for gradients of the integers
    float g[NNUE_MAX_HIDDEN] = {0};
    for (int k = 0; k < p->threads; k++) {
        if (!p->slices[k].touched[row])
            continue;
        float *from = p->slices[k].rows + at;
        for (size_t i = 0; i < hidden; i++)
            g[i] += from[i];
        memset(from, 0, hidden * sizeof *from);
        p->slices[k].touched[row] = 0;
    }
    for (size_t i = 0; i < hidden; i++) {
        float *m = &p->row_first[at + i], *v = &p->row_second[at + i], *w = &p->rows[at + i];
        *m = BETA1 * *m + (1 - BETA1) * g[i];
        *v = BETA2 * *v + (1 - BETA2) * g[i] * g[i];
        *w -= rate * NNUE_QA * *m * fix1 / (sqrtf(*v * fix2) + epsilon);
        *w = fminf(fmaxf(*w, -limit), limit);
        p->integers[at + i] = (int16_t)rintf(*w);
    }
}

static void step_rows(void *context, size_t index, int worker)
{
    const Batch *b = context;
    Polish *p = b->polish;
    (void)worker;
    for (size_t row = index; row < p->row_count; row += 64)
        for (int k = 0; k < p->threads; k++)
            if (p->slices[k].touched[row]) {
                step_row(p, row, (float)b->rate);
                break;
            }
}

static void limit_floats(float *weights, int count, float most)
{
    for (int i = 0; i < count; i++)
        weights[i] = fminf(fmaxf(weights[i], -most), most);
}

// Weights that inference holds in few bits stay within them.
static void limit_tails(Polish *p)
{
    const float most = (float)NNUE_MAX_LAYER_WEIGHT / NNUE_Q2;
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        Layers *l = &p->tails[b].layers;
        if (!p->has_layers) {
            limit_floats(p->tails[b].output.weights, 2 * p->hidden,
                         (float)NNUE_MAX_OUTPUT_WEIGHT / NNUE_QB);
            continue;
        }
        for (int j = 0; j < NNUE_L1; j++)
            limit_floats(l->first[j], p->hidden, 127.0f / NNUE_Q1);
        limit_floats(&l->second[0][0], NNUE_L2 * H, most);
        limit_floats(l->third, NNUE_L2, most);
    }
}

static void step_tails(Polish *p, float rate)
{
    const float fix1 = 1 / (float)(1 - pow(BETA1, (double)p->steps)),
                fix2 = 1 / (float)(1 - pow(BETA2, (double)p->steps));
    float *w = (float *)p->tails, *m = (float *)p->tail_first, *v = (float *)p->tail_second;
    for (size_t i = 0; i < (size_t)NNUE_OUTPUTS * TAIL_FLOATS; i++) {
        float g = 0;
        for (int k = 0; k < p->threads; k++) {
            float *from = (float *)p->slices[k].tails + i;
            g += *from;
            *from = 0;
        }
        m[i] = BETA1 * m[i] + (1 - BETA1) * g;
        v[i] = BETA2 * v[i] + (1 - BETA2) * g * g;
        w[i] -= rate * m[i] * fix1 / (sqrtf(v[i] * fix2) + p->epsilon);
    }
    limit_tails(p);
    round_tails(p);
}

static void add_sums(const Polish *p, TrainSums *sums)
{
    for (int k = 0; k < p->threads; k++) {
        const TrainSums *t = &p->slices[k].totals;
        sums->loss += t->loss;
        sums->against_result += t->against_result;
        sums->against_score += t->against_score;
        sums->spread += t->spread;
        sums->count += t->count;
    }
}

void polish_step(Polish *p, const TrainPosition *const *batch, int count, const TrainGoal *goal,
                 double rate, TrainSums *sums)
{
    Batch b = {p, batch, count, goal, true, rate};
    p->steps++;
    parallel_for((size_t)p->threads, p->threads, pass_slice, &b);
    add_sums(p, sums);
    if (!p->layers_only)
        parallel_for(64, p->threads, step_rows, &b);
    step_tails(p, (float)rate);
}

void polish_measure(Polish *p, const TrainPosition *const *batch, int count, const TrainGoal *goal,
                    TrainSums *sums)
{
    Batch b = {p, batch, count, goal, false, 0};
    parallel_for((size_t)p->threads, p->threads, pass_slice, &b);
    add_sums(p, sums);
}

double polish_value(Polish *p, const TrainPosition *position)
{
    Pass *pass = malloc(sizeof *pass);
    if (!pass)
        return NAN;
    forward(p, position, &p->slices[0], pass);
    const double value = pass->value;
    free(pass);
    return value;
}
