// Runs of experiments in the hub: choices checked, one run at a time, watched by others, stopped by
// those who may, kept over a restart. The experiments here are made for the test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hub_help.h"

#include "base/clock.h"
#include "server/runs.h"

// ---- Experiments ----

// As many rows as were asked for, and a text for the first.
static bool count_work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)error;
    for (int i = 0; i < (int)values[0].number; i++) {
        Cell cells[2] = {cell_count((uint64_t)i + 1), cell_text("row")};
        run_row(run, 0, i, cells, 2);
        run_progress(run, (i + 1.0) / (double)values[0].number, 0);
    }
    run_text(run, 0, "1. e4 *");
    return true;
}

// One row that counts until it is told to stop, and goes on behind what was kept.
static bool endless_work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)values, (void)error;
    Cell kept[COLUMNS_MAX];
    uint64_t from = run_kept(run, 0, 0, kept) ? (uint64_t)kept[0].count : 0;
    for (uint64_t i = from + 1; !run_is_stopped(run); i++) {
        Cell cell = cell_count(i);
        run_row(run, 0, 0, &cell, 1);
        clock_sleep_ms(2);
    }
    return true;
}

static bool failing_work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)values, (void)run;
    return error_set(error, "it cannot be done");
}

static bool check_even(const ChoiceValue *values, Error *error)
{
    return values[0].number % 2 == 0 || error_set(error, "count must be even");
}

static const char *const WORDS[] = {"red", "blue", NULL};
static const Experiment EXPERIMENTS[] = {
    {.key = "count",
     .title = "Count",
     .text = "Counts.",
     .choices = {{"count", "Count", CHOICE_NUMBER, 2, 100, 4, NULL, NULL, NULL},
                 {"loud", "Loud", CHOICE_SWITCH, 0, 0, 1, NULL, NULL, NULL},
                 {"color", "Colour", CHOICE_WORD, 0, 0, 1, WORDS, NULL, NULL},
                 {"variant", "Game", CHOICE_VARIANT, 0, 0, 0, NULL, NULL, NULL},
                 {"fen", "Position", CHOICE_FEN, 0, 0, 0, NULL, NULL, NULL},
                 {"player", "Player", CHOICE_PLAYER, 0, 0, 6, NULL, NULL, NULL}},
     .tables = {{.key = "rows",
                 .title = "Rows",
                 .columns = {{"n", "N", COLUMN_COUNT, false}, {"what", "What", COLUMN_TEXT, false}},
                 .has_texts = true}},
     .check = check_even,
     .work = count_work},
    {.key = "endless",
     .title = "Endless",
     .text = "Never ends.",
     .tables = {{.key = "rows", .title = "Rows", .columns = {{"n", "N", COLUMN_COUNT, false}}}},
     .work = endless_work},
    {.key = "failing", .title = "Failing", .text = "Fails.", .work = failing_work},
};

// ---- A hub with them ----

typedef struct Lab {
    HubBed bed;
    Runner *runner;
} Lab;

static HubConfig lab_config(const Lab *lab, bool is_local)
{
    return (HubConfig){.version = "test",
                       .is_local = is_local,
                       .experiments = EXPERIMENTS,
                       .experiment_count = 3,
                       .runner = lab->runner};
}

static void lab_open(Lab *lab, bool is_local)
{
    Error error;
    lab->runner = runner_new(bed_wake, NULL, &error);
    assert_non_null(lab->runner);
    HubConfig config = lab_config(lab, is_local);
    assert_true(bed_open_as(&lab->bed, &config));
}

static void lab_close(Lab *lab)
{
    runner_stop(lab->runner);
    bed_close(&lab->bed);
    runner_free(lab->runner);
}

// The server ends and starts again on the same data.
static void lab_restart(Lab *lab)
{
    Error error;
    runner_stop(lab->runner);
    bed_end(&lab->bed);
    runner_free(lab->runner);
    lab->runner = runner_new(bed_wake, NULL, &error);
    HubConfig config = lab_config(lab, true);
    assert_true(bed_start(&lab->bed, &config));
}

