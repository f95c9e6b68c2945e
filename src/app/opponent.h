// Lovac as an opponent in the terminal game: an engine with a strength and a time for each move.
#ifndef LOVAC_APP_OPPONENT_H
#define LOVAC_APP_OPPONENT_H

#include "core/game.h"
#include "engine/engine.h"

typedef struct Opponent {
    Engine *engine; // made when it is first needed
    int elo;        // 0: full strength
    int64_t time_ms;
    bool is_humane; // below full strength it takes its time, as a person does
    int last_score; // of the last move it chose, from its own side
} Opponent;

enum { OPPONENT_TEXT_SIZE = 64 };

// Full strength, a second a move; no engine yet.
void opponent_init(Opponent *opponent);
void opponent_release(Opponent *opponent);

// Chooses a move for the side to move; `text` tells what it thinks ("+0.31, depth 14"). False when
// there is no memory for an engine.
bool opponent_choose(Opponent *opponent, const Game *game, Move *move,
                     char text[OPPONENT_TEXT_SIZE], Error *error);

// Does it accept a draw now? Not when it hopes for more.
bool opponent_accepts_draw(const Opponent *opponent, const Game *game);

// Forgets the last game.
void opponent_new_game(Opponent *opponent);

#endif
