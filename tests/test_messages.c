// The messages between server and browser: a hub is asked everything that docs/protocol.md knows,
// and what goes to and fro has the shape of the examples in tests/data/messages: the same fields
// with values of the same kinds, none more and none less. web/check_examples.mjs compares the same
// examples with the types of the page, so that neither side changes a message alone.
//
// After a change that is meant: LOVAC_WRITE_MESSAGES=1 build/plain-gcc-native/tests/test_messages
// writes the examples anew; then the types in web/src/protocol.ts and docs/protocol.md follow.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hub_help.h"
#include "knowledge_help.h"

#include <dirent.h>

#include "base/clock.h"
#include "core/bitboard.h"
#include "server/request.h"
#include "server/runs.h"

#define FOLDER "tests/data/messages"

enum { CLIENTS = 3, WAIT_MS = 60000 };

// ---- Shapes ----

// Objects whose keys are data and not fields.
static bool is_map(const char *name)
{
    static const char *const MAPS[] = {"moves",  "risky", "args",   "tags",
                                       "tables", "rows",  "choices"};
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
        if (!strcmp(MAPS[i], name))
            return true;
    return false;
}

static const char *kind_name(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    case JSON_STRING: return "text";
    case JSON_INTEGER:
    case JSON_REAL: return "number";
    case JSON_TRUE:
    case JSON_FALSE: return "switch";
    default: return "null";
    }
}

// Adds what a value is made of to a set: "position.turn text" for each field at any depth. True
// when something was new.
static bool add_shape(json_t *set, const char *path, const char *name, json_t *json)
{
    char line[400];
    snprintf(line, sizeof line, "%s %s", path, kind_name(json));
    bool is_new = !json_object_get(set, line);
    json_object_set_new(set, line, json_true());
    if (json_is_array(json)) {
        snprintf(line, sizeof line, "%s[]", path);
        for (size_t i = 0; i < json_array_size(json); i++)
            is_new |= add_shape(set, line, "", json_array_get(json, i));
    }
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        snprintf(line, sizeof line, "%s.%s", path, is_map(name) ? "*" : key);
        is_new |= add_shape(set, line, key, value);
    }
    return is_new;
}

// Fails when a set has what the other has not.
static void assert_covered(const json_t *set, const json_t *other, const char *file,
                           const char *why)
{
    const char *line;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)set, line, value) if (!json_object_get(other, line))
        fail_msg("%s: %s %s", file, why, line);
}

// ---- What was seen ----

// By file: {"requests": {"list": [...], "shape": {...}}, "answers": ...}; a message is kept in the
// list when it shows something new.
static void note(json_t *seen, const char *file, const char *what, json_t *message)
{
    json_t *entry = json_object_get(seen, file);
    if (!entry)
        json_object_set_new(seen, file, entry = json_object());
    json_t *part = json_object_get(entry, what);
    if (!part) {
        part = json_pack("{s:[], s:{}}", "list", "shape");
        json_object_set_new(entry, what, part);
    }
    if (add_shape(json_object_get(part, "shape"), "", "", message))
        json_array_append(json_object_get(part, "list"), message);
}

typedef struct Session {
    HubBed bed;
    Runner *runner;
    Client *clients[CLIENTS];
    json_t *seen;
    int next_id;
    char room[SECRET_SIZE];
} Session;

static void note_event(Session *s, json_t *event)
{
    char file[64];
    snprintf(file, sizeof file, "event-%s", json_string_value(json_object_get(event, "event")));
    note(s->seen, file, "events", event);
}

// Takes what waits for everybody; the answer with this id, when it has come.
static json_t *listen(Session *s, int id)
{
    json_t *answer = NULL;
    hub_turn(&s->bed.hub);
    for (int i = 0; i < CLIENTS; i++)
        for (json_t *json; (json = bed_take(s->clients[i])); json_decref(json)) {
            if (json_object_get(json, "event"))
                note_event(s, json);
            else if (json_integer_value(json_object_get(json, "id")) == id)
                answer = json_incref(json);
        }
    return answer;
}

