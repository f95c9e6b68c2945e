// Document D's search: alpha-beta with everything its table A.1 adds in turn, each part switchable:
// check extension, quiescence, null move, principal variation search, a hash table, iterative
// deepening, history moves, MVV-LVA, insertion sort over a window. Its evaluations for chess and
// the five variants are d_evaluate.h; it plays every game. The board is core's, which is the
// document's: bitboards, a1 = bit 0. Start with `alpha_beta` in d.c.
#ifndef LOVAC_LAB_AGENTS_D_H
#define LOVAC_LAB_AGENTS_D_H

#include "lab/agents/agent.h"

typedef enum DLevel { D_EASY, D_MEDIUM, D_HARD } DLevel;

typedef struct DSettings {
    int level;   // DLevel: depth 3, 5, 7
    int hash_mb; // of the table
    // 0 or 1 each
    int check_extension; // a depth more in check; with quiescence only at its threshold
    int quiescence;      // captures at the end; never in Massacre
    int null_move;
    int pvs;
    int table;
    int deepening;
    int history;    // moves that were good before come early: the table's, or else two per ply
    int mvv_lva;    // captures early, by victim and attacker
    int window;     // only these early moves are sorted; else the whole list
    int pseudo;     // pseudo-legal generation, moves tested when they are tried; else legal lists
    int positional; // all terms of the evaluation; else material
} DSettings;

// Everything on, medium.
DSettings d_settings(void);

// The rows of table A.1, each adding to the one before: alpha-beta, quiescence, null move, PVS,
// table.
enum { D_ROWS = 5 };
extern const char *const D_ROW_NAMES[D_ROWS];
DSettings d_row_settings(int row);

int d_depth(int level);

typedef struct D D;

D *d_new(const DSettings *settings, Error *error);
void d_free(D *d);

// Empties the table: before a new game, and before every search whose nodes are to be the same
// again.
void d_forget(D *d);

void d_search(D *d, const AgentTask *task, AgentReport *report);

Player *d_player(const PlayerSpec *spec, Engine *engine, Error *error);
bool d_check(const PlayerSpec *spec, Error *error);

#endif
