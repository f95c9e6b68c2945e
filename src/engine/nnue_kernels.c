// See nnue_kernels.h. The updates are written once, with vectors of 64 bytes that the compiler cuts
// to the size of each instruction set; the output layer is written by hand.
#include "engine/nnue_kernels.h"

#include <stddef.h>

#include "engine/nnue_features.h"

#define INLINE static inline __attribute__((always_inline))

// NNUE_HIDDEN_STEP sums at a time. Unsigned, for they wrap round.
typedef uint16_t Lanes __attribute__((vector_size(64), may_alias));

enum { TILE = 4 }; // vectors that a refresh keeps in registers

// Rows of a refresh added to and taken from `count` vectors, from vector `from` on.
INLINE void refresh_tile(Lanes *out, const Lanes *in, const int16_t *const *add, int adds,
                         const int16_t *const *sub, int subs, int from, int count)
{
    Lanes sum[TILE];
    for (int i = 0; i < count; i++)
        sum[i] = in[from + i];
    for (int k = 0; k < adds; k++)
        for (int i = 0; i < count; i++)
            sum[i] += ((const Lanes *)add[k])[from + i];
    for (int k = 0; k < subs; k++)
        for (int i = 0; i < count; i++)
            sum[i] -= ((const Lanes *)sub[k])[from + i];
    for (int i = 0; i < count; i++)
        out[from + i] = sum[i];
}

INLINE void update_body(int16_t *to, const int16_t *from, const int16_t *const *add, int adds,
                        const int16_t *const *sub, int subs, int width)
{
    const int vectors = width / NNUE_HIDDEN_STEP;
    Lanes *out = (Lanes *)to;
    const Lanes *in = (const Lanes *)from;
    if (adds == 1 && subs == 1) { // a quiet move
        const Lanes *a = (const Lanes *)add[0], *b = (const Lanes *)sub[0];
        for (int i = 0; i < vectors; i++)
            out[i] = in[i] + a[i] - b[i];
    } else if (adds == 1 && subs == 2) { // a capture
        const Lanes *a = (const Lanes *)add[0];
        const Lanes *b = (const Lanes *)sub[0], *c = (const Lanes *)sub[1];
        for (int i = 0; i < vectors; i++)
            out[i] = in[i] + a[i] - b[i] - c[i];
    } else if (adds == 2 && subs == 2) { // castling
        const Lanes *a = (const Lanes *)add[0], *b = (const Lanes *)add[1];
        const Lanes *c = (const Lanes *)sub[0], *d = (const Lanes *)sub[1];
        for (int i = 0; i < vectors; i++)
            out[i] = in[i] + a[i] + b[i] - c[i] - d[i];
    } else { // a refresh: tile by tile, so that the sums stay in registers
        int done = 0;
        for (; done + TILE <= vectors; done += TILE)
            refresh_tile(out, in, add, adds, sub, subs, done, TILE);
        for (; done < vectors; done++)
            refresh_tile(out, in, add, adds, sub, subs, done, 1);
    }
}

static void update_plain(int16_t *out, const int16_t *in, const int16_t *const *add, int adds,
                         const int16_t *const *sub, int subs, int width)
{
    update_body(out, in, add, adds, sub, subs, width);
}

INLINE uint32_t half_plain(const int16_t *x, const int16_t *weights, int width)
{
    uint32_t sum = 0;
    for (int i = 0; i < width; i++) {
        int c = x[i] < 0 ? 0 : x[i] > NNUE_QA ? NNUE_QA : x[i];
        sum += (uint32_t)(c * c * weights[i]);
    }
    return sum;
}

static int32_t output_plain(const int16_t *own, const int16_t *other, const int16_t *weights,
                            int width)
{
    return (int32_t)(half_plain(own, weights, width) + half_plain(other, weights + width, width));
}

static const NnueKernels PLAIN = {"plain", update_plain, output_plain};

#if defined(__x86_64__)
#include <immintrin.h>

// clip(x) * weight fits 16 bits; multiplied by clip(x) again and added in pairs it fits 32 (madd).

#define SSE41 __attribute__((target("sse4.1")))
#define AVX2  __attribute__((target("avx2")))
#ifdef __clang__
#define AVX512 __attribute__((target("avx512f,avx512bw")))
#else
#define AVX512 __attribute__((target("avx512f,avx512bw,prefer-vector-width=512")))
#endif

