// Names of openings, found by position, so that it does not matter in which order the moves were
// played. The table is opening_names.inc; the page shows names from the same.
#ifndef LOVAC_TABLES_OPENING_NAMES_H
#define LOVAC_TABLES_OPENING_NAMES_H

#include "core/pgn.h"

typedef struct OpeningName {
    const char *code;  // "B90"
    const char *name;  // "Sicilian Defence: Najdorf Variation"
    const char *moves; // in coordinates
} OpeningName;

extern const OpeningName OPENING_NAMES[];
extern const int OPENING_NAME_COUNT;

typedef struct OpeningNames OpeningNames;

// Makes the index of all positions; NULL when there is no memory.
OpeningNames *opening_names_new(void);
void opening_names_free(OpeningNames *openings);

// The opening whose moves end in this position of chess, or NULL.
const OpeningName *opening_names_find(const OpeningNames *openings, const Position *pos);

// The last one that a game has passed through, or NULL.
const OpeningName *opening_names_of_moves(const OpeningNames *openings, const Position *start,
                                          const Move *moves, int count);

// Writes what the table knows into a game: ECO, Opening and Variation. False when the table knows
// nothing about it, which leaves the tags as they are.
bool opening_names_tag_game(const OpeningNames *openings, PgnGame *game);

// The same, but what the game tells of its opening stays.
bool opening_names_fill_game(const OpeningNames *openings, PgnGame *game);

#endif
