// Quiescence in numbered steps; see quiesce.h.
#include "engine/quiesce.h"

#include "base/minmax.h"
#include "engine/checks.h"
#include "engine/ends.h"
#include "engine/node.h"
#include "engine/picker.h"

int quiesce(Worker *w, Node *n, int alpha, int beta)
{
    const bool is_pv = beta - alpha > 1;
    Search *search = w->search;
    Position *pos = &w->pos;
    node_watch_limits(w);
    n->in_check = position_in_check(pos);
    n->pv_count = 0;
    n[1].ply = (int16_t)(n->ply + 1);
    n[1].excluded = MOVE_NONE;
    if (is_pv && w->seldepth < n->ply + 1)
        w->seldepth = n->ply + 1;

    // Step Q1. Ends.
    int score;
    if (search_is_stopped(search))
        return ends_draw_score(w);
    if (alpha < SCORE_DRAW && n->ply > 0 && ends_can_repeat(w, n)) {
        alpha = ends_draw_score(w);
        if (alpha >= beta)
            return alpha;
    }
    if (n->ply > 0 && ends_is_over(w, n, &score))
        return score;
    if (n->ply >= MAX_PLY - 1)
        return n->in_check ? ends_draw_score(w) : node_raw_eval(w);
    if (!pos->rules->can_quiesce && !n->in_check)
        return movegen_any(pos) ? node_corrected(node_raw_eval(w), history_correction(w, n))
                                : ends_no_move_score(w, n);

    // Step Q2. The hash table.
    const Key key = node_key(pos);
    HashProbe hash = node_look_up(search->hash, pos, key, n->ply);
    n->was_hit = hash.hit;
    const bool hash_pv = hash.hit && hash.is_pv;
    if (TUNED(w, UseQuietHash) && !is_pv && hash.score != SCORE_NONE &&
        hash.depth >= DEPTH_QUIESCENCE &&
        (hash.bound & (hash.score >= beta ? BOUND_LOWER : BOUND_UPPER)))
        return hash.score;

    // Step Q3. Standing pat: we need not capture.
    int raw = SCORE_NONE, best, futility;
    if (n->in_check) {
        best = futility = -SCORE_INFINITE;
        n->static_eval = n[-2].static_eval;
    } else {
        raw = hash.eval != SCORE_NONE ? hash.eval : node_raw_eval(w);
        n->static_eval = best = node_corrected(raw, history_correction(w, n));
        if (hash.score != SCORE_NONE && !score_is_decisive(hash.score) &&
            (hash.bound & (hash.score > best ? BOUND_LOWER : BOUND_UPPER)))
            best = hash.score;
        if (best >= beta) {
            if (!score_is_decisive(best))
                best = (best + beta) / 2;
            if (!hash.hit)
                hash_store(search->hash, hash.entry, key, n->ply, DEPTH_NONE + 1, BOUND_LOWER,
                           false, MOVE_NONE, best, raw);
            return best;
        }
        alpha = max_int(alpha, best);
        futility = n->static_eval + TUNED(w, QuietFutility);
    }

    if (!TUNED(w, UseQuiescence) && !n->in_check)
        return best;

    // Step Q4. The moves.
    Picker picker;
    CheckMap checks;
    check_map_fill(&checks, pos);
    n->attacked = 0;
    if (n->in_check) {
        node_find_attacks(pos, n);
        picker_init_main(&picker, w, n, &checks, hash.move, 0);
    } else {
        picker_init_noisy(&picker, w, n, hash.move);
    }
    Move best_move = MOVE_NONE, m;
    int move_count = 0;
    const Square last_to = n[-1].move ? move_to(n[-1].move) : NO_SQUARE;
    while ((m = picker_next(&picker))) {
        if (!move_is_legal(pos, m))
            continue;
        move_count++;
        bool is_noisy = move_is_noisy(pos, m);

        if (!score_is_loss(best)) {
            // Step Q5. Leave out captures that cannot help.
            bool is_check = check_map_gives_check(&checks, pos, m);
            if (TUNED(w, UseQuietDelta) && !is_check && move_to(m) != last_to &&
                !move_is_promotion(m) && futility > -SCORE_TABLE_LIMIT) {
                if (move_count > 2)
                    continue;
                Piece taken = position_captured(pos, m);
                int most = futility + man_worth(piece_type(taken));
                if (most <= alpha) {
                    best = max_int(best, most);
                    continue;
                }
                if (!position_see_at_least(pos, m, alpha - futility, SEE_VALUES)) {
                    best = max_int(best, min_int(alpha, futility));
                    continue;
                }
            }
            if (!is_noisy) // a quiet evasion after one that works
                break;
            // Step Q6. Leave out captures that lose material.
            if (TUNED(w, UseQuietExchange) &&
                !position_see_at_least(pos, m, -TUNED(w, QuietSee), SEE_VALUES))
                continue;
        }
        hash_prefetch(search->hash, node_key_after(pos, m));
        node_make(w, n, m, is_noisy);
        int value = -quiesce(w, n + 1, -beta, -alpha);
        node_unmake(w, n, m);
        if (search_is_stopped(search))
            break;
        if (value > best) {
            best = value;
            if (value > alpha) {
                best_move = m;
                if (is_pv)
                    node_update_pv(n, m);
                if (value >= beta)
                    break;
                alpha = value;
            }
        }
    }
    picker_end(&picker);
    if (search_is_stopped(search))
        return ends_draw_score(w);
    if (n->in_check && !move_count)
        return score_mated_in(n->ply);
    if (!score_is_decisive(best) && best > beta)
        best = (best + beta) / 2;

    hash_store(search->hash, hash.entry, key, n->ply, DEPTH_QUIESCENCE,
               best >= beta ? BOUND_LOWER : BOUND_UPPER, hash_pv, best_move, best, raw);
    return best;
}
