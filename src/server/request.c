// See request.h: the table of requests, and what all of them share: reading fields, failing,
// answering. What a request does is in request_*.c; what it changes in a room is told to the others
// by hub_settle, before the answer goes out. Start at request_handle.
#include "server/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "server/problem.h"
#include "server/request_int.h"

// What a request needs before its handler is called.
enum {
    NEED_ROOM = 1,  // be in the room that it names
    NEED_RIGHT = 2, // play in it
    NEED_HELLO = 4,
    NEED_SPACE = 8, // begin something new that is kept
    NEED_SOME = 16, // add to what is kept
};

static const struct {
    const char *name;
    RequestHandler *handle;
    unsigned needs;
} REQUESTS[] = {
    {"hello", request_hello, 0},
    {"ping", request_ping, 0},
    {"create", request_create, NEED_HELLO | NEED_SPACE},
    {"join", request_join, NEED_HELLO},
    {"leave", request_leave, NEED_ROOM},
    {"sync", request_sync, NEED_ROOM},
    {"rooms", request_rooms, NEED_HELLO},
    {"forget", request_forget, NEED_RIGHT},
    {"move", request_move, NEED_RIGHT | NEED_SOME},
    {"why", request_why, NEED_ROOM},
    {"takeback", request_takeback, NEED_RIGHT},
    {"draw", request_draw, NEED_RIGHT},
    {"resign", request_resign, NEED_RIGHT},
    {"abort", request_abort, NEED_RIGHT},
    {"pause", request_pause, NEED_RIGHT},
    {"resume", request_resume, NEED_RIGHT},
    {"rematch", request_rematch, NEED_RIGHT | NEED_SOME},
    {"switch", request_switch, NEED_RIGHT | NEED_SOME},
    {"seats", request_seats, NEED_RIGHT | NEED_SOME},
    {"goto", request_goto, NEED_RIGHT | NEED_SOME},
    {"speed", request_speed, NEED_RIGHT},
    {"analysis", request_analysis, NEED_RIGHT},
    {"show", request_show, NEED_ROOM},
    {"annotate", request_annotate, NEED_RIGHT | NEED_SPACE},
    {"promote", request_promote, NEED_RIGHT},
    {"demote", request_demote, NEED_RIGHT},
    {"cut", request_cut, NEED_RIGHT},
    {"line", request_line, NEED_RIGHT | NEED_SPACE},
    {"peek", request_peek, NEED_ROOM},
    {"hint", request_hint, NEED_RIGHT},
    {"analyse", request_analyse, NEED_HELLO},
    {"review", request_review, NEED_ROOM | NEED_SPACE},
    {"known", request_known, NEED_ROOM},
    {"course", request_course, NEED_ROOM},
    {"save", request_save, NEED_ROOM | NEED_SPACE},
    {"library", request_library, NEED_HELLO},
    {"unsave", request_unsave, NEED_HELLO},
    {"export", request_export, NEED_HELLO},
    {"import", request_import, NEED_HELLO | NEED_SPACE},
    {"check", request_check, NEED_HELLO},
    {"start", request_start, NEED_HELLO},
    {"lab", request_lab, NEED_HELLO},
    {"run", request_run, NEED_HELLO | NEED_SPACE},
    {"look", request_look, NEED_HELLO},
    {"halt", request_halt, NEED_HELLO},
    {"continue", request_continue, NEED_HELLO | NEED_SPACE},
    {"walk", request_walk, NEED_HELLO},
};

const char *request_word(int index)
{
    return (size_t)index < sizeof REQUESTS / sizeof *REQUESTS ? REQUESTS[index].name : NULL;
}

// ---- Errors and fields ----

bool request_fail(Request *r, const char *code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_code_list(&r->error, "", format, list);
    va_end(list);
    r->code = code;
    return false;
}

bool request_refuse(Request *r, const char *code, const char *problem, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_code_list(&r->error, problem, format, list);
    va_end(list);
    r->code = code;
    return false;
}

