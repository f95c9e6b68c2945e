// See book_text.h.
#include "tables/book_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

// --- reading ---------------------------------------------------------------------------------

void book_text_init(BookTextReader *reader, BookMaker *maker, const Rules *rules)
{
    *reader = (BookTextReader){.maker = maker, .rules = rules};
}

static const char PROMOTIONS[] = " nbrq";

// Coordinates as a book's move, whether or not it is legal; false when they are none.
static bool read_code(const char *text, uint16_t *code)
{
    size_t length = strlen(text);
    const char *promotion = length == 5 ? strchr(PROMOTIONS + 1, text[4]) : PROMOTIONS;
    if (length < 4 || length > 5 || !promotion)
        return false;
    for (int i = 0; i < 4; i += 2)
        if (text[i] < 'a' || text[i] > 'h' || text[i + 1] < '1' || text[i + 1] > '8')
            return false;
    Square from = square_make(text[0] - 'a', text[1] - '1');
    Square to = square_make(text[2] - 'a', text[3] - '1');
    *code = (uint16_t)(to | from << 6 | (int)(promotion - PROMOTIONS) << 12);
    return true;
}

// The position and the move of an entry, by coordinates below a key.
static bool name_entry(const BookTextReader *r, const char *move, BookEntry *entry, Error *error)
{
    entry->key = r->key;
    if (r->has_key)
        return read_code(move, &entry->move) ||
               error_set(error, "below a key moves are coordinates, not '%.40s'", move);
    Move m = move_from_san(&r->pos, move, error);
    entry->key = book_key(&r->pos);
    entry->move = book_move_code(m);
    return m;
}

// "MOVE WEIGHT GAMES", indented; the numbers may be left out.
static bool read_move(BookTextReader *r, char *line, Error *error)
{
    char *rest, *move = strtok_r(line, " \t", &rest), *weight = strtok_r(NULL, " \t", &rest);
    const char *games = weight ? strtok_r(NULL, " \t", &rest) : NULL;
    long long points = 1, played = 0;
    if (!r->has_position && !r->has_key)
        return error_set(error, "a move before any position");
    if (weight && !str_to_int(weight, 0, UINT16_MAX, &points))
        return error_set(error, "a weight is a number from 0 to 65535, not '%.40s'", weight);
    if (games && !str_to_int(games, 0, UINT32_MAX, &played))
        return error_set(error, "the third word of a move is its games, not '%.40s'", games);
    if (games && strtok_r(NULL, " \t", &rest))
        return error_set(error, "a line has one move, its weight and its games");
    BookEntry entry = {.weight = (uint16_t)points, .learn = (uint32_t)played};
    return name_entry(r, move, &entry, error) &&
           (book_maker_add_entry(r->maker, &entry) || error_set(error, "no memory"));
}

// Is this a move number, "12." or "12..."?
static bool is_number(const char *word)
{
    return isdigit((unsigned char)*word) && word[strlen(word) - 1] == '.';
}

// A position by the moves that lead to it.
static bool read_line_of_play(BookTextReader *r, char *line, Error *error)
{
    Position pos;
    char *rest, *word = strtok_r(line, " \t", &rest);
    if (!position_from_fen(&pos, r->rules, r->rules->start_fen, error))
        return false;
    if (word && (!strcmp(word, "start") || !strcmp(word, "startpos")))
        word = strtok_r(NULL, " \t", &rest);
    for (; word; word = strtok_r(NULL, " \t", &rest)) {
        Undo undo;
        const char *text = word;
        if (is_number(word))
            continue;
        if (isdigit((unsigned char)*word) && strrchr(word, '.'))
            text = strrchr(word, '.') + 1; // "1.e4"
        Move m = move_from_san(&pos, text, error);
        if (!m)
            return false;
        position_make(&pos, m, &undo);
    }
    r->pos = pos;
    return true;
}

static bool read_variant(BookTextReader *r, const char *name, Error *error)
{
    const Rules *rules = rules_find(name);
    if (!rules)
        return error_set(error, "unknown game '%.40s'", name);
    r->rules = rules;
    r->has_position = r->has_key = false;
    return true;
}

static bool read_key(BookTextReader *r, const char *text, Error *error)
{
    char *end;
    r->key = strtoull(text, &end, 16);
    r->has_key = end == text + 16 && !*end;
    return r->has_key || error_set(error, "a key has 16 hexadecimal digits, not '%.40s'", text);
}

bool book_text_read(BookTextReader *r, char *line, Error *error)
{
    line[strcspn(line, "\r\n#")] = 0;
    bool is_indented = isspace((unsigned char)*line);
    while (isspace((unsigned char)*line))
        line++;
    for (size_t end = strlen(line); end && isspace((unsigned char)line[end - 1]);)
        line[--end] = 0;
    if (!*line)
        return true;
    if (is_indented)
        return read_move(r, line, error);
    if (!strncmp(line, "variant ", 8))
        return read_variant(r, line + 8 + strspn(line + 8, " \t"), error);
    r->has_position = r->has_key = false;
    if (!strncmp(line, "key ", 4))
        return read_key(r, line + 4 + strspn(line + 4, " \t"), error);
    bool is_ok = strchr(line, '/') ? position_from_fen(&r->pos, r->rules, line, error)
                                   : read_line_of_play(r, line, error);
    r->has_position = is_ok;
    return is_ok;
}

