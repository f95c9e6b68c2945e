// Opening books in Polyglot's format: positions by their keys, each with moves and weights. The
// keys of chess and Chess960 are Polyglot's own; the other games have keys of ours (book_key), so
// that one file may serve all. Making books: book_make.h.
#ifndef LOVAC_TABLES_BOOK_H
#define LOVAC_TABLES_BOOK_H

#include "core/position.h"

#include <stddef.h>

typedef struct Book Book;

// One entry as it stands in a file, big-endian there.
typedef struct BookEntry {
    uint64_t key;
    uint16_t move; // see book_move_code
    uint16_t weight;
    uint32_t learn; // games with this move in books that Lovac made; others write what they like
} BookEntry;

enum { BOOK_ENTRY_SIZE = 16 }; // in a file
_Static_assert(sizeof(BookEntry) == BOOK_ENTRY_SIZE, "as in a file");

// Opens a file; NULL, with the reason, when it is no book: of odd size, or not sorted.
Book *book_open(const char *path, Error *error);
void book_close(Book *book);

// The same for a file that is in memory already, and stays there.
Book *book_of_bytes(const uint8_t *bytes, size_t size, Error *error);

// Lovac's own book, which is part of the program (book_built_in.c); NULL only without memory.
Book *book_built_in(Error *error);

// How many entries there are, and each of them, in the order of the keys.
size_t book_count(const Book *book);
BookEntry book_entry(const Book *book, size_t index);

// The number under which a position stands in books. Polyglot's for chess and Chess960; for the
// other games the same with the 64-bit FNV-1a hash of the game's name (Rules.name) xored in. En
// passant counts where such a capture is legal; Polyglot counts it also where a pin forbids it.
uint64_t book_key(const Position *pos);

// A legal move as books write it: castling as king takes rook, promotions by 1 (knight) to 4
// (queen).
uint16_t book_move_code(Move move);

// The legal move that a book means, castling written either way; MOVE_NONE when there is none.
Move book_move_read(const Position *pos, uint16_t code);

typedef struct BookMove {
    Move move;
    uint16_t weight;
    uint32_t games; // in which it was played; 0: not known
} BookMove;

// The legal moves that the book knows here, greatest weight first, each once; at most `capacity`.
int book_find(const Book *book, const Position *pos, BookMove *list, int capacity);

// One of them, each as often as its weight says; MOVE_NONE when there is none (or all weigh 0).
Move book_choose(const Book *book, const Position *pos, uint64_t seed);

#endif
