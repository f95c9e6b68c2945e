// The output formats of `lovac convert`: each writes a game or a position into the record's text.
#ifndef LOVAC_APP_CONVERT_WRITE_H
#define LOVAC_APP_CONVERT_WRITE_H

#include "app/convert_int.h"

// The present game, or a position with its operations, as text.
void convert_write_game(Convert *c);
void convert_write_epd(Convert *c, const Epd *epd);

// What stands at the beginning of a file of this format; "" for nothing.
const char *convert_header(Format format);

#endif
