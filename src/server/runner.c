// See runner.h. The mutex guards the order to begin and the list of news; the stop flag is atomic.
#include "server/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/thread.h"
#include "base/utf8.h"

enum {
    RUNNER_NICE = 12, // below the thinker's workers
    PROGRESS_MS = 150,
};

struct Run {
    Runner *runner;
    int64_t number;
    const Experiment *experiment;
    ChoiceValue values[CHOICES_MAX];
    char *folder; // or NULL
    json_t *kept; // its tables when it was interrupted, or NULL
    atomic_bool stop;
    _Atomic int64_t told_ms; // when progress was last passed on
};

struct Runner {
    void (*wake)(void *context);
    void *context;
    Thread thread;
    bool has_thread;
    Run run;
    Mutex mutex;
    Signal signal;
    // under the mutex
    bool is_busy, is_closing;
    News *news, **news_end;
};

// ---- News ----

void news_free(News *news)
{
    free(news->text);
    free(news);
}

static News *news_new(const Run *run, NewsKind kind)
{
    News *news = calloc(1, sizeof *news);
    if (news) {
        news->kind = kind;
        news->run = run->number;
    }
    return news;
}

// Hands news to the event loop; `news` may be NULL when there was no memory.
static void post(Run *run, News *news)
{
    Runner *r = run->runner;
    if (!news)
        return;
    mutex_lock(&r->mutex);
    bool is_first = !r->news;
    *r->news_end = news;
    r->news_end = &news->next;
    if (news->kind >= NEWS_DONE)
        r->is_busy = false;
    bool is_closing = r->is_closing;
    mutex_unlock(&r->mutex);
    if (is_first && !is_closing)
        r->wake(r->context);
}

News *runner_take(Runner *r)
{
    mutex_lock(&r->mutex);
    News *news = r->news;
    if (news) {
        r->news = news->next;
        if (!r->news)
            r->news_end = &r->news;
    }
    mutex_unlock(&r->mutex);
    return news;
}

bool runner_has_news(Runner *r)
{
    mutex_lock(&r->mutex);
    bool has = r->news;
    mutex_unlock(&r->mutex);
    return has;
}

bool runner_is_busy(Runner *r)
{
    mutex_lock(&r->mutex);
    bool is_busy = r->is_busy;
    mutex_unlock(&r->mutex);
    return is_busy;
}

// ---- For experiments ----

Cell cell_none(void)
{
    return (Cell){.kind = CELL_NONE};
}

Cell cell_count(uint64_t value)
{
    return (Cell){.kind = CELL_COUNT, .count = value > INT64_MAX ? INT64_MAX : (int64_t)value};
}

Cell cell_real(double value)
{
    return (Cell){.kind = CELL_REAL, .real = value};
}

Cell cell_text(const char *text)
{
    Cell cell = {.kind = CELL_TEXT};
    memcpy(cell.text, text, utf8_fit(text, sizeof cell.text));
    return cell;
}

void run_row(Run *run, int table, int row, const Cell *cells, int count)
{
    if (row >= RUN_ROWS_MAX)
        return;
    News *news = news_new(run, NEWS_ROW);
    if (news) {
        news->table = table;
        news->row = row;
        news->cell_count = count;
        memcpy(news->cells, cells, (size_t)count * sizeof *cells);
    }
    post(run, news);
}

void run_text(Run *run, int row, const char *text)
{
    if (row >= RUN_TEXTS_MAX)
        return;
    News *news = news_new(run, NEWS_TEXT);
    if (news) {
        news->row = row;
        news->text = strdup(text);
    }
    post(run, news);
}

void run_note(Run *run, const char *text)
{
    News *news = news_new(run, NEWS_NOTE);
    if (news)
        news->text = strdup(text);
    post(run, news);
}

void run_progress(Run *run, double share, int64_t left_ms)
{
    int64_t now = clock_ms();
    if (now - atomic_load(&run->told_ms) < PROGRESS_MS)
        return;
    atomic_store(&run->told_ms, now);
    News *news = news_new(run, NEWS_PROGRESS);
    if (news) {
        news->share = share < 0 ? 0 : share > 1 ? 1 : share;
        news->left_ms = left_ms;
    }
    post(run, news);
}

