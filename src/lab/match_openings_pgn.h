// Openings out of PGN files; private to match_openings.c.
#ifndef LOVAC_LAB_MATCH_OPENINGS_PGN_H
#define LOVAC_LAB_MATCH_OPENINGS_PGN_H

#include "lab/match_openings.h"

// Reads the main lines of all games, at most `plies_max` half-moves of each (0: as many as fit).
// The array is the caller's to free. Games of other rules, broken and finished ones are left out
// and counted in `refused`.
bool openings_read_pgn(const char *path, const Rules *rules, int plies_max, Opening **games,
                       uint64_t *count, int *refused, Error *error);

#endif
