// See course.h. Order of a step: count the rows of each king bucket (for many batches at once),
// unpack, the trainer's `look`, its `learn`.
#include "lab/gpu/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNPACK_WARPS = 8 };

bool blas_ok(cublasStatus_t status, const char *what, Error *error)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return true;
    return error_set(error, "cuBLAS: %s: %s", what, cublasGetStatusString(status));
}

bool device_take(void *pointer, size_t size, Error *error)
{
    void **p = (void **)pointer;
    return cuda_ok(cudaMalloc(p, size), "trainer's memory", error) &&
           cuda_ok(cudaMemset(*p, 0, size), "trainer's memory", error);
}

static uint64_t split_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

float uniform_next(uint64_t *state, float limit)
{
    return ((float)(split_next(state) >> 40) / (1 << 23) - 1) * limit;
}

// ---- Unpacking ------------------------------------------------------------------------------

static __device__ Goal goal_of(const Draw &d, uint32_t meta)
{
    const int score = (int16_t)(meta & 0xffff), result = meta >> 16 & 3, side = meta >> 18 & 1;
    Goal g;
    g.result = result == RESULT_DRAWN ? 0.5f : result == side ? 1.f : 0.f;
    g.score = sigmoid(score * d.inverse_scale);
    const int steps = (int8_t)(meta >> 24);
    const float later = sigmoid(steps * LATER_STEP * d.inverse_scale);
    g.target = d.result_weight * g.result + d.later_weight * later +
               (1 - d.result_weight - d.later_weight) * g.score;
    g.bucket = nnue_output_bucket((int)(meta >> 19 & 31) + 1, 4);
    g.is_open = result == RESULT_OPEN && steps != LATER_NONE;
    if (result == RESULT_OPEN)
        g.target = g.result = g.score;
    return g;
}

