// See table_file.h. Start with table_write and table_open.
#include "tables/table_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/random.h"

enum {
    VERSION = 1,
    BLOCK_SIZE = 1024,    // of distances, in bytes
    WDL_BLOCK_SIZE = 256, // asked for more often
    SAMPLES = 20000,
    SET_NAME_SIZE = 16,
    FLAG_CURSED = 1,
};

// The head of a file.
typedef struct FileHead {
    char magic[8];
    uint8_t version, kind, flags, zeroing_side;
    uint8_t sides, digits, reserved[2];
    char set[SET_NAME_SIZE], material[MATERIAL_NAME_SIZE];
    uint8_t size[8]; // numbers for each side, little-endian
} FileHead;
static_assert(sizeof(FileHead) == 52, "the head of a file");

static const char MAGIC[8] = "LovacEnd";

void table_file_name(const Material *material, TableKind kind, char name[TABLE_NAME_SIZE])
{
    material_write(material, name);
    strcat(name, kind == TABLE_WDZ ? ".wdz" : ".dtm");
}

// ---- Rows: what is stored, and in which order ----

typedef enum RowKind { ROW_WDL, ROW_ZEROING, ROW_FATE } RowKind;

// What a row may hold at a number: anything from `least` to `most`.
typedef struct Wanted {
    uint16_t least, most;
} Wanted;

static const Wanted ANYTHING = {0, 0xffff};

static Wanted wanted_at(const Solution *s, RowKind kind, Color side, uint64_t i)
{
    Fate fate = s->fate[side][i];
    if (fate == FATE_NONE)
        return ANYTHING;
    if (kind == ROW_FATE)
        return (Wanted){fate, fate};
    int wdl = fate_wdl(fate);
    if (kind == ROW_WDL) { // who reads it looks at the captures too
        uint16_t value = (uint16_t)(wdl + 2);
        return (Wanted){s->best_capture[side][i] == wdl ? 0 : value, value};
    }
    if (wdl == WDL_DRAW || (wdl > WDL_DRAW && s->is_zeroed[side][i]))
        return ANYTHING;
    return (Wanted){s->zeroing[side][i], s->zeroing[side][i]};
}

// How often a step of each digit changes what is wanted, by samples.
static void sample_changes(const Solution *s, RowKind kind, Color side, double *rate)
{
    const Layout *layout = &s->layout;
    Random random;
    random_init(&random, 1);
    for (int d = 0; d <= layout->groups; d++) {
        int seen = 0, changed = 0;
        for (int n = 0; n < SAMPLES; n++) {
            uint64_t i = random_below(&random, layout->size);
            uint64_t digit = i / layout->times[d] % layout_radix(layout, d);
            if (digit + 1 == layout_radix(layout, d))
                continue;
            Wanted a = wanted_at(s, kind, side, i);
            Wanted b = wanted_at(s, kind, side, i + layout->times[d]);
            seen += a.least == a.most && b.least == b.most;
            changed += a.least > b.most || b.least > a.most;
        }
        rate[d] = seen ? (double)changed / seen : 0;
    }
}

// The digits in an order that packs well: what changes least often goes fastest.
static void good_order(const Solution *s, RowKind kind, Color side, uint8_t *order)
{
    double rate[LAYOUT_DIGITS];
    sample_changes(s, kind, side, rate);
    for (int d = 0; d <= s->layout.groups; d++) {
        int j = d;
        for (; j > 0 && rate[order[j - 1]] > rate[d]; j--)
            order[j] = order[j - 1];
        order[j] = (uint8_t)d;
    }
}

static void times_of_order(const Layout *layout, const uint8_t *order, uint64_t *times)
{
    uint64_t product = 1;
    for (int d = 0; d <= layout->groups; d++) {
        times[order[d]] = product;
        product *= layout_radix(layout, order[d]);
    }
}

