// See student.h. A step, after the course has unpacked a batch and added up the rows of men: one
// warp a position finds its threats and counts them by input; one kernel adds their rows (whole
// numbers in bytes) to the sums and multiplies the halves; a matrix product gives the first layer
// of all eight output buckets; one warp a position does the rest, the loss and the slopes; matrix
// products give the gradients of the layers. The gradient of threats is added up by input: the
// places of a counting sort are known by then.
//
// The forward pass uses the very integers that will be exported; slopes go straight through the
// rounding. AdamW.
#include "lab/gpu/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/nnue_threats.h"
#include "lab/gpu/course.h"

enum {
    LIST = 128,   // most threats of a perspective
    WARPS = 8,    // of a block, one position each
    SEGMENT = 64, // sorted threats that a group of threads takes at once
    GROUPS = 8,   // groups of a block
    SCAN_THREADS = 1024,
    L1 = NNUE_L1,
    L2 = NNUE_L2,
    L1_ALL = NNUE_OUTPUTS * L1,
    L2_ALL = NNUE_OUTPUTS * L2,
    RAISED = 128, // added to the weights of threats, which so become bytes without sign
};

struct ThreatTables { // constant
    NnueThreatTables inputs;
    uint64_t lines[4][64]; // rank, file and both slants through a square, without it
};

struct Student : Course {
    StudentParts parts;
    bool has_threats;
    // Parameters, moments and gradients in the order of StudentParts.
    float *parameters, *first, *second, *gradient;
    // Weights as exported.
    __half *men16;     // [buckets][768][hidden], whole numbers
    uint8_t *threats8; // [NNUE_THREATS][hidden], raised
    __half *layer16;   // [hidden][8][16], whole numbers
    float *small;      // from the bias on: whole numbers, then rounded ones
    ThreatTables *tables;
    uint32_t *lists;    // [2 * batch][LIST]: input | its number among equal ones << 16
    int *list_counts;   // [2 * batch]
    int *found, *begin; // [NNUE_THREATS + 1]: how often an input is on; where its rows begin
    uint32_t *sorted;   // row << 16 | input
    // A batch on its way.
    __half *sums16;   // [2 * batch][hidden]
    uint8_t *clipped; // the same, with threats
    __half *products; // [batch][hidden]
    float *z;         // [batch][8][16]
    __half *z_slopes; // the same
    __half *h;        // [batch][32]
    __half *y_slopes; // [batch][8][32]
    __half *product_slopes, *slopes, *ones;
};

// ---- Threats --------------------------------------------------------------------------------

// Squares that a slider attacks along a line: borrows run to the nearest man on both sides.
static __device__ uint64_t line_attacks(uint64_t line, int square, uint64_t occupied)
{
    const uint64_t men = line & occupied;
    const uint64_t up = men - (1ull << square);
    const uint64_t down = __brevll(__brevll(men) - (1ull << (63 - square)));
    return (up ^ down) & line;
}

// The men that a man attacks or defends.
static __device__ uint64_t targets_of(const ThreatTables *t, int color, int type, int square,
                                      uint64_t occupied)
{
    if (type <= 1)
        return t->inputs.reach[nnue_reach_kind(color, type)][square] & occupied;
    uint64_t attacks = 0;
    if (type != 2)
        attacks |= line_attacks(t->lines[0][square], square, occupied) |
                   line_attacks(t->lines[1][square], square, occupied);
    if (type != 3)
        attacks |= line_attacks(t->lines[2][square], square, occupied) |
                   line_attacks(t->lines[3][square], square, occupied);
    return attacks & occupied;
}

// One warp lists the threats of one position for both perspectives. `found` is NULL when nothing is
// learned.
static __global__ void __launch_bounds__(WARPS * 32)
    find_threats(const __grid_constant__ Draw d, const ThreatTables *t, const int *rows, int batch,
                 uint32_t *lists, int *list_counts, int *found)
{
    __shared__ uint8_t boards[WARPS][64];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int sample = blockIdx.x * WARPS + warp;
    const uint32_t place = place_of(d, d.number + sample);
    const int man = d.men[(size_t)place * 32 + lane], side = d.meta[place] >> 18 & 1;
    const bool is_alive = man < RECORD_NO_MAN;
    const int color = man >= 384, type = is_alive ? (man - color * 384) >> 6 : 5, from = man & 63;
    // Kings block, but neither attack nor are attacked.
    const uint64_t bit = is_alive ? 1ull << from : 0, seen = type < 5 ? bit : 0;
    const uint64_t occupied = (uint64_t)__reduce_or_sync(~0u, (uint32_t)(bit >> 32)) << 32 |
                              __reduce_or_sync(~0u, (uint32_t)bit);
    const uint64_t wanted = (uint64_t)__reduce_or_sync(~0u, (uint32_t)(seen >> 32)) << 32 |
                            __reduce_or_sync(~0u, (uint32_t)seen);
    if (is_alive)
        boards[warp][from] = (uint8_t)(color << 3 | type);
    __syncwarp();
    int turn[2], row[2], count[2] = {0, 0};
    for (int half = 0; half < 2; half++) {
        const int us = side ^ half, king = __shfl_sync(~0u, man, us * 16) & 63;
        turn[half] = (us ? 56 : 0) ^ (king & 4 ? 7 : 0);
        row[half] = rows[half * batch + sample];
    }
    uint64_t targets = type < 5 ? targets_of(t, color, type, from, occupied) & wanted : 0;
    while (__any_sync(~0u, targets != 0)) {
        const int to = targets ? __ffsll((long long)targets) - 1 : 0, victim = boards[warp][to];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int input = targets ? nnue_threat(&t->inputs, turn[half], side ^ half, color,
                                                    type, from, victim >> 3, victim & 7, to)
                                      : -1;
            const uint32_t hits = __ballot_sync(~0u, input >= 0);
            const int slot = count[half] + __popc(hits & ((1u << lane) - 1));
            if (input >= 0 && slot < LIST) {
                const uint32_t number = found ? (uint32_t)atomicAdd(&found[input], 1) : 0;
                lists[(size_t)row[half] * LIST + slot] = (uint32_t)input | number << 16;
            }
            count[half] += __popc(hits);
        }
        targets &= targets - 1;
    }
    if (lane < 2)
        list_counts[row[lane]] = min(count[lane], (int)LIST);
}

