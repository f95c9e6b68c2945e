// What a filter asks of a position: where men stand, and which men are left. Read once from text,
// then asked of every position of a game. See filter.h for the questions about whole games.
#ifndef LOVAC_CORE_FILTER_BOARD_H
#define LOVAC_CORE_FILTER_BOARD_H

#include "core/position.h"

enum { BOARD_RANK_ELEMENTS = 16 };

// A board as in a FEN, in which a square may also be ? (anything), ! (any man), A or a (any white
// or black man), [Qr] (one of these) or [^Qr] (none of these), and * stands for any number of
// squares of a rank. A second field may tell the side to move, a third the castling rights, as a
// FEN has them; ? or a missing field is any.
typedef struct BoardPattern {
    uint16_t elements[8][BOARD_RANK_ELEMENTS]; // from the eighth rank; a bit for each Piece and
                                               // NO_PIECE, 0 for *
    uint8_t counts[8];                         // elements of each rank
    int8_t side;                               // Color, or -1 for any
    char castling[8];                          // "" for any
} BoardPattern;

// Reads a pattern; whatever stands behind the third field is passed over.
bool board_pattern_read(BoardPattern *pattern, const char *text, Error *error);
bool board_pattern_matches(const BoardPattern *pattern, const Position *pos);

// Men of both sides: "KRPKR" and "KRPvKR" whoever has which, "KRP:KR" with White's first.
typedef struct MenPattern {
    uint8_t men[2][TYPE_COUNT];
    bool is_either_way;
    bool is_least; // more men do not matter
} MenPattern;

bool men_pattern_read(MenPattern *pattern, const char *text, bool is_least, Error *error);
bool men_pattern_matches(const MenPattern *pattern, const Position *pos);

#endif
