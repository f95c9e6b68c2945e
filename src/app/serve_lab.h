// The experiments of the laboratory page: those with choices of their own, a row of ROWS in
// serve_lab.c for each and its work in a file serve_lab_*.c, and all of `lovac lab`.
#ifndef LOVAC_APP_SERVE_LAB_H
#define LOVAC_APP_SERVE_LAB_H

#include "lab/experiments/experiment.h"
#include "play/player_list.h"
#include "server/experiment.h"

enum { SERVE_EXPERIMENTS_MAX = 32 };

// An experiment of `lovac lab` and whom it may let play.
typedef struct ServeLabRow {
    const LabExperiment *experiment;
    const PlayerList *players;
} ServeLabRow;

typedef struct ServeLab {
    Experiment list[SERVE_EXPERIMENTS_MAX];
    ServeLabRow rows[SERVE_EXPERIMENTS_MAX];
    int count;
} ServeLab;

// All experiments; the list has the players of matches. List and `lab` must last as long as the
// server, and stay where they are.
void serve_lab_init(ServeLab *lab, const PlayerList *players);

// Nodes to each depth, of the engine and of plain alpha-beta: serve_lab_depth.c
extern const Experiment LAB_DEPTH;

// Counts of move sequences: serve_lab_perft.c
extern const Experiment LAB_PERFT;

// Games between two players: serve_lab_match.c. Its context is the PlayerList.
extern const Experiment LAB_MATCH;

// Networks bred in a league: serve_lab_league.c
extern const Experiment LAB_LEAGUE;

// A step of the class beside the one before it: serve_lab_steps.c
extern const Experiment LAB_STEPS;

// An experiment of `lovac lab` for the page: serve_lab_rows.c. The row must stay where it is.
void serve_lab_row(const ServeLabRow *row, Experiment *experiment);

#endif
