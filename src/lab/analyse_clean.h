// Takes back what an earlier analysis wrote into a game, so that a second one does not repeat it.
#ifndef LOVAC_LAB_ANALYSE_CLEAN_H
#define LOVAC_LAB_ANALYSE_CLEAN_H

#include "core/pgn.h"

// The glyph of a judgement in PGN, and its word: Inaccuracy, Mistake, Blunder.
int judgement_nag(int judgement);
const char *judgement_text(int judgement);

// Adds an item of `game` to `out`.
bool analyse_copy_item(PgnGame *out, const PgnGame *game, const PgnItem *item);

// Was this game judged by Lovac before, as its Annotator says?
bool analyse_is_judged(const PgnGame *game);

// Copies a game without Lovac's scores, glyphs, words and better lines; all else stays. False when
// memory ran out. `out` is an empty game.
bool analyse_clean(const PgnGame *game, PgnGame *out);

#endif
