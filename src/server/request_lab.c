// Requests of the laboratory page: what there is, begin a run, look at one, stop it, let it go on.
// Choices are read and checked here by their kind; what they mean is the experiment's business
// (experiment.h), how runs go on that of runs.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "server/request_int.h"
#include "server/room_view.h"
#include "server/runs.h"

// ---- lab: the experiments as the page needs them ----

// Sets a field; takes the value over.
static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new_nocheck(object, name, value);
}

// The same for a text that may be missing: then the field is left out.
static void set_text(json_t *object, const char *name, const char *text)
{
    if (text)
        set(object, name, json_string(text));
}

// What a choice is when nothing is said.
static json_t *usual_value(const Choice *choice)
{
    switch (choice->kind) {
    case CHOICE_NUMBER: return json_integer(choice->usual);
    case CHOICE_SWITCH: return json_boolean(choice->usual);
    case CHOICE_WORD: return json_string(choice->words[choice->usual]);
    case CHOICE_VARIANT: return json_string(VARIANTS[choice->usual].name);
    case CHOICE_FEN: return json_string("");
    case CHOICE_PLAYER: break;
    }
    return json_pack("{s:s, s:i}", "kind", "lovac", "level", (int)choice->usual);
}

// A choice with all that its field on the page needs.
static json_t *view_choice(const Choice *choice)
{
    static const char *const KINDS[] = {"number", "switch", "word", "variant", "fen", "player"};
    json_t *o = json_object();
    set_text(o, "key", choice->key);
    set_text(o, "title", choice->title);
    set_text(o, "kind", KINDS[choice->kind]);
    set_text(o, "needs", choice->needs);
    set(o, "usual", usual_value(choice));
    if (choice->kind == CHOICE_NUMBER) {
        set(o, "low", json_integer(choice->low));
        set(o, "high", json_integer(choice->high));
    }
    if (choice->kind == CHOICE_WORD) {
        json_t *words = json_array();
        for (int i = 0; choice->words[i]; i++)
            json_array_append_new(words, json_string(choice->words[i]));
        set(o, "words", words);
    }
    if (choice->examples) {
        json_t *list = json_array();
        for (const Example *e = choice->examples; e->fen; e++)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "variant",
                                                  VARIANTS[e->variant].name, "key", e->key, "title",
                                                  e->title, "fen", e->fen));
        set(o, "examples", list);
    }
    return o;
}

// A table with its columns.
static json_t *view_table(const RunTable *table)
{
    static const char *const KINDS[] = {"count", "real", "time", "text"};
    json_t *columns = json_array();
    for (int i = 0; i < table_column_count(table); i++) {
        const Column *c = &table->columns[i];
        json_array_append_new(columns,
                              json_pack("{s:s, s:s, s:s, s:b}", "key", c->key, "title", c->title,
                                        "kind", KINDS[c->kind], "published", c->is_published));
    }
    return json_pack("{s:s, s:s, s:b, s:b, s:i, s:o}", "key", table->key, "title", table->title,
                     "hidden", table->is_hidden, "players", table->has_players, "texts",
                     table->has_texts ? RUN_TEXTS_MAX : 0, "columns", columns);
}

// A chart with the columns that it draws.
static json_t *view_chart(const RunChart *chart)
{
    json_t *series = json_array();
    for (int i = 0; i < CHART_SERIES_MAX && chart->series[i].column; i++) {
        json_t *line = json_object();
        set_text(line, "column", chart->series[i].column);
        set_text(line, "low", chart->series[i].low);
        set_text(line, "high", chart->series[i].high);
        json_array_append_new(series, line);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:o}", "key", chart->key, "title",
                     chart->title, "table", chart->table, "x", chart->x, "log",
                     chart->is_logarithmic, "bars", chart->has_bars, "series", series);
}

// EXPERIMENT of docs/protocol.md.
static json_t *view_experiment(const Experiment *e)
{
    json_t *choices = json_array(), *tables = json_array(), *charts = json_array();
    for (int i = 0; i < experiment_choice_count(e); i++)
        json_array_append_new(choices, view_choice(&e->choices[i]));
    for (int i = 0; i < experiment_table_count(e); i++)
        json_array_append_new(tables, view_table(&e->tables[i]));
    for (int i = 0; i < experiment_chart_count(e); i++)
        json_array_append_new(charts, view_chart(&e->charts[i]));
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "key", e->key, "title", e->title,
                          "text", e->text, "choices", choices, "tables", tables, "charts", charts);
    if (o)
        set_text(o, "sources", e->sources);
    return o;
}

bool request_lab(Request *r)
{
    bool watch = true;
    if (!request_maybe_bool(r, "watch", &watch))
        return false;
    r->client->is_in_lab = watch;
    if (!watch)
        return true;
    json_t *list = json_array();
    int count = r->hub->config.runner ? r->hub->config.experiment_count : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, view_experiment(&r->hub->config.experiments[i]));
    answer_json(r, "experiments", list);
    answer_json(r, "runs", runs_list(r->hub->runs, r->client->owner));
    return true;
}

