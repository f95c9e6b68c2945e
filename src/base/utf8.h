// UTF-8, and bytes that are none.
#ifndef LOVAC_BASE_UTF8_H
#define LOVAC_BASE_UTF8_H

#include <stddef.h>

// The length of the character at `bytes`, of which `left` are there; 0 when it is none.
size_t utf8_length(const char *bytes, size_t left);

// A byte of Latin-1 (as Windows extends it), which old files are written in; how many bytes there
// are.
size_t utf8_from_latin1(char latin1, char out[3]);

#endif
