// See book_make.h. Moves are kept as an unsorted list which is sorted and joined whenever it is
// full.
#include "tables/book_make.h"

#include <stdlib.h>

#include "base/file.h"

typedef struct Note {
    uint64_t key;
    uint64_t points;
    uint32_t count; // how often it was noted
    uint32_t games; // in which it was played, as far as that is known
    uint16_t move;
    uint16_t weight; // once finished
} Note;

struct BookMaker {
    Note *notes;
    size_t count, room;
};

BookMaker *book_maker_new(void)
{
    return calloc(1, sizeof(BookMaker));
}

void book_maker_free(BookMaker *maker)
{
    if (!maker)
        return;
    free(maker->notes);
    free(maker);
}

static int compare(const void *a, const void *b)
{
    const Note *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (int)x->move - (int)y->move;
}

// Sorts the notes and makes one of equal ones.
static void join(BookMaker *maker)
{
    size_t kept = 0;
    qsort(maker->notes, maker->count, sizeof *maker->notes, compare);
    for (size_t i = 0; i < maker->count; i++) {
        Note *last = kept ? &maker->notes[kept - 1] : NULL;
        if (last && !compare(last, &maker->notes[i])) {
            last->points += maker->notes[i].points;
            last->count += maker->notes[i].count;
            last->games += maker->notes[i].games;
        } else {
            maker->notes[kept++] = maker->notes[i];
        }
    }
    maker->count = kept;
}

// Room for one more: joins first, and doubles where that did not help much.
static bool make_room(BookMaker *maker)
{
    if (maker->count < maker->room)
        return true;
    if (maker->count)
        join(maker);
    if (maker->count < maker->room / 2)
        return true;
    size_t room = maker->room ? 2 * maker->room : 4096;
    Note *notes = realloc(maker->notes, room * sizeof *notes);
    if (!notes)
        return false;
    maker->notes = notes;
    maker->room = room;
    return true;
}

static bool add(BookMaker *maker, Note note)
{
    if (!make_room(maker))
        return false;
    maker->notes[maker->count++] = note;
    return true;
}

bool book_maker_add(BookMaker *maker, const Position *pos, Move m, uint32_t points)
{
    return add(maker, (Note){.key = book_key(pos),
                             .move = book_move_code(m),
                             .count = 1,
                             .games = 1,
                             .points = points});
}

bool book_maker_add_entry(BookMaker *maker, const BookEntry *entry)
{
    return add(maker, (Note){.key = entry->key,
                             .move = entry->move,
                             .count = 1,
                             .games = entry->learn,
                             .points = entry->weight});
}

bool book_maker_set(BookMaker *maker, const Position *pos, Move m, uint16_t points)
{
    uint64_t key = book_key(pos);
    size_t kept = 0;
    for (size_t i = 0; i < maker->count; i++) {
        const Note *note = &maker->notes[i];
        // An older file may write castling as the king's step.
        if (note->key != key || book_move_read(pos, note->move) != m)
            maker->notes[kept++] = *note;
    }
    maker->count = kept;
    BookEntry entry = {.key = key, .move = book_move_code(m), .weight = (uint16_t)points};
    return !points || book_maker_add_entry(maker, &entry);
}

// Greatest weight first, as other programs write them.
static int compare_weights(const void *a, const void *b)
{
    const Note *x = a, *y = b;
    return x->weight != y->weight ? (int)y->weight - (int)x->weight : (int)x->move - (int)y->move;
}

// Weights for the notes of one position, and their order.
static void weigh(Note *notes, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = notes[i].points > most ? notes[i].points : most;
    for (size_t i = 0; i < count; i++) {
        uint64_t points = notes[i].points;
        if (most > UINT16_MAX)
            points = (uint64_t)((double)points * UINT16_MAX / (double)most);
        notes[i].weight = (uint16_t)(points ? points : notes[i].points > 0);
    }
    qsort(notes, count, sizeof *notes, compare_weights);
}

size_t book_maker_finish(BookMaker *maker, uint32_t min_count)
{
    size_t kept = 0;
    if (maker->count)
        join(maker);
    for (size_t i = 0; i < maker->count; i++)
        if (maker->notes[i].count >= min_count && maker->notes[i].points)
            maker->notes[kept++] = maker->notes[i];
    maker->count = kept;
    for (size_t begin = 0, end; begin < kept; begin = end) {
        for (end = begin; end < kept && maker->notes[end].key == maker->notes[begin].key; end++)
            ;
        weigh(maker->notes + begin, end - begin);
    }
    return kept;
}

BookEntry book_maker_entry(const BookMaker *maker, size_t index)
{
    const Note *note = &maker->notes[index];
    return (BookEntry){
        .key = note->key, .move = note->move, .weight = note->weight, .learn = note->games};
}

static void put_big(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--, value >>= 8)
        at[i] = (uint8_t)value;
}

bool book_maker_write(const BookMaker *maker, const char *path, Error *error)
{
    FileWriter writer;
    if (!file_begin(&writer, path, error))
        return false;
    for (size_t i = 0; i < maker->count; i++) {
        BookEntry entry = book_maker_entry(maker, i);
        uint8_t bytes[BOOK_ENTRY_SIZE];
        put_big(bytes, entry.key, 8);
        put_big(bytes + 8, entry.move, 2);
        put_big(bytes + 10, entry.weight, 2);
        put_big(bytes + 12, entry.learn, 4);
        fwrite(bytes, sizeof bytes, 1, writer.out); // file_commit looks for failures
    }
    return file_commit(&writer, error);
}