// ---- run ----

// What has been read so far of a run's choices.
typedef struct Form {
    const Experiment *experiment;
    const Rules *rules; // the game chosen, for positions and players
    ChoiceValue values[CHOICES_MAX];
    json_t *choices; // as the page gets them back
} Form;

// A number within its bounds; what is missing stays as usual.
static bool read_number(Request *r, const char *key, const json_t *json, int64_t low, int64_t high,
                        int64_t *value)
{
    if (!json)
        return true;
    *value = json_integer_value(json);
    return (json_is_integer(json) && *value >= low && *value <= high) ||
           request_fail(r, "bad-request", "%s must be a whole number from %lld to %lld", key,
                        (long long)low, (long long)high);
}

// One of the words of a choice, as its index.
static bool read_word(Request *r, const Choice *choice, const char *word, int64_t *value)
{
    for (int i = 0; choice->words[i]; i++)
        if (!strcmp(choice->words[i], word)) {
            *value = i;
            return true;
        }
    return request_fail(r, "bad-request", "%s: '%.40s' is none of its words", choice->key, word);
}

// A position of the game chosen; "" is its usual start.
static bool read_fen(Request *r, const Rules *rules, const char *fen, Position *start)
{
    Error error;
    return position_from_fen(start, rules, *fen ? fen : rules->start_fen, &error) ||
           request_pass(r, "bad-fen", &error);
}

// A value that must be a text, or nothing; NULL then.
static bool text_value(Request *r, const char *key, const json_t *json, const char **text)
{
    *text = json_string_value(json);
    return !json || *text || request_fail(r, "bad-request", "%s must be a text", key);
}

// Reads one choice by its kind; without JSON it is the usual one.
static bool read_choice(Request *r, Form *form, int index, const json_t *json)
{
    const Choice *choice = &form->experiment->choices[index];
    ChoiceValue *value = &form->values[index];
    const char *text = NULL;
    value->number = choice->usual;
    switch (choice->kind) {
    case CHOICE_NUMBER:
        return read_number(r, choice->key, json, choice->low, choice->high, &value->number);
    case CHOICE_SWITCH:
        if (json && !json_is_boolean(json))
            return request_fail(r, "bad-request", "%s must be true or false", choice->key);
        value->number = json ? json_is_true(json) : choice->usual;
        return true;
    case CHOICE_WORD:
        return text_value(r, choice->key, json, &text) &&
               (!text || read_word(r, choice, text, &value->number));
    case CHOICE_VARIANT:
        if (!text_value(r, choice->key, json, &text))
            return false;
        form->rules = value->rules = text ? rules_find(text) : &VARIANTS[choice->usual];
        return value->rules || request_fail(r, "bad-request", "there is no variant '%.40s'", text);
    case CHOICE_FEN:
        return text_value(r, choice->key, json, &text) &&
               read_fen(r, form->rules, text ? text : "", &value->start);
    case CHOICE_PLAYER: break;
    }
    snprintf(value->player, sizeof value->player, "level=%d", (int)choice->usual);
    return !json || request_player(r, choice->key, json, form->rules, value->player);
}

// The choice as it was understood, for everybody to see.
static json_t *made_choice(const Choice *choice, const ChoiceValue *value, const json_t *json)
{
    switch (choice->kind) {
    case CHOICE_NUMBER: return json_integer(value->number);
    case CHOICE_SWITCH: return json_boolean(value->number);
    case CHOICE_WORD: return json_string(choice->words[value->number]);
    case CHOICE_VARIANT: return json_string(value->rules->name);
    case CHOICE_PLAYER: return player_view(value->player);
    case CHOICE_FEN: break;
    }
    char fen[FEN_SIZE] = "";
    const char *text = json_string_value(json);
    if (text && *text)
        position_to_fen(&value->start, FEN_XFEN, fen);
    return json_string(fen);
}

// Does the experiment have a choice of this key?
static bool is_choice(const Experiment *e, const char *key)
{
    for (int i = 0; i < experiment_choice_count(e); i++)
        if (!strcmp(e->choices[i].key, key))
            return true;
    return false;
}

// Reads all choices in their order, so that the game is known before positions and players.
static bool read_form(Request *r, json_t *given, Form *form)
{
    json_t *each;
    const char *key;
    if (given && !json_is_object(given))
        return request_fail(r, "bad-request", "choices must be an object");
    json_object_foreach(given, key,
                        each) if (!is_choice(form->experiment,
                                             key)) return request_fail(r, "bad-request",
                                                                       "there is no choice '%.40s'",
                                                                       key);
    form->rules = &VARIANTS[VARIANT_CHESS];
    for (int i = 0; i < experiment_choice_count(form->experiment); i++) {
        const Choice *choice = &form->experiment->choices[i];
        const json_t *json = json_object_get(given, choice->key);
        if (json_is_null(json))
            json = NULL;
        if (!read_choice(r, form, i, json))
            return false;
        set(form->choices, choice->key, made_choice(choice, &form->values[i], json));
    }
    return true;
}