bool request_pass(Request *r, const char *code, const Error *error)
{
    r->error = *error;
    r->code = code;
    return false;
}

bool request_maybe_text(Request *r, const char *name, const char **text)
{
    const json_t *value = json_object_get(r->json, name);
    *text = NULL;
    if (!value || json_is_null(value))
        return true;
    if (!json_is_string(value))
        return request_fail(r, "bad-request", "%s must be a text", name);
    *text = json_string_value(value);
    return true;
}

bool request_text(Request *r, const char *name, const char **text)
{
    return request_maybe_text(r, name, text) &&
           (*text || request_fail(r, "bad-request", "%s is missing", name));
}

bool request_maybe_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *value)
{
    const json_t *json = json_object_get(r->json, name);
    if (!json || json_is_null(json))
        return true;
    int64_t number = json_integer_value(json);
    if (!json_is_integer(json) || number < low || number > high)
        return request_fail(r, "bad-request", "%s must be a whole number from %lld to %lld", name,
                            (long long)low, (long long)high);
    *value = number;
    return true;
}

bool request_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *value)
{
    if (!json_object_get(r->json, name))
        return request_fail(r, "bad-request", "%s is missing", name);
    return request_maybe_int(r, name, low, high, value);
}

bool request_maybe_bool(Request *r, const char *name, bool *value)
{
    const json_t *json = json_object_get(r->json, name);
    if (!json || json_is_null(json))
        return true;
    if (!json_is_boolean(json))
        return request_fail(r, "bad-request", "%s must be true or false", name);
    *value = json_is_true(json);
    return true;
}

bool request_node(Request *r, int *node)
{
    int64_t id = 0;
    if (!request_int(r, "node", 0, TREE_IDS_MAX, &id))
        return false;
    if (!tree_has(&r->room->tree, (int)id))
        return request_refuse(r, "bad-request", "node-unknown", "there is no node {node:%lld}",
                              (long long)id);
    *node = (int)id;
    return true;
}

bool request_rules(Request *r, const Rules **rules)
{
    const char *name;
    if (!request_maybe_text(r, "variant", &name))
        return false;
    *rules = rules_find(name ? name : "chess");
    return *rules || request_fail(r, "bad-request", "there is no variant '%.40s'", name);
}

void answer_json(Request *r, const char *name, json_t *json)
{
    json_object_set_new_nocheck(r->answer, name, json);
}

void answer_text(Request *r, const char *name, const char *text)
{
    answer_json(r, name, json_string_nocheck(text));
}

void answer_int(Request *r, const char *name, int64_t value)
{
    answer_json(r, name, json_integer(value));
}

