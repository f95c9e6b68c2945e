// The tree search: principal variation search with everything that decides how deep to look at
// which move. One node is one function in numbered steps: start with search_node. The Elo of a step
// is what is lost without it, at 20 000 nodes a move with the net (bench/steps.sh; few games, so
// that it may be off by a hundred). A step without a figure lay within its error, or has not been
// measured with this net.
#include "engine/search.h"

#include <math.h>
#include <string.h>

#include "base/minmax.h"
#include "engine/checks.h"
#include "engine/cuckoo.h"
#include "engine/endings.h"
#include "engine/ends.h"
#include "engine/node.h"
#include "engine/patterns.h"
#include "engine/picker.h"
#include "engine/quiesce.h"

static int search_node(Worker *w, Node *n, int alpha, int beta, int depth, bool cut_node);

void search_init_tables(void)
{
    cuckoo_init();
    patterns_init();
}

void search_init_reductions(Search *search, const Tunables *tunables)
{
    search->reductions[0] = 0;
    for (int i = 1; i < REDUCTION_SIZE; i++)
        search->reductions[i] = (int)(tunables->ReductionScale / 100.0 * log(i));
}

// --- the node --------------------------------------------------------------------------------

static bool has_men_beside_pawns(const Position *pos)
{
    return pos->by_color[pos->side] & ~pos->by_type[PAWN] & ~pos->by_type[KING];
}

static bool is_root_move(const Worker *w, Move m, int *index)
{
    for (int i = w->line; i < w->line_end; i++)
        if (w->root_moves[i].move == m) {
            *index = i;
            return true;
        }
    return false;
}

// A root move has been searched: remember its score and line.
static void record_root_move(Worker *w, Node *n, int index, int value, int alpha, int beta,
                             int move_count, uint64_t nodes)
{
    RootMove *r = &w->root_moves[index];
    r->nodes += nodes;
    r->average_score =
        r->average_score == -SCORE_INFINITE ? value : (2 * value + r->average_score) / 3;
    if (move_count > 1 && value <= alpha) {
        r->score = -SCORE_INFINITE; // the order of the rest is kept by a stable sort
        return;
    }
    r->score = r->shown_score = value;
    r->seldepth = w->seldepth;
    r->bound = value >= beta ? BOUND_LOWER : value <= alpha ? BOUND_UPPER : BOUND_EXACT;
    if (value >= beta)
        r->shown_score = beta;
    else if (value <= alpha)
        r->shown_score = alpha;
    r->pv[0] = r->move;
    memcpy(r->pv + 1, n[1].pv, (size_t)n[1].pv_count * sizeof(Move));
    r->pv_count = n[1].pv_count + 1;
    if (move_count > 1 && !w->line)
        atomic_fetch_add_explicit(&w->best_changes, 1, memory_order_relaxed);
}

// Late-move reduction before the node's own circumstances, in 1/1024 ply.
static int base_reduction(const Worker *w, int depth, int move_count, int window, bool improving)
{
    const Search *s = w->search;
    int r = s->reductions[min_int(depth, REDUCTION_SIZE - 1)] *
            s->reductions[min_int(move_count, REDUCTION_SIZE - 1)];
    int base = r + TUNED(w, ReductionBase) -
               window * TUNED(w, ReductionWindow) / max_int(1, w->root_window);
    return improving ? base : base + r * TUNED(w, ReductionNotImproving) / 1024;
}

// Step 12. ProbCut: a capture that wins much in a shallow search will hold in a deep one.
static int probcut(Worker *w, Node *n, const HashProbe *hash, Move hash_move, int beta, int depth,
                   bool cut_node, int raw)
{
    const Position *pos = &w->pos;
    Picker picker;
    Move m;
    int result = SCORE_NONE, shallow = max_int(depth - 4, 0);
    picker_init_gain(&picker, w, n, hash_move, beta - n->static_eval);
    while ((m = picker_next(&picker))) {
        if (m == n->excluded || !move_is_legal(pos, m))
            continue;
        hash_prefetch(w->search->hash, node_key_after(pos, m));
        node_make(w, n, m, true);
        int value = -quiesce(w, n + 1, -beta, -beta + 1);
        if (value >= beta && shallow > 0)
            value = -search_node(w, n + 1, -beta, -beta + 1, shallow, !cut_node);
        node_unmake(w, n, m);
        if (search_is_stopped(w->search))
            break;
        if (value >= beta) {
            hash_store(w->search->hash, hash->entry, node_key(pos), n->ply, shallow + 1,
                       BOUND_LOWER, n->is_pv, m, value, raw);
            result = value;
            break;
        }
    }
    picker_end(&picker);
    return result;
}

