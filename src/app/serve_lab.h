// The experiments of the laboratory page, made of lab and engine: a row of ROWS in serve_lab.c for
// each, its work in a file serve_lab_*.c of its own.
#ifndef LOVAC_APP_SERVE_LAB_H
#define LOVAC_APP_SERVE_LAB_H

#include "play/player_list.h"
#include "server/experiment.h"

enum { SERVE_EXPERIMENTS_MAX = 16 };

typedef struct ServeLab {
    Experiment list[SERVE_EXPERIMENTS_MAX];
    int count;
} ServeLab;

// All experiments; the list has the players of matches and must last as long.
void serve_lab_init(ServeLab *lab, const PlayerList *players);

// Nodes to each depth, of the engine and of plain alpha-beta: serve_lab_depth.c
extern const Experiment LAB_DEPTH;

// Counts of move sequences: serve_lab_perft.c
extern const Experiment LAB_PERFT;

// Games between two players: serve_lab_match.c. Its context is the PlayerList.
extern const Experiment LAB_MATCH;

#endif
