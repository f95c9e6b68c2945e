// PGN that comes in pieces, cut anywhere: games are handed out as soon as they are complete, and
// only the unfinished rest is kept. Memory is bounded by the longest game that is taken as one.
#ifndef LOVAC_SERVER_PGN_STREAM_H
#define LOVAC_SERVER_PGN_STREAM_H

#include "core/pgn.h"

typedef struct PgnStream PgnStream;

enum { PGN_STREAM_GAME_MAX = 4 << 20 }; // bytes; a longer game is cut there, with a report

// A stream whose first line has the number `line`. `problems` is told what is wrong with the game
// that is being read, and `context` goes with it. NULL when there is no memory.
PgnStream *pgn_stream_new(uint64_t line, PgnReport *problems, void *context);
void pgn_stream_free(PgnStream *stream);

// Adds the next piece; `is_last` when there are no more. False when there is no memory.
bool pgn_stream_add(PgnStream *stream, const char *bytes, size_t size, bool is_last);

// The next game that is complete, valid until the next call; NULL: there is none before the next
// piece. Problems of a game may be reported twice, when it was not complete the first time: forget
// them before each call.
PgnGame *pgn_stream_next(PgnStream *stream);

// Where the last game begins, in bytes from the start of the stream, and where what was not handed
// out yet begins, as bytes and as line.
uint64_t pgn_stream_game_at(const PgnStream *stream);
uint64_t pgn_stream_used(const PgnStream *stream);
uint64_t pgn_stream_line(const PgnStream *stream);

// The half-move at which the game that is being read stands: for its problems. -1 before its first
// position is known.
int pgn_stream_ply(const PgnStream *stream);

#endif
