// Alpha-beta on a warp: iterative deepening with principal variation search, a small hash table,
// null move, late-move reductions and pruning, futility, killers, history, check extension,
// quiescence. No recursion: a node is a handful of uniform registers, its parents are frames in
// shared memory, and the loop in search_run goes from step to step. Every decision is in integers,
// so that the emulated warp repeats the GPU's search exactly.
#ifndef LOVAC_LAB_GPU_SEARCH_H
#define LOVAC_LAB_GPU_SEARCH_H

#include <stddef.h>

#include "lab/gpu/board.h"
#if LAYERS
#include "lab/gpu/device_layers.h"
#else
#include "lab/gpu/device_output.h"
#endif

// Variations that matches compare with the search as it is (0).
enum {
    OPTION_NULL = 1,    // deeper null moves, by depth and by how far above beta
    OPTION_CHECKS = 2,  // checks extend at the horizon alone
    OPTION_HISTORY = 4, // reductions by history, too
};

enum { HISTORY_MAX = 8192 };

typedef struct WarpMemory { // shared memory of one warp
    Words4 frames[SEARCH_PLIES][3];
    uint32_t rows[ROW_ROOM]; // read 16 bytes at once
    uint32_t killers[SEARCH_PLIES];
    uint32_t moves[MOVE_ROOM];
    int16_t history[2][PAIR_ROW];      // by colour
    int16_t order[PAIR_ROW];           // sum of the histories that order the quiet moves of a node
    uint16_t played[SEARCH_PLIES + 1]; // type * 64 + to of the move that led to each ply
    uint8_t types[64];
    uint16_t pairs[THREAT_ROOM];
} WarpMemory;

typedef struct Searcher { // what stays the same during a search
    const Tables *tables;
    Eyes eyes;
    WarpMemory *memory;
    WarpScratch *scratch;
    int player, game_ply;
    uint32_t node_limit;
    uint32_t options;
} Searcher;

typedef struct Node { // the registers of the node being searched
    int alpha, beta, best, depth, eval;
    uint32_t best_move;
    uint32_t last_key;         // key of the move under way; the next is the greatest below
    int tried;                 // moves made
    int list_base, list_count; // its part of memory->moves
    int stage;                 // of the move under way: STAGE_*
    bool in_check, has_raised, is_null;
    bool improving; // the value is higher than two plies ago
} Node;

enum { STAGE_REDUCED = 1, STAGE_SCOUT = 2, STAGE_FULL = 3 };
enum { STEP_ENTER, STEP_GENERATE, STEP_NEXT, STEP_MAKE, STEP_RETURN, STEP_END };
enum { BOUND_LOWER = 1, BOUND_UPPER = 2, BOUND_EXACT = 3 };

typedef struct Child { // how the next move is to be searched
    int alpha, beta, depth;
    uint32_t move;
} Child;

typedef struct Made { // what the move just made changed, and the new position's hash entry
    Change change;
    uint64_t entry;
} Made;

typedef struct Search {   // the rest of the state
    int ply, step, value; // value: what a finished node returns
    int root_depth, done_depth, window_low, window_high;
    uint32_t nodes, root_move;
    int root_score, root_eval;
} Search;

DEV int to_table(int score, int ply)
{
    return score > SCORE_MATE_BOUND ? score + ply : score < -SCORE_MATE_BOUND ? score - ply : score;
}
DEV int from_table(int score, int ply)
{
    return score > SCORE_MATE_BOUND ? score - ply : score < -SCORE_MATE_BOUND ? score + ply : score;
}

// Hash entry: key 24 bits | depth 6 | bound 2 | score 16 | move 16.
DEV int hash_place(uint64_t key)
{
    return (int)((uint32_t)key & ((1u << HASH_BITS) - 1));
}
DEV bool hash_matches(uint64_t entry, uint64_t key)
{
    return entry >> 40 == key >> 40;
}

DEV void hash_store(const Searcher *s, uint64_t key, int depth, int bound, int score, uint32_t move)
{
    s->scratch->hash[s->player][hash_place(key)] =
        (key & 0xffffff0000000000ull) | (uint64_t)(depth > 0 ? depth : 0) << 34 |
        (uint64_t)bound << 32 | (uint64_t)(uint16_t)score << 16 | move;
}

