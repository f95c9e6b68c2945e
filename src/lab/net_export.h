// From a trainer's floats to a net of integers, and from a net to the GPU's words.
#ifndef LOVAC_LAB_NET_EXPORT_H
#define LOVAC_LAB_NET_EXPORT_H

#include "engine/nnue.h"
#include "lab/gpu/layers.h"

// Rounds parameters (in the order of trainer_new) to a net. The trainer keeps them within range;
// what is beyond is clipped. info.hidden and info.king_buckets must fit the parameters.
Net *net_from_parameters(const float *parameters, const NetInfo *info, Error *error);

// Which bucket each square of a king (turned and mirrored) belongs to, for one bucket or four: the
// corner, the middle of the first rank, the second rank, the rest.
void king_bucket_map(int buckets, uint8_t map[64]);

#endif
