// Attacks of rooks and bishops five ways, as document D describes four of them, and by PEXT. All
// give the same squares (tests/test_experiments.c); they differ in what they keep and what they
// compute. Squares are numbered from a1 = 0 to h8 = 63. core/bitboard.h has what the engine uses.
#ifndef LOVAC_LAB_EXPERIMENTS_SLIDER_METHODS_H
#define LOVAC_LAB_EXPERIMENTS_SLIDER_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

// Directions: the first four go to higher squares, the others back, each opposite to the one four
// before it.
enum {
    RAY_EAST,
    RAY_NORTH,
    RAY_NORTH_EAST,
    RAY_NORTH_WEST,
    RAY_WEST,
    RAY_SOUTH,
    RAY_SOUTH_WEST,
    RAY_SOUTH_EAST,
    RAY_COUNT
};

typedef enum SliderMethod {
    SLIDER_CLASSICAL,
    SLIDER_SHIFTED,
    SLIDER_ROTATED,
    SLIDER_MAGIC,
    SLIDER_PEXT,
    SLIDER_METHODS
} SliderMethod;

// The occupied squares, plain and turned so that files and diagonals lie in a row. A program with
// rotated bitboards keeps all four up to date with every move.
typedef struct SliderBoards {
    uint64_t plain, files, rising, falling; // rising: diagonals like a1-h8
} SliderBoards;

// A line of squares in a turned board: where its inner squares begin, and how many there are.
typedef struct SliderLine {
    uint8_t shift, mask; // mask: of the inner squares, at most six
} SliderLine;

// For magic multiplication and PEXT: what matters to a square, and the attacks for each pattern.
typedef struct SliderLookup {
    uint64_t mask, magic;
    int shift;
    const uint64_t *by_magic, *by_pext;
} SliderLookup;

enum { ROTATED_RANK, ROTATED_FILE, ROTATED_RISING, ROTATED_FALLING, ROTATED_LINES };
enum { SLIDER_ROOK_ENTRIES = 102400, SLIDER_BISHOP_ENTRIES = 5248 };

typedef struct SliderTables {
    uint64_t rays[RAY_COUNT][64];
    uint8_t turned[ROTATED_LINES][64]; // the place of a square in each board
    SliderLine lines[ROTATED_LINES][64];
    uint64_t rotated[ROTATED_LINES][64][64]; // attacks along the line, by its inner squares
    SliderLookup rook[64], bishop[64];
    uint64_t rook_magic[SLIDER_ROOK_ENTRIES], rook_pext[SLIDER_ROOK_ENTRIES];
    uint64_t bishop_magic[SLIDER_BISHOP_ENTRIES], bishop_pext[SLIDER_BISHOP_ENTRIES];
} SliderTables;

// All tables; about two megabytes. Magic numbers are found by trial with a fixed seed, which takes
// a part of a second. NULL without memory.
SliderTables *slider_tables_new(Error *error);
void slider_tables_free(SliderTables *tables);

// The four boards of a set of occupied squares.
SliderBoards slider_boards(const SliderTables *tables, uint64_t occupied);

// ---- 1. Classical: the first man on a ray hides what is behind it ----

static inline uint64_t classical_ray(const SliderTables *t, int ray, int square, uint64_t occupied)
{
    uint64_t all = t->rays[ray][square], men = all & occupied;
    if (!men)
        return all;
    int first = ray < RAY_WEST ? __builtin_ctzll(men) : 63 ^ __builtin_clzll(men);
    return all ^ t->rays[ray][first];
}

static inline uint64_t slider_rook_classical(const SliderTables *t, int square,
                                             const SliderBoards *b)
{
    return classical_ray(t, RAY_EAST, square, b->plain) |
           classical_ray(t, RAY_NORTH, square, b->plain) |
           classical_ray(t, RAY_WEST, square, b->plain) |
           classical_ray(t, RAY_SOUTH, square, b->plain);
}

static inline uint64_t slider_bishop_classical(const SliderTables *t, int square,
                                               const SliderBoards *b)
{
    return classical_ray(t, RAY_NORTH_EAST, square, b->plain) |
           classical_ray(t, RAY_NORTH_WEST, square, b->plain) |
           classical_ray(t, RAY_SOUTH_WEST, square, b->plain) |
           classical_ray(t, RAY_SOUTH_EAST, square, b->plain);
}

