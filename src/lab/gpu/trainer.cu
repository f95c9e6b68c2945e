// The trainer on the GPU. A step: positions are drawn in a pseudo-random order and unpacked to
// dense one-hot rows; two large matrix products (cuBLAS, tensor cores) do the first layer forward
// and its gradient (two for each king bucket: the rows of a batch are grouped by bucket, so that
// buckets cost no more than their memory); one kernel does the rest of the net, the loss and the
// gradients of the small layers; AdamW.
//
// The forward pass uses the very integers that will be exported: first-layer weights are rounded to
// 1/255 and held as whole numbers in fp16, whose sums are exact as far as clipping lets them
// matter.
#include "lab/gpu/device.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/nnue_features.h"

enum {
    CHUNK = 32,  // positions that a block takes at once
    SCALES = 40, // candidates of device_fit_scale
    VALIDATION_MAX = 1 << 20,
    COUNTED = 64, // batches whose rows are counted by king bucket at once
    COUNT_THREADS = 256,
};

static const float LOSS_SCALE = 1024; // keeps gradients inside fp16

// What the second layer needs to know of a position.
struct Goal {
    float target, result, score; // probabilities
    int bucket;
    bool is_open; // the game has no result yet: not to be trained on
};

struct Sums { // over positions
    double loss, against_result, against_score, spread;
    unsigned long long count;
};

struct Views { // the king buckets
    int buckets;
    uint8_t of_square[64]; // turned and mirrored
};

struct Trainer {
    Device *device;
    cublasHandle_t blas;
    int hidden, batch;
    Views views;
    uint64_t steps, samples; // ever
    // Parameters, moments and gradients, in one order: feature, bias, output, output bias.
    float *parameters, *first, *second, *gradient;
    __half *weights16, *output16; // as exported: whole numbers, multiples of 1/64
    float *bias_whole;
    __half *inputs;      // [2 * batch][768]
    __half *sums16;      // [2 * batch][hidden] accumulators
    __half *gradients16; // the same
    Goal *goals;
    int *rows;     // [2][batch]: the row of a position's perspective
    float *values; // the net's output
    // Rows of the next batches by bucket: counted ahead, so that the host seldom waits.
    int *counts, *cursors; // [COUNTED][buckets]; cursors: how many rows of a bucket are taken
    int counted[COUNTED][NNUE_MAX_KING_BUCKETS];
    uint64_t counted_from; // number of the first counted sample
    bool is_counted;
    int batch_count[NNUE_MAX_KING_BUCKETS]; // of the batch under way
    Sums *sums;
    void *workspace;
};

static size_t feature_size(const Trainer *t)
{
    return (size_t)t->views.buckets * NNUE_INPUTS * t->hidden;
}
extern "C" uint64_t trainer_size(const Trainer *t)
{
    return feature_size(t) + t->hidden + (size_t)NNUE_OUTPUTS * 2 * t->hidden + NNUE_OUTPUTS;
}

// ---- Unpacking ------------------------------------------------------------------------------

struct Draw { // which records a batch is made of
    const uint16_t *men;
    const uint32_t *meta;
    uint32_t capacity, first, count; // the window, first place and size
    uint64_t number;                 // of the first sample
    uint32_t half_bits;
    bool in_order;
    float inverse_scale, result_weight;
};

static __device__ uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// A permutation of 0..count-1 that changes with every pass through the window: a Feistel network
// over the next even power of two, repeated until it lands inside.
static __device__ uint32_t permuted(const Draw &d, uint64_t number)
{
    const uint32_t epoch = (uint32_t)(number / d.count), mask = (1u << d.half_bits) - 1;
    uint32_t i = (uint32_t)(number % d.count);
    do {
        uint32_t left = i >> d.half_bits, right = i & mask;
        for (uint32_t round = 0; round < 4; round++) {
            const uint32_t next =
                left ^ (mix(right + epoch * 0x9e3779b9u + round * 0x85ebca6bu) & mask);
            left = right;
            right = next;
        }
        i = left << d.half_bits | right;
    } while (i >= d.count);
    return i;
}

static __device__ float sigmoid(float x)
{
    return 1.f / (1.f + __expf(-x));
}

static __device__ Goal goal_of(const Draw &d, uint32_t meta)
{
    const int score = (int16_t)(meta & 0xffff), result = meta >> 16 & 3, side = meta >> 18 & 1;
    Goal g;
    g.result = result == RESULT_DRAWN ? 0.5f : result == side ? 1.f : 0.f;
    g.score = sigmoid(score * d.inverse_scale);
    g.target = d.result_weight * g.result + (1 - d.result_weight) * g.score;
    g.bucket = nnue_output_bucket((int)(meta >> 19 & 31) + 1, 4);
    g.is_open = result == RESULT_OPEN;
    return g;
}

static __device__ uint32_t place_of(const Draw &d, uint64_t number)
{
    const uint32_t offset = d.in_order ? (uint32_t)(number % d.count) : permuted(d, number);
    return (uint32_t)(((uint64_t)d.first + offset) % d.capacity);
}

