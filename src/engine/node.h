// What the search and quiescence do at every node: make and take back moves, ask the hash table and
// the evaluation, look at the limits, keep the line. Private to search.c and quiesce.c.
#ifndef LOVAC_ENGINE_NODE_H
#define LOVAC_ENGINE_NODE_H

#include <string.h>

#include "base/minmax.h"
#include "engine/search.h"

static inline void node_count(Worker *w)
{
    atomic_store_explicit(&w->nodes, worker_nodes(w) + 1, memory_order_relaxed);
}

// Makes a move and goes one node on; node_unmake takes it back.
static inline void node_make(Worker *w, Node *n, Move m, bool is_capture)
{
    Piece piece = w->pos.board[move_from(m)];
    n->move = m;
    n->moved = (uint8_t)piece;
    n->continuation = &w->histories.continuation[n->in_check][is_capture][piece][move_to(m)];
    n->correction = &w->histories.correct_continuation[piece][move_to(m)];
    evaluator_push(&w->evaluator, &w->pos, m);
    position_make(&w->pos, m, &n->undo);
    *++w->key = w->pos.state.key;
    n[1].reversible = w->pos.state.fifty ? n->reversible + 1 : 0;
    node_count(w);
}

static inline void node_unmake(Worker *w, Node *n, Move m)
{
    position_unmake(&w->pos, m, &n->undo);
    evaluator_pop(&w->evaluator);
    w->key--;
}

static inline void node_make_null(Worker *w, Node *n)
{
    n->move = MOVE_NONE;
    n->moved = NO_PIECE;
    n->continuation = &w->histories.continuation[0][0][NO_PIECE][0];
    n->correction = &w->histories.correct_continuation[NO_PIECE][0];
    evaluator_push(&w->evaluator, &w->pos, MOVE_NONE);
    position_make_null(&w->pos, &n->undo);
    *++w->key = w->pos.state.key;
    n[1].reversible = 0;
    node_count(w);
}

static inline void node_unmake_null(Worker *w, Node *n)
{
    position_unmake_null(&w->pos, &n->undo);
    evaluator_pop(&w->evaluator);
    w->key--;
}

static inline Key node_key(const Position *pos)
{
    return hash_key(pos->state.key, pos->state.fifty);
}

// The same after a move, where it is an ordinary one (see position_key_after).
static inline Key node_key_after(const Position *pos, Move m)
{
    bool is_progress = move_is_capture(m) || piece_type(pos->board[move_from(m)]) == PAWN;
    return hash_key(position_key_after(pos, m), is_progress ? 0 : pos->state.fifty + 1);
}

// Finds what the side not to move attacks, with its lesser men and with all.
static inline void node_find_attacks(const Position *pos, Node *n)
{
    const Color them = !pos->side;
    const Bitboard occupied = position_occupied(pos), pawns = position_men(pos, them, PAWN);
    Bitboard by[TYPE_COUNT];
    by[PAWN] = bitboard_shift(pawns, pos->rules->pawn_capture[them][0]) |
               bitboard_shift(pawns, pos->rules->pawn_capture[them][1]);
    for (PieceType t = KNIGHT; t <= KING; t++) {
        by[t] = 0;
        for (Bitboard men = position_men(pos, them, t); men;)
            by[t] |= piece_attacks(t, bit_pop(&men), occupied);
    }
    n->attacked_by_pawn = by[PAWN];
    n->attacked_by_minor = by[PAWN] | by[KNIGHT] | by[BISHOP];
    n->attacked_by_rook = n->attacked_by_minor | by[ROOK];
    n->attacked = n->attacked_by_rook | by[QUEEN] | by[KING];
}

// What the hash table knows. A move that cannot be made here tells that the entry is of another
// position with the same few bits of key: then its score is worth nothing either.
static inline HashProbe node_look_up(const HashTable *table, const Position *pos, Key key, int ply)
{
    HashProbe probe = hash_probe(table, key, ply);
    if (probe.move && !move_is_pseudo_legal(pos, probe.move))
        return (HashProbe){
            .entry = probe.entry, .depth = DEPTH_NONE, .score = SCORE_NONE, .eval = SCORE_NONE};
    return probe;
}

// The evaluation as it stands, less as the fifty-move limit nears.
static inline int node_raw_eval(Worker *w)
{
    int value = evaluate_for_search(&w->evaluator, &w->pos);
    return value - value * w->pos.state.fifty / 220;
}

// The same with the correction that experience adds.
static inline int node_corrected(int eval, int correction)
{
    return clamp_int(eval + correction, -SCORE_EVAL_LIMIT, SCORE_EVAL_LIMIT);
}

// Every worker looks at clock and node limits now and then: where there are more of them than
// processors, the main worker alone might not run for seconds.
static inline void node_watch_limits(Worker *w)
{
    if (--w->calls_left > 0)
        return;
    const SearchLimits *limits = &w->search->limits;
    w->calls_left = 512;
    if (limits->nodes) {
        uint64_t done = search_nodes(w->search);
        uint64_t left = limits->nodes > done ? limits->nodes - done : 0;
        if (w->search->worker_count > 1)
            left /= (uint64_t)w->search->worker_count;
        w->calls_left = left < 512 ? (int)left : 512;
    }
    search_check_limits(w->search);
}

// The line from here: the move and what followed it.
static inline void node_update_pv(Node *n, Move m)
{
    n->pv[0] = m;
    memcpy(n->pv + 1, n[1].pv, (size_t)n[1].pv_count * sizeof(Move));
    n->pv_count = n[1].pv_count + 1;
}

#endif
