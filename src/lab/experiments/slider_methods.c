// See slider_methods.h: the tables.
#include "lab/experiments/slider_methods.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static const int FILE_STEPS[RAY_COUNT] = {1, 0, 1, -1, -1, 0, -1, 1};
static const int RANK_STEPS[RAY_COUNT] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int ROOK_RAYS[4] = {RAY_EAST, RAY_NORTH, RAY_WEST, RAY_SOUTH};
static const int BISHOP_RAYS[4] = {RAY_NORTH_EAST, RAY_NORTH_WEST, RAY_SOUTH_WEST, RAY_SOUTH_EAST};

// ---- Walking: slow, and so simple that it is right ----

// Squares from `square` on in a direction, up to and with the first man.
static uint64_t walk(int square, int ray, uint64_t occupied)
{
    uint64_t squares = 0;
    int file = (square & 7) + FILE_STEPS[ray], rank = (square >> 3) + RANK_STEPS[ray];
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
         file += FILE_STEPS[ray], rank += RANK_STEPS[ray]) {
        uint64_t bit = 1ull << (8 * rank + file);
        squares |= bit;
        if (occupied & bit)
            break;
    }
    return squares;
}

static uint64_t walk_all(int square, const int rays[4], uint64_t occupied)
{
    return walk(square, rays[0], occupied) | walk(square, rays[1], occupied) |
           walk(square, rays[2], occupied) | walk(square, rays[3], occupied);
}

// The squares on which a man can change the attacks: all but the last of each ray.
static uint64_t relevant(const SliderTables *t, int square, const int rays[4])
{
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t ray = t->rays[rays[i]][square];
        if (ray)
            mask |= ray & ~(1ull << (rays[i] < RAY_WEST ? 63 ^ __builtin_clzll(ray)
                                                        : __builtin_ctzll(ray)));
    }
    return mask;
}

// ---- Rotated boards ----

// The line of a kind through a square, as directions forth and back.
static const int LINE_RAYS[ROTATED_LINES][2] = {{RAY_EAST, RAY_WEST},
                                                {RAY_NORTH, RAY_SOUTH},
                                                {RAY_NORTH_EAST, RAY_SOUTH_WEST},
                                                {RAY_NORTH_WEST, RAY_SOUTH_EAST}};

// Which line of its kind a square lies on, and which square of it: places in a turned board follow
// these two.
static int line_number(int line, int square)
{
    int file = square & 7, rank = square >> 3;
    switch (line) {
    case ROTATED_RANK: return rank;
    case ROTATED_FILE: return file;
    case ROTATED_RISING: return rank - file + 7;
    default: return rank + file;
    }
}

static void turn_board(SliderTables *t, int line)
{
    int place = 0;
    for (int number = 0; number < 15; number++) {
        int first = place, length = 0;
        for (int square = 0; square < 64; square++)
            if (line_number(line, square) == number) {
                t->turned[line][square] = (uint8_t)place++;
                length++;
            }
        for (int square = 0; square < 64; square++)
            if (line_number(line, square) == number)
                t->lines[line][square] =
                    (SliderLine){(uint8_t)((first + 1) & 63),
                                 length > 2 ? (uint8_t)((1 << (length - 2)) - 1) : 0};
    }
}

// The attacks along a line for every pattern of its inner squares: the pattern is laid back on the
// real board, where it can be walked.
static void fill_rotated(SliderTables *t, int line, int square)
{
    const SliderLine *l = &t->lines[line][square];
    for (uint64_t pattern = 0; pattern <= l->mask; pattern++) {
        uint64_t occupied = 0;
        for (int other = 0; other < 64; other++) {
            int inner = t->turned[line][other] - l->shift;
            if (line_number(line, other) == line_number(line, square) && inner >= 0 && inner < 6 &&
                pattern >> inner & 1)
                occupied |= 1ull << other;
        }
        t->rotated[line][square][pattern] =
            walk(square, LINE_RAYS[line][0], occupied) | walk(square, LINE_RAYS[line][1], occupied);
    }
}

static uint64_t turn(const SliderTables *t, int line, uint64_t occupied)
{
    uint64_t board = 0;
    for (; occupied; occupied &= occupied - 1)
        board |= 1ull << t->turned[line][__builtin_ctzll(occupied)];
    return board;
}

SliderBoards slider_boards(const SliderTables *t, uint64_t occupied)
{
    return (SliderBoards){occupied, turn(t, ROTATED_FILE, occupied),
                          turn(t, ROTATED_RISING, occupied), turn(t, ROTATED_FALLING, occupied)};
}

