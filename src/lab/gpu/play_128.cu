// Games with nets of up to 128 units.
#define WIDTH  128
#define LAYERS 0
#define WARPS  28 // of a block; fewer leave more registers to each
#include "lab/gpu/play_kernel.h"