// Waits until an event has come whose text has `words` in it.
static void await(Session *s, const char *file, const char *words)
{
    for (int64_t begin = clock_ms(); clock_ms() - begin < WAIT_MS; clock_sleep_ms(2)) {
        json_decref(listen(s, -1));
        json_t *part = json_object_get(json_object_get(s->seen, file), "events");
        char *text = json_dumps(json_object_get(part, "list"), JSON_COMPACT);
        bool is_there = text && strstr(text, words);
        free(text);
        if (is_there)
            return;
    }
    fail_msg("%s with %s never came", file, words);
}

// Asks as one of the clients, in the session's room if that is in `fields` ("room": "."); the
// answer.
static json_t *say(Session *s, int who, const char *word, const char *fields)
{
    json_error_t problem;
    char file[64];
    json_t *request = json_loads(fields, 0, &problem), *answer = NULL;
    if (!request)
        fail_msg("%s: %s", fields, problem.text);
    int id = ++s->next_id;
    if (json_object_get(request, "room"))
        json_object_set_new(request, "room", json_string(s->room));
    json_object_set_new(request, "id", json_integer(id));
    json_object_set_new(request, "do", json_string(word));
    char *text = json_dumps(request, JSON_COMPACT);
    s->clients[who]->requests = REQUEST_BURST;
    s->clients[who]->creations = CREATE_BURST;
    s->clients[who]->visitor->creations = VISITOR_CREATIONS;
    hub_receive(s->clients[who], text, strlen(text));
    free(text);
    for (int64_t begin = clock_ms(); !answer; clock_sleep_ms(1)) {
        answer = listen(s, id);
        if (clock_ms() - begin > WAIT_MS)
            fail_msg("%s is not answered", word);
    }
    bool ok = json_is_true(json_object_get(answer, "ok"));
    snprintf(file, sizeof file, "request-%s", word);
    if (ok)
        note(s->seen, file, "requests", request);
    note(s->seen, ok ? file : "error", "answers", answer);
    json_decref(request);
    return answer;
}

// The same where it must be granted, or refused with this problem.
static void done(Session *s, int who, const char *word, const char *fields)
{
    json_t *answer = say(s, who, word, fields);
    if (!json_is_true(json_object_get(answer, "ok"))) {
        char *text = json_dumps(answer, 0);
        fail_msg("%s %s: %s", word, fields, text);
    }
    json_decref(answer);
}

static void refused(Session *s, int who, const char *word, const char *fields, const char *code)
{
    json_t *answer = say(s, who, word, fields);
    json_t *error = json_object_get(answer, "error");
    assert_false(json_is_true(json_object_get(answer, "ok")));
    const char *problem = json_string_value(json_object_get(error, "problem"));
    assert_string_equal(problem ? problem : json_string_value(json_object_get(error, "code")),
                        code);
    json_decref(answer);
}

// Makes a room; the others join with the keys of Black and of watchers.
static void create(Session *s, const char *fields, bool join)
{
    json_t *answer = say(s, 0, "create", fields);
    assert_true(json_is_true(json_object_get(answer, "ok")));
    snprintf(s->room, sizeof s->room, "%s", json_string_value(json_object_get(answer, "room")));
    const json_t *keys = json_object_get(answer, "keys");
    const char *black = json_string_value(json_object_get(keys, "black"));
    const char *watch = json_string_value(json_object_get(keys, "watch"));
    char text[300];
    if (join) {
        snprintf(text, sizeof text, "{\"keys\": [\"%s\"], \"name\": \"Iva\"}", black);
        done(s, 1, "join", text);
        snprintf(text, sizeof text, "{\"keys\": [\"%s\"]}", watch);
        done(s, 2, "join", text);
        snprintf(text, sizeof text, "{\"keys\": [\"%s\", \"unknown\"]}", watch);
        done(s, 2, "rooms", text);
    }
    json_decref(answer);
}

// ---- What is asked ----

static void greet(Session *s)
{
    done(s, 0, "hello", "{\"protocol\": 1}");
    done(s, 1, "hello", "{\"protocol\": 1, \"owner\": \"AAAAAAAAAAAAAAAAAAAAAA\"}");
    done(s, 2, "hello", "{}");
    done(s, 0, "ping", "{}");
    refused(s, 0, "nonsense", "{}", "unknown-request");
    refused(s, 0, "sync", "{\"room\": \".\"}", "room-not-joined");
}

