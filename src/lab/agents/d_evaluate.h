// Document D's evaluations: one for chess, and for each of its five variants what it changes there.
// Every term is a number for each colour, so that an experiment can show them one by one. The
// document gives numbers for the material only; the others are ours (docs/agents.md).
#ifndef LOVAC_LAB_AGENTS_D_EVALUATE_H
#define LOVAC_LAB_AGENTS_D_EVALUATE_H

#include "core/position.h"

typedef enum DTerm {
    D_MATERIAL, // 100/320/325/500/900; in the ending the knight is cheaper, the bishop dearer
    D_PAIR,     // two bishops
    D_SQUARES,  // squares from which a piece has many moves
    D_CONTROL,  // squares defended more often than attacked
    D_KING,     // where the king stands: sheltered early, central late
    D_PRESSURE, // enemy pieces near the king
    D_PAWNS,    // advance; passed, covered, doubled, isolated, blocked, all still there
    D_SPECIAL,  // what a variant adds
    D_TERM_COUNT
} DTerm;

extern const char *const D_TERM_NAMES[D_TERM_COUNT];

// The terms of both colours.
void d_terms(const Position *pos, int terms[2][D_TERM_COUNT]);

// Their sum for the side to move, in centipawns; material alone if not `is_positional`.
int d_evaluate(const Position *pos, bool is_positional);

// Is it an ending: both sides' pieces together below 2600?
bool d_is_ending(const Position *pos);

#endif
