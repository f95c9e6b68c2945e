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

// The layers of one output bucket in the order that vectors like: groups of four products for all
// 16 sums of the first layer; for each of these its clipped value's and its square's weight side by
// side; the third layer's weights widened.
typedef struct NnueLayers {
    _Alignas(64) int16_t second[NNUE_L1][NNUE_L2][2];
    _Alignas(64) int32_t first_bias[NNUE_L1];
    _Alignas(64) int32_t second_bias[NNUE_L2];
    _Alignas(64) int32_t third[NNUE_L2];
    const int8_t *first; // [width / 4][NNUE_L1][4]
    int32_t third_bias;
} NnueLayers;

typedef struct NnueKernels {
    const char *name;

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
