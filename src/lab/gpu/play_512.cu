// Games with nets of up to 512 units.
#define WIDTH 512
#ifndef WARPS
#define WARPS 20 // of a block; fewer leave more registers to each
#endif
#include "lab/gpu/play_kernel.h"
