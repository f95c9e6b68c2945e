// See chart.h. Start with lab_chart_svg at the end. A Plot maps numbers to the picture's units.
#include "lab/experiments/chart.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    WIDTH = 720,
    LEFT = 70,
    RIGHT = 190, // room for the legend
    TOP = 44,
    INNER = 300, // of the axes
    BOTTOM = 56,
    LETTER = 7, // about, of a label
    TICKS_MAX = 12,
};

// How the names under bars are written: as long as they fit level, else aslant, else upright.
typedef enum Slant { LEVEL, ASLANT, UPRIGHT } Slant;

// Told apart also by those who do not see all colours.
static const char *const COLORS[LAB_SERIES_MAX] = {"#0072b2", "#d55e00", "#009e73",
                                                   "#cc79a7", "#7a6000", "#404040"};

typedef struct Plot {
    const LabChart *chart;
    const LabTable *table;
    const LabRows *rows;
    Str *out;
    double x_low, x_high, y_low, y_high; // in the axes' own scale
    Slant slant;
    int height; // of the picture
} Plot;

static const LabColumn *column_of(const Plot *p, const char *key)
{
    return &p->table->columns[lab_table_column(p->table, key)];
}

static double value_at(const Plot *p, const char *key, int row)
{
    return lab_cell_number(&p->rows->cells[row][lab_table_column(p->table, key)]);
}

// A value as it is drawn: logarithms have no place for zero and less.
static double scaled(const Plot *p, double value)
{
    return !p->chart->is_logarithmic ? value : value > 0 ? log10(value) : NAN;
}

static double x_of(const Plot *p, double x)
{
    double span = p->x_high - p->x_low;
    return LEFT + (WIDTH - LEFT - RIGHT) * (span > 0 ? (x - p->x_low) / span : 0.5);
}

static double y_of(const Plot *p, double y)
{
    double span = p->y_high - p->y_low;
    return TOP + INNER - INNER * (span > 0 ? (scaled(p, y) - p->y_low) / span : 0.5);
}

// Text with its special letters written as SVG wants them.
static void add_escaped(Str *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': str_add(out, "&amp;"); break;
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        case '"': str_add(out, "&quot;"); break;
        default: str_add_char(out, *text);
        }
}

static void add_text(Str *out, double x, double y, const char *anchor, const char *text)
{
    str_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    add_escaped(out, text);
    str_add(out, "</text>\n");
}

static void add_line(Str *out, double x1, double y1, double x2, double y2, const char *class)
{
    str_format(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1,
               y1, x2, y2, class);
}

// ---- Axes ----

