// Document T's agent: minimax with alpha-beta (White the largest value, Black the smallest),
// captures first by what the exchange gains, and at the end of its depth a limited search of
// captures: only if the last move captured, for few levels, not when one side is far ahead.
// Stalemate counts as mate and a quick mate no more than a slow one, as in the document. Start with
// `alpha_beta` in t.c.
#ifndef LOVAC_LAB_AGENTS_T_H
#define LOVAC_LAB_AGENTS_T_H

#include "lab/agents/agent.h"

enum { T_DEPTH = 4 };

typedef struct TSettings {
    int captures; // 0 or 1: the capture search
    int levels;   // its last level: 5, so that at most six captures follow each other
    int lead;     // no capture search when the value is beyond this: 1100
    int order;    // 0 or 1: captures ordered by gain (they come first in any case)
    int cuts;     // 0 or 1: alpha-beta; else plain minimax
} TSettings;

TSettings t_settings(void);

// Searches to task->depth. The score of a side without moves is 10000, for mate and stalemate.
void t_search(const TSettings *settings, const AgentTask *task, AgentReport *report);

Player *t_player(const PlayerSpec *spec, Engine *engine, Error *error);
bool t_check(const PlayerSpec *spec, Error *error);

#endif
