// See table.h.
#include "lab/experiments/table.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Cells ----

LabCell lab_count(uint64_t value)
{
    return (LabCell){.is = LAB_IS_COUNT, .count = value};
}

LabCell lab_real(double value)
{
    return (LabCell){.is = LAB_IS_REAL, .real = value};
}

LabCell lab_text(const char *text)
{
    LabCell cell = {.is = LAB_IS_TEXT};
    memcpy(cell.text, text, utf8_fit(text, sizeof cell.text));
    return cell;
}

LabCell lab_format(const char *format, ...)
{
    char text[4 * LAB_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return lab_text(text);
}

double lab_cell_number(const LabCell *cell)
{
    switch (cell->is) {
    case LAB_IS_COUNT: return (double)cell->count;
    case LAB_IS_REAL: return cell->real;
    default: return NAN;
    }
}

// 284504 as 284 504.
static void group_digits(uint64_t value, char *text, size_t size)
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    Str out;
    str_init(&out, text, size);
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            str_add_char(&out, ' ');
        str_add_char(&out, digits[i]);
    }
}

// Nothing is "-0".
static void write_real(double value, int decimals, char text[LAB_TEXT_SIZE])
{
    bool is_zero = fabs(value) < 0.5 * pow(10, -decimals);
    snprintf(text, LAB_TEXT_SIZE, "%.*f", decimals, is_zero ? 0.0 : value);
}

const char *lab_cell_text(const LabColumn *column, const LabCell *cell, char text[LAB_TEXT_SIZE])
{
    text[0] = 0;
    if (cell->is == LAB_IS_TEXT)
        snprintf(text, LAB_TEXT_SIZE, "%s", cell->text);
    else if (cell->is == LAB_IS_COUNT)
        group_digits(cell->count, text, LAB_TEXT_SIZE);
    else if (cell->is == LAB_IS_REAL)
        write_real(cell->real, column->kind == LAB_TIME_MS ? 1 : column->decimals, text);
    return text;
}

// ---- Rows and columns ----

bool lab_rows_put(LabRows *rows, int index, const LabCell *cells, Error *error)
{
    assert(index >= 0 && index <= rows->count);
    if (index == rows->capacity) {
        int larger = rows->capacity * 2 + 16;
        void *memory = realloc(rows->cells, (size_t)larger * sizeof *rows->cells);
        if (!memory)
            return error_set(error, "out of memory");
        rows->cells = memory;
        rows->capacity = larger;
    }
    memcpy(rows->cells[index], cells, sizeof *rows->cells);
    if (index == rows->count)
        rows->count++;
    return true;
}

void lab_rows_release(LabRows *rows)
{
    free(rows->cells);
    *rows = (LabRows){0};
}

int lab_table_width(const LabTable *table)
{
    int width = 0;
    while (width < LAB_COLUMNS_MAX && table->columns[width].key)
        width++;
    return width;
}

int lab_table_column(const LabTable *table, const char *key)
{
    for (int i = 0; i < lab_table_width(table); i++)
        if (!strcmp(table->columns[i].key, key))
            return i;
    assert(!"no such column");
    return 0;
}

// ---- Writing ----

// Letters that a terminal shows, not bytes.
static int letters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void pad(Str *out, int count)
{
    for (; count > 0; count--)
        str_add_char(out, ' ');
}

// A text in its column: words to the left, numbers to the right.
static void add_aligned(Str *out, const LabColumn *column, const char *text, int width)
{
    int space = width - letters(text);
    pad(out, column->kind == LAB_TEXT ? 0 : space);
    str_add(out, text);
    pad(out, column->kind == LAB_TEXT ? space : 0);
}

void lab_table_plain(const LabTable *table, const LabRows *rows, Str *out)
{
    int width = lab_table_width(table), widest[LAB_COLUMNS_MAX];
    char text[LAB_TEXT_SIZE];
    for (int c = 0; c < width; c++) {
        widest[c] = letters(table->columns[c].title);
        for (int r = 0; r < rows->count; r++) {
            int now = letters(lab_cell_text(&table->columns[c], &rows->cells[r][c], text));
            widest[c] = now > widest[c] ? now : widest[c];
        }
    }
    for (int r = -1; r < rows->count; r++) {
        for (int c = 0; c < width; c++) {
            const LabColumn *column = &table->columns[c];
            str_add(out, c ? "  " : "");
            add_aligned(out, column,
                        r < 0 ? column->title : lab_cell_text(column, &rows->cells[r][c], text),
                        widest[c]);
        }
        while (out->length && out->text[out->length - 1] == ' ')
            out->text[--out->length] = 0;
        str_add(out, "\n");
    }
}

void lab_table_markdown(const LabTable *table, const LabRows *rows, Str *out)
{
    int width = lab_table_width(table);
    char text[LAB_TEXT_SIZE];
    for (int c = 0; c < width; c++)
        str_format(out, "| %s%s", table->columns[c].title, c + 1 < width ? " " : " |\n");
    for (int c = 0; c < width; c++)
        str_format(out, "|%s%s",
                   table->columns[c].kind == LAB_TEXT ? "---" : "---:", c + 1 < width ? "" : "|\n");
    for (int r = 0; r < rows->count; r++)
        for (int c = 0; c < width; c++)
            str_format(out, "| %s%s", lab_cell_text(&table->columns[c], &rows->cells[r][c], text),
                       c + 1 < width ? " " : " |\n");
}

// Quoted where a comma or a quote would be misread.
static void add_csv(Str *out, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        str_add(out, text);
        return;
    }
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            str_add_char(out, '"');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

// Numbers as programs read them, as many digits as they have.
static void add_csv_cell(Str *out, const LabCell *cell)
{
    if (cell->is == LAB_IS_COUNT)
        str_format(out, "%llu", (unsigned long long)cell->count);
    else if (cell->is == LAB_IS_REAL)
        str_format(out, "%.9g", cell->real);
    else if (cell->is == LAB_IS_TEXT)
        add_csv(out, cell->text);
}

void lab_table_csv(const LabTable *table, const LabRows *rows, Str *out)
{
    int width = lab_table_width(table);
    for (int c = 0; c < width; c++) {
        add_csv(out, table->columns[c].key);
        str_add(out, c + 1 < width ? "," : "\n");
    }
    for (int r = 0; r < rows->count; r++)
        for (int c = 0; c < width; c++) {
            add_csv_cell(out, &rows->cells[r][c]);
            str_add(out, c + 1 < width ? "," : "\n");
        }
}
