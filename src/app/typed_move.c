// See typed_move.h.
#include "app/typed_move.h"

#include "core/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TYPED_SIZE = 16 };

// Small letters, without dashes between squares: E7-E5 is e7e5.
static void lower(const char *text, char to[TYPED_SIZE])
{
    size_t n = 0;
    for (; *text && n + 1 < TYPED_SIZE; text++)
        if (*text != '-')
            to[n++] = (char)tolower((unsigned char)*text);
    to[n] = 0;
}

// nf3 with the letter of the man as it should be; a move of a pawn that promotes gets a large one
// behind: e8q.
static bool capitalise(char text[TYPED_SIZE])
{
    size_t length = strlen(text);
    if (!length)
        return false;
    if (strchr("nbrqk", text[0])) {
        text[0] = (char)toupper((unsigned char)text[0]);
        return true;
    }
    char *last = &text[length - 1];
    if (length < 3 || !strchr("nbrq", *last))
        return false;
    *last = (char)toupper((unsigned char)*last);
    return true;
}

static Move castling(const Position *pos, const char *text)
{
    char small[TYPED_SIZE];
    lower(text, small); // without its dashes
    for (char *c = small; *c; c++)
        if (*c == '0')
            *c = 'o';
    if (!strcmp(small, "oo"))
        return move_from_san(pos, "O-O", NULL);
    return strcmp(small, "ooo") ? MOVE_NONE : move_from_san(pos, "O-O-O", NULL);
}

Move move_from_typing(const Position *pos, const char *text, Error *error)
{
    char small[TYPED_SIZE];
    Move move = move_from_san(pos, text, error);
    if (move == MOVE_NONE)
        move = castling(pos, text);
    lower(text, small);
    if (move == MOVE_NONE)
        move = move_from_san(pos, small, NULL);
    if (move == MOVE_NONE && capitalise(small))
        move = move_from_san(pos, small, NULL);
    return move;
}
