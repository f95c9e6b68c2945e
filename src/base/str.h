// Text put together in the caller's buffer. What does not fit is cut, and `is_cut` remembers it;
// the text always ends with 0.
#ifndef LOVAC_BASE_STR_H
#define LOVAC_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Str {
    char *text;
    size_t size, length; // of the buffer; of the text without its final 0
    bool is_cut;
} Str;

// Starts an empty text in a buffer of at least one byte.
void str_init(Str *str, char *buffer, size_t size);

// Each adds at the end.
void str_add(Str *str, const char *text);
void str_add_char(Str *str, char c);
void str_add_bytes(Str *str, const char *bytes, size_t count);
void str_format(Str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_format_list(Str *str, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

// A whole number, with nothing else around it: "12" and "-3", not "12x", "" or " 7". False when it
// is none or outside the limits.
bool str_to_int(const char *text, long long low, long long high, long long *value);

// The same without sign, for counts up to 2^64 - 1.
bool str_to_count(const char *text, unsigned long long high, unsigned long long *value);

// A finite decimal number, in the same way.
bool str_to_real(const char *text, double *value);

// The text up to the next of these letters, which is cut off; `rest` moves behind it, and is NULL
// after the last part. NULL when there is no more.
char *str_split(char **rest, const char *separators);

// Equal but for upper and lower case (ASCII)?
bool str_same_word(const char *a, const char *b);

// How many letters must be changed, added, dropped or swapped with their neighbour to turn one word
// into the other, capital letters counting as small; words beyond 63 letters are infinitely far.
int str_distance(const char *a, const char *b);

#endif
