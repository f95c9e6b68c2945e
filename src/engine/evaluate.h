// The value of a position without search, behind one small interface: a hand-written evaluation
// (hand.h), or a network where one is loaded. An Evaluator belongs to one thread.
#ifndef LOVAC_ENGINE_EVALUATE_H
#define LOVAC_ENGINE_EVALUATE_H

#include "engine/hand.h"
#include "engine/nnue.h"
#include "engine/tunables.h"

typedef struct Evaluator {
    const HandSetup *hand; // of the game at hand
    NnueStack *nnue;   // of the game at hand; NULL: no network, the hand-written evaluation counts
    bool adds_to_hand; // the network's value is added to the hand-written evaluation's
    int vector_code;   // of nnue_stack_new; 0: the best of this processor
    const Tunables *tunables; // tuning build
    PawnCache pawns;
    Net *nets[VARIANT_COUNT];         // the engine's, read only
    NnueStack *stacks[VARIANT_COUNT]; // the evaluator's own, for every network in use
} Evaluator;

// Which network serves a game: its own, or for other starts of chess (Chess960, Corner, Fortress)
// that of chess. Index into a
// list of networks by variant; -1 for none.
int evaluator_net_index(const Rules *rules, Net *const nets[VARIANT_COUNT]);

// Makes the stacks for a list of networks (entries may be NULL), keeping those that have not
// changed. On failure the evaluator is as before.
bool evaluator_set_nets(Evaluator *evaluator, Net *const nets[VARIANT_COUNT], Error *error);
void evaluator_release(Evaluator *evaluator);

// Begins at a new root.
void evaluator_reset(Evaluator *evaluator, const Position *pos);

// Centipawns for the side to move, not in check, within ±SCORE_EVAL_LIMIT.
int evaluate(Evaluator *evaluator, const Position *pos);

// The same as the search counts it, and back, for people: where a network alone judges, scores are
// bent (score_bend), but for endings in which the hand-written evaluation knows the way to the
// mate.
int evaluate_for_search(Evaluator *evaluator, const Position *pos);
int evaluator_told(const Evaluator *evaluator, int score);

// What evaluate() makes of this network's value; one that adds to the hand-written evaluation has
// its scale.
int evaluate_scaled(const Net *net, int value);

// Does evaluate() ask the network (NULL: there is none) in this position?
bool evaluate_uses_net(const Net *net, const Position *pos);

// The same value as evaluate(), slowly and without an evaluator. For tests and single positions.
int evaluate_once(const Net *net, const Position *pos);

// Tell the evaluator of every move made and unmade, null moves included (MOVE_NONE), before `pos`
// changes.
static inline void evaluator_push(Evaluator *evaluator, const Position *pos, Move move)
{
    if (!evaluator->nnue)
        return;
    if (move)
        nnue_push(evaluator->nnue, pos, move);
    else
        nnue_push_null(evaluator->nnue);
}
static inline void evaluator_pop(Evaluator *evaluator)
{
    if (evaluator->nnue)
        nnue_pop(evaluator->nnue);
}

#endif
