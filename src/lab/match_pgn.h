// A played game as PGN: the usual tags, and {score/depth time} behind every move that was thought
// about.
#ifndef LOVAC_LAB_MATCH_PGN_H
#define LOVAC_LAB_MATCH_PGN_H

#include "core/pgn_write.h"
#include "play/match_game.h"
#include "tables/opening_names.h"

typedef struct MatchPgnTags {
    const char *event, *white, *black, *date; // date: 2026.01.31
    int round, board;                         // "round.board"
    const PlayerLimits *limits[2];            // of both, for TimeControl; NULL: not told
    const OpeningNames *openings;             // for ECO and Opening; NULL: not told
} MatchPgnTags;

// Writes the game; false when memory ran out or the sink said so. `room` is a game of PGN that the
// caller has initialised, used and used again.
bool match_pgn_write(const MatchGame *game, const MatchPgnTags *tags, PgnGame *room, PgnSink *sink,
                     void *context);

#endif
