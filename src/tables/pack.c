// Packing a row: see pack.h. Start with pack_row. Reading is unpack.c.
#include "tables/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/pack_int.h"

enum {
    LEAST_TIMES = 10,   // a pair that is rarer does not pay for its symbol
    PAIRS_A_PASS = 256, // replaced together, at most
    TOP_SHARE = 2,      // only pairs at least half as frequent as the first
};

// A pair and how often it was seen; 0 times: a free place of the table.
typedef struct PairCount {
    uint32_t pair; // left * 65536 + right
    uint32_t times;
    uint16_t symbol; // that takes its place, when `is_chosen`
    bool is_chosen;
} PairCount;

typedef struct Packer {
    uint16_t *row;
    size_t count;
    int symbols, values;
    uint16_t value[PACK_VALUES];
    uint16_t left[PACK_SYMBOLS], right[PACK_SYMBOLS];
    uint32_t length[PACK_SYMBOLS];
    uint64_t times[PACK_SYMBOLS]; // seen in the row
    uint8_t bits[PACK_SYMBOLS];   // of its code
    uint32_t code[PACK_SYMBOLS];
    uint16_t order[PACK_SYMBOLS], number[PACK_SYMBOLS]; // by length of code, and the other way
    PairCount *table;
    size_t table_room, table_size; // a power of 2
} Packer;

// ---- Pairs ----

static PairCount *find_pair(const Packer *packer, uint32_t pair)
{
    size_t mask = packer->table_size - 1, at = (size_t)(pair * 0x9e3779b97f4a7c15u >> 33) & mask;
    while (packer->table[at].times && packer->table[at].pair != pair)
        at = (at + 1) & mask;
    return &packer->table[at];
}

static uint32_t pair_at(const Packer *packer, size_t i)
{
    return (uint32_t)packer->row[i] << 16 | packer->row[i + 1];
}

// An empty table at least twice as large as there can be different pairs.
static bool clear_table(Packer *packer)
{
    size_t most = (size_t)packer->symbols * (size_t)packer->symbols, size = 64;
    most = most < packer->count ? most : packer->count;
    while (size < 2 * most)
        size *= 2;
    packer->table_size = size;
    if (size > packer->table_room) {
        free(packer->table);
        packer->table = malloc(size * sizeof *packer->table);
        packer->table_room = packer->table ? size : 0;
    }
    if (packer->table)
        memset(packer->table, 0, size * sizeof *packer->table);
    return packer->table;
}

static void count_pairs(Packer *packer)
{
    const uint16_t *row = packer->row;
    for (size_t i = 0; i + 1 < packer->count; i++) {
        uint32_t pair = pair_at(packer, i);
        PairCount *found = find_pair(packer, pair);
        found->pair = pair;
        found->times++;
        if (row[i] == row[i + 1] && i + 2 < packer->count && row[i] == row[i + 2])
            i++; // three equal ones have the pair only once
    }
}

static int by_times(const void *a, const void *b)
{
    const PairCount *const *x = a, *const *y = b;
    if ((*x)->times != (*y)->times)
        return (*x)->times < (*y)->times ? 1 : -1;
    return (*x)->pair < (*y)->pair ? -1 : (*x)->pair > (*y)->pair;
}

// The frequent pairs, most frequent first; returns how many. `list` has room for PACK_SYMBOLS.
static size_t list_pairs(const Packer *packer, PairCount **list)
{
    uint32_t top = 0;
    size_t count = 0;
    for (size_t i = 0; i < packer->table_size; i++)
        if (packer->table[i].times > top)
            top = packer->table[i].times;
    uint32_t least = top / TOP_SHARE > LEAST_TIMES ? top / TOP_SHARE : LEAST_TIMES;
    for (size_t i = 0; i < packer->table_size && count < PACK_SYMBOLS; i++)
        if (packer->table[i].times >= least)
            list[count++] = &packer->table[i];
    qsort(list, count, sizeof *list, by_times);
    return count;
}

// Makes symbols of pairs that cannot overlap each other; returns how many.
static int choose_pairs(Packer *packer, PairCount **list, size_t count)
{
    bool is_left[PACK_SYMBOLS] = {false}, is_right[PACK_SYMBOLS] = {false};
    int chosen = 0;
    for (size_t i = 0; i < count && chosen < PAIRS_A_PASS && packer->symbols < PACK_SYMBOLS; i++) {
        uint32_t left = list[i]->pair >> 16, right = list[i]->pair & 0xffff;
        if (is_right[left] || is_left[right] ||
            packer->length[left] + packer->length[right] > PACK_LENGTH ||
            (left == right && (is_left[left] || is_right[left])))
            continue;
        is_left[left] = is_right[right] = true;
        int symbol = packer->symbols++;
        packer->left[symbol] = (uint16_t)left;
        packer->right[symbol] = (uint16_t)right;
        packer->length[symbol] = packer->length[left] + packer->length[right];
        list[i]->symbol = (uint16_t)symbol;
        list[i]->is_chosen = true;
        chosen++;
    }
    return chosen;
}

