// One game between two players: clocks, faults, adjudication, and what each move cost.
#ifndef LOVAC_PLAY_MATCH_GAME_H
#define LOVAC_PLAY_MATCH_GAME_H

#include <stdatomic.h>

#include "core/game.h"
#include "play/player.h"

enum { OPENING_PLIES_MAX = 200 };

// A start position and the moves from it that the players must accept.
typedef struct Opening {
    Position start;
    Move moves[OPENING_PLIES_MAX];
    int count;
    bool has_number; // start is start position `number` of its game
    uint64_t number;
} Opening;

// When a game is ended before its end. Both players' scores must agree, but for resigning.
typedef struct Adjudication {
    int draw_from_move, draw_moves,
        draw_score;           // from that move on, so many moves within ±score; 0 moves: never
    int win_moves, win_score; // so many moves beyond ±score; 0 moves: never
    int resign_moves, resign_score; // a side gives up after so many moves of its own so far behind,
                                    // whatever the other thinks; 0 moves: never
    int moves_max;                  // then it is a draw; 0: only by the rules
} Adjudication;

// Draw from move 40 after 8 moves within 8 centipawns, win after 4 moves beyond 1000.
Adjudication adjudication_default(void);

// What a player said about a move.
typedef struct PlyNote {
    int16_t score; // for the side to move, or SCORE_NONE
    uint16_t depth;
    uint32_t time_ms;
    uint64_t nodes;
} PlyNote;

typedef struct MatchGame {
    Game game;
    GameStep *steps;
    PlyNote *notes; // one for each half-move
    int capacity;
    int opening_plies; // played before the players were asked
    PlayerFault fault; // what ended the game, if anything did
    Color faulty;
    char detail[96];
} MatchGame;

// Room for a game of that many half-moves.
bool match_game_init(MatchGame *game, int capacity, Error *error);
void match_game_release(MatchGame *game);

// Plays a game from the opening. players[WHITE] and players[BLACK] differ. `margin_ms` is forgiven
// beyond the clock. Returns false when `stop` became true before the end: the game is then to be
// forgotten.
bool match_game_play(MatchGame *game, Player *players[2], const Opening *opening,
                     const Adjudication *adjudication, int64_t margin_ms, uint64_t seed,
                     const atomic_bool *stop);

#endif
