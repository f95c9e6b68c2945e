// The evaluation as the search sees it.
#include "engine/evaluate.h"

void evaluator_reset(Evaluator *evaluator, const Position *pos) { evaluator->hand = hand_setup(pos->rules); }

int evaluate(Evaluator *evaluator, const Position *pos)
{
    return hand_evaluate(evaluator->hand, &evaluator->pawns, pos);
}
