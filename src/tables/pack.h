// A long row of small numbers in few bytes, of which any one can be had without the others.
//
// The most frequent pair of neighbours becomes a new symbol, again and again; the symbols that are
// left are written in a Huffman code, in blocks that can be read alone. The form in bytes is in
// docs/tables.md.
#ifndef LOVAC_TABLES_PACK_H
#define LOVAC_TABLES_PACK_H

#include <stdatomic.h>

#include "base/bytes.h"
#include "base/error.h"

enum {
    PACK_SYMBOLS = 4095,           // the most
    PACK_LENGTH = 65535,           // numbers that one symbol stands for, at most
    PACK_CODE_BITS = 24,           // of the longest code
    PACK_LOOK_BITS = 10,           // codes up to this length are found at once
    PACK_MARK_BITS = 256,          // about so many are between two marks in a block
    PACK_VALUES = 2048,            // different numbers, at most
    PACK_NUMBERS_MOST = 0x7fffffff // in a row
};

// Packs `count` numbers into `out`, in blocks of `block_size` bytes. The row is used up. False when
// memory ran out or there are too many different numbers.
bool pack_row(uint16_t *row, size_t count, int block_size, Bytes *out, Error *error);

// A packed row in memory.
typedef struct Packed {
    uint64_t count;
    uint16_t constant; // of all numbers, when there are no symbols
    int symbols;
    int longest;                             // code, in bits
    uint32_t first_code[PACK_CODE_BITS + 2]; // of each length, at the top of 32 bits
    uint16_t first_symbol[PACK_CODE_BITS + 2];
    uint16_t *left, *right; // of a symbol; right is NO_SYMBOL for a number
    uint16_t *length;       // how many numbers it stands for
    uint32_t *look;         // by the next PACK_LOOK_BITS bits: symbol and bits, or 0
    uint32_t block_count, block_size;
    const uint8_t *firsts, *blocks; // the number with which each begins (u32); the blocks
    size_t blocks_size;
    // Where reading may begin inside a block: the number (upper half) whose symbol begins at a bit
    // (lower half), `mark_count` for each block. They are found when a block is first used.
    _Atomic uint64_t *marks;
    uint32_t mark_count;
    _Atomic uint8_t *checked; // by block: its checksum was right and its marks are set
} Packed;

// Opens a row of `count` numbers at `*at`, which is moved behind it; the bytes must stay. False,
// with nothing to release, when they are damaged.
bool packed_open(Packed *packed, const uint8_t **at, const uint8_t *end, uint64_t count,
                 Error *error);
void packed_release(Packed *packed);

// One number; false when its block is damaged. From any thread.
bool packed_get(const Packed *packed, uint64_t index, uint16_t *number, Error *error);

// All of them.
bool packed_get_all(const Packed *packed, uint16_t *row, Error *error);

#endif
