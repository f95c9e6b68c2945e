// The position that a command begins with, from --variant, --start and --fen.
#ifndef LOVAC_APP_SETUP_H
#define LOVAC_APP_SETUP_H

#include "core/position.h"

typedef struct Setup {
    const char *variant; // NULL: chess
    const char *fen;     // NULL: a start position
    bool has_number;
    unsigned long long number; // of the start position, when has_number
} Setup;

// Makes the position; false, with the reason, for an unknown game, a bad FEN, a number out of
// range.
bool setup_position(const Setup *setup, Position *pos, Error *error);

// Finds a game by name, with the list of names in the error.
const Rules *setup_rules(const char *name, Error *error);

// Is castling written as king to rook here?
bool setup_is_chess960(const Position *pos);

#endif
