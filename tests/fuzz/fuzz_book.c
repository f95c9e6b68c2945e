// Any bytes as a text of a book, line by line: refused with a reason, or moves of a book that, when
// written as text, make the same book. Any bytes as entries: no illegal move comes out.
#include "base/file.h"
#include "fuzz_help.h"
#include "tables/book_text.h"

#include <unistd.h>

// What a maker holds after this text; false when a line was refused.
static bool compile(BookMaker *maker, char *text)
{
    BookTextReader reader;
    Error error = {0};
    char *line;
    book_text_init(&reader, maker, &VARIANTS[VARIANT_CHESS]);
    while ((line = next_line(&text)))
        if (!book_text_read(&reader, line, &error)) {
            DEMAND(error.text[0]);
            return false;
        }
    return true;
}

static Book *write_and_open(const BookMaker *maker, const char *path)
{
    Error error = {0};
    DEMAND(book_maker_write(maker, path, &error));
    Book *book = book_open(path, &error);
    DEMAND(book);
    return book;
}

// Chess alone: the text of a book names one game.
static void round_trip(BookMaker *maker, size_t count, const char *path)
{
    Position start;
    char *text = NULL;
    size_t size = 0, others;
    Book *book = write_and_open(maker, path);
    BookMaker *again = book_maker_new();
    FILE *out = open_memstream(&text, &size);
    DEMAND(position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL));
    DEMAND(book_text_write(book, &start, out, &others));
    fclose(out);
    DEMAND(compile(again, text));
    DEMAND(book_maker_finish(again, 1) <= count);
    free(text);
    book_maker_free(again);
    book_close(book);
}

static void try_text(const uint8_t *data, size_t size, const char *path)
{
    BookMaker *maker = book_maker_new();
    char *text = take_text(data, size);
    size_t count;
    if (compile(maker, text) && (count = book_maker_finish(maker, 1)))
        round_trip(maker, count, path);
    book_maker_free(maker);
    free(text);
}

static void try_moves(const uint8_t *data, size_t size)
{
    Position pos;
    take_position(&data, &size, &pos);
    book_key(&pos);
    while (size > 1) {
        int high = take(&data, &size), low = take(&data, &size);
        Move m = book_move_read(&pos, (uint16_t)(high << 8 | low));
        DEMAND(!m || is_legal(&pos, m));
        DEMAND(!m || book_move_read(&pos, book_move_code(m)) == m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/lovac-fuzz-book-%d", (int)getpid());
    if (take(&data, &size) % 2) {
        try_moves(data, size);
        return 0;
    }
    try_text(data, size, path);
    unlink(path);
    return 0;
}