static void replace_pairs(Packer *packer)
{
    uint16_t *row = packer->row;
    size_t to = 0;
    for (size_t i = 0; i < packer->count; i++) {
        const PairCount *found =
            i + 1 < packer->count ? find_pair(packer, pair_at(packer, i)) : NULL;
        bool is_pair = found && found->times && found->is_chosen;
        row[to++] = is_pair ? found->symbol : row[i];
        i += is_pair;
    }
    packer->count = to;
}

static bool make_pairs(Packer *packer)
{
    PairCount *list[PACK_SYMBOLS];
    for (int chosen = 1; chosen;) {
        if (!clear_table(packer))
            return false;
        count_pairs(packer);
        size_t count = list_pairs(packer, list);
        chosen = choose_pairs(packer, list, count);
        if (chosen)
            replace_pairs(packer);
    }
    return true;
}

// ---- Codes ----

// Lengths of a Huffman code for the symbols that occur; the others get none.
static int code_lengths(Packer *packer, unsigned scale)
{
    // Nodes of the tree: the symbols, then the joined ones. `left` to be joined, the rarest last.
    static_assert(PACK_SYMBOLS * 2 < 0xffff, "nodes have 16-bit numbers");
    uint64_t weight[2 * PACK_SYMBOLS];
    uint16_t up[2 * PACK_SYMBOLS], queue[PACK_SYMBOLS], joined[PACK_SYMBOLS];
    int waiting = 0, taken = 0, nodes = packer->symbols, made = 0, next = 0, longest = 0;
    for (int i = 0; i < packer->symbols; i++) {
        int s = packer->order[packer->symbols - 1 - i]; // rarest first
        weight[s] = (packer->times[s] + scale - 1) / scale;
        if (packer->times[s])
            queue[waiting++] = (uint16_t)s;
    }
    while (waiting - taken + made - next > 1) {
        int pick[2];
        for (int k = 0; k < 2; k++)
            pick[k] =
                next == made || (taken < waiting && weight[queue[taken]] <= weight[joined[next]])
                    ? queue[taken++]
                    : joined[next++];
        weight[nodes] = weight[pick[0]] + weight[pick[1]];
        up[pick[0]] = up[pick[1]] = (uint16_t)nodes;
        joined[made++] = (uint16_t)nodes++;
    }
    int root = nodes - 1;
    for (int i = 0; i < waiting; i++) {
        int s = queue[i], bits = 0;
        for (int node = s; waiting > 1 && node != root; node = up[node])
            bits++;
        packer->bits[s] = (uint8_t)(waiting > 1 ? bits : 1);
        longest = packer->bits[s] > longest ? packer->bits[s] : longest;
    }
    return longest;
}

static void count_symbols(Packer *packer)
{
    memset(packer->times, 0, sizeof packer->times);
    for (size_t i = 0; i < packer->count; i++)
        packer->times[packer->row[i]]++;
}

// Sorts the symbols by how often they occur, or by the length of their code; insertion keeps equal
// ones in their order.
static void sort_symbols(Packer *packer, bool by_code)
{
    for (int i = 0; i < packer->symbols; i++) {
        int j = i;
        for (; j > 0; j--) {
            int before = packer->order[j - 1];
            // No code at all sorts behind the longest.
            if (by_code ? (uint8_t)(packer->bits[before] - 1) <= (uint8_t)(packer->bits[i] - 1)
                        : packer->times[before] >= packer->times[i])
                break;
            packer->order[j] = (uint16_t)before;
        }
        packer->order[j] = (uint16_t)i;
    }
}

// Gives every symbol its length, number and code.
static int make_codes(Packer *packer)
{
    count_symbols(packer);
    sort_symbols(packer, false);
    int longest = code_lengths(packer, 1);
    for (unsigned scale = 2; longest > PACK_CODE_BITS; scale *= 2)
        longest = code_lengths(packer, scale);
    sort_symbols(packer, true);
    uint32_t code = 0;
    int bits = 0;
    for (int i = 0; i < packer->symbols; i++) {
        int s = packer->order[i];
        packer->number[s] = (uint16_t)i;
        if (!packer->bits[s])
            continue;
        code <<= packer->bits[s] - bits;
        bits = packer->bits[s];
        packer->code[s] = code++;
    }
    return longest;
}

// ---- Writing ----

static bool add_u16(Bytes *out, unsigned value)
{
    return bytes_add(out, (uint8_t[]){(uint8_t)value, (uint8_t)(value >> 8)}, 2);
}
static bool add_u32(Bytes *out, uint32_t value)
{
    return add_u16(out, value & 0xffff) && add_u16(out, value >> 16);
}

