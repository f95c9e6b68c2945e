// Accumulators by difference. Each entry of the stack knows which men its move put and took;
// nothing is computed until an evaluation is wanted. Then each perspective looks back for the
// nearest entry that is up to date and walks forward from it; if its king changed side or bucket on
// the way, it starts from that entry instead, by a cache that remembers the last position seen with
// that king bucket and mirroring. So all that is searched below the king's move shares one refresh.
#include "engine/nnue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/nnue_changes.h"
#include "engine/nnue_kernels.h"

enum { MAX_CHANGED = 2, CACHE_TURNS = 2 };

typedef struct Man {
    uint8_t piece, square;
} Man;

typedef struct Entry {
    Man put[MAX_CHANGED], taken[MAX_CHANGED];
    uint8_t puts, takes;
    bool is_fresh[2];   // accumulators computed, by perspective
    bool needs_view[2]; // this move changed the perspective's view: differences do not apply
    bool has_changes;   // of threats
    Move move;
} Entry;

// What an entry has besides where threats are inputs: the board before the move, and what it
// changes, once that was asked for.
typedef struct Sight {
    NnueBoard before;
    NnueChanges changes;
} Sight;

// Numbers of threats, ready for the search: as nnue_threat computes them, without its branches. Men
// are own (colour 0) or other (1) here; a threat's lowest 10 bits are attacker and square, the next
// 8 from the seventh on the two men.
typedef struct ThreatNumbers {
    NnueRays rays;
    uint64_t reach[PIECE_COUNT * 64];
    uint16_t offset[PIECE_COUNT * 64];
    int32_t base[2][256]; // from < to
} ThreatNumbers;

// The men for which a cached accumulator stands.
typedef struct CacheEntry {
    Bitboard men[PIECE_COUNT];
    int16_t *accumulator;
} CacheEntry;

struct NnueStack {
    const Net *net;
    const NnueKernels *kernels;
    int top, depth;
    Entry *entries;
    int16_t *accumulators;  // [depth + 1][2][hidden]
    Sight *sights;          // [depth + 1], with threats only
    ThreatNumbers *numbers; // with threats only
    NnueLayers *layers;     // [NNUE_OUTPUTS], with layers only
    int8_t *first;          // what they point to
    CacheEntry *cache;      // [2 perspectives][CACHE_TURNS][king_buckets]
    int16_t *cache_memory;
};

const char *nnue_kernel_name(int index)
{
    const NnueKernels *kernels = nnue_kernels(index);
    return kernels ? kernels->name : NULL;
}

static int cache_count(const Net *net)
{
    return 2 * CACHE_TURNS * net->info.king_buckets;
}

static void cache_clear(NnueStack *stack)
{
    const int hidden = stack->net->info.hidden;
    for (int i = 0; i < cache_count(stack->net); i++) {
        CacheEntry *e = &stack->cache[i];
        memset(e->men, 0, sizeof e->men);
        e->accumulator = stack->cache_memory + (size_t)i * hidden;
        memcpy(e->accumulator, stack->net->bias, hidden * sizeof(int16_t));
    }
}

// Where the weight of product i for sum k stands: see NnueLayers.
static size_t place_of(size_t i, size_t k, size_t lanes)
{
    const size_t vector = i / (16 * lanes), inside = i % (16 * lanes);
    const size_t lane = inside % (8 * lanes) / 8;
    const size_t group = inside / (8 * lanes) * 2 + inside % 8 / 4;
    return (((vector * 4 + group) * 4 + k / 4) * lanes + lane) * 16 + k % 4 * 4 + i % 4;
}

