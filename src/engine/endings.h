// What the search makes of endgame tables: scores inside the tree, and the order of the moves at
// the root, so that a win is brought home within fifty moves.
#ifndef LOVAC_ENGINE_ENDINGS_H
#define LOVAC_ENGINE_ENDINGS_H

#include "engine/search.h"

// Before a search, when its workers are prepared: ranks the root moves of all of them by the
// tables, and decides whether the tree shall ask tables too.
void endings_prepare(Search *search, Tables *tables);

// Shall the tables be asked about a position inside the tree?
static inline bool endings_may_know(const Search *search, const Position *pos, int depth)
{
    int men = search->table_men;
    return tables_may_know(pos, men) &&
           (depth >= search->table_depth || bit_count(position_occupied(pos)) < men);
}

// The score of a position in which no half-move is counted, and what it bounds; BOUND_NONE when
// no table has it.
Bound endings_probe(Worker *worker, const Node *node, int *score);

// The score of a root move to show and to give: the tables', unless only the search knows a mate.
int endings_root_score(const Search *search, const RootMove *move, int score);

// The line of a root move to its mate with best play of both, where the tables know how far it is;
// returns its half-moves, 0 where they do not. It stays until the next question. Only the thread
// that reports may ask.
int endings_root_line(Search *search, const RootMove *move, const Move **line);

// After a search that was free to choose among all moves that win: if it found no mate, the best
// of those that zero at once goes to the front. True if that changed anything.
bool endings_prefer_nearest(Worker *worker);

#endif
