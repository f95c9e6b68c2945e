// See ends.h.
#include "engine/ends.h"

#include "base/minmax.h"
#include "engine/cuckoo.h"

int ends_draw_score(const Worker *w)
{
    return SCORE_DRAW - 1 + (int)(worker_nodes(w) & 2);
}

// Has this position stood before: once within the search, or twice in all?
static bool is_repetition(const Worker *w, const Node *n)
{
    int reach = min_int(n->reversible, w->pos.state.fifty), seen = 0;
    for (int i = 4; i <= reach; i += 2)
        if (w->key[-i] == w->key[0] && (i < n->ply || ++seen == 2))
            return true;
    return false;
}

bool ends_can_repeat(const Worker *w, const Node *n)
{
    const Position *pos = &w->pos;
    int reach = TUNED(w, UseRepetitionAhead) ? min_int(n->reversible, pos->state.fifty) : 0;
    for (int i = 3; i <= reach; i += 2) {
        unsigned squares = cuckoo_find(w->key[0] ^ w->key[-i]);
        if (!squares)
            continue;
        Square a = squares & 63, b = squares >> 6;
        if (BETWEEN[a][b] & position_occupied(pos))
            continue;
        if (n->ply > i)
            return true;
        // Before the root: only if it is our own man, and the position has already been there
        // twice.
        Piece piece = pos->board[a] != NO_PIECE ? pos->board[a] : pos->board[b];
        if (piece == NO_PIECE || piece_color(piece) != pos->side)
            continue;
        for (int j = i + 4; j <= reach; j += 2)
            if (w->key[-j] == w->key[-i])
                return true;
    }
    return false;
}

// Neither side can mate, quickly told.
static bool is_dead(const Position *pos)
{
    if (!pos->rules->has_dead_draw ||
        (pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN]))
        return false;
    if (bit_count(position_occupied(pos)) <= 3)
        return true;
    Bitboard bishops = pos->by_type[BISHOP];
    return !pos->by_type[KNIGHT] && (!(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES));
}

bool ends_is_over(Worker *w, const Node *n, int *score)
{
    const Position *pos = &w->pos;
    if (pos->rules->bare_side_loses && !pos->by_color[pos->side]) {
        *score = score_mated_in(n->ply);
        return true;
    }
    if (pos->state.fifty >= 100 && !pos->rules->must_capture) {
        bool is_mate = n->in_check && !movegen_any(pos);
        *score = is_mate ? score_mated_in(n->ply) : ends_draw_score(w);
        return true;
    }
    if (is_dead(pos) || is_repetition(w, n)) {
        *score = ends_draw_score(w);
        return true;
    }
    return false;
}

int ends_no_move_score(const Worker *w, const Node *n)
{
    return n->in_check || w->pos.rules->no_move_loses ? score_mated_in(n->ply) : SCORE_DRAW;
}
