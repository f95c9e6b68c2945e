// The value of a position without search, behind one small interface: a hand-written evaluation (hand.h), or
// a network where one is loaded. An Evaluator belongs to one thread.
#ifndef LOVAC_ENGINE_EVALUATE_H
#define LOVAC_ENGINE_EVALUATE_H

#include "engine/hand.h"

typedef struct Evaluator {
    const HandSetup *hand; // of the game at hand
    PawnCache pawns;
} Evaluator;

// Forgets what belongs to the last position; call before a search from a new root.
void evaluator_reset(Evaluator *evaluator, const Position *pos);

// Centipawns for the side to move, not in check, within ±SCORE_EVAL_LIMIT.
int evaluate(Evaluator *evaluator, const Position *pos);

// Tell the evaluator of every move made and unmade, null moves included (MOVE_NONE), before `pos` changes.
static inline void evaluator_push(Evaluator *evaluator, const Position *pos, Move move)
{
    (void)evaluator, (void)pos, (void)move;
}
static inline void evaluator_pop(Evaluator *evaluator) { (void)evaluator; }

#endif
