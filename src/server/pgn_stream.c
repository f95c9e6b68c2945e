// See pgn_stream.h. The reader of core/pgn_read.h wants all of a text; here it gets what is there
// and believes that to be all. A game that it read to the very end of that may go on in the next
// piece: it is read again then. So that a long game is not read again for every piece, it is tried
// anew only when twice as much is there.
#include "server/pgn_stream.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct PgnStream {
    char *bytes; // what is not handed out yet
    size_t size, capacity;
    size_t given;   // of it, to the reader
    size_t used;    // of it, by games that were handed out
    size_t game_at; // where the last game began
    size_t tried;   // so many were not enough for a game
    uint64_t gone;  // bytes of the stream before `bytes`
    uint64_t line;  // of its first byte
    bool is_last;
    PgnReport *problems;
    void *context;
    PgnReader reader;
    PgnGame game;
};

// The source of the reader.
static size_t give(void *context, char *buffer, size_t size)
{
    PgnStream *s = context;
    size_t count = s->size - s->given < size ? s->size - s->given : size;
    memcpy(buffer, s->bytes + s->given, count);
    s->given += count;
    return count;
}

// The reader counts lines from the piece on; people count them from the file's first.
static void pass_on(void *context, uint64_t line, const Error *problem)
{
    PgnStream *s = context;
    if (s->problems)
        s->problems(s->context, s->line + line - 1, problem);
}

// Lets go of what was handed out.
static void drop_used(PgnStream *s)
{
    size_t lines = 0;
    for (size_t i = 0; i < s->used; i++)
        lines += s->bytes[i] == '\n';
    memmove(s->bytes, s->bytes + s->used, s->size - s->used);
    s->gone += s->used;
    s->line += lines;
    s->size -= s->used;
    s->used = s->game_at = 0;
}

PgnStream *pgn_stream_new(uint64_t line, PgnReport *problems, void *context)
{
    PgnStream *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, offsetof(PgnStream, reader));
    s->line = line;
    s->problems = problems;
    s->context = context;
    pgn_reader_init(&s->reader, give, s);
    pgn_game_init(&s->game, memory_from_heap, pass_on, s);
    return s;
}

void pgn_stream_free(PgnStream *s)
{
    if (!s)
        return;
    pgn_game_release(&s->game);
    free(s->bytes);
    free(s);
}

bool pgn_stream_add(PgnStream *s, const char *bytes, size_t size, bool is_last)
{
    if (s->used)
        drop_used(s);
    if (s->size + size > s->capacity) {
        size_t capacity = s->size + size + s->capacity / 2;
        char *larger = realloc(s->bytes, capacity);
        if (!larger)
            return false;
        s->bytes = larger;
        s->capacity = capacity;
    }
    if (size)
        memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    s->is_last = is_last;
    s->given = 0;
    pgn_reader_init(&s->reader, give, s);
    return true;
}

// A game that is cut must not be so in silence.
static void report_cut(PgnStream *s)
{
    Error error;
    error_code(&error, "pgn-game-long", "the game is longer than {most:%d} MiB and is cut there",
               PGN_STREAM_GAME_MAX >> 20);
    s->game.is_complete = false;
    pass_on(s, s->game.line, &error);
}

PgnGame *pgn_stream_next(PgnStream *s)
{
    size_t there = s->size - s->used;
    bool is_cut = !s->is_last && there > PGN_STREAM_GAME_MAX, is_all = s->is_last || is_cut;
    if (!there || (!is_all && s->tried && there < 2 * s->tried))
        return NULL;
    bool is_game = pgn_game_read(&s->game, &s->reader, NULL);
    size_t end = s->given - (size_t)(s->reader.end - s->reader.next);
    bool is_whole = end < s->size || is_all;
    s->tried = is_whole ? 0 : there;
    if (!is_whole)
        return NULL;
    if (is_game && is_cut && end == s->size)
        report_cut(s);
    s->game_at = s->used;
    s->used = end;
    return is_game ? &s->game : NULL;
}

uint64_t pgn_stream_game_at(const PgnStream *s)
{
    return s->gone + s->game_at;
}

uint64_t pgn_stream_used(const PgnStream *s)
{
    return s->gone + s->used;
}

uint64_t pgn_stream_line(const PgnStream *s)
{
    uint64_t line = s->line;
    for (size_t i = 0; i < s->used; i++)
        line += s->bytes[i] == '\n';
    return line;
}

int pgn_stream_ply(const PgnStream *s)
{
    return s->game.has_start ? s->game.levels[s->game.depth].now.ply : -1;
}
