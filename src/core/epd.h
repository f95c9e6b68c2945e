// Extended position description: a position and operations ("bm Nf3; id \"x\";") on one line.
// The dialects in use are read too: all six fields of FEN before the operations, a semicolon before
// the first, none behind the last, operations run together, zero bytes at the end of the line.
#ifndef LOVAC_CORE_EPD_H
#define LOVAC_CORE_EPD_H

#include <stddef.h>

#include "core/position.h"

// A piece of the line that was read: not terminated, valid as long as the line is.
typedef struct EpdText {
    const char *text;
    size_t size;
} EpdText;

typedef struct EpdOperation {
    EpdText name;     // bm, am, id, ce, acd, D1, ...
    EpdText operands; // all of them, with their quotes
} EpdOperation;

enum { EPD_MAX_OPERATIONS = 64 };

typedef struct Epd {
    Position pos; // with the counters of hmvc and fmvn, or of the FEN
    int count;
    EpdOperation operations[EPD_MAX_OPERATIONS];
} Epd;

// Reads a line (without or with its end); false, with the reason, when it is no EPD.
bool epd_read(Epd *epd, const Rules *rules, const char *line, size_t size, Error *error);

// The operation of that name, or NULL.
const EpdOperation *epd_find(const Epd *epd, const char *name);

// Takes the next operand from the front of `operands`, without its quotes; false when there is
// none.
bool epd_next_operand(EpdText *operands, EpdText *operand);

// Reads the moves of an operation (bm, am, pv is not one: its moves follow each other); -1, with
// the reason, when one of them is illegal; 0 when there is no such operation.
int epd_moves(const Epd *epd, const char *name, Move *list, int capacity, Error *error);

// Writes a line without its end: four fields, the counters as hmvc and fmvn where they are not 0
// and 1, and the operations. Returns its length; when that is not below `size` it was cut.
size_t epd_write(const Epd *epd, char *line, size_t size);

#endif
