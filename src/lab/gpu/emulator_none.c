// In the place of emulator.c where there are no fibres (Windows): nothing can be emulated there.
#include "lab/gpu/emulator.h"

#include <stdlib.h>

int emulator_lane(void)
{
    abort(); // emulator_run never begins a lane
}

const uint64_t *emulator_exchange(uint64_t value, int kind)
{
    (void)value, (void)kind;
    abort();
}

bool emulator_run(void (*body)(void *context), void *context)
{
    (void)body, (void)context;
    return false;
}