// begin[i] = found[0] + ... + found[i - 1], by one block.
static __global__ void __launch_bounds__(SCAN_THREADS) scan_threats(const int *found, int *begin)
{
    __shared__ int sums[SCAN_THREADS];
    const int each = (NNUE_THREATS + SCAN_THREADS - 1) / SCAN_THREADS;
    const int from = threadIdx.x * each, to = min(from + each, (int)NNUE_THREATS);
    int sum = 0;
    for (int i = from; i < to; i++)
        sum += found[i];
    sums[threadIdx.x] = sum;
    for (int step = 1; step < SCAN_THREADS; step *= 2) {
        __syncthreads();
        const int before = (int)threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
    }
    int at = sums[threadIdx.x] - sum;
    for (int i = from; i < to; i++) {
        begin[i] = at;
        at += found[i];
    }
    if (threadIdx.x == SCAN_THREADS - 1)
        begin[NNUE_THREATS] = sums[threadIdx.x];
}

// ---- Sums to products -----------------------------------------------------------------------

struct Pairs {
    const __half *sums;      // [2 * batch][hidden]
    const float *bias;       // whole numbers
    const int *rows;         // [2][batch]
    const uint8_t *threats8; // NULL: none
    const uint32_t *lists;
    const int *list_counts;
    const int *begin; // NULL: nothing is learned
    uint32_t *sorted;
    uint8_t *clipped;
    __half *products;
    int batch, hidden;
};

// Adds four bytes to four 16-bit sums.
static __device__ __forceinline__ void add_bytes(uint32_t sums[2], uint32_t bytes)
{
    sums[0] += __byte_perm(bytes, 0, 0x4140);
    sums[1] += __byte_perm(bytes, 0, 0x4342);
}

// Eight units: raised sums of threats, sums of men and bias, clipped.
static __device__ __forceinline__ void clip_units(const uint32_t threats[4], int raised, uint4 men,
                                                  const float *bias, int units[8])
{
    const __half2 *sums = (const __half2 *)&men;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 s = __half22float2(sums[k]);
        const float a = s.x + bias[2 * k] + (float)((int)(threats[k] & 0xffff) - raised);
        const float b = s.y + bias[2 * k + 1] + (float)((int)(threats[k] >> 16) - raised);
        units[2 * k] = (int)fminf(fmaxf(a, 0.f), (float)NNUE_QA);
        units[2 * k + 1] = (int)fminf(fmaxf(b, 0.f), (float)NNUE_QA);
    }
}

static __device__ __forceinline__ uint2 to_bytes(const int units[8])
{
    return make_uint2(units[0] | units[1] << 8 | units[2] << 16 | units[3] << 24,
                      units[4] | units[5] << 8 | units[6] << 16 | units[7] << 24);
}

// A group of hidden / 16 threads takes a perspective, each thread eight units of both halves.
static __global__ void pair_forward(const __grid_constant__ Pairs p)
{
    const int threads = p.hidden / 16, half_width = p.hidden / 2;
    const int index = (int)((blockIdx.x * blockDim.x + threadIdx.x) / threads);
    const int t = (int)((blockIdx.x * blockDim.x + threadIdx.x) % threads);
    if (index >= 2 * p.batch)
        return;
    const int half = index / p.batch, sample = index - half * p.batch, row = p.rows[index];
    uint32_t low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0};
    int count = 0;
    if (p.threats8) {
        const uint32_t *list = p.lists + (size_t)row * LIST;
        count = p.list_counts[row];
        const uint8_t *column = p.threats8 + 8 * t;
#pragma unroll 4
        for (int k = 0; k < count; k++) {
            const uint8_t *from = column + (size_t)(list[k] & 0xffff) * p.hidden;
            const uint2 a = *(const uint2 *)from, b = *(const uint2 *)(from + half_width);
            add_bytes(low, a.x);
            add_bytes(low + 2, a.y);
            add_bytes(high, b.x);
            add_bytes(high + 2, b.y);
        }
        if (p.begin)
            for (int k = t; k < count; k += threads)
                p.sorted[p.begin[list[k] & 0xffff] + (list[k] >> 16)] =
                    (uint32_t)row << 16 | (list[k] & 0xffff);
    }
    const __half *sums = p.sums + (size_t)row * p.hidden + 8 * t;
    int a[8], b[8];
    clip_units(low, RAISED * count, *(const uint4 *)sums, p.bias + 8 * t, a);
    clip_units(high, RAISED * count, *(const uint4 *)(sums + half_width),
               p.bias + half_width + 8 * t, b);
    uint8_t *clipped = p.clipped + (size_t)row * p.hidden + 8 * t;
    *(uint2 *)clipped = to_bytes(a);
    *(uint2 *)(clipped + half_width) = to_bytes(b);
    uint4 out;
    __half2 *products = (__half2 *)&out;
