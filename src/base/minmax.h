// The lesser and the greater of two whole numbers.
#ifndef LOVAC_BASE_MINMAX_H
#define LOVAC_BASE_MINMAX_H

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}
static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

// `x`, or the end of the range that it lies beyond.
static inline int clamp_int(int x, int least, int greatest)
{
    return max_int(least, min_int(x, greatest));
}

#endif
