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
        char *word = str_split(&line, ","), *field = (char *)row + COLUMNS[i].offset;
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
    str_split(&rest, "\n"); // names
    bool ok = true;
    while (ok && (line = str_split(&rest, "\n")))
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

typedef enum Which { ALL, KEPT } Which;

static void draw_line(FILE *out, const LearnLog *log, Which which, const Axis *x, const Axis *y,
                      size_t field, const char *color)
{
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (int i = 0; i < log->count; i++) {
        const LearnRow *r = &log->rows[i];
        const double value = *(const double *)((const char *)r + field);
        if (which == ALL || r->is_kept)
            fprintf(out, "%.1f,%.1f ", axis_place(x, r->positions / 1e6), axis_place(y, value));
    }
    fprintf(out, "\"/>\n");
}

// A dot for each generation, hollow for those that were not kept.
static void draw_dots(FILE *out, const LearnLog *log, const Axis *x, const Axis *y)
{
    for (int i = 0; i < log->count; i++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" stroke=\"#1f5fbf\" fill=\"%s\"/>\n",
                axis_place(x, log->rows[i].positions / 1e6), axis_place(y, log->rows[i].rating),
                log->rows[i].is_kept ? "#1f5fbf" : "white");
}

// Another engine's way from nothing, as published: million positions, and Elo against the net it
// had at seven thousand million.
static const double PUBLISHED[][2] = {{115, -287}, {210, -185}, {310, -141},
                                      {900, -93},  {1200, -72}, {3300, -25}};
enum { PUBLISHED_COUNT = 6 };

// The published curve between its points; the logarithm of the positions counts.
static double published_at(double millions)
{
    int i = 1;
    while (i < PUBLISHED_COUNT - 1 && millions > PUBLISHED[i][0])
        i++;
    const double *a = PUBLISHED[i - 1], *b = PUBLISHED[i];
    return a[1] + (b[1] - a[1]) * log(millions / a[0]) / log(b[0] / a[0]);
}

// Our rating at that many positions, between the generations kept before and after.
static double rating_at(const LearnLog *log, double millions)
{
    double before = 0, rating = 0; // the start: nothing seen, 0
    for (int i = 0; i < log->count; i++) {
        const LearnRow *r = &log->rows[i];
        const double now = r->positions / 1e6;
        if (!r->is_kept)
            continue;
        if (now >= millions)
            return rating + (r->rating - rating) * (millions - before) / fmax(now - before, 1e-9);
        before = now;
        rating = r->rating;
    }
    return rating;
}

// The published curve, set level with ours where it begins: it tells only how far each net is from
// a later one.
static void draw_published(FILE *out, const LearnLog *log, const Axis *x, const Axis *y)
{
    const double begin = PUBLISHED[0][0], level = rating_at(log, begin) - PUBLISHED[0][1];
    if (x->high < 2 * begin)
        return;
    fprintf(out, "<polyline fill=\"none\" stroke=\"#777\" stroke-dasharray=\"5 4\" points=\"");
    for (int i = 0; i <= 64; i++) {
        const double millions = begin + (x->high - begin) * i / 64;
        fprintf(out, "%.1f,%.1f ", axis_place(x, millions),
                axis_place(y, level + published_at(millions)));
    }
    fprintf(out,
            "\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#777\">"
            "dashed: published, level at %g million</text>\n",
            WIDE - RIGHT, HIGH - BELOW - 8, begin);
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
    draw_published(out, log, &x, &y);
    draw_line(out, log, ALL, &x, &z, offsetof(LearnRow, against_score), "#c0392b");
    draw_line(out, log, KEPT, &x, &y, offsetof(LearnRow, rating), "#1f5fbf");
    draw_dots(out, log, &x, &y);
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
