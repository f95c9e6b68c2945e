// What the laboratory page can run. Whoever starts the server hands in a table of experiments: the
// choices of each, the tables and charts that it fills, and a function that does the work. The
// server makes a form of the choices, checks what comes back, and calls the function on the thread
// of runner.h; it knows nothing else about them. Titles are English; the page has its own words for
// keys that it knows.
#ifndef LOVAC_SERVER_EXPERIMENT_H
#define LOVAC_SERVER_EXPERIMENT_H

#include <jansson.h>

#include "core/position.h"
#include "play/player.h"

enum {
    CHOICES_MAX = 12,
    TABLES_MAX = 6,
    COLUMNS_MAX = 12,
    CHARTS_MAX = 3,
    CHART_SERIES_MAX = 6,
    RUN_ROWS_MAX = 2000, // of a table
    RUN_TEXTS_MAX = 200, // of a run
    CELL_TEXT_SIZE = 72,
};

typedef enum ChoiceKind {
    CHOICE_NUMBER,  // a whole number from low to high
    CHOICE_SWITCH,  // yes (1) or no
    CHOICE_WORD,    // one of `words`, by index
    CHOICE_VARIANT, // a game
    CHOICE_FEN,     // a position of the game chosen before it; "": its usual start
    CHOICE_PLAYER   // who plays a side of a match
} ChoiceKind;

typedef struct Example {
    int variant; // index of its game
    const char *key, *title, *fen;
} Example;

typedef struct Choice {
    const char *key, *title;
    ChoiceKind kind;
    int64_t low, high, usual;
    const char *const *words; // CHOICE_WORD: ends with NULL
    const Example *examples;  // CHOICE_FEN: positions to offer, ends with {0}; may be NULL
    const char *needs;        // a switch without which it means nothing, by key; may be NULL
} Choice;

// A choice made. For CHOICE_VARIANT `rules`, for CHOICE_FEN `start`, for CHOICE_PLAYER `player` is
// filled, for the others `number`.
typedef struct ChoiceValue {
    int64_t number;
    const Rules *rules;
    Position start;
    char player[PLAYER_TEXT_SIZE]; // by which it is found (play/player_list.h)
} ChoiceValue;

typedef enum ColumnKind { COLUMN_COUNT, COLUMN_REAL, COLUMN_TIME_MS, COLUMN_TEXT } ColumnKind;

typedef struct Column {
    const char *key, *title;
    ColumnKind kind;
    bool is_published; // a figure of the literature, to compare with
} Column;

typedef struct RunTable {
    const char *key, *title;
    Column columns[COLUMNS_MAX]; // ends with {0} where there are fewer
    bool is_hidden;              // for a chart alone
    bool has_texts;              // to each row belongs a game (run_text), by row number
    bool has_players;            // row i is about the player `champion RUN i+1`, who has a picture
} RunTable;

// A line of a chart over the column `x`; with a band when low and high are given.
typedef struct Series {
    const char *column, *low, *high;
} Series;

typedef struct RunChart {
    const char *key, *title, *table, *x;
    Series series[CHART_SERIES_MAX]; // ends with {0}
    bool is_logarithmic;
    bool has_bars; // a bar for each row, whose cell in column `x` may be any text
} RunChart;

typedef struct Run Run; // see runner.h

typedef struct Experiment {
    const char *key, *title, *text; // text: what it shows, in a sentence or two
    Choice choices[CHOICES_MAX];    // these three end with {0} where there are fewer
    RunTable tables[TABLES_MAX];
    RunChart charts[CHARTS_MAX];
    const char *sources; // where published figures are from; may be NULL
    // Do the choices go together? Asked before a run is taken; may be NULL.
    bool (*check)(const ChoiceValue *values, Error *error);
    // Does the work: reports rows and progress, and ends soon when told to stop. False, with the
    // reason, when it cannot be done.
    bool (*work)(const void *context, const ChoiceValue *values, Run *run, Error *error);
    // The picture (SVG, which the caller frees) of the player of a row, from the run's folder; for
    // tables with players.
    char *(*draw)(const char *folder, int row, Error *error);
    const void *context;
} Experiment;

// The tree of a search, drawn for a class: WALK of docs/protocol.md, for a method by its name and a
// depth, or NULL with the reason. Called on the event loop's thread: it must be quick.
typedef json_t *Walker(const Position *pos, const char *method, int depth, Error *error);

// The value of a choice by its key, which the experiment must have.
const ChoiceValue *choice_value(const Experiment *experiment, const ChoiceValue *values,
                                const char *key);

// The experiment of that key in a list, or NULL.
const Experiment *experiment_find(const Experiment *list, int count, const char *key);

// How many choices, tables, charts and columns there are.
int experiment_choice_count(const Experiment *experiment);
int experiment_table_count(const Experiment *experiment);
int experiment_chart_count(const Experiment *experiment);
int table_column_count(const RunTable *table);

#endif
