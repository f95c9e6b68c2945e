// A brain made quick for a search: only the nodes and links that can change the output are kept,
// what is constant is worked out beforehand, and numbers are floats. Read-only once made, so that
// threads share it. 64 inputs, the men of a board as document K codes them. The same as brain.h up
// to rounding.
#ifndef LOVAC_LAB_BRAIN_BRAIN_FAST_H
#define LOVAC_LAB_BRAIN_BRAIN_FAST_H

#include "lab/brain/brain.h"

enum { BRAIN_FAST_VALUES_MAX = 512, BRAIN_FAST_MEMORY_MAX = 64 };

// Boards that are valued together: as many floats as a vector of this machine has, up to 8.
#ifdef __AVX__
enum { BRAIN_FAST_LANES = 8 };
#else
enum { BRAIN_FAST_LANES = 4 };
#endif

typedef struct BrainFast BrainFast;

// What the recurrent pairs of a brain hold.
typedef struct BrainMemory {
    float at[BRAIN_FAST_MEMORY_MAX];
} BrainMemory;

// Compiles; NULL with the reason when the brain has not 64 inputs or is too large. Without
// `remembers` the recurrent inputs are 0 for good.
BrainFast *brain_fast_new(const Brain *brain, bool remembers, Error *error);
void brain_fast_free(BrainFast *fast);

int brain_fast_outputs(const BrainFast *fast);

// No output goes beyond ±this.
float brain_fast_bound(const BrainFast *fast, int output);

// Is this output the same number, whatever stands on the board?
bool brain_fast_is_constant(const BrainFast *fast, int output);

// An output for these men; `memory` stays as it is.
float brain_fast_value(const BrainFast *fast, const int8_t men[64], const BrainMemory *memory,
                       int output);

// The same for several boards (at most BRAIN_FAST_LANES) in little more time than for one, above
// all when they differ in few squares.
void brain_fast_values(const BrainFast *fast, const int8_t *const men[], int count,
                       const BrainMemory *memory, int output, float *values);

// Hands the recurrent outputs for these men on to `memory`.
void brain_fast_step(const BrainFast *fast, const int8_t men[64], BrainMemory *memory);

// A name of what it computes: brains that differ only in what cannot matter have the same one.
uint64_t brain_fast_mark(const BrainFast *fast);

#endif
