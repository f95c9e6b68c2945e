// Counting the ones of a word and listing where they are, as document D compares them, and as the
// processor does it itself. Small and simple on purpose; core/bitboard.h has what the engine uses.
#ifndef LOVAC_LAB_EXPERIMENTS_BITS_H
#define LOVAC_LAB_EXPERIMENTS_BITS_H

#include <stdint.h>

#include "lab/experiments/stopwatch.h"

// ---- Counting ----

// 64 rounds, each adding the lowest bit and shifting it out.
static inline int bits_count_loop(uint64_t word)
{
    int count = 0;
    for (int i = 0; i < 64; i++) {
        count += (int)(word & 1);
        word = lab_hide(word >> 1);
    }
    return count;
}

// Kernighan: a round for every one, which word & (word - 1) clears. Compilers know this loop and
// would put the processor's instruction in its place: lab_hide keeps it a loop.
static inline int bits_count_kernighan(uint64_t word)
{
    int count = 0;
    for (; word; count++)
        word = lab_hide(word & (word - 1));
    return count;
}

// HAKMEM, as D calls it: neighbouring fields of 1, 2, 4, 8, 16 and 32 bits are added, all at once.
static inline int bits_count_hakmem(uint64_t word)
{
    static const uint64_t MASKS[6] = {0x5555555555555555u, 0x3333333333333333u,
                                      0x0f0f0f0f0f0f0f0fu, 0x00ff00ff00ff00ffu,
                                      0x0000ffff0000ffffu, 0x00000000ffffffffu};
    for (int i = 0; i < 6; i++)
        word = lab_hide((word & MASKS[i]) + (word >> (1 << i) & MASKS[i]));
    return (int)word;
}

// The processor's own instruction, where it has one.
static inline int bits_count_hardware(uint64_t word)
{
    return __builtin_popcountll(word);
}

// ---- Scanning: the indexes of all ones, lowest first; returns how many ----

static inline int bits_scan_loop(uint64_t word, uint8_t indexes[64])
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        if (lab_hide(word) >> i & 1)
            indexes[count++] = (uint8_t)i;
    return count;
}

// D's constant: each of the 64 windows of six bits occurs once, so that the product with a lone bit
// has the bit's index in its upper six bits, as a number of the table.
#define BITS_DE_BRUIJN 0x07edd5e59a4e28c2u

// For each window its bit.
void bits_de_bruijn_table(uint8_t table[64]);

static inline int bits_scan_de_bruijn(const uint8_t table[64], uint64_t word, uint8_t indexes[64])
{
    int count = 0;
    for (; word; word &= word - 1)
        indexes[count++] = table[(word & -word) * BITS_DE_BRUIJN >> 58];
    return count;
}

static inline int bits_scan_hardware(uint64_t word, uint8_t indexes[64])
{
    int count = 0;
    for (; word; word &= word - 1)
        indexes[count++] = (uint8_t)__builtin_ctzll(word);
    return count;
}

// The word that is measured for so many ones (1 to 64): D's samples where it gives them (the
// labels, where a sample is misprinted), else the lowest bits.
uint64_t bits_sample(int ones);

#endif
