// See words.h.
#include "app/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

char *words_next(Words *r)
{
    while (is_space(*r->at))
        r->at++;
    if (!*r->at)
        return NULL;
    char *word = r->at;
    while (*r->at && !is_space(*r->at))
        r->at++;
    if (*r->at)
        *r->at++ = 0;
    return word;
}

char *words_rest(Words *r)
{
    while (is_space(*r->at))
        r->at++;
    size_t length = strlen(r->at);
    while (length && is_space(r->at[length - 1]))
        r->at[--length] = 0;
    return r->at;
}

bool words_to_number(const char *word, int64_t least, int64_t greatest, int64_t *value)
{
    if (!word)
        return false;
    const char *digits = word + (*word == '-' || *word == '+');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        return false;
    errno = 0;
    long long x =
        strtoll(word, NULL, 10); // out of range gives the end of the range, which is what we want
    *value = x < least ? least : x > greatest ? greatest : x;
    return true;
}