static void play_with_a_person(Session *s)
{
    create(s,
           "{\"variant\": \"chess\", \"white\": {\"kind\": \"human\", \"name\": \"Ana\"},"
           " \"black\": {\"kind\": \"human\", \"remote\": true},"
           " \"clock\": {\"kind\": \"game\", \"time_ms\": 300000, \"increment_ms\": 3000}}",
           true);
    done(s, 0, "sync", "{\"room\": \".\"}");
    done(s, 0, "move", "{\"room\": \".\", \"ply\": 0, \"uci\": \"e2e4\"}");
    done(s, 0, "move", "{\"room\": \".\", \"ply\": 0, \"uci\": \"e2e4\"}"); // repeated
    refused(s, 0, "move", "{\"room\": \".\", \"ply\": 1, \"uci\": \"d2d4\"}", "not-your-turn");
    refused(s, 1, "move", "{\"room\": \".\", \"ply\": 1, \"san\": \"Ke4\"}", "move-unreachable");
    done(s, 1, "move", "{\"room\": \".\", \"ply\": 1, \"san\": \"d5\"}");
    done(s, 0, "move", "{\"room\": \".\", \"ply\": 2, \"uci\": \"e4d5\"}"); // takes, clocks run
    done(s, 0, "why", "{\"room\": \".\", \"node\": 0, \"uci\": \"e1e3\"}");
    done(s, 0, "why", "{\"room\": \".\", \"node\": 0, \"uci\": \"e2e4\"}");
    done(s, 0, "takeback", "{\"room\": \".\", \"action\": \"ask\"}");
    done(s, 1, "takeback", "{\"room\": \".\", \"action\": \"decline\"}");
    done(s, 0, "draw", "{\"room\": \".\", \"action\": \"offer\"}");
    done(s, 1, "draw", "{\"room\": \".\", \"action\": \"decline\"}");
    refused(s, 1, "draw", "{\"room\": \".\", \"action\": \"claim\"}", "draw-no-claim");
    done(s, 0, "resign", "{\"room\": \".\"}");
    done(s, 0, "rematch", "{\"room\": \".\", \"swap\": true}");
    done(s, 1, "rematch", "{\"room\": \".\"}");
    done(s, 1, "resign", "{\"room\": \".\", \"color\": \"white\"}");
    done(s, 0, "analysis", "{\"room\": \".\"}");
    done(s, 2, "leave", "{\"room\": \".\"}");
}

static void play_with_an_engine(Session *s)
{
    create(s,
           "{\"white\": {\"kind\": \"human\"}, \"black\": {\"kind\": \"lovac\", \"level\": 12,"
           " \"move_ms\": 100}, \"clock\": {\"kind\": \"move\", \"time_ms\": 60000}}",
           false);
    done(s, 0, "hint", "{\"room\": \".\"}");
    done(s, 0, "move", "{\"room\": \".\", \"ply\": 0, \"uci\": \"e2e4\"}");
    await(s, "event-thinking", "event");
    await(s, "event-room", "\"ply\":2");
    done(s, 0, "draw", "{\"room\": \".\", \"action\": \"offer\"}"); // answered by the engine
    done(s, 0, "pause", "{\"room\": \".\"}");
    done(s, 0, "resume", "{\"room\": \".\"}");
    done(s, 0, "takeback", "{\"room\": \".\"}");
    done(s, 0, "goto", "{\"room\": \".\", \"node\": 0}");
    done(s, 0, "seats",
         "{\"room\": \".\", \"white\": {\"kind\": \"human\", \"name\": \"Ana\"},"
         " \"black\": {\"kind\": \"human\"}}");
    done(s, 0, "seats",
         "{\"room\": \".\", \"black\": {\"kind\": \"engine\", \"engine\": \"random\"}}");
    refused(s, 0, "seats",
            "{\"room\": \".\", \"black\": {\"kind\": \"engine\", \"engine\": \"lovac elo=9\"}}",
            "player-range");
    done(s, 0, "switch", "{\"room\": \".\"}");
    done(s, 0, "abort", "{\"room\": \".\"}");
    done(s, 0, "forget", "{\"room\": \".\"}");
    create(s,
           "{\"variant\": \"chess960\", \"start\": 518, \"white\": {\"kind\": \"lovac\", "
           "\"level\": 1},"
           " \"black\": {\"kind\": \"search\", \"evaluation\": \"hand\", \"nodes\": 100},"
           " \"speed_ms\": 200, \"book\": false,"
           " \"series\": {\"games\": 2, \"alternate\": true}}",
           false);
    done(s, 0, "speed", "{\"room\": \".\", \"speed_ms\": 5000}");
    done(s, 0, "forget", "{\"room\": \".\"}");
    create(s, "{\"variant\": \"massacre\", \"start\": \"18446744073709551615\"}", false);
}

