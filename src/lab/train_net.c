// See train_net.h. A batch is cut into one slice for each thread; a slice has gradients of its own,
// which are added up by the threads in parallel, so the result depends on the number of threads
// only.
#include "lab/train_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/thread.h"
#include "engine/hand.h"

typedef struct Slice { // what one thread works with
    float *gradient;
    float *sums[2]; // accumulators by half: side to move, other
    TrainSums totals;
} Slice;

struct TrainNet {
    int hidden, threads;
    size_t features, size; // floats of the first layer; of all parameters
    float *parameters, *first, *second;
    float *rounded; // the parameters as they will be exported
    Slice *slices;
    uint64_t steps;
};

TrainPosition train_pack(const Position *pos, int score, int result)
{
    TrainPosition p = {.occupied = position_occupied(pos),
                       .score = (int16_t)score,
                       .side = pos->side,
                       .result = (uint8_t)result};
    int i = 0;
    for (Bitboard men = p.occupied; men; i++) {
        const Square s = bit_pop(&men);
        p.pieces[i / 2] |= (uint8_t)(pos->board[s] << (i % 2 * 4));
    }
    return p;
}

void train_note_hand(TrainPosition *p, const Position *pos)
{
    p->hand = (int16_t)hand_evaluate(hand_setup(pos->rules), NULL, pos);
}

void train_unpack(const TrainPosition *p, const Rules *rules, Position *pos)
{
    position_clear(pos, rules);
    int i = 0;
    for (Bitboard men = p->occupied; men; i++) {
        const Square s = bit_pop(&men);
        position_put(pos, p->pieces[i / 2] >> (i % 2 * 4) & 15, s);
    }
    pos->side = p->side;
    position_finish(pos);
}

// A square of the view after a turn of the board.
static int turned(int square, int symmetry)
{
    if (symmetry & SYMMETRY_DIAGONAL)
        square = square >> 3 | (square & 7) << 3;
    return square ^ (symmetry & SYMMETRY_FILES ? 7 : 0) ^ (symmetry & SYMMETRY_RANKS ? 56 : 0);
}

// The inputs that are on for both halves, the board being turned; returns their number.
static int features_of(const TrainPosition *p, bool is_from_corner, int symmetry,
                       int inputs[2][MAX_MEN])
{
    static const uint8_t ONE_BUCKET[64] = {0};
    uint8_t pieces[MAX_MEN], squares[MAX_MEN];
    int kings[2] = {-1, -1}, count = 0;
    for (Bitboard men = p->occupied; men; count++) {
        squares[count] = (uint8_t)bit_pop(&men);
        pieces[count] = p->pieces[count / 2] >> (count % 2 * 4) & 15;
        if (piece_type(pieces[count]) == KING)
            kings[piece_color(pieces[count])] = squares[count];
    }
    for (int half = 0; half < 2; half++) {
        const Color us = p->side ^ half;
        const NnueView view = is_from_corner ? nnue_corner_view(us, kings[us], ONE_BUCKET)
                                             : nnue_view(us, kings[us], ONE_BUCKET);
        for (int i = 0; i < count; i++)
            inputs[half][i] = nnue_feature(view, us, piece_color(pieces[i]), piece_type(pieces[i]),
                                           turned(squares[i] ^ view.turn, symmetry) ^ view.turn);
    }
    return count;
}

static float rounded_to(float w, int unit, int limit)
{
    const float v = rintf(w * (float)unit);
    return fminf(fmaxf(v, (float)-limit), (float)limit) / (float)unit;
}

// The form in which parameter i will be exported.
static float exported(const TrainNet *n, size_t i, float w)
{
    if (i < n->features)
        return rounded_to(w, NNUE_QA, NNUE_MAX_WEIGHT);
    if (i < n->features + (size_t)n->hidden)
        return rounded_to(w, NNUE_QA, NNUE_MAX_BIAS);
    if (i < n->size - NNUE_OUTPUTS)
        return rounded_to(w, NNUE_QB, NNUE_MAX_OUTPUT_WEIGHT);
    return w;
}

