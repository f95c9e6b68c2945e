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

// Which start the first opening of a warp has: the number of a Chess960 start, or -1 for the usual.
int emulate_start_number(uint64_t seed, int warp);

// Sets up a start as the warps' games do and plays random legal moves from it: boards[0] to
// boards[n] are the positions, moves[i] leads from the i-th to the next (from, to, promotion as in
// board.h). At every position all legal moves are made and taken back. Returns n, `plies` at most,
// or -1 where a move taken back does not leave the men as they were.
int emulate_walk(const Tables *tables, int start_number, uint64_t seed, int plies,
                 HostBoard *boards, uint16_t *moves);

// Walks `count` random games of that many plies and compares, at every ply, the accumulators
// carried from move to move with a refresh. Returns the number of positions compared, or -1 at a
// difference.
int emulate_check_steps(const Net *net, uint64_t seed, int games, int plies, Error *error);

// What a search of a position comes to, with empty tables; the move as in board.h.
typedef struct EmulatedSearch {
    int score, depth;
    uint32_t nodes, move;
} EmulatedSearch;
bool emulate_search(const Net *net, const HostBoard *board, uint32_t nodes, EmulatedSearch *found,
                    Error *error);

// The evaluation of a position as a warp computes it.
bool emulate_evaluate(const Net *net, const HostBoard *board, int *centipawns, Error *error);

#endif
