// Reading packed rows: see pack.h. All that is read is checked, so that damaged bytes lead to an
// error, never out of bounds.
#include <stdlib.h>
#include <string.h>

#include "tables/pack.h"
#include "tables/pack_int.h"

static bool take(const uint8_t **at, const uint8_t *end, size_t size, const uint8_t **taken)
{
    *taken = *at;
    if ((size_t)(end - *at) < size)
        return false;
    *at += size;
    return true;
}

static bool take_u16(const uint8_t **at, const uint8_t *end, unsigned *value)
{
    const uint8_t *bytes;
    if (!take(at, end, 2, &bytes))
        return false;
    *value = read_u16(bytes);
    return true;
}

// ---- Symbols ----

// How many codes there are of each length; false when they are no prefix code.
static bool read_codes(Packed *packed, const uint8_t **at, const uint8_t *end)
{
    unsigned longest, symbol = 0;
    if (!take_u16(at, end, &longest) || !longest || longest > PACK_CODE_BITS)
        return false;
    packed->longest = (int)longest;
    uint64_t code = 0; // in units of 2^-32
    for (int bits = 1; bits <= packed->longest; bits++) {
        unsigned count;
        if (!take_u16(at, end, &count))
            return false;
        packed->first_code[bits] = (uint32_t)code;
        packed->first_symbol[bits] = (uint16_t)symbol;
        symbol += count;
        code += (uint64_t)count << (32 - bits);
        if (code > 1ull << 32 || symbol > (unsigned)packed->symbols)
            return false;
    }
    packed->first_symbol[packed->longest + 1] = (uint16_t)symbol;
    return true;
}

// The length of a symbol, from those of its halves; false when it contains itself or is too long.
static bool measure(Packed *packed, int symbol, uint8_t *state, int depth)
{
    if (state[symbol] == 2)
        return true;
    if (state[symbol] == 1 || depth > PACK_SYMBOLS)
        return false;
    state[symbol] = 1;
    unsigned length = 1;
    if (packed->right[symbol] != NO_SYMBOL) {
        int left = packed->left[symbol], right = packed->right[symbol];
        if (!measure(packed, left, state, depth + 1) || !measure(packed, right, state, depth + 1))
            return false;
        length = (unsigned)packed->length[left] + packed->length[right];
    }
    packed->length[symbol] = (uint16_t)length;
    state[symbol] = 2;
    return length <= PACK_LENGTH;
}

// What the symbols are made of; numbers get their value.
static bool read_pairs(Packed *packed, const uint8_t **at, const uint8_t *end,
                       const uint8_t *values, unsigned value_count)
{
    const uint8_t *bytes;
    uint8_t state[PACK_SYMBOLS] = {0};
    if (!take(at, end, 3 * (size_t)packed->symbols, &bytes))
        return false;
    for (int i = 0; i < packed->symbols; i++, bytes += 3) {
        packed->left[i] = (uint16_t)(bytes[0] | (bytes[1] & 15) << 8);
        packed->right[i] = (uint16_t)(bytes[1] >> 4 | bytes[2] << 4);
        bool is_value = packed->right[i] == NO_SYMBOL;
        if (is_value ? packed->left[i] >= value_count
                     : packed->left[i] >= packed->symbols || packed->right[i] >= packed->symbols)
            return false;
        if (is_value)
            packed->left[i] = read_u16(values + 2 * packed->left[i]);
    }
    for (int i = 0; i < packed->symbols; i++)
        if (!measure(packed, i, state, 0))
            return false;
    return true;
}

// Finds short codes at once.
static void fill_look(Packed *packed)
{
    for (uint32_t head = 0; head < 1u << PACK_LOOK_BITS; head++)
        for (int bits = 1; bits <= PACK_LOOK_BITS && bits <= packed->longest; bits++) {
            uint32_t code = head << (32 - PACK_LOOK_BITS);
            uint32_t above = (code - packed->first_code[bits]) >> (32 - bits);
            unsigned count = packed->first_symbol[bits + 1] - packed->first_symbol[bits];
            if (code >= packed->first_code[bits] && above < count) {
                packed->look[head] = (packed->first_symbol[bits] + above) << 8 | (uint32_t)bits;
                break;
            }
        }
}

static bool allocate(Packed *packed)
{
    size_t n = (size_t)packed->symbols;
    packed->left = malloc(n * sizeof *packed->left);
    packed->right = malloc(n * sizeof *packed->right);
    packed->length = malloc(n * sizeof *packed->length);
    packed->look = calloc(1u << PACK_LOOK_BITS, sizeof *packed->look);
    return packed->left && packed->right && packed->length && packed->look;
}

