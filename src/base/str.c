// See str.h.
#include "base/str.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void str_init(Str *str, char *buffer, size_t size)
{
    assert(size >= 1);
    *str = (Str){.text = buffer, .size = size};
    buffer[0] = 0;
}

void str_add_bytes(Str *str, const char *bytes, size_t count)
{
    size_t room = str->size - 1 - str->length;
    if (count > room) {
        count = room;
        str->is_cut = true;
    }
    memcpy(str->text + str->length, bytes, count);
    str->length += count;
    str->text[str->length] = 0;
}

void str_add(Str *str, const char *text)
{
    str_add_bytes(str, text, strlen(text));
}
void str_add_char(Str *str, char c)
{
    str_add_bytes(str, &c, 1);
}

void str_format_list(Str *str, const char *format, va_list args)
{
    size_t room = str->size - str->length;
    int wanted = vsnprintf(str->text + str->length, room, format, args);
    if (wanted < 0)
        return;
    if ((size_t)wanted >= room) {
        str->is_cut = true;
        str->length = str->size - 1;
    } else {
        str->length += (size_t)wanted;
    }
}

void str_format(Str *str, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_format_list(str, format, args);
    va_end(args);
}

static bool starts_number(const char *text, bool may_be_negative)
{
    if (may_be_negative && *text == '-')
        text++;
    return *text >= '0' && *text <= '9';
}

bool str_to_int(const char *text, long long low, long long high, long long *value)
{
    char *end;
    if (!starts_number(text, true))
        return false;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (*end || errno == ERANGE || number < low || number > high)
        return false;
    *value = number;
    return true;
}

bool str_to_count(const char *text, unsigned long long high, unsigned long long *value)
{
    char *end;
    if (!starts_number(text, false))
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*end || errno == ERANGE || number > high)
        return false;
    *value = number;
    return true;
}

bool str_to_real(const char *text, double *value)
{
    char *end;
    const char *first = *text == '-' ? text + 1 : text;
    if (!starts_number(first, false) && !(first[0] == '.' && starts_number(first + 1, false)))
        return false;
    double number = strtod(text, &end);
    if (*end || !isfinite(number))
        return false;
    *value = number;
    return true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool str_same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int str_distance(const char *a, const char *b)
{
    enum { LIMIT = 64 };
    int rows[3][LIMIT]; // the last three rows of the usual table
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length >= LIMIT || b_length >= LIMIT)
        return INT_MAX;
    int *two_ago = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= (int)b_length; j++)
        last[j] = two_ago[j] = j;
    for (int i = 1; i <= (int)a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= (int)b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                row[j] = least(row[j], two_ago[j - 2] + 1);
        }
        int *free_row = two_ago;
        two_ago = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

char *str_split(char **rest, const char *separators)
{
    char *part = *rest;
    if (!part)
        return NULL;
    char *end = part + strcspn(part, separators);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return part;
}
