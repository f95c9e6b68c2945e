// See probe.h.
#include "tables/probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "core/movegen.h"
#include "tables/own.h"
#include "tables/syzygy.h"

struct Tables {
    Syzygy *syzygy; // either may be NULL
    OwnTables *own;
};

_Static_assert((int)TABLE_LOSS == (int)SYZYGY_LOSS && (int)TABLE_WIN == (int)SYZYGY_WIN &&
                   (int)TABLE_CURSED_WIN == (int)SYZYGY_CURSED_WIN,
               "both count results alike");

Tables *tables_new(const char *folders, Error *error)
{
    Tables *tables = calloc(1, sizeof *tables);
    if (!tables) {
        error_set(error, "no memory for tables");
        return NULL;
    }
    if (!*folders || (tables->syzygy = syzygy_new(folders, error)))
        return tables;
    tables_free(tables);
    return NULL;
}

bool tables_set_syzygy(Tables *tables, const char *folders, Error *error)
{
    Syzygy *syzygy = *folders ? syzygy_new(folders, error) : NULL;
    if (*folders && !syzygy)
        return false;
    syzygy_free(tables->syzygy);
    tables->syzygy = syzygy;
    return true;
}

bool tables_add_own(Tables *tables, const char *folders, Error *error)
{
    OwnTables *own = *folders ? own_open(folders, error) : NULL;
    if (*folders && !own)
        return false;
    own_close(tables->own);
    tables->own = own;
    return true;
}

void tables_free(Tables *tables)
{
    if (!tables)
        return;
    syzygy_free(tables->syzygy);
    own_close(tables->own);
    free(tables);
}

int tables_men(const Tables *tables, const Rules *rules)
{
    bool has_syzygy = tables->syzygy && rules->can_use_tablebases;
    int men = has_syzygy ? syzygy_men(tables->syzygy) : 0;
    return tables->own ? max_int(men, own_most_men(tables->own, rules)) : men;
}

void tables_describe(const Tables *tables, char *text, size_t size)
{
    const Syzygy *syzygy = tables->syzygy;
    snprintf(text, size, "Found %d WDL and %d DTZ tablebase files (up to %d-man).",
             syzygy ? syzygy_count(syzygy, SYZYGY_WDL) : 0,
             syzygy ? syzygy_count(syzygy, SYZYGY_DTZ) : 0, syzygy ? syzygy_men(syzygy) : 0);
}

// Shall Syzygy's tables be asked first?
static bool is_syzygys(const Tables *tables, const Position *pos)
{
    return tables->syzygy && syzygy_may_probe(pos);
}

bool tables_result(Tables *tables, const Position *pos, int *wdl, Error *error)
{
    bool is_asked = is_syzygys(tables, pos);
    if (is_asked && syzygy_probe_wdl(tables->syzygy, pos, wdl, error))
        return true;
    if (tables->own) // what Syzygy's tables complained of stays the reason
        return own_probe_wdl(tables->own, pos, wdl, is_asked ? NULL : error);
    return is_asked ? false : error_set(error, "no tables know this position");
}

// Our own tables come first: they are exact.
bool tables_distance(Tables *tables, const Position *pos, int *dtz, Error *error)
{
    Ending ending;
    if (tables->own && own_probe(tables->own, pos, &ending, error)) {
        bool is_mated = ending.wdl == TABLE_LOSS && !ending.zeroing;
        *dtz = is_mated ? -1 : ending.zeroing;
        return true;
    }
    if (is_syzygys(tables, pos))
        return syzygy_probe_dtz(tables->syzygy, pos, dtz, error);
    return tables->own ? false : error_set(error, "no tables know this position");
}

bool tables_end(Tables *tables, const Position *pos, int *end)
{
    return tables->own && own_probe_end(tables->own, pos, end, NULL);
}

// --- moves -----------------------------------------------------------------------------------

// The distance of a move that zeroes.
static int distance_of_zeroing(int wdl)
{
    static const int DTZ[5] = {-1, -101, 0, 101, 1};
    return DTZ[wdl + 2];
}

bool tables_judge_move(Tables *tables, const Position *pos, Move m, MoveVerdict *v, Error *error)
{
    Position next = *pos;
    Undo undo;
    int wdl, dtz = 0;
    bool is_pawn = piece_type(pos->board[move_from(m)]) == PAWN;
    *v = (MoveVerdict){.move = m, .is_zeroing = is_pawn || move_is_capture(m)};
    position_make(&next, m, &undo);
    if (!tables_result(tables, &next, &wdl, error))
        return false;
    v->is_mate = position_in_check(&next) && !movegen_any(&next);
    v->verdict.wdl = -wdl;
    v->verdict.has_distance = true;
    if (v->is_zeroing || v->is_mate)
        v->verdict.dtz = distance_of_zeroing(-wdl);
    else if (!wdl)
        v->verdict.dtz = 0;
    else if (tables_distance(tables, &next, &dtz, NULL))
        v->verdict.dtz = -dtz + (dtz < 0 ? 1 : -1);
    else
        v->verdict.has_distance = false;
    int end;
    v->verdict.has_end = tables_end(tables, &next, &end);
    if (v->verdict.has_end && wdl)
        v->verdict.end = wdl < 0 ? 1 - end : -1 - end;
    return true;
}

// Greater is better: wins by the nearest, losses by the farthest zeroing (or end), mate before all.
static int worth(const MoveVerdict *v, bool by_end)
{
    int distance = by_end ? v->verdict.end : v->verdict.has_distance ? v->verdict.dtz : 0;
    return 100000 * v->verdict.wdl - distance * 4 + v->is_mate * 2 + v->is_zeroing;
}

// Does every decided move lead to an end that is known and comes before the fifty-move rule?
static bool are_ends_sure(const PositionVerdict *v, int fifty)
{
    for (int i = 0; i < v->count; i++) {
        const TableVerdict *move = &v->moves[i].verdict;
        if (move->wdl && (!move->has_end || abs(move->end) + fifty > 100))
            return false;
    }
    return true;
}

// Best first; equal ones in the order of their squares.
static void sort_moves(PositionVerdict *v, bool by_end)
{
    for (int i = 1; i < v->count; i++) {
        MoveVerdict x = v->moves[i];
        int j = i, value = worth(&x, by_end);
        for (; j > 0; j--) {
            int before = worth(&v->moves[j - 1], by_end);
            if (before > value || (before == value && v->moves[j - 1].move <= x.move))
                break;
            v->moves[j] = v->moves[j - 1];
        }
        v->moves[j] = x;
    }
}

bool tables_judge_position(Tables *tables, const Position *pos, TableVerdict *v, Error *error)
{
    *v = (TableVerdict){0};
    if (!tables_result(tables, pos, &v->wdl, error))
        return false;
    v->has_distance = tables_distance(tables, pos, &v->dtz, NULL);
    v->has_end = tables_end(tables, pos, &v->end);
    return true;
}

bool tables_judge(Tables *tables, const Position *pos, PositionVerdict *v, Error *error)
{
    Move moves[MAX_MOVES];
    v->count = movegen_legal(pos, STAGE_ALL, moves);
    if (!tables_judge_position(tables, pos, &v->verdict, error))
        return false;
    for (int i = 0; i < v->count; i++)
        if (!tables_judge_move(tables, pos, moves[i], &v->moves[i], error))
            return false;
    sort_moves(v, are_ends_sure(v, pos->state.fifty));
    return true;
}