// The layers in the order that vectors like; false when memory is short.
static bool prepare_layers(NnueStack *stack)
{
    const NetLayers *from = stack->net->layers;
    const size_t hidden = stack->net->info.hidden;
    stack->layers = memory_aligned(NNUE_OUTPUTS * sizeof *stack->layers);
    stack->first = memory_aligned(NNUE_OUTPUTS * NNUE_L1 * hidden);
    if (!stack->layers || !stack->first)
        return false;
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        NnueLayers *l = &stack->layers[b];
        int8_t *first = stack->first + (size_t)b * NNUE_L1 * hidden;
        for (size_t k = 0; k < NNUE_L1; k++)
            for (size_t i = 0; i < hidden; i++)
                first[place_of(i, k, (size_t)stack->kernels->lanes)] =
                    from->first[((size_t)b * NNUE_L1 + k) * hidden + i];
        for (int o = 0; o < NNUE_L2; o++) {
            for (int k = 0; k < NNUE_L1; k++) {
                l->second[k][o][0] = from->second[b][o][k];
                l->second[k][o][1] = from->second[b][o][NNUE_L1 + k];
            }
            l->third[o] = from->third[b][o];
        }
        memcpy(l->first_bias, from->first_bias[b], sizeof l->first_bias);
        memcpy(l->second_bias, from->second_bias[b], sizeof l->second_bias);
        l->third_bias = from->third_bias[b];
        l->first = first;
    }
    return true;
}

// The base of a pair of men; far below zero when it is no input.
static int32_t base_of(const NnueThreatTables *t, bool is_upward, Piece a, Piece b)
{
    enum { NONE = -(1 << 20) };
    const PieceType type = piece_type(a), attacked = piece_type(b);
    const Color color = piece_color(a), attacked_color = piece_color(b);
    if (a >= PIECE_COUNT || b >= PIECE_COUNT || type == KING || attacked == KING ||
        (type == attacked && (color != attacked_color || type != PAWN) && is_upward) ||
        t->base[color][type][attacked_color][attacked] < 0)
        return NONE;
    return t->base[color][type][attacked_color][attacked];
}

static void numbers_fill(ThreatNumbers *n, const NnueThreatTables *t)
{
    memset(n, 0, sizeof *n);
    nnue_rays_fill(&n->rays);
    for (Piece a = 0; a < PIECE_COUNT; a++)
        for (Square s = 0; s < 64 && piece_type(a) != KING; s++) {
            n->reach[a * 64 + s] = t->reach[nnue_reach_kind(piece_color(a), piece_type(a))][s];
            n->offset[a * 64 + s] = (uint16_t)t->offset[piece_color(a)][piece_type(a)][s];
        }
    for (int pair = 0; pair < 256; pair++)
        for (int upward = 0; upward < 2; upward++)
            n->base[upward][pair] = base_of(t, upward, pair & 15, pair >> 4);
}

static bool prepare_threats(NnueStack *stack)
{
    stack->sights = memory_aligned(((size_t)stack->depth + 1) * sizeof *stack->sights);
    stack->numbers = memory_aligned((sizeof *stack->numbers + 63) & ~(size_t)63);
    if (!stack->sights || !stack->numbers)
        return false;
    numbers_fill(stack->numbers, stack->net->threat_tables);
    return true;
}

NnueStack *nnue_stack_new(const Net *net, int depth, int kernel, Error *error)
{
    const size_t row = net->info.hidden * sizeof(int16_t);
    NnueStack *stack = calloc(1, sizeof *stack);
    if (stack) {
        stack->net = net;
        stack->kernels = nnue_kernels(kernel);
        stack->depth = depth;
        stack->entries = calloc((size_t)depth + 1, sizeof *stack->entries);
        stack->accumulators = memory_aligned(((size_t)depth + 1) * 2 * row);
        stack->cache = calloc((size_t)cache_count(net), sizeof *stack->cache);
        stack->cache_memory = memory_aligned((size_t)cache_count(net) * row);
    }
    if (!stack || !stack->kernels || !stack->entries || !stack->accumulators || !stack->cache ||
        !stack->cache_memory || (net->layers && !prepare_layers(stack)) ||
        (net->threat && !prepare_threats(stack))) {
        error_set(error, "net: no memory for accumulators, or no vector code %d", kernel);
        nnue_stack_free(stack);
        return NULL;
    }
    cache_clear(stack);
    nnue_reset(stack);
    return stack;
}

void nnue_stack_free(NnueStack *stack)
{
    if (!stack)
        return;
    free(stack->entries);
    memory_free_aligned(stack->accumulators);
    memory_free_aligned(stack->sights);
    memory_free_aligned(stack->numbers);
    memory_free_aligned(stack->layers);
    memory_free_aligned(stack->first);
    free(stack->cache);
    memory_free_aligned(stack->cache_memory);
    free(stack);
}

void nnue_reset(NnueStack *stack)
{
    stack->top = 0;
    stack->entries[0].is_fresh[WHITE] = stack->entries[0].is_fresh[BLACK] = false;
    stack->entries[0].needs_view[WHITE] = stack->entries[0].needs_view[BLACK] = true;
}

