// Where the records of `lovac convert` go: to one file or standard output, to files of so many or
// of one tag's value each, and by way of a shelf where they are to be sorted. What waits on the
// shelf lies in a temporary file; memory holds its keys only.
#ifndef LOVAC_APP_CONVERT_OUT_H
#define LOVAC_APP_CONVERT_OUT_H

#include "app/convert_int.h"

// Reads --sort: names of tags, or plies, with commas between; '-' before one turns the order round.
bool convert_read_sort(Convert *c, char *text, Error *error);

// Opens what is to be written.
bool convert_out_begin(Convert *c, Error *error);

// Puts the record's text away.
bool convert_out_record(Convert *c, Error *error);

// Writes what is on the shelf and closes everything.
bool convert_out_end(Convert *c, Error *error);

#endif
