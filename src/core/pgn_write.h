// Writing games of PGN in export format: the seven tag roster first, at most 79 characters a line.
#ifndef LOVAC_CORE_PGN_WRITE_H
#define LOVAC_CORE_PGN_WRITE_H

#include "core/pgn.h"

// Takes the next bytes of the text; false when they cannot be written, which ends the writing.
typedef bool PgnSink(void *context, const char *text, size_t size);

// How moves are written: Nf3, Ng1-f3, g1f3.
typedef enum PgnStyle { PGN_STYLE_SAN, PGN_STYLE_LONG, PGN_STYLE_UCI } PgnStyle;

// Writes a game with an empty line at its end. Missing tags of the roster are written with their
// defaults, and Variant where the game is not chess; all else is written as it stands in the game.
// False when the sink said so.
bool pgn_game_write(const PgnGame *game, PgnSink *sink, void *context);

// The same with moves in that style.
bool pgn_game_write_as(const PgnGame *game, PgnStyle style, PgnSink *sink, void *context);

// The moves alone with all that stands among them, and the result, in one line.
bool pgn_game_write_moves(const PgnGame *game, PgnStyle style, PgnSink *sink, void *context);

#endif
