// See history.h.
#include "engine/history.h"

#include "base/minmax.h"
#include "engine/search.h"

// --- correction of the evaluation ------------------------------------------------------------

int history_correction(Worker *w, const Node *n)
{
    const Position *pos = &w->pos;
    Histories *h = &w->histories;
    Color us = pos->side;
    if (!TUNED(w, UseCorrection))
        return 0;
    int sum =
        TUNED(w, CorrectionPawn) * h->correct_pawn[us][position_pawn_key(pos) % CORRECTION_SIZE];
    sum +=
        TUNED(w, CorrectionMinor) * h->correct_minor[us][position_minor_key(pos) % CORRECTION_SIZE];
    for (Color c = WHITE; c <= BLACK; c++)
        sum += TUNED(w, CorrectionNonPawn) *
               h->correct_nonpawn[us][c][position_nonpawn_key(pos, c) % CORRECTION_SIZE];
    if (n[-1].move) {
        Square to = move_to(n[-1].move);
        Piece piece = n[-1].moved;
        sum += TUNED(w, CorrectionContinuation) *
               ((*n[-2].correction)[piece][to] + (*n[-4].correction)[piece][to]);
    }
    return sum / 2048;
}

void history_correct(Worker *w, const Node *n, int difference, int depth)
{
    const Position *pos = &w->pos;
    Histories *h = &w->histories;
    Color us = pos->side;
    int bonus = clamp_int(difference * depth * TUNED(w, CorrectionRate) / 64, -CORRECTION_LIMIT / 4,
                          CORRECTION_LIMIT / 4);
    history_add(&h->correct_pawn[us][position_pawn_key(pos) % CORRECTION_SIZE], bonus,
                CORRECTION_LIMIT);
    history_add(&h->correct_minor[us][position_minor_key(pos) % CORRECTION_SIZE], bonus,
                CORRECTION_LIMIT);
    for (Color c = WHITE; c <= BLACK; c++)
        history_add(&h->correct_nonpawn[us][c][position_nonpawn_key(pos, c) % CORRECTION_SIZE],
                    bonus, CORRECTION_LIMIT);
    if (n[-1].move) {
        Square to = move_to(n[-1].move);
        Piece piece = n[-1].moved;
        if (n[-2].move)
            history_add(&(*n[-2].correction)[piece][to], bonus, CORRECTION_LIMIT);
        if (n[-4].move)
            history_add(&(*n[-4].correction)[piece][to], bonus / 2, CORRECTION_LIMIT);
    }
}

// --- histories of moves ----------------------------------------------------------------------

int history_bonus(const Worker *w, int depth)
{
    return min_int(TUNED(w, BonusDepth) * depth - TUNED(w, BonusBase), TUNED(w, BonusMax));
}
static int malus_of(const Worker *w, int depth)
{
    return min_int(TUNED(w, MalusDepth) * depth - TUNED(w, MalusBase), TUNED(w, MalusMax));
}

void history_add_continuations(Node *n, Piece piece, Square to, int bonus)
{
    static const struct {
        int back, weight;
    } STEPS[] = {{1, 128}, {2, 110}, {3, 40}, {4, 80}, {6, 64}};
    for (int i = 0; i < 5; i++) {
        if (n->in_check && STEPS[i].back > 2)
            break;
        Node *earlier = n - STEPS[i].back;
        if (earlier->move)
            history_add(&(*earlier->continuation)[piece][to], bonus * STEPS[i].weight / 128,
                        CONTINUATION_LIMIT);
    }
}

void history_add_quiet(Worker *w, Node *n, Move m, int bonus)
{
    Histories *h = &w->histories;
    const Position *pos = &w->pos;
    Piece piece = pos->board[move_from(m)];
    history_add(history_butterfly(h, pos->side, n->attacked, m), bonus, BUTTERFLY_LIMIT);
    if (n->ply < LOW_PLIES)
        history_add(&h->low_ply[n->ply][history_from_to(m)], bonus, LOW_PLY_LIMIT);
    history_add(&(*history_pawn(h, pos))[piece][move_to(m)], bonus, PAWN_HISTORY_LIMIT);
    history_add_continuations(n, piece, move_to(m), bonus);
}

void history_learn(Worker *w, Node *n, Move best, const Tried *quiets, const Tried *noisy,
                   int depth, bool was_hash_move)
{
    const Position *pos = &w->pos;
    int bonus = history_bonus(w, depth) + TUNED(w, BonusHashMove) * was_hash_move,
        malus = malus_of(w, depth);
    if (move_is_noisy(pos, best)) {
        history_add(history_capture(&w->histories, pos, best), bonus, CAPTURE_LIMIT);
    } else {
        history_add_quiet(w, n, best, bonus);
        for (int i = 0; i < quiets->count; i++)
            history_add_quiet(w, n, quiets->moves[i], -malus);
    }
    for (int i = 0; i < noisy->count; i++)
        history_add(history_capture(&w->histories, pos, noisy->moves[i]), -malus, CAPTURE_LIMIT);

    // The quiet move that led here was refuted: early moves were most trusted, so blame them most.
    Node *last = n - 1;
    if (last->move && last->move_count == 1 + last->was_hit && pos->state.captured == NO_PIECE &&
        !move_is_promotion(last->move))
        history_add_continuations(last, last->moved, move_to(last->move), -malus);
}
