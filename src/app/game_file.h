// A single game to and from a PGN file, for the terminal game.
#ifndef LOVAC_APP_GAME_FILE_H
#define LOVAC_APP_GAME_FILE_H

#include "core/game.h"

// Writes the game with its tags, replacing the file in one step.
bool game_file_save(const Game *game, const char *white, const char *black, const char *path,
                    Error *error);

// Reads the main line of the first game of a file, with the caller's room for the moves. False,
// with the reason, when there is no game in it. A game that is damaged is read up to the damage:
// then `error` says what it was, with its line; else its text is empty.
bool game_file_load(Game *game, GameStep *steps, int capacity, const char *path, Error *error);

#endif