// Counts the rows of each king bucket in the next COUNTED batches.
static __global__ void __launch_bounds__(COUNT_THREADS)
    count_rows(const __grid_constant__ Draw d, const __grid_constant__ Views views, int batch,
               int *counts)
{
    __shared__ int mine[NNUE_MAX_KING_BUCKETS];
    const uint64_t sample = (uint64_t)blockIdx.x * COUNT_THREADS + threadIdx.x;
    if (threadIdx.x < NNUE_MAX_KING_BUCKETS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    const uint16_t *men = d.men + (size_t)place_of(d, d.number + sample) * 32;
    for (int color = 0; color < 2; color++)
        atomicAdd(&mine[nnue_view(color, men[color * 16] & 63, views.of_square).bucket], 1);
    __syncthreads();
    if (threadIdx.x < views.buckets)
        atomicAdd(&counts[sample / batch * views.buckets + threadIdx.x], mine[threadIdx.x]);
}

enum { UNPACK_WARPS = 8 };

struct Rows {     // where the rows of a batch go
    int *of;      // [2][batch]
    int *cursors; // [buckets]
    int first[NNUE_MAX_KING_BUCKETS];
};

// Gives each position of a block a row for each perspective, those of a king bucket together.
static __device__ void rows_take(const Rows &r, int buckets, int own, int other, int taken[2])
{
    __shared__ int counts[NNUE_MAX_KING_BUCKETS], bases[NNUE_MAX_KING_BUCKETS];
    const int lane = threadIdx.x & 31;
    if (threadIdx.x < NNUE_MAX_KING_BUCKETS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    int place = 0;
    if (lane < 2)
        place = atomicAdd(&counts[lane ? other : own], 1);
    __syncthreads();
    if (threadIdx.x < buckets)
        bases[threadIdx.x] =
            r.first[threadIdx.x] + atomicAdd(&r.cursors[threadIdx.x], counts[threadIdx.x]);
    __syncthreads();
    taken[0] = bases[own] + __shfl_sync(~0u, place, 0);
    taken[1] = bases[other] + __shfl_sync(~0u, place, 1);
}

// One warp unpacks one position: rows are built in shared memory and written whole. The batch is a
// multiple of a block's positions.
static __global__ void __launch_bounds__(UNPACK_WARPS * 32)
    unpack(const __grid_constant__ Draw d, const __grid_constant__ Views views,
           const __grid_constant__ Rows r, __half *inputs, Goal *goals, int batch)
{
    __shared__ __align__(16) __half rows[UNPACK_WARPS][2][NNUE_INPUTS];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int sample = blockIdx.x * UNPACK_WARPS + warp;
    const uint32_t place = place_of(d, d.number + sample);
    const int man = d.men[(size_t)place * 32 + lane];
    const uint32_t meta = d.meta[place];
    const int side = meta >> 18 & 1;

    uint4 *words = (uint4 *)rows[warp];
    for (int i = lane; i < 2 * NNUE_INPUTS / 8; i += 32)
        words[i] = make_uint4(0, 0, 0, 0);
    __syncwarp();
    const NnueView view[2] = {
        nnue_view(side, __shfl_sync(~0u, man, side * 16) & 63, views.of_square),
        nnue_view(side ^ 1, __shfl_sync(~0u, man, (side ^ 1) * 16) & 63, views.of_square)};
    if (man < RECORD_NO_MAN) {
        const int color = man >= 384, type = (man - color * 384) >> 6, square = man & 63;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const NnueView inside = {view[half].turn, 0};
            rows[warp][half][nnue_feature(inside, side ^ half, color, type, square)] =
                __float2half(1.f);
        }
    }
    int taken[2] = {sample, batch + sample};
    if (views.buckets > 1)
        rows_take(r, views.buckets, view[0].bucket, view[1].bucket, taken);
    __syncwarp();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        uint4 *out = (uint4 *)(inputs + (size_t)taken[half] * NNUE_INPUTS);
        for (int i = lane; i < NNUE_INPUTS / 8; i += 32)
            out[i] = ((const uint4 *)rows[warp][half])[i];
        if (lane == 0)
            r.of[half * batch + sample] = taken[half];
    }
    if (lane == 0)
        goals[sample] = goal_of(d, meta);
}

// ---- The second layer, the loss and their gradients --------------------------------------------

struct Layer {
    const __half *sums;   // [2 * batch][hidden]
    const int *rows;      // [2][batch]
    const float *bias;    // whole numbers
    const __half *output; // [8][2 * hidden]
    const float *output_bias;
    const Goal *goals;
    __half *gradients;                                      // as sums
    float *bias_gradient, *output_gradient, *last_gradient; // added to
    float *values;
    Sums *total;
    int batch, hidden;
    bool learns;
    float gradient_scale; // 1 / batch
};

static __device__ float2 clipped(__half2 sum, float2 bias)
{
    const float2 a = __half22float2(sum);
    const float top = 1.f / NNUE_QA;
    return make_float2(__saturatef((a.x + bias.x) * top), __saturatef((a.y + bias.y) * top));
}

// Is the unit inside its linear part?
static __device__ float inside(float x)
{
    return x > 0.f && x < 1.f ? 1.f : 0.f;
}

