// A progress bar for long work: share done, rate, time left. Redrawn at most ten times a second,
// shown only when the work lasts, and quiet when the stream is not a terminal unless asked.
//
//     Progress progress;
//     progress_init(&progress, stderr, "perft", "nodes", total, PROGRESS_AUTO);
//     progress_add(&progress, 1000);     from any thread, as often as you like
//     progress_end(&progress);
#ifndef LOVAC_BASE_PROGRESS_H
#define LOVAC_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum ProgressMode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER } ProgressMode;

enum { PROGRESS_LABEL_SIZE = 32, PROGRESS_DELAY_MS = 2000, PROGRESS_LINE_SIZE = 160 };

typedef struct Progress {
    FILE *out; // NULL when nothing is to be shown
    char label[PROGRESS_LABEL_SIZE], unit[PROGRESS_LABEL_SIZE];
    uint64_t total; // 0 when nobody knows: then only amount and rate are shown
    bool is_terminal;
    int64_t start_ms, delay_ms;
    _Atomic uint64_t done;
    _Atomic int64_t next_ms; // when it may be drawn again
    atomic_bool is_shown;
} Progress;

// Starts the clock. `total` is in units (0: unknown). PROGRESS_ALWAYS writes lines, one every ten
// seconds, even when `out` is not a terminal.
void progress_init(Progress *progress, FILE *out, const char *label, const char *unit,
                   uint64_t total, ProgressMode mode);

// So many units more are done. Cheap; safe from several threads.
void progress_add(Progress *progress, uint64_t units);

// All units done so far, for those who count themselves.
void progress_set(Progress *progress, uint64_t done);

// Wipes the bar from the terminal.
void progress_end(Progress *progress);

// The text of the bar at a moment, for `columns` columns: what progress_add draws.
void progress_line(const Progress *progress, uint64_t done, int64_t elapsed_ms, int columns,
                   char line[PROGRESS_LINE_SIZE]);

#endif