// A frame is saved in two parts: the position before the move is made, the rest after.
DEV void frame_save_board(const Searcher *s, const Search *x, const Board *b, const Node *n)
{
    Words4 *f = s->memory->frames[x->ply];
    const Words4 w0 = {(uint32_t)b->hash, (uint32_t)(b->hash >> 32), (uint32_t)b->white,
                       (uint32_t)(b->white >> 32)};
    const Words4 w1 = {(uint32_t)b->black, (uint32_t)(b->black >> 32),
                       (uint32_t)(uint16_t)n->alpha | (uint32_t)n->beta << 16,
                       (uint32_t)(uint16_t)n->best | n->best_move << 16};
    f[0] = w0;
    f[1] = w1;
}

DEV uint32_t frame_flags(const Board *b, const Node *n)
{
    return (uint32_t)b->castling | (uint32_t)b->en_passant << 4 | (uint32_t)b->fifty << 11 |
           (uint32_t)n->in_check << 25 | (uint32_t)n->stage << 26 | (uint32_t)n->is_null << 28 |
           (uint32_t)n->has_raised << 29 | (uint32_t)n->improving << 30;
}

DEV void frame_save_rest(const Searcher *s, const Search *x, const Node *n, uint32_t flags,
                         const Change *c)
{
    const uint32_t lists =
        (uint32_t)n->list_base | (uint32_t)n->list_count << 16 | (uint32_t)n->tried << 24;
    flags |= (uint32_t)c->victim_lane << 18 | (uint32_t)(c->rook_from >= 0) << 24;
    const Words4 w2 = {n->last_key, lists, flags,
                       (uint32_t)(uint8_t)n->depth | (uint32_t)(uint16_t)n->eval << 16};
    s->memory->frames[x->ply][2] = w2;
}

// Takes back the move under way at the frame's ply: board (but for the lane's man) and node.
// Returns the flags, which unmake needs.
DEV uint32_t frame_load(const Searcher *s, int ply, Board *b, Node *n)
{
    const Words4 w0 = s->memory->frames[ply][0], w1 = s->memory->frames[ply][1],
                 w2 = s->memory->frames[ply][2];
    b->hash = w0.x | (uint64_t)w0.y << 32;
    b->white = w0.z | (uint64_t)w0.w << 32;
    b->black = w1.x | (uint64_t)w1.y << 32;
    n->alpha = (int16_t)w1.z;
    n->beta = (int16_t)(w1.z >> 16);
    n->best = (int16_t)w1.w;
    n->best_move = w1.w >> 16;
    n->last_key = w2.x;
    n->list_base = (int)(w2.y & 0xffff);
    n->list_count = (int)(w2.y >> 16 & 255);
    n->tried = (int)(w2.y >> 24);
    b->castling = (int)(w2.z & 15);
    b->en_passant = (int)(w2.z >> 4 & 127);
    b->fifty = (int)(w2.z >> 11 & 127);
    n->in_check = w2.z >> 25 & 1;
    n->stage = (int)(w2.z >> 26 & 3);
    n->is_null = w2.z >> 28 & 1;
    n->has_raised = w2.z >> 29 & 1;
    n->improving = w2.z >> 30 & 1;
    n->depth = (int8_t)(w2.w & 255);
    n->eval = (int16_t)(w2.w >> 16);
    return w2.z;
}

DEV int frame_eval(const Searcher *s, int ply)
{
    return (int16_t)(s->memory->frames[ply][2].w >> 16);
}

DEV bool frame_was_null(const Searcher *s, int ply)
{
    return s->memory->frames[ply][2].z >> 28 & 1;
}

// Has the position stood on the board before, in the game or the line?
DEV bool is_repetition(const Searcher *s, const Board *b, int now)
{
    if (b->fifty < 4)
        return false;
    const int back = 4 + 2 * warp_lane();
    const bool hit = back <= b->fifty && back <= now && s->scratch->line[now - back] == b->hash;
    return warp_ballot(hit) != 0;
}

