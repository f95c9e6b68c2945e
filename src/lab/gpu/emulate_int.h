// The emulator's functions for each kind of net: with one output, and with layers. Private to this
// folder; emulate.c chooses between them.
#ifndef LOVAC_LAB_GPU_EMULATE_INT_H
#define LOVAC_LAB_GPU_EMULATE_INT_H

#include "lab/gpu/emulate.h"

#define DECLARE(kind)                                                                              \
    bool emulate_play_##kind(const PlayJob *job, const Net *const nets[2], int warp,               \
                             WarpStats *stats, Error *error);                                      \
    int emulate_check_steps_##kind(const Net *net, uint64_t seed, int games, int plies,            \
                                   Error *error);                                                  \
    bool emulate_search_##kind(const Net *net, const HostBoard *board, uint32_t nodes,             \
                               EmulatedSearch *found, Error *error);                               \
    bool emulate_evaluate_##kind(const Net *net, const HostBoard *board, int *centipawns,          \
                                 Error *error);
DECLARE(output)
DECLARE(layers)
#undef DECLARE

#endif
