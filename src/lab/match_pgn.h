// A played game as PGN text: the usual tags, and {score/depth time} behind every move that was
// thought about.
#ifndef LOVAC_LAB_MATCH_PGN_H
#define LOVAC_LAB_MATCH_PGN_H

#include <stddef.h>

#include "lab/match_game.h"

typedef struct MatchPgnTags {
    const char *event, *white, *black;
    int round, board; // "round.board"
    char date[16];    // 2026.01.31
} MatchPgnTags;

// The length that match_pgn_write needs at most, with its final 0.
size_t match_pgn_size(const MatchGame *game);

// Writes the game into the buffer and returns the length of the text.
size_t match_pgn_write(const MatchGame *game, const MatchPgnTags *tags, char *buffer, size_t size);

#endif