DEV bool has_piece(const Board *b)
{
    const int type = man_type(b->man);
    return warp_ballot(man_alive(b->man) && warp_lane() >> 4 == b->side && type >= G_KNIGHT &&
                       type <= G_QUEEN) != 0;
}

// Quiescence looks at captures only, but answers checks in its first plies.
DEV bool captures_only(const Node *n)
{
    return n->depth <= 0 && (!n->in_check || n->depth < -2);
}

DEV void search_return(Search *x, int value)
{
    x->value = value;
    x->step = STEP_RETURN;
}

// Is the position cut off by the hash table? Its entry's score, and whether it may be used.
typedef struct Probe {
    uint32_t move;
    int score, bound;
    bool hits, cuts;
} Probe;

DEV uint64_t hash_entry(const Searcher *s, const Board *b)
{
    return s->scratch->hash[s->player][hash_place(b->hash)];
}

DEV Probe hash_probe(uint64_t entry, const Search *x, const Board *b, const Node *n)
{
    const bool is_pv = n->beta - n->alpha > 1;
    Probe p;
    p.hits = hash_matches(entry, b->hash);
    p.score = from_table((int16_t)(entry >> 16), x->ply);
    p.bound = (int)(entry >> 32 & 3);
    p.move = p.hits ? (uint32_t)entry & 0xffff : 0;
    p.cuts = p.hits && x->ply > 0 && !is_pv &&
             (int)(entry >> 34 & 63) >= (n->depth <= 0 ? 0 : n->depth) &&
             (p.bound == BOUND_EXACT || (p.bound == BOUND_LOWER && p.score >= n->beta) ||
              (p.bound == BOUND_UPPER && p.score <= n->alpha));
    return p;
}

// Returns at once where the value alone settles the node: quiescence may stand pat, and a node far
// above beta is not searched.
DEV bool value_settles(Search *x, Node *n)
{
    if (x->ply >= SEARCH_PLIES - 1 || n->list_base > MOVE_ROOM - 96) {
        search_return(x, n->eval);
        return true;
    }
    if (n->in_check && n->depth >= -2)
        return false;
    if (n->depth <= 0) {
        n->best = n->eval;
        n->alpha = n->best > n->alpha ? n->best : n->alpha;
        if (n->best < n->beta)
            return false;
    } else {
        const int margin = 40;
        if (n->beta - n->alpha > 1 || n->beta <= -SCORE_MATE_BOUND || n->depth > 5 ||
            n->eval - margin * n->depth < n->beta)
            return false;
    }
    search_return(x, n->eval);
    return true;
}

// A new node: draws, hash table, the net's value, pruning of whole nodes, null move. The net is
// asked only where the hash table does not answer, and the accumulators are kept only where the
// value does not settle the node, since memory is what a wide net costs.
DEV void step_enter(const Searcher *s, Search *x, Board *b, Node *n, Child *child, const Made *made)
{
    const bool is_pv = n->beta - n->alpha > 1;
    n->best = -SCORE_INFINITE;
    n->best_move = 0;
    n->tried = n->list_count = 0;
    n->has_raised = false;
    n->stage = STAGE_FULL;
    if (x->ply > 0 && (b->fifty >= 100 || is_repetition(s, b, s->game_ply + x->ply))) {
        search_return(x, 0);
        return;
    }
    Sums sums;
    uint32_t *slot = s->scratch->accumulators + x->ply * SLOT_WORDS;
    if (x->ply > 0) // asks for the net's rows while the hash entry is under way
        net_carry(&s->eyes, b, &made->change, n->is_null, slot - SLOT_WORDS, &sums);
    const Probe probe = hash_probe(x->ply > 0 ? made->entry : hash_entry(s, b), x, b, n);
    if (probe.cuts) {
        search_return(x, probe.score);
        return;
    }
    if (x->ply > 0)
        n->eval = net_value(&s->eyes, b, &made->change, n->is_null, slot - SLOT_WORDS, &sums);
    if (x->ply > 0)
        n->eval -= n->eval * b->fifty / 220; // no progress: a draw comes nearer
    n->is_null = false;
    // The hash score is a better evaluation than the net's.
    if (probe.hits && !n->in_check && probe.score < 2500 && probe.score > -2500 &&
        (probe.bound == BOUND_EXACT || (probe.bound == BOUND_LOWER && probe.score > n->eval) ||
         (probe.bound == BOUND_UPPER && probe.score < n->eval)))
        n->eval = probe.score;
    if (x->ply > 0) {
        if (value_settles(x, n))
            return;
        net_store(&sums, b, slot);
    }
    n->improving = x->ply < 2 || (!n->in_check && n->eval > frame_eval(s, x->ply - 2));
    n->last_key = KEY_HASH_MOVE | probe.move;
    x->step = STEP_GENERATE;
    if (x->ply > 0 && !is_pv && !n->in_check && n->depth >= 3 && n->beta > -SCORE_MATE_BOUND &&
        n->eval >= n->beta && !frame_was_null(s, x->ply - 1) && has_piece(b)) {
        n->is_null = true;
        child->move = 0;
        child->depth = n->depth - 3 - n->depth / 4;
        if (s->options & OPTION_NULL) {
            const int above = (n->eval - n->beta) / 150;
            child->depth = n->depth - 3 - n->depth / 3 - (above > 3 ? 3 : above);
        }
        child->alpha = -n->beta;
        child->beta = -n->beta + 1;
        x->step = STEP_MAKE;
        return;
    }
    if (n->depth >= 4 && !probe.move && x->ply > 0)
        n->depth--; // no hash move: not worth the full depth yet
}