// The symbols: how many codes there are of each length, then what each symbol is made of.
static bool write_symbols(const Packer *packer, int longest, Bytes *out)
{
    bool ok = add_u16(out, (unsigned)packer->values);
    for (int i = 0; i < packer->values; i++)
        ok = ok && add_u16(out, packer->value[i]);
    ok = ok && add_u16(out, (unsigned)longest);
    for (int bits = 1; bits <= longest; bits++) {
        unsigned count = 0;
        for (int s = 0; s < packer->symbols; s++)
            count += packer->bits[s] == bits;
        ok = ok && add_u16(out, count);
    }
    for (int i = 0; i < packer->symbols; i++) {
        int s = packer->order[i];
        bool is_value = s < packer->values;
        unsigned left = is_value ? (unsigned)s : packer->number[packer->left[s]];
        unsigned right = is_value ? NO_SYMBOL : packer->number[packer->right[s]];
        ok = ok && bytes_add(out,
                             (uint8_t[]){(uint8_t)left, (uint8_t)(left >> 8 | right << 4),
                                         (uint8_t)(right >> 4)},
                             3);
    }
    return ok;
}

// Fills blocks with codes; `firsts` gets the number of the first value of each.
static bool write_blocks(const Packer *packer, int block_size, Bytes *firsts, Bytes *blocks)
{
    size_t room = (size_t)(block_size - BLOCK_SUM) * 8;
    uint32_t number = 0;
    bool ok = true;
    for (size_t i = 0; i < packer->count && ok;) {
        size_t used = 0, begin = blocks->size;
        uint8_t *block = bytes_extend(blocks, (size_t)block_size);
        ok = block && add_u32(firsts, number);
        if (!ok)
            break;
        memset(block, 0, (size_t)block_size);
        for (; i < packer->count && used + packer->bits[packer->row[i]] <= room; i++) {
            int s = packer->row[i];
            for (int bit = packer->bits[s] - 1; bit >= 0; bit--, used++)
                block[used / 8] |= (uint8_t)((packer->code[s] >> bit & 1) << (7 - used % 8));
            number += packer->length[s];
        }
        // The last block ends with its codes.
        size_t size = i < packer->count ? room / 8 : (used + 7) / 8;
        uint16_t sum = block_sum(block, size);
        block[size] = (uint8_t)sum;
        block[size + 1] = (uint8_t)(sum >> 8);
        blocks->size = begin + size + BLOCK_SUM;
    }
    return ok;
}

static bool write_row(Packer *packer, int block_size, Bytes *out)
{
    Bytes firsts = {0}, blocks = {0};
    int longest = make_codes(packer);
    bool ok = add_u16(out, (unsigned)packer->symbols) && write_symbols(packer, longest, out) &&
              write_blocks(packer, block_size, &firsts, &blocks) &&
              add_u16(out, (unsigned)block_size) && add_u32(out, (uint32_t)(firsts.size / 4)) &&
              add_u32(out, (uint32_t)blocks.size) && bytes_add(out, firsts.at, firsts.size) &&
              bytes_add(out, blocks.at, blocks.size);
    bytes_release(&firsts);
    bytes_release(&blocks);
    return ok;
}

// Numbers become symbols; false when there are too many different ones.
static bool name_values(Packer *packer)
{
    uint16_t *symbol_of = malloc(65536 * sizeof *symbol_of);
    bool ok = symbol_of;
    for (int i = 0; ok && i < 65536; i++)
        symbol_of[i] = NO_SYMBOL;
    for (size_t i = 0; ok && i < packer->count; i++) {
        uint16_t value = packer->row[i];
        if (symbol_of[value] == NO_SYMBOL) {
            ok = packer->values < PACK_VALUES;
            if (!ok)
                break;
            packer->value[packer->values] = value;
            symbol_of[value] = (uint16_t)packer->values++;
        }
        packer->row[i] = symbol_of[value];
    }
    free(symbol_of);
    packer->symbols = packer->values;
    for (int i = 0; i < packer->values; i++)
        packer->length[i] = 1;
    return ok;
}

bool pack_row(uint16_t *row, size_t count, int block_size, Bytes *out, Error *error)
{
    Packer *packer = calloc(1, sizeof *packer);
    assert(count && count <= PACK_NUMBERS_MOST);
    if (!packer)
        return error_set(error, "out of memory");
    packer->row = row;
    packer->count = count;
    bool ok = name_values(packer) || error_set(error, "too many different numbers in a table");
    if (ok && packer->values == 1)
        ok = add_u16(out, 0) && add_u16(out, packer->value[0]);
    else if (ok)
        ok = (make_pairs(packer) && write_row(packer, block_size, out)) ||
             error_set(error, "out of memory");
    free(packer->table);
    free(packer);
    return ok;
}
