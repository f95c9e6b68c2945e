// See material.h. Start with material_choose_until at the end; `search` is negamax with alpha-beta
// as in every textbook.
#include "lab/agents/material.h"

#include <assert.h>
#include <stddef.h>

#include "base/stop.h"
#include "core/game.h"
#include "core/movegen.h"
#include "engine/score.h"
#include "lab/agents/agent.h"

static const int VALUES[TYPE_COUNT] = {100, 300, 300, 500, 900, 0};

int material_count(const Position *pos)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += VALUES[t] * (bit_count(position_men(pos, pos->side, t)) -
                            bit_count(position_men(pos, !pos->side, t)));
    return sum;
}

// Alpha-beta cuts most when good moves come first: captures, the most valuable victim before all.
static int first_guess(const Position *pos, Move move)
{
    Piece captured = position_captured(pos, move);
    int guess = captured == NO_PIECE ? 0 : 1 + VALUES[piece_type(captured)];
    return guess + (move_is_promotion(move) ? VALUES[move_promotion(move)] : 0);
}

static void sort_moves(const Position *pos, Move *moves, int count)
{
    int guesses[MAX_MOVES];
    for (int i = 0; i < count; i++)
        guesses[i] = first_guess(pos, moves[i]);
    agent_sort_moves(moves, guesses, count);
}

// What one search shares: its count, and the order to give up.
typedef struct Work {
    uint64_t nodes;
    const atomic_bool *stop; // may be NULL
} Work;

// After a stop the score means nothing.
static int search(Position *pos, int depth, int ply, int alpha, int beta, Work *work)
{
    work->nodes++;
    if (stop_is_set(work->stop))
        return 0;
    const Outcome outcome = position_outcome(pos);
    if (outcome.result != RESULT_NONE)
        return agent_final_score(pos, outcome.result, ply);
    if (depth == 0)
        return material_count(pos);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, STAGE_ALL, moves);
    sort_moves(pos, moves, count);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count && best < beta; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        const int score = -search(pos, depth - 1, ply + 1, -beta, -alpha, work);
        position_unmake(pos, moves[i], &undo);
        best = score > best ? score : best;
        alpha = best > alpha ? best : alpha;
    }
    return best;
}

static void shuffle(Move *moves, int count, Random *random)
{
    for (int i = count; i > 1; i--) {
        const int k = (int)random_below(random, (uint64_t)i);
        const Move swap = moves[i - 1];
        moves[i - 1] = moves[k];
        moves[k] = swap;
    }
}

bool material_choose_until(const Position *pos, int depth, Random *random, const atomic_bool *stop,
                           MaterialChoice *choice)
{
    assert(depth >= 1 && depth <= MATERIAL_DEPTH_MAX);
    Position now = *pos;
    Move moves[MAX_MOVES];
    const int count = movegen_legal(&now, STAGE_ALL, moves);
    shuffle(moves, count, random); // the first of the best is then any of the best
    sort_moves(&now, moves, count);
    *choice = (MaterialChoice){.score = -SCORE_INFINITE};
    Work work = {.stop = stop};
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make(&now, moves[i], &undo);
        const int score = -search(&now, depth - 1, 1, -SCORE_INFINITE, -choice->score, &work);
        position_unmake(&now, moves[i], &undo);
        if (score > choice->score) {
            choice->score = score;
            choice->move = moves[i];
        }
    }
    choice->nodes = work.nodes;
    return !stop_is_set(stop);
}

void material_player(const Game *game, const SearchLimits *limits, Random *random,
                     const atomic_bool *stop, PlayerMove *answer)
{
    int depth = limits->depth ? limits->depth : MATERIAL_DEPTH;
    MaterialChoice choice;
    if (depth > MATERIAL_DEPTH_MAX)
        depth = MATERIAL_DEPTH_MAX;
    material_choose_until(&game->now, depth, random, stop, &choice);
    answer->move = choice.move;
    answer->score = choice.score;
    answer->depth = depth;
    answer->nodes = choice.nodes;
}

void material_choose(const Position *pos, int depth, Random *random, MaterialChoice *choice)
{
    material_choose_until(pos, depth, random, NULL, choice);
}
