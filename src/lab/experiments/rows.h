// The experiments by name, for the list (list.c); each is in the file named beside it.
#ifndef LOVAC_LAB_EXPERIMENTS_ROWS_H
#define LOVAC_LAB_EXPERIMENTS_ROWS_H

#include "lab/experiments/experiment.h"

extern const LabExperiment LAB_BIT_COUNT, LAB_BIT_SCAN; // bits.c
extern const LabExperiment LAB_SLIDERS;                 // sliders.c
extern const LabExperiment LAB_GENERATION;              // generation.c
extern const LabExperiment LAB_PERFT_TESTS;             // perft_tests.c
extern const LabExperiment LAB_TREES;                   // trees.c
extern const LabExperiment LAB_ORDERING;                // ordering.c
extern const LabExperiment LAB_G_NODES;                 // g_nodes.c
extern const LabExperiment LAB_M_SEARCH;                // m_search.c
extern const LabExperiment LAB_T_HORIZON;               // t_horizon.c
extern const LabExperiment LAB_RATINGS;                 // ratings.c
extern const LabExperiment LAB_EXTENSIONS;              // extensions.c
extern const LabExperiment LAB_K_LEAGUE;                // k_league.c

#endif
