// Private to core: counting legal moves of orthodox chess eight directions at a time.
// Rays of two sliders in one direction never overlap (the nearer man ends the ray), and neither do
// steps of two knights in one direction; so the moves of all men are the sum, over the eight
// directions, of the squares that one filled set covers. No loop over men, no branch. The scalar
// counter in movegen.c gives the same numbers on any machine.
#ifndef LOVAC_CORE_MOVEGEN_AVX512_H
#define LOVAC_CORE_MOVEGEN_AVX512_H

#include "core/position_int.h"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define HAVE_VECTOR_COUNT 1
#include <immintrin.h>

// Lanes: N, E, S, W, NE, SE, SW, NW. A rotation wraps round the board; the masks drop what wrapped.
#define NOT_A (~FILE_A)
#define NOT_H (~FILE_H)
#define NOT_1 (~RANK_1)
#define NOT_8 (~RANK_8)

INLINE __m512i lanes(uint64_t n, uint64_t e, uint64_t s, uint64_t w, uint64_t ne, uint64_t se,
                     uint64_t sw, uint64_t nw)
{
    return _mm512_set_epi64((long long)nw, (long long)sw, (long long)se, (long long)ne,
                            (long long)w, (long long)s, (long long)e, (long long)n);
}

// The same set in the four straight or the four diagonal lanes.
INLINE __m512i straight_and_diagonal(Bitboard straight, Bitboard diagonal)
{
    return _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)straight), 0xf0,
                                  (long long)diagonal);
}

// Squares that sliders see in each direction up to and including the first man (Kogge-Stone fill).
INLINE __m512i fill_rays(Bitboard straight, Bitboard diagonal, Bitboard empty)
{
    const __m512i one = lanes(8, 1, 56, 63, 9, 57, 55, 7),
                  two = lanes(16, 2, 48, 62, 18, 50, 46, 14),
                  four = lanes(32, 4, 32, 60, 36, 36, 28, 28);
    const __m512i inside = lanes(NOT_1, NOT_A, NOT_8, NOT_H, NOT_1 & NOT_A, NOT_8 & NOT_A,
                                 NOT_8 & NOT_H, NOT_1 & NOT_H);
    __m512i from = straight_and_diagonal(straight, diagonal);
    __m512i open = _mm512_and_si512(inside, _mm512_set1_epi64((long long)empty));
    enum { OR_AND = 0xf8 }; // a | (b & c); a true constant, as clang demands without optimisation
    from = _mm512_ternarylogic_epi64(from, open, _mm512_rolv_epi64(from, one), OR_AND);
    open = _mm512_and_si512(open, _mm512_rolv_epi64(open, one));
    from = _mm512_ternarylogic_epi64(from, open, _mm512_rolv_epi64(from, two), OR_AND);
    open = _mm512_and_si512(open, _mm512_rolv_epi64(open, two));
    from = _mm512_ternarylogic_epi64(from, open, _mm512_rolv_epi64(from, four), OR_AND);
    return _mm512_and_si512(inside, _mm512_rolv_epi64(from, one));
}

// Squares that knights reach in each of their eight directions.
INLINE __m512i fill_knights(Bitboard knights)
{
    const Bitboard not_ab = ~(FILE_A * 3), not_gh = ~(FILE_H | FILE_H >> 1), not_12 = ~0xffffull,
                   not_78 = ~(0xffffull << 48);
    const __m512i turn = lanes(17, 10, 58, 49, 47, 54, 6, 15);
    const __m512i inside = lanes(not_12 & NOT_A, NOT_1 & not_ab, NOT_8 & not_ab, not_78 & NOT_A,
                                 not_78 & NOT_H, NOT_8 & not_gh, NOT_1 & not_gh, not_12 & NOT_H);
    return _mm512_and_si512(inside, _mm512_rolv_epi64(_mm512_set1_epi64((long long)knights), turn));
}

// Moves of the knights and sliders in `free` onto squares of `mask`.
INLINE int count_piece_moves(const Position *pos, Bitboard free, Bitboard mask)
{
    const Bitboard *t = pos->by_type;
    const __m512i targets = _mm512_set1_epi64((long long)mask);
    __m512i rays = fill_rays((t[ROOK] | t[QUEEN]) & free, (t[BISHOP] | t[QUEEN]) & free,
                             ~position_occupied(pos));
    __m512i jumps = fill_knights(t[KNIGHT] & free);
    return (int)_mm512_reduce_add_epi64(
        _mm512_add_epi64(_mm512_popcnt_epi64(_mm512_and_si512(rays, targets)),
                         _mm512_popcnt_epi64(_mm512_and_si512(jumps, targets))));
}

// All squares that colour `by` attacks, seen through the man on `through` (the king that would step
// back).
INLINE Bitboard attack_map(const Position *pos, Color by, Bitboard through)
{
    const Bitboard *t = pos->by_type;
    Bitboard men = pos->by_color[by], pawns = t[PAWN] & men;
    __m512i rays = fill_rays((t[ROOK] | t[QUEEN]) & men, (t[BISHOP] | t[QUEEN]) & men,
                             ~position_occupied(pos) | through);
    Bitboard map =
        (Bitboard)_mm512_reduce_or_epi64(_mm512_or_si512(rays, fill_knights(t[KNIGHT] & men)));
    map |= by == WHITE ? bitboard_shift(pawns, NORTH_WEST) | bitboard_shift(pawns, NORTH_EAST)
                       : bitboard_shift(pawns, SOUTH_WEST) | bitboard_shift(pawns, SOUTH_EAST);
    Bitboard king = t[KING] & men,
             row = king | bitboard_shift(king, EAST) | bitboard_shift(king, WEST);
    return map | row | row << 8 | row >> 8; // its own square does no harm
}

#endif
#endif
