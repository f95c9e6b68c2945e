// Zobrist numbers as compile-time constants: number n is splitmix64's n-th output from a fixed
// seed, spelt out by the preprocessor so that no table has to be filled at start.
#include "core/zobrist.h"

#define SEED     0x4c6f766163ull // "Lovac"
#define MIX_1(z) (((z) ^ (z) >> 30) * 0xBF58476D1CE4E5B9ull)
#define MIX_2(z) (((z) ^ (z) >> 27) * 0x94D049BB133111EBull)
#define MIX_3(z) ((z) ^ (z) >> 31)
#define N1(n)    MIX_3(MIX_2(MIX_1(SEED + ((n) + 1ull) * 0x9E3779B97F4A7C15ull)))
#define N4(n)    N1(n), N1((n) + 1), N1((n) + 2), N1((n) + 3)
#define N16(n)   N4(n), N4((n) + 4), N4((n) + 8), N4((n) + 12)
#define N64(n)                                                                                     \
    {                                                                                              \
        N16((n)*64), N16((n)*64 + 16), N16((n)*64 + 32), N16((n)*64 + 48)                          \
    }

const Key ZOBRIST_MEN[PIECE_COUNT][64] = {N64(0), N64(1), N64(2), N64(3), N64(4),  N64(5),
                                          N64(6), N64(7), N64(8), N64(9), N64(10), N64(11)};
const Key ZOBRIST_CASTLING[64] = N64(12);
const Key ZOBRIST_EN_PASSANT[64] = N64(13);
const Key ZOBRIST_SIDE = N1(14 * 64);
