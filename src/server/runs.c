// See runs.h. News of the runner are taken a few times a second, however many there are: what
// changed in a table since is told as "from this row on".
#include "server/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "server/view.h"

enum {
    TELL_MS = 200,              // at most so often are watchers told
    KEEP_MS = 1000,             // at most so often is a running run written
    LOCAL_MAX_MS = 4 * 3600000, // the longest run where one person serves himself
    PUBLIC_MAX_MS = 600000,     // and where strangers share the machine
};

typedef enum RunState {
    RUN_WAITING,
    RUN_RUNNING,
    RUN_DONE,
    RUN_STOPPED,
    RUN_FAILED,
    RUN_INTERRUPTED, // by the end of the server
    RUN_STATE_COUNT
} RunState;

static const char *const STATES[RUN_STATE_COUNT] = {"waiting", "running", "done",
                                                    "stopped", "failed",  "interrupted"};

typedef struct Record {
    int64_t id, created_s, elapsed_ms, began_ms, left_ms; // elapsed: before it began the last time
    char owner[SECRET_SIZE];
    char address[ADDRESS_SIZE]; // from where it was asked for; "" after a restart
    const Experiment *experiment;
    RunState state;
    double share;
    json_t *choices, *tables;
    char *note;                     // what it shows, in words; or NULL
    char problem[ERROR_TEXT_SIZE];  // of a failed run, or why it was stopped
    ChoiceValue *values;            // until it begins
    bool goes_on;                   // it was interrupted before
    json_t *before;                 // what it had then, until it has as much again; or NULL
    int changed_from[TABLES_MAX];   // first row that watchers do not know; -1: none
    bool is_changed;                // something else than rows
    struct Record *next, *previous; // the newest first
} Record;

struct Runs {
    Hub *hub;
    Record *newest, *oldest;
    Record *running;
    int64_t next_id, told_ms, kept_ms;
    int over; // runs that are
};

// ---- Records ----

// Gives a record back, which is in no list any more.
static void record_free(Record *r)
{
    json_decref(r->choices);
    json_decref(r->tables);
    json_decref(r->before);
    free(r->note);
    free(r->values);
    free(r);
}

// Puts a record in front: it is the newest.
static void link_record(Runs *runs, Record *r)
{
    r->next = runs->newest;
    if (runs->newest)
        runs->newest->previous = r;
    else
        runs->oldest = r;
    runs->newest = r;
}

// Takes a record out of the list.
static void unlink_record(Runs *runs, Record *r)
{
    *(r->next ? &r->next->previous : &runs->oldest) = r->previous;
    *(r->previous ? &r->previous->next : &runs->newest) = r->next;
}

// The run of this id, or NULL; there are few.
static Record *find(const Runs *runs, int64_t id)
{
    Record *r = runs->newest;
    while (r && r->id != id)
        r = r->next;
    return r;
}

// Done, stopped, failed or interrupted.
static bool is_over(const Record *r)
{
    return r->state > RUN_RUNNING;
}

// How long a run has taken, or has been going on.
static int64_t elapsed_ms(const Record *r)
{
    return r->elapsed_ms + (r->state == RUN_RUNNING ? clock_ms() - r->began_ms : 0);
}

// ---- Keeping ----

// Rows of all tables.
static size_t count_rows(const json_t *tables)
{
    size_t rows = 0;
    const char *key;
    json_t *table, *all = json_incref((json_t *)(uintptr_t)tables);
    json_object_foreach(all, key, table) rows += json_array_size(table);
    json_decref(all);
    return rows;
}

// Does a run that goes on still write down again what it had before? That must not be lost if it
// is interrupted once more.
static bool is_regaining(const Record *r)
{
    return r->before && count_rows(r->tables) < count_rows(r->before);
}

