// UTF-8, and bytes that are none.
#ifndef LOVAC_BASE_UTF8_H
#define LOVAC_BASE_UTF8_H

#include <stddef.h>

// The length of the character at `bytes`, of which `left` are there; 0 when it is none.
size_t utf8_length(const char *bytes, size_t left);

// A byte of Latin-1 (as Windows extends it), which old files are written in; how many bytes there
// are.
size_t utf8_from_latin1(char latin1, char out[3]);

// How much of a text fits into `size` bytes with a 0 behind it, and does not end in the middle of a
// character.
size_t utf8_fit(const char *text, size_t size);

#endif