// Histories of the moves that follow the one which led to a ply.
DEV int16_t *pairs_row(const Searcher *s, int ply)
{
    return s->scratch->pairs[s->player] + (ply < 0 ? PAIR_NONE : s->memory->played[ply]) * PAIR_ROW;
}

// Adds up the histories for the side to move: its own, after the other side's last move, after its
// own.
DEV void order_fill(const Searcher *s, int ply, int side)
{
    const Words2 *a = (const Words2 *)s->memory->history[side];
    const Words2 *b = (const Words2 *)pairs_row(s, ply), *c = (const Words2 *)pairs_row(s, ply - 1);
    enum { PARTS = PAIR_ROW / 4 / LANES };
    const int lane = warp_lane();
    // The rows lie far away: all of them are asked for before the first is used.
    Words2 y[PARTS], z[PARTS];
    UNROLL
    for (int i = 0; i < PARTS; i++) {
        y[i] = b[lane + i * LANES];
        z[i] = c[lane + i * LANES];
    }
    UNROLL
    for (int i = 0; i < PARTS; i++) {
        const Words2 x = a[lane + i * LANES];
        const Words2 sum = {pair_add(x.x, pair_add(y[i].x, z[i].x)),
                            pair_add(x.y, pair_add(y[i].y, z[i].y))};
        ((Words2 *)s->memory->order)[lane + i * LANES] = sum;
    }
    warp_sync();
}

DEV void step_generate(const Searcher *s, Search *x, Board *b, Node *n)
{
    WarpMemory *m = s->memory;
    GenRequest r;
    r.captures_only = captures_only(n);
    r.ordered = true;
    r.killers = m->killers[x->ply];
    r.hash_move = n->last_key & 0xffff;
    r.least_gain = n->depth <= 0 ? n->alpha - n->eval - 150 : -SCORE_INFINITE;
    r.history = m->order;
    r.types = m->types;
    if (!r.captures_only)
        order_fill(s, x->ply, b->side);
    bool in_check;
    n->list_count =
        board_moves(s->tables, b, &r, m->moves + n->list_base, MOVE_ROOM - n->list_base, &in_check);
    if (n->list_count == 0) {
        search_return(x, r.captures_only ? n->best : n->in_check ? -SCORE_MATE + x->ply : 0);
        return;
    }
    n->last_key = 0xffffffffu;
    x->step = STEP_NEXT;
}

DEV uint32_t pick_key(const WarpMemory *m, const Node *n)
{
    uint32_t best = 0;
    // Mostly one turn: unrolled it would be the longest piece of a node.
    UNROLL_NOT
    for (int first = 0; first < n->list_count; first += LANES) {
        const int i = first + warp_lane();
        const uint32_t key = i < n->list_count ? m->moves[n->list_base + i] : 0;
        if (key < n->last_key && key > best)
            best = key;
    }
    return warp_max(best);
}

