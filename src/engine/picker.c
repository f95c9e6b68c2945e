// Move ordering: hash move, good captures, good quiets, bad captures, bad quiets.
#include "engine/picker.h"

static bool is_usable(const Worker *w, Move m)
{
    return m && move_is_pseudo_legal(&w->pos, m);
}

static void init(Picker *p, Worker *w, const Node *node, Move hash_move, PickStage stage)
{
    p->worker = w;
    p->node = node;
    p->hash_move = is_usable(w, hash_move) ? hash_move : MOVE_NONE;
    p->stage = stage + !p->hash_move;
    p->skip_quiets = false;
    p->threshold = p->depth = 0;
    p->checks = NULL;
    p->start = w->moves_used;
    p->current = p->end = p->bad_captures_end = p->quiets_end = &w->moves[p->start];
}

void picker_init_main(Picker *p, Worker *w, const Node *node, const CheckMap *checks,
                      Move hash_move, int depth)
{
    bool all_at_once = position_in_check(&w->pos) || w->pos.rules->must_capture;
    init(p, w, node, hash_move, all_at_once ? PICK_ALL_HASH : PICK_HASH);
    p->depth = depth;
    p->checks = checks;
}

void picker_init_noisy(Picker *p, Worker *w, const Node *node, Move hash_move)
{
    Move m = hash_move && move_is_noisy(&w->pos, hash_move) ? hash_move : MOVE_NONE;
    init(p, w, node, m, PICK_NOISY_HASH);
}

void picker_init_gain(Picker *p, Worker *w, const Node *node, Move hash_move, int threshold)
{
    bool is_fit = hash_move && move_is_capture(hash_move) && is_usable(w, hash_move) &&
                  position_see_at_least(&w->pos, hash_move, threshold, SEE_VALUES);
    init(p, w, node, is_fit ? hash_move : MOVE_NONE, PICK_GAIN_HASH);
    p->threshold = threshold;
}

void picker_end(Picker *p)
{
    p->worker->moves_used = p->start;
}

// Makes the moves of a stage behind `at` and returns their end.
static ScoredMove *make_moves(Picker *p, MoveStage stage, ScoredMove *at)
{
    Worker *w = p->worker;
    int count = movegen_pseudo(&w->pos, stage, w->generated);
    for (int i = 0; i < count; i++)
        if (w->generated[i] != p->hash_move)
            (at++)->move = w->generated[i];
    w->moves_used = (int)(at - w->moves);
    return at;
}

static int capture_score(Worker *w, Move m)
{
    const Position *pos = &w->pos;
    Piece taken = position_captured(pos, m);
    int worth = taken == NO_PIECE ? 0 : man_worth(piece_type(taken));
    if (move_is_promotion(m))
        worth += man_worth(move_promotion(m)) - man_worth(PAWN);
    int score = worth * TUNED(w, OrderCaptureVictim);
    // Step O1. How this capture did before.
    return TUNED(w, UseCaptureHistory) ? score + *history_capture(&w->histories, pos, m) : score;
}

static void score_captures(Picker *p)
{
    for (ScoredMove *m = p->current; m < p->end; m++)
        m->score = capture_score(p->worker, m->move);
}

static void score_quiets(Picker *p, ScoredMove *from)
{
    Worker *w = p->worker;
    const Position *pos = &w->pos;
    Histories *h = &w->histories;
    const Node *n = p->node;
    // Squares where a man of each kind would stand attacked by a lesser one.
    const Bitboard threats[TYPE_COUNT] = {
        [KNIGHT] = n->attacked_by_pawn,
        [BISHOP] = n->attacked_by_pawn,
        [ROOK] = n->attacked_by_minor,
        [QUEEN] = n->attacked_by_rook,
    };

    for (ScoredMove *m = from; m < p->end; m++) {
        Square f = move_from(m->move), t = move_to(m->move);
        Piece piece = pos->board[f];
        PieceType type = piece_type(piece);
        int score = 0;
        // Step O2. How the move did before, out of attacks and into them told apart.
        if (TUNED(w, UseButterfly))
            score += TUNED(w, OrderButterfly) *
                     *history_butterfly(h, pos->side, n->attacked, m->move) / 64;
        // Step O3. After the moves that were just played.
        if (TUNED(w, UseContinuation)) {
            score += TUNED(w, OrderContinuation1) * (*n[-1].continuation)[piece][t] / 64;
            score += TUNED(w, OrderContinuation2) * (*n[-2].continuation)[piece][t] / 64;
            score += TUNED(w, OrderContinuation3) * (*n[-3].continuation)[piece][t] / 64;
            score += TUNED(w, OrderContinuation4) * (*n[-4].continuation)[piece][t] / 64;
            score += TUNED(w, OrderContinuation6) * (*n[-6].continuation)[piece][t] / 64;
        }
        // Step O4. As near to the root as here.
        if (TUNED(w, UseLowPly) && n->ply < LOW_PLIES)
            score +=
                TUNED(w, OrderLowPly) * h->low_ply[n->ply][history_from_to(m->move)] / (1 + n->ply);
        // Step O5. Checks that do not lose material.
        if (TUNED(w, UseOrderChecks) && (p->checks->squares[type] & square_bit(t)) &&
            position_see_at_least(pos, m->move, -75, SEE_VALUES))
            score += TUNED(w, OrderCheck);
        // Step O6. Away from the attacks of lesser men, not into them.
        int danger =
            ((threats[type] & square_bit(f)) != 0) - ((threats[type] & square_bit(t)) != 0);
        if (TUNED(w, UseOrderThreats))
            score += danger * man_worth(type) * TUNED(w, OrderThreat);
        m->score = score;
    }
}