SSE41 static void update_sse41(int16_t *out, const int16_t *in, const int16_t *const *add, int adds,
                               const int16_t *const *sub, int subs, int width)
{
    update_body(out, in, add, adds, sub, subs, width);
}

SSE41 static inline __m128i half_sse41(__m128i sum, const int16_t *x, const int16_t *weights,
                                       int width)
{
    const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi16(NNUE_QA);
    for (int i = 0; i < width; i += 8) {
        __m128i c = _mm_load_si128((const __m128i *)(x + i));
        c = _mm_min_epi16(_mm_max_epi16(c, zero), one);
        __m128i w = _mm_load_si128((const __m128i *)(weights + i));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_mullo_epi16(c, w), c));
    }
    return sum;
}

SSE41 static int32_t output_sse41(const int16_t *own, const int16_t *other, const int16_t *weights,
                                  int width)
{
    __m128i sum = half_sse41(_mm_setzero_si128(), own, weights, width);
    sum = half_sse41(sum, other, weights + width, width);
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

AVX2 static void update_avx2(int16_t *out, const int16_t *in, const int16_t *const *add, int adds,
                             const int16_t *const *sub, int subs, int width)
{
    update_body(out, in, add, adds, sub, subs, width);
}

// Two sums, so that additions do not wait for each other.
AVX2 static inline void half_avx2(__m256i sum[2], const int16_t *x, const int16_t *weights,
                                  int width)
{
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(NNUE_QA);
    for (int i = 0; i < width; i += 32)
        for (int k = 0; k < 2; k++) {
            __m256i c = _mm256_load_si256((const __m256i *)(x + i + 16 * k));
            c = _mm256_min_epi16(_mm256_max_epi16(c, zero), one);
            __m256i w = _mm256_load_si256((const __m256i *)(weights + i + 16 * k));
            sum[k] = _mm256_add_epi32(sum[k], _mm256_madd_epi16(_mm256_mullo_epi16(c, w), c));
        }
}

AVX2 static int32_t output_avx2(const int16_t *own, const int16_t *other, const int16_t *weights,
                                int width)
{
    __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    half_avx2(sum, own, weights, width);
    half_avx2(sum, other, weights + width, width);
    __m256i both = _mm256_add_epi32(sum[0], sum[1]);
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

AVX512 static void update_avx512(int16_t *out, const int16_t *in, const int16_t *const *add,
                                 int adds, const int16_t *const *sub, int subs, int width)
{
    update_body(out, in, add, adds, sub, subs, width);
}

AVX512 static inline __m512i half_avx512(__m512i sum, const int16_t *x, const int16_t *weights,
                                         int width)
{
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi16(NNUE_QA);
    for (int i = 0; i < width; i += 32) {
        __m512i c = _mm512_load_si512(x + i);
        c = _mm512_min_epi16(_mm512_max_epi16(c, zero), one);
        __m512i w = _mm512_load_si512(weights + i);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_mullo_epi16(c, w), c));
    }
    return sum;
}

AVX512 static int32_t output_avx512(const int16_t *own, const int16_t *other,
                                    const int16_t *weights, int width)
{
    __m512i a = half_avx512(_mm512_setzero_si512(), own, weights, width);
    __m512i b = half_avx512(_mm512_setzero_si512(), other, weights + width, width);
    return _mm512_reduce_add_epi32(_mm512_add_epi32(a, b));
}

static const NnueKernels KERNELS_SSE41 = {"sse4.1", update_sse41, output_sse41};
static const NnueKernels KERNELS_AVX2 = {"avx2", update_avx2, output_avx2};
static const NnueKernels KERNELS_AVX512 = {"avx512", update_avx512, output_avx512};

const NnueKernels *nnue_kernels(int index)
{
    const NnueKernels *usable[4];
    int count = 0;
    if (__builtin_cpu_supports("avx512bw"))
        usable[count++] = &KERNELS_AVX512;
    if (__builtin_cpu_supports("avx2"))
        usable[count++] = &KERNELS_AVX2;
    if (__builtin_cpu_supports("sse4.1"))
        usable[count++] = &KERNELS_SSE41;
    usable[count++] = &PLAIN;
    return index >= 0 && index < count ? usable[index] : NULL;
}
#else
const NnueKernels *nnue_kernels(int index)
{
    return index == 0 ? &PLAIN : NULL;
}
#endif
