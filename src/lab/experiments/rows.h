// The experiments by name, for the list (list.c): each is in the file named beside it.
#ifndef LOVAC_LAB_EXPERIMENTS_ROWS_H
#define LOVAC_LAB_EXPERIMENTS_ROWS_H

#include "lab/experiments/experiment.h"

extern const LabExperiment LAB_BIT_COUNT, LAB_BIT_SCAN; // bits.c
extern const LabExperiment LAB_SLIDERS;                 // sliders.c

#endif