static int search_node(Worker *w, Node *n, int alpha, int beta, int depth, bool cut_node)
{
    const bool is_root = n->ply == 0;
    const bool is_pv = beta - alpha > 1;
    Search *search = w->search;
    Position *pos = &w->pos;
    const Rules *rules = pos->rules;

    // Step 1 (+180 Elo). Quiescence: at the horizon the captures are searched out.
    if (depth <= 0)
        return quiesce(w, n, alpha, beta);
    depth = min_int(depth, MAX_PLY - 1);
    node_watch_limits(w);
    n->in_check = position_in_check(pos);
    n->pv_count = 0;
    n->move_count = 0;
    n[1].ply = (int16_t)(n->ply + 1);
    n[2].cutoffs = 0;
    n[1].excluded = MOVE_NONE;
    n->reduction = 0;
    // Of the move that led here; a second search of this node must not see it again.
    const int last_reduction = n[-1].reduction;
    n[-1].reduction = 0;
    if (is_pv && w->seldepth < n->ply + 1)
        w->seldepth = n->ply + 1;

    if (!is_root) {
        // Step 2. The end of the game, of time, or of our memory for lines.
        int score;
        if (search_is_stopped(search))
            return ends_draw_score(w);
        if (ends_is_over(w, n, &score))
            return score;
        if (n->ply >= MAX_PLY - 1)
            return n->in_check ? ends_draw_score(w) : node_raw_eval(w);

        // Step 3. A shorter mate is known already: nothing here can matter.
        if (TUNED(w, UseMateDistance)) {
            alpha = max_int(alpha, score_mated_in(n->ply));
            beta = min_int(beta, score_mate_in(n->ply + 1));
            if (alpha >= beta)
                return alpha;
        }

        // Step 4. If we can repeat a position, this is at least a draw.
        if (alpha < SCORE_DRAW && ends_can_repeat(w, n)) {
            alpha = ends_draw_score(w);
            if (alpha >= beta)
                return alpha;
        }
    }
    const int old_alpha = alpha;

    // Step 5. The hash table may know the answer.
    const Move excluded = n->excluded;
    const Key key = node_key(pos);
    HashProbe hash = node_look_up(search->hash, pos, key, n->ply);
    const Move hash_move = is_root ? w->root_moves[w->line].move : hash.move;
    const bool hash_noisy = hash_move && move_is_noisy(pos, hash_move);
    n->was_hit = hash.hit;
    if (!excluded)
        n->is_pv = is_pv || (hash.hit && hash.is_pv);
    if (TUNED(w, UseHashCutoff) && !is_pv && !excluded && hash.score != SCORE_NONE &&
        hash.depth > depth - (hash.score <= beta) &&
        (hash.bound & (hash.score >= beta ? BOUND_LOWER : BOUND_UPPER)) &&
        (cut_node == (hash.score >= beta) || depth > 5) && pos->state.fifty < 90) {
        if (hash.score >= beta && hash_move && !hash_noisy) {
            node_find_attacks(pos, n);
            history_add_quiet(w, n, hash_move, min_int(history_bonus(w, depth), 1000));
        }
        if (hash.score >= beta && !score_is_decisive(hash.score) && !score_is_decisive(beta))
            return (hash.score * 3 + beta) / 4;
        return hash.score;
    }

    // Step 5a. So may the endgame tables.
    int table_least = -SCORE_INFINITE, table_most = SCORE_INFINITE;
    if (search->table_men && !is_root && !excluded && !pos->state.fifty &&
        endings_may_know(search, pos, depth)) {
        int score;
        Bound bound = endings_probe(w, n, &score);
        if (bound == BOUND_EXACT || (bound == BOUND_LOWER && score >= beta) ||
            (bound == BOUND_UPPER && score <= alpha)) {
            hash_store(search->hash, hash.entry, key, n->ply, min_int(MAX_PLY - 1, depth + 6),
                       bound, n->is_pv, MOVE_NONE, score, SCORE_NONE);
            return score;
        }
        if (is_pv && bound == BOUND_LOWER) {
            table_least = score;
            alpha = max_int(alpha, score);
        } else if (is_pv && bound == BOUND_UPPER) {
            table_most = score;
        }
    }

    // Step 6. Static evaluation.
    int raw = SCORE_NONE, eval, correction = 0;
    bool improving = false, worsening = false; // worsening: for the opponent
    if (n->in_check) {
        n->static_eval = eval = n[-2].static_eval;
        node_find_attacks(pos, n);
        goto moves;
    }
    // Step 6a. Corrected by experience with positions like this one.
    correction = history_correction(w, n);
    if (excluded) {
        raw = eval = n->static_eval;
    } else {
        raw = hash.eval != SCORE_NONE ? hash.eval : node_raw_eval(w);
        n->static_eval = eval = node_corrected(raw, correction);
        if (!hash.hit)
            hash_store(search->hash, hash.entry, key, n->ply, DEPTH_NONE + 1, BOUND_NONE, n->is_pv,
                       MOVE_NONE, SCORE_NONE, raw);
        // Step 6b. A bound from the hash table may know better.
        if (TUNED(w, UseHashEval) && hash.score != SCORE_NONE &&
            (hash.bound & (hash.score > eval ? BOUND_LOWER : BOUND_UPPER)) &&
            !score_is_decisive(hash.score))
            eval = hash.score;
    }
    improving = n->static_eval > n[-2].static_eval;
    worsening = n->static_eval > -n[-1].static_eval;

    // Step 6c. The move that led here is judged by what it did to the evaluation.
    if (TUNED(w, UseEvalHistory) && n[-1].move && !n[-1].in_check &&
        pos->state.captured == NO_PIECE && !excluded) {
        int bonus = clamp_int(-TUNED(w, EvalHistoryWeight) * (n[-1].static_eval + n->static_eval),
                              -TUNED(w, EvalHistoryMax), TUNED(w, EvalHistoryMax)) +
                    TUNED(w, EvalHistoryBase);
        history_add(history_butterfly(&w->histories, !pos->side, n[-1].attacked, n[-1].move), bonus,
                    BUTTERFLY_LIMIT);
    }

    // Step 7. Hindsight: the last reduction was too large or too small.
    if (TUNED(w, UseHindsight) && last_reduction >= 3 && !worsening)
        depth++;
    if (TUNED(w, UseHindsight) && last_reduction >= 2 && depth >= 2 &&
        n->static_eval + n[-1].static_eval > TUNED(w, HindsightMargin))
        depth--;

    // Step 8. Razoring: so far below alpha that only captures could help.
    if (TUNED(w, UseRazoring) && !is_pv && rules->can_quiesce &&
        eval < alpha - TUNED(w, RazorBase) - TUNED(w, RazorDepthSquared) * depth * depth)
        return quiesce(w, n, alpha, beta);

    // Step 9. Reverse futility: so far above beta that the opponent will not come back.
    if (TUNED(w, UseReverseFutility) && !n->is_pv && !excluded &&
        depth < TUNED(w, FutilityMaxDepth) && eval >= beta && (!hash_move || hash_noisy) &&
        !score_is_loss(beta) && !score_is_win(eval) && rules->can_quiesce) {
        int margin = TUNED(w, FutilityMargin) * depth;
        margin -= improving * TUNED(w, FutilityMargin) * TUNED(w, FutilityImproving) / 100;
        margin -= worsening * TUNED(w, FutilityMargin) * TUNED(w, FutilityWorsening) / 100;
        margin += abs(correction) * TUNED(w, FutilityCorrection) / 100;
        if (eval - margin >= beta)
            return (2 * beta + eval) / 3;
    }

    // Step 10. Null move: if passing still fails high, a move will too.
    if (TUNED(w, UseNullMove) && cut_node && n[-1].move && !excluded && eval >= beta &&
        rules->can_null_move[pos->side] &&
        n->static_eval >=
            beta - TUNED(w, NullMoveMarginDepth) * depth + TUNED(w, NullMoveMarginBase) &&
        has_men_beside_pawns(pos) && n->ply >= w->null_min_ply && !score_is_loss(beta)) {
        int reduction = min_int((eval - beta) / TUNED(w, NullMoveEvalDivisor), 6) +
                        (TUNED(w, NullMoveBase) + TUNED(w, NullMoveDepth) * depth) / 64;
        node_make_null(w, n);
        int value = -search_node(w, n + 1, -beta, -beta + 1, depth - reduction, false);
        node_unmake_null(w, n);
        if (search_is_stopped(search))
            return ends_draw_score(w);
        if (value >= beta && !score_is_win(value)) {
            if (w->null_min_ply || depth <= TUNED(w, NullMoveVerifyDepth))
                return value;
            // Verified without null moves for our side, against zugzwang.
            w->null_min_ply = n->ply + 3 * (depth - reduction) / 4;
            value = search_node(w, n, beta - 1, beta, depth - reduction, false);
            w->null_min_ply = 0;
            if (value >= beta)
                return value;
            n->pv_count = 0;
            n->move_count = 0;
        }
    }
    improving |= n->static_eval >= beta + TUNED(w, ImprovingMargin);

    // Step 11. Internal reduction: without a hash move this node is less important, or
    // will come again.
    if (TUNED(w, UseInternalReduction) && (is_pv || cut_node) && depth >= 6 && !hash_move &&
        last_reduction <= 3)
        depth--;

    node_find_attacks(pos, n);
    int probcut_beta = beta + TUNED(w, ProbCutMargin) - improving * TUNED(w, ProbCutImproving);
    if (TUNED(w, UseProbCut) && !is_pv && depth >= 3 && !score_is_decisive(beta) &&
        rules->can_quiesce &&
        !(hash.score != SCORE_NONE && hash.score < probcut_beta && hash.depth >= depth - 3)) {
        int value = probcut(w, n, &hash, hash_move, probcut_beta, depth, cut_node, raw);
        if (search_is_stopped(search))
            return ends_draw_score(w);
        if (value != SCORE_NONE)
            return score_is_decisive(value) ? value : value - (probcut_beta - beta);
    }

moves:;
    // Step 13. The cheap form of ProbCut, from the hash table alone.
    int sure_beta = beta + TUNED(w, ProbCutHashMargin);
    if (TUNED(w, UseHashProbCut) && !is_root && !excluded && (hash.bound & BOUND_LOWER) &&
        hash.depth >= depth - 4 && hash.score >= sure_beta && hash.score != SCORE_NONE &&
        !score_is_decisive(beta) && !score_is_decisive(hash.score))
        return sure_beta;

    // Step 14. The moves, best first.
    Picker picker;
    CheckMap checks;
    check_map_fill(&checks, pos);
    picker_init_main(&picker, w, n, &checks, hash_move, depth);
    Tried quiets = {.count = 0}, noisy = {.count = 0};
    Move best_move = MOVE_NONE, m;
    int best = table_least, move_count = 0, root_index = 0;
    const bool may_prune = rules->can_quiesce; // margins and exchanges mean something in this game

    while ((m = picker_next(&picker))) {
        if (m == excluded || (is_root && !is_root_move(w, m, &root_index)) ||
            !move_is_legal(pos, m))
            continue;
        n->move_count = ++move_count;
        if (is_root && !w->index && search->on_info && timing_elapsed(&search->time) > 3000) {
            SearchInfo info = {.kind = INFO_CURRENT_MOVE,
                               .depth = w->root_depth,
                               .current_move = m,
                               .current_number = move_count + w->line};
            search->on_info(search->context, &search->root, &info);
        }
        const Square from = move_from(m), to = move_to(m);
        const Piece piece = pos->board[from];
        const bool is_noisy = move_is_noisy(pos, m);
        const bool is_check = check_map_gives_check(&checks, pos, m);
        int extension = 0, new_depth = depth - 1;
        int reduction = base_reduction(w, depth, move_count, beta - alpha, improving);
        if (n->is_pv)
            reduction += TUNED(w, ReductionPv);

        // Step 15. Leave out what is unlikely to matter at this depth.
        if (!is_root && has_men_beside_pawns(pos) && !score_is_loss(best) && may_prune) {
            // Step 15a. Enough quiet moves were tried.
            if (TUNED(w, UseMoveCount) && move_count >= (TUNED(w, MoveCountBase) * 100 +
                                                         TUNED(w, MoveCountScale) * depth * depth) /
                                                            (100 * (2 - improving)))
                picker.skip_quiets = true;
            int lmr_depth = new_depth - reduction / 1024;
            if (is_noisy || is_check) {
                int history = is_noisy ? *history_capture(&w->histories, pos, m) : 0;
                // Step 15b. A capture that cannot reach alpha.
                if (TUNED(w, UseCaptureFutility) && is_noisy && !is_check && lmr_depth < 7 &&
                    !n->in_check) {
                    Piece taken = position_captured(pos, m);
                    int gain =
                        man_worth(piece_type(taken)) +
                        (move_is_promotion(m) ? man_worth(move_promotion(m)) - man_worth(PAWN) : 0);
                    int futility = n->static_eval + TUNED(w, CaptureFutilityBase) +
                                   TUNED(w, CaptureFutilityDepth) * lmr_depth + gain +
                                   history * TUNED(w, CaptureFutilityHistory) / 4096;
                    if (futility <= alpha)
                        continue;
                }
                // Step 15c. A capture or check that loses material.
                int margin =
                    clamp_int(history / TUNED(w, CaptureSeeHistory), -120 * depth, 100 * depth);
                int least = min_int(-TUNED(w, CaptureSeeDepth) * depth - margin, 0);
                if (TUNED(w, UseCaptureSee) && !position_see_at_least(pos, m, least, SEE_VALUES))
                    continue;
            } else {
                int history = (*n[-1].continuation)[piece][to] + (*n[-2].continuation)[piece][to] +
                              (*history_pawn(&w->histories, pos))[piece][to];
                // Step 15d. A quiet move that never did well.
                if (TUNED(w, UseHistoryPruning) && history < -TUNED(w, HistoryPruneDepth) * depth)
                    continue;
                history += 2 * *history_butterfly(&w->histories, pos->side, n->attacked, m);
                lmr_depth += history / TUNED(w, HistoryDepthDivisor) / 2;
                // Step 15e. A quiet move from far below alpha.
                int futility = n->static_eval + TUNED(w, QuietFutilityBase) +
                               TUNED(w, QuietFutilityDepth) * lmr_depth;
                if (TUNED(w, UseQuietFutility) && !n->in_check &&
                    lmr_depth < TUNED(w, QuietFutilityMaxDepth) && futility <= alpha) {
                    if (best <= futility && !score_is_decisive(best) && !score_is_win(futility))
                        best = futility;
                    continue;
                }
                // Step 15f. A quiet move that loses material.
                lmr_depth = max_int(lmr_depth, 0);
                if (TUNED(w, UseQuietSee) &&
                    !position_see_at_least(pos, m,
                                           -TUNED(w, QuietSeeDepthSquared) * lmr_depth * lmr_depth,
                                           SEE_VALUES))
                    continue;
            }
        }

        // Step 16. Is the hash move singular: do all others fail below it? Then look
        // deeper.
        if (TUNED(w, UseSingular) && !is_root && m == hash_move && !excluded &&
            depth >= TUNED(w, SingularMinDepth) + n->is_pv && hash.score != SCORE_NONE &&
            !score_is_decisive(hash.score) && (hash.bound & BOUND_LOWER) &&
            hash.depth >= depth - 3 && n->ply < 2 * w->root_depth) {
            int margin =
                (TUNED(w, SingularMargin) + (n->is_pv && !is_pv) * TUNED(w, SingularMarginPv)) *
                depth / 64;
            int singular_beta = hash.score - margin;
            n->excluded = m;
            int value =
                search_node(w, n, singular_beta - 1, singular_beta, new_depth / 2, cut_node);
            n->excluded = MOVE_NONE;
            n->move_count = move_count;
            if (search_is_stopped(search))
                break;
            if (value < singular_beta) {
                int quiet_bonus = hash_noisy ? 0 : TUNED(w, SingularQuiet);
                int to_double = TUNED(w, SingularDoubleMargin) +
                                TUNED(w, SingularDoublePv) * is_pv - quiet_bonus;
                int to_triple = TUNED(w, SingularTripleMargin) +
                                2 * TUNED(w, SingularDoublePv) * is_pv - quiet_bonus +
                                TUNED(w, SingularTriplePv) * n->is_pv;
                // Step 16a. Very singular: two or three plies, but not again and again.
                extension = 1;
                if (TUNED(w, UseDoubleExtension) && n->doubles < TUNED(w, SingularDoubleMost))
                    extension +=
                        (value < singular_beta - to_double) + (value < singular_beta - to_triple);
                depth += depth < 14;
                new_depth = depth - 1;
            } else if (TUNED(w, UseMultiCut) && value >= beta && !score_is_decisive(value)) {
                // Step 16b. Multi-cut: several moves fail high.
                picker_end(&picker);
                return value;
            } else if (!TUNED(w, UseNegativeExtension)) {
                // Step 16c. Not singular at all: look less deep.
            } else if (hash.score >= beta) {
                extension = -3;
            } else if (cut_node) {
                extension = -2;
            }
        }
        new_depth += extension;
        n[1].doubles = n->doubles + (extension > 1);

        // Step 17. Make the move.
        uint64_t nodes_before = worker_nodes(w);
        int history;
        if (is_noisy)
            history = 6 * man_worth(piece_type(position_captured(pos, m))) +
                      *history_capture(&w->histories, pos, m);
        else
            history = 2 * *history_butterfly(&w->histories, pos->side, n->attacked, m) +
                      (*n[-1].continuation)[piece][to] + (*n[-2].continuation)[piece][to];
        history -= TUNED(w, ReductionHistoryBase);
        hash_prefetch(search->hash, node_key_after(pos, m));
        node_make(w, n, m, is_noisy);

        // Step 18 (+307 Elo). Late-move reductions: how much less deep to look at it first.
        if (n->is_pv)
            reduction -=
                TUNED(w, ReductionHashPv) + is_pv * TUNED(w, ReductionPvNode) +
                (hash.score != SCORE_NONE && hash.score > alpha) * TUNED(w, ReductionHashPvScore) +
                (hash.depth >= depth) *
                    (TUNED(w, ReductionHashPvDepth) + cut_node * TUNED(w, ReductionHashPvCut));
        reduction -= move_count * TUNED(w, ReductionMoveCount);
        reduction -= abs(correction) * TUNED(w, ReductionCorrection);
        if (cut_node)
            reduction += TUNED(w, ReductionCutNode) + TUNED(w, ReductionCutNoHash) * !hash_move;
        if (hash_noisy)
            reduction += TUNED(w, ReductionHashCapture);
        if (n[1].cutoffs > 2)
            reduction +=
                TUNED(w, ReductionCutoffs) + TUNED(w, ReductionAllCutoffs) * !(is_pv || cut_node);
        if (m == hash_move)
            reduction -= TUNED(w, ReductionHashMove);
        reduction -= history * TUNED(w, ReductionHistory) / 1024;
        reduction *= TUNED(w, UseReductions);

        int value;
        if (TUNED(w, UseReductions) && depth >= 2 && move_count > 1) {
            int reduced = clamp_int(new_depth - reduction / 1024, 1, new_depth + (is_pv ? 2 : 1));
            n->reduction = new_depth - reduced;
            value = -search_node(w, n + 1, -(alpha + 1), -alpha, reduced, true);
            n->reduction = 0;
            if (value > alpha) {
                // Step 18a. How deep the second look goes depends on what the first gave.
                bool deeper =
                    reduced < new_depth && value > best + TUNED(w, DeeperMargin) + 2 * new_depth;
                bool shallower = value < best + TUNED(w, ShallowerMargin);
                if (TUNED(w, UseDeeper))
                    new_depth += deeper - shallower;
                if (new_depth > reduced)
                    value = -search_node(w, n + 1, -(alpha + 1), -alpha, new_depth, !cut_node);
                if (!is_noisy)
                    history_add_continuations(n, piece, to, TUNED(w, BonusReduced));
            }
        } else if (!is_pv || move_count > 1) {
            // Step 19. Full depth, null window.
            if (!hash_move)
                reduction += TUNED(w, FullDepthNoHash);
            int full = new_depth - (reduction > TUNED(w, FullDepthFirst)) -
                       (reduction > TUNED(w, FullDepthSecond) && new_depth > 2);
            value = -search_node(w, n + 1, -(alpha + 1), -alpha, full, !cut_node);
        } else {
            value = alpha + 1; // for the next step
        }
        if (is_pv && (move_count == 1 || value > alpha)) {
            // Step 20. Full depth, open window: the principal variation.
            n[1].pv_count = 0;
            if (m == hash_move && hash.depth > 1 && w->root_depth > 8)
                new_depth = max_int(new_depth, 1);
            value = -search_node(w, n + 1, -beta, -alpha, new_depth, false);
        }

        // Step 21. Take it back, and see what it gave.
        node_unmake(w, n, m);
        if (search_is_stopped(search))
            break;
        if (is_root)
            record_root_move(w, n, root_index, value, alpha, beta, move_count,
                             worker_nodes(w) - nodes_before);
        if (value > best) {
            best = value;
            if (value > alpha) {
                best_move = m;
                if (is_pv && !is_root)
                    node_update_pv(n, m);
                if (value >= beta) {
                    n->cutoffs += (extension < 2) || is_pv;
                    break;
                }
                // Step 21a. Alpha was raised: the others have to beat a good move.
                if (TUNED(w, UseAlphaReduction) && depth > 2 && depth < 14 &&
                    !score_is_decisive(value))
                    depth -= depth > 5 ? 2 : 1;
                alpha = value;
            }
        }
        if (m != best_move) {
            Tried *tried = is_noisy ? &noisy : &quiets;
            if (tried->count < TRIED_MAX)
                tried->moves[tried->count++] = m;
        }
    }
    picker_end(&picker);
    if (search_is_stopped(search))
        return ends_draw_score(w);

    // Step 22. No move: mate, stalemate, or whatever this game makes of it.
    if (!move_count)
        return excluded ? alpha : ends_no_move_score(w, n);
    if (best >= beta && !score_is_decisive(best) && !score_is_decisive(beta))
        best = (best * depth + beta) / (depth + 1);
    best = min_int(best, table_most);

    // Step 23. Learn from the result.
    if (best_move)
        history_learn(w, n, best_move, &quiets, &noisy, depth, best_move == hash_move);
    else if (n[-1].move && pos->state.captured == NO_PIECE && !move_is_promotion(n[-1].move)) {
        // The opponent's quiet move held against everything we tried.
        int bonus = min_int(history_bonus(w, depth), TUNED(w, BonusHeld));
        history_add_continuations(n - 1, n[-1].moved, move_to(n[-1].move), bonus);
        history_add(history_butterfly(&w->histories, !pos->side, n[-1].attacked, n[-1].move),
                    bonus / 2, BUTTERFLY_LIMIT);
    }
    if (best <= old_alpha)
        n->is_pv = n->is_pv || (n[-1].is_pv && depth > 3);
    if (!excluded && !(is_root && w->line)) {
        Bound bound = best >= beta ? BOUND_LOWER : is_pv && best_move ? BOUND_EXACT : BOUND_UPPER;
        hash_store(search->hash, hash.entry, key, n->ply, depth, bound, n->is_pv, best_move, best,
                   raw);
    }
    if (!n->in_check && !excluded && !(best_move && move_is_noisy(pos, best_move)) &&
        (best < n->static_eval || best_move) && !(best >= beta && best <= n->static_eval) &&
        !score_is_decisive(best))
        history_correct(w, n, best - n->static_eval, depth);
    return best;
}

int worker_search_root(Worker *w, int alpha, int beta, int depth)
{
    return search_node(w, worker_root(w), alpha, beta, depth, false);
}
