// The input formats of `lovac convert`.
#ifndef LOVAC_APP_CONVERT_READ_H
#define LOVAC_APP_CONVERT_READ_H

#include "app/convert_int.h"

// By the ending of a name, that of the packing left aside.
Format format_of_name(const char *name);

// Reads a file ("-": standard input) and sends every record on its way; false, with the reason,
// when it cannot be read to its end or the output cannot be written.
bool convert_file(Convert *c, const char *path, Format from, Error *error);

// To be called before and after: the game that all are read into.
void convert_read_init(Convert *c);
void convert_read_release(Convert *c);

#endif
