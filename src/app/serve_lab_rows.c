// The experiments of `lovac lab` (lab/experiments/list.c) on the laboratory page: columns, charts
// and rows are handed over one by one, so that a new experiment needs nothing here.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/serve_lab.h"
#include "base/clock.h"
#include "base/file.h"
#include "lab/experiments/report.h"
#include "server/runner.h"

static const char *const SIZES[] = {"quick", "full", NULL};
enum { SIZE_FULL = 1, SEED_MAX = 1000000, PAGE_THREADS = 1 };

// ---- What there is ----

static ColumnKind column_kind(LabKind kind)
{
    switch (kind) {
    case LAB_COUNT: return COLUMN_COUNT;
    case LAB_REAL: return COLUMN_REAL;
    case LAB_TIME_MS: return COLUMN_TIME_MS;
    default: return COLUMN_TEXT;
    }
}

static void copy_table(const LabTable *from, RunTable *to)
{
    static_assert((int)LAB_COLUMNS_MAX <= (int)COLUMNS_MAX, "a table of the page has room");
    to->key = from->key;
    to->title = from->title;
    for (int c = 0; c < lab_table_width(from); c++)
        to->columns[c] =
            (Column){from->columns[c].key, from->columns[c].title,
                     column_kind(from->columns[c].kind), from->columns[c].is_published};
}

static void copy_chart(const LabExperiment *e, const LabChart *from, RunChart *to)
{
    static_assert((int)LAB_SERIES_MAX <= (int)CHART_SERIES_MAX, "a chart of the page has room");
    *to = (RunChart){.key = from->key,
                     .title = from->title,
                     .table = e->tables[from->table].key,
                     .x = from->x,
                     .is_logarithmic = from->is_logarithmic,
                     .has_bars = from->has_bars};
    for (int s = 0; s < LAB_SERIES_MAX && from->series[s]; s++)
        to->series[s].column = from->series[s];
}

static void copy_choices(Choice *choices)
{
    choices[0] = (Choice){.key = "size", .title = "Size", .kind = CHOICE_WORD, .words = SIZES};
    choices[1] = (Choice){.key = "chance",
                          .title = "Random numbers",
                          .kind = CHOICE_NUMBER,
                          .low = 1,
                          .high = SEED_MAX,
                          .usual = 1};
}

// ---- A run ----

typedef struct Bridge {
    Run *run;
    int64_t begin_ms;
} Bridge;

static Cell page_cell(const LabCell *cell)
{
    switch (cell->is) {
    case LAB_IS_COUNT: return cell_count(cell->count);
    case LAB_IS_REAL: return cell_real(cell->real);
    case LAB_IS_TEXT: return cell_text(cell->text);
    default: return cell_none();
    }
}

static void show_row(Run *to, const LabRun *run, int table, int row)
{
    Cell cells[COLUMNS_MAX];
    int width = lab_table_width(&run->experiment->tables[table]);
    for (int c = 0; c < width; c++)
        cells[c] = page_cell(&run->rows[table].cells[row][c]);
    run_row(to, table, row, cells, width);
}

// Rows that were there before the run was interrupted.
static void show_resumed(Run *to, const LabRun *run)
{
    for (int t = 0; t < lab_experiment_table_count(run->experiment); t++)
        for (int r = 0; r < run->rows[t].count; r++)
            show_row(to, run, t, r);
}

static void hear(void *context, const LabRun *run, int table, int row, double share)
{
    const Bridge *bridge = context;
    if (table >= 0)
        show_row(bridge->run, run, table, row);
    // What was there before took no time of this run.
    int64_t elapsed = clock_ms() - bridge->begin_ms;
    double new = share - (double)run->resumed / (run->rows_total ? run->rows_total : 1);
    run_progress(bridge->run, share,
                 new > 0.01 ? (int64_t)((double)elapsed * (1 - share) / new) : -1);
}

// The file of the rows of a run, in its folder, which is made.
static bool open_state(const char *folder, char path[LAB_PATH_SIZE], Error *error)
{
    return file_make_folder(folder, error) &&
           (snprintf(path, LAB_PATH_SIZE, "%s/rows", folder) < LAB_PATH_SIZE ||
            error_set(error, "%s: the name is too long", folder));
}

// What the finished tables show, as in docs/results.md.
static void tell_conclusion(Run *to, const LabRun *run)
{
    enum { NOTE_SIZE = 8192 };
    char *text = malloc(NOTE_SIZE);
    Str out;
    if (text && run->experiment->conclude && lab_run_is_done(run)) {
        str_init(&out, text, NOTE_SIZE);
        run->experiment->conclude(run, &out);
        run_note(to, text);
    }
    free(text);
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    const ServeLabRow *row = context;
    Bridge bridge = {.run = run, .begin_ms = clock_ms()};
    // The choices stand in the order of copy_choices.
    LabSettings settings = {.is_quick = values[0].number != SIZE_FULL,
                            .seed = (uint64_t)values[1].number,
                            .threads = PAGE_THREADS,
                            .folder = run_folder(run),
                            .players = row->players,
                            .stop = run_stop(run)};
    LabRun lab;
    char state[LAB_PATH_SIZE];
    const char *path = settings.folder ? state : NULL;
    if (path && !open_state(settings.folder, state, error))
        return false;
    lab_run_init(&lab, row->experiment, &settings, path);
    lab.on_news = hear;
    lab.context = &bridge;
    show_resumed(run, &lab);
    bool ok = lab_run_work(&lab, path, error);
    tell_conclusion(run, &lab);
    lab_run_release(&lab);
    return ok;
}

void serve_lab_row(const ServeLabRow *row, Experiment *to)
{
    static_assert((int)LAB_TABLES_MAX <= (int)TABLES_MAX && (int)LAB_CHARTS_MAX <= (int)CHARTS_MAX,
                  "an experiment of the page has room");
    const LabExperiment *e = row->experiment;
    *to = (Experiment){.key = e->name,
                       .title = e->title,
                       .text = e->text,
                       .sources = e->source,
                       .work = work,
                       .context = row};
    copy_choices(to->choices);
    for (int t = 0; t < lab_experiment_table_count(e); t++)
        copy_table(&e->tables[t], &to->tables[t]);
    for (int c = 0; c < lab_experiment_chart_count(e); c++)
        copy_chart(e, &e->charts[c], &to->charts[c]);
}
