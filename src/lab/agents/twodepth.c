// See twodepth.h. Start with `search`.
#include "lab/agents/twodepth.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/stop.h"
#include "core/bitboard.h"
#include "core/movegen.h"

TwoDepth twodepth_default(void)
{
    TwoDepth how = {.normal = TWODEPTH_NORMAL, .deep = 2 * TWODEPTH_NORMAL, .factor = 0.5f};
    kvalues_init(&how.values, 1);
    return how;
}

// What one search shares.
typedef struct Search {
    const TwoDepth *how;
    int normal, deep;
    float reach; // how far the network can move a value
    bool can_discard;
    const TwoDepthMemory *memory;
    const atomic_bool *stop;
    uint64_t nodes, evaluations;
} Search;

static int phase_of(const KBoard *board)
{
    const int men = bit_count(board->own | board->other);
    return men > 24 ? 0 : men > 12 ? 1 : 2;
}

// ---- Evaluation ----

static float hand_value(const HandSetup *hand, const KBoard *board)
{
    Position pos;
    kboard_to_position(board, &pos);
    return (float)hand_evaluate(hand, NULL, &pos) / 100;
}

float twodepth_evaluate(const TwoDepth *how, const KBoard *board, const TwoDepthMemory *memory)
{
    if (how->hand)
        return hand_value(how->hand, board);
    const float base = (float)board->base / 1000;
    const int phase = phase_of(board);
    const BrainFast *brain = how->brains[phase];
    return brain ? base + how->factor * brain_fast_value(brain, board->men, &memory->of[phase], 0)
                 : base;
}

static float reach_of(const TwoDepth *how)
{
    float reach = 0;
    for (int p = 0; p < TWODEPTH_PHASES; p++)
        if (how->brains[p])
            reach = fmaxf(reach, brain_fast_bound(how->brains[p], 0));
    if (how->hand || (how->is_plain && reach > 0))
        return INFINITY;
    return reach * fabsf(how->factor);
}

static bool can_discard(const TwoDepth *how)
{
    for (int p = 0; p < TWODEPTH_PHASES; p++)
        if (how->brains[p] && brain_fast_outputs(how->brains[p]) > 1)
            return true;
    return false;
}

// ---- Proper ends ----

// May the side that has just moved have its king taken? `board` is as its opponent sees it.
static bool has_left_king(const KBoard *board)
{
    for (Bitboard men = board->other; men;) {
        const Square s = bit_pop(&men);
        if (board->men[s] == -K_KING)
            return kboard_attacks(board, s);
    }
    return false;
}

static bool has_legal_move(const Search *s, const KBoard *board)
{
    KMove moves[K_MOVES_MAX];
    const int count = kboard_moves(board, &s->how->values, moves);
    for (int i = 0; i < count; i++) {
        KBoard after;
        if (moves[i].taken == K_KING)
            return true;
        kboard_make(board, moves[i], &after);
        if (!has_left_king(&after))
            return true;
    }
    return false;
}

// Nothing can be moved: mated, the later the better, or a draw.
static float end_value(const KBoard *board, int ply)
{
    return kboard_is_attacked(board, kboard_king(board)) ? -TWODEPTH_WIN + 1000 * (float)ply : 0;
}

// A leaf with proper ends: few men can be without a move, and only a checked king can be mated.
static bool is_end(const Search *s, const KBoard *board)
{
    return (bit_count(board->own) <= 4 || kboard_is_attacked(board, kboard_king(board))) &&
           !has_legal_move(s, board);
}

// ---- Search ----

static void swap_moves(KMove *a, KMove *b)
{
    const KMove swap = *a;
    *a = *b;
    *b = swap;
}

// A capture by a man that is worth no more, or a new queen: likely to be good whatever answers it.
static bool is_promising(const KBoard *board, KMove move)
{
    return move.gain >= 500 && (move.taken == K_KING || move.kind == K_PROMOTION ||
                                move.taken >= board->men[move.from]);
}

// Puts promising captures first, the best of the quiet moves behind them and other captures last;
// returns how many are promising. Which value comes out of a search does not hang on the order of
// moves, only how soon.
static int bring_forward(const Search *s, const KBoard *board, KMove *list, int count)
{
    int first = 0, last = count;
    if (!s->how->is_sorted)
        return 0;
    for (int i = 0; i < last; i++)
        if (is_promising(board, list[i]))
            swap_moves(&list[i], &list[first++]);
        else if (list[i].taken)
            swap_moves(&list[i--], &list[--last]);
    int best = first;
    for (int i = first + 1; i < last; i++)
        best = list[i].gain > list[best].gain ? i : best;
    if (best < last)
        swap_moves(&list[first], &list[best]);
    return first;
}