// Writes a run into the store; without memory the old record stays.
static void keep(Runs *runs, const Record *r)
{
    json_t *tables = is_regaining(r) ? r->before : r->tables;
    json_t *json =
        json_pack("{s:s, s:O, s:O, s:s, s:I, s:I, s:f, s:s, s:s}", "experiment", r->experiment->key,
                  "choices", r->choices, "tables", tables, "state", STATES[r->state], "created",
                  (json_int_t)r->created_s, "elapsed_ms", (json_int_t)elapsed_ms(r), "share",
                  r->share, "problem", r->problem, "note", r->note ? r->note : "");
    char *text = json ? view_text(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (text)
        store_put_run(runs->hub->store, r->id, r->owner, text);
    free(text);
}

// A stored run into a record; NULL when it cannot be read or its experiment is no more.
static Record *read_record(const Runs *runs, int64_t id, const char *owner, const char *text)
{
    const HubConfig *config = &runs->hub->config;
    json_t *json = json_loads(text, 0, NULL);
    const char *key = json_string_value(json_object_get(json, "experiment"));
    const char *state = json_string_value(json_object_get(json, "state"));
    const char *problem = json_string_value(json_object_get(json, "problem"));
    json_t *choices = json_object_get(json, "choices"), *tables = json_object_get(json, "tables");
    const Experiment *experiment =
        key ? experiment_find(config->experiments, config->experiment_count, key) : NULL;
    Record *r = experiment && state && problem && json_is_object(choices) && json_is_object(tables)
                    ? calloc(1, sizeof *r)
                    : NULL;
    if (r) {
        *r = (Record){.id = id,
                      .created_s = json_integer_value(json_object_get(json, "created")),
                      .elapsed_ms = json_integer_value(json_object_get(json, "elapsed_ms")),
                      .left_ms = -1,
                      .experiment = experiment,
                      .state = RUN_INTERRUPTED,
                      .share = json_number_value(json_object_get(json, "share")),
                      .choices = json_incref(choices),
                      .tables = json_incref(tables)};
        for (int s = RUN_DONE; s < RUN_STATE_COUNT; s++)
            if (!strcmp(STATES[s], state))
                r->state = (RunState)s;
        snprintf(r->owner, sizeof r->owner, "%s", owner);
        snprintf(r->problem, sizeof r->problem, "%s", problem);
        const char *note = json_string_value(json_object_get(json, "note"));
        r->note = note ? strdup(note) : NULL;
    }
    json_decref(json);
    return r;
}

// One stored run; ids are never given twice, not even those that cannot be read.
static void load(void *context, int64_t id, const char *owner, const char *text)
{
    Runs *runs = context;
    Record *r = read_record(runs, id, owner, text);
    if (id >= runs->next_id)
        runs->next_id = id + 1;
    if (!r)
        return;
    link_record(runs, r);
    runs->over++;
}

bool runs_folder(const Runs *runs, int64_t id, char path[RUNS_PATH_SIZE])
{
    const char *root = runs->hub->config.lab_folder;
    return root && find(runs, id) &&
           snprintf(path, RUNS_PATH_SIZE, "%s/%lld", root, (long long)id) < RUNS_PATH_SIZE;
}

// What a run left on disk.
static void delete_files(const Runs *runs, int64_t id)
{
    char path[RUNS_PATH_SIZE];
    if (runs_folder(runs, id, path))
        file_delete_folder(path);
}

// Only so many finished runs are kept; the oldest go.
static void forget_old(Runs *runs)
{
    for (Record *r = runs->oldest, *newer; r && runs->over > RUNS_KEPT; r = newer) {
        newer = r->previous;
        if (!is_over(r))
            continue;
        store_delete_run(runs->hub->store, r->id);
        delete_files(runs, r->id);
        unlink_record(runs, r);
        record_free(r);
        runs->over--;
    }
}

Runs *runs_new(Hub *hub)
{
    Runs *runs = calloc(1, sizeof *runs);
    if (!runs)
        return NULL;
    runs->hub = hub;
    runs->next_id = 1;
    if (hub->config.runner)
        store_each_run(hub->store, load, runs);
    return runs;
}

void runs_free(Runs *runs)
{
    for (Record *r = runs->newest, *next; r; r = next) {
        next = r->next;
        if (!is_over(r))
            keep(runs, r);
        record_free(r);
    }
    free(runs);
}

// ---- Showing ----

// RUN of docs/protocol.md, but for whose it is.
static json_t *view(const Record *r)
{
    json_t *json = json_pack(
        "{s:I, s:s, s:O, s:s, s:I, s:I, s:f, s:s, s:s}", "run", (json_int_t)r->id, "experiment",
        r->experiment->key, "choices", r->choices, "state", STATES[r->state], "created",
        (json_int_t)r->created_s, "elapsed_ms", (json_int_t)elapsed_ms(r), "share", r->share,
        "problem", r->problem, "note", r->note ? r->note : "");
    if (json && r->state == RUN_RUNNING && r->left_ms >= 0)
        json_object_set_new(json, "left_ms", json_integer(r->left_ms));
    return json ? json : json_object();
}

// The same with `mine`.
static json_t *view_for(const Runs *runs, const Record *r, const char *owner)
{
    json_t *json = view(r);
    json_object_set_new(json, "mine", json_boolean(runs_may_halt(runs, r->id, owner)));
    return json;
}

json_t *runs_list(const Runs *runs, const char *owner)
{
    json_t *list = json_array();
    for (const Record *r = runs->newest; r; r = r->next)
        json_array_append_new(list, view_for(runs, r, owner));
    return list;
}

json_t *runs_show(const Runs *runs, int64_t id, const char *owner)
{
    const Record *r = find(runs, id);
    if (!r)
        return NULL;
    json_t *json = view_for(runs, r, owner);
    json_object_set(json, "tables", r->tables);
    return json;
}

// Rows of the changed tables, from the first changed one on.
static json_t *changed_rows(const Record *r)
{
    json_t *rows = json_object();
    for (int t = 0; t < experiment_table_count(r->experiment); t++) {
        const char *key = r->experiment->tables[t].key;
        const json_t *table = json_object_get(r->tables, key);
        if (r->changed_from[t] < 0)
            continue;
        json_t *part = json_array();
        for (size_t i = (size_t)r->changed_from[t]; i < json_array_size(table); i++)
            json_array_append(part, json_array_get(table, i));
        json_object_set_new(rows, key,
                            json_pack("{s:i, s:o}", "from", r->changed_from[t], "rows", part));
    }
    return rows;
}

// Tells everybody in the laboratory what changed in a run.
static void tell(Runs *runs, Record *r)
{
    json_t *json = view(r);
    json_object_set_new(json, "event", json_string("run"));
    json_object_set_new(json, "rows", changed_rows(r));
    for (Client *c = runs->hub->clients; c; c = c->next)
        if (c->is_in_lab) {
            json_object_set_new(json, "mine", json_boolean(runs_may_halt(runs, r->id, c->owner)));
            hub_send(c, json_incref(json));
        }
    json_decref(json);
    for (int t = 0; t < TABLES_MAX; t++)
        r->changed_from[t] = -1;
    r->is_changed = false;
}

// ---- Going on ----

// A run is over: it is kept and told, and makes room for the next.
static void end_run(Runs *runs, Record *r, RunState state)
{
    r->elapsed_ms = elapsed_ms(r);
    r->state = state;
    r->is_changed = true;
    if (state != RUN_DONE && is_regaining(r)) {
        json_decref(r->tables);
        r->tables = json_incref(r->before);
        for (int t = 0; t < experiment_table_count(r->experiment); t++)
            r->changed_from[t] = 0;
    }
    json_decref(r->before);
    r->before = NULL;
    free(r->values);
    r->values = NULL;
    if (runs->running == r)
        runs->running = NULL;
    runs->over++;
    keep(runs, r);
    tell(runs, r);
    forget_old(runs);
}

// A cell of a row; null for nothing, and for what is no number.
static json_t *cell_json(const Cell *cell)
{
    json_t *json = NULL;
    switch (cell->kind) {
    case CELL_NONE: break;
    case CELL_COUNT: json = json_integer(cell->count); break;
    case CELL_REAL: json = isfinite(cell->real) ? json_real(cell->real) : NULL; break;
    case CELL_TEXT: json = json_string(cell->text); break;
    }
    return json ? json : json_null();
}

// A row that is new, or takes the place of an old one.
static void take_row(Record *r, const News *news)
{
    json_t *table = json_object_get(r->tables, r->experiment->tables[news->table].key);
    json_t *row = json_array();
    for (int i = 0; i < news->cell_count; i++)
        json_array_append_new(row, cell_json(&news->cells[i]));
    if ((size_t)news->row < json_array_size(table))
        json_array_set_new(table, (size_t)news->row, row);
    else if ((size_t)news->row == json_array_size(table))
        json_array_append_new(table, row);
    else
        json_decref(row); // one before it was lost for want of memory
    int *from = &r->changed_from[news->table];
    if (*from < 0 || news->row < *from)
        *from = news->row;
}

// One piece of news of the runner. What is late, of a run that ended, is passed over.
static void take(Runs *runs, const News *news)
{
    Record *r = runs->running;
    if (!r || r->id != news->run)
        return;
    switch (news->kind) {
    case NEWS_ROW: take_row(r, news); break;
    case NEWS_TEXT: store_put_run_text(runs->hub->store, r->id, news->row, news->text); break;
    case NEWS_NOTE:
        free(r->note);
        r->note = strdup(news->text);
        break;
    case NEWS_PROGRESS:
        r->share = news->share;
        r->left_ms = news->left_ms;
        break;
    case NEWS_DONE:
        r->share = 1;
        end_run(runs, r, RUN_DONE);
        return;
    case NEWS_STOPPED: end_run(runs, r, RUN_STOPPED); return;
    case NEWS_FAILED:
        snprintf(r->problem, sizeof r->problem, "%s", news->error.text);
        end_run(runs, r, RUN_FAILED);
        return;
    }
    r->is_changed = true;
}

// Tables begin empty again; the experiment writes anew what is to stay.
static void clear_tables(Record *r)
{
    json_decref(r->before);
    r->before = r->goes_on ? r->tables : NULL;
    if (r->goes_on)
        r->tables = json_object();
    for (int t = 0; t < experiment_table_count(r->experiment); t++) {
        json_object_set_new(r->tables, r->experiment->tables[t].key, json_array());
        r->changed_from[t] = 0;
    }
}

// Begins the run that has waited longest. What it had so far stays in the store until there is
// more.
static void begin_next(Runs *runs)
{
    char folder[RUNS_PATH_SIZE];
    Record *r = runs->oldest;
    while (r && r->state != RUN_WAITING)
        r = r->previous;
    if (!r || !runner_begin(runs->hub->config.runner, r->id, r->experiment, r->values,
                            runs_folder(runs, r->id, folder) ? folder : NULL,
                            r->goes_on ? r->tables : NULL))
        return;
    runs->running = r;
    r->state = RUN_RUNNING;
    r->began_ms = clock_ms();
    free(r->values);
    r->values = NULL;
    keep(runs, r);
    clear_tables(r);
    tell(runs, r);
}

// The news of its end may have been lost for want of memory.
static void end_lost(Runs *runs)
{
    Runner *runner = runs->hub->config.runner;
    if (!runs->running || runner_is_busy(runner) || runner_has_news(runner))
        return;
    snprintf(runs->running->problem, sizeof runs->running->problem, "out of memory");
    end_run(runs, runs->running, RUN_FAILED);
}

// A run may not keep the machine for ever.
static void watch_time(Runs *runs, int64_t now)
{
    Record *r = runs->running;
    int64_t most = runs->hub->config.is_local ? LOCAL_MAX_MS : PUBLIC_MAX_MS;
    if (!r || now - r->began_ms < most || *r->problem)
        return;
    snprintf(r->problem, sizeof r->problem, "longer than %lld minutes", (long long)most / 60000);
    runner_halt(runs->hub->config.runner);
}

void runs_turn(Runs *runs, int64_t now)
{
    if (!runs->hub->config.runner)
        return;
    if (now - runs->told_ms >= TELL_MS && runner_has_news(runs->hub->config.runner)) {
        runs->told_ms = now;
        for (News *news; (news = runner_take(runs->hub->config.runner)); news_free(news))
            take(runs, news);
        Record *r = runs->running;
        if (r && now - runs->kept_ms >= KEEP_MS) {
            runs->kept_ms = now;
            keep(runs, r);
        }
        if (r && r->is_changed)
            tell(runs, r);
    }
    end_lost(runs);
    watch_time(runs, now);
    if (!runs->running)
        begin_next(runs);
}

int64_t runs_due_ms(const Runs *runs)
{
    Runner *runner = runs->hub->config.runner;
    return runner && runner_has_news(runner) ? runs->told_ms + TELL_MS : 0;
}

// ---- Asked for by browsers ----

// Nobody fills the queue alone, and it is not endless.
static bool may_add(const Runs *runs, const Client *client, Error *error)
{
    int waiting = 0, own = 0, near = 0;
    for (const Record *r = runs->newest; r; r = r->next) {
        waiting += r->state == RUN_WAITING;
        own += !is_over(r) && !strcmp(r->owner, client->owner);
        near += !is_over(r) && !strcmp(r->address, client->address);
    }
    if (own >= RUNS_OF_OWNER_MAX || near >= VISITOR_RUNS_MAX * runs->hub->visitors.scale)
        return error_code(error, "runs-yours",
                          "you have {runs:%d} runs under way: wait or stop one",
                          own > near ? own : near);
    return waiting < RUNS_WAITING_MAX ||
           error_code(error, "runs-waiting", "{runs:%d} runs are waiting already: try again later",
                      waiting);
}

int64_t runs_add(Runs *runs, const Experiment *experiment, const ChoiceValue *values,
                 json_t *choices, const Client *client, Error *error)
{
    if (!may_add(runs, client, error))
        return 0;
    Record *r = calloc(1, sizeof *r);
    ChoiceValue *copy = malloc(CHOICES_MAX * sizeof *copy);
    if (!r || !copy) {
        free(r);
        free(copy);
        return error_set(error, "out of memory");
    }
    memcpy(copy, values, CHOICES_MAX * sizeof *copy);
    *r = (Record){.id = runs->next_id++,
                  .created_s = (int64_t)time(NULL),
                  .left_ms = -1,
                  .experiment = experiment,
                  .choices = json_incref(choices),
                  .tables = json_object(),
                  .values = copy};
    memcpy(r->owner, client->owner, sizeof r->owner);
    memcpy(r->address, client->address, sizeof r->address);
    for (int t = 0; t < experiment_table_count(experiment); t++)
        json_object_set_new(r->tables, experiment->tables[t].key, json_array());
    for (int t = 0; t < TABLES_MAX; t++)
        r->changed_from[t] = -1;
    link_record(runs, r);
    keep(runs, r);
    tell(runs, r);
    return r->id;
}

const Experiment *runs_experiment(const Runs *runs, int64_t id, json_t **choices)
{
    const Record *r = find(runs, id);
    *choices = r ? r->choices : NULL;
    return r ? r->experiment : NULL;
}

bool runs_continue(Runs *runs, int64_t id, const ChoiceValue *values, const Client *client,
                   Error *error)
{
    Record *r = find(runs, id);
    if (!r || !is_over(r) || r->state == RUN_DONE)
        return error_code(error, "run-not-continued", "there is nothing left to do in this run");
    if (!may_add(runs, client, error))
        return false;
    r->values = malloc(CHOICES_MAX * sizeof *r->values);
    if (!r->values)
        return error_set(error, "out of memory");
    memcpy(r->values, values, CHOICES_MAX * sizeof *r->values);
    r->state = RUN_WAITING;
    r->goes_on = true;
    r->problem[0] = 0;
    r->left_ms = -1;
    runs->over--;
    keep(runs, r);
    tell(runs, r);
    return true;
}

bool runs_may_halt(const Runs *runs, int64_t id, const char *owner)
{
    const Record *r = find(runs, id);
    return r && (runs->hub->config.is_local || !strcmp(r->owner, owner));
}

bool runs_halt(Runs *runs, int64_t id)
{
    Record *r = find(runs, id);
    if (!r)
        return false;
    if (r->state == RUN_RUNNING)
        runner_halt(runs->hub->config.runner);
    else if (r->state == RUN_WAITING)
        end_run(runs, r, RUN_STOPPED);
    return true;
}
