// See book.h.
#include "tables/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file_map.h"
#include "base/random.h"
#include "core/movegen.h"

struct Book {
    FileMap map;
    bool is_mapped; // else the bytes are somebody else's
    size_t count;
};

static const uint64_t RANDOM[781] = {
#include "tables/book_keys.inc"
};
enum { RANDOM_CASTLING = 768, RANDOM_EN_PASSANT = 772, RANDOM_WHITE = 780 };

// --- keys and moves --------------------------------------------------------------------------

// 0 for the games whose positions are those of chess.
static uint64_t name_key(const Rules *rules)
{
    if (rules->is_orthodox && rules->has_castling)
        return 0;
    return checksum_fnv(CHECKSUM_FNV_START, rules->name, strlen(rules->name));
}

// King's side, queen's side, for White, then for Black.
static uint64_t castling_key(const Position *pos)
{
    uint64_t key = 0;
    for (Bitboard rooks = pos->state.castling; rooks;) {
        Square rook = bit_pop(&rooks);
        Color c = piece_color(pos->board[rook]);
        key ^= RANDOM[RANDOM_CASTLING + 2 * c + (rook < position_king(pos, c))];
    }
    return key;
}

uint64_t book_key(const Position *pos)
{
    uint64_t key = name_key(pos->rules) ^ castling_key(pos);
    for (Bitboard men = position_occupied(pos); men;) {
        Square s = bit_pop(&men);
        Piece piece = pos->board[s];
        int kind = 2 * piece_type(piece) + (piece_color(piece) == WHITE);
        key ^= RANDOM[64 * kind + s];
    }
    if (pos->state.en_passant != NO_SQUARE)
        key ^= RANDOM[RANDOM_EN_PASSANT + square_file(pos->state.en_passant)];
    return pos->side == WHITE ? key ^ RANDOM[RANDOM_WHITE] : key;
}

uint16_t book_move_code(Move m)
{
    int promotion = move_is_promotion(m) ? move_promotion(m) - KNIGHT + 1 : 0;
    return (uint16_t)(move_to(m) | move_from(m) << 6 | promotion << 12);
}

// Where a castling king ends.
static Square castling_goal(Move m)
{
    int file = move_to(m) > move_from(m) ? 6 : 2;
    return square_make(file, square_rank(move_from(m)));
}

// Is this what a book means? `is_king_goal`: castling written as the king's step.
static bool is_meant(Move m, uint16_t code, bool is_king_goal)
{
    if (!is_king_goal)
        return book_move_code(m) == code;
    return move_is_castle(m) && (castling_goal(m) | move_from(m) << 6) == (code & 0x7fff);
}

Move book_move_read(const Position *pos, uint16_t code)
{
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves);
    for (int is_king_goal = 0; is_king_goal < 2; is_king_goal++)
        for (int i = 0; i < count; i++)
            if (is_meant(moves[i], code & 0x7fff, is_king_goal))
                return moves[i];
    return MOVE_NONE;
}

// --- files -----------------------------------------------------------------------------------

static uint64_t read_big(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

BookEntry book_entry(const Book *book, size_t index)
{
    const uint8_t *at = book->map.bytes + index * BOOK_ENTRY_SIZE;
    return (BookEntry){.key = read_big(at, 8),
                       .move = (uint16_t)read_big(at + 8, 2),
                       .weight = (uint16_t)read_big(at + 10, 2),
                       .learn = (uint32_t)read_big(at + 12, 4)};
}

size_t book_count(const Book *book)
{
    return book->count;
}

static bool is_sorted(const Book *book, Error *error)
{
    for (size_t i = 1; i < book->count; i++)
        if (book_entry(book, i).key < book_entry(book, i - 1).key)
            return error_set(error, "no Polyglot book: entry %llu is out of order",
                             (unsigned long long)i + 1);
    return true;
}

Book *book_of_bytes(const uint8_t *bytes, size_t size, Error *error)
{
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        error_set(error, "no memory for a book");
        return NULL;
    }
    *book = (Book){.map = {bytes, size}, .count = size / BOOK_ENTRY_SIZE};
    bool is_ok =
        size % BOOK_ENTRY_SIZE == 0 ||
        error_set(error, "no Polyglot book: its size is no multiple of %d", BOOK_ENTRY_SIZE);
    if (is_ok && is_sorted(book, error))
        return book;
    book_close(book);
    return NULL;
}

Book *book_open(const char *path, Error *error)
{
    FileMap map = {0};
    if (!file_map(&map, path, error))
        return NULL;
    Book *book = book_of_bytes(map.bytes, map.size, error);
    if (book) {
        book->is_mapped = true;
        return book;
    }
    if (error)
        error_prefix(error, "", "%.150s: ", path);
    file_unmap(&map);
    return NULL;
}

void book_close(Book *book)
{
    if (!book)
        return;
    if (book->is_mapped)
        file_unmap(&book->map);
    free(book);
}

// The first entry whose key is not below this one.
static size_t lower_bound(const Book *book, uint64_t key)
{
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book_entry(book, middle).key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// --- moves -----------------------------------------------------------------------------------

// The games of an entry. A game gives at most two points, so a smaller number is somebody else's.
static uint32_t count_games(const BookEntry *entry)
{
    return 2 * (uint64_t)entry->learn >= entry->weight ? entry->learn : 0;
}

// Puts a move into its place by weight; one that is there already keeps the greater weight.
static int insert_move(BookMove *list, int count, int capacity, BookMove m)
{
    int i = 0;
    for (int k = 0; k < count; k++)
        if (list[k].move == m.move) {
            if (list[k].weight >= m.weight)
                return count;
            memmove(list + k, list + k + 1, (size_t)(--count - k) * sizeof *list);
        }
    while (i < count && list[i].weight >= m.weight)
        i++;
    if (i >= capacity)
        return count;
    int kept = count < capacity ? count : capacity - 1;
    memmove(list + i + 1, list + i, (size_t)(kept - i) * sizeof *list);
    list[i] = m;
    return kept + 1;
}

int book_find(const Book *book, const Position *pos, BookMove *list, int capacity)
{
    uint64_t key = book_key(pos);
    int count = 0;
    for (size_t i = lower_bound(book, key); i < book->count; i++) {
        BookEntry entry = book_entry(book, i);
        if (entry.key != key)
            break;
        Move m = book_move_read(pos, entry.move);
        if (m)
            count = insert_move(list, count, capacity,
                                (BookMove){m, entry.weight, count_games(&entry)});
    }
    return count;
}

Move book_choose(const Book *book, const Position *pos, uint64_t seed)
{
    BookMove list[MAX_MOVES];
    Random random;
    uint64_t total = 0;
    int count = book_find(book, pos, list, MAX_MOVES);
    for (int i = 0; i < count; i++)
        total += list[i].weight;
    if (!total)
        return MOVE_NONE;
    random_init(&random, seed);
    uint64_t drawn = random_below(&random, total);
    for (int i = 0; i < count; i++) {
        if (drawn < list[i].weight)
            return list[i].move;
        drawn -= list[i].weight;
    }
    return MOVE_NONE;
}
