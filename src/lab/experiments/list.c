// The list of all experiments, in the order in which they are run and shown.
#include <stddef.h>

#include "lab/experiments/rows.h"

const LabExperiment *const LAB_EXPERIMENTS[] = {&LAB_BIT_COUNT, &LAB_BIT_SCAN, &LAB_SLIDERS, NULL};