static Entry *entry_push(NnueStack *stack)
{
    assert(stack->top < stack->depth);
    Entry *e = &stack->entries[++stack->top];
    e->puts = e->takes = 0;
    e->move = MOVE_NONE;
    e->has_changes = false;
    e->is_fresh[WHITE] = e->is_fresh[BLACK] = false;
    e->needs_view[WHITE] = e->needs_view[BLACK] = false;
    return e;
}

static NnueView view_of(const Net *net, Color us, Square king)
{
    return net->is_from_corner ? nnue_corner_view(us, king, net->info.king_bucket)
                               : nnue_view(us, king, net->info.king_bucket);
}

static bool view_changes(const Net *net, Color us, Square from, Square to)
{
    NnueView a = view_of(net, us, from), b = view_of(net, us, to);
    return a.turn != b.turn || a.bucket != b.bucket;
}

void nnue_push(NnueStack *stack, const Position *pos, Move move)
{
    Entry *e = entry_push(stack);
    const Square from = move_from(move);
    Square to = move_to(move);
    const Piece piece = pos->board[from];
    const Color us = piece_color(piece);
    e->taken[e->takes++] = (Man){(uint8_t)piece, (uint8_t)from};
    if (move_is_castle(move)) { // king takes own rook; both go to their usual squares
        const int rank = square_rank(from);
        const Square rook = to;
        to = square_make(rook > from ? 6 : 2, rank);
        e->taken[e->takes++] = (Man){pos->board[rook], (uint8_t)rook};
        e->put[e->puts++] = (Man){(uint8_t)piece, (uint8_t)to};
        e->put[e->puts++] =
            (Man){pos->board[rook], (uint8_t)square_make(rook > from ? 5 : 3, rank)};
    } else {
        if (move_kind(move) == KIND_EN_PASSANT) {
            const Square victim = square_make(square_file(to), square_rank(from));
            e->taken[e->takes++] = (Man){pos->board[victim], (uint8_t)victim};
        } else if (move_is_capture(move)) {
            e->taken[e->takes++] = (Man){pos->board[to], (uint8_t)to};
        }
        const Piece result = move_is_promotion(move) ? piece_make(us, move_promotion(move)) : piece;
        e->put[e->puts++] = (Man){(uint8_t)result, (uint8_t)to};
    }
    if (piece_type(piece) == KING)
        e->needs_view[us] = view_changes(stack->net, us, from, to);
    if (stack->sights) {
        e->move = move;
        nnue_board_set(&stack->sights[stack->top].before, pos);
    }
}

void nnue_push_null(NnueStack *stack)
{
    entry_push(stack);
}

void nnue_pop(NnueStack *stack)
{
    assert(stack->top > 0);
    stack->top--;
}

static const int16_t *row_of(const Net *net, NnueView view, Color us, Piece piece, Square s)
{
    int feature = nnue_feature(view, us, piece_color(piece), piece_type(piece), s);
    return net->feature + (size_t)feature * net->info.hidden;
}

static int16_t *accumulator_of(NnueStack *stack, int index, Color us)
{
    return stack->accumulators + ((size_t)index * 2 + (size_t)us) * stack->net->info.hidden;
}

// The rows of those threats that are inputs for this perspective; returns their number.
static inline int threat_rows(const NnueStack *stack, Color us, int turn, const NnueThreat *list,
                              int count, const int8_t **rows)
{
    const ThreatNumbers *n = stack->numbers;
    const size_t hidden = stack->net->info.hidden;
    const int8_t *first = stack->net->threat;
    const uint32_t view = (uint32_t)(turn | us << 6 | us << 10 | turn << 14);
    int found = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t t = list[i] ^ view, man = t & 1023, to = t >> 14;
        const int number = n->base[(t & 63) < to][t >> 6 & 255] + n->offset[man] +
                           bit_count(n->reach[man] & (square_bit((Square)to) - 1));
        rows[found] = first + (int64_t)number * (int64_t)hidden;
        found += number >= 0;
    }
    return found;
}

