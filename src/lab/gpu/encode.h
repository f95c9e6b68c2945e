// Nets in the layout that warps read (device_net.h), wider than the net if need be: missing units
// are zero and change nothing, so nets of different widths can meet in one kernel.
#ifndef LOVAC_LAB_GPU_ENCODE_H
#define LOVAC_LAB_GPU_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/nnue.h"
#include "lab/gpu/layers.h"

// The narrowest kernel that plays a net; 0 when none does. Nets with layers have one of their own.
int encoded_width(const NetInfo *info);

// Encodes a net for a kernel of that width; release it with encoded_release. False when a warp
// cannot play this net there: it is wider, has too many king buckets, was made for another number
// of men, or has layers and the kernel is not for such nets.
bool encoded_init(EncodedNet *encoded, const Net *net, int width, Error *error);
void encoded_release(EncodedNet *encoded);

// A position as lanes; false when it is not orthodox chess with at most 16 men a side and usual
// castling.
bool encode_position(const Tables *tables, const Position *pos, HostBoard *board);

#endif
