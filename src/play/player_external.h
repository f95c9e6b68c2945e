// What all external engines have in common: a process that is started with the first game, never
// trusted, and started anew after a fault. player_uci.c and player_xboard.c speak to it.
#ifndef LOVAC_PLAY_PLAYER_EXTERNAL_H
#define LOVAC_PLAY_PLAYER_EXTERNAL_H

#include "base/process.h"
#include "play/player.h"

enum { EXTERNAL_LINE_SIZE = 4096 };

// Every external player begins with this.
typedef struct External {
    Player player;
    Process *process; // NULL when not running
} External;

// Starts the command of the description.
bool external_start(External *external, Error *error);

// Ends the process at once.
void external_stop(External *external);

// Says goodbye, gives it a moment to leave, and ends it.
void external_quit(External *external);

// Writes text within the player's patience; false when nobody reads it.
bool external_send(External *external, const char *text);

// The moment so many milliseconds from now, as process_read_line wants it.
int64_t external_in_ms(int64_t ms);

// Names the player and what it did; returns the fault.
PlayerFault external_blame(const External *external, PlayerFault fault, const char *what,
                           Error *error);

// Gets a process ready for a game by `get_ready`, which starts one if there is none. It may have
// died between two games: one fresh start is fair.
typedef PlayerFault ExternalReady(External *external, const Rules *rules, Error *error);
PlayerFault external_new_game(External *external, ExternalReady *get_ready, const Rules *rules,
                              Error *error);

#endif
