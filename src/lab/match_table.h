// How a match stands, as text: one line for the terminal's foot, and the full table.
#ifndef LOVAC_LAB_MATCH_TABLE_H
#define LOVAC_LAB_MATCH_TABLE_H

#include "base/json.h"
#include "base/str.h"
#include "lab/match.h"

// Several lines: results, Elo with error bars, SPRT, faults. Two players in detail, more as a
// rating table.
void match_table_write(const MatchConfig *config, const MatchStatus *status, Str *out);

// "game 12 of 100, 3.4 games/s, 0:26 left".
void match_table_progress(const MatchStatus *status, Str *out);

// The same for scripts: an object with the games done, players, pairings and the SPRT.
void match_table_json(const MatchConfig *config, const MatchStatus *status, Json *json);

#endif
