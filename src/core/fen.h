// Forsyth-Edwards notation: positions as text, for all variants.
#ifndef LOVAC_CORE_FEN_H
#define LOVAC_CORE_FEN_H

#include "core/position.h"

// Reads a FEN: KQkq, X-FEN and Shredder castling; missing last fields get defaults. On failure
// `pos` is untouched and the error names the field and the reason. Positions that cannot be played
// are refused.
bool position_from_fen(Position *pos, const Rules *rules, const char *fen, Error *error);

// The same for composed positions: any number of men, as long as the kings are right and not to be
// taken.
bool position_set_up(Position *pos, const Rules *rules, const char *fen, Error *error);

// How castling is written: KQkq (X-FEN letters where they would be ambiguous), or always file
// letters.
typedef enum FenStyle { FEN_XFEN, FEN_SHREDDER } FenStyle;

// Writes all six fields.
void position_to_fen(const Position *pos, FenStyle style, char fen[FEN_SIZE]);

#endif
