// The emulated warp for nets with layers.
#define WIDTH       384
#define LAYERS      1
#define NAMED(name) name##_layers
#include "lab/gpu/emulate_net.h"

static_assert(LAYERS_WIDTH == WIDTH, "the width of the GPU's kernel");
