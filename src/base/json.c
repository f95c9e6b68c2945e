// See json.h.
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add(Json *json, const char *text, size_t size)
{
    json->is_short |= !bytes_add(&json->text, text, size);
}

// How many bytes of UTF-8 a character has at `at`; 0 when it is none.
static size_t character_size(const uint8_t *at)
{
    size_t size = *at < 0x80   ? 1
                  : *at < 0xc2 ? 0
                  : *at < 0xe0 ? 2
                  : *at < 0xf0 ? 3
                  : *at < 0xf5 ? 4
                               : 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    // Too long a form, a half of a pair, beyond the last character.
    bool is_bad = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] >= 0xa0) ||
                  (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] >= 0x90);
    return is_bad ? 0 : size;
}

static void add_quoted(Json *json, const char *text)
{
    add(json, "\"", 1);
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        char escape[8];
        size_t size = character_size(at);
        if (!size)
            add(json, "\\ufffd", 6);
        else if (*at == '"' || *at == '\\')
            add(json, escape, (size_t)snprintf(escape, sizeof escape, "\\%c", *at));
        else if (*at < 0x20 || *at == 0x7f)
            add(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", *at));
        else
            add(json, (const char *)at, size);
        at += size ? size : 1;
    }
    add(json, "\"", 1);
}

// What stands before a value: a comma, its name.
static void begin_value(Json *json, const char *name)
{
    assert(!name == (!json->depth || json->close[json->depth - 1] == ']'));
    if (json->has_value)
        add(json, ", ", 2);
    json->has_value = true;
    if (name) {
        add_quoted(json, name);
        add(json, ": ", 2);
    }
}

static void add_value(Json *json, const char *name, const char *text)
{
    begin_value(json, name);
    add(json, text, strlen(text));
}

void json_open(Json *json, const char *name, char kind)
{
    assert(json->depth < JSON_DEPTH_MAX && (kind == '{' || kind == '['));
    begin_value(json, name);
    add(json, &kind, 1);
    json->close[json->depth++] = kind == '{' ? '}' : ']';
    json->has_value = false;
}

void json_close(Json *json)
{
    assert(json->depth > 0);
    add(json, &json->close[--json->depth], 1);
    json->has_value = true;
}

void json_text(Json *json, const char *name, const char *value)
{
    begin_value(json, name);
    add_quoted(json, value);
}

void json_int(Json *json, const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    add_value(json, name, text);
}

void json_count(Json *json, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    add_value(json, name, text);
}

void json_decimal(Json *json, const char *name, double value, int decimals)
{
    char text[400];
    snprintf(text, sizeof text, "%.*f", decimals, value);
    add_value(json, name, isfinite(value) ? text : "null");
}

void json_flag(Json *json, const char *name, bool value)
{
    add_value(json, name, value ? "true" : "false");
}

void json_none(Json *json, const char *name)
{
    add_value(json, name, "null");
}

bool json_print(Json *json, FILE *out, Error *error)
{
    assert(json->depth == 0);
    add(json, "\n", 1);
    bool ok = !json->is_short || error_set(error, "out of memory");
    ok = ok && (fwrite(json->text.at, 1, json->text.size, out) == json->text.size ||
                error_set(error, "cannot write"));
    bytes_release(&json->text);
    *json = (Json){0};
    return ok;
}