static Client *lab_client(Lab *lab)
{
    Client *client = hub_connect(&lab->bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\"}"));
    json_t *answer = bed_ask(client, "{\"id\":2,\"do\":\"lab\"}");
    assert_int_equal(json_array_size(json_object_get(answer, "experiments")), 3);
    json_decref(answer);
    return client;
}

static const char *text_of(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

// The code of the error that a request gets; "" when it gets none.
static void refused(Client *client, const char *request, const char *code)
{
    json_t *answer = bed_ask(client, request);
    const char *got = text_of(json_object_get(answer, "error"), "code");
    if (strcmp(got, code))
        fail_msg("%s: '%s' instead of '%s' (%s)", request, got, code,
                 text_of(json_object_get(answer, "error"), "text"));
    json_decref(answer);
}

static int64_t begin(Client *client, const char *experiment)
{
    char text[200];
    snprintf(text, sizeof text, "{\"id\":3,\"do\":\"run\",\"experiment\":\"%s\"}", experiment);
    json_t *answer = bed_ask(client, text);
    int64_t run = json_integer_value(json_object_get(answer, "run"));
    json_decref(answer);
    return run;
}

static json_t *look(Client *client, int64_t run)
{
    char text[100];
    snprintf(text, sizeof text, "{\"id\":4,\"do\":\"look\",\"run\":%lld}", (long long)run);
    json_t *answer = bed_ask(client, text);
    json_t *shown = json_incref(json_object_get(answer, "run"));
    json_decref(answer);
    return shown;
}

static void halt(Client *client, int64_t run, const char *code)
{
    char text[100];
    snprintf(text, sizeof text, "{\"id\":5,\"do\":\"halt\",\"run\":%lld}", (long long)run);
    refused(client, text, code);
}

// Waits for an event about the run in that state; the caller frees it.
static json_t *await(Client *client, int64_t run, const char *state)
{
    for (int64_t end = clock_ms() + 20000; clock_ms() < end; clock_sleep_ms(5)) {
        hub_turn(client->hub);
        for (json_t *json; (json = bed_take(client)); json_decref(json))
            if (!strcmp(text_of(json, "event"), "run") &&
                json_integer_value(json_object_get(json, "run")) == run &&
                !strcmp(text_of(json, "state"), state))
                return json;
    }
    fail_msg("run %lld never was %s", (long long)run, state);
    return NULL;
}

// ---- Tests ----

static void test_bad_choices(void **state)
{
    (void)state;
#define RUN(choices) "{\"id\":9,\"do\":\"run\",\"experiment\":\"count\",\"choices\":" choices "}"
    static const char *const BAD[][2] = {
        {"{\"id\":9,\"do\":\"run\"}", "bad-request"},
        {"{\"id\":9,\"do\":\"run\",\"experiment\":\"nothing\"}", "bad-request"},
        {RUN("7"), "bad-request"},
        {RUN("{\"nonsense\":1}"), "bad-request"},
        {RUN("{\"count\":1}"), "bad-request"},
        {RUN("{\"count\":102}"), "bad-request"},
        {RUN("{\"count\":2.5}"), "bad-request"},
        {RUN("{\"count\":\"4\"}"), "bad-request"},
        {RUN("{\"count\":3}"), "bad-request"}, // the experiment's own check
        {RUN("{\"loud\":1}"), "bad-request"},
        {RUN("{\"color\":\"green\"}"), "bad-request"},
        {RUN("{\"color\":3}"), "bad-request"},
        {RUN("{\"variant\":\"checkers\"}"), "bad-request"},
        {RUN("{\"fen\":\"rubbish\"}"), "bad-fen"},
        {RUN("{\"variant\":\"horde32\",\"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"}"), "bad-fen"},
        {RUN("{\"player\":{}}"), "bad-request"},
        {RUN("{\"player\":{\"kind\":\"human\"}}"), "bad-request"},
        {RUN("{\"player\":{\"kind\":\"lovac\",\"level\":13}}"), "bad-request"},
        {RUN("{\"player\":{\"kind\":\"engine\",\"engine\":\"/bin/sh\"}}"), "bad-request"},
        {RUN("{\"player\":{\"kind\":\"search\",\"nodes\":1}}"), "bad-request"},
        {RUN("{\"player\":{\"kind\":\"search\",\"evaluation\":\"magic\"}}"), "bad-request"},
        {"{\"id\":9,\"do\":\"look\",\"run\":77}", "bad-request"},
        {"{\"id\":9,\"do\":\"look\",\"run\":1,\"game\":1000000}", "bad-request"},
        {"{\"id\":9,\"do\":\"halt\",\"run\":77}", "bad-request"},
        {"{\"id\":9,\"do\":\"halt\"}", "bad-request"},
        {"{\"id\":9,\"do\":\"continue\"}", "bad-request"},
        {"{\"id\":9,\"do\":\"continue\",\"run\":77}", "bad-request"},
    };
    Lab lab;
    lab_open(&lab, true);
    Client *client = lab_client(&lab);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        refused(client, BAD[i][0], BAD[i][1]);
    json_t *list = runs_list(lab.bed.hub.runs, client->owner);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    refused(client,
            RUN("{\"count\":6,\"loud\":false,\"color\":\"red\",\"variant\":\"chess\",\"fen\":\"\","
                "\"player\":{\"kind\":\"search\",\"evaluation\":\"hand\",\"nodes\":500}}"),
            "");
#undef RUN
    lab_close(&lab);
}

static void test_run_and_watch(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, false);
    Client *first = lab_client(&lab), *second = lab_client(&lab);
    int64_t run = begin(first, "count");
    assert_int_equal(run, 1);
    json_t *mine = await(first, run, "done"), *theirs = await(second, run, "done");
    assert_true(json_is_true(json_object_get(mine, "mine")));
    assert_true(json_is_false(json_object_get(theirs, "mine")));
    json_decref(mine);
    json_decref(theirs);
    // All is there for who comes later, with the choices as they were understood.
    json_t *shown = look(second, run);
    json_t *rows = json_object_get(json_object_get(shown, "tables"), "rows");
    json_t *choices = json_object_get(shown, "choices");
    assert_int_equal(json_array_size(rows), 4);
    assert_int_equal(json_integer_value(json_array_get(json_array_get(rows, 3), 0)), 4);
    assert_string_equal(text_of(choices, "color"), "blue");
    assert_string_equal(text_of(json_object_get(choices, "player"), "kind"), "lovac");
    assert_int_equal(json_integer_value(json_object_get(choices, "count")), 4);
    json_decref(shown);
    json_t *answer = bed_ask(second, "{\"id\":5,\"do\":\"look\",\"run\":1,\"game\":0}");
    assert_string_equal(text_of(answer, "pgn"), "1. e4 *");
    json_decref(answer);
    refused(second, "{\"id\":5,\"do\":\"look\",\"run\":1,\"game\":1}", "bad-request");
    // Whoever does not watch hears nothing.
    json_decref(bed_ask(second, "{\"id\":6,\"do\":\"lab\",\"watch\":false}"));
    json_decref(await(first, begin(first, "failing"), "failed"));
    assert_null(bed_take(second));
    lab_close(&lab);
}

// What the events tell, put together, is what the server has.
static void test_events_are_enough(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, true);
    Client *client = lab_client(&lab);
    json_t *request = json_pack("{s:i, s:s, s:s, s:{s:i}}", "id", 3, "do", "run", "experiment",
                                "count", "choices", "count", 100);
    char *text = json_dumps(request, 0);
    hub_receive(client, text, strlen(text));
    free(text);
    json_decref(request);
    size_t known = 0;
    bool is_done = false;
    for (int64_t end = clock_ms() + 20000; !is_done && clock_ms() < end; clock_sleep_ms(5)) {
        hub_turn(client->hub);
        for (json_t *json; (json = bed_take(client)); json_decref(json)) {
            const json_t *part = json_object_get(json_object_get(json, "rows"), "rows");
            if (part) {
                size_t from = (size_t)json_integer_value(json_object_get(part, "from"));
                assert_true(from <= known); // no gap
                known = from + json_array_size(json_object_get(part, "rows"));
            }
            is_done = is_done || !strcmp(text_of(json, "state"), "done");
        }
    }
    assert_true(is_done);
    assert_int_equal(known, 100);
    lab_close(&lab);
}

