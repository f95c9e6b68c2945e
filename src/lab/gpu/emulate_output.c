// The emulated warp for nets with one output.
#define WIDTH       128
#define LAYERS      0
#define NAMED(name) name##_output
#include "lab/gpu/emulate_net.h"

static_assert(EMULATE_WIDTH == WIDTH, "the header promises this width");
