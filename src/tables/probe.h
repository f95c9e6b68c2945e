// Endgame tables as everybody asks them: one front for whatever tables there are. A position is
// judged alone or with all its moves. Any number of threads may ask.
#ifndef LOVAC_TABLES_PROBE_H
#define LOVAC_TABLES_PROBE_H

#include "core/position.h"

#include <stddef.h>

// Results for the side to move, with no half-move counted. The middle ones are won but for the
// fifty-move rule.
enum {
    TABLE_LOSS = -2,
    TABLE_BLESSED_LOSS = -1,
    TABLE_DRAW = 0,
    TABLE_CURSED_WIN = 1,
    TABLE_WIN = 2,
};

typedef struct Tables Tables;

// The Syzygy tables of some folders, with ':' between them (';' on Windows); none for "". NULL,
// with the reason, when a folder cannot be read.
Tables *tables_new(const char *folders, Error *error);
void tables_free(Tables *tables);

// Takes the Syzygy tables of other folders in the place of the former ones, which stay on failure.
// Nobody may be asking, here and below.
bool tables_set_syzygy(Tables *tables, const char *folders, Error *error);

// Asks our own tables (own.h) in a folder, or several, too: for results where Syzygy's do not know,
// for distances first, since they are exact. They take the place of former ones; "" for none.
bool tables_add_own(Tables *tables, const char *folders, Error *error);

// The most men of any table of a game; 0 without tables.
int tables_men(const Tables *tables, const Rules *rules);

// "Found 35 WDL and 35 DTZ tablebase files (up to 4-man)."
void tables_describe(const Tables *tables, char *text, size_t size);

// Can the position be in a table of at most `men` men (see tables_men)? Not if anybody may castle.
static inline bool tables_may_know(const Position *pos, int men)
{
    return !pos->state.castling && bit_count(position_occupied(pos)) <= men;
}

// The result of a position; false, with the reason, when no table knows it.
bool tables_result(Tables *tables, const Position *pos, int *wdl, Error *error);

// Half-moves to the next capture or pawn move that keeps the result, or to mate: positive for wins,
// negative for losses, 0 for draws, beyond 100 for what the fifty-move rule ends. The true number
// may be one more (see docs/tables.md); a side that is mated has -1.
bool tables_distance(Tables *tables, const Position *pos, int *dtz, Error *error);

// Half-moves to mate (to the end of the game) without the fifty-move rule, signed alike; false
// where our own tables do not have the position.
bool tables_end(Tables *tables, const Position *pos, int *end);

// What a table says, for the side to move before the move.
typedef struct TableVerdict {
    int wdl;
    int dtz;           // as above, the move included
    bool has_distance; // else only the result is known
    int end;           // half-moves to mate (to the end of the game) without the fifty-move rule,
                       // the move included, signed as dtz
    bool has_end;      // only our own tables know
} TableVerdict;

typedef struct MoveVerdict {
    Move move;
    TableVerdict verdict;
    bool is_zeroing; // a capture or a pawn move: the count of fifty begins anew
    bool is_mate;
} MoveVerdict;

typedef struct PositionVerdict {
    TableVerdict verdict;
    int count;
    MoveVerdict moves[MAX_MOVES]; // best first: by the end where that is sure, else by zeroing
} PositionVerdict;

// Judges a position alone.
bool tables_judge_position(Tables *tables, const Position *pos, TableVerdict *verdict,
                           Error *error);

// Judges one legal move.
bool tables_judge_move(Tables *tables, const Position *pos, Move move, MoveVerdict *verdict,
                       Error *error);

// Judges a position and all its moves.
bool tables_judge(Tables *tables, const Position *pos, PositionVerdict *verdict, Error *error);

#endif
