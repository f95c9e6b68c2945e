// The one table of the laboratory: columns with a meaning, rows of cells, and three ways to write
// it: for a terminal, as Markdown and as comma-separated values. Figures of the literature stand in
// columns of their own beside ours.
#ifndef LOVAC_LAB_EXPERIMENTS_TABLE_H
#define LOVAC_LAB_EXPERIMENTS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

enum { LAB_COLUMNS_MAX = 12, LAB_TEXT_SIZE = 72 };

typedef enum LabKind { LAB_COUNT, LAB_REAL, LAB_TIME_MS, LAB_TEXT } LabKind;

typedef struct LabColumn {
    const char *key, *title;
    LabKind kind;
    int decimals;      // of a LAB_REAL
    bool is_published; // a figure of one of the five documents, to compare with
} LabColumn;

typedef struct LabTable {
    const char *key, *title;
    LabColumn columns[LAB_COLUMNS_MAX]; // ends with {0} where there are fewer
} LabTable;

typedef struct LabCell {
    enum { LAB_IS_NONE, LAB_IS_COUNT, LAB_IS_REAL, LAB_IS_TEXT } is;
    uint64_t count;
    double real;
    char text[LAB_TEXT_SIZE];
} LabCell;

LabCell lab_count(uint64_t value);
LabCell lab_real(double value);
LabCell lab_text(const char *text); // cut to fit
LabCell lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The number in a cell; NAN where there is none.
double lab_cell_number(const LabCell *cell);

// The rows of a table so far.
typedef struct LabRows {
    LabCell (*cells)[LAB_COLUMNS_MAX];
    int count, capacity;
} LabRows;

// Puts a row at an index: in place of the one there, or behind the last.
bool lab_rows_put(LabRows *rows, int index, const LabCell *cells, Error *error);
void lab_rows_release(LabRows *rows);

// How many columns there are; the index of a column, which must be there, by its key.
int lab_table_width(const LabTable *table);
int lab_table_column(const LabTable *table, const char *key);

// A cell as people read it: 284 504, 0.678; "" for none. Returns the text.
const char *lab_cell_text(const LabColumn *column, const LabCell *cell, char text[LAB_TEXT_SIZE]);

// Each adds the whole table.
void lab_table_plain(const LabTable *table, const LabRows *rows, Str *out);
void lab_table_markdown(const LabTable *table, const LabRows *rows, Str *out);
void lab_table_csv(const LabTable *table, const LabRows *rows, Str *out);

#endif
