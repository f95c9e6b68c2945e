// Games with nets of up to 1024 units; 16 warps a block.
#define WIDTH 1024
#define WARPS 16
#include "lab/gpu/play_kernel.h"
