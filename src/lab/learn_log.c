// See learn_log.h.
#include "lab/learn_log.h"

#include "base/file.h"
#include "base/str.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The columns, in their order. Integers are written as numbers too.
typedef struct Column {
    const char *name;
    size_t offset;
    bool is_int;
} Column;

#define INTEGER(field)                                                                             \
    {                                                                                              \
#field, offsetof(LearnRow, field), true                                                    \
    }
#define REAL(field)                                                                                \
    {                                                                                              \
#field, offsetof(LearnRow, field), false                                                   \
    }

static const Column COLUMNS[] = {
    INTEGER(generation),  INTEGER(stage),      INTEGER(width),
    INTEGER(is_kept),     REAL(positions),     REAL(window),
    REAL(nodes),          REAL(play_s),        REAL(mnps),
    REAL(depth),          REAL(kept_per_s),    REAL(drawn),
    REAL(scale),          REAL(result_weight), REAL(samples),
    REAL(train_s),        REAL(loss),          REAL(validation),
    REAL(against_result), REAL(against_score), REAL(spread),
    REAL(multiplier),     REAL(elo),           REAL(elo_error),
    REAL(rating),         REAL(rating_error),  REAL(elapsed_s),
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS, LOG_LIMIT = 16 << 20 };

static bool row_read(LearnRow *row, char *line)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char *word = strsep(&line, ","), *field = (char *)row + COLUMNS[i].offset;
        double value;
        if (!word || !str_to_real(word, &value))
            return false;
        if (COLUMNS[i].is_int)
            *(int *)field = (int)value;
        else
            *(double *)field = value;
    }
    return true;
}

bool learn_log_read(LearnLog *log, const char *path, Error *error)
{
    log->count = 0;
    if (!file_exists(path))
        return true;
    char *text = file_read(path, LOG_LIMIT, NULL, error), *rest = text, *line;
    if (!text)
        return false;
    strsep(&rest, "\n"); // names
    bool ok = true;
    while (ok && (line = strsep(&rest, "\n")))
        if (*line) {
            ok = log->count < LEARN_MAX_GENERATIONS && row_read(&log->rows[log->count], line);
            log->count++;
        }
    if (!ok)
        error_set(error, "%s: line %d cannot be read", path, log->count + 1);
    free(text);
    return ok;
}

bool learn_log_write(const LearnLog *log, const char *path, Error *error)
{
    FileWriter writer;
    if (!file_begin(&writer, path, error))
        return false;
    for (int i = 0; i < COLUMN_COUNT; i++)
        fprintf(writer.out, "%s%s", i ? "," : "", COLUMNS[i].name);
    fputc('\n', writer.out);
    for (int r = 0; r < log->count; r++) {
        for (int i = 0; i < COLUMN_COUNT; i++) {
            const char *field = (const char *)&log->rows[r] + COLUMNS[i].offset;
            double value = COLUMNS[i].is_int ? *(const int *)field : *(const double *)field;
            fprintf(writer.out, "%s%.9g", i ? "," : "", value);
        }
        fputc('\n', writer.out);
    }
    return file_commit(&writer, error);
}

enum { WIDE = 720, HIGH = 400, LEFT = 64, RIGHT = 64, ABOVE = 24, BELOW = 48 };

typedef struct Axis {
    double low, high, from, to; // values, and where they lie
} Axis;

static double axis_place(const Axis *a, double value)
{
    double span = a->high > a->low ? a->high - a->low : 1;
    return a->from + (value - a->low) / span * (a->to - a->from);
}

// The next of 1, 2, 5, 10, 20, ... that divides the axis into at most eight.
static double axis_step(const Axis *a)
{
    double step = pow(10, floor(log10((a->high - a->low) / 8 + 1e-12)));
    const double factors[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if ((a->high - a->low) / (step * factors[i]) <= 8)
            return step * factors[i];
    return step * 10;
}

static void draw_line(FILE *out, const LearnLog *log, const Axis *x, const Axis *y, size_t field,
                      const char *color)
{
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (int i = 0; i < log->count; i++) {
        const LearnRow *r = &log->rows[i];
        const double value = *(const double *)((const char *)r + field);
        fprintf(out, "%.1f,%.1f ", axis_place(x, r->positions / 1e6), axis_place(y, value));
    }
    fprintf(out, "\"/>\n");
}

bool learn_log_draw(const LearnLog *log, const char *path, Error *error)
{
    FileWriter writer;
    if (!log->count)
        return true;
    if (!file_begin(&writer, path, error))
        return false;
    FILE *out = writer.out;
    Axis x = {0, log->rows[log->count - 1].positions / 1e6, LEFT, WIDE - RIGHT};
    Axis y = {0, 1, HIGH - BELOW, ABOVE}, z = {1, 0, HIGH - BELOW, ABOVE};
    for (int i = 0; i < log->count; i++) {
        y.high = fmax(y.high, log->rows[i].rating);
        y.low = fmin(y.low, log->rows[i].rating);
        z.low = fmin(z.low, log->rows[i].against_score);
        z.high = fmax(z.high, log->rows[i].against_score);
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDE, HIGH);
    for (double v = ceil(y.low / axis_step(&y)) * axis_step(&y); v <= y.high; v += axis_step(&y)) {
        const double at = axis_place(&y, v);
        fprintf(out,
                "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">"
                "%g</text>\n",
                LEFT, at, WIDE - RIGHT, LEFT - 6, at + 4, v);
    }
    for (double v = 0; v <= x.high; v += axis_step(&x))
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                axis_place(&x, v), HIGH - BELOW + 18, v);
    draw_line(out, log, &x, &y, offsetof(LearnRow, rating), "#1f5fbf");
    draw_line(out, log, &x, &z, offsetof(LearnRow, against_score), "#c0392b");
    fprintf(
        out,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">million positions of self-play</text>\n",
        WIDE / 2, HIGH - 8);
    fprintf(out, "<text x=\"%d\" y=\"16\" fill=\"#1f5fbf\">Elo, from material = 0</text>\n", LEFT);
    fprintf(out,
            "<text x=\"%d\" y=\"16\" fill=\"#c0392b\" text-anchor=\"end\">error against scores, "
            "%.5f to "
            "%.5f</text>\n</svg>\n",
            WIDE - RIGHT, z.low, z.high);
    return file_commit(&writer, error);
}
