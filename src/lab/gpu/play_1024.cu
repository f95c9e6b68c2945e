// Games with nets of up to 1024 units.
#define WIDTH  1024
#define LAYERS 0
#define WARPS  16 // of a block; fewer leave more registers to each
#include "lab/gpu/play_kernel.h"
