// Document M's virtual player: negamax with alpha-beta on a mailbox board, iterative deepening, a
// table that remembers the best move of each position (PV table), captures by MVV-LVA, material and
// squares at the leaves; depth 3 to 5. No quiescence, no draws: the document names the horizon
// effect as its main weakness. Start with `alpha_beta` in m.c.
#ifndef LOVAC_LAB_AGENTS_M_H
#define LOVAC_LAB_AGENTS_M_H

#include "lab/agents/agent.h"
#include "lab/agents/m_board.h"

enum { M_DEPTH = 3, M_DEPTH_MOST = 5 };

typedef struct MSettings {
    int pv_first; // 0 or 1: the move of the PV table is tried first
    int mvv_lva;  // 0 or 1: captures are ordered
    int table_kb; // of the PV table
} MSettings;

MSettings m_settings(void);

typedef struct M M;

M *m_new(const MSettings *settings, Error *error);
void m_free(M *m);

// Searches depths 1 to task->depth; the PV table begins empty.
void m_search(M *m, const AgentTask *task, AgentReport *report);

// Material and squares, for the side to move.
int m_evaluate(const MBoard *board);

// Most valuable victim, least valuable attacker: the order of a capture. PxQ 505, QxP 101, PxP 105.
int m_mvv_lva(const MBoard *board, MMove move);

Player *m_player(const PlayerSpec *spec, Engine *engine, Error *error);
bool m_check(const PlayerSpec *spec, Error *error);

#endif
