// Any bytes as a table of endings of our own: refused with a reason, or one that answers every
// question with a number or an error. Most inputs are laid over a good file whose checksum is then
// set right, so that the tests behind it are reached.
#include "base/checksum.h"
#include "fuzz_help.h"
#include "tables/table_file.h"

// The two files of king and rook against king.
static void make_files(Bytes files[2])
{
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    SolveConfig config = {.rules = chess};
    Solution solution;
    DEMAND(material_read(&config.material, chess, "KRK", NULL));
    DEMAND(solve(&solution, &config, NULL));
    for (TableKind kind = TABLE_WDZ; kind <= TABLE_DTM; kind++)
        DEMAND(table_write(&solution, kind, &files[kind - 1], NULL));
    solution_release(&solution);
}

static void ask_row(const Table *table, const TableRow *row)
{
    Error error = {0};
    uint16_t number, *all = malloc(table->layout.size * sizeof *all);
    for (uint64_t i = 0; i < table->layout.size; i += 1 + table->layout.size / 50) {
        uint32_t digit[LAYOUT_DIGITS];
        layout_digits(&table->layout, i, digit);
        if (!table_get(table, row, digit, &number, &error))
            DEMAND(error.text[0]);
    }
    if (!table_get_all(table, row, all, &error))
        DEMAND(error.text[0]);
    free(all);
}

// `bytes` are taken over.
static void try_file(uint8_t *bytes, size_t size)
{
    static Table table;
    Error error = {0};
    if (!table_open(&table, &VARIANTS[VARIANT_CHESS], bytes, size, &error)) {
        DEMAND(error.text[0]);
        return;
    }
    for (Color side = 0; side < table.layout.sides; side++)
        ask_row(&table, table.kind == TABLE_WDZ ? &table.wdl[side] : &table.fate[side]);
    if (table.kind == TABLE_WDZ)
        ask_row(&table, &table.zeroing);
    table_release(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Bytes files[2];
    if (!files[0].size)
        make_files(files);
    const Bytes *file = &files[take(&data, &size) % 2];
    bool is_raw = take(&data, &size) % 4 == 0;
    size_t at = (size_t)take(&data, &size) << 8 | (size_t)take(&data, &size);
    size_t room = is_raw ? size : file->size - (at & 1 ? size % file->size : 0);
    uint8_t *bytes = malloc(room + !room); // exactly sized: a step too far is seen
    if (!is_raw)
        memcpy(bytes, file->at, room);
    at = is_raw || !room ? 0 : at % room;
    if (size)
        memcpy(bytes + at, data, size < room - at ? size : room - at);
    if (!is_raw && room >= 4) {
        uint32_t crc = checksum_crc32(0, bytes, room - 4);
        for (int i = 0; i < 4; i++)
            bytes[room - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
    }
    try_file(bytes, room);
    return 0;
}