// Brings the move that gains most of those from `i` on to place i.
static void pick(KMove *list, int count, int i)
{
    int best = i;
    for (int k = i + 1; k < count; k++)
        best = list[k].gain > list[best].gain ? k : best;
    swap_moves(&list[i], &list[best]);
}

// The second output of a network may throw a quiet move away before it is searched.
static bool is_discarded(const Search *s, const KBoard *after)
{
    const int phase = phase_of(after);
    const BrainFast *brain = s->how->brains[phase];
    return brain && brain_fast_outputs(brain) > 1 &&
           brain_fast_value(brain, after->men, &s->memory->of[phase], 1) > 0.5f;
}

static float search(Search *s, const KBoard *board, int ply, float alpha, float beta);

// The value of a move that leads to a leaf is often known before it is made: to its men and places
// the network can add or take away at most `reach`, which need not matter between alpha and beta.
static bool is_known(const Search *s, float value, float alpha, float beta, float *known)
{
    if (s->how->proper_ends)
        return false;
    *known = value + s->reach <= alpha ? value + s->reach : value - s->reach;
    return s->reach == 0 || value + s->reach <= alpha || value - s->reach >= beta;
}

static float leaf(Search *s, const KBoard *board, int ply)
{
    if (s->how->proper_ends && is_end(s, board))
        return end_value(board, ply);
    s->evaluations++;
    return twodepth_evaluate(s->how, board, s->memory);
}

// Is this move thrown away at this ply?
static bool discards(const Search *s, KMove move, const KBoard *after, int ply)
{
    return s->can_discard && ply > 0 && !move.taken && ply + 1 < s->normal &&
           is_discarded(s, after);
}

typedef enum Verdict { VALUED, ILLEGAL, DISCARDED } Verdict;

// The value of a move for the side that makes it.
static Verdict try_move(Search *s, const KBoard *board, KMove move, int ply, float alpha,
                        float beta, float *value)
{
    const bool is_leaf = ply + 1 >= (move.taken ? s->deep : s->normal);
    *value = TWODEPTH_WIN;
    if (move.taken == K_KING)
        return VALUED;
    s->nodes++;
    if (is_leaf && is_known(s, (float)(board->base + move.gain) / 1000, alpha, beta, value))
        return VALUED;
    KBoard after;
    kboard_make(board, move, &after);
    if (s->how->proper_ends && has_left_king(&after))
        return ILLEGAL;
    if (discards(s, move, &after, ply))
        return DISCARDED;
    *value = is_leaf ? -leaf(s, &after, ply + 1) : -search(s, &after, ply + 1, -beta, -alpha);
    return VALUED;
}

// A quiet move to a leaf that gains no more than this cannot come above alpha, whatever the network
// says: a bound for a quick look before try_move. INT_MIN: there is none.
static int hopeless_gain(const Search *s, const KBoard *board, int ply, float alpha)
{
    const float bound = (alpha - s->reach) * 1000 - (float)board->base;
    if (s->how->proper_ends || s->how->is_plain || ply + 1 < s->normal || !(bound > -1e7f))
        return INT_MIN;
    return bound > 1e7f ? INT_MAX : (int)floorf(bound) - 1;
}

// Values of moves to leaves that were worked out together: a network asked about eight boards takes
// little longer than for one.
typedef struct Batch {
    int end; // it holds places of the list of moves before this one
    float values[K_MOVES_MAX];
    bool has[K_MOVES_MAX];
} Batch;

// Can the leaves behind quiet moves be valued together here?
static bool has_batches(const Search *s, const KBoard *board, int ply)
{
    const TwoDepth *how = s->how;
    return ply + 1 >= s->normal && !how->proper_ends && !how->is_plain && !how->hand &&
           s->reach > 0 && how->brains[phase_of(board)];
}

