// See nnue_kernels.h. The updates are written once, with vectors of 64 bytes that the compiler cuts
// to the size of each instruction set; the output layer is written by hand.
#include "engine/nnue_kernels.h"

#include <stddef.h>

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

// --- nets with layers ------------------------------------------------------------------------

static void carry_plain(int16_t *out, const int16_t *in, const NnueRows *rows, int width)
{
    enum { STEP = 64 };
    for (int from = 0; from < width; from += STEP) {
        uint16_t sum[STEP];
        for (int i = 0; i < STEP; i++)
            sum[i] = (uint16_t)in[from + i];
        for (int k = 0; k < rows->puts; k++)
            for (int i = 0; i < STEP; i++)
                sum[i] += (uint16_t)rows->put[k][from + i];
        for (int k = 0; k < rows->takes; k++)
            for (int i = 0; i < STEP; i++)
                sum[i] -= (uint16_t)rows->taken[k][from + i];
        for (int k = 0; k < rows->begins; k++)
            for (int i = 0; i < STEP; i++)
                sum[i] += (uint16_t)rows->begun[k][from + i];
        for (int k = 0; k < rows->ends; k++)
            for (int i = 0; i < STEP; i++)
                sum[i] -= (uint16_t)rows->ended[k][from + i];
        for (int i = 0; i < STEP; i++)
            out[from + i] = (int16_t)sum[i];
    }
}

INLINE int32_t clip(int32_t x, int32_t low, int32_t high)
{
    return x < low ? low : x > high ? high : x;
}

static void products_plain(uint8_t *products, const int16_t *x, int half)
{
    for (int i = 0; i < half; i++)
        products[i] =
            (uint8_t)(clip(x[i], 0, NNUE_QA) * clip(x[half + i], 0, NNUE_QA) >> NNUE_PRODUCT_SHIFT);
}

// The second and third layer, for the sums of the first.
static int32_t finish_plain(const NnueLayers *l, const int32_t z[NNUE_L1])
{
    int32_t y[NNUE_L2], output = l->third_bias;
    for (int o = 0; o < NNUE_L2; o++)
        y[o] = l->second_bias[o];
    for (int k = 0; k < NNUE_L1; k++) {
        const int32_t c = clip(z[k], -NNUE_ONE, NNUE_ONE), square = c * c >> NNUE_SQUARE_SHIFT;
        for (int o = 0; o < NNUE_L2; o++)
            y[o] += (c < 0 ? 0 : c) * l->second[k][o][0] + square * l->second[k][o][1];
    }
    for (int o = 0; o < NNUE_L2; o++)
        output += clip(y[o] >> NNUE_Q2_SHIFT, 0, NNUE_ONE) * l->third[o];
    return output;
}

static int32_t layers_plain(const int16_t *own, const int16_t *other, const NnueLayers *l,
                            int width)
{
    uint8_t products[NNUE_MAX_HIDDEN];
    int32_t z[NNUE_L1];
    products_plain(products, own, width / 2);
    products_plain(products + width / 2, other, width / 2);
    for (int k = 0; k < NNUE_L1; k++)
        z[k] = l->first_bias[k];
    const int8_t *weights = l->first;
    for (int i = 0; i < width; i += 4)
        for (int k = 0; k < NNUE_L1; k++, weights += 4)
            for (int j = 0; j < 4; j++)
                z[k] += products[i + j] * weights[j];
    return finish_plain(l, z);
}

static const NnueKernels PLAIN = {
    "plain", 1, update_plain, output_plain, carry_plain, layers_plain, nnue_changes_find};

#if defined(__x86_64__)
#include <immintrin.h>

// clip(x) * weight fits 16 bits; multiplied by clip(x) again and added in pairs it fits 32 (madd).

