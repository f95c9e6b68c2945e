// See syzygy_file.h. First the numbering of positions, then the head of a file (read_*), then the
// packed values (unpack) and the probe.
//
// A file holds up to eight parts: one for each side to move (WDL of unequal sides only), and with
// pawns one for each pair of files on which the leading pawn stands. The values of a part stand in
// the order of the positions' numbers, packed in two layers: pairs of symbols are replaced by one
// symbol again and again, then the symbols get codes of different lengths (canonical Huffman), in
// blocks of equal size. A sparse index tells the block of every so many values.
#include "tables/syzygy_file.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTS_FILES = 4,
    CODE_MAX = 32,       // bits of a code
    SYMBOL_VALUES = 256, // values that a symbol stands for, at most
    LEAF = 0xfff,
    TAIL_SIZE = 16, // a checksum, which we do not know how to check

    // Flags of a file.
    FILE_SPLIT = 1,
    FILE_PAWNS = 2,

    // Flags of a part.
    PART_BLACK = 1, // DTZ: the second side is to move
    PART_MAPPED = 2,
    PART_WIN_PLIES = 4,
    PART_LOSS_PLIES = 8,
    PART_WIDE = 16,
    PART_SINGLE = 128,
};

typedef struct Part {
    uint8_t pieces[SYZYGY_MEN_MAX];         // type * 2 + side, in the order of the numbering
    uint8_t group_size[SYZYGY_MEN_MAX + 1]; // men of equal kind, numbered together; 0 ends
    uint64_t group_factor[SYZYGY_MEN_MAX];
    uint64_t size; // positions

    uint8_t flags;
    int single;     // the only value
    int block_bits; // of the size of a block
    int span_bits;  // of the distance of entries of the sparse index
    uint64_t sparse_count;
    uint32_t block_count, length_count;
    const uint8_t *sparse, *lengths, *blocks, *blocks_end;

    int code_min, code_count;    // shortest code, number of lengths
    const uint8_t *lowest;       // lowest symbol of each length
    uint64_t base[CODE_MAX + 1]; // lowest code of each length, at the left of 64 bits
    int symbol_count;
    const uint8_t *tree;    // two children of each symbol, 12 bits each
    uint8_t *symbol_values; // how many values it stands for, less one

    struct {
        const uint8_t *at;
        int count;
    } map[4]; // DTZ: from the packed number to the true one, by result
} Part;

struct SyzygyFile {
    const SyzygyMaps *maps;
    SyzygyKind kind;
    SyzygyMaterial material;
    bool is_symmetric, has_pawns, has_unique;
    int men, sides, files;
    Color lead;        // the side whose pawns come first
    int pawn_count[2]; // of the lead, of the other
    Part parts[PARTS_FILES][2];
};

// --- numbering -------------------------------------------------------------------------------

// Ranks above the diagonal a1-h8 less files: 0 on it.
static int off_diagonal(Square s)
{
    return square_rank(s) - square_file(s);
}

static void init_choose(SyzygyMaps *m)
{
    for (int n = 0; n < 64; n++) {
        m->choose[0][n] = 1;
        for (int k = 1; k < 8; k++)
            m->choose[k][n] = n ? m->choose[k - 1][n - 1] + m->choose[k][n - 1] : 0;
    }
}

static void init_triangle(SyzygyMaps *m)
{
    int next = 0, diagonal = 6, below = 0;
    memset(m->triangle, -1, sizeof m->triangle);
    memset(m->below, -1, sizeof m->below);
    for (Square s = 0; s < 64; s++) {
        if (off_diagonal(s) < 0)
            m->below[s] = (int8_t)below++;
        if (square_file(s) < 4 && off_diagonal(s) < 0)
            m->triangle[s] = (int8_t)next++;
        if (square_file(s) < 4 && off_diagonal(s) == 0)
            m->triangle[s] = (int8_t)diagonal++;
    }
}