#pragma unroll
    for (int k = 0; k < 4; k++)
        products[k] = __floats2half2_rn((float)(a[2 * k] * b[2 * k] >> NNUE_PRODUCT_SHIFT),
                                        (float)(a[2 * k + 1] * b[2 * k + 1] >> NNUE_PRODUCT_SHIFT));
    *(uint4 *)(p.products + (size_t)sample * p.hidden + half * half_width + 8 * t) = out;
}

// The slope that one of two factors gets: that of the product times the other one.
static __device__ __forceinline__ float factor_slope(float slope, int factor, int other)
{
    return factor > 0 && factor < NNUE_QA ? slope * (float)other * (1.f / NNUE_QA) : 0.f;
}

// Slopes of products [batch][hidden] to slopes of sums [2 * batch][hidden].
static __global__ void pair_backward(const __half *product_slopes, const uint8_t *clipped,
                                     const int *rows, __half *slopes, int batch, int hidden)
{
    const int threads = hidden / 16, half_width = hidden / 2;
    const int index = (int)((blockIdx.x * blockDim.x + threadIdx.x) / threads);
    const int t = (int)((blockIdx.x * blockDim.x + threadIdx.x) % threads);
    if (index >= 2 * batch)
        return;
    const int half = index / batch, sample = index - half * batch, row = rows[index];
    const size_t at = (size_t)row * hidden + 8 * t;
    const uint4 in =
        *(const uint4 *)(product_slopes + (size_t)sample * hidden + half * half_width + 8 * t);
    const uint2 a = *(const uint2 *)(clipped + at), b = *(const uint2 *)(clipped + at + half_width);
    const uint32_t words[4] = {a.x, a.y, b.x, b.y};
    uint4 low, high;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 slope = __half22float2(((const __half2 *)&in)[k]);
        const int shift = (k & 1) * 16;
        const uint32_t x = words[k >> 1] >> shift, y = words[2 + (k >> 1)] >> shift;
        const int x0 = x & 255, x1 = x >> 8 & 255, y0 = y & 255, y1 = y >> 8 & 255;
        ((__half2 *)&low)[k] =
            __floats2half2_rn(factor_slope(slope.x, x0, y0), factor_slope(slope.y, x1, y1));
        ((__half2 *)&high)[k] =
            __floats2half2_rn(factor_slope(slope.x, y0, x0), factor_slope(slope.y, y1, x1));
    }
    *(uint4 *)(slopes + at) = low;
    *(uint4 *)(slopes + at + half_width) = high;
}

// ---- The layers, the loss and their slopes ----------------------------------------------------

struct Small { // offsets inside the small parameters, which begin with the bias
    int first, first_bias, second, second_bias, third, third_bias, count;
};

struct Tail {
    const float *z;     // [batch][8][16], in units of NNUE_ONE
    const float *small; // as exported
    Small at;
    const Goal *goals;
    __half *z_slopes, *h, *y_slopes; // the first and last are zero before
    float *gradient;                 // of the small parameters, added to
    float *values;
    Sums *total;
    int batch;
    bool learns;
    float gradient_scale; // 1 / batch
};

struct TailWeights {
    float second[NNUE_OUTPUTS][2 * L1][L2 + 1]; // no two lanes on one bank, both ways
    float first_bias[L1_ALL], second_bias[L2_ALL], third[L2_ALL];
};

struct TailSums { // gradients of the same, but for the second layer's
    float first_bias[L1_ALL], second_bias[L2_ALL], third[L2_ALL];
};

static __device__ float warp_sum(float x)
{
    for (int k = 16; k; k >>= 1)
        x += __shfl_xor_sync(~0u, x, k);
    return x;
}

// To a whole number of NNUE_ONE.
static __device__ __forceinline__ float rounded_down(float x)
{
    return floorf(x * NNUE_ONE) * (1.f / NNUE_ONE);
}

