// See game_file.h.
#include "app/game_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "core/pgn.h"
#include "core/pgn_write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- Saving ----------------------------------------------------------------------------------

static bool write_to_file(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

static bool fill(PgnGame *pgn, const Game *game, const char *white, const char *black)
{
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y.%m.%d", localtime(&now));
    bool ok = pgn_game_begin(pgn, &game->start) && pgn_game_set_tag(pgn, "Event", "Casual game") &&
              pgn_game_set_tag(pgn, "Site", "?") && pgn_game_set_tag(pgn, "Date", date) &&
              pgn_game_set_tag(pgn, "Round", "-") && pgn_game_set_tag(pgn, "White", white) &&
              pgn_game_set_tag(pgn, "Black", black);
    for (int i = 0; ok && i < game->count; i++)
        ok = pgn_game_add_move(pgn, game->steps[i].move);
    Outcome outcome = game_outcome(game);
    pgn->result = outcome.result;
    if (ok && outcome.result != RESULT_NONE)
        ok = pgn_game_add_comment(pgn, reason_text(outcome.reason));
    return ok && pgn_game_set_tag(pgn, "Result", result_text(outcome.result));
}

bool game_file_save(const Game *game, const char *white, const char *black, const char *path,
                    Error *error)
{
    FileWriter writer;
    PgnGame *pgn = malloc(sizeof *pgn);
    if (!pgn)
        return error_set(error, "not enough memory to save the game");
    pgn_game_init(pgn, memory_from_heap, NULL, NULL);
    bool ok = fill(pgn, game, white, black);
    if (!ok)
        error_set(error, "not enough memory to save the game");
    else if ((ok = file_begin(&writer, path, error))) {
        pgn_game_write(pgn, write_to_file, writer.out); // file_commit sees a failure
        ok = file_commit(&writer, error);
    }
    pgn_game_release(pgn);
    free(pgn);
    return ok;
}

// ---- Loading ---------------------------------------------------------------------------------

enum { MAX_FILE_BYTES = 64 << 20 };

typedef struct Loader {
    PgnBytes bytes;
    const char *path;
    Error problem; // the first one, which is the cause of the others; "" for none
} Loader;

static void note_problem(void *context, uint64_t line, const Error *problem)
{
    Loader *loader = context;
    if (loader->problem.text[0])
        return;
    loader->problem = *problem;
    error_prefix(&loader->problem, "", "%.100s, line %llu: ", loader->path,
                 (unsigned long long)line);
}

// An end that the position does not show was declared by the players.
static void declare_result(Game *game, Result result)
{
    if (result == RESULT_NONE || game_outcome(game).result != RESULT_NONE)
        return;
    if (result == RESULT_DRAW)
        game_declare(game, REASON_AGREEMENT, WHITE);
    else
        game_declare(game, REASON_RESIGNATION, result == RESULT_WHITE ? BLACK : WHITE);
}

static bool replay(Game *game, const PgnGame *pgn, GameStep *steps, int capacity, Error *error)
{
    int count = pgn_game_moves(pgn, NULL, 0);
    if (count > capacity)
        return error_set(error, "the game is longer than %d half-moves", capacity);
    Move *moves = malloc((size_t)(count + 1) * sizeof *moves);
    if (!moves)
        return error_set(error, "not enough memory to load the game");
    pgn_game_moves(pgn, moves, count);
    game_init(game, &pgn->start, steps, capacity);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = moves[i] == MOVE_NONE ? error_set(error, "the game has a null move")
                                   : game_play(game, moves[i], error);
    free(moves);
    if (ok)
        declare_result(game, pgn->result);
    return ok;
}

static bool load(Loader *loader, PgnReader *reader, PgnGame *pgn, Game *game, GameStep *steps,
                 int capacity, Error *error)
{
    pgn_reader_init(reader, pgn_read_bytes, &loader->bytes);
    pgn_game_init(pgn, memory_from_heap, note_problem, loader);
    bool is_game = pgn_game_read(pgn, reader, NULL), has_moves = pgn_game_moves(pgn, NULL, 0) > 0;
    bool ok;
    if (!is_game)
        ok = error_set(error, "there is no game in %.200s", loader->path);
    else if (!pgn->has_start || (!has_moves && loader->problem.text[0]))
        ok = error_set(error, "%s", loader->problem.text);
    else
        ok = replay(game, pgn, steps, capacity, error);
    pgn_game_release(pgn);
    return ok;
}

bool game_file_load(Game *game, GameStep *steps, int capacity, const char *path, Error *error)
{
    size_t size;
    char *bytes = file_read(path, MAX_FILE_BYTES, &size, error);
    if (!bytes)
        return false;
    Loader loader = {.bytes = {bytes, size}, .path = path};
    PgnReader *reader = malloc(sizeof *reader);
    PgnGame *pgn = malloc(sizeof *pgn);
    bool ok = reader && pgn ? load(&loader, reader, pgn, game, steps, capacity, error)
                            : error_set(error, "not enough memory to load the game");
    if (ok)
        *error = loader.problem;
    free(reader);
    free(pgn);
    free(bytes);
    return ok;
}
