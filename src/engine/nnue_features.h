// The network's inputs, integers and file, defined once: for inference on the CPU, the exporter,
// the trainer and the GPU. Plain C that nvcc reads too; nothing here depends on Position.
//
// Shape: for each of the two perspectives, 768 one-hot inputs per king bucket (own or other, type,
// square; turned so that the perspective plays up the board and mirrored so that its king stands on
// files a to d) -> `hidden` accumulators in common weights -> squared clipped ReLU -> the side to
// move's half beside the other's -> one output, its weights chosen by the number of men.
//
// Integers: an accumulator of 1.0 is NNUE_QA, an output weight of 1.0 is NNUE_QB. With c the
// accumulator clipped to 0..NNUE_QA the output is sum(c * c * weight) + bias modulo 2^32, and
// centipawns = output * multiplier >> 32. c * weight fits 16 bits and c * c unsigned 16 bits, so
// every vector unit and the GPU compute the same numbers.
//
// A net with layers goes on differently after the accumulators (which threats may be added to, see
// nnue_threats.h). With a and b the clipped accumulators i and i + hidden / 2 of a perspective,
// a * b >> NNUE_PRODUCT_SHIFT is 0..127: hidden / 2 products of the side to move, then as many of
// the other. Each of the 8 output buckets has its own three layers:
//   z = bias1 + sum(product * weight1)                   NNUE_L1 sums, weights of 8 bits
//   h = clip(z, 0, ONE), then clip(z, -ONE, ONE)^2 >> 13      2 * NNUE_L1 values
//   y = clip((bias2 + sum(h * weight2)) >> 9, 0, ONE)    NNUE_L2 values, weights of 16 bits
//   output = bias3 + sum(y * weight3)                    weights of 16 bits
// with ONE = NNUE_ONE, which stands for 1.0 in z, h and y. Nothing can overflow 32 bits.
#ifndef LOVAC_ENGINE_NNUE_FEATURES_H
#define LOVAC_ENGINE_NNUE_FEATURES_H

#include <stdint.h>

#ifdef __CUDACC__
#define NNUE_INLINE static __host__ __device__ __forceinline__
#else
#define NNUE_INLINE static inline
#endif

enum {
    NNUE_INPUTS = 768,      // per king bucket
    NNUE_OUTPUTS = 8,       // output buckets
    NNUE_MAX_HIDDEN = 1024, // a multiple of NNUE_HIDDEN_STEP
    NNUE_HIDDEN_STEP = 32,
    NNUE_MAX_KING_BUCKETS = 16,
    NNUE_QA = 255,
    NNUE_QB = 64,
    NNUE_MAX_WEIGHT = 500, // of the first layer: 64 men cannot overflow 16 bits, 32 men not 15
    NNUE_MAX_BIAS = 380,
    NNUE_MAX_OUTPUT_WEIGHT = 127,
    // Nets with layers.
    NNUE_L1 = 16,
    NNUE_L2 = 32,
    NNUE_PRODUCT_SHIFT = 9, // 255 * 255 >> 9 = 127
    NNUE_Q1 = 64,           // a weight of 1.0 in the first layer, up to 127
    NNUE_ONE = 127 * NNUE_Q1,
    NNUE_SQUARE_SHIFT = 13,
    NNUE_Q2_SHIFT = 9,
    NNUE_Q2 = 1 << NNUE_Q2_SHIFT, // a weight of 1.0 in the second and third layer
    NNUE_MAX_LAYER_WEIGHT = 8 * NNUE_Q2,
    NNUE_MAX_LAYER_BIAS = 16 * NNUE_ONE * NNUE_Q2, // of the second and third; 16 ONE of the first
    NNUE_MAX_THREAT_WEIGHT = 127,                  // QA stands for 1.0 here, too
};

// How a perspective looks at the board: XOR masks for squares, and its king's bucket.
typedef struct NnueView {
    int turn;   // XOR mask for every square: 56 for Black, plus 7 when mirrored
    int bucket; // number of the king bucket
} NnueView;

// The view of a colour (0 White, 1 Black) whose king stands on `king` (negative: it has none; then
// the board is not mirrored and the bucket is 0). `king_bucket` has 64 entries, as seen after
// turning.
NNUE_INLINE NnueView nnue_view(int color, int king, const uint8_t *king_bucket)
{
    NnueView view;
    view.turn = color ? 56 : 0;
    view.bucket = 0;
    if (king >= 0) {
        if (king & 4)
            view.turn ^= 7;
        view.bucket = king_bucket[king ^ view.turn];
    }
    return view;
}

// The view where a mirrored board would have other rules (Legan, whose pawns step aslant): always
// from the own corner, which both colours then see at a1, with their pawns stepping up-right.
NNUE_INLINE NnueView nnue_corner_view(int color, int king, const uint8_t *king_bucket)
{
    NnueView view;
    view.turn = color ? 56 : 7;
    view.bucket = king >= 0 ? king_bucket[king ^ view.turn] : 0;
    return view;
}

// The input that a man turns on: type 0..5 (pawn to king), `color` of the man, perspective `us`.
NNUE_INLINE int nnue_feature(NnueView view, int us, int color, int type, int square)
{
    return view.bucket * NNUE_INPUTS + (color != us) * 384 + type * 64 + (square ^ view.turn);
}

// The output bucket for a number of men.
NNUE_INLINE int nnue_output_bucket(int men, int men_per_bucket)
{
    int bucket = (men - 1) / men_per_bucket;
    return bucket < NNUE_OUTPUTS ? bucket : NNUE_OUTPUTS - 1;
}

// The multiplier for a scale in centipawns per 1.0 of output.
NNUE_INLINE int32_t nnue_multiplier(double scale)
{
    return (int32_t)(scale * 4294967296.0 / ((double)NNUE_QA * NNUE_QA * NNUE_QB) + 0.5);
}

// The same for a net with layers.
NNUE_INLINE int32_t nnue_layers_multiplier(double scale)
{
    return (int32_t)(scale * 4294967296.0 / ((double)NNUE_ONE * NNUE_Q2) + 0.5);
}

// Output (bias included) to centipawns.
NNUE_INLINE int32_t nnue_centipawns(int32_t output, int32_t multiplier)
{
    return (int32_t)((int64_t)output * multiplier >> 32);
}

#endif
