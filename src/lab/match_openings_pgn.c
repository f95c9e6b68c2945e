// See match_openings_pgn.h.
#include "lab/match_openings_pgn.h"

bool openings_read_pgn(const char *text, size_t size, const Rules *rules, int plies_max,
                       Opening **games, uint64_t *count, int *refused, Error *error)
{
    (void)text, (void)size, (void)rules, (void)plies_max, (void)games, (void)count, (void)refused;
    return error_set(error, "PGN openings: not yet");
}