int lab_chart_ticks(double low, double high, bool is_logarithmic, double *ticks, int most)
{
    double span = high - low, step = is_logarithmic ? 1 : pow(10, floor(log10(span / most)));
    static const double FACTORS[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (span / (step * FACTORS[i]) <= most - 1 || i == 3) {
            step *= FACTORS[i];
            break;
        }
    int count = 0;
    for (double at = ceil(low / step - 1e-9) * step; at <= high + step * 1e-9 && count < most;
         at += step)
        ticks[count++] = is_logarithmic ? pow(10, at) : fabs(at) < step * 1e-9 ? 0 : at;
    return count;
}

// 0.5, 1200, 10k, 100M: short enough to stand beside an axis.
static void tick_text(double value, char *text, size_t size)
{
    static const struct {
        double unit;
        const char *letter;
    } UNITS[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    Str out;
    str_init(&out, text, size);
    for (int i = 0; fabs(value) >= 1e4 && i < 3; i++)
        if (fabs(value) >= UNITS[i].unit) {
            str_format(&out, "%.4g%s", value / UNITS[i].unit, UNITS[i].letter);
            return;
        }
    str_format(&out, value && fabs(value) < 1e-3 ? "%.3g" : "%.6g", value);
}

// The error of the first series in a row, either way; 0 where there is none.
static double error_at(const Plot *p, int series, int row)
{
    double error = p->chart->error && !series ? value_at(p, p->chart->error, row) : 0;
    return isfinite(error) ? error : 0;
}

static void widen(double value, double *low, double *high)
{
    if (isfinite(value)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

// The least and the greatest of what is drawn; bars and plain lines stand on zero.
static void find_ranges(Plot *p)
{
    p->x_low = p->y_low = INFINITY;
    p->x_high = p->y_high = -INFINITY;
    for (int r = 0; r < p->rows->count; r++) {
        if (!p->chart->has_bars)
            widen(value_at(p, p->chart->x, r), &p->x_low, &p->x_high);
        for (int s = 0; s < LAB_SERIES_MAX && p->chart->series[s]; s++) {
            double value = value_at(p, p->chart->series[s], r), error = error_at(p, s, r);
            widen(scaled(p, value - error), &p->y_low, &p->y_high);
            widen(scaled(p, value + error), &p->y_low, &p->y_high);
        }
    }
    if (p->chart->has_bars)
        p->x_low = 0, p->x_high = p->rows->count;
    if (!isfinite(p->x_low))
        p->x_low = 0, p->x_high = 1;
    if (!isfinite(p->y_low))
        p->y_low = 0, p->y_high = 1;
    if (p->chart->is_logarithmic) {
        p->y_low = floor(p->y_low);
        p->y_high = fmax(ceil(p->y_high), p->y_low + 1);
    } else {
        p->y_low = fmin(p->y_low, 0);
        p->y_high = fmax(p->y_high + (p->y_high - p->y_low) * 0.05, p->y_low + 1e-9);
    }
}

static void draw_y_axis(const Plot *p)
{
    double ticks[TICKS_MAX];
    int count =
        lab_chart_ticks(p->y_low, p->y_high, p->chart->is_logarithmic, ticks, TICKS_MAX - 4);
    for (int i = 0; i < count; i++) {
        char text[32];
        double y = y_of(p, ticks[i]);
        tick_text(ticks[i], text, sizeof text);
        add_line(p->out, LEFT, y, WIDTH - RIGHT, y, "grid");
        add_text(p->out, LEFT - 6, y + 4, "end", text);
    }
    add_text(p->out, LEFT, TOP - 8, "end", p->chart->unit ? p->chart->unit : "");
}

static void draw_x_axis(const Plot *p)
{
    double ticks[TICKS_MAX], bottom = TOP + INNER;
    int count = lab_chart_ticks(p->x_low, p->x_high, false, ticks, TICKS_MAX);
    bool is_whole = column_of(p, p->chart->x)->kind == LAB_COUNT;
    for (int i = 0; i < count; i++) {
        char text[32];
        if (is_whole && fabs(ticks[i] - round(ticks[i])) > 1e-9)
            continue; // there is no depth 1.5
        tick_text(ticks[i], text, sizeof text);
        add_line(p->out, x_of(p, ticks[i]), bottom, x_of(p, ticks[i]), bottom + 4, "axis");
        add_text(p->out, x_of(p, ticks[i]), bottom + 18, "middle", text);
    }
}

// A name under a group of bars, and the length of the longest in letters.
static const char *group_name(const Plot *p, int row, char text[LAB_TEXT_SIZE])
{
    int c = lab_table_column(p->table, p->chart->x);
    return lab_cell_text(&p->table->columns[c], &p->rows->cells[row][c], text);
}

static int longest_name(const Plot *p)
{
    char text[LAB_TEXT_SIZE];
    int longest = 0;
    for (int r = 0; r < p->rows->count; r++) {
        int length = (int)strlen(group_name(p, r, text));
        longest = length > longest ? length : longest;
    }
    return longest;
}

// Room under the axis for what is written there.
static void find_height(Plot *p)
{
    int longest = p->chart->has_bars ? longest_name(p) : 0;
    int room = p->rows->count ? (WIDTH - LEFT - RIGHT) / p->rows->count : WIDTH;
    p->slant = longest * LETTER <= room ? LEVEL : longest <= 16 && room > 30 ? ASLANT : UPRIGHT;
    int extra = p->slant == UPRIGHT ? longest * LETTER - 24 : p->slant == ASLANT ? longest * 4 : 0;
    p->height = TOP + INNER + BOTTOM + (extra > 0 ? extra : 0);
}

static void draw_groups(const Plot *p)
{
    static const char *const TURNS[] = {"", " rotate(-35)", " rotate(-90)"};
    char text[LAB_TEXT_SIZE];
    for (int r = 0; r < p->rows->count; r++) {
        double x = x_of(p, r + 0.5) + (p->slant == UPRIGHT ? 4 : 0);
        double y = TOP + INNER + (p->slant == LEVEL ? 18 : 10);
        str_format(p->out, "<g transform=\"translate(%.1f %.1f)%s\">", x, y, TURNS[p->slant]);
        add_text(p->out, 0, 0, p->slant == LEVEL ? "middle" : "end", group_name(p, r, text));
        str_add(p->out, "</g>\n");
    }
}

// ---- What is drawn ----

static void draw_point(const Plot *p, int series, double x, double y)
{
    str_format(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x_of(p, x),
               y_of(p, y), COLORS[series]);
}

// A line through all points that are there.
static void draw_series(const Plot *p, int series)
{
    const char *key = p->chart->series[series];
    bool is_published = column_of(p, key)->is_published, is_first = true;
    str_format(p->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"",
               COLORS[series], is_published ? " stroke-dasharray=\"6 4\"" : "");
    for (int r = 0; r < p->rows->count; r++) {
        double x = value_at(p, p->chart->x, r), y = value_at(p, key, r);
        if (!isfinite(x) || !isfinite(scaled(p, y)))
            continue;
        str_format(p->out, "%s%.1f %.1f", is_first ? "M" : " L", x_of(p, x), y_of(p, y));
        is_first = false;
    }
    str_add(p->out, is_first ? "M0 0\"/>\n" : "\"/>\n");
    for (int r = 0; r < p->rows->count; r++) {
        double x = value_at(p, p->chart->x, r), y = value_at(p, key, r);
        if (isfinite(x) && isfinite(scaled(p, y)))
            draw_point(p, series, x, y);
    }
}

// From the least to the greatest that it may be, with a cap at either end.
static void draw_error(const Plot *p, double x, double value, double error)
{
    double low = y_of(p, value - error), high = y_of(p, value + error);
    add_line(p->out, x, low, x, high, "error");
    add_line(p->out, x - 3, low, x + 3, low, "error");
    add_line(p->out, x - 3, high, x + 3, high, "error");
}

static void draw_bars(const Plot *p, int series, int series_count)
{
    const char *key = p->chart->series[series];
    double group = x_of(p, 1) - x_of(p, 0), width = group * 0.8 / series_count;
    double zero = TOP + INNER;
    if (!p->chart->is_logarithmic)
        zero = y_of(p, 0);
    for (int r = 0; r < p->rows->count; r++) {
        double value = value_at(p, key, r);
        if (!isfinite(scaled(p, value)))
            continue;
        double y = y_of(p, value), x = x_of(p, r) + group * 0.1 + width * series;
        str_format(p->out,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"%s/>\n",
                   x, fmin(y, zero), width, fabs(zero - y), COLORS[series],
                   column_of(p, key)->is_published ? " fill-opacity=\"0.45\"" : "");
        if (error_at(p, series, r) > 0)
            draw_error(p, x + width / 2, value, error_at(p, series, r));
    }
}

static void draw_legend(const Plot *p, int series)
{
    const LabColumn *column = column_of(p, p->chart->series[series]);
    double x = WIDTH - RIGHT + 14, y = TOP + 10 + 20 * series;
    str_format(p->out,
               "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
               "stroke-width=\"4\"%s/>\n",
               x, y, x + 22, y, COLORS[series],
               column->is_published ? " stroke-dasharray=\"6 4\"" : "");
    add_text(p->out, x + 28, y + 4, "start", column->title);
}

static void draw_head(const Plot *p)
{
    str_format(p->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
               "height=\"%d\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>",
               WIDTH, p->height, WIDTH, p->height);
    add_escaped(p->out, p->chart->title);
    str_add(p->out, "</title>\n<style>.grid{stroke:#d8d8d8}.axis{stroke:#404040}"
                    ".error{stroke:#101010}</style>\n");
    str_format(p->out, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, p->height);
    str_add(p->out, "<g font-size=\"15\" font-weight=\"bold\">");
    add_text(p->out, (double)(LEFT + WIDTH - RIGHT) / 2, 20, "middle", p->chart->title);
    str_add(p->out, "</g>\n");
}

void lab_chart_svg(const LabChart *chart, const LabTable *table, const LabRows *rows, Str *out)
{
    Plot p = {.chart = chart, .table = table, .rows = rows, .out = out};
    int count = 0;
    while (count < LAB_SERIES_MAX && chart->series[count])
        count++;
    find_ranges(&p);
    find_height(&p);
    draw_head(&p);
    draw_y_axis(&p);
    if (chart->has_bars)
        draw_groups(&p);
    else
        draw_x_axis(&p);
    for (int s = 0; s < count; s++) {
        if (chart->has_bars)
            draw_bars(&p, s, count);
        else
            draw_series(&p, s);
        draw_legend(&p, s);
    }
    add_line(out, LEFT, TOP, LEFT, TOP + INNER, "axis");
    add_line(out, LEFT, TOP + INNER, WIDTH - RIGHT, TOP + INNER, "axis");
    if (!chart->has_bars)
        add_text(out, (double)(LEFT + WIDTH - RIGHT) / 2, p.height - 14, "middle",
                 column_of(&p, chart->x)->title);
    str_add(out, "</svg>\n");
}
