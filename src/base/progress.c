// See progress.h.
#include "base/progress.h"

#include "base/clock.h"
#include "base/str.h"

#include <string.h>
#include <unistd.h>

#ifndef _WIN32
#include <sys/ioctl.h>
#endif

enum { REDRAW_MS = 100, LINE_MS = 10000, BAR_WIDTH = 24, MAX_COLUMNS = 120 };

void progress_init(Progress *progress, FILE *out, const char *label, const char *unit,
                   uint64_t total, ProgressMode mode)
{
    bool is_terminal = out && isatty(fileno(out));
    bool shown = out && (mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && is_terminal));
    memset(progress, 0, sizeof *progress);
    progress->out = shown ? out : NULL;
    progress->total = total;
    progress->is_terminal = is_terminal;
    progress->start_ms = clock_ms();
    progress->delay_ms = PROGRESS_DELAY_MS;
    atomic_init(&progress->next_ms, progress->start_ms + progress->delay_ms);
    snprintf(progress->label, sizeof progress->label, "%s", label);
    snprintf(progress->unit, sizeof progress->unit, "%s", unit);
}

// 1234567 as 1.23 M: three figures are all that anyone reads.
static void add_amount(Str *str, double amount)
{
    static const char *const PREFIX[] = {"", " k", " M", " G", " T", " P"};
    int i = 0;
    while (amount >= 999.5 && i < 5) {
        amount /= 1000;
        i++;
    }
    int digits = i == 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
    str_format(str, "%.*f%s", digits, amount, PREFIX[i]);
}

static void add_time(Str *str, double seconds)
{
    long s = seconds < 1e7 ? (long)(seconds + 0.5) : 9999999;
    if (s < 3600)
        str_format(str, "%ld:%02ld", s / 60, s % 60);
    else
        str_format(str, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

void progress_line(const Progress *progress, uint64_t done, int64_t elapsed_ms, int columns,
                   char line[PROGRESS_LINE_SIZE])
{
    double seconds = elapsed_ms > 0 ? (double)elapsed_ms / 1000 : 0.001;
    double rate = (double)done / seconds;
    Str str;
    str_init(&str, line, PROGRESS_LINE_SIZE);
    str_format(&str, "%s ", progress->label);
    if (progress->total) {
        double share = done < progress->total ? (double)done / (double)progress->total : 1;
        int full = (int)(share * BAR_WIDTH);
        str_add(&str, "[");
        for (int i = 0; i < BAR_WIDTH; i++)
            str_add(&str, i < full ? "#" : ".");
        str_format(&str, "] %3d%%  ", (int)(share * 100));
    } else {
        add_amount(&str, (double)done);
        str_format(&str, " %s  ", progress->unit);
    }
    add_amount(&str, rate);
    str_format(&str, " %s/s  ", progress->unit);
    if (progress->total && done && done < progress->total) {
        add_time(&str, (double)(progress->total - done) / rate);
        str_add(&str, " left");
    } else {
        add_time(&str, seconds);
    }
    if (columns > 0 && columns < PROGRESS_LINE_SIZE)
        line[columns] = 0; // a line that wraps could not be wiped
}

static int terminal_columns(FILE *out)
{
#ifndef _WIN32
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col - 1 < MAX_COLUMNS ? size.ws_col - 1 : MAX_COLUMNS;
#else
    (void)out;
#endif
    return 79;
}

static void draw_if_due(Progress *progress, uint64_t done)
{
    int64_t now = clock_ms();
    int64_t due = atomic_load_explicit(&progress->next_ms, memory_order_relaxed);
    int64_t pause = progress->is_terminal ? REDRAW_MS : LINE_MS;
    // Only the thread that moves the due time on draws.
    if (now < due || !atomic_compare_exchange_strong(&progress->next_ms, &due, now + pause))
        return;
    char line[PROGRESS_LINE_SIZE];
    int columns = progress->is_terminal ? terminal_columns(progress->out) : MAX_COLUMNS;
    progress_line(progress, done, now - progress->start_ms, columns, line);
    fprintf(progress->out, progress->is_terminal ? "\r%s\033[K" : "%s\n", line);
    fflush(progress->out);
    atomic_store(&progress->is_shown, true);
}

void progress_add(Progress *progress, uint64_t units)
{
    uint64_t done = units + atomic_fetch_add_explicit(&progress->done, units, memory_order_relaxed);
    if (progress->out)
        draw_if_due(progress, done);
}

void progress_set(Progress *progress, uint64_t done)
{
    atomic_store_explicit(&progress->done, done, memory_order_relaxed);
    if (progress->out)
        draw_if_due(progress, done);
}

void progress_end(Progress *progress)
{
    if (progress->out && progress->is_terminal && atomic_load(&progress->is_shown)) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
    }
    progress->out = NULL;
}