// Puts a man on the board or takes it from it; `left` is what stands on its square then.
static void board_turn(NnueBoard *board, Man man, int left)
{
    board->by_type[piece_type(man.piece)] ^= square_bit(man.square);
    board->by_color[piece_color(man.piece)] ^= square_bit(man.square);
    board->board[man.square] = (uint8_t)left;
}

// The board at an entry: that at the top, with the moves since taken back.
static void board_at(NnueBoard *board, const NnueStack *stack, const Position *pos, int index)
{
    nnue_board_set(board, pos);
    for (int i = stack->top; i > index; i--) {
        const Entry *e = &stack->entries[i];
        for (int k = 0; k < e->puts; k++)
            board_turn(board, e->put[k], NO_PIECE);
        for (int k = 0; k < e->takes; k++)
            board_turn(board, e->taken[k], e->taken[k].piece);
    }
}

// Adds all threats on the board to the accumulator of an entry.
static void add_threats(NnueStack *stack, const NnueBoard *board, int index, Color us,
                        NnueView view)
{
    NnueThreat list[NNUE_MAX_THREATS];
    NnueRows rows;
    int16_t *sums = accumulator_of(stack, index, us);
    rows.puts = rows.takes = rows.ends = 0;
    rows.begins =
        threat_rows(stack, us, view.turn, list, nnue_threats_list(board, list), rows.begun);
    stack->kernels->carry(sums, sums, &rows, stack->net->info.hidden);
}

// Brings the cached accumulator of this view to the board at an entry and copies it there.
static void refresh(NnueStack *stack, const Position *pos, int index, Color us, NnueView view)
{
    const Net *net = stack->net;
    const int turn = (view.turn & 7) != 0;
    CacheEntry *e = &stack->cache[(us * CACHE_TURNS + turn) * net->info.king_buckets + view.bucket];
    const int16_t *add[MAX_MEN], *sub[MAX_MEN];
    int adds = 0, subs = 0;
    NnueBoard board;
    board_at(&board, stack, pos, index);
    for (Piece p = 0; p < PIECE_COUNT; p++) {
        Bitboard now = board.by_color[piece_color(p)] & board.by_type[piece_type(p)];
        Bitboard put = now & ~e->men[p], taken = e->men[p] & ~now;
        while (put)
            add[adds++] = row_of(net, view, us, p, bit_pop(&put));
        while (taken)
            sub[subs++] = row_of(net, view, us, p, bit_pop(&taken));
        e->men[p] = now;
    }
    if (adds || subs)
        stack->kernels->update(e->accumulator, e->accumulator, add, adds, sub, subs,
                               net->info.hidden);
    memcpy(accumulator_of(stack, index, us), e->accumulator, net->info.hidden * sizeof(int16_t));
    if (net->threat)
        add_threats(stack, &board, index, us, view);
    stack->entries[index].is_fresh[us] = true;
}

// The rows that the move of an entry changes, where threats are inputs.
static void rows_of_move(NnueStack *stack, int index, Color us, NnueView view, NnueRows *rows)
{
    Entry *e = &stack->entries[index];
    Sight *sight = &stack->sights[index];
    const NnueChanges *c = &sight->changes;
    if (!e->has_changes) {
        stack->kernels->find(&sight->changes, &sight->before, e->move, &stack->numbers->rays);
        e->has_changes = true;
    }
    rows->puts = e->puts;
    rows->takes = e->takes;
    for (int i = 0; i < e->puts; i++)
        rows->put[i] = row_of(stack->net, view, us, e->put[i].piece, e->put[i].square);
    for (int i = 0; i < e->takes; i++)
        rows->taken[i] = row_of(stack->net, view, us, e->taken[i].piece, e->taken[i].square);
    rows->begins = threat_rows(stack, us, view.turn, c->begun, c->begins, rows->begun);
    for (int i = 0; i < rows->begins; i++) // the others were used not long ago
        for (int at = 0; at < stack->net->info.hidden; at += 64)
            __builtin_prefetch(rows->begun[i] + at);
    rows->ends = threat_rows(stack, us, view.turn, c->ended, c->ends, rows->ended);
}

// Applies these rows to the entry before.
static void carry(NnueStack *stack, int index, Color us, const NnueRows *rows)
{
    stack->kernels->carry(accumulator_of(stack, index, us), accumulator_of(stack, index - 1, us),
                          rows, stack->net->info.hidden);
    stack->entries[index].is_fresh[us] = true;
}

