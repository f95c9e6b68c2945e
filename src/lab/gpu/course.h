// What all trainers on the GPU share: positions drawn in a pseudo-random order and unpacked to
// dense one-hot rows grouped by king bucket, the two large matrix products over them, the schedule
// of a training, its measuring. A trainer brings the net behind the first sums and its optimiser.
// Private to this folder, CUDA only; start at course_run.
#ifndef LOVAC_LAB_GPU_COURSE_H
#define LOVAC_LAB_GPU_COURSE_H

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "engine/nnue_features.h"
#include "lab/gpu/device.h"

enum {
    COURSE_STEP = 256, // a batch is a multiple of it
    COUNTED = 64,      // batches whose rows are counted by king bucket at once
    VALIDATION_MAX = 1 << 20,
};

static const float LOSS_SCALE = 1024; // keeps gradients inside fp16

// What a position should be worth.
struct Goal {
    float target, result, score; // probabilities
    int bucket;                  // of the output
    bool is_open;                // the game has no result yet: not to be trained on
};

struct Sums { // over positions
    double loss, against_result, against_score, spread;
    unsigned long long count;
};

struct Views { // the king buckets
    int buckets;
    uint8_t of_square[64]; // turned and mirrored
};

struct Draw { // which records a batch is made of
    const uint16_t *men;
    const uint32_t *meta;
    uint32_t capacity, first, count; // the window, first place and size
    uint64_t number;                 // of the first sample
    uint32_t half_bits;
    bool in_order;
    float inverse_scale, result_weight, later_weight;
};

struct Course {
    Device *device;
    cublasHandle_t blas;
    void *workspace;
    int hidden, batch;
    Views views;
    uint64_t steps, samples; // ever
    __half *inputs;          // [2 * batch][768]
    Goal *goals;
    int *rows;     // [2][batch]: the row of a position's perspective, side to move first
    float *values; // the net's output
    Sums *sums;
    Draw draw;     // of the batch under way
    float epsilon; // of the optimiser
    // Rows of the next batches by bucket: counted ahead, so that the host seldom waits.
    int *counts, *cursors; // [COUNTED][buckets]; cursors: how many rows of a bucket are taken
    int counted[COUNTED][NNUE_MAX_KING_BUCKETS];
    uint64_t counted_from; // number of the first counted sample
    bool is_counted;
    int batch_count[NNUE_MAX_KING_BUCKETS]; // of the batch under way
    // The trainer's part. `look` finds values and sums of the batch loaded and, if it learns, what
    // `learn` needs for gradients and optimiser.
    bool (*look)(Course *course, bool learns, Error *error);
    bool (*learn)(Course *course, float rate, float decay, Error *error);
};

// Sets device, hidden, batch, views; takes memory. The trainer sets look and learn.
bool course_init(Course *course, Device *device, int hidden, int batch, int buckets,
                 const uint8_t king_bucket[64], Error *error);
void course_release(Course *course);

// Unpacks the batch that `draw` names.
bool course_load(Course *course, const Draw *draw, Error *error);

// sums [2 * batch][hidden] = inputs * weights [buckets][768][hidden], whole numbers in fp16.
bool course_men_sums(Course *course, const __half *weights, __half *sums, Error *error);

// gradient [buckets][768][hidden] of the same from slopes [2 * batch][hidden], times `scale`.
bool course_men_gradient(Course *course, const __half *slopes, float scale, float *gradient,
                         Error *error);

// Trains as asked, then measures on the held-out positions.
bool course_run(Course *course, const TrainRequest *request, TrainReport *report, Error *error);

// See trainer_predict in layers.h.
bool course_predict(Course *course, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                    Error *error);

// The newest `window` (0: all) records of a buffer.
Draw course_draw(const Device *device, int buffer, uint64_t window, double scale,
                 double result_weight);

// False, with cuBLAS' error in words, unless the call succeeded.
bool blas_ok(cublasStatus_t status, const char *what, Error *error);

// Takes device memory, all zero. `pointer` is the address of a pointer.
bool device_take(void *pointer, size_t size, Error *error);

// A pseudo-random number between -limit and limit.
float uniform_next(uint64_t *state, float limit);

#ifdef __CUDACC__

static __device__ __forceinline__ uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// A permutation of 0..count-1 that changes with every pass through the window: a Feistel network
// over the next even power of two, repeated until it lands inside.
static __device__ __forceinline__ uint32_t permuted(const Draw &d, uint64_t number)
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

// Where in the buffer a sample lies.
static __device__ __forceinline__ uint32_t place_of(const Draw &d, uint64_t number)
{
    const uint32_t offset = d.in_order ? (uint32_t)(number % d.count) : permuted(d, number);
    return (uint32_t)(((uint64_t)d.first + offset) % d.capacity);
}

static __device__ __forceinline__ float sigmoid(float x)
{
    return 1.f / (1.f + __expf(-x));
}

// Is the unit inside its linear part?
static __device__ __forceinline__ float inside(float x)
{
    return x > 0.f && x < 1.f ? 1.f : 0.f;
}

static __device__ __forceinline__ float limited(float w, float limit)
{
    return fminf(fmaxf(w, -limit), limit);
}

// The error's slope at the output; sums are kept by lane 0 of each warp.
static __device__ __forceinline__ float slope_of(const Goal &g, float z, Sums *mine)
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

// Adds what a warp has counted to the total.
static __device__ __forceinline__ void sums_add(Sums *total, const Sums &mine)
{
    atomicAdd(&total->loss, mine.loss);
    atomicAdd(&total->against_result, mine.against_result);
    atomicAdd(&total->against_score, mine.against_score);
    atomicAdd(&total->spread, mine.spread);
    atomicAdd(&total->count, mine.count);
}

#endif
#endif
