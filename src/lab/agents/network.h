// Document K's players: its minimax of two depths (twodepth.h) alone, the same with a network whose
// output is added to its evaluation, and the 'full network', which reads the board and names
// the move itself. The networks are DNA files (lab/brain/brain.h), as `lovac evolve` writes them.
#ifndef LOVAC_LAB_AGENTS_NETWORK_H
#define LOVAC_LAB_AGENTS_NETWORK_H

#include "lab/brain/brain.h"
#include "play/player.h"

// The three as kinds of players; see agents.c for their keys.
Player *twodepth_player_new(const PlayerSpec *spec, Engine *engine, Error *error);
Player *network_player_new(const PlayerSpec *spec, Engine *engine, Error *error);
Player *fullnet_player_new(const PlayerSpec *spec, Engine *engine, Error *error);

// They know chess alone.
bool network_plays(const Rules *rules);

// ---- The full network's language ----

// Sets 64 inputs: the men as the side to move sees them, -6 to 6, a1 first.
void fullnet_set_board(Brain *brain, const Position *pos);

// What names a move: four outputs as in the document, rank and file it begins on, rank and file it
// ends on, k as tanh(0.1 k + 0.05); or, beyond the document, an output for each square to begin on
// and to end on. All as the side to move sees it.
enum { FULLNET_PARTS = 4, FULLNET_SQUARES = 128 };

// The outputs (so many) that name this move.
void fullnet_targets(const Position *pos, Move move, int outputs, double *targets);

// The move that the outputs name, MOVE_NONE when it is none or not legal.
Move fullnet_named_move(const Position *pos, int outputs, const double *values);

// The legal move nearest to what the outputs name.
Move fullnet_nearest_move(const Position *pos, int outputs, const double *values);

#endif
