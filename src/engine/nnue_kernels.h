// The vector code of the network's inference: one set of functions for each kind of processor.
// All sets give the same integers. Widths are multiples of NNUE_HIDDEN_STEP, arrays are aligned to
// 64 bytes.
#ifndef LOVAC_ENGINE_NNUE_KERNELS_H
#define LOVAC_ENGINE_NNUE_KERNELS_H

#include <stdint.h>

typedef struct NnueKernels {
    const char *name;

    // out = in + rows added - rows taken away. `out` may be `in`.
    void (*update)(int16_t *out, const int16_t *in, const int16_t *const *add, int adds,
                   const int16_t *const *sub, int subs, int width);

    // sum over both halves of clip(x)^2 * weight, modulo 2^32.
    int32_t (*output)(const int16_t *own, const int16_t *other, const int16_t *weights, int width);
} NnueKernels;

// The sets that this processor can run, best first; NULL beyond the last. The last is plain C.
const NnueKernels *nnue_kernels(int index);

#endif
