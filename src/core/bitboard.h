// Sets of squares and the attacks of the pieces.
// Sliding attacks come from tables indexed by PEXT where the machine has it, by magic
// multiplication elsewhere.
#ifndef LOVAC_CORE_BITBOARD_H
#define LOVAC_CORE_BITBOARD_H

#include "core/types.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define FILE_A       0x0101010101010101ull
#define FILE_H       (FILE_A << 7)
#define RANK_1       0xffull
#define RANK_8       (RANK_1 << 56)
#define DARK_SQUARES 0xaa55aa55aa55aa55ull // a1 is dark

// Fills the attack tables. Call once, before anything else in core, from one thread.
void bitboard_init(void);

typedef struct SliderTable {
    Bitboard mask;
#ifndef __BMI2__
    Bitboard magic;
    int shift;
#endif
    const Bitboard *attacks;
} SliderTable;

// Read-only after bitboard_init. Use the functions below.
extern SliderTable ROOK_TABLE[64], BISHOP_TABLE[64];
extern Bitboard PAWN_ATTACKS[2][64]; // of an orthodox pawn
extern Bitboard KNIGHT_ATTACKS[64], KING_ATTACKS[64];
extern Bitboard ROOK_LINES[64], BISHOP_LINES[64]; // attacks on an empty board
extern Bitboard BETWEEN[64][64]; // open squares between two squares in line, else 0
extern Bitboard LINE[64][64];    // the whole line through two squares in line, else 0

static inline Bitboard square_bit(Square s)
{
    return 1ull << s;
}
static inline int bit_count(Bitboard b)
{
    return __builtin_popcountll(b);
}
static inline bool bit_many(Bitboard b)
{
    return b & (b - 1);
} // more than one
static inline Square bit_first(Bitboard b)
{
    return __builtin_ctzll(b);
}
static inline Square bit_last(Bitboard b)
{
    return 63 ^ __builtin_clzll(b);
}
static inline Square bit_pop(Bitboard *b)
{
    Square s = __builtin_ctzll(*b);
    *b &= *b - 1;
    return s;
}

static inline Bitboard rank_bits(int rank)
{
    return RANK_1 << 8 * rank;
}
static inline Bitboard file_bits(int file)
{
    return FILE_A << file;
}

// All squares of b moved one step in a direction; what would leave the board vanishes.
static inline __attribute__((always_inline)) Bitboard bitboard_shift(Bitboard b, int direction)
{
    int file_step = ((direction + 12) & 7) - 4; // -1, 0, 1
    if (file_step == 1)
        b &= ~FILE_H;
    else if (file_step == -1)
        b &= ~FILE_A;
    return direction > 0 ? b << direction : b >> -direction;
}

static inline unsigned slider_index(const SliderTable *t, Bitboard occupied)
{
#ifdef __BMI2__
    return (unsigned)_pext_u64(occupied, t->mask);
#else
    return (unsigned)((occupied & t->mask) * t->magic >> t->shift);
#endif
}

static inline Bitboard rook_attacks(Square s, Bitboard occupied)
{
    return ROOK_TABLE[s].attacks[slider_index(&ROOK_TABLE[s], occupied)];
}
static inline Bitboard bishop_attacks(Square s, Bitboard occupied)
{
    return BISHOP_TABLE[s].attacks[slider_index(&BISHOP_TABLE[s], occupied)];
}
static inline Bitboard queen_attacks(Square s, Bitboard occupied)
{
    return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}

// Attacks of a knight, bishop, rook, queen or king; pawns depend on the rules (see position.h).
static inline Bitboard piece_attacks(PieceType t, Square s, Bitboard occupied)
{
    switch (t) {
    case KNIGHT: return KNIGHT_ATTACKS[s];
    case BISHOP: return bishop_attacks(s, occupied);
    case ROOK: return rook_attacks(s, occupied);
    case QUEEN: return queen_attacks(s, occupied);
    default: return KING_ATTACKS[s];
    }
}

#endif