static Cell cell_from_json(const json_t *json)
{
    return json_is_integer(json)  ? (Cell){.kind = CELL_COUNT, .count = json_integer_value(json)}
           : json_is_real(json)   ? cell_real(json_real_value(json))
           : json_is_string(json) ? cell_text(json_string_value(json))
                                  : cell_none();
}

int run_kept(const Run *run, int table, int row, Cell cells[COLUMNS_MAX])
{
    const RunTable *t = &run->experiment->tables[table];
    const json_t *list = json_array_get(json_object_get(run->kept, t->key), (size_t)row);
    const int count = table_column_count(t);
    if ((int)json_array_size(list) != count)
        return 0;
    for (int i = 0; i < count; i++) {
        cells[i] = cell_from_json(json_array_get(list, (size_t)i));
        // A real number without a fraction may have been written like a whole one.
        if (cells[i].kind == CELL_COUNT && t->columns[i].kind != COLUMN_COUNT)
            cells[i] = cell_real((double)cells[i].count);
    }
    return count;
}

const char *run_folder(const Run *run)
{
    return run->folder;
}

bool run_is_stopped(const Run *run)
{
    return stop_is_set(&run->stop);
}

const atomic_bool *run_stop(const Run *run)
{
    return &run->stop;
}

// ---- The thread ----

static void work(Run *run)
{
    Error error = {0};
    bool ok = run->experiment->work(run->experiment->context, run->values, run, &error);
    News *news = news_new(run, !ok ? NEWS_FAILED : run_is_stopped(run) ? NEWS_STOPPED : NEWS_DONE);
    if (news) {
        news->error = error;
        post(run, news);
        return;
    }
    // Without memory for the news the run must still be over: the loop sees that nothing runs.
    mutex_lock(&run->runner->mutex);
    run->runner->is_busy = false;
    mutex_unlock(&run->runner->mutex);
}

static void run_thread(void *context)
{
    Runner *r = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), RUNNER_NICE);
    for (;;) {
        mutex_lock(&r->mutex);
        while (!r->is_busy && !r->is_closing)
            signal_wait(&r->signal, &r->mutex);
        bool is_closing = r->is_closing;
        mutex_unlock(&r->mutex);
        if (is_closing)
            return;
        work(&r->run);
    }
}

Runner *runner_new(void (*wake)(void *context), void *context, Error *error)
{
    Runner *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(error, "out of memory"), NULL;
    r->wake = wake;
    r->context = context;
    r->news_end = &r->news;
    mutex_init(&r->mutex);
    signal_init(&r->signal);
    r->has_thread = thread_start(&r->thread, run_thread, r, error);
    if (r->has_thread)
        return r;
    runner_free(r);
    return NULL;
}

void runner_stop(Runner *r)
{
    if (!r->has_thread)
        return;
    mutex_lock(&r->mutex);
    r->is_closing = true;
    atomic_store(&r->run.stop, true);
    signal_all(&r->signal);
    mutex_unlock(&r->mutex);
    thread_join(&r->thread);
    r->has_thread = false;
}

void runner_free(Runner *r)
{
    runner_stop(r);
    for (News *news; (news = runner_take(r));)
        news_free(news);
    signal_release(&r->signal);
    mutex_release(&r->mutex);
    free(r->run.folder);
    json_decref(r->run.kept);
    free(r);
}

bool runner_begin(Runner *r, int64_t number, const Experiment *experiment,
                  const ChoiceValue *values, const char *folder, const json_t *kept)
{
    mutex_lock(&r->mutex);
    bool ok = !r->is_busy && !r->is_closing;
    if (ok) {
        r->run.runner = r;
        r->run.number = number;
        r->run.experiment = experiment;
        memcpy(r->run.values, values, sizeof r->run.values);
        free(r->run.folder);
        json_decref(r->run.kept);
        r->run.folder = folder ? strdup(folder) : NULL;
        r->run.kept = kept ? json_deep_copy(kept) : NULL;
        atomic_store(&r->run.stop, false);
        atomic_store(&r->run.told_ms, 0);
        r->is_busy = true;
        signal_all(&r->signal);
    }
    mutex_unlock(&r->mutex);
    return ok;
}

void runner_halt(Runner *r)
{
    atomic_store(&r->run.stop, true);
}
