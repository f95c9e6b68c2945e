// See experiment.h. The file of a run is text: a line that says what it is of, then a line for each
// row with its cells, tab-separated, numbers in a form that loses nothing, and a checksum. It is
// replaced as a whole after every row, so that a kill leaves the old or the new one.
#include "lab/experiments/experiment.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/str.h"

enum { STATE_SIZE = 1 << 20, LINE_SIZE = 4096, PROGRAM_SIZE = 1 << 30 };

int lab_experiment_table_count(const LabExperiment *e)
{
    int count = 0;
    while (count < LAB_TABLES_MAX && e->tables[count].key)
        count++;
    return count;
}

int lab_experiment_chart_count(const LabExperiment *e)
{
    int count = 0;
    while (count < LAB_CHARTS_MAX && e->charts[count].key)
        count++;
    return count;
}

const LabExperiment *lab_experiment_find(const char *name)
{
    for (int i = 0; LAB_EXPERIMENTS[i]; i++)
        if (!strcmp(LAB_EXPERIMENTS[i]->name, name))
            return LAB_EXPERIMENTS[i];
    return NULL;
}

const char *lab_experiment_nearest(const char *name)
{
    const char *nearest = NULL;
    int best = 0;
    for (int i = 0; LAB_EXPERIMENTS[i]; i++) {
        int distance = str_distance(LAB_EXPERIMENTS[i]->name, name);
        // More than half of a word wrong is another word.
        if (distance * 2 <= (int)strlen(LAB_EXPERIMENTS[i]->name) &&
            (!nearest || distance < best)) {
            best = distance;
            nearest = LAB_EXPERIMENTS[i]->name;
        }
    }
    return nearest;
}

// ---- The file ----

// Which program this is, by its bytes: what another one measured is not continued.
static uint64_t program_sum(void)
{
    size_t size;
    char *bytes = file_read("/proc/self/exe", PROGRAM_SIZE, &size, NULL);
    uint64_t sum = bytes ? checksum_fnv(CHECKSUM_FNV_START, bytes, size) : 0;
    free(bytes);
    return sum;
}

// What a file must be of to go on with it: experiment, sizes, program and columns.
static void write_head(const LabRun *run, Str *out)
{
    const LabExperiment *e = run->experiment;
    str_format(out, "lovac-lab 1 %s %s seed=%llu games=%d program=%016llx", e->name,
               run->settings.is_quick ? "quick" : "full", (unsigned long long)run->settings.seed,
               run->settings.games, (unsigned long long)run->program);
    for (int t = 0; t < lab_experiment_table_count(e); t++)
        for (int c = 0; c < lab_table_width(&e->tables[t]); c++)
            str_format(out, " %s.%s", e->tables[t].key, e->tables[t].columns[c].key);
    str_add(out, "\n");
}

static void write_cell(const LabCell *cell, Str *out)
{
    switch (cell->is) {
    case LAB_IS_NONE: str_add(out, "\tn"); break;
    case LAB_IS_COUNT: str_format(out, "\tc%llu", (unsigned long long)cell->count); break;
    case LAB_IS_REAL: str_format(out, "\tr%a", cell->real); break;
    case LAB_IS_TEXT: str_format(out, "\tt%s", cell->text); break;
    }
}

static void write_row(const LabRun *run, int table, int row, Str *out)
{
    size_t begin = out->length;
    str_format(out, "%d", table);
    for (int c = 0; c < lab_table_width(&run->experiment->tables[table]); c++)
        write_cell(&run->rows[table].cells[row][c], out);
    uint64_t sum = checksum_fnv(CHECKSUM_FNV_START, out->text + begin, out->length - begin);
    str_format(out, "\t#%016llx\n", (unsigned long long)sum);
}

static bool write_state(const LabRun *run, const char *path, Error *error)
{
    char *text = malloc(STATE_SIZE);
    if (!text)
        return error_set(error, "out of memory");
    Str out;
    str_init(&out, text, STATE_SIZE);
    write_head(run, &out);
    for (int t = 0; t < LAB_TABLES_MAX; t++)
        for (int r = 0; r < run->rows[t].count; r++)
            write_row(run, t, r, &out);
    bool ok = out.is_cut ? error_set(error, "%s: too many rows", path)
                         : file_write(path, text, out.length, error);
    free(text);
    return ok;
}

static bool read_cell(const char *word, LabCell *cell)
{
    unsigned long long count;
    char *end;
    *cell = (LabCell){0};
    switch (word[0]) {
    case 'n': return !word[1];
    case 't': *cell = lab_text(word + 1); return true;
    case 'c':
        *cell = lab_count(0);
        if (!str_to_count(word + 1, UINT64_MAX, &count))
            return false;
        cell->count = count;
        return true;
    case 'r': *cell = lab_real(strtod(word + 1, &end)); return end != word + 1 && !*end;
    default: return false;
    }
}

