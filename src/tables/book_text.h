// Books as text, for people who make them by hand:
//
//     # a comment
//     variant chess                 (the game; chess without this line)
//     start                         a position: `start`, a FEN, or the moves that lead to it
//         e4  60                    a move and its weight (1 where it is missing)
//         d4  40
//     1. e4 c5 2. Nf3
//         d6  3
//
//     key 00fdd303c946bdd9          a position of which only the key is known, with coordinates
//         e2e4  1
//
// A position begins at the first column, its moves are indented.
#ifndef LOVAC_TABLES_BOOK_TEXT_H
#define LOVAC_TABLES_BOOK_TEXT_H

#include "tables/book_make.h"

#include <stdio.h>

// Reads such a text line by line.
typedef struct BookTextReader {
    BookMaker *maker;
    const Rules *rules;
    Position pos;
    bool has_position, has_key;
    uint64_t key; // has_key: instead of a position
} BookTextReader;

void book_text_init(BookTextReader *reader, BookMaker *maker, const Rules *rules);

// One line, without or with its end; it is changed. False, with the reason, when it cannot be
// understood.
bool book_text_read(BookTextReader *reader, char *line, Error *error);

// Writes the whole book. Positions that can be reached from `start` without leaving the book for
// more than one half-move come first, each once, then the others by their keys; of these `others`
// entries are written. False without memory.
bool book_text_write(const Book *book, const Position *start, FILE *out, size_t *others);

#endif
