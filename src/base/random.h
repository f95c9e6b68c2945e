// Random numbers that are the same on every machine for the same seed. Not for secrets.
// `random_split` is the splitmix64 sequence (it also defines Massacre's start positions); `Random`
// is xoshiro256++, better and as fast, for everything that draws many numbers.
#ifndef LOVAC_BASE_RANDOM_H
#define LOVAC_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state[4];
} Random;

// The next number of the splitmix64 sequence that `state` stands in.
static inline uint64_t random_split(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// Starts a generator; every seed is good, and near seeds give unrelated sequences.
void random_init(Random *random, uint64_t seed);

// 64 random bits.
static inline uint64_t random_next(Random *random)
{
    uint64_t *s = random->state, sum = s[0] + s[3];
    uint64_t result = (sum << 23 | sum >> 41) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

// A number below `limit` (at least 1), each equally likely.
uint64_t random_below(Random *random, uint64_t limit);

// A number in [0, 1).
static inline double random_unit(Random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

// A number of the normal distribution with mean 0 and deviation 1.
double random_normal(Random *random);

// A seed that differs from call to call and from machine to machine.
uint64_t random_fresh_seed(void);

#endif