// A game with all that a node can have: captures, castling, promotion, check, mate, clocks, notes.
static const char PGN[] = "[Event \\\"Test\\\"]\\n[WhiteElo \\\"2450\\\"]\\n\\n"
                          "1. e4 {[%clk 0:03:00] a comment [%cal Ge2e4] [%csl Rd4]} (1. f3 e5 2. "
                          "g4 Qh4#) e5 $1 2. Nf3 Nc6"
                          " 3. Bc4 Nf6 4. O-O Nxe4 (4... d6 5. d4) 5. h3 h5 6. h4 g5 7. hxg5 h4 8. "
                          "g6 h3 9. g7 h2+ 10. Kh1"
                          " Qh4 11. gxh8=Q Qg3 12. Qxf8+ Kxf8 13. Ng5 d6 0-1";
enum { MATE = 5 }; // the node of Qh4#

static void analyse(Session *s)
{
    char text[1200];
    snprintf(text, sizeof text, "{\"mode\": \"analysis\", \"pgn\": \"%s\", \"game\": 0}", PGN);
    create(s, text, true);
    done(s, 0, "review", "{\"room\": \".\", \"nodes\": 10000}");
    await(s, "event-review-progress", "done");
    await(s, "event-room", "\"better\":{");
    done(s, 0, "review", "{\"room\": \".\", \"stop\": true}");
    done(s, 0, "show", "{\"room\": \".\", \"node\": 9}");
    snprintf(text, sizeof text, "{\"room\": \".\", \"node\": %d}", MATE);
    done(s, 0, "show", text);
    done(s, 0, "annotate",
         "{\"room\": \".\", \"node\": 1, \"comment\": \"good\", \"nags\": [1, 14], \"shapes\":"
         " [{\"brush\": \"green\", \"from\": \"e2\", \"to\": \"e4\"}, {\"brush\": \"red\", "
         "\"from\": \"d4\"}]}");
    done(s, 0, "move", "{\"room\": \".\", \"node\": 0, \"uci\": \"d2d4\"}");
    done(s, 0, "line",
         "{\"room\": \".\", \"node\": 0, \"uci\": [\"g1f3\", \"g8f6\", \"f3g1\", \"f6g8\","
         " \"g1f3\", \"g8f6\", \"f3g1\", \"f6g8\"]}"); // may be claimed
    json_t *last =
        say(s, 0, "line", "{\"room\": \".\", \"node\": 0, \"uci\": [\"c2c4\", \"c7c5\"]}");
    int node = (int)json_integer_value(json_object_get(last, "node"));
    json_decref(last);
    snprintf(text, sizeof text, "{\"room\": \".\", \"node\": %d, \"main\": false}", node);
    done(s, 0, "promote", text);
    snprintf(text, sizeof text, "{\"room\": \".\", \"node\": %d}", node);
    done(s, 0, "demote", text);
    done(s, 0, "peek",
         "{\"room\": \".\", \"node\": 0, \"uci\": [\"c2c4\", \"c7c5\"], \"threat\": false}");
    done(s, 0, "cut", text);
    done(s, 0, "analyse", "{\"room\": \".\", \"node\": 1, \"lines\": 2, \"threat\": false}");
    await(s, "event-analysis", "\"cp\"");
    done(s, 0, "analyse",
         "{\"variant\": \"chess\", \"fen\": \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\", \"lines\": 1}");
    await(s, "event-analysis", "\"mate\"");
    done(s, 0, "analyse", "{\"stop\": true}");
}

