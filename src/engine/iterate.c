// Iterative deepening with aspiration windows, several lines, limits and reports: what goes on at
// the root.
#include <string.h>

#include "base/minmax.h"
#include "base/stop.h"
#include "engine/endings.h"
#include "engine/search.h"
#include "engine/strength.h"

uint64_t search_nodes(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->worker_count; i++)
        sum += worker_nodes(search->workers[i]);
    return sum;
}

uint64_t search_table_hits(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->worker_count; i++)
        sum += atomic_load_explicit(&search->workers[i]->table_hits, memory_order_relaxed);
    return sum;
}

void search_check_limits(Search *search)
{
    const SearchLimits *limits = &search->limits;
    if (stop_is_set(limits->stopped))
        atomic_store_explicit(&search->stop, true, memory_order_relaxed);
    if (limits->nodes && search_nodes(search) >= limits->nodes)
        atomic_store_explicit(&search->stop, true, memory_order_relaxed);
    if (search->time.is_timed && !atomic_load_explicit(&search->ponder, memory_order_relaxed) &&
        (double)timing_elapsed(&search->time) >= search->time.hard_ms)
        atomic_store_explicit(&search->stop, true, memory_order_relaxed);
}

void worker_clear(Worker *w)
{
    if (w->is_fresh)
        return;
    memset(&w->histories, 0, sizeof w->histories);
    w->is_fresh = true;
}

static bool is_asked_for(const SearchLimits *limits, Move m)
{
    if (!limits->search_moves)
        return true;
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == m)
            return true;
    return false;
}

static void list_root_moves(Worker *w)
{
    int count = movegen_legal(&w->pos, STAGE_ALL, w->generated);
    w->root_count = 0;
    for (int i = 0; i < count; i++) {
        if (!is_asked_for(&w->search->limits, w->generated[i]))
            continue;
        RootMove *r = &w->root_moves[w->root_count++];
        r->move = r->pv[0] = w->generated[i];
        r->pv_count = 1;
        r->score = r->previous_score = r->average_score = r->shown_score = -SCORE_INFINITE;
        r->bound = BOUND_NONE;
        r->seldepth = 0;
        r->nodes = 0;
        r->table_rank = r->table_score = 0;
        r->is_nearest = false;
    }
    w->line_end = w->root_count;
}

void worker_prepare(Worker *w, Search *search)
{
    w->search = search;
    w->pos = search->root;
    memcpy(w->keys, search->game_keys, (size_t)search->game_key_count * sizeof(Key));
    w->key = &w->keys[search->game_key_count];
    *w->key = w->pos.state.key;
    atomic_store_explicit(&w->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&w->table_hits, 0, memory_order_relaxed);
    w->calls_left = 0;
    w->seldepth = w->root_depth = w->completed_depth = w->null_min_ply = w->line = 0;
    atomic_store_explicit(&w->best_changes, 0, memory_order_relaxed);
    w->moves_used = 0;
    w->is_fresh = false;
    memset(w->histories.low_ply, 0, sizeof w->histories.low_ply);

    for (int i = 0; i < STACK_BELOW + MAX_PLY + 4; i++) {
        Node *n = &w->stack[i];
        n->continuation = &w->histories.continuation[0][0][NO_PIECE][0];
        n->correction = &w->histories.correct_continuation[NO_PIECE][0];
        n->move = n->excluded = MOVE_NONE;
        n->moved = NO_PIECE;
        n->in_check = n->is_pv = n->was_hit = false;
        n->ply = (int16_t)(i - STACK_BELOW);
        n->static_eval = SCORE_NONE;
        n->attacked = 0;
        n->move_count = n->cutoffs = n->reduction = n->reversible = n->pv_count = n->doubles = 0;
    }
    worker_root(w)->reversible = search->game_key_count;
    list_root_moves(w);
    evaluator_reset(&w->evaluator, &w->pos);
}

// Best first; those with equal scores stay in their order.
static void sort_root_moves(RootMove *moves, int from, int to)
{
    for (int i = from + 1; i < to; i++) {
        if (moves[i].score < moves[i - 1].score ||
            (moves[i].score == moves[i - 1].score &&
             moves[i].previous_score <= moves[i - 1].previous_score))
            continue;
        RootMove x = moves[i];
        int j = i;
        for (; j > from &&
               (moves[j - 1].score < x.score ||
                (moves[j - 1].score == x.score && moves[j - 1].previous_score < x.previous_score));
             j--)
            moves[j] = moves[j - 1];
        moves[j] = x;
    }
}

