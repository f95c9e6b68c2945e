// The position that a command begins with, from --variant, --start and --fen.
#ifndef LOVAC_APP_SETUP_H
#define LOVAC_APP_SETUP_H

#include "base/json.h"
#include "core/position.h"

typedef struct Setup {
    const char *variant; // NULL: chess
    const char *fen;     // NULL: a start position
    bool has_number;
    unsigned long long number; // of the start position, when has_number
} Setup;

// --variant, --start, --fen: three rows for a Setup (options.h).
#define OPTIONS_SETUP(setup)                                                                       \
    {.name = "variant", .kind = OPTION_TEXT, .value = &(setup)->variant},                          \
        {.name = "start",                                                                          \
         .kind = OPTION_COUNT,                                                                     \
         .value = &(setup)->number,                                                                \
         .is_given = &(setup)->has_number},                                                        \
    {                                                                                              \
        .name = "fen", .kind = OPTION_TEXT, .value = &(setup)->fen                                 \
    }

// Makes the position; false, with the reason, for an unknown game, a bad FEN, a number out of
// range.
bool setup_position(const Setup *setup, Position *pos, Error *error);

// Finds a game by name, with the list of names in the error.
const Rules *setup_rules(const char *name, Error *error);

// The fields `variant` and `fen` of what --json writes about a position.
void setup_add_json(Json *json, const Position *pos);

// Is castling written as king to rook here?
bool setup_is_chess960(const Position *pos);

#endif