static float limit_of(const TrainNet *n, size_t i)
{
    if (i < n->features)
        return (float)NNUE_MAX_WEIGHT / NNUE_QA;
    if (i < n->features + (size_t)n->hidden)
        return (float)NNUE_MAX_BIAS / NNUE_QA;
    return i < n->size - NNUE_OUTPUTS ? (float)NNUE_MAX_OUTPUT_WEIGHT / NNUE_QB : 1e9f;
}

static void random_weights(TrainNet *n, uint64_t seed)
{
    Random random;
    random_init(&random, seed);
    const double output_limit = 1.6 / sqrt(n->hidden);
    const size_t bias = n->features, output = bias + (size_t)n->hidden;
    for (size_t i = 0; i < n->size - NNUE_OUTPUTS; i++) {
        const double u = 2 * random_unit(&random) - 1;
        n->parameters[i] = (float)(i < bias ? 0.06 * u : i < output ? 0.2 : output_limit * u);
    }
    for (size_t b = 1; b < NNUE_OUTPUTS; b++) // all output buckets begin alike
        memcpy(n->parameters + output + b * 2 * (size_t)n->hidden, n->parameters + output,
               2 * (size_t)n->hidden * sizeof(float));
    for (size_t i = 0; i < n->size; i++)
        n->rounded[i] = exported(n, i, n->parameters[i]);
}