static void test_stop(void **state)
{
    (void)state;
    for (int is_local = 0; is_local < 2; is_local++) {
        Lab lab;
        lab_open(&lab, is_local);
        Client *owner = lab_client(&lab), *other = lab_client(&lab);
        int64_t run = begin(owner, "endless"), next = begin(owner, "endless");
        json_decref(await(other, run, "running"));
        // Among strangers only one's own; on one's own machine all.
        halt(other, run, is_local ? "" : "no-right");
        if (!is_local) {
            halt(owner, run, "");
            halt(other, next, "no-right");
        }
        json_decref(await(other, run, "stopped"));
        halt(owner, run, ""); // harmless
        json_decref(await(other, next, "running"));
        // Who leaves does not stop it.
        hub_disconnect(owner);
        json_t *shown = look(other, next);
        assert_string_equal(text_of(shown, "state"), "running");
        json_decref(shown);
        lab_close(&lab);
    }
}

// New browsers of one address have no more runs together than it may have.
static void test_runs_of_address(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, false);
    for (int i = 0; i < VISITOR_RUNS_MAX; i++)
        assert_true(begin(lab_client(&lab), "endless"));
    refused(lab_client(&lab), "{\"id\":3,\"do\":\"run\",\"experiment\":\"endless\"}", "limit");
    lab_close(&lab);
}

