// Bytes in and out of files, packed or not. Reading recognises gzip and zstd by their first bytes;
// writing packs by the ending of the name (.gz, .zst). Where a library was missing at build time
// the reason says so.
#ifndef LOVAC_BASE_STREAM_H
#define LOVAC_BASE_STREAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Stream Stream;

// Opens a file for reading; NULL, with the reason, when that fails.
Stream *stream_open(const char *path, Error *error);

// Reads from a file that is open already (standard input); it is left open. `name` is for errors.
Stream *stream_open_file(FILE *file, const char *name, Error *error);

// Up to `size` bytes of the unpacked content; 0 at its end or when something went wrong, which
// stream_close then tells.
size_t stream_read(Stream *stream, void *buffer, size_t size);

// How far the file has been read and how long it is, both packed; 0 for a length nobody knows.
uint64_t stream_position(const Stream *stream);
uint64_t stream_length(const Stream *stream);

// Makes a file for writing. It appears under its name only when stream_close succeeds.
Stream *stream_create(const char *path, Error *error);

// Writes to a file that is open already (standard output), unpacked; it is left open.
Stream *stream_create_file(FILE *file, const char *name, Error *error);

// Writes bytes; false when that failed, which stream_close then tells.
bool stream_write(Stream *stream, const void *bytes, size_t size);

// Ends a stream; false, with the reason, if anything went wrong since it was opened.
bool stream_close(Stream *stream, Error *error);

// Ends a stream for writing without a trace of what was written.
void stream_abandon(Stream *stream);

#endif
