// Trees as PGN and back: variations, comments, glyphs, arrows and circles ([%cal], [%csl]) and
// clocks ([%clk]).
#ifndef LOVAC_SERVER_PGN_TREE_H
#define LOVAC_SERVER_PGN_TREE_H

#include "core/pgn.h"
#include "server/room.h"

// The whole room as one game of PGN, which the caller frees; NULL when there is no memory.
char *pgn_tree_write(const Room *room, Error *error);

// Reads the moves of a game into a new tree; false (with the reason) when it has no start position
// or there is no memory. What does not fit into a tree is left out.
bool pgn_tree_read(const PgnGame *game, Tree *tree, Error *error);

// A game of a text in memory; use pgn_text_next until it returns NULL.
typedef struct PgnText PgnText;

// `text` must live as long as the reader; `problems` gets every complaint, and may be NULL.
PgnText *pgn_text_open(const char *text, size_t size, PgnReport *problems, void *context);
PgnGame *pgn_text_next(PgnText *text);

// Begins anew with another text.
void pgn_text_begin(PgnText *reader, const char *text, size_t size);
void pgn_text_close(PgnText *text);

#endif
