// The scores of a search: centipawns from the side to move, with mates and tablebase results at the
// ends.
#ifndef LOVAC_ENGINE_SCORE_H
#define LOVAC_ENGINE_SCORE_H

#include <stdbool.h>

enum {
    MAX_PLY = 246, // deepest line of a search

    SCORE_DRAW = 0,
    SCORE_MATE = 32000, // less the plies to the mate
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002, // no score known
    SCORE_MATE_LIMIT = SCORE_MATE - MAX_PLY,
    SCORE_TABLE_WIN = SCORE_MATE_LIMIT - 1, // less the plies to the table position
    SCORE_TABLE_LIMIT = SCORE_TABLE_WIN - MAX_PLY,
    SCORE_EVAL_LIMIT = SCORE_TABLE_LIMIT - 1, // no evaluation goes beyond

    // Where a side is winning anyway the search counts a tenth: score_bend.
    BEND_FROM = 600,
    BEND_TO = 3600,
    BEND_LEFT = (BEND_TO - BEND_FROM) / 10,
};

static inline int score_mated_in(int ply)
{
    return ply - SCORE_MATE;
}
static inline int score_mate_in(int ply)
{
    return SCORE_MATE - ply;
}
static inline bool score_is_win(int score)
{
    return score >= SCORE_TABLE_LIMIT;
}
static inline bool score_is_loss(int score)
{
    return score <= -SCORE_TABLE_LIMIT;
}
static inline bool score_is_decisive(int score)
{
    return score_is_win(score) || score_is_loss(score);
}
static inline bool score_is_mate(int score)
{
    return score >= SCORE_MATE_LIMIT || score <= -SCORE_MATE_LIMIT;
}

// Centipawns of an evaluation as the search counts them. Between BEND_FROM and BEND_TO a network's
// judgement is loud and uncertain: counted in full it makes every margin of the search too narrow
// there, and the tree grows instead of finding the mate.
static inline int score_bend(int eval)
{
    int size = eval < 0 ? -eval : eval;
    if (size > BEND_TO)
        size -= BEND_TO - BEND_FROM - BEND_LEFT;
    else if (size > BEND_FROM)
        size = BEND_FROM + (size - BEND_FROM) / 10;
    return eval < 0 ? -size : size;
}

// The other way round, for people; mates and table results stay.
static inline int score_unbend(int score)
{
    int size = score < 0 ? -score : score;
    if (score_is_decisive(score) || size <= BEND_FROM)
        return score;
    if (size > BEND_FROM + BEND_LEFT)
        size += BEND_TO - BEND_FROM - BEND_LEFT;
    else
        size = BEND_FROM + (size - BEND_FROM) * 10;
    size = size < SCORE_EVAL_LIMIT ? size : SCORE_EVAL_LIMIT;
    return score < 0 ? -size : size;
}

// As people are told: table results by Stockfish's custom 200 pawns, less a centipawn for each
// half-move to the table's position. Only for scores that are no mate.
static inline int score_shown(int score)
{
    if (score_is_win(score))
        return 20000 - (SCORE_TABLE_WIN - score);
    return score_is_loss(score) ? (SCORE_TABLE_WIN + score) - 20000 : score;
}

// Full moves to the mate, negative when the side to move is mated; only for mate scores.
static inline int score_mate_moves(int score)
{
    return score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score) / 2;
}

#endif
