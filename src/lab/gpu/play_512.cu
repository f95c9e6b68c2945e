// Games with nets of up to 512 units.
#define WIDTH  512
#define LAYERS 0
#define WARPS  24 // of a block; fewer leave more registers to each
#include "lab/gpu/play_kernel.h"
