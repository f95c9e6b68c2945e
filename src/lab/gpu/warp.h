// What a warp of 32 lanes can do together. With nvcc these are the GPU's instructions; with a C
// compiler the warp is emulated by 32 fibres on one thread (emulator.h), so that the same source is
// tested without a GPU. Every lane must reach every collective: the emulator aborts when they
// disagree. The code above this file is the common part of C and CUDA C: no templates, no
// references.
#ifndef LOVAC_LAB_GPU_WARP_H
#define LOVAC_LAB_GPU_WARP_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 32 };

#ifdef __CUDACC__

#include <cuda_runtime.h>

#define DEV        static __device__ __forceinline__
#define UNROLL     _Pragma("unroll")
#define UNROLL_4   _Pragma("unroll 4")
#define UNROLL_NOT _Pragma("unroll 1")
#define ALL_LANES  0xffffffffu

typedef uint4 Words4;
typedef uint2 Words2;

DEV int warp_lane(void)
{
    return threadIdx.x & 31;
}
DEV uint32_t warp_ballot(bool p)
{
    return __ballot_sync(ALL_LANES, p);
}
DEV int warp_get(int v, int lane)
{
    return __shfl_sync(ALL_LANES, v, lane);
}
DEV uint64_t warp_get64(uint64_t v, int lane)
{
    return __shfl_sync(ALL_LANES, (unsigned long long)v, lane);
}
DEV uint32_t warp_partner(uint32_t v)
{
    return __shfl_xor_sync(ALL_LANES, v, 16);
}
DEV uint32_t warp_max(uint32_t v)
{
    return __reduce_max_sync(ALL_LANES, v);
}
DEV uint32_t warp_or(uint32_t v)
{
    return __reduce_or_sync(ALL_LANES, v);
}
DEV int warp_add(int v)
{
    return __reduce_add_sync(ALL_LANES, v);
}
DEV void warp_sync(void)
{
    __syncwarp();
}

DEV uint32_t bits_reverse(uint32_t v)
{
    return __brev(v);
}
DEV int bits_count(uint32_t v)
{
    return __popc(v);
}
DEV int bits_first(uint32_t v)
{
    return __ffs(v) - 1;
}
DEV int bits_last(uint32_t v)
{
    return 31 - __clz(v);
}
DEV uint64_t bytes_reverse(uint64_t v)
{
    uint32_t low = (uint32_t)v, high = (uint32_t)(v >> 32);
    return (uint64_t)__byte_perm(low, 0, 0x0123) << 32 | __byte_perm(high, 0, 0x0123);
}

