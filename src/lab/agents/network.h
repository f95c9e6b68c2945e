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

// The four outputs that name a move: rank and file it begins on, rank and file it ends on, as the
// side to move sees them, k as tanh(0.1 k + 0.05).
void fullnet_targets(const Position *pos, Move move, double targets[4]);

// The move that four outputs name, MOVE_NONE when it is none or not legal.
Move fullnet_named_move(const Position *pos, const double outputs[4]);

// The legal move nearest to what four outputs name.
Move fullnet_nearest_move(const Position *pos, const double outputs[4]);

#endif
