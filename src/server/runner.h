// The thread on which experiments run, one at a time and with low priority. The event loop starts
// and stops runs and takes their news; the experiment reports through the run_* functions, which
// any thread may call while the run lasts.
#ifndef LOVAC_SERVER_RUNNER_H
#define LOVAC_SERVER_RUNNER_H

#include <stdatomic.h>

#include <jansson.h>

#include "server/experiment.h"

typedef struct Runner Runner;

// Makes the thread. `wake` is called (from it) when the first news after runner_take are there.
Runner *runner_new(void (*wake)(void *context), void *context, Error *error);

// Stops what runs and ends the thread; nothing is reported any more.
void runner_stop(Runner *runner);

// Stops, if that was not done, and frees everything.
void runner_free(Runner *runner);

// Begins a run of that number; false when one is still going on. The values are copied. `folder` is
// where the run may keep what it needs to go on after an interruption (NULL: nowhere), `kept` its
// tables so far, by key, or NULL; they are copied too.
bool runner_begin(Runner *runner, int64_t number, const Experiment *experiment,
                  const ChoiceValue *values, const char *folder, const json_t *kept);

// Tells the run to end soon; its end is still reported.
void runner_halt(Runner *runner);

typedef enum NewsKind {
    NEWS_ROW,
    NEWS_TEXT,
    NEWS_NOTE,
    NEWS_PROGRESS,
    NEWS_DONE,    // the end of the run, by itself
    NEWS_STOPPED, // the same after runner_halt
    NEWS_FAILED   // the same with an error
} NewsKind;

typedef enum CellKind { CELL_NONE, CELL_COUNT, CELL_REAL, CELL_TEXT } CellKind;

typedef struct Cell {
    CellKind kind;
    int64_t count;
    double real;
    char text[CELL_TEXT_SIZE];
} Cell;

typedef struct News {
    NewsKind kind;
    int64_t run;
    int table, row; // NEWS_ROW; row is also the number of a text
    Cell cells[COLUMNS_MAX];
    int cell_count;
    char *text;      // NEWS_TEXT, NEWS_NOTE
    double share;    // NEWS_PROGRESS: 0 to 1
    int64_t left_ms; // the same; -1: nobody knows
    Error error;     // NEWS_FAILED
    struct News *next;
} News;

// The next news, or NULL; news_free gives them back.
News *runner_take(Runner *runner);
void news_free(News *news);

// Are there any? Does a run go on? (Its end is among the news before the answer is no.)
bool runner_has_news(Runner *runner);
bool runner_is_busy(Runner *runner);

// ---- For experiments ----

Cell cell_none(void);
Cell cell_count(uint64_t value);
Cell cell_real(double value);
Cell cell_text(const char *text); // cut to fit

// Writes row `row` of a table (by index), new or in place of the former one. Rows come in order.
void run_row(Run *run, int table, int row, const Cell *cells, int count);

// Keeps a text (a game as PGN) that belongs to a row of the table with texts.
void run_text(Run *run, int row, const char *text);

// Says in words, as plain paragraphs, what the tables show; the last call counts.
void run_note(Run *run, const char *text);

// How much is done (0 to 1) and how long the rest will take, -1 when that is not known. Cheap: it
// is passed on a few times a second.
void run_progress(Run *run, double share, int64_t left_ms);

// For a run that goes on after it was stopped or interrupted: a row as it was then, written to
// `cells`; how many cells it has, 0 when there is no such row. Tables begin empty again: what is to
// stay is written anew with run_row, before anything else is reported.
int run_kept(const Run *run, int table, int row, Cell cells[COLUMNS_MAX]);

// The folder of this run alone, kept as long as the run; NULL: there is none. It need not be there.
const char *run_folder(const Run *run);

// Must the run end? The flag itself is for functions that take one.
bool run_is_stopped(const Run *run);
const atomic_bool *run_stop(const Run *run);

#endif