// The net's output for one position, by one warp.
static __device__ float output_of(const Layer &l, int sample, int bucket)
{
    const int pairs = l.hidden / 2, lane = threadIdx.x & 31;
    const __half2 *own = (const __half2 *)(l.sums + (size_t)l.rows[sample] * l.hidden);
    const __half2 *other = (const __half2 *)(l.sums + (size_t)l.rows[l.batch + sample] * l.hidden);
    const __half2 *weights = (const __half2 *)(l.output + (size_t)bucket * 2 * l.hidden);
    const float2 *bias = (const float2 *)l.bias;
    float z = 0;
    for (int j = lane; j < pairs; j += 32) {
        const float2 b = bias[j], x = clipped(own[j], b), y = clipped(other[j], b);
        const float2 u = __half22float2(weights[j]), v = __half22float2(weights[pairs + j]);
        z += x.x * x.x * u.x + x.y * x.y * u.y + y.x * y.x * v.x + y.y * y.y * v.y;
    }
    for (int k = 16; k; k >>= 1)
        z += __shfl_xor_sync(~0u, z, k);
    return z + l.output_bias[bucket];
}

// The error's slope at the output; sums are kept by lane 0 of each warp.
static __device__ float slope_of(const Goal &g, float z, Sums *mine)
{
    if (g.is_open)
        return 0;
    const float p = sigmoid(z), e = p - g.target;
    const float size = fminf(fabsf(z), 4.f);
    mine->loss += e * e;
    mine->against_result += (p - g.result) * (p - g.result);
    mine->against_score += (p - g.score) * (p - g.score);
    mine->spread += size * size;
    mine->count++;
    return 2 * e * p * (1 - p);
}

enum { LAYER_THREADS = 512 };

// First each warp finds outputs and slopes of positions; then each thread carries the slopes back
// to its two units for all positions of the chunk. Threads own their sums in shared memory: no
// atomics there.
static __global__ void __launch_bounds__(LAYER_THREADS) second_layer(const Layer l)
{
    extern __shared__ float sums[]; // [groups][8][2 * hidden]
    __shared__ float slopes[CHUNK];
    __shared__ int buckets[CHUNK], rows[2][CHUNK];
    __shared__ float last[NNUE_OUTPUTS];
    const int pairs = l.hidden / 2, groups = LAYER_THREADS / pairs;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int group = threadIdx.x / pairs, j = threadIdx.x % pairs;
    const int group_size = NNUE_OUTPUTS * 2 * l.hidden;
    float2 *mine = (float2 *)(sums + (size_t)group * group_size);
    Sums counted = {0, 0, 0, 0, 0};
    float2 bias_sum = make_float2(0, 0);
    const float2 bias = ((const float2 *)l.bias)[j];
    if (l.learns)
        for (int i = threadIdx.x; i < groups * group_size; i += LAYER_THREADS)
            sums[i] = 0;
    if (threadIdx.x < NNUE_OUTPUTS)
        last[threadIdx.x] = 0;

    for (int first = blockIdx.x * CHUNK; first < l.batch; first += gridDim.x * CHUNK) {
        __syncthreads();
        for (int p = warp; p < CHUNK; p += LAYER_THREADS / 32) {
            const Goal g = l.goals[first + p];
            const float z = output_of(l, first + p, g.bucket);
            if (lane == 0) {
                slopes[p] = slope_of(g, z, &counted);
                buckets[p] = g.bucket;
                rows[0][p] = l.rows[first + p];
                rows[1][p] = l.rows[l.batch + first + p];
                l.values[first + p] = z;
            }
        }
        __syncthreads();
        if (!l.learns)
            continue;
        for (int p = group; p < CHUNK; p += groups) {
            const float d = slopes[p];
            const int bucket = buckets[p];
            const size_t row = (size_t)rows[0][p] * pairs + j,
                         other_row = (size_t)rows[1][p] * pairs + j;
            const __half2 *weights = (const __half2 *)(l.output + (size_t)bucket * 2 * l.hidden);
            const float2 x = clipped(((const __half2 *)l.sums)[row], bias);
            const float2 y = clipped(((const __half2 *)l.sums)[other_row], bias);
            const float2 u = __half22float2(weights[j]), v = __half22float2(weights[pairs + j]);
            float2 *own_sum = mine + bucket * 2 * pairs + j, *other_sum = own_sum + pairs;
            own_sum->x += d * x.x * x.x;
            own_sum->y += d * x.y * x.y;
            other_sum->x += d * y.x * y.x;
            other_sum->y += d * y.y * y.y;
            const float2 gx =
                make_float2(2 * d * x.x * u.x * inside(x.x), 2 * d * x.y * u.y * inside(x.y));
            const float2 gy =
                make_float2(2 * d * y.x * v.x * inside(y.x), 2 * d * y.y * v.y * inside(y.y));
            bias_sum.x += gx.x + gy.x;
            bias_sum.y += gx.y + gy.y;
            ((__half2 *)l.gradients)[row] = __floats2half2_rn(gx.x * LOSS_SCALE, gx.y * LOSS_SCALE);
            ((__half2 *)l.gradients)[other_row] =
                __floats2half2_rn(gy.x * LOSS_SCALE, gy.y * LOSS_SCALE);
        }
        if (threadIdx.x < CHUNK)
            atomicAdd(&last[buckets[threadIdx.x]], slopes[threadIdx.x]);
    }
    if (lane == 0) {
        atomicAdd(&l.total->loss, counted.loss);
        atomicAdd(&l.total->against_result, counted.against_result);
        atomicAdd(&l.total->against_score, counted.against_score);
        atomicAdd(&l.total->spread, counted.spread);
        atomicAdd(&l.total->count, counted.count);
    }
    __syncthreads();
    if (!l.learns)
        return;
    for (int i = threadIdx.x; i < group_size; i += LAYER_THREADS) {
        float sum = 0;
        for (int g = 0; g < groups; g++)
            sum += sums[(size_t)g * group_size + i];
        atomicAdd(&l.output_gradient[i], sum * l.gradient_scale);
    }
    atomicAdd(&l.bias_gradient[2 * j], bias_sum.x * l.gradient_scale);
    atomicAdd(&l.bias_gradient[2 * j + 1], bias_sum.y * l.gradient_scale);
    if (threadIdx.x < NNUE_OUTPUTS)
        atomicAdd(&l.last_gradient[threadIdx.x], last[threadIdx.x] * l.gradient_scale);
}

