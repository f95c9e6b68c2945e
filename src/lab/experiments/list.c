// The list of all experiments, in the order in which they are run and shown: boards first, then
// searches, then players.
#include <stddef.h>

#include "lab/experiments/rows.h"

const LabExperiment *const LAB_EXPERIMENTS[] = {
    // boards
    &LAB_BIT_COUNT, &LAB_BIT_SCAN, &LAB_SLIDERS, &LAB_GENERATION, &LAB_PERFT_TESTS,
    // searches
    &LAB_TREES, &LAB_ORDERING, &LAB_EXTENSIONS, &LAB_G_NODES, &LAB_M_SEARCH, &LAB_T_HORIZON,
    // players
    &LAB_RATINGS, &LAB_K_LEAGUE, NULL};
