// The evaluation as the search sees it.
#include "engine/evaluate.h"

#include <string.h>

#include "engine/patterns.h"

int evaluator_net_index(const Rules *rules, Net *const nets[VARIANT_COUNT])
{
    int own = (int)(rules - VARIANTS);
    if (nets[own])
        return own;
    return rules->is_orthodox && nets[VARIANT_CHESS] ? VARIANT_CHESS : -1;
}

bool evaluator_set_nets(Evaluator *e, Net *const nets[VARIANT_COUNT], Error *error)
{
    NnueStack *made[VARIANT_COUNT] = {NULL};
    for (int v = 0; v < VARIANT_COUNT; v++) {
        if (!nets[v] || nets[v] == e->nets[v])
            continue;
        made[v] = nnue_stack_new(nets[v], MAX_PLY + 8, e->vector_code, error);
        if (!made[v]) {
            while (v-- > 0)
                nnue_stack_free(made[v]);
            return false;
        }
    }
    for (int v = 0; v < VARIANT_COUNT; v++) {
        if (nets[v] == e->nets[v])
            continue;
        nnue_stack_free(e->stacks[v]);
        e->stacks[v] = made[v];
        e->nets[v] = nets[v];
    }
    e->nnue = NULL;
    return true;
}

void evaluator_release(Evaluator *e)
{
    for (int v = 0; v < VARIANT_COUNT; v++)
        nnue_stack_free(e->stacks[v]);
    memset(e->stacks, 0, sizeof e->stacks);
}

void evaluator_reset(Evaluator *e, const Position *pos)
{
    int index = evaluator_net_index(pos->rules, e->nets);
    e->hand = hand_setup(pos->rules);
    e->nnue = index < 0 ? NULL : e->stacks[index];
    e->adds_to_hand = e->nnue && e->nets[index]->info.adds_to_hand;
    if (e->nnue)
        nnue_reset(e->nnue);
}

// Pieces against a bare king: the hand-written evaluation knows the way to the mate, and the games
// a network learned from were adjudicated before it.
static bool is_mating_ending(const Position *pos)
{
    return !pos->by_type[PAWN] && pos->rules->has_dead_draw &&
           (!bit_many(pos->by_color[WHITE]) || !bit_many(pos->by_color[BLACK]));
}

static int limited(int value)
{
    return value > SCORE_EVAL_LIMIT    ? SCORE_EVAL_LIMIT
           : value < -SCORE_EVAL_LIMIT ? -SCORE_EVAL_LIMIT
                                       : value;
}

int evaluate(Evaluator *e, const Position *pos)
{
    if (!e->nnue || is_mating_ending(pos))
        return hand_evaluate(e->hand, &e->pawns, pos);
    const int value = nnue_evaluate(e->nnue, pos);
    return limited(e->adds_to_hand ? value + hand_evaluate(e->hand, &e->pawns, pos)
                                   : value * TUNED(e, NetScale) / 100);
}

int evaluate_for_search(Evaluator *e, const Position *pos)
{
    int value = evaluate(e, pos);
    if (e->nnue && !e->adds_to_hand && !is_mating_ending(pos))
        value = score_bend(value);
    return patterns_may_know(pos) ? patterns_correct(pos, value) : value;
}

int evaluator_told(const Evaluator *e, int score)
{
    return e->nnue && !e->adds_to_hand ? score_unbend(score) : score;
}

int evaluate_scaled(const Net *net, int value)
{
    return net->info.adds_to_hand ? value : value * TUNABLE_DEFAULTS.NetScale / 100;
}

bool evaluate_uses_net(const Net *net, const Position *pos)
{
    return net && !is_mating_ending(pos);
}

int evaluate_once(const Net *net, const Position *pos)
{
    const bool uses_net = evaluate_uses_net(net, pos);
    int value = uses_net ? evaluate_scaled(net, nnue_evaluate_once(net, pos)) : 0;
    if (!uses_net || net->info.adds_to_hand)
        value += hand_evaluate(hand_setup(pos->rules), NULL, pos);
    return limited(value);
}