static void score_all(Picker *p)
{
    Worker *w = p->worker;
    const Position *pos = &w->pos;
    Histories *h = &w->histories;
    const Node *n = p->node;
    for (ScoredMove *m = p->current; m < p->end; m++) {
        Square t = move_to(m->move);
        Piece piece = pos->board[move_from(m->move)];
        if (move_is_noisy(pos, m->move))
            m->score = (1 << 28) + capture_score(w, m->move);
        else
            m->score = *history_butterfly(h, pos->side, n->attacked, m->move) +
                       (*n[-1].continuation)[piece][t] + (*n[-2].continuation)[piece][t];
    }
}

// Moves above a limit to the front, in order; the rest behind them, as they come.
static void sort_above(ScoredMove *begin, ScoredMove *end, int limit)
{
    ScoredMove *sorted = begin - 1;
    for (ScoredMove *m = begin; m < end; m++) {
        if (m->score < limit)
            continue;
        ScoredMove x = *m;
        *m = *++sorted;
        ScoredMove *q = sorted;
        for (; q > begin && q[-1].score < x.score; q--)
            *q = q[-1];
        *q = x;
    }
}

static ScoredMove *take_best(ScoredMove *begin, ScoredMove *end)
{
    ScoredMove *best = begin;
    for (ScoredMove *m = begin + 1; m < end; m++)
        if (m->score > best->score)
            best = m;
    ScoredMove x = *best;
    *best = *begin;
    *begin = x;
    return begin;
}

// The best capture that does not lose material; the losing ones are put aside at the front of the
// list.
static Move next_good_capture(Picker *p)
{
    const Worker *w = p->worker;
    while (p->current < p->end) {
        ScoredMove *m = take_best(p->current++, p->end);
        int margin = -m->score / TUNED(w, OrderGoodCapture);
        if (position_see_at_least(&w->pos, m->move, margin, SEE_VALUES))
            return m->move;
        *p->bad_captures_end++ = *m;
    }
    return MOVE_NONE;
}

static void make_quiets(Picker *p)
{
    ScoredMove *from = p->bad_captures_end;
    p->current = from;
    p->end = p->quiets_end = from;
    if (p->skip_quiets)
        return;
    p->end = p->quiets_end = make_moves(p, STAGE_QUIET, from);
    score_quiets(p, from);
    sort_above(from, p->end, -TUNED(p->worker, OrderSortDepth) * p->depth);
}

static Move next_good_quiet(Picker *p)
{
    if (p->skip_quiets || p->current >= p->end ||
        p->current->score < -TUNED(p->worker, OrderGoodQuiet))
        return MOVE_NONE;
    return (p->current++)->move;
}

static Move next_gain(Picker *p)
{
    while (p->current < p->end) {
        Move m = take_best(p->current++, p->end)->move;
        if (position_see_at_least(&p->worker->pos, m, p->threshold, SEE_VALUES))
            return m;
    }
    return MOVE_NONE;
}

static void make_captures(Picker *p)
{
    p->current = p->bad_captures_end = &p->worker->moves[p->start];
    p->end = make_moves(p, STAGE_NOISY, p->current);
    score_captures(p);
    p->stage++;
}

Move picker_next(Picker *p)
{
    ScoredMove *first = &p->worker->moves[p->start];
    Move m;
    switch (p->stage) {
    case PICK_HASH:
    case PICK_ALL_HASH:
    case PICK_NOISY_HASH:
    case PICK_GAIN_HASH: p->stage++; return p->hash_move;

    case PICK_MAKE_CAPTURES: make_captures(p); // fall through
    case PICK_GOOD_CAPTURES:
        if ((m = next_good_capture(p)))
            return m;
        p->stage++;                                    // fall through
    case PICK_MAKE_QUIETS: make_quiets(p); p->stage++; // fall through
    case PICK_GOOD_QUIETS:
        if ((m = next_good_quiet(p)))
            return m;
        p->stage++;
        p->end = p->current; // the first of the bad quiets
        p->current = first;  // fall through
    case PICK_BAD_CAPTURES:
        if (p->current < p->bad_captures_end)
            return (p->current++)->move;
        p->stage++;
        p->current = p->end; // fall through
    case PICK_BAD_QUIETS:
        if (!p->skip_quiets && p->current < p->quiets_end)
            return (p->current++)->move;
        p->stage = PICK_DONE;
        return MOVE_NONE;

    case PICK_MAKE_ALL:
        p->current = first;
        p->end = make_moves(p, STAGE_ALL, first);
        score_all(p);
        p->stage++; // fall through
    case PICK_ALL:
        while (p->current < p->end) {
            m = take_best(p->current++, p->end)->move;
            if (!p->skip_quiets || move_is_noisy(&p->worker->pos, m))
                return m;
        }
        return MOVE_NONE;

    case PICK_MAKE_NOISY: make_captures(p); // fall through
    case PICK_NOISY: return p->current < p->end ? take_best(p->current++, p->end)->move : MOVE_NONE;

    case PICK_MAKE_GAIN: make_captures(p); // fall through
    case PICK_GAIN: return next_gain(p);

    case PICK_DONE: break;
    }
    return MOVE_NONE;
}