void clean_text(const char *text, int letters, char *out, size_t size)
{
    Str s;
    str_init(&s, out, size);
    while (*text == ' ')
        text++;
    for (int count = 0; *text && count < letters; count++) {
        size_t n = 1;
        while (((unsigned char)text[n] & 0xc0) == 0x80)
            n++;
        // Control characters, and those of Unicode that turn the direction of writing.
        bool is_bad = (unsigned char)*text < 32 || *text == 127 ||
                      (n == 2 && (unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0) ||
                      !strncmp(text, "\xe2\x80\xaa", 3) || !strncmp(text, "\xe2\x80\xab", 3) ||
                      !strncmp(text, "\xe2\x80\xad", 3) || !strncmp(text, "\xe2\x80\xae", 3) ||
                      !strncmp(text, "\xe2\x80\xa8", 3) || !strncmp(text, "\xe2\x80\xa9", 3);
        if (s.length + n >= size)
            break;
        if (!is_bad)
            str_add_bytes(&s, text, n);
        else if (s.length)
            str_add_char(&s, ' ');
        text += n;
    }
}

// ---- Handling ----

// The room that the request names, if its client is in it.
static bool find_room(Request *r)
{
    const char *id;
    if (!request_text(r, "room", &id))
        return false;
    r->room = secret_is_formed(id) ? hub_find_awake(r->hub, id) : NULL;
    r->member = r->room ? hub_member(r->client, r->room) : NULL;
    return r->member || request_refuse(r, "unknown-room", "room-not-joined",
                                       "you are not in this room: join it first");
}

// Is there space for what the request would keep, on the disk and for this address?
static bool has_space(Request *r, unsigned needs)
{
    const Visitor *visitor = r->client->visitor;
    bool is_new = needs & NEED_SPACE;
    if (r->hub->space == SPACE_NONE || (is_new && r->hub->space == SPACE_LOW))
        return request_refuse(r, "limit", "disk-full",
                              "the server's disk is full: nothing new can be kept");
    return visitor_may_keep(visitor) || !is_new ||
           request_refuse(r, "limit", "quota", "no more than {most:%d} MB are kept in a day",
                          (int)(r->hub->visitors.keep_bytes / 1048576));
}

// Does what the handler does; what it keeps besides rooms counts for the client's address.
static bool handle(Request *r, RequestHandler *handler)
{
    size_t before = store_added(r->hub->store);
    bool ok = handler(r);
    visitor_keeps(r->client->visitor, store_added(r->hub->store) - before);
    return ok;
}

// Finds the word in the table, checks what it needs, and does it.
static bool run(Request *r)
{
    const char *name;
    if (!request_text(r, "do", &name))
        return false;
    for (size_t i = 0; i < sizeof REQUESTS / sizeof *REQUESTS; i++) {
        if (strcmp(REQUESTS[i].name, name))
            continue;
        unsigned needs = REQUESTS[i].needs;
        if (needs && !r->client->has_greeted)
            return request_fail(r, "bad-request", "say hello first");
        if (needs & (NEED_ROOM | NEED_RIGHT) && !find_room(r))
            return false;
        if (needs & NEED_RIGHT && !r->member->rights)
            return request_refuse(r, "no-right", "only-watching", "you only watch this room");
        if (needs & (NEED_SPACE | NEED_SOME) && !has_space(r, needs))
            return false;
        bool ok = handle(r, REQUESTS[i].handle);
        // The handler may have let the room go.
        if (r->room)
            hub_mark(r->hub, r->room);
        return ok;
    }
    return request_fail(r, "unknown-request", "there is no request '%.40s'", name);
}

// "error" of an answer: the code of the protocol and the text, and the closer code where there is
// one.
static json_t *view_error(const Request *r)
{
    json_t *error = problem_view(&r->error);
    json_t *problem = json_incref(json_object_get(error, "code"));
    json_object_set_new(error, "code", json_string(r->code ? r->code : "internal"));
    if (*r->error.code)
        json_object_set(error, "problem", problem);
    else
        json_object_del(error, "args");
    json_decref(problem);
    return error;
}

// Sends the answer, or the error in its place; a handler that answers later has nothing to say now.
static void answer(Request *r, bool ok)
{
    const json_t *id = json_object_get(r->json, "id");
    if (r->is_late && ok) {
        json_decref(r->answer);
        return;
    }
    if (!ok) {
        json_object_clear(r->answer);
        answer_json(r, "error", view_error(r));
    }
    answer_json(r, "id", json_is_integer(id) ? json_integer(json_integer_value(id)) : json_null());
    answer_json(r, "ok", json_boolean(ok));
    hub_send(r->client, r->answer);
}

void request_handle(Client *client, const char *text, size_t length, bool is_allowed)
{
    Request r = {.hub = client->hub, .client = client, .answer = json_object()};
    json_error_t problem;
    bool ok;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    r.json = json;
    if (!json_is_object(json))
        ok = request_fail(&r, "bad-json", "%s", json ? "not an object" : problem.text);
    else if (!is_allowed)
        ok = request_refuse(&r, "too-fast", "too-fast", "too many requests");
    else
        ok = run(&r);
    hub_settle(client->hub);
    answer(&r, ok);
    json_decref(json);
}
