// The board as text for a terminal: in colour with chess figures, or plain.
#ifndef LOVAC_APP_BOARD_VIEW_H
#define LOVAC_APP_BOARD_VIEW_H

#include "core/position.h"

#include <stddef.h>

typedef struct BoardView {
    bool has_color;   // coloured squares, else the last move is shown in brackets and check by !
    bool has_unicode; // chess figures, else letters
    bool is_flipped;  // Black's side below
    Move last_move;   // marked; MOVE_NONE for none
} BoardView;

enum { BOARD_TEXT_SIZE = 8192 }; // room for any board, with its final 0

// What the terminal behind `out` can show: colour unless NO_COLOR or TERM=dumb forbid it, figures
// in UTF-8.
BoardView board_view_for(int file_descriptor);

// The letter of a man, as in a FEN.
char board_view_letter(Piece piece);

// Writes the board, one line a rank, with coordinates.
void board_view_draw(const BoardView *view, const Position *pos, char text[BOARD_TEXT_SIZE]);

#endif
