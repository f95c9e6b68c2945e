// The GPU's perft, evaluation and games on an emulated warp: slow, exact, without a GPU.
#ifndef LOVAC_LAB_GPU_EMULATE_H
#define LOVAC_LAB_GPU_EMULATE_H

#include "engine/nnue.h"
#include "lab/gpu/play.h"

enum { EMULATE_WIDTH = 128 }; // widest net that the emulator plays

// The number of leaves; 0 when memory is short.
uint64_t emulate_perft(const Tables *tables, const HostBoard *board, int depth);

// Plays the job's games as warp number `warp` of the GPU would. The job's nets and scratch are
// replaced by the emulator's own; records and statistics are written where the job says (stats may
// be NULL).
bool emulate_play(const PlayJob *job, const Net *const nets[2], int warp, WarpStats *stats,
                  Error *error);

// Walks `count` random games of that many plies and compares, at every ply, the accumulators
// carried from move to move with a refresh. Returns the number of positions compared, or -1 at a
// difference.
int emulate_check_steps(const Net *net, uint64_t seed, int games, int plies, Error *error);

// The evaluation of a position as a warp computes it.
bool emulate_evaluate(const Net *net, const HostBoard *board, int *centipawns, Error *error);

#endif