// One warp takes a position at a time; a lane is a value of h and of y.
static __global__ void __launch_bounds__(WARPS * 32) tail_layers(const __grid_constant__ Tail l)
{
    __shared__ TailWeights w;
    __shared__ TailSums sums;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, threads = WARPS * 32;
    const float square = (float)NNUE_ONE / (1 << NNUE_SQUARE_SHIFT);
    for (int i = threadIdx.x; i < 2 * L1 * L2_ALL; i += threads)
        w.second[i / L2 % NNUE_OUTPUTS][i / L2_ALL][i % L2] = l.small[l.at.second + i];
    for (int i = threadIdx.x; i < L1_ALL; i += threads) {
        w.first_bias[i] = l.small[l.at.first_bias + i];
        sums.first_bias[i] = 0;
    }
    for (int i = threadIdx.x; i < L2_ALL; i += threads) {
        w.second_bias[i] = l.small[l.at.second_bias + i];
        w.third[i] = l.small[l.at.third + i];
        sums.second_bias[i] = sums.third[i] = 0;
    }
    __syncthreads();
    Sums counted = {0, 0, 0, 0, 0};
    for (int sample = blockIdx.x * WARPS + warp; sample < l.batch; sample += gridDim.x * WARPS) {
        const Goal g = l.goals[sample];
        const int in = g.bucket * L1 + (lane & (L1 - 1)), out = g.bucket * L2 + lane;
        const float z = l.z[(size_t)sample * L1_ALL + in] * (1.f / NNUE_ONE) + w.first_bias[in];
        const float cut = fminf(fmaxf(z, -1.f), 1.f);
        // Rounded down as in the engine: such errors all have one sign and would add up.
        const float h = lane < L1 ? __saturatef(z) : rounded_down(cut * cut * square);
        float y = w.second_bias[out];
        for (int k = 0; k < 2 * L1; k++)
            y += __shfl_sync(~0u, h, k) * w.second[g.bucket][k][lane];
        const float clipped = rounded_down(__saturatef(y));
        const float value = warp_sum(clipped * w.third[out]) + l.small[l.at.third_bias + g.bucket];
        if (lane == 0)
            l.values[sample] = value;
        Sums mine = {0, 0, 0, 0, 0};
        const float d = slope_of(g, value, lane == 0 ? &counted : &mine);
        if (!l.learns)
            continue;
        const float y_slope = d * w.third[out] * inside(y);
        float h_slope = 0;
        for (int k = 0; k < L2; k++)
            h_slope += __shfl_sync(~0u, y_slope, k) * w.second[g.bucket][lane][k];
        float z_slope = h_slope * (lane < L1 ? inside(z) : fabsf(z) < 1.f ? 2 * z * square : 0.f);
        z_slope += __shfl_down_sync(~0u, z_slope, L1);
        l.h[(size_t)sample * 2 * L1 + lane] = __float2half(h);
        l.y_slopes[(size_t)sample * L2_ALL + out] = __float2half(y_slope * LOSS_SCALE);
        if (lane < L1) {
            l.z_slopes[(size_t)sample * L1_ALL + in] = __float2half(z_slope * LOSS_SCALE);
            atomicAdd(&sums.first_bias[in], z_slope);
        }
        atomicAdd(&sums.second_bias[out], y_slope);
        atomicAdd(&sums.third[out], d * clipped);
        if (lane == 0)
            atomicAdd(&l.gradient[l.at.third_bias + g.bucket], d * l.gradient_scale);
    }
    if (lane == 0)
        sums_add(l.total, counted);
    __syncthreads();
    if (!l.learns)
        return;
    for (int i = threadIdx.x; i < L1_ALL; i += threads)
        atomicAdd(&l.gradient[l.at.first_bias + i], sums.first_bias[i] * l.gradient_scale);
    for (int i = threadIdx.x; i < L2_ALL; i += threads) {
        atomicAdd(&l.gradient[l.at.second_bias + i], sums.second_bias[i] * l.gradient_scale);
        atomicAdd(&l.gradient[l.at.third + i], sums.third[i] * l.gradient_scale);
    }
}

// ---- The gradient of threats ------------------------------------------------------------------

static __device__ __forceinline__ void add_halves(float sums[8], uint4 v)
{
    const __half2 *h = (const __half2 *)&v;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 f = __half22float2(h[k]);
        sums[2 * k] += f.x;
        sums[2 * k + 1] += f.y;
    }
}

static __device__ __forceinline__ void flush(float sums[8], float *to)
{
    atomicAdd((float4 *)to, make_float4(sums[0], sums[1], sums[2], sums[3]));
    atomicAdd((float4 *)(to + 4), make_float4(sums[4], sums[5], sums[6], sums[7]));
#pragma unroll
    for (int k = 0; k < 8; k++)
        sums[k] = 0;
}

// A group of hidden / 8 threads adds up the slopes of a segment of the sorted threats.
static __global__ void threat_gradient(const uint32_t *sorted, const int *total,
                                       const __half *slopes, int hidden, float *gradient)
{
    enum { AT_ONCE = 4 };
    const int threads = hidden / 8, count = *total;
    const int group = blockIdx.x * GROUPS + threadIdx.x / threads, t = threadIdx.x % threads;
    for (int from = group * SEGMENT; from < count; from += gridDim.x * GROUPS * SEGMENT) {
        const int to = min(from + SEGMENT, count);
        float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        uint32_t last = sorted[from] & 0xffff;
        for (int at = from; at < to; at += AT_ONCE) {
            uint32_t entry[AT_ONCE];
            uint4 row[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                entry[k] = sorted[min(at + k, to - 1)];
                row[k] = *(const uint4 *)(slopes + (size_t)(entry[k] >> 16) * hidden + 8 * t);
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                if (at + k >= to)
                    break;
                const uint32_t input = entry[k] & 0xffff;
                if (input != last)
                    flush(sums, gradient + (size_t)last * hidden + 8 * t);
                last = input;
                add_halves(sums, row[k]);
            }
        }
        flush(sums, gradient + (size_t)last * hidden + 8 * t);
    }
}

// ---- AdamW ----------------------------------------------------------------------------------

struct Adam {
    float *parameters, *first, *second, *gradient;
    float rate, decay, correct_first, correct_second, epsilon;
};

