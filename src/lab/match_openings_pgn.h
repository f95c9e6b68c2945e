// Openings out of PGN text; private to match_openings.c, a file of its own because PGN is a subject
// of its own.
#ifndef LOVAC_LAB_MATCH_OPENINGS_PGN_H
#define LOVAC_LAB_MATCH_OPENINGS_PGN_H

#include <stddef.h>

#include "lab/match_openings.h"

// Reads the main lines of all games, at most `plies_max` half-moves of each (0: as many as fit).
// The array is the caller's to free. Games of other rules, broken or finished ones are left out and
// counted in `refused`.
bool openings_read_pgn(const char *text, size_t size, const Rules *rules, int plies_max,
                       Opening **games, uint64_t *count, int *refused, Error *error);

#endif