// Two kings apart, the first in the triangle; with the first on the diagonal, the second not
// above it. Pairs with both on the diagonal come last.
static void init_kings(SyzygyMaps *m)
{
    int next = 0;
    memset(m->kings, -1, sizeof m->kings);
    for (int pass = 0; pass < 2; pass++)
        for (int t = 0; t < 10; t++)
            for (Square a = 0; a < 64; a++)
                for (Square b = 0; b < 64 && m->triangle[a] == t; b++) {
                    bool both = !off_diagonal(a) && !off_diagonal(b);
                    if (a == b || (KING_ATTACKS[a] & square_bit(b)) || both != pass ||
                        (!off_diagonal(a) && off_diagonal(b) > 0))
                        continue;
                    m->kings[t][b] = (int16_t)next++;
                }
}

static void init_pawns(SyzygyMaps *m)
{
    int next = 47;
    memset(m->pawn, -1, sizeof m->pawn);
    for (int file = 0; file < 4; file++)
        for (int rank = 1; rank < 7; rank++) {
            m->pawn[square_make(file, rank)] = (int8_t)next--;
            m->pawn[square_make(7 - file, rank)] = (int8_t)next--;
        }
    for (int count = 1; count <= SYZYGY_LEAD_MAX; count++)
        for (int file = 0; file < 4; file++) {
            uint64_t index = 0;
            for (int rank = 1; rank < 7; rank++) {
                Square s = square_make(file, rank);
                m->lead[count][s] = (uint32_t)index;
                index += m->choose[count - 1][(int)m->pawn[s]];
            }
            m->lead_size[count][file] = (uint32_t)index;
        }
}

void syzygy_maps_init(SyzygyMaps *m)
{
    memset(m, 0, sizeof *m);
    init_choose(m);
    init_triangle(m);
    init_kings(m);
    init_pawns(m);
}

// --- material --------------------------------------------------------------------------------

bool syzygy_material_from_name(SyzygyMaterial *material, const char *name, size_t length)
{
    static const char LETTERS[] = "PNBRQ";
    int side = -1, men = 0;
    memset(material, 0, sizeof *material);
    for (size_t i = 0; i < length; i++) {
        const char *letter = name[i] ? strchr(LETTERS, name[i]) : NULL;
        if (name[i] == 'K' && (side < 0 || (side == 0 && i > 1 && name[i - 1] == 'v')))
            side++;
        else if (letter && side >= 0 && name[i - 1] != 'v')
            material->count[side][letter - LETTERS]++;
        else if (name[i] == 'v' && side == 0 && name[i - 1] != 'v')
            men--; // no man
        else
            return false;
        if (++men > SYZYGY_MEN_MAX)
            return false;
    }
    return side == 1 && men >= 3;
}

uint64_t syzygy_material_code(const SyzygyMaterial *material, bool swapped)
{
    uint64_t code = 0;
    for (int side = 0; side < 2; side++)
        for (PieceType t = PAWN; t < KING; t++)
            code = code << 6 | material->count[side ^ swapped][t];
    return code;
}

uint64_t syzygy_position_code(const Position *pos)
{
    uint64_t code = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t < KING; t++)
            code = code << 6 | (uint64_t)bit_count(position_men(pos, c, t));
    return code;
}

// --- the head of a file ----------------------------------------------------------------------

// Bytes from `at` on; taking more than there are marks the whole file as damaged.
typedef struct Reader {
    const uint8_t *begin, *at, *end;
    bool is_short;
} Reader;

static const uint8_t *take(Reader *r, uint64_t size)
{
    static const uint8_t NOTHING[8];
    if (size > (uint64_t)(r->end - r->at)) {
        r->is_short = true;
        r->at = r->end;
        return NOTHING;
    }
    const uint8_t *at = r->at;
    r->at += size;
    return at;
}

static uint8_t take_byte(Reader *r)
{
    return *take(r, 1);
}

// To the next multiple, counted from the beginning of the file.
static void skip_to(Reader *r, size_t multiple)
{
    size_t over = (size_t)(r->at - r->begin) % multiple;
    take(r, over ? multiple - over : 0);
}