// One step of one parameter, with its limit; returns its new value.
static __device__ __forceinline__ float adam_one(const Adam &a, size_t i, float g, float decay,
                                                 float limit)
{
    const float m = a.first[i] = 0.9f * a.first[i] + 0.1f * g;
    const float v = a.second[i] = 0.999f * a.second[i] + 0.001f * g * g;
    const float w = a.parameters[i];
    const float step = m * a.correct_first / (sqrtf(v * a.correct_second) + a.epsilon) + decay * w;
    return a.parameters[i] = limited(w - a.rate * step, limit);
}

// Rows of men: the shared part learns from all buckets.
static __global__ void adam_men(const Adam a, const StudentParts p, int buckets, __half *men16)
{
    const size_t size = p.bucketed - p.shared, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float limit = 0.5f * NNUE_MAX_WEIGHT / NNUE_QA - 0.002f;
    if (i >= size)
        return;
    float sum = 0;
    for (int b = 0; b < buckets; b++)
        sum += a.gradient[p.bucketed + b * size + i];
    const float shared = adam_one(a, i, sum, a.decay, limit);
    for (int b = 0; b < buckets; b++) {
        const size_t k = p.bucketed + b * size + i;
        const float own = adam_one(a, k, a.gradient[k], a.decay, limit);
        men16[b * size + i] = __float2half(rintf((shared + own) * NNUE_QA));
    }
}

// Rows of threats. Those that the batch has not shown have no gradient.
static __global__ void adam_threats(const Adam a, size_t from, int hidden, const int *found,
                                    float scale, uint8_t *threats8)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)NNUE_THREATS * hidden)
        return;
    float g = 0;
    if (found[i / hidden]) {
        g = a.gradient[from + i] * scale;
        a.gradient[from + i] = 0;
    }
    const float limit = (float)NNUE_MAX_THREAT_WEIGHT / NNUE_QA;
    const float w = adam_one(a, from + i, g, a.decay, limit);
    threats8[i] = (uint8_t)(RAISED + (int)rintf(w * NNUE_QA));
}

// The bias and the layers. Biases do not decay.
static __global__ void adam_small(const Adam a, size_t from, const Small at, float *small,
                                  __half *layer16)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= at.count)
        return;
    const bool is_bias = i < at.first, is_first = !is_bias && i < at.first_bias;
    const bool is_weight =
        is_first || (i >= at.second && i < at.second_bias) || (i >= at.third && i < at.third_bias);
    const float limit = is_bias     ? (float)NNUE_MAX_BIAS / NNUE_QA
                        : is_first  ? (float)NNUE_MAX_OUTPUT_WEIGHT / NNUE_Q1
                        : is_weight ? (float)NNUE_MAX_LAYER_WEIGHT / NNUE_Q2
                                    : 16.f;
    const float g = a.gradient[from + i];
    a.gradient[from + i] = 0;
    const float w = adam_one(a, from + i, g, is_weight ? a.decay : 0.f, limit);
    if (is_first)
        layer16[i - at.first] = __float2half(rintf(w * NNUE_Q1));
    small[i] = is_bias                               ? rintf(w * NNUE_QA)
               : i >= at.first_bias && i < at.second ? rintf(w * NNUE_ONE) / NNUE_ONE
               : is_weight                           ? rintf(w * NNUE_Q2) / NNUE_Q2
                                                     : w;
}

// ---- The host's side ------------------------------------------------------------------------

static Small small_of(const StudentParts *p)
{
    Small s;
    s.first = (int)(p->first - p->bias);
    s.first_bias = (int)(p->first_bias - p->bias);
    s.second = (int)(p->second - p->bias);
    s.second_bias = (int)(p->second_bias - p->bias);
    s.third = (int)(p->third - p->bias);
    s.third_bias = (int)(p->third_bias - p->bias);
    s.count = (int)(p->count - p->bias);
    return s;
}

// Lines through a square, without it.
static uint64_t line_of(int kind, int square)
{
    static const int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    uint64_t line = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int x = square & 7, y = square >> 3;
        for (;;) {
            x += sign * STEPS[kind][0];
            y += sign * STEPS[kind][1];
            if (x < 0 || x > 7 || y < 0 || y > 7)
                break;
            line |= 1ull << (y * 8 + x);
        }
    }
    return line;
}

static bool tables_send(Student *s, Error *error)
{
    ThreatTables *host = (ThreatTables *)calloc(1, sizeof *host);
    if (!host)
        return error_set(error, "no memory");
    nnue_threats_fill(&host->inputs);
    for (int kind = 0; kind < 4; kind++)
        for (int square = 0; square < 64; square++)
            host->lines[kind][square] = line_of(kind, square);
    const bool ok =
        device_take(&s->tables, sizeof *host, error) &&
        cuda_ok(cudaMemcpy(s->tables, host, sizeof *host, cudaMemcpyHostToDevice), "tables", error);
    free(host);
    return ok;
}

static bool take_threats(Student *s, Error *error)
{
    const size_t rows = 2 * (size_t)s->batch, inputs = (NNUE_THREATS + 1) * sizeof(int);
    return tables_send(s, error) &&
           device_take(&s->threats8, (size_t)NNUE_THREATS * s->hidden, error) &&
           device_take(&s->lists, rows * LIST * 4, error) &&
           device_take(&s->list_counts, rows * 4, error) && device_take(&s->found, inputs, error) &&
           device_take(&s->begin, inputs, error) && device_take(&s->sorted, rows * LIST * 4, error);
}

