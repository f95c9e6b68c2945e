// See random.h.
#include "base/random.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

void random_init(Random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->state[i] = random_split(&seed);
}

uint64_t random_below(Random *random, uint64_t limit)
{
    // Numbers below 2^64 mod limit are thrown away, else the small results would come up more
    // often.
    uint64_t reject = -limit % limit, r;
    do
        r = random_next(random);
    while (r < reject);
    return r % limit;
}

double random_normal(Random *random)
{
    // Box and Muller; 1 - u is in (0, 1], so the logarithm is finite.
    double radius = sqrt(-2.0 * log(1.0 - random_unit(random)));
    return radius * cos(6.283185307179586 * random_unit(random));
}

uint64_t random_fresh_seed(void)
{
    uint64_t seed = (uint64_t)clock_ns() ^ (uint64_t)time(NULL) << 32, bits = 0;
    FILE *source = fopen("/dev/urandom", "rb");
    if (source) {
        if (fread(&bits, sizeof bits, 1, source) != 1)
            bits = 0; // the clock alone must do
        fclose(source);
    }
    seed ^= bits;
    return random_split(&seed);
}
