// What makes two runs the same match: everything that its games depend on, as lines of text.
// Programs, nets and books count by what is in their files, not by their names, so that a match
// begun with one program does not go on with another. More rounds or workers do not make another
// match.
#ifndef LOVAC_LAB_MATCH_IDENTITY_H
#define LOVAC_LAB_MATCH_IDENTITY_H

#include "base/bytes.h"
#include "lab/match.h"

// Adds the lines, each ended by a newline, and a 0 behind them. False with the reason when a file
// that is there cannot be read.
bool match_identity_write(const MatchConfig *config, Bytes *out, Error *error);

#endif
