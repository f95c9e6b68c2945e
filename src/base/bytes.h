// A growing run of bytes: what a piece of spread work gets and gives (spread.h), a text of unknown
// length. Numbers are stored as this machine has them; for files see lab/data_format.h.
#ifndef LOVAC_BASE_BYTES_H
#define LOVAC_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero is an empty one.
typedef struct Bytes {
    uint8_t *at;
    size_t size, room;
} Bytes;

// Adds at the end; false when memory ran out, and then nothing was added.
bool bytes_add(Bytes *bytes, const void *data, size_t size);

// So many bytes more at the end, not yet filled; NULL when memory ran out. Valid until the next
// call.
void *bytes_extend(Bytes *bytes, size_t size);

// Empties it and keeps the memory for the next use.
void bytes_clear(Bytes *bytes);

// Gives the memory back.
void bytes_release(Bytes *bytes);

// Takes `size` bytes from `*at`, which is moved on, into `data`; false when there are fewer before
// `end`.
bool bytes_take(const uint8_t **at, const uint8_t *end, void *data, size_t size);

#endif
