// A net of any shape that the engine knows, students with layers and threats too, goes on learning
// on the CPU: for people without a GPU, and for labels that only the engine's own search can give.
// The forward pass uses the integers of the net; floats beside them take the steps. Adam, and only
// of the rows that a batch touches, so a row that is seldom on moves as seldom.
#ifndef LOVAC_LAB_POLISH_H
#define LOVAC_LAB_POLISH_H

#include "engine/nnue.h"
#include "lab/train_net.h"

typedef struct Polish Polish;

// Begins with that net, which must not be added to the hand-written evaluation nor see its board
// from the corner. With `layers_only` the rows of men and threats stay as they are. Gradients below
// `epsilon` make small steps. NULL when memory is short.
Polish *polish_new(const Net *net, int threads, bool layers_only, double epsilon, Error *error);
void polish_free(Polish *polish);

// One step on a batch; the gradients are averaged over it. Sums are added to. The output counts in
// the units of the sigmoid.
void polish_step(Polish *polish, const TrainPosition *const *batch, int count,
                 const TrainGoal *goal, double rate, TrainSums *sums);

// The errors on a set of positions, without learning.
void polish_measure(Polish *polish, const TrainPosition *const *batch, int count,
                    const TrainGoal *goal, TrainSums *sums);

// The output for one position.
double polish_value(Polish *polish, const TrainPosition *position);

// The net as it is now; shape and the rest of `info` must be those it began with.
Net *polish_net(const Polish *polish, const NetInfo *info, Error *error);

#endif
