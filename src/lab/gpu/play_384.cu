// Games with nets with layers and threats, of up to 384 units.
#define WIDTH  384
#define LAYERS 1
#define WARPS  20 // of a block; fewer leave more registers to each
#include "lab/gpu/play_kernel.h"
