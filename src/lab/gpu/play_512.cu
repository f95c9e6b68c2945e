// Games with nets of up to 512 units; 16 warps a block.
#define WIDTH 512
#define WARPS 16
#include "lab/gpu/play_kernel.h"
