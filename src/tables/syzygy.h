// Syzygy's endgame tables: whatever files lie in some folders, asked about positions of up to seven
// men. Knows what the files leave to the prober: captures, en passant, the side to move that a DTZ
// file lacks. syzygy_file.h reads a single file.
//
// Files are mapped when they are first needed; a damaged one then answers every question with an
// error. All but syzygy_new and syzygy_free may be called by any number of threads.
#ifndef LOVAC_TABLES_SYZYGY_H
#define LOVAC_TABLES_SYZYGY_H

#include "tables/syzygy_file.h"

// Results for the side to move. The middle ones are wins but for the fifty-move rule.
enum {
    SYZYGY_LOSS = -2,
    SYZYGY_BLESSED_LOSS = -1,
    SYZYGY_DRAW = 0,
    SYZYGY_CURSED_WIN = 1,
    SYZYGY_WIN = 2,
};

typedef struct Syzygy Syzygy;

// The tables of one or more folders, with ':' between them (';' on Windows). NULL, with the reason,
// when a folder cannot be read.
Syzygy *syzygy_new(const char *folders, Error *error);
void syzygy_free(Syzygy *tables);

// How many files of a kind were found.
int syzygy_count(const Syzygy *tables, SyzygyKind kind);

// The most men of any WDL file; 0 without files.
int syzygy_men(const Syzygy *tables);

// Do the tables' rules hold here: the game's men move as in chess, and nobody may castle?
static inline bool syzygy_may_probe(const Position *pos)
{
    return pos->rules->can_use_tablebases && !pos->state.castling;
}

// The result of a position with no half-move counted, which must be one for syzygy_may_probe.
// False, with the reason, when a table is missing or damaged.
bool syzygy_probe_wdl(Syzygy *tables, const Position *pos, int *wdl, Error *error);

// Plies to the next capture or pawn move that keeps the result, or to mate, with the best play for
// that: positive for wins, negative for losses, 0 for draws, 101 and more (or -101 and less) for
// such as the fifty-move rule ends. As files often count full moves the true number may be one
// more, but never so that it crosses the rule. A side that is mated has -1.
bool syzygy_probe_dtz(Syzygy *tables, const Position *pos, int *dtz, Error *error);

#endif