static void keep(Session *s)
{
    json_t *saved = say(s, 0, "save", "{\"room\": \".\", \"name\": \"My game\"}");
    int number = (int)json_integer_value(json_object_get(saved, "saved"));
    json_decref(saved);
    char text[300];
    done(s, 0, "library", "{\"from\": 0, \"count\": 50, \"variant\": \"chess\", \"find\": \"My\"}");
    snprintf(text, sizeof text, "{\"saved\": [%d]}", number);
    done(s, 0, "export", text);
    done(s, 0, "export", "{\"room\": \".\"}");
    snprintf(text, sizeof text, "{\"saved\": %d, \"mode\": \"analysis\"}", number);
    create(s, text, false);
    done(s, 0, "export", "{\"room\": \".\"}");
    snprintf(text, sizeof text, "{\"saved\": %d}", number);
    done(s, 0, "unsave", text);
    done(s, 0, "import", "{\"pgn\": \"1. e4 Ke4 *\"}");
    done(s, 0, "import",
         "{\"pgn\": \"1. e4 *\\n1. d4\", \"save\": false, \"part\": 0, \"last\": false, \"game\": "
         "0, "
         "\"line\": 1}");
    done(s, 0, "import",
         "{\"pgn\": \"[FEN \\\"8/8/8/8/8/8/8/K7 w - - 0 1\\\"]\\n\\n*\\n\\n1. e4 *\", \"save\": "
         "true}");
    done(s, 0, "check", "{\"variant\": \"chess\", \"fen\": \"8/8/8/8/8/8/8/K7 w - - 0 1\"}");
    done(s, 0, "check", "{\"variant\": \"chess\", \"fen\": \"k7/8/KQ6/8/8/8/8/8 w - - 0 1\"}");
    done(s, 0, "start", "{\"variant\": \"chess960\", \"start\": 518}");
    done(s, 0, "start", "{\"variant\": \"horde32\"}");
    refused(s, 0, "start", "{\"variant\": \"chess960\", \"start\": 960}", "start-number");
    snprintf(text, sizeof text, "{\"from\": {\"room\": \"%s\", \"node\": 0}}", s->room);
    create(s, text, false);
    create(s, "{\"fen\": \"k7/8/KQ6/8/8/8/8/8 w - - 0 1\"}", false);
}

// Endgame tables and the book: a move that mates, one that lets a man be taken, a draw, no table.
static void ask_what_is_known(Session *s)
{
    create(s,
           "{\"mode\": \"analysis\", \"pgn\": \"[FEN \\\"8/8/8/8/8/5k2/6R1/K7 b - - 0 1\\\"]\\n\\n"
           "1... Ke3 2. Rg1 *\"}",
           false);
    done(s, 0, "known", "{\"room\": \".\", \"node\": 0}");
    done(s, 0, "known", "{\"room\": \".\", \"node\": 1}");
    done(s, 0, "course", "{\"room\": \".\"}");
    create(s, "{\"mode\": \"analysis\"}", false);
    done(s, 0, "known", "{\"room\": \".\", \"node\": 0}");
    create(s, "{\"mode\": \"analysis\", \"variant\": \"legan\"}", false);
    done(s, 0, "known", "{\"room\": \".\", \"node\": 0}");
}

// Waits until a run has stopped; what is said meanwhile depends on when.
static void await_stop(Session *s, int run)
{
    bool is_stopped = false;
    for (int64_t begin = clock_ms(); !is_stopped && clock_ms() - begin < WAIT_MS;
         clock_sleep_ms(2)) {
        json_decref(listen(s, -1));
        json_t *shown = runs_show(s->bed.hub.runs, run, s->clients[0]->owner);
        is_stopped = !strcmp(json_string_value(json_object_get(shown, "state")), "stopped");
        json_decref(shown);
    }
    assert_true(is_stopped);
}

