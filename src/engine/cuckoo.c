// Cuckoo hashing of the 3 668 reversible moves: each key has two places and throws out who sits
// there.
#include "engine/cuckoo.h"

#include <pthread.h>

#include "core/zobrist.h"

enum { SIZE = 8192 };

// Written once under `once`, read-only afterwards.
static Key keys[SIZE];
static uint16_t squares[SIZE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static unsigned place_1(Key k)
{
    return k & (SIZE - 1);
}
static unsigned place_2(Key k)
{
    return k >> 16 & (SIZE - 1);
}

static void insert(Key key, unsigned move)
{
    unsigned at = place_1(key);
    for (;;) {
        Key old_key = keys[at];
        unsigned old_move = squares[at];
        keys[at] = key;
        squares[at] = (uint16_t)move;
        if (!old_move)
            return;
        key = old_key;
        move = old_move;
        at = at == place_1(key) ? place_2(key) : place_1(key);
    }
}

static void fill(void)
{
    for (Piece piece = piece_make(WHITE, KNIGHT); piece < PIECE_COUNT; piece++)
        for (Square a = 0; a < 64; a++)
            for (Square b = a + 1; b < 64; b++)
                if (piece_attacks(piece_type(piece), a, 0) & square_bit(b))
                    insert(ZOBRIST_MEN[piece][a] ^ ZOBRIST_MEN[piece][b] ^ ZOBRIST_SIDE,
                           (unsigned)(a | b << 6));
}

void cuckoo_init(void)
{
    pthread_once(&once, fill);
}

unsigned cuckoo_find(Key difference)
{
    unsigned at = place_1(difference);
    if (keys[at] == difference)
        return squares[at];
    at = place_2(difference);
    return keys[at] == difference ? squares[at] : 0;
}