void search_report(Worker *w, int line, int depth)
{
    Search *search = w->search;
    const RootMove *r = &w->root_moves[line];
    if (!search->on_info)
        return;
    bool is_new = r->score != -SCORE_INFINITE;
    int score = is_new ? r->shown_score : r->previous_score;
    if (score == -SCORE_INFINITE)
        score = 0;
    score = endings_root_score(search, r, score);
    bool is_known = search->root_is_known && score == r->table_score;
    const Move *line_to_mate = NULL;
    int plies_to_mate = endings_root_line(search, r, &line_to_mate);
    score = evaluator_told(&w->evaluator, score);
    SearchInfo info = {
        .kind = INFO_LINE,
        .depth = is_new ? depth : max_int(1, depth - 1),
        .seldepth = max_int(r->seldepth, 1),
        .multi_pv = line + 1,
        .score = score,
        .bound = is_new && !is_known && line == w->line && r->bound != BOUND_NONE ? r->bound
                                                                                  : BOUND_EXACT,
        .wdl = engine_wdl(&search->root, score),
        .nodes = search_nodes(search),
        .table_hits = search_table_hits(search),
        .time_ms = timing_elapsed(&search->time),
        .hashfull = hash_full(search->hash),
        .pv = plies_to_mate ? line_to_mate : r->pv,
        .pv_count = plies_to_mate ? plies_to_mate : r->pv_count,
    };
    search->on_info(search->context, &search->root, &info);
}

static void report_lines(Worker *w, int depth)
{
    int count = min_int(w->search->options.multi_pv, w->root_count);
    for (int i = 0; i < count; i++)
        search_report(w, i, depth);
}

