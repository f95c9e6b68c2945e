// What device.cu and trainer.cu share. Private to this folder, CUDA only.
#ifndef LOVAC_LAB_GPU_DEVICE_H
#define LOVAC_LAB_GPU_DEVICE_H

#include <cuda_runtime.h>

#include "engine/nnue_threats.h"
#include "lab/gpu/layers.h"

struct Device {
    char text[384];
    int blocks; // multiprocessors
    int warps;  // that scratch memory was made for
    Tables *tables;
    PlayJob scratch; // only the scratch arrays are set
    RecordBuffer records[2];
    uint64_t counters[2]; // records ever written, as the host knows
    NnueThreatTables *threats;
    uint32_t *net_feature[2], *net_output[2], *net_threat[2], *net_layers[2];
    uint32_t *perft_lists;
    uint64_t *perft_counts;
};

// False, with the CUDA error in words, unless the call succeeded.
bool cuda_ok(cudaError_t code, const char *what, Error *error);

// How many of the newest training records can be trained on.
uint64_t device_kept(const Device *device);

#endif
