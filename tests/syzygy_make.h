// A small but complete Syzygy file of king and rook against king, for tests without tables at hand:
// its positions are drawn and won by turns, in the order of their numbers.
#ifndef LOVAC_TESTS_SYZYGY_MAKE_H
#define LOVAC_TESTS_SYZYGY_MAKE_H

#include <string.h>

#include "tables/syzygy_file.h"

enum { MADE_SIZE_MAX = 8192, MADE_POSITIONS = 31332, MADE_BLOCKS = 31, MADE_SPANS = 62 };

static inline size_t made_word(uint8_t *at, unsigned value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    return (size_t)bytes;
}

// How one part is packed: symbols 0 and 1 stand for values (codes 00 and 01), symbol 2 (code 1) for
// both of them.
static inline size_t made_packing(uint8_t *at, SyzygyKind kind)
{
    static const uint8_t TREE[] = {2, 0xf0, 0xff, 4, 0xf0, 0xff, 0, 0x10, 0};
    size_t size = 0;
    at[size++] = kind == SYZYGY_DTZ ? 2 : 0; // DTZ: with maps
    at[size++] = 6;                          // blocks of 64 bytes
    at[size++] = 9;                          // an entry of the index for every 512 values
    at[size++] = 0;
    size += made_word(at + size, MADE_BLOCKS, 4);
    at[size++] = 2; // the longest code
    at[size++] = 1; // the shortest
    size += made_word(at + size, 2, 2);
    size += made_word(at + size, 0, 2);
    size += made_word(at + size, 3, 2);
    memcpy(at + size, TREE, sizeof TREE);
    return size + sizeof TREE + 1;
}

// Writes the file and returns its size.
static inline size_t made_file(uint8_t bytes[MADE_SIZE_MAX], SyzygyKind kind)
{
    static const uint8_t HEADS[][9] = {{0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0x66, 0x44, 0xee},
                                       {0xd7, 0x66, 0x0c, 0xa5, 0x31, 0x00, 0x06, 0x04, 0x0e}};
    int parts = kind == SYZYGY_WDL ? 2 : 1;
    memset(bytes, 0, MADE_SIZE_MAX);
    memcpy(bytes, HEADS[kind], sizeof HEADS[kind]);
    size_t size = sizeof HEADS[kind] + 1;
    for (int i = 0; i < parts; i++)
        size += made_packing(bytes + size, kind);
    for (int i = 0; kind == SYZYGY_DTZ && i < 4; i++) { // maps of five numbers each
        bytes[size++] = 5;
        for (int k = 0; k < 5; k++)
            bytes[size++] = (uint8_t)(10 * i + k);
    }
    size += size & 1;
    for (int i = 0; i < parts * MADE_SPANS; i++) {
        unsigned middle = (unsigned)(i % MADE_SPANS) * 512 + 256;
        size += made_word(bytes + size, middle / 1024, 4);
        size += made_word(bytes + size, middle % 1024, 2);
    }
    for (int i = 0; i < parts * MADE_BLOCKS; i++)
        size += made_word(bytes + size, 1023, 2);
    size = (size + 63) & ~(size_t)63;
    memset(bytes + size, 0xff, (size_t)(parts * MADE_BLOCKS) * 64);
    return size + (size_t)(parts * MADE_BLOCKS) * 64 + 16;
}

#endif