static void experiment(Session *s)
{
    done(s, 0, "lab", "{\"watch\": true}");
    json_t *begun = say(s, 0, "run",
                        "{\"experiment\": \"count\", \"choices\": {\"count\": 4, \"loud\": true,"
                        " \"color\": \"red\", \"player\": {\"kind\": \"search\","
                        " \"evaluation\": \"hand\", \"nodes\": 500}}}");
    int run = (int)json_integer_value(json_object_get(begun, "run"));
    json_decref(begun);
    await(s, "event-run", "\"state\":\"done\"");
    char text[100];
    snprintf(text, sizeof text, "{\"run\": %d}", run);
    done(s, 0, "look", text);
    snprintf(text, sizeof text, "{\"run\": %d, \"game\": 0}", run);
    done(s, 0, "look", text);
    begun = say(s, 0, "run", "{\"experiment\": \"endless\"}");
    run = (int)json_integer_value(json_object_get(begun, "run"));
    json_decref(begun);
    await(s, "event-run", "left_ms");
    done(s, 0, "lab", "{}");
    snprintf(text, sizeof text, "{\"run\": %d}", run);
    done(s, 0, "halt", text);
    await_stop(s, run);
    done(s, 0, "continue", text);
    done(s, 0, "halt", text);
    done(s, 0, "lab", "{\"watch\": false}");
    done(s, 0, "walk", "{\"method\": \"alphabeta\", \"depth\": 2, \"variant\": \"chess\"}");
    done(s, 0, "walk",
         "{\"method\": \"alphabeta\", \"depth\": 2, \"fen\": \"k7/8/8/8/8/8/8/K7 w - - 0 1\"}");
}

// A tree of two positions, with all that a position can have.
static json_t *walk(const Position *pos, const char *method, int depth, Error *error)
{
    (void)pos, (void)error;
    return json_pack("{s:s, s:i, s:i, s:s, s:[{s:i, s:i, s:s, s:i, s:b, s:s, s:i, s:n, s:n},"
                     " {s:i, s:i, s:s, s:i, s:b, s:s, s:s, s:s, s:i, s:i, s:i}]}",
                     "method", method, "depth", depth, "visited", 2, "side", "white", "nodes",
                     "parent", -1, "ply", 0, "end", "searched", "cut_by", -1, "quiet", 0, "board",
                     "k7/8/8/8/8/8/4P3/K7", "value", 10, "alpha", "beta", "parent", 0, "ply", 1,
                     "end", "cut", "cut_by", 2, "quiet", 1, "board", "k7/8/8/8/4P3/8/8/K7", "uci",
                     "e2e4", "san", "e4", "value", -10, "alpha", 0, "beta", 5);
}

// ---- Experiments ----

static bool count_work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)error;
    for (int i = 0; i < (int)values[0].number; i++) {
        Cell cells[2] = {cell_count((uint64_t)i + 1), cell_text("row")};
        run_row(run, 0, i, cells, i ? 2 : 1);
    }
    run_text(run, 0, "1. e4 *");
    return true;
}

static bool endless_work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context, (void)values, (void)error;
    for (; !run_is_stopped(run); clock_sleep_ms(2))
        run_progress(run, 0.5, 1000);
    return true;
}

static const char *const WORDS[] = {"red", "blue", NULL};
static const Experiment EXPERIMENTS[] = {
    {.key = "count",
     .title = "Count",
     .text = "Counts.",
     .sources = "Arithmetic.",
     .choices = {{"count", "Count", CHOICE_NUMBER, 2, 100, 4, NULL, NULL, NULL},
                 {"loud", "Loud", CHOICE_SWITCH, 0, 0, 1, NULL, NULL, NULL},
                 {"color", "Colour", CHOICE_WORD, 0, 0, 1, WORDS, NULL, "loud"},
                 {"variant", "Game", CHOICE_VARIANT, 0, 0, 0, NULL, NULL, NULL},
                 {"fen", "Position", CHOICE_FEN, 0, 0, 0, NULL, NULL, NULL},
                 {"player", "Player", CHOICE_PLAYER, 0, 0, 6, NULL, NULL, NULL}},
     .tables = {{.key = "rows",
                 .title = "Rows",
                 .columns = {{"n", "N", COLUMN_COUNT, false}, {"what", "What", COLUMN_TEXT, true}},
                 .has_texts = true}},
     .work = count_work},
    {.key = "endless", .title = "Endless", .text = "Never ends.", .work = endless_work},
};

