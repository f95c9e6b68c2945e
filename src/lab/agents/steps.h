// The first steps of every chess program: minimax, negamax, and alpha-beta without any ordering of
// the moves. All three look at the same tree to the same depth, count material (9/5/3/3/1) at its
// leaves, and find the same value and move; what differs is how they write it down and how many
// positions they look at. The rules are core's, so they play every variant.
// Read them in the order of steps.c; material.h is the next step, alpha-beta with captures first.
#ifndef LOVAC_LAB_AGENTS_STEPS_H
#define LOVAC_LAB_AGENTS_STEPS_H

#include "lab/agents/agent.h"

typedef enum StepMethod { STEP_MINIMAX, STEP_NEGAMAX, STEP_ALPHA_BETA, STEP_COUNT } StepMethod;

// Searches to task->depth; of equally good moves the first generated one is played.
void steps_search(StepMethod method, const AgentTask *task, AgentReport *report);

// The rows of the list.
Player *minimax_player(const PlayerSpec *spec, Engine *engine, Error *error);
Player *negamax_player(const PlayerSpec *spec, Engine *engine, Error *error);
Player *alpha_beta_player(const PlayerSpec *spec, Engine *engine, Error *error);

#endif