static bool read_symbols(Packed *packed, const uint8_t **at, const uint8_t *end)
{
    unsigned value_count;
    const uint8_t *values;
    if (!allocate(packed) || !take_u16(at, end, &value_count) ||
        !take(at, end, 2 * (size_t)value_count, &values) || !read_codes(packed, at, end) ||
        !read_pairs(packed, at, end, values, value_count))
        return false;
    fill_look(packed);
    return true;
}

// ---- Blocks ----

static uint64_t block_first(const Packed *packed, uint32_t block)
{
    return block < packed->block_count ? read_u32(packed->firsts + 4 * (size_t)block)
                                       : packed->count;
}

// The blocks must follow each other, begin with 0, and have the sizes that are told.
static bool read_blocks(Packed *packed, const uint8_t **at, const uint8_t *end)
{
    unsigned block_size;
    const uint8_t *sizes;
    if (!take_u16(at, end, &block_size) || !take(at, end, 8, &sizes))
        return false;
    packed->block_size = block_size;
    packed->block_count = read_u32(sizes);
    packed->blocks_size = read_u32(sizes + 4);
    size_t count = packed->block_count;
    if (!count || block_size <= BLOCK_SUM || packed->blocks_size > count * block_size ||
        packed->blocks_size <= (count - 1) * block_size + BLOCK_SUM ||
        !take(at, end, 4 * count, &packed->firsts) ||
        !take(at, end, packed->blocks_size, &packed->blocks))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if ((i == 0 && block_first(packed, i)) ||
            block_first(packed, i) >= block_first(packed, i + 1))
            return false;
    packed->mark_count = block_size * 8 / PACK_MARK_BITS + 1;
    packed->marks = calloc(count * packed->mark_count, sizeof *packed->marks);
    packed->checked = calloc(count, 1);
    return packed->marks && packed->checked;
}

bool packed_open(Packed *packed, const uint8_t **at, const uint8_t *end, uint64_t count,
                 Error *error)
{
    unsigned symbols, constant;
    *packed = (Packed){.count = count};
    bool ok = take_u16(at, end, &symbols) && symbols <= PACK_SYMBOLS;
    packed->symbols = ok ? (int)symbols : 0;
    if (ok && symbols) {
        ok = read_symbols(packed, at, end) && read_blocks(packed, at, end);
    } else if (ok) {
        ok = take_u16(at, end, &constant);
        packed->constant = (uint16_t)(ok ? constant : 0);
    }
    if (ok)
        return true;
    packed_release(packed);
    return error_set(error, "its symbols or blocks are damaged");
}

void packed_release(Packed *packed)
{
    free(packed->left);
    free(packed->right);
    free(packed->length);
    free(packed->look);
    free((void *)(uintptr_t)packed->marks);
    free((void *)(uintptr_t)packed->checked);
    *packed = (Packed){0};
}

// The codes of a block, bit by bit.
typedef struct BlockReader {
    const uint8_t *at, *end;
    uint64_t bits; // the next ones, from the top
    int count;     // how many of them are there
} BlockReader;

static void fill_bits(BlockReader *reader)
{
    while (reader->count <= 56 && reader->at < reader->end) {
        reader->bits |= (uint64_t)*reader->at++ << (56 - reader->count);
        reader->count += 8;
    }
}

// The next symbol; -1 when the block ends before it or has no such code.
static int next_symbol(const Packed *packed, BlockReader *reader)
{
    fill_bits(reader);
    uint32_t found = packed->look[reader->bits >> (64 - PACK_LOOK_BITS)];
    int bits = (int)(found & 255), symbol = (int)(found >> 8);
    if (!bits) {
        uint32_t head = (uint32_t)(reader->bits >> 32);
        for (bits = 1; bits <= packed->longest; bits++) {
            uint32_t above = (head - packed->first_code[bits]) >> (32 - bits);
            unsigned count = packed->first_symbol[bits + 1] - packed->first_symbol[bits];
            if (head >= packed->first_code[bits] && above < count) {
                symbol = (int)(packed->first_symbol[bits] + above);
                break;
            }
        }
    }
    if (bits > packed->longest || bits > reader->count)
        return -1;
    reader->bits <<= bits;
    reader->count -= bits;
    return symbol;
}

// The codes of a block, without its checksum.
static BlockReader block_codes(const Packed *packed, uint32_t block)
{
    size_t begin = (size_t)block * packed->block_size, left = packed->blocks_size - begin;
    size_t size = (left < packed->block_size ? left : packed->block_size) - BLOCK_SUM;
    const uint8_t *at = packed->blocks + begin;
    return (BlockReader){.at = at, .end = at + size};
}

static void set_mark(const Packed *packed, uint32_t block, uint32_t mark, uint64_t value)
{
    size_t at = (size_t)block * packed->mark_count + mark;
    atomic_store_explicit(&packed->marks[at], value, memory_order_relaxed);
}

