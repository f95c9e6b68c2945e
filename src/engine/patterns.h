// Endings that are known without tables: a row for each in patterns.c, found by its men alone. The
// evaluation is a network's; what a row knows for certain corrects it afterwards.
#ifndef LOVAC_ENGINE_PATTERNS_H
#define LOVAC_ENGINE_PATTERNS_H

#include "core/position.h"

typedef enum PatternVerdict {
    PATTERN_UNKNOWN,
    PATTERN_DRAW,
    PATTERN_WIN,    // for the side that is called strong
    PATTERN_NO_WIN, // for it: a draw, or the other side wins
} PatternVerdict;

typedef struct PatternFound {
    PatternVerdict verdict;
    Color strong;
    const char *name; // of the row; NULL: none has these men
} PatternFound;

enum { PATTERN_MEN_MAX = 6 }; // kings included

// Fills what the rows need. Harmless when it was done before; any thread may call it.
void patterns_init(void);

// What the first row that has these men says of a position with chess's pieces and nobody in check.
PatternFound patterns_find(const Position *pos);

// The evaluation for the side to move, as the search counts it, with what is known.
int patterns_correct(const Position *pos, int value);

// May patterns_correct change anything?
static inline bool patterns_may_know(const Position *pos)
{
    return bit_count(position_occupied(pos)) <= PATTERN_MEN_MAX && pos->rules->can_use_tablebases;
}

#endif
