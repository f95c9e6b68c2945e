// The learner's machine: games and training on a GPU, behind plain C. Implemented by the .cu files
// beside it; a build without CUDA has device_new, which fails and says so.
#ifndef LOVAC_LAB_GPU_LAYERS_H
#define LOVAC_LAB_GPU_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/gpu/play.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h"

typedef struct Device Device;

typedef struct DeviceSetup {
    uint64_t records;    // room for training positions; 0: most of the free memory
    uint64_t validation; // room for validation positions
} DeviceSetup;

// Opens the first GPU; NULL, with the reason, when there is none or this build cannot use one.
Device *device_new(const DeviceSetup *setup, Error *error);
void device_free(Device *device);

// "NVIDIA H200, 132 multiprocessors, 139 GiB, 900 M records"
const char *device_text(const Device *device);

// A net as the warps read it (see encode.h), in the host's memory.
typedef struct EncodedNet {
    int width; // of the kernel: 128, 256, 512 or 1024; LAYERS_WIDTH for nets with layers
    uint32_t *feature, *output;
    uint32_t *threat, *layers; // NULL: the net has none
    size_t feature_words, output_words, threat_words, layers_words;
    DeviceNet numbers; // its pointers are not used
} EncodedNet;

typedef struct PlayRequest {
    const EncodedNet *nets[2]; // the same width; the second for matches
    uint32_t nodes[2], options[2];
    uint32_t quick_nodes, every, beside; // as in PlayJob
    bool is_match;
    double seconds;    // 0: no limit
    uint32_t games;    // of each warp; 0: no limit
    uint32_t searches; // of each warp; 0: no limit
    uint64_t seed;
    int random_plies, opening_limit, record_from_ply;
} PlayRequest;

typedef struct PlayReport {
    double seconds;
    uint64_t nodes, searches, depth_sum, games, plies, kept, openings_refused;
    uint64_t results[3];   // White, Black, drawn
    uint64_t by_player[3]; // matches: won, lost, drawn by player 0
    uint64_t pairs[5];     // matches: pairs by points of player 0
    WarpStats first[4];    // the first warps alone, to compare with the emulator
} PlayReport;

// Plays games on every warp.
bool device_play(Device *device, const PlayRequest *request, PlayReport *report, Error *error);

// Counts leaves on all warps.
bool device_perft(Device *device, const HostBoard *board, int depth, uint64_t *count, Error *error);

// Training positions ever recorded, and how many of the newest are still in memory.
uint64_t device_recorded(const Device *device);
uint64_t device_kept(const Device *device);

// Adds positions made elsewhere to the training records (set 0) or the validation records (set 1).
bool device_load(Device *device, int set, const uint16_t *men, const uint32_t *meta, uint64_t count,
                 Error *error);

// The centipawns K for which 1 / (1 + exp(-score / K)) predicts the validation games' results best.
bool device_fit_scale(Device *device, double *scale, Error *error);

typedef struct Trainer Trainer;

typedef struct TrainerShape {
    int hidden, buckets, batch; // units, king buckets, positions of a step
    uint8_t king_bucket[64];    // see NetInfo
} TrainerShape;

// A trainer for nets of that shape, with random weights. Parameters are floats, in this order:
// feature [buckets * 768][hidden], bias [hidden], output [8][2 * hidden], output bias [8].
Trainer *trainer_new(Device *device, const TrainerShape *shape, uint64_t seed, Error *error);
void trainer_free(Trainer *trainer);
bool trainer_restart(Trainer *trainer, uint64_t seed, Error *error);

// Takes over the net of another trainer that has fewer units or king buckets: the larger net
// computes the same at first. The optimiser begins anew.
bool trainer_grow(Trainer *trainer, Trainer *from, uint64_t seed, Error *error);

typedef struct TrainRequest {
    uint64_t window;       // train on that many of the newest positions
    uint64_t samples;      // positions to train on, with repetition
    double rate, end_rate; // learning rate at the beginning and the end, cosine between
    double from, to;       // the part of that schedule which this run is, 0 to 1; both 0: all
    double decay;          // AdamW
    double epsilon;        // students: gradients below it make small steps; 0: 1e-8
    double result_weight;  // of the game's result in the target ...
    double later_weight;   // ... and of the game's later scores; the rest is the score
    double scale;          // centipawns in the score's sigmoid
} TrainRequest;

typedef struct TrainReport {
    double seconds;
    double loss;                          // of the last tenth of the training
    double validation;                    // mean squared error against target ...
    double against_result, against_score; // ... and its parts
    double spread; // root mean square of the net's output, in 1.0, clipped at 4
    uint64_t validated;
} TrainReport;

bool trainer_run(Trainer *trainer, const TrainRequest *request, TrainReport *report, Error *error);

// Number of floats of the parameters.
uint64_t trainer_size(const Trainer *trainer);

// Copies the parameters out; or parameters and both moments of the optimiser with its step count.
bool trainer_read(Trainer *trainer, float *parameters, Error *error);
bool trainer_read_state(Trainer *trainer, float *state, uint64_t *steps, Error *error);
bool trainer_write_state(Trainer *trainer, const float *state, uint64_t steps, Error *error);

// The trainer's own value (1.0 = the sigmoid's unit) of the newest `count` training positions, with
// the men as recorded: to compare with inference.
bool trainer_predict(Trainer *trainer, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                     Error *error);

#ifdef __cplusplus
}
#endif
#endif
