// Making opening books: moves with counts and points are gathered in any order, then written as a
// Polyglot file. Points become weights; where they are too many for 16 bits all moves of the
// position are scaled down together.
#ifndef LOVAC_TABLES_BOOK_MAKE_H
#define LOVAC_TABLES_BOOK_MAKE_H

#include "tables/book.h"

typedef struct BookMaker BookMaker;

// An empty one; NULL without memory.
BookMaker *book_maker_new(void);
void book_maker_free(BookMaker *maker);

// Notes that a move was played once more, with so many points for who plays it. False without
// memory.
bool book_maker_add(BookMaker *maker, const Position *pos, Move move, uint32_t points);

// The same for an entry as files have them: its weight are the points, `learn` the games.
bool book_maker_add_entry(BookMaker *maker, const BookEntry *entry);

// Sets the points of a move, whatever was noted before; 0 removes it.
bool book_maker_set(BookMaker *maker, const Position *pos, Move move, uint16_t points);

// Puts all in order and leaves out moves played less than `min_count` times or without points;
// returns how many are left. Then book_maker_entry gives them.
size_t book_maker_finish(BookMaker *maker, uint32_t min_count);
BookEntry book_maker_entry(const BookMaker *maker, size_t index);

// Writes them to a file, all or nothing.
bool book_maker_write(const BookMaker *maker, const char *path, Error *error);

#endif