// Is this move, and with it all that follow in the order, not worth searching?
DEV bool should_stop(const Search *x, const Node *n, uint32_t key, bool is_pv)
{
    if (n->depth <= 0 || is_pv || n->in_check || x->ply == 0 || n->best <= -SCORE_MATE_BOUND ||
        key >= KEY_KILLER)
        return false;
    const int most = 5 + n->depth * n->depth * 3 / 2;
    if (n->depth <= 4 && n->tried >= most)
        return true;                                                   // late moves
    return n->depth <= 6 && n->eval + 100 + 90 * n->depth <= n->alpha; // futility
}

// Sixteen times the logarithm to base 2, nearly.
DEV int log16(int x)
{
    const int high = bits_last((uint32_t)x);
    return high * 16 + ((x << 4 >> high) & 15);
}

DEV int reduction_of(const Searcher *s, const Node *n, uint32_t key, bool is_pv)
{
    if (n->depth < 2 || n->tried < 2 || key >= KEY_KILLER || n->in_check)
        return 0;
    // In hundredths of a ply.
    int r = 60 + log16(n->depth) * log16(n->tried) * 24 / 256 - 100 * is_pv + 40 * !n->improving;
    if (s->options & OPTION_HISTORY)
        r -= ((int)(key >> 16) - (int)(KEY_QUIET >> 16)) / 64;
    const int most = n->depth - 1;
    return r < 100 ? 0 : r / 100 > most ? most : r / 100;
}

// All moves searched or the rest pruned: remember the result.
DEV void node_finish(const Searcher *s, Search *x, const Board *b, const Node *n)
{
    uint32_t move = n->best_move;
    if (!move) { // keep an older hash move
        const uint64_t old = s->scratch->hash[s->player][hash_place(b->hash)];
        if (hash_matches(old, b->hash))
            move = (uint32_t)old & 0xffff;
    }
    hash_store(s, b->hash, n->depth, n->has_raised ? BOUND_EXACT : BOUND_UPPER,
               to_table(n->best, x->ply), move);
    search_return(x, n->best);
}

// Picks the next move and decides how deep to search it.
DEV void step_next(const Searcher *s, Search *x, const Board *b, Node *n, Child *child)
{
    const bool is_pv = n->beta - n->alpha > 1;
    const uint32_t key = pick_key(s->memory, n);
    if (!key || should_stop(x, n, key, is_pv)) {
        node_finish(s, x, b, n);
        return;
    }
    n->last_key = key;
    n->tried++;
    child->move = key & 0xffff;
    child->depth = n->depth - 1;
    child->beta = -n->alpha;
    if (n->tried == 1 || n->depth <= 0) {
        child->alpha = -n->beta;
        n->stage = STAGE_FULL;
    } else {
        const int r = reduction_of(s, n, key, is_pv);
        child->depth -= r;
        child->alpha = -n->alpha - 1;
        n->stage = r ? STAGE_REDUCED : STAGE_SCOUT;
    }
    x->step = STEP_MAKE;
}

// Makes the child's move; step_enter goes on with what changed.
DEV void step_make(const Searcher *s, Search *x, Board *b, Node *n, const Child *child, Made *made)
{
    Change *c = &made->change;
    const uint32_t flags = frame_flags(b, n);
    x->nodes++;
    s->scratch->line[s->game_ply + x->ply] = b->hash;
    frame_save_board(s, x, b, n);
    if (n->is_null) {
        c->victim_lane = 32;
        c->rook_from = -1;
        c->type = PAIR_NONE / 64;
        c->to = 0;
        if (b->en_passant < 64)
            b->hash ^= s->tables->hash_en_passant[b->en_passant & 7];
        b->hash ^= s->tables->hash_side;
        b->en_passant = G_NO_SQUARE;
        b->fifty = 0;
        b->side ^= 1;
    } else {
        board_make(s->tables, b, child->move, c);
    }
    made->entry = hash_entry(s, b); // asked for now, looked at later
    frame_save_rest(s, x, n, flags, c);
    s->memory->played[x->ply + 1] = (uint16_t)(c->type * 64 + c->to);
    n->in_check = !n->is_null && board_in_check(s->tables, b);
    warp_sync();
    x->ply++;
    n->list_base += n->list_count;
    n->alpha = child->alpha;
    n->beta = child->beta;
    n->depth = child->depth;
    const int deepest = s->options & OPTION_CHECKS ? 0 : SEARCH_PLIES;
    if (n->in_check && n->depth >= 0 && n->depth <= deepest && x->ply < 2 * x->root_depth)
        n->depth++;
    x->step = STEP_ENTER;
}