// Step A. One line of one iteration: a window around the expected score that opens where
// the search breaks out.
static void search_line(Worker *w, int depth)
{
    Search *search = w->search;
    RootMove *r = &w->root_moves[w->line];
    int average = r->average_score, alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    int window = TUNED(w, AspirationWindow) + w->index % 8 +
                 (average == -SCORE_INFINITE
                      ? 0
                      : min_int(average * average / TUNED(w, AspirationScoreDivisor), 400));
    if (TUNED(w, UseAspiration) && depth >= 4 && average != -SCORE_INFINITE) {
        alpha = max_int(average - window, -SCORE_INFINITE);
        beta = min_int(average + window, SCORE_INFINITE);
    }
    w->seldepth = 0;
    for (int failed_high = 0;;) {
        w->root_window = beta - alpha;
        int score = worker_search_root(w, alpha, beta, max_int(1, depth - failed_high));
        sort_root_moves(w->root_moves, w->line, w->line_end);
        if (search_is_stopped(search))
            return;
        bool is_outside = score <= alpha || score >= beta;
        if (!w->index && is_outside && search->options.multi_pv == 1 &&
            timing_elapsed(&search->time) > 3000)
            search_report(w, w->line, depth);
        if (score <= alpha) {
            beta = (3 * alpha + beta) / 4;
            alpha = max_int(score - window, -SCORE_INFINITE);
            failed_high = 0;
            if (!w->index)
                atomic_store_explicit(&search->stop_on_hit, false, memory_order_relaxed);
        } else if (score >= beta) {
            alpha = max_int(beta - window, alpha);
            beta = min_int(score + window, SCORE_INFINITE);
            failed_high++;
        } else {
            return;
        }
        window += window * TUNED(w, AspirationGrowth) / 100;
        if (window > 2000) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

// Is the mate asked for found, or every better one excluded?
static bool has_found_mate(const Worker *w)
{
    int asked = w->search->limits.mate, score = w->root_moves[0].score;
    return asked && score_is_mate(score) && abs(score_mate_moves(score)) <= asked;
}

typedef struct Deepening {
    Move last_best;
    int last_change;         // iteration in which the best move changed
    double changes;          // recent changes of the best move, fading
    int scores[MAX_PLY + 1]; // of the iterations
} Deepening;

// Step B. After an iteration the main worker asks: is another one worth its time?
static bool is_time_up(Worker *w, Deepening *d, int depth)
{
    Search *search = w->search;
    const SearchLimits *limits = &search->limits;
    const RootMove *best = &w->root_moves[0];
    if (limits->soft_nodes && search_nodes(search) >= limits->soft_nodes)
        return true;
    if (has_found_mate(w))
        return true;
    if (!search->time.is_timed || search->time.is_exact)
        return false;

    d->changes /= 2;
    for (int i = 0; i < search->worker_count; i++) {
        int changes =
            atomic_exchange_explicit(&search->workers[i]->best_changes, 0, memory_order_relaxed);
        d->changes += (double)changes / search->worker_count;
    }
    int earlier = d->scores[max_int(depth - 3, 1)];
    int expected = search->previous_score == SCORE_NONE ? earlier : search->previous_score;
    uint64_t nodes = worker_nodes(w);
    TimeSigns signs = {
        .score_drop = (2 * (expected - best->score) + (earlier - best->score)) / 2,
        .stable_iterations = depth - d->last_change,
        .changes = d->changes,
        .effort = nodes ? (double)best->nodes / (double)nodes : 0,
        .legal_moves = w->line_end,
    };
    bool is_up = timing_is_up(&search->time, &signs, (double)timing_elapsed(&search->time));
    if (is_up && atomic_load_explicit(&search->ponder, memory_order_relaxed)) {
        atomic_store_explicit(&search->stop_on_hit, true, memory_order_relaxed);
        return false;
    }
    return is_up;
}

// The depth asked for is reached: whoever is first ends the search.
static void reach_home(Worker *w)
{
    Worker *nobody = NULL;
    if (w->search->multi_pv == 1 &&
        atomic_compare_exchange_strong(&w->search->first_home, &nobody, w) && w->index)
        atomic_store_explicit(&w->search->stop, true, memory_order_relaxed);
}

// Did another worker reach the depth asked for first? Then it has the last word.
static bool was_overtaken(const Worker *w)
{
    const Worker *first = atomic_load(&w->search->first_home);
    return first && first != w;
}

// The root moves that the tables rank like the one of this line: sets their end, returns their
// first. Without tables these are all.
static int find_group(Worker *w)
{
    int rank = w->root_moves[w->line].table_rank, first = w->line;
    while (first > 0 && w->root_moves[first - 1].table_rank == rank)
        first--;
    for (w->line_end = w->line + 1; w->line_end < w->root_count; w->line_end++)
        if (w->root_moves[w->line_end].table_rank != rank)
            break;
    return first;
}

// An iteration was cut off. A loss that its first moves show is not proven, since the rest was not
// looked at: then what the last whole iteration found stands.
static void forget_unproven_loss(Worker *w, const RootMove *last)
{
    RootMove *first = &w->root_moves[0];
    if (!w->completed_depth || w->search->multi_pv > 1 || first->score == -SCORE_INFINITE ||
        !score_is_loss(first->score))
        return;
    int i = 0;
    while (i < w->root_count - 1 && w->root_moves[i].move != last->move)
        i++;
    memmove(first + 1, first, (size_t)i * sizeof *first);
    *first = *last;
}

void worker_iterate(Worker *w)
{
    Search *search = w->search;
    const SearchLimits *limits = &search->limits;
    Deepening deepening = {.last_change = 1};
    RootMove last = w->root_moves[0]; // best of the last whole iteration
    int most = limits->depth > 0 ? min_int(limits->depth, MAX_PLY - 1) : MAX_PLY - 1;
    int lines = min_int(search->multi_pv, w->root_count);
    if (!w->root_count)
        return;

    for (int depth = 1; depth <= most && !search_is_stopped(search); depth++) {
        w->root_depth = depth;
        for (int i = 0; i < w->root_count; i++)
            w->root_moves[i].previous_score = w->root_moves[i].score;
        for (w->line = 0; w->line < lines && !search_is_stopped(search); w->line++) {
            int first = find_group(w);
            search_line(w, depth);
            sort_root_moves(w->root_moves, first, w->line + 1);
        }
        w->line = 0;
        find_group(w);
        if (!search_is_stopped(search)) {
            w->completed_depth = depth;
            last = w->root_moves[0];
        } else {
            forget_unproven_loss(w, &last);
        }
        if (w->root_moves[0].move != deepening.last_best) {
            deepening.last_best = w->root_moves[0].move;
            deepening.last_change = depth;
        }
        if (depth == most && !search_is_stopped(search))
            reach_home(w);
        if (w->index)
            continue;
        if (!was_overtaken(w))
            report_lines(w, depth);
        if (search_is_stopped(search))
            break;
        deepening.scores[depth] = w->root_moves[0].score;
        if (is_time_up(w, &deepening, depth))
            break;
    }
}

Worker *search_vote(const Search *s)
{
    Worker *best = s->workers[0], *first_home = atomic_load(&s->first_home);
    if (first_home)
        return first_home;
    if (s->worker_count == 1 || s->multi_pv > 1)
        return best;
    int worst = SCORE_INFINITE;
    for (int i = 0; i < s->worker_count; i++)
        if (s->workers[i]->root_moves[0].score < worst &&
            s->workers[i]->root_moves[0].score != -SCORE_INFINITE)
            worst = s->workers[i]->root_moves[0].score;
    // A busy machine may have stopped the main worker before it began: then any other's word
    // counts.
    const bool main_knows = s->workers[0]->root_moves[0].score != -SCORE_INFINITE;
    int64_t best_votes = -1;
    for (int i = 0; i < s->worker_count; i++) {
        const RootMove *candidate = &s->workers[i]->root_moves[0];
        if (candidate->score == -SCORE_INFINITE ||
            (candidate->bound != BOUND_EXACT && i && main_knows))
            continue;
        int64_t votes = 0;
        for (int j = 0; j < s->worker_count; j++) {
            const RootMove *r = &s->workers[j]->root_moves[0];
            if (r->move == candidate->move && r->score != -SCORE_INFINITE)
                votes += (int64_t)(r->score - worst + 14) * s->workers[j]->completed_depth;
        }
        const RootMove *top = &best->root_moves[0];
        bool is_better = votes > best_votes;
        if (score_is_win(top->score)) // among proven wins the shortest
            is_better = candidate->score > top->score;
        else if (score_is_decisive(candidate->score))
            is_better = score_is_win(candidate->score) ||
                        (score_is_loss(top->score) && candidate->score > top->score);
        if (is_better || i == 0) {
            best = s->workers[i];
            best_votes = votes;
        }
    }
    return best;
}