bool request_run(Request *r)
{
    const char *key;
    if (!request_text(r, "experiment", &key))
        return false;
    Form *form = calloc(1, sizeof *form);
    if (!form)
        return request_fail(r, "internal", "out of memory");
    form->experiment = r->hub->config.runner ? experiment_find(r->hub->config.experiments,
                                                               r->hub->config.experiment_count, key)
                                             : NULL;
    form->choices = json_object();
    Error error = {0};
    int64_t id = 0;
    bool ok =
        form->experiment || request_fail(r, "bad-request", "there is no experiment '%.40s'", key);
    ok = ok && read_form(r, json_object_get(r->json, "choices"), form);
    if (ok && form->experiment->check && !form->experiment->check(form->values, &error))
        ok = request_pass(r, "bad-request", &error);
    if (ok && !hub_may_create(r->client))
        ok = request_refuse(r, "too-fast", "runs-fast", "too many runs: wait a little");
    if (ok) {
        id = runs_add(r->hub->runs, form->experiment, form->values, form->choices, r->client,
                      &error);
        ok = id || request_pass(r, "limit", &error);
    }
    if (ok)
        answer_int(r, "run", id);
    json_decref(form->choices);
    free(form);
    return ok;
}

// ---- look, halt, continue ----

// Refuses a run that is not, or no longer, there.
static bool no_run(Request *r, int64_t id)
{
    return request_fail(r, "bad-request", "there is no run %lld", (long long)id);
}

// The picture of the player of a row.
static bool look_at_player(Request *r, int64_t id, int row)
{
    char folder[RUNS_PATH_SIZE];
    json_t *choices;
    Error error;
    const Experiment *e = runs_experiment(r->hub->runs, id, &choices);
    if (!e || !e->draw || !runs_folder(r->hub->runs, id, folder))
        return request_fail(r, "bad-request", "there is no player %d", row);
    char *svg = e->draw(folder, row, &error);
    if (!svg)
        return request_fail(r, "bad-request", "there is no player %d", row);
    answer_text(r, "svg", svg);
    free(svg);
    return true;
}

bool request_look(Request *r)
{
    int64_t id = 0, text = -1, player = -1;
    if (!request_int(r, "run", 1, INT64_MAX, &id) ||
        !request_maybe_int(r, "game", 0, RUN_TEXTS_MAX - 1, &text) ||
        !request_maybe_int(r, "player", 0, RUN_ROWS_MAX - 1, &player))
        return false;
    if (player >= 0)
        return look_at_player(r, id, (int)player);
    json_t *run = runs_show(r->hub->runs, id, r->client->owner);
    if (!run)
        return no_run(r, id);
    if (text < 0) {
        answer_json(r, "run", run);
        return true;
    }
    json_decref(run);
    char *pgn = store_get_run_text(r->hub->store, id, (int)text);
    if (!pgn)
        return request_fail(r, "bad-request", "there is no game %lld", (long long)text);
    answer_text(r, "pgn", pgn);
    free(pgn);
    return true;
}

// The field `run`: one that this browser may stop and let go on.
static bool own_run(Request *r, int64_t *id)
{
    json_t *choices;
    if (!request_int(r, "run", 1, INT64_MAX, id))
        return false;
    if (!runs_experiment(r->hub->runs, *id, &choices))
        return no_run(r, *id);
    return runs_may_halt(r->hub->runs, *id, r->client->owner) ||
           request_refuse(r, "no-right", "run-foreign", "somebody else began this run");
}

bool request_halt(Request *r)
{
    int64_t id = 0;
    if (!own_run(r, &id))
        return false;
    runs_halt(r->hub->runs, id);
    return true;
}

// The choices are read again as they were understood the first time: players or games that are no
// longer there are refused.
bool request_continue(Request *r)
{
    int64_t id = 0;
    json_t *choices;
    Error error = {0};
    if (!own_run(r, &id))
        return false;
    Form *form = calloc(1, sizeof *form);
    if (!form)
        return request_fail(r, "internal", "out of memory");
    form->experiment = runs_experiment(r->hub->runs, id, &choices);
    form->choices = json_object();
    bool ok = read_form(r, choices, form);
    if (ok && !hub_may_create(r->client))
        ok = request_refuse(r, "too-fast", "runs-fast", "too many runs: wait a little");
    ok = ok && (runs_continue(r->hub->runs, id, form->values, r->client, &error) ||
                request_pass(r, "limit", &error));
    json_decref(form->choices);
    free(form);
    return ok;
}

// ---- walk ----

bool request_walk(Request *r)
{
    Position pos;
    char start[START_SIZE];
    const char *method;
    int64_t depth = 0;
    Error error;
    if (!request_text(r, "method", &method) || !request_int(r, "depth", 1, 6, &depth) ||
        !request_position(r, &pos, start))
        return false;
    json_t *tree = r->hub->config.walk ? r->hub->config.walk(&pos, method, (int)depth, &error)
                                       : (error_set(&error, "there is no class here"), NULL);
    if (!tree)
        return request_pass(r, "bad-request", &error);
    answer_json(r, "tree", tree);
    return true;
}