#define SSE41 __attribute__((target("sse4.1")))
#define AVX2  __attribute__((target("avx2")))
#ifdef __clang__
#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define VNNI   __attribute__((target("avx512f,avx512bw,avx512vnni")))
#else
#define AVX512 __attribute__((target("avx512f,avx512bw,prefer-vector-width=512")))
#define VNNI   __attribute__((target("avx512f,avx512bw,avx512vnni,prefer-vector-width=512")))
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

// --- nets with layers: SSE4.1 ------------------------------------------------------------------

// Loops over the vectors of a tile are unrolled early, so that these become registers.
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

// Hides from the compiler where a value comes from: else it sees that a tile begins and ends as a
// copy of memory, calls memcpy for that, and keeps the tile in memory.
SSE41 INLINE __m128i kept_sse41(__m128i x)
{
    __asm__("" : "+x"(x));
    return x;
}

// Hides how an address was made: else each vector of a row gets a pointer of its own.
INLINE const void *row_at(const void *row, int from)
{
    const char *p = (const char *)row + from;
    __asm__("" : "+r"(p));
    return p;
}

SSE41 static inline __m128i widened_sse41(const int8_t *x)
{
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)x));
}

// `count` vectors from `from` on, kept in registers.
SSE41 INLINE void carry_tile_sse41(int16_t *out, const int16_t *in, const NnueRows *rows, int from,
                                   int count)
{
    __m128i sum[8];
    UNROLL
    for (int i = 0; i < count; i++)
        sum[i] = kept_sse41(((const __m128i *)(in + from))[i]);
    for (int k = 0; k < rows->puts; k++) {
        const __m128i *row = row_at(rows->put[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm_add_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->takes; k++) {
        const __m128i *row = row_at(rows->taken[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm_sub_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->ends; k++) {
        const int8_t *row = row_at(rows->ended[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm_sub_epi16(sum[i], widened_sse41(row + 8 * i));
    }
    for (int k = 0; k < rows->begins; k++) {
        const int8_t *row = row_at(rows->begun[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm_add_epi16(sum[i], widened_sse41(row + 8 * i));
    }
    UNROLL
    for (int i = 0; i < count; i++)
        ((__m128i *)(out + from))[i] = kept_sse41(sum[i]);
}

SSE41 static void carry_sse41(int16_t *out, const int16_t *in, const NnueRows *rows, int width)
{
    for (int from = 0; from < width; from += 64)
        carry_tile_sse41(out, in, rows, from, 8);
}

// Products a * b >> 9 of the clipped halves: (a << 7) * b >> 16. A b below 0 need not be clipped,
// for the pack to 8 unsigned bits does that.
SSE41 static inline __m128i product_sse41(const int16_t *x, int half)
{
    const __m128i one = _mm_set1_epi16(NNUE_QA);
    __m128i a = _mm_load_si128((const __m128i *)x);
    a = _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), one);
    const __m128i b = _mm_min_epi16(_mm_load_si128((const __m128i *)(x + half)), one);
    return _mm_mulhi_epi16(_mm_slli_epi16(a, 16 - NNUE_PRODUCT_SHIFT), b);
}

SSE41 static inline void products_sse41(uint8_t *products, const int16_t *x, int half)
{
    for (int i = 0; i < half; i += 16)
        _mm_store_si128(
            (__m128i *)(products + i),
            _mm_packus_epi16(product_sse41(x + i, half), product_sse41(x + i + 8, half)));
}

SSE41 static inline int32_t finish_sse41(const NnueLayers *l, const __m128i z[4])
{
    const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi32(NNUE_ONE);
    _Alignas(16) int32_t h[NNUE_L1]; // clipped value and square side by side
    for (int i = 0; i < 4; i++) {
        const __m128i c = _mm_max_epi32(_mm_min_epi32(z[i], one), _mm_sub_epi32(zero, one));
        const __m128i square = _mm_srli_epi32(_mm_mullo_epi32(c, c), NNUE_SQUARE_SHIFT);
        _mm_store_si128((__m128i *)h + i,
                        _mm_or_si128(_mm_max_epi32(c, zero), _mm_slli_epi32(square, 16)));
    }
    __m128i sum = zero;
    for (int part = 0; part < NNUE_L2; part += 16) {
        __m128i y[4];
        for (int i = 0; i < 4; i++)
            y[i] = _mm_load_si128((const __m128i *)(l->second_bias + part) + i);
        for (int k = 0; k < NNUE_L1; k++) {
            const __m128i pair = _mm_set1_epi32(h[k]);
            for (int i = 0; i < 4; i++)
                y[i] = _mm_add_epi32(
                    y[i],
                    _mm_madd_epi16(pair, _mm_load_si128((const __m128i *)l->second[k][part] + i)));
        }
        for (int i = 0; i < 4; i++) {
            y[i] = _mm_srai_epi32(y[i], NNUE_Q2_SHIFT);
            y[i] = _mm_max_epi32(_mm_min_epi32(y[i], one), zero);
            sum = _mm_add_epi32(
                sum, _mm_madd_epi16(y[i], _mm_load_si128((const __m128i *)(l->third + part) + i)));
        }
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum) + l->third_bias;
}

SSE41 static int32_t layers_sse41(const int16_t *own, const int16_t *other, const NnueLayers *l,
                                  int width)
{
    _Alignas(64) uint8_t products[NNUE_MAX_HIDDEN];
    products_sse41(products, own, width / 2);
    products_sse41(products + width / 2, other, width / 2);
    const __m128i ones = _mm_set1_epi16(1);
    __m128i z[4];
    for (int i = 0; i < 4; i++)
        z[i] = _mm_load_si128((const __m128i *)l->first_bias + i);
    for (int g = 0; g < width / 4; g++) {
        int32_t four;
        __builtin_memcpy(&four, products + 4 * g, 4);
        if (!four)
            continue;
        const __m128i p = _mm_set1_epi32(four);
        for (int i = 0; i < 4; i++) {
            const __m128i w = _mm_load_si128((const __m128i *)(l->first + (size_t)g * 64) + i);
            z[i] = _mm_add_epi32(z[i], _mm_madd_epi16(_mm_maddubs_epi16(p, w), ones));
        }
    }
    return finish_sse41(l, z);
}

// --- nets with layers: AVX2 --------------------------------------------------------------------

// See kept_sse41.
AVX2 INLINE __m256i kept_avx2(__m256i x)
{
    __asm__("" : "+x"(x));
    return x;
}

AVX2 static inline __m256i widened_avx2(const int8_t *x)
{
    return _mm256_cvtepi8_epi16(_mm_load_si128((const __m128i *)x));
}

// `count` vectors from `from` on, kept in registers.
AVX2 INLINE void carry_tile_avx2(int16_t *out, const int16_t *in, const NnueRows *rows, int from,
                                 int count)
{
    __m256i sum[12];
    UNROLL
    for (int i = 0; i < count; i++)
        sum[i] = kept_avx2(((const __m256i *)(in + from))[i]);
    for (int k = 0; k < rows->puts; k++) {
        const __m256i *row = row_at(rows->put[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm256_add_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->takes; k++) {
        const __m256i *row = row_at(rows->taken[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm256_sub_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->ends; k++) {
        const int8_t *row = row_at(rows->ended[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm256_sub_epi16(sum[i], widened_avx2(row + 16 * i));
    }
    for (int k = 0; k < rows->begins; k++) {
        const int8_t *row = row_at(rows->begun[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm256_add_epi16(sum[i], widened_avx2(row + 16 * i));
    }
    UNROLL
    for (int i = 0; i < count; i++)
        ((__m256i *)(out + from))[i] = kept_avx2(sum[i]);
}

AVX2 static void carry_avx2(int16_t *out, const int16_t *in, const NnueRows *rows, int width)
{
    int from = 0;
    for (; from + 192 <= width; from += 192)
        carry_tile_avx2(out, in, rows, from, 12);
    for (; from < width; from += 64)
        carry_tile_avx2(out, in, rows, from, 4);
}

AVX2 static inline __m256i product_avx2(const int16_t *x, int half)
{
    const __m256i one = _mm256_set1_epi16(NNUE_QA);
    __m256i a = _mm256_load_si256((const __m256i *)x);
    a = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), one);
    const __m256i b = _mm256_min_epi16(_mm256_load_si256((const __m256i *)(x + half)), one);
    return _mm256_mulhi_epi16(_mm256_slli_epi16(a, 16 - NNUE_PRODUCT_SHIFT), b);
}

AVX2 static inline int32_t finish_avx2(const NnueLayers *l, __m256i z0, __m256i z1)
{
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(NNUE_ONE);
    _Alignas(32) int32_t h[NNUE_L1]; // clipped value and square side by side
    for (int i = 0; i < 2; i++) {
        const __m256i c =
            _mm256_max_epi32(_mm256_min_epi32(i ? z1 : z0, one), _mm256_sub_epi32(zero, one));
        const __m256i square =
            _mm256_srli_epi32(_mm256_madd_epi16(c, _mm256_and_si256(c, _mm256_set1_epi32(0xffff))),
                              NNUE_SQUARE_SHIFT);
        _mm256_store_si256((__m256i *)h + i, _mm256_or_si256(_mm256_max_epi32(c, zero),
                                                             _mm256_slli_epi32(square, 16)));
    }
    __m256i y[4];
    for (int i = 0; i < 4; i++)
        y[i] = _mm256_load_si256((const __m256i *)l->second_bias + i);
    for (int k = 0; k < NNUE_L1; k++) {
        const __m256i pair = _mm256_set1_epi32(h[k]);
        for (int i = 0; i < 4; i++)
            y[i] = _mm256_add_epi32(
                y[i],
                _mm256_madd_epi16(pair, _mm256_load_si256((const __m256i *)l->second[k] + i)));
    }
    __m256i sum = zero;
    for (int i = 0; i < 4; i++) {
        y[i] = _mm256_srai_epi32(y[i], NNUE_Q2_SHIFT);
        y[i] = _mm256_max_epi32(_mm256_min_epi32(y[i], one), zero);
        sum = _mm256_add_epi32(
            sum, _mm256_madd_epi16(y[i], _mm256_load_si256((const __m256i *)l->third + i)));
    }
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s) + l->third_bias;
}

AVX2 static int32_t layers_avx2(const int16_t *own, const int16_t *other, const NnueLayers *l,
                                int width)
{
    const int half = width / 2;
    const __m256i ones = _mm256_set1_epi16(1), *w = (const __m256i *)l->first;
    __m256i z[4];
    for (int i = 0; i < 4; i++)
        z[i] = _mm256_setzero_si256();
    for (int at = 0; at < width; at += 32, w += 16) {
        const int16_t *x = at < half ? own + at : other + (at - half);
        const __m256i p = _mm256_packus_epi16(product_avx2(x, half), product_avx2(x + 16, half));
        const __m256i four[4] = {_mm256_shuffle_epi32(p, 0x00), _mm256_shuffle_epi32(p, 0x55),
                                 _mm256_shuffle_epi32(p, 0xaa), _mm256_shuffle_epi32(p, 0xff)};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                z[k] = _mm256_add_epi32(
                    z[k], _mm256_madd_epi16(_mm256_maddubs_epi16(four[i], w[i * 4 + k]), ones));
    }
    const __m256i *bias = (const __m256i *)l->first_bias;
    const __m256i a = _mm256_add_epi32(_mm256_permute2x128_si256(z[0], z[1], 0x20),
                                       _mm256_permute2x128_si256(z[0], z[1], 0x31));
    const __m256i b = _mm256_add_epi32(_mm256_permute2x128_si256(z[2], z[3], 0x20),
                                       _mm256_permute2x128_si256(z[2], z[3], 0x31));
    return finish_avx2(l, _mm256_add_epi32(a, bias[0]), _mm256_add_epi32(b, bias[1]));
}

// --- nets with layers: AVX-512 -----------------------------------------------------------------

// See kept_sse41.
AVX512 INLINE __m512i kept_avx512(__m512i x)
{
    __asm__("" : "+v"(x));
    return x;
}

AVX512 static inline __m512i widened_avx512(const int8_t *x)
{
    return _mm512_cvtepi8_epi16(_mm256_load_si256((const __m256i *)x));
}

// `count` vectors from `from` on, kept in registers.
AVX512 INLINE void carry_tile_avx512(int16_t *out, const int16_t *in, const NnueRows *rows,
                                     int from, int count)
{
    __m512i sum[16];
    UNROLL
    for (int i = 0; i < count; i++)
        sum[i] = kept_avx512(((const __m512i *)(in + from))[i]);
    for (int k = 0; k < rows->puts; k++) {
        const __m512i *row = row_at(rows->put[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm512_add_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->takes; k++) {
        const __m512i *row = row_at(rows->taken[k], 2 * from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm512_sub_epi16(sum[i], row[i]);
    }
    for (int k = 0; k < rows->ends; k++) {
        const int8_t *row = row_at(rows->ended[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm512_sub_epi16(sum[i], widened_avx512(row + 32 * i));
    }
    for (int k = 0; k < rows->begins; k++) {
        const int8_t *row = row_at(rows->begun[k], from);
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = _mm512_add_epi16(sum[i], widened_avx512(row + 32 * i));
    }
    UNROLL
    for (int i = 0; i < count; i++)
        ((__m512i *)(out + from))[i] = kept_avx512(sum[i]);
}

AVX512 static void carry_avx512(int16_t *out, const int16_t *in, const NnueRows *rows, int width)
{
    int from = 0;
    if (width == 384) { // all in registers
        carry_tile_avx512(out, in, rows, 0, 12);
        return;
    }
    for (; from + 512 <= width; from += 512)
        carry_tile_avx512(out, in, rows, from, 16);
    for (; from + 256 <= width; from += 256)
        carry_tile_avx512(out, in, rows, from, 8);
    for (; from < width; from += 64)
        carry_tile_avx512(out, in, rows, from, 2);
}

AVX512 static inline __m512i product_avx512(const int16_t *x, int half)
{
    const __m512i one = _mm512_set1_epi16(NNUE_QA);
    __m512i a = _mm512_load_si512(x);
    a = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), one);
    const __m512i b = _mm512_min_epi16(_mm512_load_si512(x + half), one);
    return _mm512_mulhi_epi16(_mm512_slli_epi16(a, 16 - NNUE_PRODUCT_SHIFT), b);
}

// The 64 products from `at` on, packed to 8 bits; they may be the last of one half and the first of
// the other.
AVX512 static inline __m512i products_avx512(const int16_t *own, const int16_t *other, int at,
                                             int half)
{
    const int16_t *x = at < half ? own + at : other + (at - half);
    const int16_t *y = at + 32 < half ? own + at + 32 : other + (at + 32 - half);
    return _mm512_packus_epi16(product_avx512(x, half), product_avx512(y, half));
}

// The first layer's sums, from one vector for each four of them with four parts in its lanes.
AVX512 static inline __m512i gathered_avx512(const NnueLayers *l, const __m512i z[4])
{
    const __m512i a = _mm512_add_epi32(_mm512_shuffle_i64x2(z[0], z[1], 0x44),
                                       _mm512_shuffle_i64x2(z[0], z[1], 0xee));
    const __m512i b = _mm512_add_epi32(_mm512_shuffle_i64x2(z[2], z[3], 0x44),
                                       _mm512_shuffle_i64x2(z[2], z[3], 0xee));
    const __m512i sum =
        _mm512_add_epi32(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
    return _mm512_add_epi32(sum, _mm512_load_si512(l->first_bias));
}

AVX512 static inline int32_t finish_avx512(const NnueLayers *l, __m512i z)
{
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(NNUE_ONE);
    _Alignas(64) int32_t h[NNUE_L1]; // clipped value and square side by side
    const __m512i c = _mm512_max_epi32(_mm512_min_epi32(z, one), _mm512_sub_epi32(zero, one));
    const __m512i d = _mm512_abs_epi32(c); // its upper 16 bits are zero: madd is a square
    const __m512i square = _mm512_srli_epi32(_mm512_madd_epi16(d, d), NNUE_SQUARE_SHIFT);
    _mm512_store_si512(h,
                       _mm512_or_si512(_mm512_max_epi32(c, zero), _mm512_slli_epi32(square, 16)));
    __m512i y[4] = {_mm512_load_si512(l->second_bias), _mm512_load_si512(l->second_bias + 16), zero,
                    zero};
    for (int k = 0; k < NNUE_L1; k++) {
        const __m512i pair = _mm512_set1_epi32(h[k]);
        __m512i *to = y + (k & 1) * 2;
        to[0] =
            _mm512_add_epi32(to[0], _mm512_madd_epi16(pair, _mm512_load_si512(l->second[k][0])));
        to[1] =
            _mm512_add_epi32(to[1], _mm512_madd_epi16(pair, _mm512_load_si512(l->second[k][16])));
    }
    __m512i sum = zero;
    for (int i = 0; i < 2; i++) {
        __m512i v = _mm512_srai_epi32(_mm512_add_epi32(y[i], y[i + 2]), NNUE_Q2_SHIFT);
        v = _mm512_max_epi32(_mm512_min_epi32(v, one), zero);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(v, _mm512_load_si512(l->third + 16 * i)));
    }
    return _mm512_reduce_add_epi32(sum) + l->third_bias;
}

AVX512 static int32_t layers_avx512(const int16_t *own, const int16_t *other, const NnueLayers *l,
                                    int width)
{
    const __m512i ones = _mm512_set1_epi16(1), *w = (const __m512i *)l->first;
    __m512i z[4];
    for (int i = 0; i < 4; i++)
        z[i] = _mm512_setzero_si512();
    for (int at = 0; at < width; at += 64, w += 16) {
        const __m512i p = products_avx512(own, other, at, width / 2);
        const __m512i four[4] = {_mm512_shuffle_epi32(p, 0x00), _mm512_shuffle_epi32(p, 0x55),
                                 _mm512_shuffle_epi32(p, 0xaa), _mm512_shuffle_epi32(p, 0xff)};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                z[k] = _mm512_add_epi32(
                    z[k], _mm512_madd_epi16(_mm512_maddubs_epi16(four[i], w[i * 4 + k]), ones));
    }
    return finish_avx512(l, gathered_avx512(l, z));
}

VNNI static int32_t layers_vnni(const int16_t *own, const int16_t *other, const NnueLayers *l,
                                int width)
{
    const __m512i *w = (const __m512i *)l->first;
    __m512i z[8];
    for (int i = 0; i < 8; i++)
        z[i] = _mm512_setzero_si512();
    for (int at = 0; at < width; at += 64, w += 16) {
        const __m512i p = products_avx512(own, other, at, width / 2);
        const __m512i four[4] = {_mm512_shuffle_epi32(p, 0x00), _mm512_shuffle_epi32(p, 0x55),
                                 _mm512_shuffle_epi32(p, 0xaa), _mm512_shuffle_epi32(p, 0xff)};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++) // two sets of sums: additions wait less for each other
                z[(i & 1) * 4 + k] = _mm512_dpbusd_epi32(z[(i & 1) * 4 + k], four[i], w[i * 4 + k]);
    }
    for (int i = 0; i < 4; i++)
        z[i] = _mm512_add_epi32(z[i], z[i + 4]);
    return finish_avx512(l, gathered_avx512(l, z));
}

static const NnueKernels KERNELS_SSE41 = {
    "sse4.1", 1, update_sse41, output_sse41, carry_sse41, layers_sse41, nnue_changes_find};
static const NnueKernels KERNELS_AVX2 = {"avx2",     2,           update_avx2,      output_avx2,
                                         carry_avx2, layers_avx2, nnue_changes_find};
static const NnueKernels KERNELS_AVX512 = {
    "avx512", 4, update_avx512, output_avx512, carry_avx512, layers_avx512, nnue_changes_find};
// Ice Lake, Zen 4 and later: threats by vectors, too.
static const NnueKernels KERNELS_VBMI2 = {
    "avx512-vbmi2", 4,           update_avx512,           output_avx512,
    carry_avx512,   layers_vnni, nnue_changes_find_vector};
static const NnueKernels KERNELS_VNNI = {
    "avx512-vnni", 4, update_avx512, output_avx512, carry_avx512, layers_vnni, nnue_changes_find};

const NnueKernels *nnue_kernels(int index)
{
    const NnueKernels *usable[6];
    int count = 0;
    if (__builtin_cpu_supports("avx512vnni") && nnue_changes_can_vector())
        usable[count++] = &KERNELS_VBMI2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
        usable[count++] = &KERNELS_VNNI;
    if (__builtin_cpu_supports("avx512bw"))
        usable[count++] = &KERNELS_AVX512;
    if (__builtin_cpu_supports("avx2"))
        usable[count++] = &KERNELS_AVX2;
    if (__builtin_cpu_supports("sse4.1"))
        usable[count++] = &KERNELS_SSE41;
    usable[count++] = &PLAIN;
    return index >= 0 && index < count ? usable[index] : NULL;
}
#elif defined(__aarch64__)
#include <arm_neon.h>

// --- NEON ----------------------------------------------------------------------------------------

// 64 sums at a time, kept in registers.
static void carry_neon(int16_t *out, const int16_t *in, const NnueRows *rows, int width)
{
    enum { COUNT = 8 };
    for (int from = 0; from < width; from += 8 * COUNT) {
        int16x8_t sum[COUNT];
        for (int i = 0; i < COUNT; i++)
            sum[i] = vld1q_s16(in + from + 8 * i);
        for (int k = 0; k < rows->puts; k++)
            for (int i = 0; i < COUNT; i++)
                sum[i] = vaddq_s16(sum[i], vld1q_s16(rows->put[k] + from + 8 * i));
        for (int k = 0; k < rows->takes; k++)
            for (int i = 0; i < COUNT; i++)
                sum[i] = vsubq_s16(sum[i], vld1q_s16(rows->taken[k] + from + 8 * i));
        for (int k = 0; k < rows->ends; k++)
            for (int i = 0; i < COUNT; i++)
                sum[i] = vsubw_s8(sum[i], vld1_s8(rows->ended[k] + from + 8 * i));
        for (int k = 0; k < rows->begins; k++)
            for (int i = 0; i < COUNT; i++)
                sum[i] = vaddw_s8(sum[i], vld1_s8(rows->begun[k] + from + 8 * i));
        for (int i = 0; i < COUNT; i++)
            vst1q_s16(out + from + 8 * i, sum[i]);
    }
}

// Products a * b >> 9 of the clipped halves: twice (a << 6) * b >> 16. A b below 0 need not be
// clipped, for the pack to 8 unsigned bits does that.
static inline uint8x8_t product_neon(const int16_t *x, int half)
{
    const int16x8_t zero = vdupq_n_s16(0), one = vdupq_n_s16(NNUE_QA);
    const int16x8_t a = vminq_s16(vmaxq_s16(vld1q_s16(x), zero), one);
    const int16x8_t b = vminq_s16(vld1q_s16(x + half), one);
    return vqmovun_s16(vqdmulhq_s16(vshlq_n_s16(a, 15 - NNUE_PRODUCT_SHIFT), b));
}

// Four sums by four products each; these are at most 127, so that they may count as signed.
static inline int32x4_t dot_neon(int32x4_t sum, int8x16_t products, int8x16_t weights)
{
#ifdef __ARM_FEATURE_DOTPROD
    return vdotq_s32(sum, products, weights);
#else
    const int16x8_t low = vmull_s8(vget_low_s8(products), vget_low_s8(weights));
    const int16x8_t high = vmull_s8(vget_high_s8(products), vget_high_s8(weights));
    return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
#endif
}

static int32_t finish_neon(const NnueLayers *l, const int32x4_t z[4])
{
    const int32x4_t zero = vdupq_n_s32(0), one = vdupq_n_s32(NNUE_ONE);
    int32_t h[NNUE_L1]; // clipped value and square side by side
    int32x4_t y[NNUE_L2 / 4], sum = zero;
    for (int i = 0; i < 4; i++) {
        const int32x4_t c = vmaxq_s32(vminq_s32(z[i], one), vnegq_s32(one));
        const int32x4_t square = vshrq_n_s32(vmulq_s32(c, c), NNUE_SQUARE_SHIFT);
        vst1q_s32(h + 4 * i, vorrq_s32(vmaxq_s32(c, zero), vshlq_n_s32(square, 16)));
    }
    for (int i = 0; i < NNUE_L2 / 4; i++)
        y[i] = vld1q_s32(l->second_bias + 4 * i);
    for (int k = 0; k < NNUE_L1; k++) {
        const int16x8_t pair = vreinterpretq_s16_s32(vdupq_n_s32(h[k]));
        for (int i = 0; i < NNUE_L2 / 4; i++) {
            const int16x8_t w = vld1q_s16(l->second[k][4 * i]);
            y[i] = vaddq_s32(y[i], vpaddq_s32(vmull_s16(vget_low_s16(pair), vget_low_s16(w)),
                                              vmull_s16(vget_high_s16(pair), vget_high_s16(w))));
        }
    }
    for (int i = 0; i < NNUE_L2 / 4; i++) {
        y[i] = vmaxq_s32(vminq_s32(vshrq_n_s32(y[i], NNUE_Q2_SHIFT), one), zero);
        sum = vmlaq_s32(sum, y[i], vld1q_s32(l->third + 4 * i));
    }
    return vaddvq_s32(sum) + l->third_bias;
}

static int32_t layers_neon(const int16_t *own, const int16_t *other, const NnueLayers *l, int width)
{
    const int half = width / 2;
    const int8_t *w = l->first;
    int32x4_t z[4];
    for (int k = 0; k < 4; k++)
        z[k] = vld1q_s32(l->first_bias + 4 * k);
    for (int at = 0; at < width; at += 16) {
        const int16_t *x = at < half ? own + at : other + (at - half);
        const uint8x16_t p = vcombine_u8(product_neon(x, half), product_neon(x + 8, half));
        const int32x4_t fours = vreinterpretq_s32_u8(p);
        const int32x4_t four[4] = {vdupq_laneq_s32(fours, 0), vdupq_laneq_s32(fours, 1),
                                   vdupq_laneq_s32(fours, 2), vdupq_laneq_s32(fours, 3)};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++, w += 16)
                z[k] = dot_neon(z[k], vreinterpretq_s8_s32(four[i]), vld1q_s8(w));
    }
    return finish_neon(l, z);
}

static const NnueKernels KERNELS_NEON = {"neon",     1,           update_plain,     output_plain,
                                         carry_neon, layers_neon, nnue_changes_find};

const NnueKernels *nnue_kernels(int index)
{
    return index == 0 ? &KERNELS_NEON : index == 1 ? &PLAIN : NULL;
}
#else
const NnueKernels *nnue_kernels(int index)
{
    return index == 0 ? &PLAIN : NULL;
}
#endif