// ---- Magic numbers ----

enum { PATTERNS_MAX = 4096 };

// Every pattern of men on the squares that matter to one square, with the attacks.
typedef struct Patterns {
    uint64_t men[PATTERNS_MAX], attacks[PATTERNS_MAX];
    int count;
} Patterns;

static void list_patterns(Patterns *p, uint64_t mask, int square, const int rays[4])
{
    uint64_t men = 0;
    p->count = 0;
    do {
        p->men[p->count] = men;
        p->attacks[p->count++] = walk_all(square, rays, men);
        men = (men - mask) & mask;
    } while (men);
}

// Does the number send all patterns to entries of their own, or of the same attacks? Fills the
// entries; 0 is no attack, so that an empty one is known.
static bool try_magic(const SliderLookup *l, const Patterns *p, uint64_t *entries)
{
    memset(entries, 0, sizeof *entries * (size_t)p->count);
    for (int i = 0; i < p->count; i++) {
        uint64_t *entry = &entries[p->men[i] * l->magic >> l->shift];
        if (*entry && *entry != p->attacks[i])
            return false;
        *entry = p->attacks[i];
    }
    return true;
}

// Numbers with few ones are good more often.
static void find_magic(SliderLookup *l, const Patterns *p, Random *random, uint64_t *entries)
{
    do {
        l->magic = random_next(random) & random_next(random) & random_next(random);
    } while (__builtin_popcountll(l->mask * l->magic >> 56) < 6 || !try_magic(l, p, entries));
}

// Both lookups of one square; returns how many entries they take.
static int fill_lookup(SliderTables *t, SliderLookup *l, int square, const int rays[4],
                       Random *random, uint64_t *by_magic, uint64_t *by_pext)
{
    Patterns patterns;
    l->mask = relevant(t, square, rays);
    l->shift = 64 - __builtin_popcountll(l->mask);
    list_patterns(&patterns, l->mask, square, rays);
    find_magic(l, &patterns, random, by_magic);
    for (int i = 0; i < patterns.count; i++)
        by_pext[slider_gather(patterns.men[i], l->mask)] = patterns.attacks[i];
    l->by_magic = by_magic;
    l->by_pext = by_pext;
    return patterns.count;
}

static void fill_lookups(SliderTables *t)
{
    Random random;
    random_init(&random, 1);
    int rook = 0, bishop = 0;
    for (int s = 0; s < 64; s++) {
        rook += fill_lookup(t, &t->rook[s], s, ROOK_RAYS, &random, t->rook_magic + rook,
                            t->rook_pext + rook);
        bishop += fill_lookup(t, &t->bishop[s], s, BISHOP_RAYS, &random, t->bishop_magic + bishop,
                              t->bishop_pext + bishop);
    }
}

// ---- All together ----

SliderTables *slider_tables_new(Error *error)
{
    SliderTables *t = calloc(1, sizeof *t);
    if (!t) {
        error_set(error, "out of memory");
        return NULL;
    }
    for (int ray = 0; ray < RAY_COUNT; ray++)
        for (int s = 0; s < 64; s++)
            t->rays[ray][s] = walk(s, ray, 0);
    for (int line = 0; line < ROTATED_LINES; line++) {
        turn_board(t, line);
        for (int s = 0; s < 64; s++)
            fill_rotated(t, line, s);
    }
    fill_lookups(t);
    return t;
}

void slider_tables_free(SliderTables *tables)
{
    free(tables);
}

uint64_t slider_rook(const SliderTables *t, SliderMethod method, int square, const SliderBoards *b)
{
    switch (method) {
    case SLIDER_CLASSICAL: return slider_rook_classical(t, square, b);
    case SLIDER_SHIFTED: return slider_rook_shifted(t, square, b);
    case SLIDER_ROTATED: return slider_rook_rotated(t, square, b);
    case SLIDER_MAGIC: return slider_rook_magic(t, square, b);
    default: return slider_rook_pext(t, square, b);
    }
}

uint64_t slider_bishop(const SliderTables *t, SliderMethod method, int square,
                       const SliderBoards *b)
{
    switch (method) {
    case SLIDER_CLASSICAL: return slider_bishop_classical(t, square, b);
    case SLIDER_SHIFTED: return slider_bishop_shifted(t, square, b);
    case SLIDER_ROTATED: return slider_bishop_rotated(t, square, b);
    case SLIDER_MAGIC: return slider_bishop_magic(t, square, b);
    default: return slider_bishop_pext(t, square, b);
    }
}