// --- writing ---------------------------------------------------------------------------------

enum { DEPTH_MAX = 600 };

typedef struct Walk {
    const Book *book;
    FILE *out;
    Position pos;
    uint64_t *seen; // keys, a hash table; 0: free
    size_t room;    // a power of two, at least twice the entries
    Move path[DEPTH_MAX];
    Position *start;
} Walk;

// True the first time that a key comes.
static bool is_new(Walk *w, uint64_t key)
{
    key |= !key;
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 20);
    while (w->seen[at & (w->room - 1)]) {
        if (w->seen[at & (w->room - 1)] == key)
            return false;
        at++;
    }
    w->seen[at & (w->room - 1)] = key;
    return true;
}

// The moves that led here, as a comment.
static void write_path(const Walk *w, int depth)
{
    Position pos = *w->start;
    char san[MOVE_TEXT_SIZE];
    fprintf(w->out, "\n#");
    for (int i = 0; i < depth; i++) {
        Undo undo;
        move_to_san(&pos, w->path[i], san);
        fprintf(w->out, " %s", san);
        position_make(&pos, w->path[i], &undo);
    }
    fprintf(w->out, depth ? "\n" : " the first move\n");
}

// The end of a move's line: its games, where they are known.
static void write_games(uint32_t games, FILE *out)
{
    if (games)
        fprintf(out, " %u", games);
    fputc('\n', out);
}

static void write_position(Walk *w, const BookMove *list, int count, int depth)
{
    char fen[FEN_SIZE], san[MOVE_TEXT_SIZE];
    position_to_fen(&w->pos, FEN_XFEN, fen);
    write_path(w, depth);
    fprintf(w->out, "%s\n", fen);
    for (int i = 0; i < count; i++) {
        move_to_san(&w->pos, list[i].move, san);
        fprintf(w->out, "    %-8s %u", san, list[i].weight);
        write_games(list[i].games, w->out);
    }
}

static void walk(Walk *w, int depth);

static void walk_move(Walk *w, Move m, int depth)
{
    Undo undo;
    w->path[depth] = m;
    position_make(&w->pos, m, &undo);
    walk(w, depth + 1);
    position_unmake(&w->pos, m, &undo);
}

static void walk(Walk *w, int depth)
{
    BookMove list[MAX_MOVES];
    int count = book_find(w->book, &w->pos, list, MAX_MOVES);
    if (!count || !is_new(w, book_key(&w->pos)))
        return;
    write_position(w, list, count, depth);
    if (depth == DEPTH_MAX)
        return;
    for (int i = 0; i < count; i++)
        walk_move(w, list[i].move, depth);
    // The book may have an answer to a move that it would not play itself.
    Move moves[MAX_MOVES];
    count = movegen_legal(&w->pos, STAGE_ALL, moves);
    for (int i = 0; i < count; i++)
        walk_move(w, moves[i], depth);
}

// A book's move as coordinates.
static void write_code(uint16_t code, FILE *out)
{
    int promotion = code >> 12 & 7;
    fprintf(out, "    %c%d%c%d", 'a' + (code >> 6 & 7), 1 + (code >> 9 & 7), 'a' + (code & 7),
            1 + (code >> 3 & 7));
    if (promotion && promotion < (int)sizeof PROMOTIONS - 1)
        fputc(PROMOTIONS[promotion], out);
}

// What the walk did not come to. Returns the number of entries.
static size_t write_others(Walk *w)
{
    size_t written = 0;
    uint64_t last = 0;
    bool is_wanted = false;
    for (size_t i = 0; i < book_count(w->book); i++) {
        BookEntry entry = book_entry(w->book, i);
        bool is_first = !i || entry.key != last;
        last = entry.key;
        if (is_first)
            is_wanted = is_new(w, entry.key);
        if (!is_wanted)
            continue;
        if (is_first)
            fprintf(w->out, "\nkey %016llx\n", (unsigned long long)entry.key);
        write_code(entry.move, w->out);
        fprintf(w->out, "  %u", entry.weight);
        write_games(entry.learn, w->out);
        written++;
    }
    return written;
}

bool book_text_write(const Book *book, const Position *start, FILE *out, size_t *others)
{
    Position first = *start;
    Walk *w = calloc(1, sizeof *w);
    size_t room = 1024;
    while (room < 2 * book_count(book))
        room *= 2;
    if (w)
        *w = (Walk){.book = book, .out = out, .pos = *start, .start = &first, .room = room};
    bool is_ok = w && (w->seen = calloc(room, sizeof *w->seen));
    if (is_ok) {
        fprintf(out, "variant %s\n", start->rules->name);
        walk(w, 0);
        *others = write_others(w);
    }
    if (w)
        free(w->seen);
    free(w);
    return is_ok;
}
