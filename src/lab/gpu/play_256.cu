// Games with nets of up to 256 units.
#define WIDTH  256
#define LAYERS 0
#define WARPS  24 // of a block; fewer leave more registers to each
#include "lab/gpu/play_kernel.h"
