// What the two ways of `lovac train` share: what they say, and how a net is described and judged.
// Private to this folder.
#ifndef LOVAC_LAB_TRAIN_INT_H
#define LOVAC_LAB_TRAIN_INT_H

#include "engine/nnue.h"
#include "lab/train.h"

#include <stdio.h>

// Says a line made as by printf.
void train_say(const TrainConfig *config, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Says how far the training is, and adds a line to the table if there is one.
void train_say_losses(const TrainConfig *config, FILE *csv, double samples, double seconds,
                      double loss, double held_out, double against_result, double against_score);

// Fills in the game and how the net was made.
void train_describe(NetInfo *info, const TrainConfig *config, const Rules *rules, size_t games,
                    size_t positions, double samples, double scale);

// Centipawns for 1.0 of a net's output.
double train_net_unit(const Net *net);

// Says the mean difference between a net and its trainer; beyond two centipawns is an error.
bool train_judge(const TrainConfig *config, double mean, Error *error);

// Has the caller asked to stop?
bool train_is_stopped(const TrainConfig *config);

#endif
