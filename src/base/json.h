// A JSON text written piece by piece, for scripts that read what the program tells. Only written:
// what comes in is read by a library, whose names (json_null, json_real ...) none here may have.
// The name of a value is NULL in an array and at the outside.
//
//     Json json = {0};
//     json_open(&json, NULL, '{');
//     json_text(&json, "player", name);
//     json_decimal(&json, "elo", elo, 1);
//     json_close(&json);
//     ok = json_print(&json, stdout, error);
#ifndef LOVAC_BASE_JSON_H
#define LOVAC_BASE_JSON_H

#include <stdio.h>

#include "base/bytes.h"
#include "base/error.h"

enum { JSON_DEPTH_MAX = 16 };

// All zero is an empty one.
typedef struct Json {
    Bytes text;
    char close[JSON_DEPTH_MAX]; // what ends each value that is open
    int depth;
    bool has_value; // in the one that is open
    bool is_short;  // memory ran out
} Json;

// Begins an object ('{') or an array ('['), and ends the innermost that is open.
void json_open(Json *json, const char *name, char kind);
void json_close(Json *json);

// Each adds a value. Bytes of a text that are no UTF-8 become U+FFFD; a number that is none
// (infinite) becomes null.
void json_text(Json *json, const char *name, const char *value);
void json_int(Json *json, const char *name, int64_t value);
void json_count(Json *json, const char *name, uint64_t value);
void json_decimal(Json *json, const char *name, double value, int decimals);
void json_flag(Json *json, const char *name, bool value);
void json_none(Json *json, const char *name);

// Writes it as one line and gives its memory back; false when memory ran out or it could not be
// written.
bool json_print(Json *json, FILE *out, Error *error);

#endif
