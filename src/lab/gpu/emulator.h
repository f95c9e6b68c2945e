// A warp on the CPU: 32 fibres of one thread that take turns and meet at every collective
// operation. Only for checking GPU code; many threads may each run a warp of their own.
#ifndef LOVAC_LAB_GPU_EMULATOR_H
#define LOVAC_LAB_GPU_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

// Runs `body(context)` in 32 lanes until all have returned; false when memory for stacks is short.
bool emulator_run(void (*body)(void *context), void *context);

// Inside a lane: its number, and the exchange that every collective is made of. The values of all
// lanes are returned; `kind` must be the same in every lane, else the program is wrong and is
// aborted.
int emulator_lane(void);
const uint64_t *emulator_exchange(uint64_t value, int kind);

#endif
