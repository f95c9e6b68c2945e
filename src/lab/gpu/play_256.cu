// Games with nets of up to 256 units; 24 warps a block.
#define WIDTH 256
#define WARPS 24
#include "lab/gpu/play_kernel.h"
