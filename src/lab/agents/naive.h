// The board a beginner writes: 8 rows of 8 names ("wK", "bp", "--"), as document G began. Row 0 is
// rank 8, as the board is printed. Moves are found by walking from square to square; a move is
// legal if, once made, none of the other side's replies ends on the king, and these replies are all
// generated to find out. Correct, easy to read and very slow: the yardstick for everything else.
// Chess only, without the draws that need the game's past.
#ifndef LOVAC_LAB_AGENTS_NAIVE_H
#define LOVAC_LAB_AGENTS_NAIVE_H

#include "lab/agents/agent.h"

enum { NAIVE_MOVES = 256 }; // no position of chess has more moves than 218

typedef struct NaiveBoard {
    char square[8][8][3];
    bool is_white;                 // to move
    bool can_castle[2][2];         // White, Black; king's side, queen's side
    int passed_row, passed_column; // the square a pawn has just stepped over; row -1: none
} NaiveBoard;

typedef struct NaiveMove {
    int from_row, from_column, to_row, to_column;
    char promotion; // 'Q', 'R', 'B', 'N' or 0
} NaiveMove;

// Sets up a board; false when it is no FEN of chess.
bool naive_from_fen(NaiveBoard *board, const char *fen);

// Writes the moves of the side to move as the pieces go, whether or not the king is left in check.
int naive_moves(const NaiveBoard *board, NaiveMove *moves);

// Writes the legal moves: each of the others is made, and dropped if the king can then be taken.
int naive_legal_moves(NaiveBoard *board, NaiveMove *moves);

// Is the side to move in check?
bool naive_in_check(const NaiveBoard *board);

// Plays a move. To take it back, keep a copy of the board.
void naive_make(NaiveBoard *board, const NaiveMove *move);

// The number of move sequences of that length.
uint64_t naive_perft(NaiveBoard *board, int depth);

// Negamax on this board to task->depth, counting material (9/5/3/3/1).
void naive_search(const AgentTask *task, AgentReport *report);

Player *naive_player(const PlayerSpec *spec, Engine *engine, Error *error);

#endif
