// Files of tables: an ending solved, packed and written, and read again. The form in bytes is in
// docs/tables.md.
#ifndef LOVAC_TABLES_TABLE_FILE_H
#define LOVAC_TABLES_TABLE_FILE_H

#include "tables/pack.h"
#include "tables/solve.h"

// Two files for each ending: win, draw or loss with the distance to zeroing (NAME.wdz), and the
// distance to mate (NAME.dtm).
typedef enum TableKind { TABLE_WDZ = 1, TABLE_DTM = 2 } TableKind;

// The name of a file, "KQK.wdz".
enum { TABLE_NAME_SIZE = MATERIAL_NAME_SIZE + 4 };
void table_file_name(const Material *material, TableKind kind, char name[TABLE_NAME_SIZE]);

// Packs a solved ending.
bool table_write(const Solution *solution, TableKind kind, Bytes *out, Error *error);

// A row of numbers, one for each number of the index.
typedef struct TableRow {
    uint64_t times[LAYOUT_DIGITS]; // what a step of each digit of the index adds
    Packed packed;
} TableRow;

typedef struct Table {
    uint8_t *bytes; // the whole file
    TableKind kind;
    Layout layout;
    bool has_cursed;
    int zeroing_side;         // the side to move for which `zeroing` is there
    TableRow wdl[2], zeroing; // of TABLE_WDZ; WDL + 2, half-moves
    TableRow fate[2];         // of TABLE_DTM
} Table;

// Opens a table in memory that it takes over (malloc), freed by table_release or on failure. False
// when it is damaged, of another version, or for another game than that of the rules.
bool table_open(Table *table, const Rules *rules, uint8_t *bytes, size_t size, Error *error);
void table_release(Table *table);

// The number of a row at these digits of the index; false when its block is damaged.
bool table_get(const Table *table, const TableRow *row, const uint32_t digit[LAYOUT_DIGITS],
               uint16_t *number, Error *error);

// All numbers of a row, in the order of the index.
bool table_get_all(const Table *table, const TableRow *row, uint16_t *numbers, Error *error);

// All fates of a table of TABLE_DTM; the caller frees them by known_release.
bool table_get_known(const Table *table, KnownTable *known, Error *error);
void known_release(KnownTable *known);

#endif
