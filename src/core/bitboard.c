// Filling the attack tables. Rays are walked once, at start; nothing here is used afterwards.
#include "core/bitboard.h"

SliderTable ROOK_TABLE[64], BISHOP_TABLE[64];
Bitboard PAWN_ATTACKS[2][64], KNIGHT_ATTACKS[64], KING_ATTACKS[64];
Bitboard ROOK_LINES[64], BISHOP_LINES[64];
Bitboard BETWEEN[64][64], LINE[64][64];

static Bitboard ROOK_ENTRIES[102400], BISHOP_ENTRIES[5248]; // sum of 2^bits(mask) over the squares

static const int ROOK_DIRECTIONS[4] = {NORTH, EAST, SOUTH, WEST};
static const int BISHOP_DIRECTIONS[4] = {NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST};

// The squares a slider sees from s, ray by ray up to and including the first man.
static Bitboard walk_rays(Square s, Bitboard occupied, const int directions[4])
{
    Bitboard seen = 0;
    for (int i = 0; i < 4; i++) {
        Bitboard b = square_bit(s);
        do {
            b = bitboard_shift(b, directions[i]);
            seen |= b;
        } while (b && !(b & occupied));
    }
    return seen;
}

// One step in each of eight directions given as (file, rank) pairs.
static Bitboard leaper_attacks(Square s, const int8_t steps[8][2])
{
    Bitboard b = 0;
    for (int i = 0; i < 8; i++) {
        int file = square_file(s) + steps[i][0], rank = square_rank(s) + steps[i][1];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
            b |= square_bit(square_make(file, rank));
    }
    return b;
}

#ifndef __BMI2__
// Tries sparse random numbers until one maps every occupancy of the mask to its attacks without a
// false clash.
static void find_magic(SliderTable *t, Bitboard *entries, const Bitboard *occupied,
                       const Bitboard *attacks, int count)
{
    static int tried[4096]; // which attempt last wrote an entry
    static int attempt;
    static uint64_t seed = 0x4c6f766163ull; // "Lovac"
    t->shift = 64 - bit_count(t->mask);
    for (bool found = false; !found;) {
        t->magic = ~0ull;
        for (int i = 0; i < 3; i++) {
            seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
            t->magic &= seed * 0x2545F4914F6CDD1Dull;
        }
        if (bit_count(t->mask * t->magic >> 56) < 6)
            continue;
        attempt++;
        found = true;
        for (int i = 0; i < count && found; i++) {
            unsigned at = slider_index(t, occupied[i]);
            if (tried[at] != attempt) {
                tried[at] = attempt;
                entries[at] = attacks[i];
            } else if (entries[at] != attacks[i]) {
                found = false;
            }
        }
    }
}
#endif

// Fills one kind of slider's tables for all squares.
static void fill_slider(SliderTable tables[64], Bitboard *entries, const int directions[4])
{
    for (Square s = 0; s < 64; s++) {
        SliderTable *t = &tables[s];
        Bitboard edges = ((RANK_1 | RANK_8) & ~rank_bits(square_rank(s))) |
                         ((FILE_A | FILE_H) & ~file_bits(square_file(s)));
        t->mask = walk_rays(s, 0, directions) & ~edges;
        t->attacks = entries;

        static Bitboard occupied[4096], attacks[4096];
        int count = 0;
        Bitboard subset = 0;
        do { // all subsets of the mask
            occupied[count] = subset;
            attacks[count++] = walk_rays(s, subset, directions);
            subset = (subset - t->mask) & t->mask;
        } while (subset);
#ifdef __BMI2__
        for (int i = 0; i < count; i++)
            entries[slider_index(t, occupied[i])] = attacks[i];
#else
        find_magic(t, entries, occupied, attacks, count);
#endif
        entries += count;
    }
}

// BETWEEN and LINE of two squares, if they stand in line.
static void fill_lines(void)
{
    for (Square a = 0; a < 64; a++)
        for (Square b = 0; b < 64; b++) {
            Bitboard ab = square_bit(a) | square_bit(b);
            if (ROOK_LINES[a] & square_bit(b)) {
                BETWEEN[a][b] = rook_attacks(a, square_bit(b)) & rook_attacks(b, square_bit(a));
                LINE[a][b] = (ROOK_LINES[a] & ROOK_LINES[b]) | ab;
            } else if (BISHOP_LINES[a] & square_bit(b)) {
                BETWEEN[a][b] = bishop_attacks(a, square_bit(b)) & bishop_attacks(b, square_bit(a));
                LINE[a][b] = (BISHOP_LINES[a] & BISHOP_LINES[b]) | ab;
            }
        }
}

void bitboard_init(void)
{
    static const int8_t knight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                        {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int8_t king[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                      {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    if (KING_ATTACKS[A1])
        return;
    for (Square s = 0; s < 64; s++) {
        Bitboard b = square_bit(s);
        PAWN_ATTACKS[WHITE][s] = bitboard_shift(b, NORTH_WEST) | bitboard_shift(b, NORTH_EAST);
        PAWN_ATTACKS[BLACK][s] = bitboard_shift(b, SOUTH_WEST) | bitboard_shift(b, SOUTH_EAST);
        KNIGHT_ATTACKS[s] = leaper_attacks(s, knight);
        ROOK_LINES[s] = walk_rays(s, 0, ROOK_DIRECTIONS);
        BISHOP_LINES[s] = walk_rays(s, 0, BISHOP_DIRECTIONS);
    }
    fill_slider(ROOK_TABLE, ROOK_ENTRIES, ROOK_DIRECTIONS);
    fill_slider(BISHOP_TABLE, BISHOP_ENTRIES, BISHOP_DIRECTIONS);
    fill_lines();
    for (Square s = 0; s < 64; s++)
        KING_ATTACKS[s] = leaper_attacks(s, king);
}
