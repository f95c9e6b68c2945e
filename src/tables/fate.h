// How a position ends: what tables of endings store.
#ifndef LOVAC_TABLES_FATE_H
#define LOVAC_TABLES_FATE_H

#include "core/position.h"

// How a position ends with best play and without the fifty-move rule, for the side to move: 0 is a
// draw, else the half-moves to the end (odd: it wins, even: it loses), with a mark where the
// fifty-move rule makes it a draw after all.
typedef uint16_t Fate;
enum { FATE_DRAW = 0, FATE_NONE = 0xffff /* no position */ };

static inline Fate fate_make(int plies, bool is_cursed)
{
    return (Fate)(1 + 2 * plies + is_cursed);
}
static inline int fate_plies(Fate fate)
{
    return (fate - 1) >> 1;
}
static inline bool fate_is_cursed(Fate fate)
{
    return (fate - 1) & 1;
}

// Win, draw and loss with the fifty-move rule, counted from 0, for the side to move.
enum { WDL_LOSS = -2, WDL_BLESSED_LOSS, WDL_DRAW, WDL_CURSED_WIN, WDL_WIN, WDL_NONE = -3 };

static inline int fate_wdl(Fate fate)
{
    if (!fate)
        return WDL_DRAW;
    int wdl = fate_is_cursed(fate) ? 1 : 2;
    return fate_plies(fate) & 1 ? wdl : -wdl;
}

// The order of fates for the side to move: a quick win first, then draws, then slow losses.
int fate_rank(Fate fate);

// The fate of the side that moves to a position with this one.
Fate fate_before(Fate fate);

// The fate when the game is over by what is on the board: no men, or no move.
Fate fate_of_end(const Position *pos);

// Finds the fate of a position.
typedef Fate FateFunction(const void *context, const Position *pos);

// Takes the en passant captures, which no table knows of, into account. `plain` finds the fate
// without them, `after` that of positions after a capture. FATE_NONE of these is passed on.
Fate fate_with_en_passant(const Position *pos, FateFunction *plain, FateFunction *after,
                          const void *context);

#endif