// Carries an up-to-date entry one move forward.
static void step_forward(NnueStack *stack, int index, Color us, NnueView view)
{
    const Entry *e = &stack->entries[index];
    if (stack->sights && e->puts) {
        NnueRows rows;
        rows_of_move(stack, index, us, view, &rows);
        carry(stack, index, us, &rows);
        return;
    }
    const int16_t *add[MAX_CHANGED], *sub[MAX_CHANGED];
    const int16_t *in = accumulator_of(stack, index - 1, us);
    int16_t *out = accumulator_of(stack, index, us);
    for (int i = 0; i < e->puts; i++)
        add[i] = row_of(stack->net, view, us, e->put[i].piece, e->put[i].square);
    for (int i = 0; i < e->takes; i++)
        sub[i] = row_of(stack->net, view, us, e->taken[i].piece, e->taken[i].square);
    if (e->puts)
        stack->kernels->update(out, in, add, e->puts, sub, e->takes, stack->net->info.hidden);
    else
        memcpy(out, in, stack->net->info.hidden * sizeof(int16_t));
}

// Brings a perspective up to the entry `goal`, the top or the one before it, and the top itself if
// its own move needs a refresh.
static void bring_up_to_date(NnueStack *stack, const Position *pos, Color us, NnueView view,
                             int goal)
{
    int from = stack->top;
    while (!stack->entries[from].is_fresh[us] && !stack->entries[from].needs_view[us])
        from--;
    if (!stack->entries[from].is_fresh[us])
        refresh(stack, pos, from, us, view);
    while (from < goal) {
        step_forward(stack, ++from, us, view);
        stack->entries[from].is_fresh[us] = true;
    }
}

// Both perspectives, the last move of both together: while one is computed, memory sends the rows
// of the other.
static void bring_both_up_to_date(NnueStack *stack, const Position *pos)
{
    const int top = stack->top;
    const bool is_shared = stack->sights && stack->entries[top].puts;
    const bool *is_fresh = stack->entries[top].is_fresh;
    NnueRows rows[2];
    bool is_left[2] = {false, false};
    for (Color us = WHITE; us <= BLACK; us++) {
        if (is_fresh[us])
            continue;
        const Square king = position_has_king(pos, us) ? position_king(pos, us) : -1;
        const NnueView view = view_of(stack->net, us, king);
        bring_up_to_date(stack, pos, us, view, is_shared ? top - 1 : top);
        is_left[us] = !is_fresh[us];
        if (is_left[us])
            rows_of_move(stack, top, us, view, &rows[us]);
    }
    for (Color us = WHITE; us <= BLACK; us++)
        if (is_left[us])
            carry(stack, top, us, &rows[us]);
}

int nnue_bucket(const Net *net, const Position *pos)
{
    return nnue_output_bucket(bit_count(position_occupied(pos)), net->info.men_per_bucket);
}

static int finish(const Net *net, int32_t sum, int bucket)
{
    int32_t output = (int32_t)((uint32_t)sum + (uint32_t)net->output_bias[bucket]);
    return nnue_centipawns(output, net->info.multiplier);
}

int nnue_evaluate(NnueStack *stack, const Position *pos)
{
    const Net *net = stack->net;
    bring_both_up_to_date(stack, pos);
    const int bucket = nnue_bucket(net, pos);
    const int16_t *own = accumulator_of(stack, stack->top, pos->side),
                  *other = accumulator_of(stack, stack->top, !pos->side);
    if (net->layers)
        return nnue_centipawns(
            stack->kernels->layers(own, other, &stack->layers[bucket], net->info.hidden),
            net->info.multiplier);
    int32_t sum = stack->kernels->output(
        own, other, net->output + (size_t)bucket * 2 * net->info.hidden, net->info.hidden);
    return finish(net, sum, bucket);
}