static bool take_all(Student *s, Error *error)
{
    const size_t h = s->hidden, batch = s->batch, rows = 2 * batch, bytes = s->parts.count * 4;
    bool ok = device_take(&s->parameters, bytes, error) && device_take(&s->first, bytes, error) &&
              device_take(&s->second, bytes, error) && device_take(&s->gradient, bytes, error) &&
              device_take(&s->men16, s->views.buckets * NNUE_INPUTS * h * 2, error) &&
              device_take(&s->layer16, h * L1_ALL * 2, error) &&
              device_take(&s->small, (s->parts.count - s->parts.bias) * 4, error) &&
              device_take(&s->sums16, rows * h * 2, error) &&
              device_take(&s->clipped, rows * h, error) &&
              device_take(&s->products, batch * h * 2, error) &&
              device_take(&s->z, batch * L1_ALL * 4, error) &&
              device_take(&s->z_slopes, batch * L1_ALL * 2, error) &&
              device_take(&s->h, batch * 2 * L1 * 2, error) &&
              device_take(&s->y_slopes, batch * L2_ALL * 2, error) &&
              device_take(&s->product_slopes, batch * h * 2, error) &&
              device_take(&s->slopes, rows * h * 2, error) &&
              device_take(&s->ones, rows * 2, error) && (!s->has_threats || take_threats(s, error));
    __half *ones = (__half *)malloc(rows * 2);
    for (size_t i = 0; ones && i < rows; i++)
        ones[i] = __float2half(1.f);
    ok = ok && ones &&
         cuda_ok(cudaMemcpy(s->ones, ones, rows * 2, cudaMemcpyHostToDevice), "ones", error);
    free(ones);
    return ok;
}

static bool student_look(Course *course, bool learns, Error *error);
static bool student_learn(Course *course, float rate, float decay, Error *error);
static bool student_restart(Student *s, uint64_t seed, Error *error);

extern "C" Student *student_new(Device *device, const StudentShape *shape, uint64_t seed,
                                Error *error)
{
    const int hidden = shape->hidden, batch = shape->batch;
    if (hidden < 64 || hidden > NNUE_MAX_HIDDEN || hidden % 64 || batch % COURSE_STEP ||
        batch > STUDENT_BATCH || shape->buckets < 1 || shape->buckets > NNUE_MAX_KING_BUCKETS) {
        error_set(error, "student: %d units or a batch of %d is not possible", hidden, batch);
        return NULL;
    }
    Student *s = (Student *)calloc(1, sizeof *s);
    if (!s) {
        error_set(error, "no memory");
        return NULL;
    }
    s->parts = student_parts(shape);
    s->has_threats = shape->has_threats;
    s->look = student_look;
    s->learn = student_learn;
    if (!course_init(s, device, hidden, batch, shape->buckets, shape->king_bucket, error) ||
        !take_all(s, error) || !student_restart(s, seed, error)) {
        student_free(s);
        return NULL;
    }
    return s;
}

extern "C" void student_free(Student *s)
{
    if (!s)
        return;
    void *const memory[] = {
        s->parameters, s->first,  s->second,   s->gradient, s->men16,          s->threats8,
        s->layer16,    s->small,  s->tables,   s->lists,    s->list_counts,    s->found,
        s->begin,      s->sorted, s->sums16,   s->clipped,  s->products,       s->z,
        s->z_slopes,   s->h,      s->y_slopes, s->slopes,   s->product_slopes, s->ones};
    for (void *m : memory)
        cudaFree(m);
    course_release(s);
    free(s);
}

// Random rows of men, no threats, layers that begin alike in all output buckets.
static bool student_restart(Student *s, uint64_t seed, Error *error)
{
    const StudentParts *p = &s->parts;
    const float first = 2 * sqrtf(3.f / s->hidden), rest = sqrtf(3.f / (2 * L1));
    float *host = (float *)calloc(3 * p->count, 4);
    if (!host)
        return error_set(error, "no memory");
    for (uint64_t i = p->shared; i < p->bucketed; i++)
        host[i] = uniform_next(&seed, 0.07f);
    for (uint64_t i = p->bias; i < p->first; i++)
        host[i] = 0.2f;
    for (uint64_t i = 0; i < (uint64_t)s->hidden * L1; i++) {
        const float w = uniform_next(&seed, first);
        for (int b = 0; b < NNUE_OUTPUTS; b++)
            host[p->first + i / L1 * L1_ALL + b * L1 + i % L1] = w;
    }
    for (int i = 0; i < 2 * L1 * L2; i++) {
        const float w = uniform_next(&seed, rest);
        for (int b = 0; b < NNUE_OUTPUTS; b++)
            host[p->second + i / L2 * L2_ALL + b * L2 + i % L2] = w;
    }
    for (int i = 0; i < L2; i++) {
        const float w = uniform_next(&seed, rest);
        for (int b = 0; b < NNUE_OUTPUTS; b++)
            host[p->third + b * L2 + i] = w;
    }
    for (int i = 0; i < L1_ALL; i++)
        host[p->first_bias + i] = 0.1f;
    for (int i = 0; i < L2_ALL; i++)
        host[p->second_bias + i] = 0.2f;
    const bool ok = student_write_state(s, host, 0, error);
    free(host);
    return ok;
}

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + 255) / 256);
}