DEV uint32_t counter_next(uint32_t *counter)
{
    return atomicAdd(counter, 1u);
}
DEV uint64_t warp_clock_ns(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
DEV void fetch_ahead(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}
DEV Words4 read_words4(const void *at)
{
    return __ldg((const uint4 *)at);
}
DEV Words2 read_words2(const void *at)
{
    return __ldg((const uint2 *)at);
}
DEV uint32_t read_word(const void *at)
{
    return __ldg((const uint32_t *)at);
}

// min(max(x + offset, 0), top) on both 16-bit halves: one instruction on Hopper.
DEV uint32_t pair_clip(uint32_t x, uint32_t offset, uint32_t top)
{
    return __viaddmin_s16x2_relu(x, offset, top);
}
// sum + x.low * weights.byte(2 * high) + x.high * weights.byte(2 * high + 1): x unsigned, weights
// signed.
DEV int32_t pair_dot(uint32_t x, uint32_t weights, int32_t sum, bool high)
{
    if (high)
        asm("dp2a.hi.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(weights));
    else
        asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(weights));
    return sum;
}
// The squares of both halves, which are below 256: the upper byte of the lower half is zero.
DEV uint32_t pair_squares(uint32_t x)
{
    uint32_t squares = (x >> 16) * (x & 0xffff0000u);
    asm("dp2a.lo.u32.u32 %0, %1, %1, %0;" : "+r"(squares) : "r"(x));
    return squares;
}
DEV int32_t multiply_high(int32_t a, int32_t b)
{
    return __mulhi(a, b);
}
DEV uint32_t pair_add(uint32_t a, uint32_t b)
{
    return __vadd2(a, b);
}
// Bytes 1 and 3 as two 16-bit halves.
DEV uint32_t bytes_odd(uint32_t v)
{
    return __byte_perm(v, 0, 0x4341);
}
// sum + the products of four bytes below 128 and four signed bytes.
DEV int32_t quad_dot(uint32_t x, uint32_t weights, int32_t sum)
{
    return __dp4a((int)x, (int)weights, sum);
}

#else

#include "lab/gpu/emulator.h"

#define DEV static inline __attribute__((unused))
#define UNROLL
#define UNROLL_4
#define UNROLL_NOT

typedef struct Words4 {
    uint32_t x, y, z, w;
} Words4;
typedef struct Words2 {
    uint32_t x, y;
} Words2;

DEV int warp_lane(void)
{
    return emulator_lane();
}
DEV uint32_t warp_ballot(bool p)
{
    const uint64_t *all = emulator_exchange(p, 1);
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)(all[i] != 0) << i;
    return bits;
}
DEV int warp_get(int v, int lane)
{
    return (int)(uint32_t)emulator_exchange((uint32_t)v, 2)[lane & 31];
}
DEV uint64_t warp_get64(uint64_t v, int lane)
{
    return emulator_exchange(v, 3)[lane & 31];
}
DEV uint32_t warp_partner(uint32_t v)
{
    const uint64_t *all = emulator_exchange(v, 4);
    return (uint32_t)all[warp_lane() ^ 16];
}
DEV uint32_t warp_max(uint32_t v)
{
    const uint64_t *all = emulator_exchange(v, 5);
    uint64_t best = 0;
    for (int i = 0; i < LANES; i++)
        best = all[i] > best ? all[i] : best;
    return (uint32_t)best;
}
DEV uint32_t warp_or(uint32_t v)
{
    const uint64_t *all = emulator_exchange(v, 6);
    uint64_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= all[i];
    return (uint32_t)bits;
}
DEV int warp_add(int v)
{
    const uint64_t *all = emulator_exchange((uint32_t)v, 7);
    uint32_t sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += (uint32_t)all[i];
    return (int)sum;
}
DEV void warp_sync(void)
{
    emulator_exchange(0, 8);
}

DEV uint32_t bits_reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
DEV int bits_count(uint32_t v)
{
    return __builtin_popcount(v);
}
DEV int bits_first(uint32_t v)
{
    return __builtin_ffs((int)v) - 1;
}
DEV int bits_last(uint32_t v)
{
    return v ? 31 - __builtin_clz(v) : -1;
}
DEV uint64_t bytes_reverse(uint64_t v)
{
    return __builtin_bswap64(v);
}

DEV uint32_t counter_next(uint32_t *counter)
{
    return (*counter)++;
}
DEV uint64_t warp_clock_ns(void)
{
    return 0;
} // an emulated warp is stopped by its number of games or searches
DEV void fetch_ahead(const void *at)
{
    (void)at;
}
DEV Words4 read_words4(const void *at)
{
    return *(const Words4 *)at;
}
DEV Words2 read_words2(const void *at)
{
    return *(const Words2 *)at;
}
DEV uint32_t read_word(const void *at)
{
    return *(const uint32_t *)at;
}

DEV uint32_t pair_clip(uint32_t x, uint32_t offset, uint32_t top)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 32; shift += 16) {
        int v = (int16_t)(uint16_t)((x >> shift) + (offset >> shift));
        int limit = (int16_t)(uint16_t)(top >> shift);
        v = v > limit ? limit : v;
        result |= (uint32_t)(v < 0 ? 0 : v) << shift;
    }
    return result;
}
DEV int32_t pair_dot(uint32_t x, uint32_t weights, int32_t sum, bool high)
{
    weights >>= high ? 16 : 0;
    uint32_t a = (x & 0xffff) * (uint32_t)(int8_t)weights;
    uint32_t b = (x >> 16) * (uint32_t)(int8_t)(weights >> 8);
    return (int32_t)((uint32_t)sum + a + b);
}
DEV uint32_t pair_squares(uint32_t x)
{
    const uint32_t low = x & 0xffff;
    return (x >> 16) * (x & 0xffff0000u) + low * low;
}
DEV int32_t multiply_high(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}
DEV uint32_t pair_add(uint32_t a, uint32_t b)
{
    return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
}
DEV uint32_t bytes_odd(uint32_t v)
{
    return v >> 8 & 0x00ff00ff;
}
DEV int32_t quad_dot(uint32_t x, uint32_t weights, int32_t sum)
{
    for (int shift = 0; shift < 32; shift += 8)
        sum += (int8_t)(uint8_t)(x >> shift) * (int8_t)(uint8_t)(weights >> shift);
    return sum;
}

#endif
#endif