DEV int history_gain(int value, int bonus)
{
    const int size = bonus < 0 ? -bonus : bonus;
    return value + bonus - value * size / HISTORY_MAX;
}

// A quiet move refuted this node: it gains, those tried before it lose.
DEV void reward_quiet(const Searcher *s, const Search *x, const Board *b, const Node *n,
                      uint32_t move)
{
    WarpMemory *m = s->memory;
    int bonus = n->depth * n->depth * 32;
    bonus = bonus > 1600 ? 1600 : bonus;
    int16_t *after_other = pairs_row(s, x->ply), *after_own = pairs_row(s, x->ply - 1);
    const uint32_t killers = m->killers[x->ply];
    warp_sync();
    if ((killers & 0xffff) != move)
        m->killers[x->ply] = killers << 16 | move;
    if (man_alive(b->man))
        m->types[man_square(b->man)] = (uint8_t)man_type(b->man);
    warp_sync();
    // Two men of a type may go to one square: read, meet, write, so that lanes do not race. The
    // move that gains is handled last, by all lanes alike.
    for (int first = 0; first < n->list_count + LANES; first += LANES) {
        const int i = first + warp_lane();
        const bool is_last = first >= n->list_count;
        const uint32_t key = is_last ? move : i < n->list_count ? m->moves[n->list_base + i] : 0;
        const bool changes =
            is_last || (key > n->last_key && key < KEY_CAPTURE && key >= KEY_QUIET_MIN);
        const int gain = is_last ? bonus : -bonus;
        const int place = m->types[move16_from(key)] * 64 + move16_to(key);
        int16_t *h = m->history[b->side] + place;
        int16_t value = 0, other = 0, own = 0;
        if (changes) {
            value = (int16_t)history_gain(*h, gain);
            other = (int16_t)history_gain(after_other[place], gain);
            own = (int16_t)history_gain(after_own[place], gain);
        }
        warp_sync();
        if (changes) {
            *h = value;
            after_other[place] = other;
            after_own[place] = own;
        }
        warp_sync();
    }
}

// A child has returned: search it again, raise alpha, or cut off.
DEV void step_return(const Searcher *s, Search *x, Board *b, Node *n, Child *child)
{
    x->ply--;
    const uint32_t flags = frame_load(s, x->ply, b, n);
    const int value = -x->value;
    b->side ^= 1;
    warp_sync();
    if (n->is_null) {
        n->is_null = false;
        if (value >= n->beta)
            search_return(x, value > SCORE_MATE_BOUND ? n->beta : value);
        else
            x->step = STEP_GENERATE;
        return;
    }
    const uint32_t move = n->last_key & 0xffff;
    b->man = man_before(b->man, move, (int)(flags >> 18 & 63), flags >> 24 & 1, b->side);
    if (n->stage != STAGE_FULL && value > n->alpha &&
        (n->stage == STAGE_REDUCED || value < n->beta)) {
        const bool was_reduced = n->stage == STAGE_REDUCED;
        n->stage = was_reduced ? STAGE_SCOUT : STAGE_FULL;
        child->move = move;
        child->depth = n->depth - 1;
        child->alpha = was_reduced ? -n->alpha - 1 : -n->beta;
        child->beta = -n->alpha;
        x->step = STEP_MAKE;
        return;
    }
    x->step = STEP_NEXT;
    if (value <= n->best)
        return;
    n->best = value;
    if (x->ply == 0 && (value > n->alpha || !x->root_move)) {
        x->root_move = move;
        x->root_score = value;
    }
    if (value > n->alpha) {
        n->best_move = move;
        n->alpha = value;
        n->has_raised = true;
    }
    if (value >= n->beta) {
        const uint64_t them = b->side ? b->white : b->black;
        const bool is_capture = them >> move16_to(move) & 1;
        if (n->depth > 0 && !is_capture && !move16_promotion(move))
            reward_quiet(s, x, b, n, move);
        hash_store(s, b->hash, n->depth, BOUND_LOWER, to_table(n->best, x->ply), n->best_move);
        search_return(x, n->best);
    }
}

