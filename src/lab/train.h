// From files of games (`lovac datagen`) to a net: on the CPU for small nets, for variants, and for
// people without a GPU; on CUDA where there is one. Positions are shuffled across all games; one
// game in a hundred is held out.
#ifndef LOVAC_LAB_TRAIN_H
#define LOVAC_LAB_TRAIN_H

#include "base/error.h"
#include "core/rules.h"

#include <stdatomic.h>

typedef struct TrainConfig {
    const char *const *files;
    int file_count;
    const char *out;   // the net; written after every tenth of the training, too
    const char *csv;   // NULL: none
    const char *from;  // a net to go on from, on the CPU only; NULL: random weights
    bool layers_only;  // of that net, learn only what follows the accumulators
    double epsilon;    // of its optimiser: gradients below it make small steps
    int hidden;        // 32 to 1024, a multiple of 32
    bool adds_to_hand; // the net is to be added to the hand-written evaluation; on the CPU only
    bool on_gpu;       // CUDA, with the trainer of `lovac learn`; then 128, 256, 512 or 1024 units
    int threads;
    int batch;     // 0: by the number of positions
    double epochs; // passes over the positions
    double rate, end_rate, decay;
    double result_weight, later_weight; // in the target; the rest is the score
    double scale; // centipawns in the score's sigmoid; 0: fitted to the results
    uint64_t seed;
    uint64_t max_positions;  // 0: all
    const atomic_bool *stop; // may be NULL
    void (*say)(void *context, const char *line);
    void *context;
} TrainConfig;

// 128 units, 20 passes, one thread for each processor.
TrainConfig train_default(void);

// Trains and writes the net. Before it ends, 1 000 held-out positions are evaluated by the trainer
// and by the net as read back from the file: a difference beyond 2 centipawns on average is an
// error.
bool train_run(const TrainConfig *config, Error *error);

#endif
