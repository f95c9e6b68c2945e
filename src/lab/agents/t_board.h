// Document T's board: an 8x8 matrix that points to pieces, a list of the pieces, a stack of the
// moves made, the value of the position, kept up to date by make and take-back, and a pointer to
// each king, so that check is tested quickly. A piece knows its colour, its place, its value and
// whether it has moved. As in the document a pawn always becomes a queen. Chess only.
#ifndef LOVAC_LAB_AGENTS_T_BOARD_H
#define LOVAC_LAB_AGENTS_T_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { T_MOVES_MAX = 256, T_STACK_MAX = 128 };

typedef struct TPiece {
    char name; // P N B R Q K
    bool is_white, has_moved, is_taken;
    int x, y; // a1 is 0, 0
} TPiece;

typedef struct TMove {
    TPiece *piece;
    int from_x, from_y, to_x, to_y;
    TPiece *captured;               // NULL: none
    TPiece *rook;                   // castling: the other half of the move; NULL: none
    bool had_moved, rook_had_moved; // before, for the take-back
    bool is_promotion;              // to a queen
    int passed_x, passed_y;         // en passant square before
} TMove;

typedef struct TBoard {
    TPiece pieces[64], *square[8][8]; // by x, y; NULL: empty
    int piece_count;
    TPiece *king[2]; // of Black, of White
    TMove stack[T_STACK_MAX];
    int move_count;
    int value;              // White's men less Black's
    int passed_x, passed_y; // the square a pawn has just stepped over; x -1: none
    bool is_white;          // to move
} TBoard;

// P 100, N 300, B 300, R 500, Q 1000, K 0.
int t_value(char name);

// Sets up a board; false when it is no FEN of chess.
bool t_from_fen(TBoard *board, const char *fen);

// Writes the legal moves, those that capture in front.
int t_moves(TBoard *board, TMove *moves);

void t_make(TBoard *board, const TMove *move);
void t_take_back(TBoard *board);

// Is the king of that colour attacked?
bool t_in_check(const TBoard *board, bool is_white);

// e2e4, e7e8q.
void t_write_move(const TMove *move, char text[6]);

uint64_t t_perft(TBoard *board, int depth);

#endif
