// `lovac train` on a GPU: the positions of train.h, the trainer of `lovac learn` (layers.h).
#ifndef LOVAC_LAB_TRAIN_DEVICE_H
#define LOVAC_LAB_TRAIN_DEVICE_H

#include "lab/train.h"
#include "lab/train_net.h"

#include <stdio.h>

typedef struct DeviceTraining {
    const TrainConfig *config;
    const Rules *rules;
    const TrainPosition *positions[2]; // to learn from, in any order; held out
    size_t counts[2];
    size_t games;
    TrainGoal goal;
    FILE *csv; // may be NULL
} DeviceTraining;

// A position as the GPU keeps it (see RecordBuffer in gpu/play.h). False when it does not fit: more
// than 32 men, or a side that has not exactly one king.
bool train_record(const TrainPosition *position, uint16_t men[32], uint32_t *meta);

// Trains on the first GPU and writes the net after each tenth of the work; compares it with the
// trainer at the end. False, with the reason, where there is no CUDA.
bool train_on_device(const DeviceTraining *training, Error *error);

#endif
