// The textbook agents as players: a row each, its work in a file beside this one. app/players.c
// joins them to the list of all players.
#ifndef LOVAC_LAB_AGENTS_AGENTS_H
#define LOVAC_LAB_AGENTS_AGENTS_H

#include "play/player.h"

extern const PlayerKind AGENT_KINDS[]; // ends with {0}

#endif
