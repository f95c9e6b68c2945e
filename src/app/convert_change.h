// What `lovac convert` does to games between reading and writing.
#ifndef LOVAC_APP_CONVERT_CHANGE_H
#define LOVAC_APP_CONVERT_CHANGE_H

#include "app/convert_int.h"

// Repairs, classifies and strips the present game as asked for; false when it is not wanted: by the
// filter, or because it has been seen before.
bool convert_change(Convert *c);

// Reads the words of --strip; false, with the reason, for one that is unknown.
bool convert_read_strip(const char *text, unsigned *strip, Error *error);

#endif