static unsigned get_16(const uint8_t *b)
{
    return b[0] | (unsigned)b[1] << 8;
}
static uint32_t get_32(const uint8_t *b)
{
    return get_16(b) | (uint32_t)get_16(b + 2) << 16;
}
static uint32_t get_32_big(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// Men of a kind that the material has.
static int men_of(const SyzygyFile *f, int piece)
{
    return piece_type(piece) == KING ? 1 : f->material.count[piece_color(piece)][piece_type(piece)];
}

// Are the pieces of a part those of the material, each kind in one group, and the first group what
// it must be?
static bool are_groups_right(const SyzygyFile *f, const Part *p)
{
    int group = 0, at = 0;
    unsigned seen = 0;
    for (; p->group_size[group]; at += p->group_size[group++]) {
        bool is_mixed = !f->has_pawns && !group; // different kinds, one man each
        for (int i = 0; i < p->group_size[group]; i += is_mixed ? 1 : p->group_size[group]) {
            unsigned bit = 1u << p->pieces[at + i];
            if ((seen & bit) ||
                men_of(f, p->pieces[at + i]) != (is_mixed ? 1 : p->group_size[group]))
                return false;
            seen |= bit;
        }
    }
    if (f->has_pawns)
        return p->pieces[0] == piece_make(f->lead, PAWN) &&
               (!f->pawn_count[1] || p->pieces[p->group_size[0]] == piece_make(!f->lead, PAWN));
    return p->group_size[0] == (f->has_unique ? 3 : 2) &&
           (f->has_unique ||
            (piece_type(p->pieces[0]) == KING && piece_type(p->pieces[1]) == KING));
}

// Which men are numbered together.
static int group_pieces(const SyzygyFile *f, Part *p)
{
    int mixed = f->has_pawns ? 0 : f->has_unique ? 3 : 2, n = 0;
    p->group_size[0] = 1;
    for (int i = 1; i < f->men; i++)
        if (i < mixed || p->pieces[i] == p->pieces[i - 1])
            p->group_size[n]++;
        else
            p->group_size[++n] = 1;
    return n + 1;
}

// The weight of each group in the number of a position. `order` says at which place the first
// group (and the other side's pawns) come.
static bool weigh_groups(const SyzygyFile *f, Part *p, const int order[2], int file)
{
    const SyzygyMaps *m = f->maps;
    bool has_second = f->has_pawns && f->pawn_count[1];
    int groups = group_pieces(f, p), next = has_second ? 2 : 1;
    if (!are_groups_right(f, p) || order[0] >= groups ||
        (has_second && (order[1] >= groups || order[0] == order[1])))
        return false;
    int room = 64 - p->group_size[0] - (has_second ? p->group_size[1] : 0);
    p->size = 1;
    for (int k = 0; k < groups; k++) {
        int group = k == order[0] ? 0 : has_second && k == order[1] ? 1 : next++;
        p->group_factor[group] = p->size;
        if (group == 0)
            p->size *= f->has_pawns    ? m->lead_size[p->group_size[0]][file]
                       : f->has_unique ? 31332
                                       : 462;
        else if (has_second && group == 1)
            p->size *= m->choose[p->group_size[1]][48 - p->group_size[0]];
        else {
            p->size *= m->choose[p->group_size[group]][room];
            room -= p->group_size[group];
        }
    }
    return true;
}

// A piece as files write it (pawn 1 to king 6, 8 more for the second side), or NO_PIECE.
static Piece read_piece(int code)
{
    int type = (code & 7) - 1;
    return type < PAWN || type > KING ? NO_PIECE : piece_make(code >> 3, type);
}

// The order of the pieces, of all sides of one file.
static bool read_pieces(SyzygyFile *f, Reader *r, int file)
{
    bool has_second = f->has_pawns && f->pawn_count[1];
    int first = take_byte(r), second = has_second ? take_byte(r) : 0;
    const uint8_t *codes = take(r, (uint64_t)f->men);
    if (r->is_short)
        return false;
    for (int side = 0; side < f->sides; side++) {
        Part *p = &f->parts[file][side];
        int shift = side * 4, order[2] = {first >> shift & 15, second >> shift & 15};
        for (int i = 0; i < f->men; i++)
            if ((p->pieces[i] = (uint8_t)read_piece(codes[i] >> shift & 15)) == NO_PIECE)
                return false;
        if (!weigh_groups(f, p, order, file))
            return false;
    }
    return true;
}

static int left_child(const Part *p, int symbol)
{
    const uint8_t *b = p->tree + 3 * symbol;
    return (b[1] & 15) << 8 | b[0];
}
static int right_child(const Part *p, int symbol)
{
    const uint8_t *b = p->tree + 3 * symbol;
    return b[2] << 4 | b[1] >> 4;
}

// How many values each symbol stands for: children first, by hand, as a damaged tree may be deep
// or run in circles.
static bool measure_symbols(const SyzygyFile *f, Part *p)
{
    enum { UNSEEN, OPEN, DONE };
    uint8_t state[LEAF + 1] = {0};
    int16_t stack[LEAF + 1];
    for (int first = 0; first < p->symbol_count; first++) {
        int depth = 0;
        stack[depth++] = (int16_t)first;
        while (depth) {
            int s = stack[depth - 1], left = left_child(p, s), right = right_child(p, s);
            if (state[s] == DONE) {
                depth--;
            } else if (right == LEAF) {
                if (f->kind == SYZYGY_WDL && left > 4)
                    return false;
                state[s] = DONE;
            } else if (left >= p->symbol_count || right >= p->symbol_count) {
                return false;
            } else if (state[left] != DONE || state[right] != DONE) {
                int child = state[left] != DONE ? left : right;
                if (state[child] == OPEN || child == s)
                    return false;
                state[s] = OPEN;
                stack[depth++] = (int16_t)child;
            } else {
                int values = p->symbol_values[left] + p->symbol_values[right] + 1;
                if (values >= SYMBOL_VALUES)
                    return false;
                p->symbol_values[s] = (uint8_t)values;
                state[s] = DONE;
            }
        }
    }
    return true;
}

// The lowest code of each length, from the lowest symbols.
static void compute_codes(Part *p)
{
    p->base[p->code_count - 1] = 0;
    for (int i = p->code_count - 2; i >= 0; i--)
        p->base[i] =
            (p->base[i + 1] + get_16(p->lowest + 2 * i) - get_16(p->lowest + 2 * i + 2)) / 2;
    for (int i = 0; i < p->code_count; i++)
        p->base[i] <<= 64 - p->code_min - i;
}

// How a part is packed.
static bool read_packing(const SyzygyFile *f, Reader *r, Part *p)
{
    p->flags = take_byte(r);
    if (p->flags & PART_SINGLE) {
        p->single = take_byte(r);
        return !r->is_short && (f->kind == SYZYGY_DTZ || p->single <= 4);
    }
    p->block_bits = take_byte(r);
    p->span_bits = take_byte(r);
    int more = take_byte(r);
    p->block_count = get_32(take(r, 4));
    int longest = take_byte(r);
    p->code_min = take_byte(r);
    if (r->is_short || p->block_bits > 30 || p->span_bits > 30 || p->code_min < 1 ||
        longest < p->code_min || longest > CODE_MAX || p->block_count > UINT32_MAX - 255)
        return false;
    p->sparse_count = (p->size + (1ull << p->span_bits) - 1) >> p->span_bits;
    p->length_count = p->block_count + (uint32_t)more;
    p->code_count = longest - p->code_min + 1;
    p->lowest = take(r, 2 * (uint64_t)p->code_count);
    const uint8_t *count = take(r, 2);
    if (r->is_short)
        return false;
    compute_codes(p);
    p->symbol_count = (int)get_16(count);
    p->tree = take(r, 3 * (uint64_t)p->symbol_count);
    take(r, p->symbol_count & 1);
    if (r->is_short || !p->symbol_count || p->symbol_count > LEAF)
        return false;
    p->symbol_values = calloc((size_t)p->symbol_count, 1);
    return p->symbol_values && measure_symbols(f, p);
}

// DTZ: the numbers that stand for others, by result.
static void read_maps(SyzygyFile *f, Reader *r)
{
    for (int file = 0; file < f->files; file++) {
        Part *p = &f->parts[file][0];
        if (!(p->flags & PART_MAPPED))
            continue;
        int width = p->flags & PART_WIDE ? 2 : 1;
        skip_to(r, (size_t)width);
        for (int i = 0; i < 4; i++) {
            const uint8_t *count = take(r, (uint64_t)width);
            p->map[i].count = width == 2 ? (int)get_16(count) : *count;
            p->map[i].at = take(r, (uint64_t)p->map[i].count * (uint64_t)width);
        }
    }
    skip_to(r, 2);
}

// The rest of the file: sparse indices, lengths of blocks, blocks.
static void read_places(SyzygyFile *f, Reader *r)
{
    for (int i = 0; i < f->files * f->sides; i++) {
        Part *p = &f->parts[i / f->sides][i % f->sides];
        p->sparse = take(r, p->sparse_count * 6);
    }
    for (int i = 0; i < f->files * f->sides; i++) {
        Part *p = &f->parts[i / f->sides][i % f->sides];
        p->lengths = take(r, (uint64_t)p->length_count * 2);
    }
    for (int i = 0; i < f->files * f->sides; i++) {
        Part *p = &f->parts[i / f->sides][i % f->sides];
        skip_to(r, 64);
        p->blocks = take(r, (uint64_t)p->block_count << p->block_bits);
        p->blocks_end = r->at;
    }
}

static void note_material(SyzygyFile *f)
{
    const uint8_t(*count)[KING] = f->material.count;
    f->men = 2;
    for (int side = 0; side < 2; side++)
        for (PieceType t = PAWN; t < KING; t++) {
            f->men += count[side][t];
            f->has_unique |= count[side][t] == 1;
        }
    f->is_symmetric = !memcmp(count[0], count[1], KING);
    f->has_pawns = count[0][PAWN] || count[1][PAWN];
    // The side with fewer pawns, but some, leads.
    f->lead = !count[0][PAWN] || (count[1][PAWN] && count[1][PAWN] < count[0][PAWN]);
    f->pawn_count[0] = count[f->lead][PAWN];
    f->pawn_count[1] = count[!f->lead][PAWN];
    f->files = f->has_pawns ? PARTS_FILES : 1;
    f->sides = f->kind == SYZYGY_WDL && !f->is_symmetric ? 2 : 1;
}

static bool read_file(SyzygyFile *f, Reader *r, Error *error)
{
    static const uint8_t MAGIC[SYZYGY_KIND_COUNT][4] = {{0x71, 0xe8, 0x23, 0x5d},
                                                        {0xd7, 0x66, 0x0c, 0xa5}};
    bool is_ours = !memcmp(take(r, 4), MAGIC[f->kind], 4) && !r->is_short;
    if (!is_ours)
        return error_set(error, "no Syzygy table of this kind");
    int flags = take_byte(r);
    if (!(flags & FILE_PAWNS) != !f->has_pawns || !(flags & FILE_SPLIT) != f->is_symmetric)
        return error_set(error, "a table of other material than its name says");
    for (int file = 0; file < f->files; file++)
        if (!read_pieces(f, r, file))
            return error_set(error, "damaged, or of other material than its name says");
    skip_to(r, 2);
    for (int file = 0; file < f->files; file++)
        for (int side = 0; side < f->sides; side++)
            if (!read_packing(f, r, &f->parts[file][side]))
                return error_set(error, "damaged: the packing cannot be read");
    if (f->kind == SYZYGY_DTZ)
        read_maps(f, r);
    read_places(f, r);
    skip_to(r, 64);
    take(r, TAIL_SIZE);
    if (r->is_short || r->at != r->end)
        return error_set(error, "damaged: %s than its head says",
                         r->is_short ? "shorter" : "longer");
    return true;
}

SyzygyFile *syzygy_file_new(const SyzygyMaps *maps, const uint8_t *bytes, size_t size,
                            SyzygyKind kind, const SyzygyMaterial *material, Error *error)
{
    SyzygyFile *f = calloc(1, sizeof *f);
    if (!f) {
        error_set(error, "no memory");
        return NULL;
    }
    f->maps = maps;
    f->kind = kind;
    f->material = *material;
    note_material(f);
    Reader reader = {bytes, bytes, bytes + size, false};
    if (read_file(f, &reader, error))
        return f;
    syzygy_file_free(f);
    return NULL;
}

void syzygy_file_free(SyzygyFile *f)
{
    if (!f)
        return;
    for (int i = 0; i < PARTS_FILES * 2; i++)
        free(f->parts[i / 2][i % 2].symbol_values);
    free(f);
}

// --- the packed values -----------------------------------------------------------------------

// The block in which value `index` lies, and which of its values it is.
static bool find_block(const Part *p, uint64_t index, uint32_t *block, int64_t *offset)
{
    uint64_t span = 1ull << p->span_bits;
    const uint8_t *entry = p->sparse + 6 * (index >> p->span_bits);
    uint64_t b = get_32(entry);
    int64_t o = (int64_t)get_16(entry + 4) + (int64_t)(index & (span - 1)) - (int64_t)(span / 2);
    for (; o < 0; o += get_16(p->lengths + 2 * b) + 1)
        if (b == 0 || --b >= p->length_count)
            return false;
    for (;; b++) {
        if (b >= p->length_count)
            return false;
        int64_t length = get_16(p->lengths + 2 * b) + 1;
        if (o < length)
            break;
        o -= length;
    }
    *block = (uint32_t)b;
    *offset = o;
    return b < p->block_count;
}

// The next 32 bits of the codes, and zeros behind the last block.
static uint64_t next_bits(const Part *p, const uint8_t **at)
{
    if (p->blocks_end - *at < 4)
        return 0;
    *at += 4;
    return get_32_big(*at - 4);
}

// The symbol in which value `*offset` of a block lies, and which of its values it is; -1 when the
// file is damaged.
static int find_symbol(const Part *p, uint32_t block, int64_t *offset)
{
    const uint8_t *at = p->blocks + ((uint64_t)block << p->block_bits);
    uint64_t bits = next_bits(p, &at) << 32;
    bits |= next_bits(p, &at);
    for (int left = 64;;) {
        int length = 0;
        while (length < p->code_count && bits < p->base[length])
            length++;
        if (length == p->code_count)
            return -1;
        int size = length + p->code_min;
        uint64_t symbol =
            ((bits - p->base[length]) >> (64 - size)) + get_16(p->lowest + 2 * length);
        if (symbol >= (uint64_t)p->symbol_count)
            return -1;
        if (*offset <= p->symbol_values[symbol])
            return (int)symbol;
        *offset -= p->symbol_values[symbol] + 1;
        bits <<= size;
        left -= size;
        if (left <= 32) {
            bits |= next_bits(p, &at) << (32 - left);
            left += 32;
        }
    }
}

// Value number `index` of a part, or -1 when the file is damaged.
static int unpack(const Part *p, uint64_t index)
{
    uint32_t block;
    int64_t offset;
    if (p->flags & PART_SINGLE)
        return p->single;
    if (index >= p->size || !find_block(p, index, &block, &offset))
        return -1;
    int symbol = find_symbol(p, block, &offset);
    if (symbol < 0)
        return -1;
    while (p->symbol_values[symbol]) { // gets less with each step
        int left = left_child(p, symbol);
        if (offset <= p->symbol_values[left]) {
            symbol = left;
        } else {
            offset -= p->symbol_values[left] + 1;
            symbol = right_child(p, symbol);
        }
    }
    return left_child(p, symbol);
}

// --- the probe -------------------------------------------------------------------------------

// The squares of a position as a part orders them.
typedef struct Squares {
    Square at[SYZYGY_MEN_MAX];
    int count;
} Squares;

// A position seen so that the first side of the file's name is the one called White.
typedef struct View {
    const Position *pos;
    bool is_flipped; // colours changed, board upside down
} View;

static Bitboard view_men(const View *v, Piece piece)
{
    Color c = piece_color(piece) ^ v->is_flipped;
    Bitboard men = position_men(v->pos, c, piece_type(piece));
    return v->is_flipped ? __builtin_bswap64(men) : men;
}

static void add_squares(Squares *squares, Bitboard men)
{
    while (men && squares->count < SYZYGY_MEN_MAX)
        squares->at[squares->count++] = bit_pop(&men);
}

static void change_squares(Squares *squares, int from, int with)
{
    for (int i = from; i < squares->count; i++)
        squares->at[i] ^= with;
}

// Ascending by `key` (by the square itself where there is none).
static void sort_squares(Square *at, int count, const int8_t *key)
{
    for (int i = 1; i < count; i++) {
        Square s = at[i];
        int j = i;
        for (; j > 0 && (key ? key[at[j - 1]] > key[s] : at[j - 1] > s); j--)
            at[j] = at[j - 1];
        at[j] = s;
    }
}

// The file (0 to 3 from the edge) of the leading pawn, the foremost in the numbering.
static int lead_file(const SyzygyFile *f, const View *v)
{
    Bitboard pawns = view_men(v, piece_make(f->lead, PAWN));
    Square lead = bit_first(pawns);
    while (pawns) {
        Square s = bit_pop(&pawns);
        if (f->maps->pawn[s] > f->maps->pawn[lead])
            lead = s;
    }
    return square_file(lead) < 4 ? square_file(lead) : 7 - square_file(lead);
}

static void list_squares(const SyzygyFile *f, const Part *p, const View *v, Squares *squares)
{
    squares->count = 0;
    for (int i = 0; i < f->men; i++)
        if (!i || p->pieces[i] != p->pieces[i - 1])
            add_squares(squares, view_men(v, p->pieces[i]));
}

// The number of the leading side's pawns; the board is turned so that the leading one stands on the
// left.
static uint64_t index_pawns(const SyzygyFile *f, Squares *squares)
{
    const SyzygyMaps *m = f->maps;
    int count = f->pawn_count[0];
    sort_squares(squares->at, count, m->pawn);
    Square lead = squares->at[count - 1];
    memmove(squares->at + 1, squares->at, (size_t)(count - 1) * sizeof(Square));
    squares->at[0] = lead;
    if (square_file(lead) > 3) {
        change_squares(squares, 0, 7);
        sort_squares(squares->at + 1, count - 1, m->pawn);
    }
    uint64_t index = m->lead[count][squares->at[0]];
    for (int i = 1; i < count; i++)
        index += m->choose[i][(int)m->pawn[squares->at[i]]];
    return index;
}

// Turns the board so that the first man stands in the triangle a1-d1-d4 and the first of the group
// that is off the diagonal stands below it.
static void turn_into_triangle(Squares *squares, int group)
{
    if (square_file(squares->at[0]) > 3)
        change_squares(squares, 0, 7);
    if (square_rank(squares->at[0]) > 3)
        change_squares(squares, 0, 56);
    for (int i = 0; i < group; i++) {
        if (!off_diagonal(squares->at[i]))
            continue;
        bool is_above = off_diagonal(squares->at[i]) > 0;
        for (int j = i; is_above && j < squares->count; j++)
            squares->at[j] = (squares->at[j] >> 3 | squares->at[j] << 3) & 63;
        return;
    }
}

// Three different men.
static uint64_t index_three(const SyzygyMaps *m, const Square *s)
{
    int second = s[1] > s[0], third = (s[2] > s[0]) + (s[2] > s[1]);
    if (off_diagonal(s[0]))
        return (uint64_t)((m->triangle[s[0]] * 63 + s[1] - second) * 62 + s[2] - third);
    if (off_diagonal(s[1]))
        return (uint64_t)((6 * 63 + square_rank(s[0]) * 28 + m->below[s[1]]) * 62 + s[2] - third);
    int diagonal = (6 * 63 + 4 * 28) * 62, rank[3];
    for (int i = 0; i < 3; i++)
        rank[i] = square_rank(s[i]);
    if (off_diagonal(s[2]))
        return (uint64_t)(diagonal + rank[0] * 7 * 28 + (rank[1] - second) * 28 + m->below[s[2]]);
    return (uint64_t)(diagonal + 4 * 7 * 28 + rank[0] * 7 * 6 + (rank[1] - second) * 6 + rank[2] -
                      third);
}

// The men behind the first group: each group as a set of the squares that are left.
static uint64_t index_rest(const SyzygyFile *f, const Part *p, Squares *squares)
{
    uint64_t index = 0;
    int begin = p->group_size[0];
    for (int group = 1; p->group_size[group]; group++) {
        Square *at = squares->at + begin;
        bool are_pawns = f->has_pawns && f->pawn_count[1] && group == 1;
        uint64_t number = 0;
        sort_squares(at, p->group_size[group], NULL);
        for (int i = 0; i < p->group_size[group]; i++) {
            int place = at[i] - 8 * are_pawns;
            for (int j = 0; j < begin; j++)
                place -= squares->at[j] < at[i];
            if (place < 0)
                return UINT64_MAX;
            number += f->maps->choose[i + 1][place];
        }
        index += number * p->group_factor[group];
        begin += p->group_size[group];
    }
    return index;
}

// The number of a position in a part; beyond its size when the position does not belong there.
static uint64_t index_position(const SyzygyFile *f, const Part *p, const View *v)
{
    Squares squares;
    uint64_t index;
    list_squares(f, p, v, &squares);
    if (squares.count != f->men)
        return UINT64_MAX;
    if (f->has_pawns) {
        index = index_pawns(f, &squares);
    } else {
        turn_into_triangle(&squares, p->group_size[0]);
        index =
            f->has_unique
                ? index_three(f->maps, squares.at)
                : (uint64_t)f->maps->kings[(int)f->maps->triangle[squares.at[0]]][squares.at[1]];
    }
    return index * p->group_factor[0] + index_rest(f, p, &squares);
}

// Plies to zeroing from what a DTZ file holds; 0 when it is damaged. Many files count full moves.
static int dtz_of(const Part *p, int value, int wdl)
{
    static const uint8_t MAP_OF[5] = {1, 3, 0, 2, 0}; // by result, loss first
    if (p->flags & PART_MAPPED) {
        int i = MAP_OF[wdl + 2];
        if (value >= p->map[i].count)
            return 0;
        value = p->flags & PART_WIDE ? (int)get_16(p->map[i].at + 2 * value) : p->map[i].at[value];
    }
    bool in_plies = wdl == 2 ? p->flags & PART_WIN_PLIES : wdl == -2 && p->flags & PART_LOSS_PLIES;
    return (in_plies ? value : 2 * value) + 1;
}

SyzygyAnswer syzygy_file_probe(const SyzygyFile *f, const Position *pos, int *value)
{
    View view = {pos, f->is_symmetric
                          ? pos->side == BLACK
                          : syzygy_position_code(pos) != syzygy_material_code(&f->material, false)};
    int side = pos->side ^ view.is_flipped, file = f->has_pawns ? lead_file(f, &view) : 0;
    const Part *p = &f->parts[file][f->sides == 2 ? side : 0];
    if (f->kind == SYZYGY_DTZ && (p->flags & PART_BLACK) != side &&
        !(f->is_symmetric && !f->has_pawns))
        return SYZYGY_OTHER_SIDE;
    int stored = unpack(p, p->flags & PART_SINGLE ? 0 : index_position(f, p, &view));
    if (stored < 0)
        return SYZYGY_DAMAGED;
    *value = f->kind == SYZYGY_WDL ? stored - 2 : dtz_of(p, stored, *value);
    return f->kind == SYZYGY_WDL || *value > 0 ? SYZYGY_FOUND : SYZYGY_DAMAGED;
}