// Values the next quiet moves from `i` on that are not known without the network.
static void fill_batch(Search *s, const KBoard *board, const KMove *moves, int count, int i,
                       float alpha, float beta, Batch *batch)
{
    const int phase = phase_of(board);
    const int8_t *men[BRAIN_FAST_LANES];
    int places[BRAIN_FAST_LANES], used = 0;
    KBoard after[BRAIN_FAST_LANES];
    float outputs[BRAIN_FAST_LANES], known;
    for (; i < count && used < BRAIN_FAST_LANES; i++) {
        batch->has[i] = !moves[i].taken && !is_known(s, (float)(board->base + moves[i].gain) / 1000,
                                                     alpha, beta, &known);
        if (!batch->has[i])
            continue;
        kboard_make(board, moves[i], &after[used]);
        men[used] = after[used].men;
        places[used++] = i;
    }
    batch->end = i;
    if (!used)
        return;
    brain_fast_values(s->how->brains[phase], men, used, &s->memory->of[phase], 0, outputs);
    for (int l = 0; l < used; l++)
        batch->values[places[l]] = -((float)after[l].base / 1000 + s->how->factor * outputs[l]);
    s->evaluations += (uint64_t)used;
}

// Where quiet moves lead to leaves, a pawn that can step leaves its side no worse than this: often
// enough to know, before any move is made, that the other side will not come here.
static bool is_above(const Search *s, const KBoard *board, int ply, float beta, float *value)
{
    const bool can_step = ((board->pawns & board->own) << 8) & ~(board->own | board->other);
    *value = (float)(board->base + s->how->values.least_step) / 1000 - s->reach;
    return can_step && *value >= beta && ply + 1 >= s->normal && !s->how->proper_ends &&
           !s->how->is_plain;
}

// Can no quiet move come above alpha, whatever the network says? Then only captures matter.
static bool is_behind(const Search *s, const KBoard *board, int hopeless)
{
    return hopeless >= s->how->values.most_quiet && !(board->pawns & board->own & rank_bits(6));
}

// Negamax with alpha and beta. After a stop the value means nothing.
static float search(Search *s, const KBoard *board, int ply, float alpha, float beta)
{
    float best = -INFINITY, value;
    if (is_above(s, board, ply, beta, &value))
        return value;
    KMove moves[K_MOVES_MAX];
    int hopeless = hopeless_gain(s, board, ply, alpha), count, quiet = 0;
    if (is_behind(s, board, hopeless))
        count = kboard_captures(board, &s->how->values, moves, &quiet);
    else
        count = kboard_moves(board, &s->how->values, moves);
    if (quiet)
        best = alpha; // not above, and how far below does not matter
    s->nodes += (uint64_t)quiet;
    const int taking = bring_forward(s, board, moves, count);
    const bool batches = has_batches(s, board, ply);
    bool is_end = s->how->proper_ends;
    Batch batch;
    batch.end = 0;
    if (stop_is_set(s->stop))
        return 0;
    for (int i = 0; i < count && (best < beta || s->how->is_plain); i++) {
        if (i < taking)
            pick(moves, taking, i);
        if (moves[i].gain <= hopeless && !moves[i].taken) {
            best = best > alpha ? best : alpha; // the same
            s->nodes++;
            continue;
        }
        if (batches && i >= taking && i >= batch.end && !moves[i].taken)
            fill_batch(s, board, moves, count, i, alpha, beta, &batch);
        Verdict verdict = VALUED;
        if (i < batch.end && batch.has[i]) {
            value = batch.values[i];
            s->nodes++;
        } else {
            verdict = try_move(s, board, moves[i], ply, alpha, beta, &value);
        }
        is_end &= verdict == ILLEGAL;
        if (verdict == VALUED && value > best)
            best = value;
        if (best > alpha && !s->how->is_plain) {
            alpha = best;
            hopeless = hopeless_gain(s, board, ply, alpha);
        }
    }
    if (is_end)
        return end_value(board, ply);
    return best > -INFINITY ? best : twodepth_evaluate(s->how, board, s->memory);
}

// Has the position after this move stood on the board before?
static bool repeats(const Game *game, Move move)
{
    const Key key = position_key_after(&game->now, move);
    const int since = min_int(game->now.state.fifty, game->count);
    for (int i = game->count - 1; i >= game->count - since; i--)
        if (game->steps[i].undo.state.key == key)
            return true;
    return false;
}

// Fewer men, greater depth: two half-moves more from 12 men on, four from 5 on.
static int growth(const TwoDepth *how, const KBoard *board)
{
    const int men = bit_count(board->own | board->other);
    return !how->grows ? 0 : men <= 5 ? 4 : men <= 12 ? 2 : 0;
}

// Does a move stand before another in the order of the board?
static bool is_before(KMove a, KMove b)
{
    const int places[2] = {a.from << 8 | a.to, b.from << 8 | b.to}; // en passant after the others
    const int late[2] = {(a.kind == K_CASTLE) << 16 | (a.kind == K_EN_PASSANT) << 7,
                         (b.kind == K_CASTLE) << 16 | (b.kind == K_EN_PASSANT) << 7};
    return (places[0] | late[0]) < (places[1] | late[1]);
}

