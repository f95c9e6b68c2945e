// See opponent.h.
#include "app/opponent.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/level.h"

enum { HASH_MB = 64, EARLY_PLY = 60, CLEARLY_WORSE = -150 };

void opponent_init(Opponent *opponent)
{
    *opponent = (Opponent){.time_ms = 1000, .last_score = SCORE_NONE};
}

void opponent_release(Opponent *opponent)
{
    if (opponent->engine)
        engine_free(opponent->engine);
    opponent->engine = NULL;
}

static bool prepare(Opponent *opponent, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = HASH_MB;
    options.limit_strength = opponent->elo > 0;
    options.human_pace = opponent->is_humane;
    if (opponent->elo > 0)
        options.elo = opponent->elo;
    if (opponent->engine)
        return engine_set_options(opponent->engine, &options, error);
    opponent->engine = engine_new(&options, error);
    return opponent->engine != NULL;
}

static bool set_position(Engine *engine, const Game *game, Error *error)
{
    Move *moves = malloc((size_t)(game->count + 1) * sizeof *moves);
    if (!moves)
        return error_set(error, "not enough memory");
    for (int i = 0; i < game->count; i++)
        moves[i] = game->steps[i].move;
    bool ok = engine_set_position(engine, &game->start, moves, game->count, error);
    free(moves);
    return ok;
}

static void keep_result(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    *(SearchResult *)context = *result;
}

bool opponent_choose(Opponent *opponent, const Game *game, Move *move,
                     char text[OPPONENT_TEXT_SIZE], Error *error)
{
    SearchLimits limits = search_limits_none();
    SearchResult result;
    // A weaker level is bound by itself, and its pace is no question of the time for a move.
    if (!opponent->elo || opponent->elo > LEVELS[LEVEL_COUNT - 2].elo)
        limits.move_time_ms = opponent->time_ms;
    if (!prepare(opponent, error) || !set_position(opponent->engine, game, error))
        return false;
    if (!engine_go(opponent->engine, &limits, NULL, keep_result, &result, error))
        return false;
    engine_wait(opponent->engine);
    if (result.best == MOVE_NONE)
        return error_set(error, "Lovac finds no move");
    *move = result.best;
    opponent->last_score = result.score;
    if (score_is_mate(result.score))
        snprintf(text, OPPONENT_TEXT_SIZE, "mate in %d, depth %d", score_mate_moves(result.score),
                 result.depth);
    else
        snprintf(text, OPPONENT_TEXT_SIZE, "%+.2f, depth %d", result.score / 100.0, result.depth);
    return true;
}

bool opponent_accepts_draw(const Opponent *opponent, const Game *game)
{
    if (opponent->last_score == SCORE_NONE)
        return false;
    return opponent->last_score <= CLEARLY_WORSE ||
           (game->now.ply >= EARLY_PLY && opponent->last_score <= 0);
}

void opponent_new_game(Opponent *opponent)
{
    opponent->last_score = SCORE_NONE;
    if (opponent->engine)
        engine_new_game(opponent->engine, NULL);
}