// ---- AdamW ----------------------------------------------------------------------------------

struct Adam {
    float *parameters, *first, *second, *gradient;
    __half *weights16, *output16;
    float *bias_whole;
    size_t features, size;
    int hidden;
    float rate, decay, correct_first, correct_second;
};

static __device__ float limited(float w, float limit)
{
    return fminf(fmaxf(w, -limit), limit);
}

// Updates one parameter and writes its exported form beside it.
static __global__ void adam_step(const Adam a)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.size)
        return;
    const bool is_feature = i < a.features, is_bias = !is_feature && i < a.features + a.hidden;
    const bool is_output = !is_feature && !is_bias && i < a.size - NNUE_OUTPUTS;
    const float g = a.gradient[i];
    if (!is_feature)
        a.gradient[i] = 0; // the next step adds to it; the product writes over the features' part
    const float m = a.first[i] = 0.9f * a.first[i] + 0.1f * g;
    const float v = a.second[i] = 0.999f * a.second[i] + 0.001f * g * g;
    float w = a.parameters[i];
    w -= a.rate * (m * a.correct_first / (sqrtf(v * a.correct_second) + 1e-8f) +
                   (is_feature || is_output ? a.decay * w : 0));
    if (is_feature) {
        w = limited(w, (float)NNUE_MAX_WEIGHT / NNUE_QA);
        a.weights16[i] = __float2half(rintf(w * NNUE_QA));
    } else if (is_bias) {
        w = limited(w, (float)NNUE_MAX_BIAS / NNUE_QA);
        a.bias_whole[i - a.features] = rintf(w * NNUE_QA);
    } else if (is_output) {
        w = limited(w, (float)NNUE_MAX_OUTPUT_WEIGHT / NNUE_QB);
        a.output16[i - a.features - a.hidden] = __float2half(rintf(w * NNUE_QB) / NNUE_QB);
    }
    a.parameters[i] = w;
}

// ---- The host's side ------------------------------------------------------------------------

static bool blas_ok(cublasStatus_t status, const char *what, Error *error)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return true;
    return error_set(error, "cuBLAS: %s: %s", what, cublasGetStatusString(status));
}

static bool take(void *pointer, size_t size, Error *error)
{
    void **p = (void **)pointer;
    return cuda_ok(cudaMalloc(p, size), "trainer's memory", error) &&
           cuda_ok(cudaMemset(*p, 0, size), "trainer's memory", error);
}

static size_t layer_shared(int hidden)
{
    const int groups = LAYER_THREADS / (hidden / 2);
    return (size_t)groups * NNUE_OUTPUTS * 2 * hidden * sizeof(float);
}

static bool trainer_init(Trainer *t, Error *error)
{
    const size_t rows = 2 * (size_t)t->batch, size = trainer_size(t), workspace = 64u << 20;
    return blas_ok(cublasCreate(&t->blas), "start", error) &&
           take(&t->workspace, workspace, error) &&
           blas_ok(cublasSetWorkspace(t->blas, t->workspace, workspace), "workspace", error) &&
           take(&t->parameters, size * 4, error) && take(&t->first, size * 4, error) &&
           take(&t->second, size * 4, error) && take(&t->gradient, size * 4, error) &&
           take(&t->weights16, feature_size(t) * 2, error) &&
           take(&t->output16, (size_t)NNUE_OUTPUTS * 2 * t->hidden * 2, error) &&
           take(&t->bias_whole, (size_t)t->hidden * 4, error) &&
           take(&t->inputs, rows * NNUE_INPUTS * 2, error) &&
           take(&t->sums16, rows * t->hidden * 2, error) &&
           take(&t->gradients16, rows * t->hidden * 2, error) &&
           take(&t->goals, t->batch * sizeof(Goal), error) &&
           take(&t->rows, rows * sizeof(int), error) &&
           take(&t->counts, COUNTED * NNUE_MAX_KING_BUCKETS * sizeof(int), error) &&
           take(&t->cursors, COUNTED * NNUE_MAX_KING_BUCKETS * sizeof(int), error) &&
           take(&t->values, t->batch * 4, error) && take(&t->sums, sizeof(Sums), error) &&
           cuda_ok(cudaFuncSetAttribute(second_layer, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        (int)layer_shared(t->hidden)),
                   "second layer", error);
}

