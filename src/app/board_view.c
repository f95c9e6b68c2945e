// See board_view.h.
#include "app/board_view.h"

#include "base/console.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Figures by Piece: the outlined ones are White's on a plain background; in colour both sides have
// the full figure and the ink tells them apart.
static const char *const FIGURES[PIECE_COUNT] = {"♙", "♟", "♘", "♞", "♗", "♝",
                                                 "♖", "♜", "♕", "♛", "♔", "♚"};
static const char LETTERS[] = "PpNnBbRrQqKk";

// Backgrounds of the 256-colour palette, [dark][mark]: of the few between white and black ink on
// which both can be read, at 3:1 or more (the least that is asked of signs).
enum { MARK_NONE, MARK_MOVED, MARK_CHECK, MARK_COUNT };
static const int BACKGROUND[2][MARK_COUNT] = {{137, 65, 167}, {94, 29, 160}};
static const int INK[2] = {231, 16};

BoardView board_view_for(int file_descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool plain = (no_color && *no_color) || !terminal || strcmp(terminal, "dumb") == 0;
    return (BoardView){.has_color = isatty(file_descriptor) && !plain,
                       .has_unicode = console_has_utf8()};
}

char board_view_letter(Piece piece)
{
    return LETTERS[piece];
}

static int mark_of(const BoardView *view, const Position *pos, Square s)
{
    if (position_in_check(pos) && position_has_king(pos, pos->side) &&
        s == position_king(pos, pos->side))
        return MARK_CHECK;
    Move m = view->last_move;
    return m != MOVE_NONE && (s == move_from(m) || s == move_to(m)) ? MARK_MOVED : MARK_NONE;
}

static void add_figure(Str *str, const BoardView *view, Piece piece)
{
    if (!view->has_unicode)
        str_add_char(str, LETTERS[piece]);
    else
        str_add(str, FIGURES[view->has_color ? piece | 1 : piece]);
}

static void add_color_square(Str *str, const BoardView *view, Piece piece, bool dark, int mark)
{
    str_format(str, "\033[48;5;%dm ", BACKGROUND[dark][mark]);
    if (piece == NO_PIECE) {
        str_add(str, " ");
    } else {
        str_format(str, "\033[%s38;5;%dm", view->has_unicode ? "" : "1;", INK[piece_color(piece)]);
        add_figure(str, view, piece);
    }
    str_add(str, " ");
}

static void add_plain_square(Str *str, const BoardView *view, Piece piece, bool dark, int mark)
{
    static const char LEFT[] = " [!", RIGHT[] = " ]!";
    str_add_char(str, LEFT[mark]);
    if (piece != NO_PIECE)
        add_figure(str, view, piece);
    else if (view->has_unicode)
        str_add(str, dark ? "·" : " ");
    else
        str_add_char(str, dark ? '.' : ' ');
    str_add_char(str, RIGHT[mark]);
}

static void add_files(Str *str, bool is_flipped)
{
    str_add(str, "   ");
    for (int i = 0; i < 8; i++)
        str_format(str, " %c ", is_flipped ? 'h' - i : 'a' + i);
    str_add(str, "\n");
}

void board_view_draw(const BoardView *view, const Position *pos, char text[BOARD_TEXT_SIZE])
{
    Str str;
    str_init(&str, text, BOARD_TEXT_SIZE);
    for (int row = 0; row < 8; row++) {
        int rank = view->is_flipped ? row : 7 - row;
        str_format(&str, " %d ", rank + 1);
        for (int column = 0; column < 8; column++) {
            Square s = square_make(view->is_flipped ? 7 - column : column, rank);
            bool dark = DARK_SQUARES >> s & 1;
            int mark = mark_of(view, pos, s);
            if (view->has_color)
                add_color_square(&str, view, pos->board[s], dark, mark);
            else
                add_plain_square(&str, view, pos->board[s], dark, mark);
        }
        str_add(&str, view->has_color ? "\033[0m\n" : "\n");
    }
    add_files(&str, view->is_flipped);
}
