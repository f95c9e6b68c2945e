// For the C tests: picks fields out of test data that has one flat JSON row in a line. Not a JSON
// parser.
#ifndef LOVAC_TESTS_TEST_JSON_H
#define LOVAC_TESTS_TEST_JSON_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Copies the text of a field ("name": "text"); false when the line has none.
static inline bool json_text(const char *line, const char *name, char *text, size_t size)
{
    char field[64];
    snprintf(field, sizeof field, "\"%s\": \"", name);
    const char *at = strstr(line, field);
    if (!at)
        return false;
    at += strlen(field);
    size_t length = strcspn(at, "\"");
    if (length >= size)
        return false;
    memcpy(text, at, length);
    text[length] = 0;
    return true;
}

#endif
