// Perft on warps: the proof of board.h. Subtrees below `split` plies go round the warps.
#ifndef LOVAC_LAB_GPU_PERFT_H
#define LOVAC_LAB_GPU_PERFT_H

#include <stddef.h>

#include "lab/gpu/board.h"

enum { PERFT_PLIES = 10, PERFT_MOVES = 256 };

typedef struct PerftJob {
    const Tables *tables;
    HostBoard board;
    int depth, split, warps;
    uint32_t *lists;  // [warps][PERFT_PLIES][PERFT_MOVES]
    uint64_t *counts; // [warps]
} PerftJob;

DEV void board_load(Board *b, const HostBoard *h)
{
    b->man = h->man[warp_lane()];
    b->white = h->white;
    b->black = h->black;
    b->hash = h->hash;
    b->side = h->side;
    b->castling = h->castling;
    b->en_passant = h->en_passant;
    b->fifty = h->fifty;
}

// The men are unmade by man_before, everything else from the copy: as the search does it.
DEV void perft_unmake(Board *b, const Board *before, uint32_t move, const Change *c)
{
    const int man = man_before(b->man, move, c->victim_lane, c->rook_from >= 0, before->side);
    *b = *before;
    b->man = man;
}

// Counts one warp's share without recursion; frames are local to the lane.
DEV void perft_warp(const PerftJob *job, const Tables *t, int warp)
{
    GenRequest r;
    r.captures_only = r.ordered = false;
    r.killers = r.hash_move = 0;
    r.least_gain = 0;
    r.history = NULL;
    r.types = NULL;
    uint32_t *lists = job->lists + (long)warp * PERFT_PLIES * PERFT_MOVES;
    Board boards[PERFT_PLIES];
    Change changes[PERFT_PLIES];
    uint32_t moves[PERFT_PLIES];
    int counts[PERFT_PLIES], indices[PERFT_PLIES];
    Board b;
    board_load(&b, &job->board);
    uint64_t total = 0;
    uint32_t subtree = 0;
    int ply = 0;
    bool in_check;
    counts[0] = board_moves(t, &b, &r, lists, PERFT_MOVES, &in_check);
    indices[0] = 0;
    for (;;) {
        if (indices[ply] >= counts[ply]) {
            if (ply == 0)
                break;
            ply--;
            perft_unmake(&b, &boards[ply], moves[ply], &changes[ply]);
            continue;
        }
        const uint32_t move = lists[ply * PERFT_MOVES + indices[ply]++] & 0xffff;
        if (ply == job->split - 1 && subtree++ % (uint32_t)job->warps != (uint32_t)warp)
            continue;
        boards[ply] = b;
        moves[ply] = move;
        board_make(t, &b, move, &changes[ply]);
        if (ply + 1 == job->depth) {
            total++;
            perft_unmake(&b, &boards[ply], move, &changes[ply]);
            continue;
        }
        ply++;
        counts[ply] = board_moves(t, &b, &r, lists + ply * PERFT_MOVES, PERFT_MOVES, &in_check);
        indices[ply] = 0;
    }
    if (warp_lane() == 0)
        job->counts[warp] = total;
}

#endif
