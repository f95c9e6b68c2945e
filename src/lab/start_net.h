// Nets that nobody trained: the beginning of learning.
#ifndef LOVAC_LAB_START_NET_H
#define LOVAC_LAB_START_NET_H

#include "engine/nnue.h"

// A net that counts material (100, 300, 300, 500, 900) plus a little noise, so that games differ.
// The squares in the net make it exact: (b + x)^2 - (b - x)^2 = 4bx.
Net *start_net_material(int hidden, uint64_t seed, Error *error);

#endif
