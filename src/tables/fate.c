// See fate.h.
#include "tables/fate.h"

#include "core/game.h"
#include "core/movegen.h"

int fate_rank(Fate fate)
{
    if (fate == FATE_DRAW)
        return 0;
    return fate_plies(fate) & 1 ? 0x10000 - fate_plies(fate) : fate_plies(fate) - 0x10000;
}

Fate fate_before(Fate fate)
{
    return fate ? fate_make(fate_plies(fate) + 1, fate_is_cursed(fate)) : FATE_DRAW;
}

Fate fate_of_end(const Position *pos)
{
    Outcome outcome = position_outcome(pos);
    bool is_lost = outcome.result == (pos->side == WHITE ? RESULT_BLACK : RESULT_WHITE);
    return is_lost ? fate_make(0, false) : FATE_DRAW;
}

Fate fate_with_en_passant(const Position *pos, FateFunction *plain, FateFunction *after,
                          const void *context)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list), others = 0;
    Fate best = FATE_NONE;
    for (int i = 0; i < count; i++) {
        if (move_kind(list[i]) != KIND_EN_PASSANT) {
            others++;
            continue;
        }
        Position next = *pos;
        Undo undo;
        position_make(&next, list[i], &undo);
        Fate fate = after(context, &next);
        if (fate == FATE_NONE)
            return FATE_NONE;
        fate = fate_before(fate);
        if (best == FATE_NONE || fate_rank(fate) > fate_rank(best))
            best = fate;
    }
    if (!others && best != FATE_NONE)
        return best; // what the table says is for no move at all
    Fate without = plain(context, pos);
    if (without == FATE_NONE || best == FATE_NONE)
        return without;
    return fate_rank(without) > fate_rank(best) ? without : best;
}
