// The experiments of the laboratory: a row of LAB_EXPERIMENTS for each (list.c), its work in a file
// beside this one. An experiment fills tables row by row. Rows are kept as they come, so that a run
// that was interrupted goes on behind the last one. `lovac lab` and the laboratory page run them.
#ifndef LOVAC_LAB_EXPERIMENTS_EXPERIMENT_H
#define LOVAC_LAB_EXPERIMENTS_EXPERIMENT_H

#include <stdatomic.h>

#include "lab/experiments/table.h"
#include "play/player_list.h"

enum { LAB_TABLES_MAX = 4, LAB_CHARTS_MAX = 3, LAB_SERIES_MAX = 6 };

// A picture of a table: columns over the column `x`, whose cells are numbers for lines and anything
// for bars.
typedef struct LabChart {
    const char *key, *title;
    int table;
    const char *x;
    const char *series[LAB_SERIES_MAX]; // columns, by key; ends with NULL
    bool has_bars, is_logarithmic;
    const char *unit;  // of the series
    const char *error; // column with the error, either way, of the first series' bars; NULL: none
} LabChart;

typedef struct LabSettings {
    bool is_quick;      // small sizes
    uint64_t seed;      // for everything random
    int games;          // of each pairing of a match; 0: as many as the experiment thinks right
    int threads;        // for those that can use several
    const char *folder; // for what must survive a kill within a row; NULL: nothing does
    const PlayerList *players;
    const atomic_bool *stop; // may be NULL
} LabSettings;

typedef struct LabRun LabRun;

typedef struct LabExperiment {
    const char *name, *title, *text; // text: what it shows, in a sentence or two
    const char *source;              // which document and table it repeats
    LabTable tables[LAB_TABLES_MAX]; // these two end with {0} where there are fewer
    LabChart charts[LAB_CHARTS_MAX];
    // How many rows a table will have.
    int (*row_count)(const LabSettings *settings, int table);
    // Fills the cells of a row, which are empty; earlier rows and tables are there. When told to
    // stop it ends soon, and what it filled is forgotten.
    bool (*fill)(LabRun *run, int table, int row, LabCell *cells, Error *error);
    // Frees what `fill` keeps in run->memory from row to row; NULL: nothing is kept.
    void (*release)(void *memory);
    // Says, as Markdown, what the finished tables show beside the document's; may be NULL.
    void (*conclude)(const LabRun *run, Str *out);
} LabExperiment;

// All of them, in the order of the documents' ideas; ends with NULL.
extern const LabExperiment *const LAB_EXPERIMENTS[];

// The experiment of that name, or NULL; the name nearest to a mistyped one, or NULL.
const LabExperiment *lab_experiment_find(const char *name);
const char *lab_experiment_nearest(const char *name);

int lab_experiment_table_count(const LabExperiment *experiment);
int lab_experiment_chart_count(const LabExperiment *experiment);

// A run: the settings and all rows so far.
struct LabRun {
    const LabExperiment *experiment;
    LabSettings settings;
    LabRows rows[LAB_TABLES_MAX];
    int resumed; // rows that were there before
    // Called after every row and within long ones (table -1); may be NULL.
    void (*on_news)(void *context, const LabRun *run, int table, int row, double share);
    void *context;
    int rows_done, rows_total;
    uint64_t program; // checksum of the program that measures
    void *memory;     // of the experiment
};

// Begins a run. With a path, rows that an earlier run of the same experiment, settings and program
// left in that file are taken over.
void lab_run_init(LabRun *run, const LabExperiment *experiment, const LabSettings *settings,
                  const char *state_path);
void lab_run_release(LabRun *run);

// Fills all rows that are missing, keeping each in the file (NULL: nowhere). False with an error;
// true when it is done or was told to stop.
bool lab_run_work(LabRun *run, const char *state_path, Error *error);

bool lab_run_is_done(const LabRun *run);

// ---- For experiments ----

// Must the run end?
bool lab_run_is_stopped(const LabRun *run);

// How much of the row that is being filled is done, 0 to 1.
void lab_run_progress(LabRun *run, double share);

// A cell of a row that is there, by the column's key; its number (NAN: none).
const LabCell *lab_run_cell(const LabRun *run, int table, int row, const char *column);
double lab_run_number(const LabRun *run, int table, int row, const char *column);

#endif
