// See steps.h. Each method is one short function; the root, at the end, is common to them.
#include "lab/agents/steps.h"

#include "base/minmax.h"
#include "core/game.h"
#include "core/movegen.h"
#include "engine/score.h"
#include "lab/agents/material.h"

// Enters a position. True when its value is known without looking further: the game is over, the
// depth is used up, or the search gives up. `score` is for the side to move.
static bool is_leaf(const Position *pos, int depth, int ply, Effort *effort, int *score)
{
    *score = 0;
    if (effort_enter(effort, ply))
        return true;
    const Outcome outcome = position_outcome(pos);
    if (outcome.result != RESULT_NONE) {
        *score = agent_final_score(pos, outcome.result, ply);
        effort->report->leaves++;
        return true;
    }
    if (depth > 0)
        return false;
    *score = material_count(pos);
    effort->report->leaves++;
    return true;
}

static int generate(const Position *pos, Move *moves, Effort *effort)
{
    const int count = movegen_legal(pos, STAGE_ALL, moves);
    effort->report->generated += (uint64_t)count;
    return count;
}

// ---- 1. Minimax ----
// White chooses the move with the largest value, Black the one with the smallest, and each expects
// that of the other. Values are White's throughout.

static int minimax(Position *pos, int depth, int ply, Effort *effort)
{
    int score;
    const bool is_white = pos->side == WHITE;
    if (is_leaf(pos, depth, ply, effort, &score))
        return is_white ? score : -score;
    Move moves[MAX_MOVES];
    const int count = generate(pos, moves, effort);
    int best = is_white ? -SCORE_INFINITE : SCORE_INFINITE;
    for (int i = 0; i < count && !effort->is_over; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        score = minimax(pos, depth - 1, ply + 1, effort);
        position_unmake(pos, moves[i], &undo);
        best = is_white ? max_int(best, score) : min_int(best, score);
    }
    return best;
}

// ---- 2. Negamax ----
// What is good for one is as bad for the other: min(a, b) = -max(-a, -b). With values for the side
// to move, one rule serves both, and the question who is to move disappears.

static int negamax(Position *pos, int depth, int ply, Effort *effort)
{
    int score;
    if (is_leaf(pos, depth, ply, effort, &score))
        return score;
    Move moves[MAX_MOVES];
    const int count = generate(pos, moves, effort);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count && !effort->is_over; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        best = max_int(best, -negamax(pos, depth - 1, ply + 1, effort));
        position_unmake(pos, moves[i], &undo);
    }
    return best;
}

// ---- 3. Alpha-beta ----
// `alpha` is what the side to move already has elsewhere, `beta` what the other one already has.
// Once a move reaches beta, the other will not let this position come about: the rest of its moves
// need not be looked at. With the best move first everywhere only about the square root of the tree
// is left; here the moves come as they are generated, to show what ordering will be worth.

static int alpha_beta(Position *pos, int depth, int ply, int alpha, int beta, Effort *effort)
{
    int score;
    if (is_leaf(pos, depth, ply, effort, &score))
        return score;
    Move moves[MAX_MOVES];
    const int count = generate(pos, moves, effort);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count && !effort->is_over; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        score = -alpha_beta(pos, depth - 1, ply + 1, -beta, -alpha, effort);
        position_unmake(pos, moves[i], &undo);
        best = max_int(best, score);
        alpha = max_int(alpha, score);
        if (alpha >= beta) {
            effort_cut(effort, i + 1);
            break;
        }
    }
    return best;
}

// ---- The root ----

// The value of the position after a move of the root, for the side that made it. `best` is what
// that side has already.
static int value_of(StepMethod method, Position *after, int depth, int best, Effort *effort)
{
    int score;
    switch (method) {
    case STEP_MINIMAX:
        score = minimax(after, depth, 1, effort);
        return after->side == BLACK ? score : -score;
    case STEP_NEGAMAX: return -negamax(after, depth, 1, effort);
    default: return -alpha_beta(after, depth, 1, -SCORE_INFINITE, -best, effort);
    }
}

void steps_search(StepMethod method, const AgentTask *task, AgentReport *report)
{
    Effort effort = effort_begin(task, report);
    Position pos = *task->pos;
    Move moves[MAX_MOVES];
    effort_enter(&effort, 0);
    const int count = generate(&pos, moves, &effort);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make(&pos, moves[i], &undo);
        const int score = value_of(method, &pos, task->depth - 1, best, &effort);
        position_unmake(&pos, moves[i], &undo);
        if (effort.is_over)
            break;
        if (score > best) {
            best = score;
            report->move = report->pv[0] = moves[i];
            report->score = score;
            report->pv_count = 1;
        }
    }
    report->is_done = !effort.is_over;
    report->depth = report->is_done ? task->depth : 0;
}

// ---- As players ----

static void search_minimax(void *memory, const AgentTask *task, AgentReport *report)
{
    (void)memory;
    steps_search(STEP_MINIMAX, task, report);
}

static void search_negamax(void *memory, const AgentTask *task, AgentReport *report)
{
    (void)memory;
    steps_search(STEP_NEGAMAX, task, report);
}

static void search_alpha_beta(void *memory, const AgentTask *task, AgentReport *report)
{
    (void)memory;
    steps_search(STEP_ALPHA_BETA, task, report);
}

Player *minimax_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = 3, .depth_max = 32, .search = search_minimax};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}

Player *negamax_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = 3, .depth_max = 32, .search = search_negamax};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}

Player *alpha_beta_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = 4, .depth_max = 32, .search = search_alpha_beta};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
