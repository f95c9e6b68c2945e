// The vector code of the network's inference: one set of functions for each kind of processor.
// All sets give the same integers. Widths are multiples of NNUE_HIDDEN_STEP (twice that for nets
// with layers), arrays are aligned to 64 bytes.
#ifndef LOVAC_ENGINE_NNUE_KERNELS_H
#define LOVAC_ENGINE_NNUE_KERNELS_H

#include <stdint.h>

#include "engine/nnue_changes.h"
#include "engine/nnue_features.h"

enum { NNUE_MAX_MEN_ROWS = 64 };

// Rows to add to and to take from accumulators: of men, and of threats.
typedef struct NnueRows {
    int puts, takes, begins, ends;
    const int16_t *put[NNUE_MAX_MEN_ROWS], *taken[NNUE_MAX_MEN_ROWS];
    const int8_t *begun[NNUE_MAX_THREATS], *ended[NNUE_MAX_THREATS];
} NnueRows;

// The layers of one output bucket in the order that vectors like. First layer: a vector of packed
// products holds in each of its lanes (parts of 16 bytes) four groups of four. Group i is spread
// over its lane, so that a vector of weights serves four sums by as many groups as there are lanes:
// [vector of products][group i of 4][four sums of 4][lane][sum of 4][product of 4]. Packing puts
// the products 8 * lane + 4 * (i % 2) + (i / 2) * 8 * lanes and the next three into group i.
// Second layer: for each sum of the first, its clipped value's and its square's weight side by
// side. The third layer's weights are widened.
typedef struct NnueLayers {
    _Alignas(64) int16_t second[NNUE_L1][NNUE_L2][2];
    _Alignas(64) int32_t first_bias[NNUE_L1];
    _Alignas(64) int32_t second_bias[NNUE_L2];
    _Alignas(64) int32_t third[NNUE_L2];
    const int8_t *first;
    int32_t third_bias;
} NnueLayers;

typedef struct NnueKernels {
    const char *name;
    int lanes; // parts of 16 bytes in a vector: decides the order of NnueLayers.first

    // out = in + rows added - rows taken away. `out` may be `in`.
    void (*update)(int16_t *out, const int16_t *in, const int16_t *const *add, int adds,
                   const int16_t *const *sub, int subs, int width);

    // sum over both halves of clip(x)^2 * weight, modulo 2^32.
    int32_t (*output)(const int16_t *own, const int16_t *other, const int16_t *weights, int width);

    // out = in + rows of men and threats, in one pass. `out` may be `in`.
    void (*carry)(int16_t *out, const int16_t *in, const NnueRows *rows, int width);

    // The output of a net with layers.
    int32_t (*layers)(const int16_t *own, const int16_t *other, const NnueLayers *layers,
                      int width);

    // Finds the threats that a move begins and ends.
    NnueChangesFinder *find;
} NnueKernels;

// The sets that this processor can run, best first; NULL beyond the last. The last is plain C.
const NnueKernels *nnue_kernels(int index);

#endif