// Counts the rows of each king bucket in the next COUNTED batches.
static __global__ void __launch_bounds__(COURSE_STEP)
    count_rows(const __grid_constant__ Draw d, const __grid_constant__ Views views, int batch,
               int *counts)
{
    __shared__ int mine[NNUE_MAX_KING_BUCKETS];
    const uint64_t sample = (uint64_t)blockIdx.x * COURSE_STEP + threadIdx.x;
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

// One warp unpacks one position: rows are built in shared memory and written whole.
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

// ---- Memory ---------------------------------------------------------------------------------

bool course_init(Course *c, Device *device, int hidden, int batch, int buckets,
                 const uint8_t king_bucket[64], Error *error)
{
    const size_t rows = 2 * (size_t)batch, workspace = 64u << 20;
    const size_t counts = COUNTED * NNUE_MAX_KING_BUCKETS * sizeof(int);
    c->device = device;
    c->hidden = hidden;
    c->batch = batch;
    c->views.buckets = buckets;
    c->epsilon = 1e-8f;
    memcpy(c->views.of_square, king_bucket, sizeof c->views.of_square);
    return blas_ok(cublasCreate(&c->blas), "start", error) &&
           device_take(&c->workspace, workspace, error) &&
           blas_ok(cublasSetWorkspace(c->blas, c->workspace, workspace), "workspace", error) &&
           // Sums of fp16 are to be exact, whatever way of adding up a small product takes.
           blas_ok(cublasSetMathMode(c->blas, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                   "mode", error) &&
           device_take(&c->inputs, rows * NNUE_INPUTS * 2, error) &&
           device_take(&c->goals, batch * sizeof(Goal), error) &&
           device_take(&c->rows, rows * sizeof(int), error) &&
           device_take(&c->counts, counts, error) && device_take(&c->cursors, counts, error) &&
           device_take(&c->values, (size_t)batch * 4, error) &&
           device_take(&c->sums, sizeof(Sums), error);
}

void course_release(Course *c)
{
    void *const memory[] = {c->workspace, c->inputs,  c->goals,  c->rows,
                            c->counts,    c->cursors, c->values, c->sums};
    for (void *m : memory)
        cudaFree(m);
    if (c->blas)
        cublasDestroy(c->blas);
}

// ---- Batches --------------------------------------------------------------------------------

Draw course_draw(const Device *d, int buffer, uint64_t window, double scale, double result_weight)
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
    draw.inverse_scale = (float)(1 / scale);
    draw.result_weight = (float)result_weight;
    return draw;
}

// Sees to it that the rows of this batch are counted; returns its number among the counted.
static bool count_ahead(Course *c, const Draw *draw, int *index, Error *error)
{
    const uint64_t ahead = (draw->number - c->counted_from) / c->batch;
    if (c->is_counted && ahead < COUNTED) {
        *index = (int)ahead;
        return true;
    }
    const size_t bytes = (size_t)COUNTED * c->views.buckets * sizeof(int);
    int counts[COUNTED * NNUE_MAX_KING_BUCKETS];
    if (!cuda_ok(cudaMemsetAsync(c->counts, 0, bytes), "rows", error) ||
        !cuda_ok(cudaMemsetAsync(c->cursors, 0, bytes), "rows", error))
        return false;
    count_rows<<<(unsigned)((size_t)COUNTED * c->batch / COURSE_STEP), COURSE_STEP>>>(
        *draw, c->views, c->batch, c->counts);
    if (!cuda_ok(cudaMemcpy(counts, c->counts, bytes, cudaMemcpyDeviceToHost), "rows", error))
        return false;
    for (int i = 0; i < COUNTED; i++)
        for (int k = 0; k < c->views.buckets; k++)
            c->counted[i][k] = counts[i * c->views.buckets + k];
    c->counted_from = draw->number;
    c->is_counted = true;
    *index = 0;
    return true;
}

// Lays out the rows of a batch: `first` row and `count` of each king bucket.
static bool rows_lay(Course *c, const Draw *draw, Rows *rows, Error *error)
{
    int index = 0;
    memset(rows, 0, sizeof *rows);
    rows->of = c->rows;
    c->batch_count[0] = 2 * c->batch;
    if (c->views.buckets == 1)
        return true;
    if (!count_ahead(c, draw, &index, error))
        return false;
    rows->cursors = c->cursors + index * c->views.buckets;
    int first = 0;
    for (int k = 0; k < c->views.buckets; k++) {
        rows->first[k] = first;
        c->batch_count[k] = c->counted[index][k];
        first += c->batch_count[k];
    }
    return true;
}

bool course_load(Course *c, const Draw *draw, Error *error)
{
    Rows rows;
    if (!rows_lay(c, draw, &rows, error))
        return false;
    c->draw = *draw;
    unpack<<<c->batch / UNPACK_WARPS, UNPACK_WARPS * 32>>>(*draw, c->views, rows, c->inputs,
                                                           c->goals, c->batch);
    return cuda_ok(cudaGetLastError(), "unpacking", error);
}

bool course_men_sums(Course *c, const __half *weights, __half *sums, Error *error)
{
    const float one = 1, zero = 0;
    size_t first = 0;
    // Rows of ours are columns of cuBLAS: sums = weights * inputs.
    for (int k = 0; k < c->views.buckets; k++) {
        const int count = c->batch_count[k];
        if (count &&
            !blas_ok(cublasGemmEx(c->blas, CUBLAS_OP_N, CUBLAS_OP_N, c->hidden, count, NNUE_INPUTS,
                                  &one, weights + (size_t)k * NNUE_INPUTS * c->hidden, CUDA_R_16F,
                                  c->hidden, c->inputs + first * NNUE_INPUTS, CUDA_R_16F,
                                  NNUE_INPUTS, &zero, sums + first * c->hidden, CUDA_R_16F,
                                  c->hidden, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     "forward", error))
            return false;
        first += count;
    }
    return true;
}

bool course_men_gradient(Course *c, const __half *slopes, float scale, float *gradient,
                         Error *error)
{
    const float zero = 0;
    size_t first = 0;
    for (int k = 0; k < c->views.buckets; k++) {
        const int count = c->batch_count[k];
        float *to = gradient + (size_t)k * NNUE_INPUTS * c->hidden;
        if (!count) {
            if (!cuda_ok(cudaMemsetAsync(to, 0, (size_t)NNUE_INPUTS * c->hidden * 4), "gradient",
                         error))
                return false;
        } else if (!blas_ok(cublasGemmEx(c->blas, CUBLAS_OP_N, CUBLAS_OP_T, c->hidden, NNUE_INPUTS,
                                         count, &scale, slopes + first * c->hidden, CUDA_R_16F,
                                         c->hidden, c->inputs + first * NNUE_INPUTS, CUDA_R_16F,
                                         NNUE_INPUTS, &zero, to, CUDA_R_32F, c->hidden,
                                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                            "gradient", error)) {
            return false;
        }
        first += count;
    }
    return true;
}

// ---- Training and measuring -----------------------------------------------------------------

static bool read_sums(Course *c, Sums *sums, Error *error)
{
    return cuda_ok(cudaMemcpy(sums, c->sums, sizeof *sums, cudaMemcpyDeviceToHost), "training",
                   error) &&
           cuda_ok(cudaMemset(c->sums, 0, sizeof *sums), "training", error);
}

static bool validate(Course *c, const TrainRequest *r, TrainReport *report, Error *error)
{
    Draw draw = course_draw(c->device, 1, VALIDATION_MAX, r->scale, r->result_weight);
    c->is_counted = false;
    Sums sums;
    if (!read_sums(c, &sums, error))
        return false;
    draw.later_weight = (float)r->later_weight;
    draw.in_order = true;
    const uint32_t most = draw.count < VALIDATION_MAX ? draw.count : VALIDATION_MAX;
    for (draw.number = 0; draw.number + c->batch <= most; draw.number += c->batch)
        if (!course_load(c, &draw, error) || !c->look(c, false, error))
            return false;
    if (!read_sums(c, &sums, error))
        return false;
    const double n = sums.count ? (double)sums.count : 1;
    report->validation = sums.loss / n;
    report->against_result = sums.against_result / n;
    report->against_score = sums.against_score / n;
    report->spread = sqrt(sums.spread / n);
    report->validated = sums.count;
    return true;
}

// The steps of a training; the sums are those of the last tenth.
static bool run_steps(Course *c, const TrainRequest *r, Draw *draw, uint64_t steps, Error *error)
{
    const uint64_t tail = steps - steps / 10, warm_up = c->steps ? 0 : 200;
    const double to = r->to > 0 ? r->to : 1;
    Sums forgotten;
    for (uint64_t i = 0; i < steps; i++) {
        const double part = r->from + (to - r->from) * (double)i / (double)steps;
        double rate = r->end_rate + (r->rate - r->end_rate) * 0.5 * (1 + cos(M_PI * part));
        if (i < warm_up)
            rate *= (double)(i + 1) / (double)warm_up;
        draw->number = c->samples;
        c->samples += c->batch;
        if (!course_load(c, draw, error) || (i == tail && !read_sums(c, &forgotten, error)) ||
            !c->look(c, true, error))
            return false;
        c->steps++;
        if (!c->learn(c, (float)rate, (float)r->decay, error))
            return false;
    }
    return true;
}

bool course_run(Course *c, const TrainRequest *r, TrainReport *report, Error *error)
{
    Draw draw = course_draw(c->device, 0, r->window, r->scale, r->result_weight);
    Sums sums;
    memset(report, 0, sizeof *report);
    draw.later_weight = (float)r->later_weight;
    c->epsilon = r->epsilon > 0 ? (float)r->epsilon : 1e-8f;
    c->is_counted = false;
    if (draw.count < (uint32_t)c->batch)
        return error_set(error, "trainer: %u positions are fewer than one batch", draw.count);
    cudaEvent_t begin, end;
    if (!cuda_ok(cudaEventCreate(&begin), "event", error) ||
        !cuda_ok(cudaEventCreate(&end), "event", error))
        return false;
    cudaEventRecord(begin);
    bool ok = run_steps(c, r, &draw, r->samples / c->batch, error);
    cudaEventRecord(end);
    float ms = 0;
    ok = ok && cuda_ok(cudaDeviceSynchronize(), "training", error) &&
         cuda_ok(cudaEventElapsedTime(&ms, begin, end), "time", error) &&
         read_sums(c, &sums, error);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    if (!ok)
        return false;
    report->seconds = ms / 1e3;
    report->loss = sums.count ? sums.loss / (double)sums.count : 0;
    return validate(c, r, report, error);
}

bool course_predict(Course *c, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                    Error *error)
{
    Draw draw = course_draw(c->device, 0, count, 400, 0);
    Sums sums;
    c->is_counted = false;
    if (draw.count < count || draw.first + count > draw.capacity)
        return error_set(error, "trainer: the newest %u positions are not in one piece", count);
    draw.in_order = true;
    for (uint32_t done = 0; done < count; done += c->batch) {
        const uint32_t part = count - done < (uint32_t)c->batch ? count - done : c->batch;
        draw.number = done;
        if (!course_load(c, &draw, error) || !c->look(c, false, error) ||
            !cuda_ok(cudaMemcpy(values + done, c->values, part * 4, cudaMemcpyDeviceToHost),
                     "values", error))
            return false;
    }
    return read_sums(c, &sums, error) &&
           cuda_ok(cudaMemcpy(men, draw.men + (size_t)draw.first * 32, (size_t)count * 64,
                              cudaMemcpyDeviceToHost),
                   "records", error) &&
           cuda_ok(
               cudaMemcpy(meta, draw.meta + draw.first, (size_t)count * 4, cudaMemcpyDeviceToHost),
               "records", error);
}
