// See strength.h. The engine's own levels only get fewer nodes; a human level chooses by itself.
#include "engine/strength.h"

static Level level_of(const EngineOptions *o)
{
    return o->limit_strength ? level_at_elo(o->elo) : LEVELS[level_of_skill(o->skill) - 1];
}

bool strength_is_limited(const EngineOptions *o)
{
    if (o->analyse_mode)
        return false;
    Level level = level_of(o);
    return level_is_human(&level) || level.nodes;
}

void strength_limit(const EngineOptions *o, SearchLimits *limits)
{
    if (!strength_is_limited(o))
        return;
    Level level = level_of(o);
    uint64_t nodes = level_is_human(&level) ? 500 : level.nodes; // it only wants the list of moves
    if (!limits->nodes || limits->nodes > nodes)
        limits->nodes = nodes;
}

int strength_choose(const Worker *w, const EngineOptions *o, const Recent *recent, uint64_t seed)
{
    Level level = level_of(o);
    if (!level_is_human(&level))
        return 0;
    LevelChoice choice;
    level_choose(&level, &recent->start, recent->moves, recent->count, seed, &choice);
    for (int i = 0; i < w->root_count; i++)
        if (w->root_moves[i].move == choice.move)
            return i;
    return 0; // not among the moves that were asked for
}

int64_t strength_pause_ms(const EngineOptions *o, const SearchLimits *limits, const Recent *recent,
                          Move chosen, uint64_t seed)
{
    if (!o->human_pace || !strength_is_limited(o) || limits->infinite || chosen == MOVE_NONE)
        return 0;
    Position pos = recent->start;
    Square taken_on = NO_SQUARE;
    for (int i = 0; i < recent->count; i++) {
        Undo undo;
        taken_on = move_is_capture(recent->moves[i]) ? move_to(recent->moves[i]) : NO_SQUARE;
        position_make(&pos, recent->moves[i], &undo);
    }
    bool is_recapture = move_is_capture(chosen) && move_to(chosen) == taken_on;
    Level level = level_of(o);
    int64_t pause = level_pause_ms(&level, &pos, is_recapture, limits->time_ms[pos.side], seed);
    bool is_too_long = limits->move_time_ms != TIME_UNSET && limits->move_time_ms < pause;
    return is_too_long ? limits->move_time_ms : pause;
}