static float *floats(size_t count)
{
    const size_t bytes = (count * sizeof(float) + 63) & ~(size_t)63;
    float *memory = memory_aligned(bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

TrainNet *train_net_new(int hidden, int threads, uint64_t seed, Error *error)
{
    TrainNet *n = calloc(1, sizeof *n);
    if (n) {
        n->hidden = hidden;
        n->threads = threads;
        n->features = (size_t)NNUE_INPUTS * (size_t)hidden;
        n->size = n->features + (size_t)hidden * (1 + 2 * NNUE_OUTPUTS) + NNUE_OUTPUTS;
        n->parameters = floats(n->size);
        n->first = floats(n->size);
        n->second = floats(n->size);
        n->rounded = floats(n->size);
        n->slices = calloc((size_t)threads, sizeof *n->slices);
    }
    bool ok = n && n->parameters && n->first && n->second && n->rounded && n->slices;
    for (int i = 0; i < threads && ok; i++) {
        Slice *s = &n->slices[i];
        s->gradient = floats(n->size);
        s->sums[0] = floats((size_t)hidden);
        s->sums[1] = floats((size_t)hidden);
        ok = s->gradient && s->sums[0] && s->sums[1];
    }
    if (!ok) {
        error_set(error, "no memory for training %d units on %d threads", hidden, threads);
        train_net_free(n);
        return NULL;
    }
    random_weights(n, seed);
    return n;
}

void train_net_free(TrainNet *n)
{
    if (!n)
        return;
    for (int i = 0; i < n->threads && n->slices; i++) {
        memory_free_aligned(n->slices[i].gradient);
        memory_free_aligned(n->slices[i].sums[0]);
        memory_free_aligned(n->slices[i].sums[1]);
    }
    free(n->slices);
    memory_free_aligned(n->parameters);
    memory_free_aligned(n->first);
    memory_free_aligned(n->second);
    memory_free_aligned(n->rounded);
    free(n);
}

const float *train_net_parameters(const TrainNet *net)
{
    return net->parameters;
}

// Accumulators of both halves, clipped to 0..1.
static void forward_halves(const TrainNet *n, float *const sums[2], const int inputs[2][MAX_MEN],
                           int count)
{
    const int hidden = n->hidden;
    for (int half = 0; half < 2; half++) {
        float *restrict x = sums[half];
        memcpy(x, n->rounded + n->features, (size_t)hidden * sizeof(float));
        for (int k = 0; k < count; k++) {
            const float *restrict row = n->rounded + (size_t)inputs[half][k] * (size_t)hidden;
            for (int i = 0; i < hidden; i++)
                x[i] += row[i];
        }
        for (int i = 0; i < hidden; i++)
            x[i] = x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i];
    }
}

static float output_of(const TrainNet *n, const float *sum, const float *weights)
{
    float parts[16] = {0}; // independent sums, which the compiler may keep in one vector
    for (int i = 0; i < n->hidden; i += 16)
        for (int k = 0; k < 16; k++)
            parts[k] += sum[i + k] * sum[i + k] * weights[i + k];
    float z = 0;
    for (int k = 0; k < 16; k++)
        z += parts[k];
    return z;
}

static const float *weights_of(const TrainNet *n, int bucket, int half)
{
    return n->rounded + n->features + (size_t)n->hidden * (size_t)(1 + bucket * 2 + half);
}

static int bucket_of(const TrainPosition *p, const TrainGoal *goal)
{
    return nnue_output_bucket(bit_count(p->occupied), goal->men_per_bucket);
}

static double forward(const TrainNet *n, Slice *s, const TrainPosition *p, const TrainGoal *goal,
                      int symmetry, int inputs[2][MAX_MEN], int *count)
{
    const int bucket = bucket_of(p, goal);
    *count = features_of(p, goal->is_from_corner, symmetry, inputs);
    forward_halves(n, s->sums, (const int(*)[MAX_MEN])inputs, *count);
    return output_of(n, s->sums[0], weights_of(n, bucket, 0)) +
           output_of(n, s->sums[1], weights_of(n, bucket, 1)) +
           n->rounded[n->size - NNUE_OUTPUTS + (size_t)bucket];
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double train_target(const TrainPosition *p, const TrainGoal *goal)
{
    const double later = goal->later_weight ? sigmoid(p->later / goal->scale) : 0;
    return goal->result_weight * p->result / 2.0 + goal->later_weight * later +
           (1 - goal->result_weight - goal->later_weight) * sigmoid(p->score / goal->scale);
}

// Adds the errors of an output to the sums and returns the slope of the loss there.
static double slope_of(const TrainPosition *p, const TrainGoal *goal, double z, TrainSums *sums)
{
    const double hand = goal->hand_scale > 0 ? p->hand / goal->hand_scale : 0;
    const double result = p->result / 2.0, score = sigmoid(p->score / goal->scale);
    const double y = sigmoid(z + hand);
    const double e = y - train_target(p, goal);
    const double size = fmin(fabs(z), 4);
    sums->loss += e * e;
    sums->against_result += (y - result) * (y - result);
    sums->against_score += (y - score) * (y - score);
    sums->spread += size * size;
    sums->count++;
    return 2 * e * y * (1 - y);
}

// Carries the slope back to all parameters. The accumulators are overwritten by their gradients.
static void backward(const TrainNet *n, Slice *s, int bucket, const int inputs[2][MAX_MEN],
                     int count, float d)
{
    const int hidden = n->hidden;
    float *bias = s->gradient + n->features;
    for (int half = 0; half < 2; half++) {
        const float *restrict w = weights_of(n, bucket, half);
        float *restrict gw = bias + (size_t)hidden * (size_t)(1 + bucket * 2 + half);
        float *restrict x = s->sums[half];
        for (int i = 0; i < hidden; i++) {
            const float inside = x[i] > 0 && x[i] < 1 ? 2 * d * x[i] * w[i] : 0;
            gw[i] += d * x[i] * x[i];
            bias[i] += inside;
            x[i] = inside;
        }
        for (int k = 0; k < count; k++) {
            float *restrict row = s->gradient + (size_t)inputs[half][k] * (size_t)hidden;
            for (int i = 0; i < hidden; i++)
                row[i] += x[i];
        }
    }
    s->gradient[n->size - NNUE_OUTPUTS + (size_t)bucket] += d;
}

typedef struct BatchJob {
    TrainNet *net;
    const TrainPosition *const *batch;
    const TrainGoal *goal;
    int count;
    bool learns;
    double rate, decay;
} BatchJob;

// Any number for each sample of each step.
static int symmetry_for(const TrainNet *n, int sample)
{
    const uint64_t mixed =
        (n->steps * 0x9e3779b97f4a7c15ull + (uint64_t)sample) * 0xbf58476d1ce4e5b9ull;
    return (int)(mixed >> 60);
}

static void slice_run(void *context, size_t index, int worker)
{
    const BatchJob *job = context;
    TrainNet *n = job->net;
    Slice *s = &n->slices[index];
    const int from = (int)((int64_t)job->count * (int64_t)index / n->threads);
    const int to = (int)((int64_t)job->count * ((int64_t)index + 1) / n->threads);
    (void)worker;
    memset(&s->totals, 0, sizeof s->totals);
    if (job->learns)
        memset(s->gradient, 0, n->size * sizeof(float));
    for (int i = from; i < to; i++) {
        const TrainPosition *p = job->batch[i];
        int inputs[2][MAX_MEN], count;
        const int symmetry = job->learns ? symmetry_for(n, i) & job->goal->symmetries : 0;
        const double z = forward(n, s, p, job->goal, symmetry, inputs, &count);
        const double slope = slope_of(p, job->goal, z, &s->totals);
        if (job->learns)
            backward(n, s, bucket_of(p, job->goal), (const int(*)[MAX_MEN])inputs, count,
                     (float)slope);
    }
}

// AdamW on one part of the parameters; the slices' gradients are added up on the way.
static void adam_run(void *context, size_t index, int worker)
{
    const BatchJob *job = context;
    TrainNet *n = job->net;
    const size_t from = n->size * index / (size_t)n->threads,
                 to = n->size * (index + 1) / (size_t)n->threads;
    const float scale = 1.0f / (float)job->count, rate = (float)job->rate;
    const float correct_first = (float)(1 / (1 - pow(0.9, (double)n->steps)));
    const float correct_second = (float)(1 / (1 - pow(0.999, (double)n->steps)));
    const size_t bias = n->features, output = bias + (size_t)n->hidden;
    (void)worker;
    for (size_t i = from; i < to; i++) {
        float g = 0;
        for (int t = 0; t < n->threads; t++)
            g += n->slices[t].gradient[i];
        g *= scale;
        const float m = n->first[i] = 0.9f * n->first[i] + 0.1f * g;
        const float v = n->second[i] = 0.999f * n->second[i] + 0.001f * g * g;
        const bool decays = i < bias || (i >= output && i < n->size - NNUE_OUTPUTS);
        float w = n->parameters[i];
        w -= rate * (m * correct_first / (sqrtf(v * correct_second) + 1e-8f) +
                     (decays ? (float)job->decay * w : 0));
        const float limit = limit_of(n, i);
        w = fminf(fmaxf(w, -limit), limit);
        n->parameters[i] = w;
        n->rounded[i] = exported(n, i, w);
    }
}

static void sums_add(TrainNet *n, TrainSums *sums)
{
    for (int i = 0; i < n->threads; i++) {
        const TrainSums *s = &n->slices[i].totals;
        sums->loss += s->loss;
        sums->against_result += s->against_result;
        sums->against_score += s->against_score;
        sums->spread += s->spread;
        sums->count += s->count;
    }
}

void train_net_step(TrainNet *n, const TrainPosition *const *batch, int count,
                    const TrainGoal *goal, double rate, double decay, TrainSums *sums)
{
    BatchJob job = {n, batch, goal, count, true, rate, decay};
    parallel_for((size_t)n->threads, n->threads, slice_run, &job);
    n->steps++;
    parallel_for((size_t)n->threads, n->threads, adam_run, &job);
    sums_add(n, sums);
}

void train_net_measure(TrainNet *n, const TrainPosition *const *batch, int count,
                       const TrainGoal *goal, TrainSums *sums)
{
    BatchJob job = {n, batch, goal, count, false, 0, 0};
    parallel_for((size_t)n->threads, n->threads, slice_run, &job);
    sums_add(n, sums);
}

double train_net_value(TrainNet *n, const TrainPosition *position, const TrainGoal *goal)
{
    int inputs[2][MAX_MEN], count;
    return forward(n, &n->slices[0], position, goal, 0, inputs, &count);
}