// One line, without its end; false when it is not whole or not of this experiment.
static bool read_row(LabRun *run, char *line)
{
    char *mark = strstr(line, "\t#"), *rest = line;
    if (!mark)
        return false;
    uint64_t sum = checksum_fnv(CHECKSUM_FNV_START, line, (size_t)(mark - line));
    if (strtoull(mark + 2, NULL, 16) != sum)
        return false;
    *mark = 0;
    long long table;
    const char *word = str_split(&rest, "\t");
    int tables = lab_experiment_table_count(run->experiment), width = 0;
    if (!str_to_int(word, 0, tables - 1, &table))
        return false;
    LabCell cells[LAB_COLUMNS_MAX] = {0};
    while ((word = str_split(&rest, "\t")))
        if (width == LAB_COLUMNS_MAX || !read_cell(word, &cells[width++]))
            return false;
    LabRows *rows = &run->rows[table];
    return width == lab_table_width(&run->experiment->tables[table]) &&
           rows->count < run->experiment->row_count(&run->settings, (int)table) &&
           lab_rows_put(rows, rows->count, cells, NULL);
}

// Takes over what is there, up to the first line that is not whole.
static void read_state(LabRun *run, const char *path)
{
    char head[LINE_SIZE];
    Str expected;
    char *text = file_read(path, STATE_SIZE, NULL, NULL), *rest = text, *line;
    str_init(&expected, head, sizeof head);
    write_head(run, &expected);
    if (expected.length)
        head[expected.length - 1] = 0;
    if (text && (line = str_split(&rest, "\n")) && !strcmp(line, head))
        while (rest && (line = str_split(&rest, "\n")) && read_row(run, line))
            run->resumed++;
    free(text);
}

// ---- A run ----

void lab_run_init(LabRun *run, const LabExperiment *experiment, const LabSettings *settings,
                  const char *state_path)
{
    *run = (LabRun){.experiment = experiment, .settings = *settings};
    for (int t = 0; t < lab_experiment_table_count(experiment); t++)
        run->rows_total += experiment->row_count(settings, t);
    if (state_path) {
        run->program = program_sum();
        read_state(run, state_path);
    }
    run->rows_done = run->resumed;
}

void lab_run_release(LabRun *run)
{
    for (int t = 0; t < LAB_TABLES_MAX; t++)
        lab_rows_release(&run->rows[t]);
    if (run->memory)
        run->experiment->release(run->memory);
    run->memory = NULL;
}

bool lab_run_is_stopped(const LabRun *run)
{
    return stop_is_set(run->settings.stop);
}

bool lab_run_is_done(const LabRun *run)
{
    return run->rows_done >= run->rows_total;
}

static void tell(LabRun *run, int table, int row, double part)
{
    if (run->on_news)
        run->on_news(run->context, run, table, row,
                     run->rows_total ? (run->rows_done + part) / run->rows_total : 1);
}

void lab_run_progress(LabRun *run, double share)
{
    tell(run, -1, 0, share < 0 ? 0 : share > 1 ? 1 : share);
}

// Fills one row and keeps it; nothing is kept after a stop.
static bool fill_row(LabRun *run, int table, int row, const char *state_path, Error *error)
{
    LabCell cells[LAB_COLUMNS_MAX] = {0};
    if (!run->experiment->fill(run, table, row, cells, error))
        return false;
    if (lab_run_is_stopped(run))
        return true;
    if (!lab_rows_put(&run->rows[table], row, cells, error))
        return false;
    run->rows_done++;
    if (state_path && !write_state(run, state_path, error))
        return false;
    tell(run, table, row, 0);
    return true;
}

bool lab_run_work(LabRun *run, const char *state_path, Error *error)
{
    for (int t = 0; t < lab_experiment_table_count(run->experiment); t++) {
        int count = run->experiment->row_count(&run->settings, t);
        for (int r = run->rows[t].count; r < count && !lab_run_is_stopped(run); r++)
            if (!fill_row(run, t, r, state_path, error))
                return false;
    }
    return true;
}

const LabCell *lab_run_cell(const LabRun *run, int table, int row, const char *column)
{
    assert(row < run->rows[table].count);
    return &run->rows[table].cells[row][lab_table_column(&run->experiment->tables[table], column)];
}

double lab_run_number(const LabRun *run, int table, int row, const char *column)
{
    return lab_cell_number(lab_run_cell(run, table, row, column));
}
