// The makers of the kinds of players; private to src/lab.
#ifndef LOVAC_LAB_PLAYER_INT_H
#define LOVAC_LAB_PLAYER_INT_H

#include "lab/player.h"

Player *player_uci_new(const PlayerSpec *spec, Error *error);
Player *player_xboard_new(const PlayerSpec *spec, Error *error);
Player *player_lovac_new(const PlayerSpec *spec, Error *error);
Player *player_simple_new(const PlayerSpec *spec, Error *error);

// The engine behind a player of kind PLAYER_LOVAC, to change what no option of a player can.
Engine *player_lovac_engine(Player *player);

// Until when an external process may answer: a second and its patience beyond what the limits give
// it.
int64_t player_deadline_ns(const Player *player, const Game *game, const SearchLimits *limits);

// Does a game differ from chess only in its start position, so that every engine can play it from a
// FEN?
bool player_rules_are_plain(const Rules *rules);

#endif