extern "C" Trainer *trainer_new(Device *device, const TrainerShape *shape, uint64_t seed,
                                Error *error)
{
    const int hidden = shape->hidden, batch = shape->batch;
    if ((hidden != 128 && hidden != 256 && hidden != 512 && hidden != 1024) ||
        batch % COUNT_THREADS || shape->buckets < 1 || shape->buckets > NNUE_MAX_KING_BUCKETS) {
        error_set(error, "trainer: width %d or batch %d is not possible", hidden, batch);
        return NULL;
    }
    Trainer *t = (Trainer *)calloc(1, sizeof *t);
    if (!t) {
        error_set(error, "no memory");
        return NULL;
    }
    t->device = device;
    t->hidden = hidden;
    t->batch = batch;
    t->views.buckets = shape->buckets;
    memcpy(t->views.of_square, shape->king_bucket, sizeof t->views.of_square);
    if (!trainer_init(t, error) || !trainer_restart(t, seed, error)) {
        trainer_free(t);
        return NULL;
    }
    return t;
}

extern "C" void trainer_free(Trainer *t)
{
    if (!t)
        return;
    void *const memory[] = {t->parameters, t->first,  t->second,     t->gradient,    t->weights16,
                            t->output16,   t->inputs, t->sums16,     t->gradients16, t->goals,
                            t->values,     t->sums,   t->bias_whole, t->workspace,   t->rows,
                            t->counts,     t->cursors};
    for (void *m : memory)
        cudaFree(m);
    if (t->blas)
        cublasDestroy(t->blas);
    free(t);
}

static uint64_t split_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static float uniform(uint64_t *state, float limit)
{
    return ((float)(split_next(state) >> 40) / (1 << 23) - 1) * limit;
}

static void adam_launch(const Trainer *t, float rate, float decay)
{
    Adam a = {t->parameters,
              t->first,
              t->second,
              t->gradient,
              t->weights16,
              t->output16,
              t->bias_whole,
              feature_size(t),
              trainer_size(t),
              t->hidden,
              rate,
              decay,
              1,
              1};
    if (t->steps) {
        a.correct_first = (float)(1 / (1 - pow(0.9, (double)t->steps)));
        a.correct_second = (float)(1 / (1 - pow(0.999, (double)t->steps)));
    }
    adam_step<<<(unsigned)((a.size + 255) / 256), 256>>>(a);
}

extern "C" bool trainer_restart(Trainer *t, uint64_t seed, Error *error)
{
    const size_t size = trainer_size(t), features = feature_size(t);
    float *host = (float *)malloc(size * 3 * 4);
    if (!host)
        return error_set(error, "no memory");
    memset(host, 0, size * 3 * 4);
    const float output_limit = 1.6f / sqrtf((float)t->hidden);
    const size_t bucket = (size_t)NNUE_INPUTS * t->hidden;
    for (size_t i = 0; i < size - NNUE_OUTPUTS; i++)
        host[i] = i < bucket                 ? uniform(&seed, 0.06f)
                  : i < features             ? host[i - bucket]
                  : i < features + t->hidden ? 0.2f
                                             : uniform(&seed, output_limit);
    // All buckets begin alike.
    float *output = host + features + t->hidden;
    for (int b = 1; b < NNUE_OUTPUTS; b++)
        memcpy(output + (size_t)b * 2 * t->hidden, output, (size_t)2 * t->hidden * 4);
    bool ok = trainer_write_state(t, host, 0, error);
    free(host);
    return ok;
}

// Parameters of a larger net that computes the same: king buckets begin as copies, new units with
// random inputs and no output.
static void grow(const Trainer *to, float *out, const Trainer *from, const float *in, uint64_t seed)
{
    const size_t wide = to->hidden, narrow = from->hidden;
    const size_t rows = (size_t)to->views.buckets * NNUE_INPUTS,
                 old_rows = (size_t)from->views.buckets * NNUE_INPUTS;
    memset(out, 0, trainer_size(to) * 4);
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < wide; i++)
            out[row * wide + i] = i < narrow          ? in[row % old_rows * narrow + i]
                                  : row < NNUE_INPUTS ? uniform(&seed, 0.06f)
                                                      : out[row % NNUE_INPUTS * wide + i];
    out += rows * wide;
    in += old_rows * narrow;
    for (size_t i = 0; i < wide; i++)
        out[i] = i < narrow ? in[i] : 0.2f;
    out += wide;
    in += narrow;
    for (int half = 0; half < 2 * NNUE_OUTPUTS; half++)
        memcpy(out + half * wide, in + half * narrow, narrow * 4);
    memcpy(out + 2 * NNUE_OUTPUTS * wide, in + 2 * NNUE_OUTPUTS * narrow, NNUE_OUTPUTS * 4);
}