// Goes through all numbers in the order of the index and knows the place of each in a row.
typedef struct Walk {
    uint32_t digit[LAYOUT_DIGITS];
    int by_size[LAYOUT_DIGITS]; // the digits, the fastest of the index first
    uint64_t place;
} Walk;

static void walk_begin(Walk *walk, const Layout *layout)
{
    memset(walk, 0, sizeof *walk);
    for (int d = 0; d <= layout->groups; d++) {
        int j = d;
        for (; j > 0 && layout->times[walk->by_size[j - 1]] > layout->times[d]; j--)
            walk->by_size[j] = walk->by_size[j - 1];
        walk->by_size[j] = d;
    }
}

static void walk_step(Walk *walk, const Layout *layout, const uint64_t *times)
{
    for (int k = 0; k <= layout->groups; k++) {
        int d = walk->by_size[k];
        walk->place += times[d];
        if (++walk->digit[d] < layout_radix(layout, d))
            return;
        walk->place -= walk->digit[d] * times[d];
        walk->digit[d] = 0;
    }
}

// Fills the row; where anything will do, it goes on with what came before.
static void fill_row(const Solution *s, RowKind kind, Color side, const uint64_t *times,
                     Wanted *wanted, uint16_t *row)
{
    Walk walk;
    walk_begin(&walk, &s->layout);
    for (uint64_t i = 0; i < s->layout.size; i++) {
        wanted[walk.place] = wanted_at(s, kind, side, i);
        walk_step(&walk, &s->layout, times);
    }
    uint16_t last = 0;
    for (uint64_t i = 0; i < s->layout.size; i++)
        if (wanted[i].least == wanted[i].most) {
            last = wanted[i].least;
            break;
        }
    for (uint64_t i = 0; i < s->layout.size; i++) {
        if (last < wanted[i].least || last > wanted[i].most)
            last = wanted[i].most;
        row[i] = last;
    }
}

// Packs a row with its digits in this order.
static bool pack_in_order(const Solution *s, RowKind kind, Color side, const uint8_t *order,
                          Bytes *out, Error *error)
{
    uint64_t times[LAYOUT_DIGITS];
    times_of_order(&s->layout, order, times);
    Wanted *wanted = malloc(s->layout.size * sizeof *wanted);
    uint16_t *row = malloc(s->layout.size * sizeof *row);
    bool ok = (wanted && row) || error_set(error, "out of memory");
    if (ok) {
        fill_row(s, kind, side, times, wanted, row);
        free(wanted);
        wanted = NULL;
        ok = (bytes_add(out, order, (size_t)s->layout.groups + 1) &&
              pack_row(row, s->layout.size, kind == ROW_WDL ? WDL_BLOCK_SIZE : BLOCK_SIZE, out,
                       error)) ||
             error_set(error, "out of memory");
    }
    free(wanted);
    free(row);
    return ok;
}

// Packs a row; for win, draw and loss the digit that goes fastest is found by trying.
static bool add_row(const Solution *s, RowKind kind, Color side, Bytes *out, Error *error)
{
    uint8_t order[LAYOUT_DIGITS];
    Bytes best = {0}, other = {0};
    good_order(s, kind, side, order);
    bool ok = pack_in_order(s, kind, side, order, &best, error);
    for (int d = 1; d <= s->layout.groups && ok && kind == ROW_WDL; d++) {
        uint8_t fastest = order[d];
        memmove(order + 1, order, (size_t)d);
        order[0] = fastest;
        bytes_clear(&other);
        ok = pack_in_order(s, kind, side, order, &other, error);
        if (ok && other.size < best.size) {
            Bytes swap = best;
            best = other, other = swap;
        }
    }
    ok = ok && (bytes_add(out, best.at, best.size) || error_set(error, "out of memory"));
    bytes_release(&best);
    bytes_release(&other);
    return ok;
}

