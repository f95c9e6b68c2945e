// Opening books from Lovac's own analysis: a tree grows from the start of a game. The position that
// is most likely to be met among those not searched yet is searched next, with several lines; what
// the search says is carried back, so that a move is worth what the tree behind it is worth. Moves
// that lose little beside the best become the book's, the better the heavier.
#ifndef LOVAC_PLAY_BOOK_GROW_H
#define LOVAC_PLAY_BOOK_GROW_H

#include <stdatomic.h>

#include "base/progress.h"
#include "tables/book_make.h"

typedef struct GrowConfig {
    Position start;
    int positions;           // to be searched
    uint64_t nodes;          // for each
    int lines;               // moves looked at in each, at most GROW_LINES_MAX
    int margin;              // centipawns that a move may lose
    int max_ply;             // half-moves from the start
    int decided;             // centipawns: positions beyond need no book
    int threads;             // the same book comes out with any number
    const atomic_bool *stop; // may be NULL: what was grown until then is the book
    Progress *progress;      // may be NULL; counts positions
} GrowConfig;

enum { GROW_LINES_MAX = 16 };

// Grows a tree and adds the moves of all positions searched to a book.
bool book_grow(const GrowConfig *config, BookMaker *maker, Error *error);

#endif
