// See match_openings_pgn.h.
#include "lab/match_openings_pgn.h"

#include <stdlib.h>
#include <string.h>

#include "core/game.h"
#include "lab/pgn_file.h"

// Takes the game if it can be played on from.
static bool take_game(const PgnGame *game, const Rules *rules, int plies_max, Opening *opening)
{
    if (!game->has_start || game->start.rules != rules || !game->is_complete)
        return false;
    int room = plies_max && plies_max < OPENING_PLIES_MAX ? plies_max : OPENING_PLIES_MAX;
    int count = pgn_game_moves(game, opening->moves, room);
    opening->count = count < room ? count : room;
    opening->start = game->start;
    opening->has_number = false;
    Position now = opening->start;
    for (int i = 0; i < opening->count; i++) {
        if (opening->moves[i] == MOVE_NONE)
            return false; // a null move is no opening
        Undo undo;
        position_make(&now, opening->moves[i], &undo);
    }
    return position_outcome(&now).result == RESULT_NONE;
}

bool openings_read_pgn(const char *path, const Rules *rules, int plies_max, Opening **games,
                       uint64_t *count, int *refused, Error *error)
{
    PgnFile *file = pgn_file_open(path, error);
    if (!file)
        return false;
    uint64_t room = 0;
    bool ok = true;
    for (PgnGame *game; ok && (game = pgn_file_next(file, rules));) {
        if (*count == room) {
            room = room * 2 + 256;
            Opening *larger = realloc(*games, room * sizeof *larger);
            if (!larger) {
                ok = error_set(error, "out of memory");
                break;
            }
            *games = larger;
        }
        if (take_game(game, rules, plies_max, &(*games)[*count]))
            ++*count;
        else
            ++*refused;
    }
    return pgn_file_close(file, ok ? error : NULL) && ok;
}