// The distance to zeroing, for the side to move for which it takes less room.
static bool add_zeroing(const Solution *s, Bytes *out, uint8_t *which, Error *error)
{
    Bytes row[2] = {{0}, {0}};
    bool ok = true;
    for (Color side = 0; side < s->layout.sides && ok; side++)
        ok = add_row(s, ROW_ZEROING, side, &row[side], error);
    *which = s->layout.sides == 2 && row[BLACK].size < row[WHITE].size ? BLACK : WHITE;
    ok = ok &&
         (bytes_add(out, row[*which].at, row[*which].size) || error_set(error, "out of memory"));
    bytes_release(&row[WHITE]);
    bytes_release(&row[BLACK]);
    return ok;
}

// ---- Writing ----

static FileHead make_head(const Solution *s, TableKind kind)
{
    FileHead head = {.version = VERSION,
                     .kind = (uint8_t)kind,
                     .flags = s->has_cursed ? FLAG_CURSED : 0,
                     .sides = (uint8_t)s->layout.sides,
                     .digits = (uint8_t)(s->layout.groups + 1)};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    strncpy(head.set, material_set(s->layout.rules), SET_NAME_SIZE - 1);
    material_write(&s->layout.material, head.material);
    for (int i = 0; i < 8; i++)
        head.size[i] = (uint8_t)(s->layout.size >> 8 * i);
    return head;
}

static bool add_sum(Bytes *out)
{
    uint32_t crc = checksum_crc32(0, out->at, out->size);
    return bytes_add(
        out,
        (uint8_t[]){(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16), (uint8_t)(crc >> 24)},
        4);
}

bool table_write(const Solution *solution, TableKind kind, Bytes *out, Error *error)
{
    FileHead head = make_head(solution, kind);
    bytes_clear(out);
    if (solution->layout.size > PACK_NUMBERS_MOST)
        return error_set(error, "the table is too large for this format");
    bool ok = bytes_add(out, &head, sizeof head) || error_set(error, "out of memory");
    for (Color side = 0; side < solution->layout.sides; side++)
        ok = ok && add_row(solution, kind == TABLE_WDZ ? ROW_WDL : ROW_FATE, side, out, error);
    if (ok && kind == TABLE_WDZ) {
        ok = add_zeroing(solution, out, &head.zeroing_side, error);
        memcpy(out->at, &head, sizeof head);
    }
    return ok && (add_sum(out) || error_set(error, "out of memory"));
}

// ---- Reading ----

// Does the head fit the game, and what it says itself?
static bool check_head(Table *table, const Rules *rules, const FileHead *head, Error *error)
{
    Material material;
    char name[MATERIAL_NAME_SIZE];
    uint64_t size = 0;
    if (memcmp(head->magic, MAGIC, sizeof MAGIC))
        return error_set(error, "this is no table of endings");
    if (head->version != VERSION)
        return error_set(error, "it has version %d of the format, this program reads %d",
                         head->version, VERSION);
    if (head->set[SET_NAME_SIZE - 1] || head->material[MATERIAL_NAME_SIZE - 1])
        return error_set(error, "its head is damaged");
    if (strcmp(head->set, material_set(rules)))
        return error_set(error, "it is for '%s', not for '%s'", head->set, material_set(rules));
    if (!material_read(&material, rules, head->material, error))
        return false;
    material_write(&material, name);
    if (strcmp(name, head->material))
        return error_set(error, "its head is damaged");
    layout_init(&table->layout, rules, &material);
    for (int i = 0; i < 8; i++)
        size |= (uint64_t)head->size[i] << 8 * i;
    if (size != table->layout.size || head->sides != table->layout.sides ||
        head->digits != table->layout.groups + 1 || head->zeroing_side >= head->sides ||
        (head->kind != TABLE_WDZ && head->kind != TABLE_DTM))
        return error_set(error, "its head is damaged");
    table->kind = head->kind;
    table->has_cursed = head->flags & FLAG_CURSED;
    table->zeroing_side = head->zeroing_side;
    return true;
}

