// The list of all players of this program, for the commands: the kinds of src/play, the agents of
// the laboratory where it is built, and the user's own engines.
#ifndef LOVAC_APP_PLAYERS_H
#define LOVAC_APP_PLAYERS_H

#include <stddef.h>

#include "play/player_list.h"

// `path`: the file of --engines; NULL: engines.conf in the user's configuration folder, if it is
// there. False, with the reason and nothing to release, when it cannot be read.
bool players_open(PlayerList *list, const char *path, Error *error);

// The kinds, a line each, then what can be chosen by name: for `lovac play` and help.
void players_print(const PlayerList *list);

// Joins the rows of the laboratory: players_lab.c
void players_join_lab(PlayerList *list);

#endif