// Updates all parameters by the gradients, and writes their exported forms.
static bool adam_launch(Student *s, float rate, float decay, Error *error)
{
    const StudentParts *p = &s->parts;
    Adam a = {s->parameters, s->first, s->second, s->gradient, rate, decay, 1, 1, s->epsilon};
    if (s->steps) {
        a.correct_first = (float)(1 / (1 - pow(0.9, (double)s->steps)));
        a.correct_second = (float)(1 / (1 - pow(0.999, (double)s->steps)));
    }
    adam_men<<<blocks_for(p->bucketed), 256>>>(a, *p, s->views.buckets, s->men16);
    if (s->has_threats)
        adam_threats<<<blocks_for((size_t)NNUE_THREATS * s->hidden), 256>>>(
            a, p->threat, s->hidden, s->found, 1.f / (LOSS_SCALE * s->batch), s->threats8);
    adam_small<<<blocks_for(p->count - p->bias), 256>>>(a, p->bias, small_of(p), s->small,
                                                        s->layer16);
    return cuda_ok(cudaGetLastError(), "optimiser", error);
}

// A matrix product over our rows, which are columns of cuBLAS.
static bool multiply(Student *s, cublasOperation_t a_op, cublasOperation_t b_op, int m, int n,
                     int k, float alpha, const __half *a, int a_row, const __half *b, int b_row,
                     void *c, cudaDataType type, Error *error)
{
    const float zero = 0;
    return blas_ok(cublasGemmEx(s->blas, a_op, b_op, m, n, k, &alpha, a, CUDA_R_16F, a_row, b,
                                CUDA_R_16F, b_row, &zero, c, type, m, CUBLAS_COMPUTE_32F,
                                CUBLAS_GEMM_DEFAULT),
                   "layers", error);
}

static bool look_threats(Student *s, bool learns, Error *error)
{
    if (learns &&
        !cuda_ok(cudaMemsetAsync(s->found, 0, NNUE_THREATS * sizeof(int)), "threats", error))
        return false;
    find_threats<<<s->batch / WARPS, WARPS * 32>>>(s->draw, s->tables, s->rows, s->batch, s->lists,
                                                   s->list_counts, learns ? s->found : NULL);
    if (learns)
        scan_threats<<<1, SCAN_THREADS>>>(s->found, s->begin);
    return cuda_ok(cudaGetLastError(), "threats", error);
}

static void look_pairs(Student *s, bool learns)
{
    Pairs p;
    p.sums = s->sums16;
    p.bias = s->small;
    p.rows = s->rows;
    p.threats8 = s->threats8;
    p.lists = s->lists;
    p.list_counts = s->list_counts;
    p.begin = learns ? s->begin : NULL;
    p.sorted = s->sorted;
    p.clipped = s->clipped;
    p.products = s->products;
    p.batch = s->batch;
    p.hidden = s->hidden;
    pair_forward<<<blocks_for((size_t)2 * s->batch * s->hidden / 16), 256>>>(p);
}

static void look_tail(Student *s, bool learns)
{
    Tail t;
    t.z = s->z;
    t.small = s->small;
    t.at = small_of(&s->parts);
    t.goals = s->goals;
    t.z_slopes = s->z_slopes;
    t.h = s->h;
    t.y_slopes = s->y_slopes;
    t.gradient = s->gradient + s->parts.bias;
    t.values = s->values;
    t.total = s->sums;
    t.batch = s->batch;
    t.learns = learns;
    t.gradient_scale = 1.f / s->batch;
    const int wanted = s->batch / WARPS, most = s->device->blocks * 4;
    const int blocks = wanted < most ? wanted : most;
    tail_layers<<<blocks, WARPS * 32>>>(t);
}

static bool student_look(Course *course, bool learns, Error *error)
{
    Student *s = static_cast<Student *>(course);
    if (!course_men_sums(s, s->men16, s->sums16, error) ||
        (s->has_threats && !look_threats(s, learns, error)))
        return false;
    if (learns &&
        (!cuda_ok(cudaMemsetAsync(s->z_slopes, 0, (size_t)s->batch * L1_ALL * 2), "slopes",
                  error) ||
         !cuda_ok(cudaMemsetAsync(s->y_slopes, 0, (size_t)s->batch * L2_ALL * 2), "slopes", error)))
        return false;
    look_pairs(s, learns && s->has_threats);
    if (!multiply(s, CUBLAS_OP_N, CUBLAS_OP_N, L1_ALL, s->batch, s->hidden, 1, s->layer16, L1_ALL,
                  s->products, s->hidden, s->z, CUDA_R_32F, error))
        return false;
    look_tail(s, learns);
    return cuda_ok(cudaGetLastError(), "layers", error);
}

