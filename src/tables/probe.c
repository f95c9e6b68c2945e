// See probe.h.
#include "tables/probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/movegen.h"
#include "tables/syzygy.h"

struct Tables {
    Syzygy *syzygy;
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
    if ((tables->syzygy = syzygy_new(folders, error)))
        return tables;
    tables_free(tables);
    return NULL;
}

void tables_free(Tables *tables)
{
    if (!tables)
        return;
    syzygy_free(tables->syzygy);
    free(tables);
}

int tables_men(const Tables *tables)
{
    return syzygy_men(tables->syzygy);
}

void tables_describe(const Tables *tables, char *text, size_t size)
{
    snprintf(text, size, "Found %d WDL and %d DTZ tablebase files (up to %d-man).",
             syzygy_count(tables->syzygy, SYZYGY_WDL), syzygy_count(tables->syzygy, SYZYGY_DTZ),
             tables_men(tables));
}

bool tables_result(Tables *tables, const Position *pos, int *wdl, Error *error)
{
    return syzygy_probe_wdl(tables->syzygy, pos, wdl, error);
}

bool tables_distance(Tables *tables, const Position *pos, int *dtz, Error *error)
{
    return syzygy_probe_dtz(tables->syzygy, pos, dtz, error);
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
    return true;
}

// Greater is better: wins by the nearest, losses by the farthest zeroing, mate before all.
static int worth(const MoveVerdict *v)
{
    int distance = v->verdict.has_distance ? v->verdict.dtz : 0;
    return 100000 * v->verdict.wdl - distance * 4 + v->is_mate * 2 + v->is_zeroing;
}

static int compare(const void *a, const void *b)
{
    const MoveVerdict *x = a, *y = b;
    int difference = worth(y) - worth(x);
    return difference ? difference : (int)x->move - (int)y->move;
}

// Of the position itself, where the distance is known.
static bool judge_position(Tables *tables, const Position *pos, TableVerdict *v, Error *error)
{
    *v = (TableVerdict){0};
    if (!tables_result(tables, pos, &v->wdl, error))
        return false;
    v->has_distance = tables_distance(tables, pos, &v->dtz, NULL);
    return true;
}

bool tables_judge(Tables *tables, const Position *pos, PositionVerdict *v, Error *error)
{
    Move moves[MAX_MOVES];
    v->count = movegen_legal(pos, STAGE_ALL, moves);
    if (!judge_position(tables, pos, &v->verdict, error))
        return false;
    for (int i = 0; i < v->count; i++)
        if (!tables_judge_move(tables, pos, moves[i], &v->moves[i], error))
            return false;
    qsort(v->moves, (size_t)v->count, sizeof *v->moves, compare);
    return true;
}
