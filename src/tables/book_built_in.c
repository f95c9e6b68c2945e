// The book that is part of the program: books/lovac.bin, see books/README.md.
#include "base/embed.h"
#include "tables/book.h"

#include <stdint.h>

EMBED_FILE(lovac_embedded_book, BOOK_FILE);
extern const uint8_t lovac_embedded_book[], lovac_embedded_book_end[];

Book *book_built_in(Error *error)
{
    return book_of_bytes(lovac_embedded_book,
                         (size_t)(lovac_embedded_book_end - lovac_embedded_book), error);
}
