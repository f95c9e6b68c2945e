// Games with nets of up to 128 units; 24 warps a block.
#define WIDTH 128
#define WARPS 24
#include "lab/gpu/play_kernel.h"
