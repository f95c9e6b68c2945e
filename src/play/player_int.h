// What the kinds of players share; private to src/play.
#ifndef LOVAC_PLAY_PLAYER_INT_H
#define LOVAC_PLAY_PLAYER_INT_H

#include "play/player.h"

// The makers of the rows.
Player *player_engine_new(const PlayerSpec *spec, Engine *engine, Error *error);
Player *player_uci_new(const PlayerSpec *spec, Engine *engine, Error *error);
Player *player_xboard_new(const PlayerSpec *spec, Engine *engine, Error *error);
Player *player_simple_new(const PlayerSpec *spec, Error *error);

// Are level, elo and skill of a description, if there are any, what they may be?
bool player_engine_check(const PlayerSpec *spec, Error *error);

// The movers of player_simple.c.
SimpleChooser random_choose, greedy_choose;

// player_spec_parse with these kinds, of which the first that has the name counts.
bool player_spec_parse_as(PlayerSpec *spec, const PlayerKind *const *kinds, int count,
                          const char *text, const PlayerLimits *defaults, Error *error);

// Until when an external process may answer: a second and its patience beyond what the limits give
// it.
int64_t player_deadline_ns(const Player *player, const Game *game, const SearchLimits *limits);

// Does a game differ from chess only in its start position, so that every engine can play it from a
// FEN?
bool player_rules_are_plain(const Rules *rules);

// Fills in a fault and what was said with it.
void player_fail(PlayerMove *answer, PlayerFault fault, const char *detail);

#endif
