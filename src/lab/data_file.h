// Files of games: a header that says how they were made, then blocks with checksums. A damaged byte
// is found and costs one block; a file whose writer was killed ends with its last whole block.
#ifndef LOVAC_LAB_DATA_FILE_H
#define LOVAC_LAB_DATA_FILE_H

#include <stdio.h>

#include "lab/data_format.h"

enum { DATA_HEADER_SIZE = 2048, DATA_BLOCK_GAMES = 64 };

// The header is text, "key=value" lines; `variant` is always there.
typedef struct DataHeader {
    char text[DATA_HEADER_SIZE];
} DataHeader;

// Adds a line; false when there is no room.
bool data_header_add(DataHeader *header, const char *key, const char *value);

// Finds a value; false when the key is not there.
bool data_header_get(const DataHeader *header, const char *key, char *value, size_t size);

typedef struct DataWriter DataWriter;

// Makes a file, or goes on with one that has exactly this header: then `games` and `plies` are what
// it holds, and an unfinished block at its end is cut off. Without `resume` an existing file is an
// error.
DataWriter *data_writer_open(const char *path, const DataHeader *header, bool resume,
                             uint64_t *games, uint64_t *plies, Error *error);

// Adds an encoded game. A block is written whenever it has DATA_BLOCK_GAMES games.
bool data_writer_add(DataWriter *writer, const uint8_t *bytes, size_t size, int plies,
                     Error *error);

// Writes what is left, brings it to the disk and frees the writer; with `drop` the unfinished block
// is left out.
bool data_writer_close(DataWriter *writer, bool drop, Error *error);

typedef struct DataReader DataReader;

DataReader *data_reader_open(const char *path, Error *error);
void data_reader_close(DataReader *reader);
const DataHeader *data_reader_header(const DataReader *reader);
const Rules *data_reader_rules(const DataReader *reader);

typedef enum DataStatus { DATA_OK, DATA_END, DATA_DAMAGED } DataStatus;

// A block as it lies in the file.
typedef struct DataBlock {
    const uint8_t *bytes; // valid until the next call
    size_t size;
    uint32_t games, plies;
    uint64_t offset; // in the file
} DataBlock;

// The next block, checked. DATA_DAMAGED tells what is wrong and where; the next call goes on behind
// the damage.
DataStatus data_reader_next(DataReader *reader, DataBlock *block, Error *error);

// Share of the file read so far, in bytes, and its size.
void data_reader_progress(const DataReader *reader, uint64_t *done, uint64_t *total);

#endif