extern "C" bool trainer_grow(Trainer *t, Trainer *from, uint64_t seed, Error *error)
{
    if (t->hidden < from->hidden || t->views.buckets % from->views.buckets)
        return error_set(error,
                         "trainer: a net of %d units and %d king buckets cannot become %d, %d",
                         from->hidden, from->views.buckets, t->hidden, t->views.buckets);
    float *in = (float *)malloc(trainer_size(from) * 4),
          *out = (float *)calloc(3 * trainer_size(t), 4);
    bool ok = (in && out) || error_set(error, "no memory");
    ok = ok && trainer_read(from, in, error);
    if (ok) {
        grow(t, out, from, in, seed);
        ok = trainer_write_state(t, out, 0, error);
    }
    free(in);
    free(out);
    return ok;
}

extern "C" bool trainer_write_state(Trainer *t, const float *state, uint64_t steps, Error *error)
{
    const size_t bytes = trainer_size(t) * 4;
    t->steps = steps;
    bool ok =
        cuda_ok(cudaMemcpy(t->parameters, state, bytes, cudaMemcpyHostToDevice), "state", error) &&
        cuda_ok(cudaMemset(t->gradient, 0, bytes), "state", error);
    if (!ok)
        return false;
    // A step of rate 0 writes the exported forms; the moments, which it touches, come after it.
    adam_launch(t, 0, 0);
    const size_t size = trainer_size(t);
    return cuda_ok(cudaGetLastError(), "state", error) &&
           cuda_ok(cudaMemcpy(t->first, state + size, bytes, cudaMemcpyHostToDevice), "state",
                   error) &&
           cuda_ok(cudaMemcpy(t->second, state + 2 * size, bytes, cudaMemcpyHostToDevice), "state",
                   error);
}

extern "C" bool trainer_read(Trainer *t, float *parameters, Error *error)
{
    return cuda_ok(
        cudaMemcpy(parameters, t->parameters, trainer_size(t) * 4, cudaMemcpyDeviceToHost),
        "parameters", error);
}

extern "C" bool trainer_read_state(Trainer *t, float *state, uint64_t *steps, Error *error)
{
    const size_t size = trainer_size(t);
    *steps = t->steps;
    return trainer_read(t, state, error) &&
           cuda_ok(cudaMemcpy(state + size, t->first, size * 4, cudaMemcpyDeviceToHost), "state",
                   error) &&
           cuda_ok(cudaMemcpy(state + 2 * size, t->second, size * 4, cudaMemcpyDeviceToHost),
                   "state", error);
}

static Draw draw_of(const Device *d, int buffer, uint64_t window, const TrainRequest *r)
{
    const RecordBuffer *b = &d->records[buffer];
    const uint64_t written = d->counters[buffer];
    const uint64_t kept = written < b->capacity ? written : b->capacity;
    Draw draw;
    memset(&draw, 0, sizeof draw);
    draw.men = b->men;
    draw.meta = b->meta;
    draw.capacity = b->capacity;
    draw.count = (uint32_t)(window && window < kept ? window : kept);
    draw.first = (uint32_t)((written - draw.count) % b->capacity);
    while (1ull << 2 * draw.half_bits < draw.count)
        draw.half_bits++;
    draw.inverse_scale = (float)(1 / r->scale);
    draw.result_weight = (float)r->result_weight;
    return draw;
}

// Sees to it that the rows of this batch are counted; returns its number among the counted.
static bool count_ahead(Trainer *t, const Draw *draw, int *index, Error *error)
{
    const uint64_t ahead = (draw->number - t->counted_from) / t->batch;
    if (t->is_counted && ahead < COUNTED) {
        *index = (int)ahead;
        return true;
    }
    const size_t bytes = (size_t)COUNTED * t->views.buckets * sizeof(int);
    int counts[COUNTED * NNUE_MAX_KING_BUCKETS];
    if (!cuda_ok(cudaMemsetAsync(t->counts, 0, bytes), "rows", error) ||
        !cuda_ok(cudaMemsetAsync(t->cursors, 0, bytes), "rows", error))
        return false;
    count_rows<<<(unsigned)((size_t)COUNTED * t->batch / COUNT_THREADS), COUNT_THREADS>>>(
        *draw, t->views, t->batch, t->counts);
    if (!cuda_ok(cudaMemcpy(counts, t->counts, bytes, cudaMemcpyDeviceToHost), "rows", error))
        return false;
    for (int i = 0; i < COUNTED; i++)
        for (int k = 0; k < t->views.buckets; k++)
            t->counted[i][k] = counts[i * t->views.buckets + k];
    t->counted_from = draw->number;
    t->is_counted = true;
    *index = 0;
    return true;
}

// Lays out the rows of a batch: `first` row and `count` of each king bucket.
static bool rows_lay(Trainer *t, const Draw *draw, Rows *rows, Error *error)
{
    int index = 0;
    memset(rows, 0, sizeof *rows);
    rows->of = t->rows;
    t->batch_count[0] = 2 * t->batch;
    if (t->views.buckets == 1)
        return true;
    if (!count_ahead(t, draw, &index, error))
        return false;
    rows->cursors = t->cursors + index * t->views.buckets;
    int first = 0;
    for (int k = 0; k < t->views.buckets; k++) {
        rows->first[k] = first;
        t->batch_count[k] = t->counted[index][k];
        first += t->batch_count[k];
    }
    return true;
}

