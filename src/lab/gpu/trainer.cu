// The trainer of the shape that plays on the GPU. Unpacking, the large matrix products (cuBLAS,
// tensor cores; two for each king bucket: the rows of a batch are grouped by bucket, so that
// buckets cost no more than their memory) and the schedule are the course's; here one kernel does
// the rest of the net, the loss and the gradients of the small layers; then AdamW.
//
// The forward pass uses the very integers that will be exported: first-layer weights are rounded to
// 1/255 and held as whole numbers in fp16, whose sums are exact as far as clipping lets them
// matter.
#include "lab/gpu/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 32,  // positions that a block takes at once
    SCALES = 40, // candidates of device_fit_scale
};

struct Trainer : Course {
    // Parameters, moments and gradients, in one order: feature, bias, output, output bias.
    float *parameters, *first, *second, *gradient;
    __half *weights16, *output16; // as exported: whole numbers, multiples of 1/64
    float *bias_whole;
    __half *sums16;      // [2 * batch][hidden] accumulators
    __half *gradients16; // the same
};

static size_t feature_size(const Trainer *t)
{
    return (size_t)t->views.buckets * NNUE_INPUTS * t->hidden;
}
extern "C" uint64_t trainer_size(const Trainer *t)
{
    return feature_size(t) + t->hidden + (size_t)NNUE_OUTPUTS * 2 * t->hidden + NNUE_OUTPUTS;
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
    if (lane == 0)
        sums_add(l.total, counted);
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

static size_t layer_shared(int hidden)
{
    const int groups = LAYER_THREADS / (hidden / 2);
    return (size_t)groups * NNUE_OUTPUTS * 2 * hidden * sizeof(float);
}

static bool trainer_take(Trainer *t, Error *error)
{
    const size_t rows = 2 * (size_t)t->batch, size = trainer_size(t);
    return device_take(&t->parameters, size * 4, error) &&
           device_take(&t->first, size * 4, error) && device_take(&t->second, size * 4, error) &&
           device_take(&t->gradient, size * 4, error) &&
           device_take(&t->weights16, feature_size(t) * 2, error) &&
           device_take(&t->output16, (size_t)NNUE_OUTPUTS * 2 * t->hidden * 2, error) &&
           device_take(&t->bias_whole, (size_t)t->hidden * 4, error) &&
           device_take(&t->sums16, rows * t->hidden * 2, error) &&
           device_take(&t->gradients16, rows * t->hidden * 2, error) &&
           cuda_ok(cudaFuncSetAttribute(second_layer, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        (int)layer_shared(t->hidden)),
                   "second layer", error);
}

static bool trainer_look(Course *course, bool learns, Error *error);
static bool trainer_learn(Course *course, float rate, float decay, Error *error);

extern "C" Trainer *trainer_new(Device *device, const TrainerShape *shape, uint64_t seed,
                                Error *error)
{
    const int hidden = shape->hidden, batch = shape->batch;
    if ((hidden != 128 && hidden != 256 && hidden != 512 && hidden != 1024) ||
        batch % COURSE_STEP || shape->buckets < 1 || shape->buckets > NNUE_MAX_KING_BUCKETS) {
        error_set(error, "trainer: width %d or batch %d is not possible", hidden, batch);
        return NULL;
    }
    Trainer *t = (Trainer *)calloc(1, sizeof *t);
    if (!t) {
        error_set(error, "no memory");
        return NULL;
    }
    t->look = trainer_look;
    t->learn = trainer_learn;
    if (!course_init(t, device, hidden, batch, shape->buckets, shape->king_bucket, error) ||
        !trainer_take(t, error) || !trainer_restart(t, seed, error)) {
        trainer_free(t);
        return NULL;
    }
    return t;
}

extern "C" void trainer_free(Trainer *t)
{
    if (!t)
        return;
    void *const memory[] = {t->parameters, t->first,      t->second, t->gradient,   t->weights16,
                            t->output16,   t->bias_whole, t->sums16, t->gradients16};
    for (void *m : memory)
        cudaFree(m);
    course_release(t);
    free(t);
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
        host[i] = i < bucket                 ? uniform_next(&seed, 0.06f)
                  : i < features             ? host[i - bucket]
                  : i < features + t->hidden ? 0.2f
                                             : uniform_next(&seed, output_limit);
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
                                  : row < NNUE_INPUTS ? uniform_next(&seed, 0.06f)
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

static bool trainer_look(Course *course, bool learns, Error *error)
{
    Trainer *t = static_cast<Trainer *>(course);
    if (!course_men_sums(t, t->weights16, t->sums16, error))
        return false;
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
    return cuda_ok(cudaGetLastError(), "second layer", error);
}

static bool trainer_learn(Course *course, float rate, float decay, Error *error)
{
    Trainer *t = static_cast<Trainer *>(course);
    const float scale = 1.f / (LOSS_SCALE * t->batch);
    if (!course_men_gradient(t, t->gradients16, scale, t->gradient, error))
        return false;
    adam_launch(t, rate, decay);
    return cuda_ok(cudaGetLastError(), "optimiser", error);
}

extern "C" bool trainer_run(Trainer *t, const TrainRequest *request, TrainReport *report,
                            Error *error)
{
    return course_run(t, request, report, error);
}

extern "C" bool trainer_predict(Trainer *t, uint32_t count, float *values, uint16_t *men,
                                uint32_t *meta, Error *error)
{
    return course_predict(t, count, values, men, meta, error);
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
        device_take(&inverse, sizeof host, error) && device_take(&errors, sizeof found, error) &&
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