static void test_limits(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, true);
    Client *clients[RUNS_WAITING_MAX];
    int64_t runs[RUNS_WAITING_MAX + 1];
    int count = 0;
    for (int i = 0; i < RUNS_WAITING_MAX; i++)
        clients[i] = lab_client(&lab);
    // One runs and others wait; of each browser only so many.
    for (int i = 0; count <= RUNS_WAITING_MAX; i++) {
        for (int k = 0; k < RUNS_OF_OWNER_MAX && count <= RUNS_WAITING_MAX; k++)
            assert_true(runs[count++] = begin(clients[i], "endless"));
        if (count <= RUNS_WAITING_MAX)
            refused(clients[i], "{\"id\":3,\"do\":\"run\",\"experiment\":\"endless\"}", "limit");
    }
    refused(clients[RUNS_WAITING_MAX - 1], "{\"id\":3,\"do\":\"run\",\"experiment\":\"endless\"}",
            "limit");
    // One that waits is gone at once, and the next comes in its turn.
    halt(clients[0], runs[1], "");
    json_t *shown = look(clients[0], runs[1]);
    assert_string_equal(text_of(shown, "state"), "stopped");
    json_decref(shown);
    halt(clients[0], runs[0], "");
    json_decref(await(clients[1], runs[2], "running"));
    shown = look(clients[0], runs[3]);
    assert_string_equal(text_of(shown, "state"), "waiting");
    json_decref(shown);
    lab_close(&lab);
}

static void test_kept(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, true);
    Client *client = lab_client(&lab);
    int64_t done = begin(client, "count");
    json_decref(await(client, done, "done"));
    int64_t failed = begin(client, "failing");
    json_t *event = await(client, failed, "failed");
    assert_string_equal(text_of(event, "problem"), "it cannot be done");
    json_decref(event);
    int64_t cut = begin(client, "endless");
    json_decref(await(client, cut, "running"));
    lab_restart(&lab);
    client = lab_client(&lab);
    json_t *shown = look(client, done);
    assert_string_equal(text_of(shown, "state"), "done");
    assert_int_equal(json_array_size(json_object_get(json_object_get(shown, "tables"), "rows")), 4);
    json_decref(shown);
    shown = look(client, cut);
    assert_string_equal(text_of(shown, "state"), "interrupted");
    json_decref(shown);
    json_t *answer = bed_ask(client, "{\"id\":5,\"do\":\"look\",\"run\":1,\"game\":0}");
    assert_string_equal(text_of(answer, "pgn"), "1. e4 *");
    json_decref(answer);
    assert_true(begin(client, "count") > cut); // numbers are not used twice
    lab_close(&lab);
}

