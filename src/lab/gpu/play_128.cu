// Games with nets of up to 128 units.
#define WIDTH 128
#ifndef WARPS
#define WARPS 24 // of a block; fewer leave more registers to each
#endif
#include "lab/gpu/play_kernel.h"