// ---- The test ----

static json_t *read_example(const char *file)
{
    char path[200];
    json_error_t problem;
    snprintf(path, sizeof path, FOLDER "/%s.json", file);
    json_t *json = json_load_file(path, 0, &problem);
    if (!json)
        fail_msg("%s: %s (run the tests in the project's root)", path, problem.text);
    return json;
}

// Keys and ids are secrets: in an example they are all alike.
static void hide_secrets(json_t *json)
{
    const char *key;
    json_t *value;
    if (json_is_string(json) && secret_is_formed(json_string_value(json)))
        json_string_set(json, "AAAAAAAAAAAAAAAAAAAAAA");
    for (size_t i = 0; i < json_array_size(json); i++)
        hide_secrets(json_array_get(json, i));
    json_object_foreach(json, key, value) hide_secrets(value);
}

static void write_example(const char *file, const json_t *parts)
{
    char path[200];
    const char *what;
    json_t *part, *out = json_object();
    json_object_foreach((json_t *)(uintptr_t)parts, what, part)
        json_object_set(out, what, json_object_get(part, "list"));
    hide_secrets(out);
    snprintf(path, sizeof path, FOLDER "/%s.json", file);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    json_dumpf(out, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', stream);
    fclose(stream);
    json_decref(out);
}

static void compare_example(const char *file, const json_t *parts)
{
    const char *what;
    json_t *part, *example = read_example(file);
    assert_int_equal(json_object_size(example), json_object_size(parts));
    json_object_foreach((json_t *)(uintptr_t)parts, what, part)
    {
        const json_t *seen = json_object_get(part, "shape"), *list = json_object_get(example, what);
        json_t *known = json_object();
        for (size_t i = 0; i < json_array_size(list); i++)
            add_shape(known, "", "", json_array_get(list, i));
        assert_covered(seen, known, file, "the example has not");
        assert_covered(known, seen, file, "the server has not");
        json_decref(known);
    }
    json_decref(example);
}

// Every word that the server understands was said, and every example has been met.
static void assert_complete(const json_t *seen)
{
    char file[300];
    for (int i = 0; request_word(i); i++) {
        snprintf(file, sizeof file, "request-%s", request_word(i));
        if (!json_object_get(seen, file))
            fail_msg("nobody has asked '%s' here", request_word(i));
    }
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(file, sizeof file, "%.*s", (int)strcspn(entry->d_name, "."), entry->d_name);
        if (*file && !json_object_get(seen, file))
            fail_msg("%s: no such message was seen", entry->d_name);
    }
    closedir(folder);
}

static void test_messages(void **state)
{
    (void)state;
    Session s = {.seen = json_object()};
    Error error;
    KnowledgeBed known;
    assert_true(knowledge_bed_open(&known));
    s.runner = runner_new(bed_wake, NULL, &error);
    HubConfig config = {.version = "test",
                        .is_local = true,
                        .experiments = EXPERIMENTS,
                        .experiment_count = 2,
                        .walk = walk,
                        .runner = s.runner,
                        .knowledge = known.knowledge};
    assert_true(s.runner && bed_open_as(&s.bed, &config));
    for (int i = 0; i < CLIENTS; i++)
        s.clients[i] = hub_connect(&s.bed.hub, NULL, "");
    greet(&s);
    play_with_a_person(&s);
    play_with_an_engine(&s);
    analyse(&s);
    keep(&s);
    ask_what_is_known(&s);
    experiment(&s);
    const char *file;
    json_t *parts;
    json_object_foreach(s.seen, file, parts)
    {
        if (getenv("LOVAC_WRITE_MESSAGES"))
            write_example(file, parts);
        compare_example(file, parts);
    }
    assert_complete(s.seen);
    json_decref(s.seen);
    runner_stop(s.runner);
    bed_close(&s.bed);
    runner_free(s.runner);
    knowledge_bed_close(&known);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