// The best of the legal moves, of equals the first in the order of the board: a move that stands
// before the best so far must only be as good, one behind it better.
static void search_root(Search *s, const Game *game, const KBoard *board, TwoDepthChoice *choice)
{
    Move legal[MAX_MOVES];
    KMove moves[K_MOVES_MAX], best = {0};
    const int legal_count = movegen_legal(&game->now, STAGE_ALL, legal);
    const int count = kboard_moves(board, &s->how->values, moves);
    const int taking = bring_forward(s, board, moves, count);
    for (int i = 0; i < count; i++) {
        if (i < taking)
            pick(moves, taking, i);
        const Move move = kboard_core_move(&game->now, moves[i], legal, legal_count);
        if (!move)
            continue;
        const float below = choice->move && is_before(moves[i], best)
                                ? nextafterf(choice->score, -INFINITY)
                                : choice->score;
        float value = 0;
        if (!s->how->proper_ends || !repeats(game, move))
            try_move(s, board, moves[i], 0, s->how->is_plain ? -INFINITY : below, INFINITY, &value);
        if (value > below || !choice->move) {
            best = moves[i];
            choice->score = value;
            choice->move = move;
        }
    }
}

// ---- Memory ----

static void remember(const TwoDepth *how, const KBoard *board, TwoDepthMemory *memory)
{
    if (how->reset != RESET_GAME)
        memset(memory->of, 0, sizeof memory->of);
    for (int p = 0; p < TWODEPTH_PHASES && how->reset != RESET_EVALUATION; p++)
        if (how->brains[p])
            brain_fast_step(how->brains[p], board->men, &memory->of[p]);
}

void twodepth_recall(const TwoDepth *how, const Game *game, TwoDepthMemory *memory)
{
    *memory = (TwoDepthMemory){0};
    if (how->reset != RESET_GAME)
        return;
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        KBoard board;
        Undo undo;
        if (pos.side == game->now.side) {
            kboard_from_position(&board, &pos, &how->values);
            remember(how, &board, memory);
        }
        position_make(&pos, game->steps[i].move, &undo);
    }
    memory->ply = game->count;
}

void twodepth_choose(const TwoDepth *how, const Game *game, TwoDepthMemory *memory,
                     const atomic_bool *stop, TwoDepthChoice *choice)
{
    KBoard board;
    kboard_from_position(&board, &game->now, &how->values);
    remember(how, &board, memory);
    memory->ply = game->count + 2;
    const int extra = growth(how, &board);
    Search s = {.how = how,
                .normal = how->normal + extra,
                .deep = how->deep + extra,
                .reach = reach_of(how),
                .can_discard = can_discard(how),
                .memory = memory,
                .stop = stop};
    *choice = (TwoDepthChoice){.score = -INFINITY, .depth = s.normal};
    search_root(&s, game, &board, choice);
    choice->nodes = s.nodes;
    choice->evaluations = s.evaluations;
}

double twodepth_material(const Position *pos)
{
    static const double WORTH[TYPE_COUNT] = {1, 3, 3.1, 5, 9, 0};
    double sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += WORTH[t] * (bit_count(position_men(pos, pos->side, t)) -
                           bit_count(position_men(pos, !pos->side, t)));
    return sum;
}

// ---- Weights as DNA ----

bool twodepth_hand_to_dna(const Weight weights[TERM_COUNT], Dna *dna)
{
    *dna = (Dna){malloc(2 * TERM_COUNT * sizeof(double)), 2 * TERM_COUNT};
    for (int t = 0; dna->at && t < TERM_COUNT; t++) {
        dna->at[2 * t] = weight_mg(weights[t]);
        dna->at[2 * t + 1] = weight_eg(weights[t]);
    }
    return dna->at != NULL;
}

static int whole_weight(double weight)
{
    return (int)lround(weight > 20000 ? 20000 : weight < -20000 ? -20000 : weight);
}

bool twodepth_hand_from_dna(const Dna *dna, Weight weights[TERM_COUNT], Error *error)
{
    if (dna->count != 2 * TERM_COUNT)
        return error_set(error, "DNA: %d numbers, not the %d weights of the evaluation", dna->count,
                         2 * TERM_COUNT);
    for (int t = 0; t < TERM_COUNT; t++)
        weights[t] = WEIGHT(whole_weight(dna->at[2 * t]), whole_weight(dna->at[2 * t + 1]));
    return true;
}
