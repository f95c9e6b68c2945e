// See pgn_file.h.
#include "lab/pgn_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stream.h"

struct PgnFile {
    Stream *stream;
    uint64_t problems;
    PgnReader reader;
    PgnGame game;
};

static size_t read_more(void *context, char *buffer, size_t size)
{
    return stream_read(((PgnFile *)context)->stream, buffer, size);
}

static void count_problem(void *context, uint64_t line, const Error *problem)
{
    (void)line, (void)problem;
    ((PgnFile *)context)->problems++;
}

PgnFile *pgn_file_open(const char *path, Error *error)
{
    PgnFile *file = calloc(1, sizeof *file);
    if (!file)
        return error_set(error, "out of memory"), NULL;
    file->stream = strcmp(path, "-") ? stream_open(path, error)
                                     : stream_open_file(stdin, "standard input", error);
    if (!file->stream) {
        free(file);
        return NULL;
    }
    pgn_reader_init(&file->reader, read_more, file);
    pgn_game_init(&file->game, memory_from_heap, count_problem, file);
    return file;
}

PgnGame *pgn_file_next(PgnFile *file, const Rules *rules)
{
    return pgn_game_read(&file->game, &file->reader, rules) ? &file->game : NULL;
}

bool pgn_file_read(PgnFile *file, PgnGame *game, const Rules *rules)
{
    return pgn_game_read(game, &file->reader, rules);
}

uint64_t pgn_file_problems(const PgnFile *file)
{
    return file->problems;
}
uint64_t pgn_file_position(const PgnFile *file)
{
    return stream_position(file->stream);
}
uint64_t pgn_file_length(const PgnFile *file)
{
    return stream_length(file->stream);
}

bool pgn_file_close(PgnFile *file, Error *error)
{
    if (!file)
        return true;
    pgn_game_release(&file->game);
    bool ok = stream_close(file->stream, error);
    free(file);
    return ok;
}
