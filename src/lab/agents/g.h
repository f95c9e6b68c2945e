// Document G's engine: negamax with alpha-beta on bitboards, iterative deepening with the principal
// variation first, captures by MVV-LVA, two killers, a transposition table, a quiescence search,
// the simplified evaluation; depth 10. Every method can be switched off, to see what it is worth,
// and three that the document does not mention can be switched on, to see whether they explain its
// figures. Start with g_search in g.c.
#ifndef LOVAC_LAB_AGENTS_G_H
#define LOVAC_LAB_AGENTS_G_H

#include "lab/agents/agent.h"

enum { G_DEPTH = 10 };

typedef struct GSettings {
    int hash_mb; // of the transposition table
    // 0 or 1; the document's methods, all on.
    int quiescence, table, pv, mvv_lva, killers;
    // 0 or 1; not in the document, all off: the table's move is tried first, passing must not be
    // too good (null move, two half-moves less), late quiet moves are searched one half-move less.
    int hash_move, null_move, reductions;
} GSettings;

GSettings g_settings(void);

typedef struct G G;

// NULL, with the reason, when memory is short.
G *g_new(const GSettings *settings, Error *error);
void g_free(G *g);

// Forgets what the table holds: before a new game, and before every search whose nodes are to be
// the same again.
void g_forget(G *g);

// Searches depths 1 to task->depth. Repetitions with positions of task->game count too.
void g_search(G *g, const AgentTask *task, AgentReport *report);

Player *g_player(const PlayerSpec *spec, Engine *engine, Error *error);

// Are the options of a description right?
bool g_check(const PlayerSpec *spec, Error *error);

#endif
