// The launchers of the play kernels, one pair for each width. Private to this folder.
#ifndef LOVAC_LAB_GPU_KERNELS_H
#define LOVAC_LAB_GPU_KERNELS_H

#include <cuda_runtime.h>

#include "lab/gpu/play.h"

#define FOR_EACH_WIDTH(X) X(128) X(256) X(384) X(512) X(1024)

// Warps of a block, which the scratch memory must be made for; and the launch itself.
#define DECLARE(width)                                                                             \
    extern "C" int play_warps_##width(void);                                                       \
    extern "C" cudaError_t play_launch_##width(const PlayJob *job, int blocks);
FOR_EACH_WIDTH(DECLARE)
#undef DECLARE

#endif
