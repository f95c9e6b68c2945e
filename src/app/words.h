// A line of a protocol read word by word, in place.
#ifndef LOVAC_APP_WORDS_H
#define LOVAC_APP_WORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Words {
    char *at; // what is left of the line
} Words;

// The next word, ended in place; NULL at the end.
char *words_next(Words *words);

// What is left of the line, without spaces around it.
char *words_rest(Words *words);

// A whole number, clamped into a range however large it is written; false when it is none.
bool words_to_number(const char *word, int64_t least, int64_t greatest, int64_t *value);

#endif