// What the row of an endless run counted so far.
static int64_t counted(Client *client, int64_t run)
{
    json_t *shown = look(client, run);
    const json_t *rows = json_object_get(json_object_get(shown, "tables"), "rows");
    int64_t n = json_integer_value(json_array_get(json_array_get(rows, 0), 0));
    json_decref(shown);
    return n;
}

static void go_on(Client *client, int64_t run, const char *code)
{
    char text[100];
    snprintf(text, sizeof text, "{\"id\":6,\"do\":\"continue\",\"run\":%lld}", (long long)run);
    refused(client, text, code);
}

// Lets a run go on, waits until it has counted something again, and stops it.
static int64_t count_on(Client *client, int64_t run, bool is_new)
{
    if (!is_new)
        go_on(client, run, "");
    json_decref(await(client, run, "running"));
    int64_t n = 0;
    for (int64_t end = clock_ms() + 20000; !n && clock_ms() < end; clock_sleep_ms(5)) {
        hub_turn(client->hub);
        n = counted(client, run);
    }
    halt(client, run, "");
    json_decref(await(client, run, "stopped"));
    return counted(client, run);
}

// A run that was stopped, or interrupted by the end of the server, goes on where it was.
static void test_continued(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, true);
    Client *client = lab_client(&lab);
    int64_t run = begin(client, "endless"), done = begin(client, "count");
    int64_t first = count_on(client, run, true);
    json_decref(await(client, done, "done"));
    go_on(client, done, "limit"); // nothing left to do
    for (int i = 0; i < 3; i++) {
        int64_t next = count_on(client, run, false);
        assert_true(next > first);
        first = next;
    }
    go_on(client, run, "");
    go_on(client, run, "limit"); // it waits or runs already
    json_decref(await(client, run, "running"));
    lab_restart(&lab);
    client = lab_client(&lab);
    json_t *shown = look(client, run);
    assert_string_equal(text_of(shown, "state"), "interrupted");
    json_decref(shown);
    assert_true(count_on(client, run, false) > first);
    lab_close(&lab);
}

// Only the last runs are kept, with their texts.
static void test_forgotten(void **state)
{
    (void)state;
    Lab lab;
    lab_open(&lab, true);
    Client *client = lab_client(&lab);
    int64_t now = clock_ms(), last = 0;
    for (int i = 0; i < RUNS_KEPT + 5; i++) {
        last = begin(client, "count");
        assert_true(last);
        for (bool is_over = false; !is_over; clock_sleep_ms(1)) {
            runs_turn(lab.bed.hub.runs, now += 1000); // time flies
            json_t *shown = runs_show(lab.bed.hub.runs, last, client->owner);
            is_over = !strcmp(text_of(shown, "state"), "done");
            json_decref(shown);
        }
    }
    hub_turn(&lab.bed.hub);
    json_t *list = runs_list(lab.bed.hub.runs, client->owner);
    assert_int_equal(json_array_size(list), RUNS_KEPT);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "run")), last);
    json_decref(list);
    assert_null(store_get_run_text(lab.bed.store, 1, 0));
    char *text = store_get_run_text(lab.bed.store, last, 0);
    assert_non_null(text);
    free(text);
    lab_close(&lab);
}

// Without a runner there is a page, but nothing on it.
static void test_no_laboratory(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Client *client = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\"}"));
    json_t *answer = bed_ask(client, "{\"id\":2,\"do\":\"lab\"}");
    assert_int_equal(json_array_size(json_object_get(answer, "experiments")), 0);
    json_decref(answer);
    refused(client, "{\"id\":3,\"do\":\"run\",\"experiment\":\"count\"}", "bad-request");
    bed_close(&bed);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_choices),
        cmocka_unit_test(test_run_and_watch),
        cmocka_unit_test(test_events_are_enough),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_runs_of_address),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_continued),
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_no_laboratory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