static bool open_row(Table *table, TableRow *row, const uint8_t **at, const uint8_t *end,
                     Error *error)
{
    const Layout *layout = &table->layout;
    uint8_t order[LAYOUT_DIGITS];
    unsigned seen = 0;
    if (!bytes_take(at, end, order, (size_t)layout->groups + 1))
        return error_set(error, "it is cut");
    for (int d = 0; d <= layout->groups; d++)
        if (order[d] <= layout->groups)
            seen |= 1u << order[d];
    if (seen != (1u << (layout->groups + 1)) - 1)
        return error_set(error, "its order of digits is damaged");
    times_of_order(layout, order, row->times);
    return packed_open(&row->packed, at, end, layout->size, error);
}

static bool open_rows(Table *table, const uint8_t *at, const uint8_t *end, Error *error)
{
    for (Color side = 0; side < table->layout.sides; side++)
        if (!open_row(table, table->kind == TABLE_WDZ ? &table->wdl[side] : &table->fate[side], &at,
                      end, error))
            return false;
    if (table->kind == TABLE_WDZ && !open_row(table, &table->zeroing, &at, end, error))
        return false;
    return at == end || error_set(error, "there is more in it than there should be");
}

bool table_open(Table *table, const Rules *rules, uint8_t *bytes, size_t size, Error *error)
{
    FileHead head;
    memset(table, 0, sizeof *table);
    table->bytes = bytes;
    bool ok = size >= sizeof head + 4 || error_set(error, "it is cut");
    if (ok) {
        memcpy(&head, bytes, sizeof head);
        ok = check_head(table, rules, &head, error);
    }
    if (ok) {
        const uint8_t *end = bytes + size - 4;
        uint32_t sum = (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 |
                       (uint32_t)end[3] << 24;
        ok = checksum_crc32(0, bytes, size - 4) == sum ||
             error_set(error, "its checksum is wrong: the file is damaged");
        ok = ok && open_rows(table, bytes + sizeof head, end, error);
    }
    if (!ok)
        table_release(table);
    return ok;
}

void table_release(Table *table)
{
    for (Color side = WHITE; side <= BLACK; side++) {
        packed_release(&table->wdl[side].packed);
        packed_release(&table->fate[side].packed);
    }
    packed_release(&table->zeroing.packed);
    free(table->bytes);
    table->bytes = NULL;
}

bool table_get(const Table *table, const TableRow *row, const uint32_t digit[LAYOUT_DIGITS],
               uint16_t *number, Error *error)
{
    uint64_t place = 0;
    for (int d = 0; d <= table->layout.groups; d++)
        place += digit[d] * row->times[d];
    return packed_get(&row->packed, place, number, error);
}

bool table_get_all(const Table *table, const TableRow *row, uint16_t *numbers, Error *error)
{
    uint16_t *packed = malloc(table->layout.size * sizeof *packed);
    if (!packed)
        return error_set(error, "out of memory");
    bool ok = packed_get_all(&row->packed, packed, error);
    Walk walk;
    walk_begin(&walk, &table->layout);
    for (uint64_t i = 0; ok && i < table->layout.size; i++) {
        numbers[i] = packed[walk.place];
        walk_step(&walk, &table->layout, row->times);
    }
    free(packed);
    return ok;
}

bool table_get_known(const Table *table, KnownTable *known, Error *error)
{
    *known = (KnownTable){.layout = table->layout};
    bool ok = table->kind == TABLE_DTM || error_set(error, "it has no distances to mate");
    for (Color side = 0; side < table->layout.sides && ok; side++) {
        known->fate[side] = malloc(table->layout.size * sizeof(Fate));
        ok = (known->fate[side] || error_set(error, "out of memory")) &&
             table_get_all(table, &table->fate[side], known->fate[side], error);
    }
    if (!ok)
        known_release(known);
    return ok;
}

void known_release(KnownTable *known)
{
    free(known->fate[WHITE]);
    free(known->fate[BLACK]);
    known->fate[WHITE] = known->fate[BLACK] = NULL;
}
