// Requests of browsers: one handler for each word of docs/protocol.md, in request_*.c by topic.
#ifndef LOVAC_SERVER_REQUEST_H
#define LOVAC_SERVER_REQUEST_H

#include "server/hub.h"

// A request while it is answered.
typedef struct Request {
    Hub *hub;
    Client *client;
    const json_t *json; // what was asked
    json_t *answer;     // what will be said besides "ok"
    Room *room;         // where the request needs one
    Member *member;
    const char *code; // of the error
    Error error;
    bool is_late; // the answer comes later, from elsewhere
} Request;

typedef bool RequestHandler(Request *r);

// Reads a message, does what it asks and answers. `is_allowed`: the client has not asked too much.
void request_handle(Client *client, const char *text, size_t length, bool is_allowed);

// Ends the import of a client, if one goes on.
void request_end_import(Client *client);

// The word of the index-th kind of request ("hello", "ping", ...); NULL behind the last.
const char *request_word(int index);

// Fails: fills the code of the protocol and the error, and returns false. What no page would ask,
// and faults of ours, need no more than a text;
bool request_fail(Request *r, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// what a person can bring about has a closer code besides, and arguments as in error_code;
bool request_refuse(Request *r, const char *code, const char *problem, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// and an error from below is passed on as it is.
bool request_pass(Request *r, const char *code, const Error *error);

// Fields of a request; each fails with "bad-request" when the field is there but wrong, or missing
// where there is no fallback.
bool request_text(Request *r, const char *name, const char **text);       // required
bool request_maybe_text(Request *r, const char *name, const char **text); // NULL when missing
bool request_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *value);
bool request_maybe_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *value);
bool request_maybe_bool(Request *r, const char *name, bool *value);

// A node of the request's room.
bool request_node(Request *r, int *node);

// The variant named; "chess" when it is not.
bool request_rules(Request *r, const Rules **rules);

// Adds to the answer.
void answer_text(Request *r, const char *name, const char *text);
void answer_int(Request *r, const char *name, int64_t value);
void answer_json(Request *r, const char *name, json_t *json);

// A text as people may see it: no control characters, at most `letters` letters of valid UTF-8.
void clean_text(const char *text, int letters, char *out, size_t size);

#endif
