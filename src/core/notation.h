// Moves as text: algebraic (SAN) and coordinates (UCI).
#ifndef LOVAC_CORE_NOTATION_H
#define LOVAC_CORE_NOTATION_H

#include "core/position.h"

enum { MOVE_TEXT_SIZE = 16 }; // room for any move we write, with its final 0

// Writes a legal move in standard algebraic notation, with + or #.
void move_to_san(const Position *pos, Move move, char text[MOVE_TEXT_SIZE]);

// The same in long algebraic notation: Ng1-f3, e4xd5, e7-e8=Q+, O-O.
void move_to_long(const Position *pos, Move move, char text[MOVE_TEXT_SIZE]);

// Reads a move as people write it: SAN with or without x, +, #, !?, =, e.p., 0-0, long forms
// (e2-e4, Ng1f3), coordinates (e2e4, e7e8q). MOVE_NONE, with the reason in `error`, when it is
// illegal, ambiguous or no move.
Move move_from_san(const Position *pos, const char *text, Error *error);

// Writes coordinates: e2e4, e7e8q; castling as king to goal (e1g1), or as king to rook (e1h1) for
// Chess960.
void move_to_uci(const Position *pos, Move move, bool chess960, char text[MOVE_TEXT_SIZE]);

// Reads coordinates exactly; both castling forms are accepted. MOVE_NONE when it is no legal move.
Move move_from_uci(const Position *pos, const char *text, Error *error);

#endif