// Reads a block through and sets its marks; false when it does not have its numbers. Threads that
// do so at the same time write the same.
static bool mark_block(const Packed *packed, uint32_t block)
{
    BlockReader reader = block_codes(packed, block);
    const uint8_t *begin = reader.at;
    uint64_t number = 0, numbers = block_first(packed, block + 1) - block_first(packed, block);
    uint32_t mark = 0;
    while (number < numbers) {
        uint32_t bit = (uint32_t)(reader.at - begin) * 8 - (uint32_t)reader.count;
        if (bit >= mark * PACK_MARK_BITS)
            set_mark(packed, block, mark++, number << 32 | bit);
        int symbol = next_symbol(packed, &reader);
        if (symbol < 0 || packed->length[symbol] > numbers - number)
            return false;
        number += packed->length[symbol];
    }
    while (mark < packed->mark_count)
        set_mark(packed, block, mark++, UINT64_MAX);
    return true;
}

// Is a block as it was written? Looked at once, when it is first used.
static bool check_block(const Packed *packed, uint32_t block, Error *error)
{
    if (atomic_load_explicit(&packed->checked[block], memory_order_acquire))
        return true;
    BlockReader codes = block_codes(packed, block);
    if (block_sum(codes.at, (size_t)(codes.end - codes.at)) != read_u16(codes.end))
        return error_set(error, "block %u is damaged", block);
    if (!mark_block(packed, block))
        return error_set(error, "block %u does not have its numbers", block);
    atomic_store_explicit(&packed->checked[block], 1, memory_order_release);
    return true;
}

// Begins to read a block at the last mark before number `*left` of it, which is then counted from
// there.
static BlockReader read_from_mark(const Packed *packed, uint32_t block, uint64_t *left)
{
    const _Atomic uint64_t *marks = packed->marks + (size_t)block * packed->mark_count;
    uint32_t low = 0, high = packed->mark_count - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (atomic_load_explicit(&marks[middle], memory_order_relaxed) >> 32 <= *left)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t mark = atomic_load_explicit(&marks[low], memory_order_relaxed);
    uint32_t bit = (uint32_t)mark;
    BlockReader reader = block_codes(packed, block);
    reader.at += bit / 8;
    fill_bits(&reader);
    reader.bits <<= bit % 8;
    reader.count -= (int)(bit % 8);
    *left -= mark >> 32;
    return reader;
}

// The block in which a number lies.
static uint32_t find_block(const Packed *packed, uint64_t index)
{
    uint32_t low = 0, high = packed->block_count - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (block_first(packed, middle) <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool packed_get(const Packed *packed, uint64_t index, uint16_t *number, Error *error)
{
    if (!packed->symbols) {
        *number = packed->constant;
        return true;
    }
    uint32_t block = find_block(packed, index);
    uint64_t left = index - block_first(packed, block);
    if (!check_block(packed, block, error))
        return false;
    BlockReader reader = read_from_mark(packed, block, &left);
    int symbol = next_symbol(packed, &reader);
    while (symbol >= 0 && left >= packed->length[symbol]) {
        left -= packed->length[symbol];
        symbol = next_symbol(packed, &reader);
    }
    if (symbol < 0)
        return error_set(error, "block %u ends too soon", block);
    while (packed->right[symbol] != NO_SYMBOL) {
        int half = packed->left[symbol];
        if (left < packed->length[half]) {
            symbol = half;
        } else {
            left -= packed->length[half];
            symbol = packed->right[symbol];
        }
    }
    *number = packed->left[symbol];
    return true;
}

// Writes all numbers of a symbol.
static void expand(const Packed *packed, int symbol, uint16_t *to)
{
    uint16_t stack[PACK_SYMBOLS + 1];
    int depth = 0;
    stack[depth++] = (uint16_t)symbol;
    while (depth) {
        int s = stack[--depth];
        if (packed->right[s] == NO_SYMBOL) {
            *to++ = packed->left[s];
        } else {
            stack[depth++] = packed->right[s];
            stack[depth++] = packed->left[s];
        }
    }
}

static bool get_block(const Packed *packed, uint32_t block, uint16_t *row, Error *error)
{
    if (!check_block(packed, block, error))
        return false;
    BlockReader reader = block_codes(packed, block);
    uint64_t at = block_first(packed, block), end = block_first(packed, block + 1);
    while (at < end) {
        int symbol = next_symbol(packed, &reader);
        if (symbol < 0 || packed->length[symbol] > end - at)
            return error_set(error, "block %u does not have its numbers", block);
        expand(packed, symbol, row + at);
        at += packed->length[symbol];
    }
    return true;
}

bool packed_get_all(const Packed *packed, uint16_t *row, Error *error)
{
    for (uint64_t i = 0; !packed->symbols && i < packed->count; i++)
        row[i] = packed->constant;
    for (uint32_t block = 0; packed->symbols && block < packed->block_count; block++)
        if (!get_block(packed, block, row, error))
            return false;
    return true;
}
