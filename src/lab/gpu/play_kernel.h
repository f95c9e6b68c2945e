// The kernel of games for one width of the net; included by play_*.cu, which define WIDTH and
// WARPS. One block a multiprocessor, every warp plays its own games until the job ends: no warp
// waits.
#ifndef LOVAC_LAB_GPU_PLAY_KERNEL_H
#define LOVAC_LAB_GPU_PLAY_KERNEL_H

#include "lab/gpu/games.h"
#include "lab/gpu/kernels.h"

#define JOIN(a, b)         a##b
#define NAMED(name, width) JOIN(name, width)

static __global__ void __launch_bounds__(WARPS * 32, 1)
    play_kernel(const __grid_constant__ PlayJob job)
{
    extern __shared__ __align__(16) uint8_t shared[];
    Tables *tables = (Tables *)shared;
    for (int i = threadIdx.x; i < (int)(sizeof(Tables) / 8); i += blockDim.x)
        ((uint64_t *)tables)[i] = ((const uint64_t *)job.tables)[i];
    __syncthreads();
    for (int i = threadIdx.x; i < VIEWS; i += blockDim.x)
        views_fill(tables, job.net, i);
    __syncthreads();
    NnueThreatTables *threats = NULL;
#if LAYERS
    threats = (NnueThreatTables *)(shared + sizeof(Tables) + WARPS * sizeof(WarpMemory));
    for (int i = threadIdx.x; i < (int)(sizeof *threats / 8); i += blockDim.x)
        ((uint64_t *)threats)[i] = ((const uint64_t *)job.threats)[i];
    __syncthreads();
#endif
    // Fetched from lane 0, so that the compiler knows it to be the same in all lanes, and with it
    // everything that is read through it: no code for warps that diverge.
    const int warp = warp_get((int)threadIdx.x >> 5, 0);
    WarpMemory *memory = (WarpMemory *)(shared + sizeof(Tables)) + warp;
    play_games(&job, tables, threats, memory, blockIdx.x * WARPS + warp);
}

static_assert(sizeof(Tables) % 16 == 0, "memory of warps begins aligned");
static_assert(sizeof(WarpMemory) % 16 == 0, "frames are read 16 bytes at once");
static_assert(sizeof(NnueThreatTables) % 8 == 0, "threat tables are copied 8 bytes at once");

extern "C" int NAMED(play_warps_, WIDTH)(void)
{
    return WARPS;
}

extern "C" cudaError_t NAMED(play_launch_, WIDTH)(const PlayJob *job, int blocks)
{
    const size_t size =
        sizeof(Tables) + WARPS * sizeof(WarpMemory) + (LAYERS ? sizeof(NnueThreatTables) : 0);
    cudaError_t error =
        cudaFuncSetAttribute(play_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error != cudaSuccess)
        return error;
    play_kernel<<<blocks, WARPS * 32, size>>>(*job);
    return cudaGetLastError();
}

#endif
