// Draws and ends of the game inside the search.
#ifndef LOVAC_ENGINE_ENDS_H
#define LOVAC_ENGINE_ENDS_H

#include "engine/search.h"

// A draw score that is never quite the same, so that the search does not settle on one drawn line.
int ends_draw_score(const Worker *worker);

// Could the side to move play into an earlier position at once?
bool ends_can_repeat(const Worker *worker, const Node *node);

// True, with the score, if the game is over here without looking at the moves.
bool ends_is_over(Worker *worker, const Node *node, int *score);

// What it means to have no move here.
int ends_no_move_score(const Worker *worker, const Node *node);

#endif