DEV void root_begin(const Searcher *s, Search *x, const Board *b, Node *n)
{
    n->depth = x->root_depth;
    n->alpha = x->window_low;
    n->beta = x->window_high;
    n->list_base = 0;
    n->eval = x->root_eval;
    n->in_check = board_in_check(s->tables, b);
    x->step = STEP_ENTER;
}

// The root has returned: open the window, deepen, or end.
DEV void step_root(const Searcher *s, Search *x, const Board *b, Node *n)
{
    const int best = n->best;
    if (best <= x->window_low && x->window_low > -SCORE_INFINITE) {
        x->window_low = -SCORE_INFINITE;
        x->window_high = SCORE_INFINITE;
    } else if (best >= x->window_high && x->window_high < SCORE_INFINITE) {
        x->window_high = SCORE_INFINITE;
    } else {
        x->done_depth = x->root_depth;
        s->scratch->whole_score = best;
        if (x->root_depth >= 30 || x->nodes >= s->node_limit || best > SCORE_MATE_BOUND ||
            best < -SCORE_MATE_BOUND || (n->list_count == 1 && x->root_depth >= 5) ||
            !x->root_move) {
            x->step = STEP_END;
            return;
        }
        x->root_depth++;
        x->window_low = -SCORE_INFINITE;
        x->window_high = SCORE_INFINITE;
        if (x->root_depth >= 4 && best > -2000 && best < 2000) {
            x->window_low = best - 25;
            x->window_high = best + 25;
        }
    }
    root_begin(s, x, b, n);
}

// The nodes ended within an iteration. What its first moves came to is half of the answer, for the
// rest was not looked at; a loss by mate that they show is none. (The mean is nearer to a deep
// search's score than either: squared error 4.75 against 4.91 and 4.79, see docs/training.md.)
DEV int unfinished_score(const Searcher *s, const Search *x)
{
    const int whole = s->scratch->whole_score, part = x->root_score;
    if (part < -SCORE_MATE_BOUND)
        return whole;
    return part > SCORE_MATE_BOUND ? part : (whole + part) / 2;
}

// Searches the position; the board is left anywhere in the tree. root_move is 0 when there is no
// legal move.
DEV void search_run(const Searcher *s, Search *x, Board *b, bool *in_check)
{
    Node n = {0};
    Child child = {0, 0, 0, 0};
    x->ply = x->value = x->done_depth = x->root_score = 0;
    x->nodes = x->root_move = 0;
    x->root_depth = 1;
    x->window_low = -SCORE_INFINITE;
    x->window_high = SCORE_INFINITE;
    x->root_eval = net_refresh(&s->eyes, b, s->scratch->accumulators);
    root_begin(s, x, b, &n);
    *in_check = n.in_check;
    for (;;) {
        Made made = {0};
        if (x->step == STEP_GENERATE)
            step_generate(s, x, b, &n);
        if (x->step == STEP_NEXT)
            step_next(s, x, b, &n, &child);
        if (x->step == STEP_MAKE) {
            if (x->nodes >= s->node_limit && (x->root_move || x->root_depth > 1)) {
                if (x->done_depth)
                    x->root_score = unfinished_score(s, x);
                break;
            }
            step_make(s, x, b, &n, &child, &made);
        }
        if (x->step == STEP_ENTER)
            step_enter(s, x, b, &n, &child, &made);
        if (x->step == STEP_RETURN) {
            if (x->ply > 0)
                step_return(s, x, b, &n, &child);
            else
                step_root(s, x, b, &n);
        }
        if (x->step == STEP_END)
            break;
    }
    warp_sync();
}

#endif