static int clip(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

// The output of the layers for clipped accumulators of both halves: nnue_features.h, word for word.
static int32_t layers_once(const NetLayers *l, int hidden, int bucket,
                           int16_t clipped[2][NNUE_MAX_HIDDEN])
{
    int h[2 * NNUE_L1];
    for (int k = 0; k < NNUE_L1; k++) {
        const int8_t *weights = l->first + ((size_t)bucket * NNUE_L1 + (size_t)k) * (size_t)hidden;
        int z = l->first_bias[bucket][k];
        for (int i = 0; i < hidden; i++) {
            const int16_t *half = clipped[i >= hidden / 2] + i % (hidden / 2);
            z += (half[0] * half[hidden / 2] >> NNUE_PRODUCT_SHIFT) * weights[i];
        }
        h[k] = clip(z, 0, NNUE_ONE);
        h[NNUE_L1 + k] = clip(z, -NNUE_ONE, NNUE_ONE);
        h[NNUE_L1 + k] = h[NNUE_L1 + k] * h[NNUE_L1 + k] >> NNUE_SQUARE_SHIFT;
    }
    int32_t output = l->third_bias[bucket];
    for (int k = 0; k < NNUE_L2; k++) {
        int32_t y = l->second_bias[bucket][k];
        for (int i = 0; i < 2 * NNUE_L1; i++)
            y += h[i] * l->second[bucket][k][i];
        output += clip(y >> NNUE_Q2_SHIFT, 0, NNUE_ONE) * l->third[bucket][k];
    }
    return output;
}

// Adds the rows of all threats on the board to sums modulo 2^16, slowly: pair by pair.
static void add_threats_once(const Net *net, const Position *pos, Color us, int turn,
                             uint16_t *sums)
{
    const NnueThreatTables *t = net->threat_tables;
    const Bitboard occupied = position_occupied(pos), men = occupied & ~pos->by_type[KING];
    for (Bitboard attackers = men; attackers;) {
        const Square from = bit_pop(&attackers);
        const Piece a = pos->board[from];
        const int kind = nnue_reach_kind(piece_color(a) != WHITE, piece_type(a));
        for (Bitboard attacked = men & t->reach[kind][from]; attacked;) {
            const Square to = bit_pop(&attacked);
            const Piece b = pos->board[to];
            const int row = BETWEEN[from][to] & occupied
                                ? -1
                                : nnue_threat(t, turn, us, piece_color(a), piece_type(a), from,
                                              piece_color(b), piece_type(b), to);
            for (int i = 0; row >= 0 && i < net->info.hidden; i++)
                sums[i] += (uint16_t)net->threat[(size_t)row * net->info.hidden + (size_t)i];
        }
    }
}

// A perspective's accumulators, clipped to 0..NNUE_QA, from nothing.
static void clipped_once(const Net *net, const Position *pos, Color us, int16_t *clipped)
{
    const int hidden = net->info.hidden;
    const NnueView view =
        view_of(net, us, position_has_king(pos, us) ? position_king(pos, us) : -1);
    uint16_t sums[NNUE_MAX_HIDDEN];
    for (int i = 0; i < hidden; i++)
        sums[i] = (uint16_t)net->bias[i];
    for (Bitboard men = position_occupied(pos); men;) {
        const Square s = bit_pop(&men);
        const int16_t *row = row_of(net, view, us, pos->board[s], s);
        for (int i = 0; i < hidden; i++)
            sums[i] += (uint16_t)row[i];
    }
    if (net->threat)
        add_threats_once(net, pos, us, view.turn, sums);
    for (int i = 0; i < hidden; i++) {
        const int16_t x = (int16_t)sums[i];
        clipped[i] = x < 0 ? 0 : x > NNUE_QA ? NNUE_QA : x;
    }
}

int nnue_evaluate_in(const Net *net, const Position *pos, int bucket)
{
    const int hidden = net->info.hidden;
    int16_t clipped[2][NNUE_MAX_HIDDEN];
    clipped_once(net, pos, pos->side, clipped[0]);
    clipped_once(net, pos, !pos->side, clipped[1]);
    if (net->layers)
        return nnue_centipawns(layers_once(net->layers, hidden, bucket, clipped),
                               net->info.multiplier);
    uint32_t sum = 0;
    for (int half = 0; half < 2; half++) {
        const int16_t *weights = net->output + ((size_t)bucket * 2 + (size_t)half) * (size_t)hidden;
        for (int i = 0; i < hidden; i++)
            sum += (uint32_t)(clipped[half][i] * clipped[half][i] * weights[i]);
    }
    return finish(net, (int32_t)sum, bucket);
}

int nnue_evaluate_once(const Net *net, const Position *pos)
{
    return nnue_evaluate_in(net, pos, nnue_bucket(net, pos));
}