// Gradients of everything but what the tail has found.
static bool student_slopes(Student *s, Error *error)
{
    const StudentParts *p = &s->parts;
    const int h = s->hidden, batch = s->batch;
    const float scale = 1.f / (LOSS_SCALE * (float)batch), product = 1.f / 127;
    if (!multiply(s, CUBLAS_OP_N, CUBLAS_OP_T, L2_ALL, 2 * L1, batch, scale, s->y_slopes, L2_ALL,
                  s->h, 2 * L1, s->gradient + p->second, CUDA_R_32F, error) ||
        !multiply(s, CUBLAS_OP_N, CUBLAS_OP_T, L1_ALL, h, batch, scale * product, s->z_slopes,
                  L1_ALL, s->products, h, s->gradient + p->first, CUDA_R_32F, error) ||
        !multiply(s, CUBLAS_OP_T, CUBLAS_OP_N, h, batch, L1_ALL, 1.f / NNUE_Q1, s->layer16, L1_ALL,
                  s->z_slopes, L1_ALL, s->product_slopes, CUDA_R_16F, error))
        return false;
    pair_backward<<<blocks_for((size_t)2 * batch * h / 16), 256>>>(s->product_slopes, s->clipped,
                                                                   s->rows, s->slopes, batch, h);
    if (s->has_threats)
        threat_gradient<<<s->device->blocks * 4, GROUPS *(h / 8)>>>(
            s->sorted, s->begin + NNUE_THREATS, s->slopes, h, s->gradient + p->threat);
    return cuda_ok(cudaGetLastError(), "slopes", error) &&
           course_men_gradient(s, s->slopes, scale, s->gradient + p->bucketed, error) &&
           multiply(s, CUBLAS_OP_N, CUBLAS_OP_N, h, 1, 2 * batch, scale, s->slopes, h, s->ones,
                    2 * batch, s->gradient + p->bias, CUDA_R_32F, error);
}

static bool student_learn(Course *course, float rate, float decay, Error *error)
{
    Student *s = static_cast<Student *>(course);
    return student_slopes(s, error) && adam_launch(s, rate, decay, error);
}

extern "C" bool student_run(Student *s, const TrainRequest *request, TrainReport *report,
                            Error *error)
{
    return course_run(s, request, report, error);
}

extern "C" bool student_predict(Student *s, uint32_t count, float *values, uint16_t *men,
                                uint32_t *meta, Error *error)
{
    return course_predict(s, count, values, men, meta, error);
}

extern "C" bool student_write_state(Student *s, const float *state, uint64_t steps, Error *error)
{
    const size_t count = s->parts.count, bytes = count * 4;
    s->steps = 0;
    bool ok =
        cuda_ok(cudaMemcpy(s->parameters, state, bytes, cudaMemcpyHostToDevice), "state", error) &&
        cuda_ok(cudaMemset(s->gradient, 0, bytes), "state", error) &&
        cuda_ok(cudaMemset(s->first, 0, bytes), "state", error) &&
        cuda_ok(cudaMemset(s->second, 0, bytes), "state", error) &&
        // A step of rate 0 writes the exported forms; the moments come after it.
        adam_launch(s, 0, 0, error) &&
        cuda_ok(cudaMemcpy(s->first, state + count, bytes, cudaMemcpyHostToDevice), "state",
                error) &&
        cuda_ok(cudaMemcpy(s->second, state + 2 * count, bytes, cudaMemcpyHostToDevice), "state",
                error);
    s->steps = steps;
    return ok;
}

extern "C" bool student_read(Student *s, float *parameters, Error *error)
{
    return cuda_ok(
        cudaMemcpy(parameters, s->parameters, s->parts.count * 4, cudaMemcpyDeviceToHost),
        "parameters", error);
}

extern "C" bool student_read_state(Student *s, float *state, uint64_t *steps, Error *error)
{
    const size_t count = s->parts.count, bytes = count * 4;
    *steps = s->steps;
    return student_read(s, state, error) &&
           cuda_ok(cudaMemcpy(state + count, s->first, bytes, cudaMemcpyDeviceToHost), "state",
                   error) &&
           cuda_ok(cudaMemcpy(state + 2 * count, s->second, bytes, cudaMemcpyDeviceToHost), "state",
                   error);
}

extern "C" bool student_gradient(Student *s, double scale, double result_weight, float *gradient,
                                 uint16_t *men, uint32_t *meta, Error *error)
{
    const uint32_t count = (uint32_t)s->batch;
    const size_t bytes = s->parts.count * 4;
    Draw draw = course_draw(s->device, 0, count, scale, result_weight);
    s->is_counted = false;
    if (draw.count < count || draw.first + count > draw.capacity)
        return error_set(error, "student: the newest %u positions are not in one piece", count);
    draw.in_order = true;
    bool ok =
        course_load(s, &draw, error) && student_look(s, true, error) && student_slopes(s, error) &&
        cuda_ok(cudaMemcpy(gradient, s->gradient, bytes, cudaMemcpyDeviceToHost), "gradient",
                error) &&
        cuda_ok(cudaMemset(s->gradient, 0, bytes), "gradient", error) &&
        cuda_ok(cudaMemcpy(men, draw.men + (size_t)draw.first * 32, (size_t)count * 64,
                           cudaMemcpyDeviceToHost),
                "records", error) &&
        cuda_ok(cudaMemcpy(meta, draw.meta + draw.first, (size_t)count * 4, cudaMemcpyDeviceToHost),
                "records", error);
    // Threats add up their slopes as they are; the optimiser scales them.
    for (uint64_t i = s->parts.threat; ok && i < s->parts.bias; i++)
        gradient[i] /= LOSS_SCALE * (float)s->batch;
    return ok;
}