// ---- 2. Shifted: the men on a ray, moved on 1 to 6 steps, cover what cannot be reached ----

static inline uint64_t shifted_up(uint64_t ray, int step, uint64_t occupied)
{
    uint64_t men = ray & occupied, hidden = 0;
    for (int i = 1; i <= 6; i++)
        hidden |= men << step * i;
    return ray ^ (hidden & ray);
}

static inline uint64_t shifted_down(uint64_t ray, int step, uint64_t occupied)
{
    uint64_t men = ray & occupied, hidden = 0;
    for (int i = 1; i <= 6; i++)
        hidden |= men >> step * i;
    return ray ^ (hidden & ray);
}

static inline uint64_t slider_rook_shifted(const SliderTables *t, int square, const SliderBoards *b)
{
    return shifted_up(t->rays[RAY_EAST][square], 1, b->plain) |
           shifted_up(t->rays[RAY_NORTH][square], 8, b->plain) |
           shifted_down(t->rays[RAY_WEST][square], 1, b->plain) |
           shifted_down(t->rays[RAY_SOUTH][square], 8, b->plain);
}

static inline uint64_t slider_bishop_shifted(const SliderTables *t, int square,
                                             const SliderBoards *b)
{
    return shifted_up(t->rays[RAY_NORTH_EAST][square], 9, b->plain) |
           shifted_up(t->rays[RAY_NORTH_WEST][square], 7, b->plain) |
           shifted_down(t->rays[RAY_SOUTH_WEST][square], 9, b->plain) |
           shifted_down(t->rays[RAY_SOUTH_EAST][square], 7, b->plain);
}

// ---- 3. Rotated: the six inner squares of a line, in a row, are an index ----

static inline uint64_t rotated_line(const SliderTables *t, int line, int square, uint64_t board)
{
    const SliderLine *l = &t->lines[line][square];
    return t->rotated[line][square][board >> l->shift & l->mask];
}

static inline uint64_t slider_rook_rotated(const SliderTables *t, int square, const SliderBoards *b)
{
    return rotated_line(t, ROTATED_RANK, square, b->plain) |
           rotated_line(t, ROTATED_FILE, square, b->files);
}

static inline uint64_t slider_bishop_rotated(const SliderTables *t, int square,
                                             const SliderBoards *b)
{
    return rotated_line(t, ROTATED_RISING, square, b->rising) |
           rotated_line(t, ROTATED_FALLING, square, b->falling);
}

// ---- 4. Magic: a product gathers the squares that matter in its upper bits ----

static inline uint64_t slider_rook_magic(const SliderTables *t, int square, const SliderBoards *b)
{
    const SliderLookup *l = &t->rook[square];
    return l->by_magic[(b->plain & l->mask) * l->magic >> l->shift];
}

static inline uint64_t slider_bishop_magic(const SliderTables *t, int square, const SliderBoards *b)
{
    const SliderLookup *l = &t->bishop[square];
    return l->by_magic[(b->plain & l->mask) * l->magic >> l->shift];
}

// ---- 5. PEXT: an instruction gathers them ----

// The bits of a word that a mask selects, side by side; bit by bit where there is no instruction.
static inline uint64_t slider_gather(uint64_t word, uint64_t mask)
{
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    uint64_t result = 0;
    for (int i = 0; mask; mask &= mask - 1, i++)
        result |= (uint64_t)((word & mask & -mask) != 0) << i;
    return result;
#endif
}

static inline uint64_t slider_rook_pext(const SliderTables *t, int square, const SliderBoards *b)
{
    const SliderLookup *l = &t->rook[square];
    return l->by_pext[slider_gather(b->plain, l->mask)];
}

static inline uint64_t slider_bishop_pext(const SliderTables *t, int square, const SliderBoards *b)
{
    const SliderLookup *l = &t->bishop[square];
    return l->by_pext[slider_gather(b->plain, l->mask)];
}

// Any of them, by number.
uint64_t slider_rook(const SliderTables *tables, SliderMethod method, int square,
                     const SliderBoards *boards);
uint64_t slider_bishop(const SliderTables *tables, SliderMethod method, int square,
                       const SliderBoards *boards);

#endif