static bool forward(Trainer *t, const Draw *draw, Error *error)
{
    const float one = 1, zero = 0;
    Rows rows;
    if (!rows_lay(t, draw, &rows, error))
        return false;
    unpack<<<t->batch / UNPACK_WARPS, UNPACK_WARPS * 32>>>(*draw, t->views, rows, t->inputs,
                                                           t->goals, t->batch);
    // Rows of ours are columns of cuBLAS: sums = weights * inputs.
    size_t first = 0;
    for (int k = 0; k < t->views.buckets; k++) {
        const int count = t->batch_count[k];
        if (count &&
            !blas_ok(cublasGemmEx(t->blas, CUBLAS_OP_N, CUBLAS_OP_N, t->hidden, count, NNUE_INPUTS,
                                  &one, t->weights16 + (size_t)k * NNUE_INPUTS * t->hidden,
                                  CUDA_R_16F, t->hidden, t->inputs + first * NNUE_INPUTS,
                                  CUDA_R_16F, NNUE_INPUTS, &zero, t->sums16 + first * t->hidden,
                                  CUDA_R_16F, t->hidden, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     "forward", error))
            return false;
        first += count;
    }
    return true;
}

static void rest_of_net(Trainer *t, bool learns)
{
    Layer l;
    float *small = t->gradient + feature_size(t);
    l.sums = t->sums16;
    l.rows = t->rows;
    l.bias = t->bias_whole;
    l.output = t->output16;
    l.output_bias = t->parameters + trainer_size(t) - NNUE_OUTPUTS;
    l.goals = t->goals;
    l.gradients = t->gradients16;
    l.bias_gradient = small;
    l.output_gradient = small + t->hidden;
    l.last_gradient = t->gradient + trainer_size(t) - NNUE_OUTPUTS;
    l.values = t->values;
    l.total = t->sums;
    l.batch = t->batch;
    l.hidden = t->hidden;
    l.learns = learns;
    l.gradient_scale = 1.f / t->batch;
    const int chunks = t->batch / CHUNK,
              blocks = chunks < t->device->blocks ? chunks : t->device->blocks;
    second_layer<<<blocks, LAYER_THREADS, layer_shared(t->hidden)>>>(l);
}

static bool backward(Trainer *t, float rate, float decay, Error *error)
{
    const float scale = 1.f / (LOSS_SCALE * t->batch), zero = 0;
    size_t first = 0;
    for (int k = 0; k < t->views.buckets; k++) {
        const int count = t->batch_count[k];
        float *gradient = t->gradient + (size_t)k * NNUE_INPUTS * t->hidden;
        if (!count) {
            if (!cuda_ok(cudaMemsetAsync(gradient, 0, (size_t)NNUE_INPUTS * t->hidden * 4),
                         "gradient", error))
                return false;
        } else if (!blas_ok(cublasGemmEx(t->blas, CUBLAS_OP_N, CUBLAS_OP_T, t->hidden, NNUE_INPUTS,
                                         count, &scale, t->gradients16 + first * t->hidden,
                                         CUDA_R_16F, t->hidden, t->inputs + first * NNUE_INPUTS,
                                         CUDA_R_16F, NNUE_INPUTS, &zero, gradient, CUDA_R_32F,
                                         t->hidden, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                            "gradient", error)) {
            return false;
        }
        first += count;
    }
    t->steps++;
    adam_launch(t, rate, decay);
    return true;
}

static bool read_sums(Trainer *t, Sums *sums, Error *error)
{
    return cuda_ok(cudaMemcpy(sums, t->sums, sizeof *sums, cudaMemcpyDeviceToHost), "training",
                   error) &&
           cuda_ok(cudaMemset(t->sums, 0, sizeof *sums), "training", error);
}

static bool validate(Trainer *t, const TrainRequest *r, TrainReport *report, Error *error)
{
    Draw draw = draw_of(t->device, 1, VALIDATION_MAX, r);
    t->is_counted = false;
    Sums sums;
    if (!read_sums(t, &sums, error))
        return false;
    draw.in_order = true;
    const uint32_t most = draw.count < VALIDATION_MAX ? draw.count : VALIDATION_MAX;
    for (draw.number = 0; draw.number + t->batch <= most; draw.number += t->batch) {
        if (!forward(t, &draw, error))
            return false;
        rest_of_net(t, false);
    }
    if (!read_sums(t, &sums, error))
        return false;
    const double n = sums.count ? (double)sums.count : 1;
    report->validation = sums.loss / n;
    report->against_result = sums.against_result / n;
    report->against_score = sums.against_score / n;
    report->spread = sqrt(sums.spread / n);
    report->validated = sums.count;
    return true;
}

extern "C" bool trainer_run(Trainer *t, const TrainRequest *r, TrainReport *report, Error *error)
{
    Draw draw = draw_of(t->device, 0, r->window, r);
    t->is_counted = false;
    const uint64_t steps = r->samples / t->batch, tail = steps - steps / 10;
    const uint64_t warm_up = t->steps ? 0 : 200;
    const double to = r->to > 0 ? r->to : 1;
    Sums sums;
    memset(report, 0, sizeof *report);
    if (draw.count < (uint32_t)t->batch)
        return error_set(error, "trainer: %u positions are fewer than one batch", draw.count);
    cudaEvent_t begin, end;
    if (!cuda_ok(cudaEventCreate(&begin), "event", error) ||
        !cuda_ok(cudaEventCreate(&end), "event", error))
        return false;
    cudaEventRecord(begin);
    bool ok = true;
    for (uint64_t i = 0; i < steps && ok; i++) {
        const double part = r->from + (to - r->from) * (double)i / (double)steps;
        double rate = r->end_rate + (r->rate - r->end_rate) * 0.5 * (1 + cos(M_PI * part));
        if (i < warm_up)
            rate *= (double)(i + 1) / (double)warm_up;
        draw.number = t->samples;
        t->samples += t->batch;
        ok = forward(t, &draw, error);
        if (i == tail)
            ok = ok && read_sums(t, &sums, error); // forget what came before
        rest_of_net(t, true);
        ok = ok && backward(t, (float)rate, (float)r->decay, error);
    }
    cudaEventRecord(end);
    float ms = 0;
    ok = ok && cuda_ok(cudaDeviceSynchronize(), "training", error) &&
         cuda_ok(cudaEventElapsedTime(&ms, begin, end), "time", error) &&
         read_sums(t, &sums, error);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    if (!ok)
        return false;
    report->seconds = ms / 1e3;
    report->loss = sums.count ? sums.loss / (double)sums.count : 0;
    return validate(t, r, report, error);
}

extern "C" bool trainer_predict(Trainer *t, uint32_t count, float *values, uint16_t *men,
                                uint32_t *meta, Error *error)
{
    TrainRequest r;
    memset(&r, 0, sizeof r);
    r.scale = 400;
    Draw draw = draw_of(t->device, 0, count, &r);
    t->is_counted = false;
    if (draw.count < count || draw.first + count > draw.capacity)
        return error_set(error, "trainer: the newest %u positions are not in one piece", count);
    draw.in_order = true;
    for (uint32_t done = 0; done < count; done += t->batch) {
        const uint32_t part = count - done < (uint32_t)t->batch ? count - done : t->batch;
        draw.number = done;
        if (!forward(t, &draw, error))
            return false;
        rest_of_net(t, false);
        if (!cuda_ok(cudaMemcpy(values + done, t->values, part * 4, cudaMemcpyDeviceToHost),
                     "values", error))
            return false;
    }
    Sums sums;
    return read_sums(t, &sums, error) &&
           cuda_ok(cudaMemcpy(men, draw.men + (size_t)draw.first * 32, (size_t)count * 64,
                              cudaMemcpyDeviceToHost),
                   "records", error) &&
           cuda_ok(
               cudaMemcpy(meta, draw.meta + draw.first, (size_t)count * 4, cudaMemcpyDeviceToHost),
               "records", error);
}

// ---- The scale of scores --------------------------------------------------------------------

static double scale_candidate(int i)
{
    return 80 * pow(1.08, i);
}

static __global__ void fit_scales(const uint32_t *meta, uint32_t count, const float *inverse,
                                  double *errors)
{
    float sums[SCALES];
    for (int i = 0; i < SCALES; i++)
        sums[i] = 0;
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count;
         k += gridDim.x * blockDim.x) {
        const uint32_t m = meta[k];
        const int score = (int16_t)(m & 0xffff), result = m >> 16 & 3, side = m >> 18 & 1;
        if (result == RESULT_OPEN)
            continue;
        const float r = result == RESULT_DRAWN ? 0.5f : result == side ? 1.f : 0.f;
        for (int i = 0; i < SCALES; i++) {
            const float e = sigmoid(score * inverse[i]) - r;
            sums[i] += e * e;
        }
    }
    for (int i = 0; i < SCALES; i++) {
        float s = sums[i];
        for (int k = 16; k; k >>= 1)
            s += __shfl_xor_sync(~0u, s, k);
        if ((threadIdx.x & 31) == 0)
            atomicAdd(&errors[i], (double)s);
    }
}

extern "C" bool device_fit_scale(Device *d, double *scale, Error *error)
{
    const RecordBuffer *b = &d->records[1];
    const uint32_t count = d->counters[1] < b->capacity ? (uint32_t)d->counters[1] : b->capacity;
    float host[SCALES], *inverse = NULL;
    double found[SCALES], *errors = NULL;
    for (int i = 0; i < SCALES; i++)
        host[i] = (float)(1 / scale_candidate(i));
    bool ok =
        take(&inverse, sizeof host, error) && take(&errors, sizeof found, error) &&
        cuda_ok(cudaMemcpy(inverse, host, sizeof host, cudaMemcpyHostToDevice), "scale", error);
    if (ok) {
        fit_scales<<<d->blocks, 256>>>(b->meta, count, inverse, errors);
        ok = cuda_ok(cudaGetLastError(), "scale", error) &&
             cuda_ok(cudaMemcpy(found, errors, sizeof found, cudaMemcpyDeviceToHost), "scale",
                     error);
    }
    cudaFree(inverse);
    cudaFree(errors);
    int best = 0;
    for (int i = 1; i < SCALES && ok; i++)
        if (found[i] < found[best])
            best = i;
    *scale = scale_candidate(best);
    return ok;
}
