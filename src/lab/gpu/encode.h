// Nets in the layout that warps read (device_net.h), wider than the net if need be: missing units
// are zero and change nothing, so nets of different widths can meet in one kernel.
#ifndef LOVAC_LAB_GPU_ENCODE_H
#define LOVAC_LAB_GPU_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/nnue.h"
#include "lab/gpu/play.h"

// Words that the two arrays need for a kernel's width, whatever the king buckets.
static inline size_t encode_feature_words(int width)
{
    return (size_t)(NNUE_INPUTS * PLAY_KING_BUCKETS + 1) * (size_t)width / 2;
}
static inline size_t encode_output_words(int width)
{
    return (size_t)NNUE_OUTPUTS * 2 * (size_t)width / 4;
}

// Fills the arrays and the net's numbers (not its pointers). False when a warp cannot play this
// net: it is wider, has too many king buckets, or was made for another number of men.
bool encode_net(const Net *net, int width, uint32_t *feature, uint32_t *output, DeviceNet *device,
                Error *error);

// A position as lanes; false when it is not orthodox chess with at most 16 men a side and usual
// castling.
bool encode_position(const Tables *tables, const Position *pos, HostBoard *board);

#endif
