// See d.h. Read `alpha_beta` first: its steps are numbered, and each can be switched off.
#include "lab/agents/d.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/game.h"
#include "core/movegen.h"
#include "engine/score.h"
#include "lab/agents/d_evaluate.h"

enum { PLY_MAX = 100 };

// ---- The table ----

typedef enum EntryKind { ENTRY_NONE, ENTRY_EXACT, ENTRY_AT_LEAST, ENTRY_AT_MOST } EntryKind;

typedef struct Entry {
    Key key;
    Move move;
    int16_t score;
    int8_t depth;
    uint8_t kind;
} Entry;

struct D {
    DSettings settings;
    Entry *entries; // a power of two of them
    uint64_t entry_count;

    // One search.
    Effort effort;
    Move good[PLY_MAX + 1][2]; // history moves: the last two that cut at this ply
    Move pv[PLY_MAX + 1][PLY_MAX + 1];
    int pv_count[PLY_MAX + 1];
    Move last_pv[PLY_MAX + 1]; // of the pass before
    int last_pv_count;
};

static Entry *entry_of(const D *d, const Position *pos)
{
    return &d->entries[pos->state.key & (d->entry_count - 1)];
}

// A mate is stored as seen from its position, not from the root.
static int shift_mate(int score, int plies)
{
    return score >= SCORE_MATE_LIMIT    ? score + plies
           : score <= -SCORE_MATE_LIMIT ? score - plies
                                        : score;
}

static bool probe(const D *d, const Position *pos, int depth, int ply, int alpha, int beta,
                  int *score)
{
    const Entry *entry = entry_of(d, pos);
    if (!d->settings.table || entry->key != pos->state.key || entry->depth < depth)
        return false;
    *score = shift_mate(entry->score, -ply);
    if (entry->kind == ENTRY_AT_LEAST && *score >= beta)
        *score = beta;
    else if (entry->kind == ENTRY_AT_MOST && *score <= alpha)
        *score = alpha;
    else if (entry->kind == ENTRY_EXACT)
        *score = clamp_int(*score, alpha, beta);
    else
        return false;
    return true;
}

// What was searched deeper stays, unless it is the same position.
static void store(D *d, const Position *pos, int depth, int ply, int score, EntryKind kind,
                  Move move)
{
    Entry *entry = entry_of(d, pos);
    if (!d->settings.table || d->effort.is_over ||
        (entry->key != pos->state.key && entry->depth > depth))
        return;
    *entry = (Entry){pos->state.key, move, (int16_t)shift_mate(score, ply), (int8_t)depth,
                     (uint8_t)kind};
}

// ---- Move ordering ----
// Three classes come early: the best move of the pass before, history moves, captures by MVV-LVA.
// Only these are sorted; for the rest sorting would cost more than it gains.

enum { ORDER_BEST = 3000, ORDER_HISTORY = 2000, ORDER_CAPTURE = 100 };

static bool is_history(const D *d, const Position *pos, Move move, int ply)
{
    if (!d->settings.history)
        return false;
    if (d->settings.table) {
        const Entry *entry = entry_of(d, pos);
        return entry->key == pos->state.key && entry->move == move;
    }
    return move == d->good[ply][0] || move == d->good[ply][1];
}

// 0 for the moves that stay where they are.
static int order_of(const D *d, const Position *pos, Move move, Move best, int ply)
{
    if (move == best)
        return ORDER_BEST;
    if (is_history(d, pos, move, ply))
        return ORDER_HISTORY;
    if (!d->settings.mvv_lva || !(move_is_capture(move) || move_is_promotion(move)))
        return 0;
    const Piece captured = position_captured(pos, move);
    const int victim = captured == NO_PIECE ? 0 : piece_type(captured) + 1;
    const int gain = move_is_promotion(move) ? move_promotion(move) : 0;
    return ORDER_CAPTURE + 10 * (victim + gain) + KING - piece_type(pos->board[move_from(move)]);
}

// Insertion sort, dearest first; equal ones keep their order.
static void sort(Move *moves, int *orders, int count)
{
    for (int i = 1; i < count; i++) {
        const Move move = moves[i];
        const int order = orders[i];
        int k = i;
        for (; k > 0 && orders[k - 1] < order; k--) {
            moves[k] = moves[k - 1];
            orders[k] = orders[k - 1];
        }
        moves[k] = move;
        orders[k] = order;
    }
}

// Brings the moves with an order to the front, and returns how many there are.
static int gather(Move *moves, int *orders, int count)
{
    Move rest[MAX_MOVES];
    int early = 0, late = 0;
    for (int i = 0; i < count; i++) {
        if (orders[i]) {
            orders[early] = orders[i];
            moves[early++] = moves[i];
        } else {
            rest[late++] = moves[i];
        }
    }
    memcpy(moves + early, rest, (size_t)late * sizeof *moves);
    return early;
}

static int generate(D *d, const Position *pos, MoveStage stage, Move best, int ply, Move *moves)
{
    int orders[MAX_MOVES];
    const int count =
        d->settings.pseudo ? movegen_pseudo(pos, stage, moves) : movegen_legal(pos, stage, moves);
    d->effort.report->generated += (uint64_t)count;
    for (int i = 0; i < count; i++)
        orders[i] = order_of(d, pos, moves[i], best, ply);
    sort(moves, orders, d->settings.window ? gather(moves, orders, count) : count);
    return count;
}

static bool is_playable(const D *d, const Position *pos, Move move)
{
    return !d->settings.pseudo || move_is_legal(pos, move);
}

static void remember_good(D *d, Move move, int ply)
{
    if (d->good[ply][0] == move)
        return;
    d->good[ply][1] = d->good[ply][0];
    d->good[ply][0] = move;
}

static void extend_pv(D *d, Move move, int ply)
{
    const int tail = d->pv_count[ply + 1];
    d->pv[ply][0] = move;
    memcpy(&d->pv[ply][1], d->pv[ply + 1], (size_t)tail * sizeof(Move));
    d->pv_count[ply] = tail + 1;
}

// ---- The search ----

// A node on its way: `may_pass` forbids two passes in a row, `on_pv` is true while all moves up to
// here were those of the best line of the pass before.
typedef struct Node {
    int depth, ply, alpha, beta;
    bool may_pass, on_pv;
} Node;

static int alpha_beta(D *d, Position *pos, Node node);

// Captures until the position is quiet; fail-hard. In check, which captures cannot judge, one more
// depth of the full search: so the check extension is joined with it.
static int quiesce(D *d, Position *pos, int ply, int alpha, int beta)
{
    if (d->settings.check_extension && position_in_check(pos) && ply < PLY_MAX)
        return alpha_beta(d, pos, (Node){1, ply, alpha, beta, false, false});
    d->effort.report->quiet_nodes++;
    d->pv_count[ply] = 0;
    if (effort_enter(&d->effort, ply))
        return alpha;
    d->effort.report->leaves++;
    const int standing = d_evaluate(pos, d->settings.positional);
    if (standing >= beta)
        return beta;
    alpha = max_int(alpha, standing);
    if (ply == PLY_MAX)
        return alpha;
    Move moves[MAX_MOVES];
    const int count = generate(d, pos, STAGE_NOISY, MOVE_NONE, ply, moves);
    for (int i = 0, tried = 0; i < count && !d->effort.is_over; i++) {
        if (!move_is_capture(moves[i]) || !is_playable(d, pos, moves[i]))
            continue;
        Undo undo;
        tried++;
        position_make(pos, moves[i], &undo);
        const int score = -quiesce(d, pos, ply + 1, -beta, -alpha);
        position_unmake(pos, moves[i], &undo);
        if (score >= beta) {
            effort_cut(&d->effort, tried);
            return beta;
        }
        alpha = max_int(alpha, score);
    }
    return alpha;
}

// The end of the depth.
static int leaf(D *d, Position *pos, const Node *node)
{
    if (d->settings.quiescence && pos->rules->can_quiesce)
        return quiesce(d, pos, node->ply, node->alpha, node->beta);
    effort_enter(&d->effort, node->ply);
    d->effort.report->leaves++;
    d->pv_count[node->ply] = 0;
    return clamp_int(d_evaluate(pos, d->settings.positional), node->alpha, node->beta);
}

// If even passing, with less depth, is too good, the position need not be searched. Not in check,
// not twice in a row, and not without a piece, where every move may harm (zugzwang).
static bool is_pass_too_good(D *d, Position *pos, const Node *node)
{
    const Bitboard pieces = pos->by_color[pos->side] & ~pos->by_type[PAWN] & ~pos->by_type[KING];
    if (!d->settings.null_move || !node->may_pass || node->ply == 0 || position_in_check(pos) ||
        !pieces || !pos->rules->can_null_move[pos->side])
        return false;
    Undo undo;
    position_make_null(pos, &undo);
    const Node after = {
        max_int(0, node->depth - 4), node->ply + 1, -node->beta, 1 - node->beta, false, false};
    const int score = -alpha_beta(d, pos, after);
    position_unmake_null(pos, &undo);
    return score >= node->beta && !d->effort.is_over;
}

// The value of the position after a move. Once a move of the principal variation is known the
// others have only to be proved worse: a window of width one is enough (PVS), unless they are not.
static int value_of(D *d, Position *pos, const Node *node, bool has_pv, bool on_pv)
{
    Node after = {node->depth - 1, node->ply + 1, -node->beta, -node->alpha, true, on_pv};
    if (d->settings.pvs && has_pv) {
        after.alpha = -node->alpha - 1;
        const int score = -alpha_beta(d, pos, after);
        if (score <= node->alpha || score >= node->beta)
            return score;
        after.alpha = -node->beta;
    }
    return -alpha_beta(d, pos, after);
}

// No move was possible: mate, stalemate, or what the variant makes of it.
static int final_value(D *d, const Position *pos, const Node *node, int alpha)
{
    const int score = agent_final_score(pos, position_outcome(pos).result, node->ply);
    d->effort.report->leaves++;
    return clamp_int(score, alpha, node->beta);
}

static int search_moves(D *d, Position *pos, Node node)
{
    const Move previous =
        node.on_pv && node.ply < d->last_pv_count ? d->last_pv[node.ply] : MOVE_NONE;
    Move moves[MAX_MOVES], best = MOVE_NONE;
    const int count = generate(d, pos, STAGE_ALL, previous, node.ply, moves);
    int tried = 0;
    for (int i = 0; i < count && !d->effort.is_over; i++) {
        if (!is_playable(d, pos, moves[i]))
            continue;
        Undo undo;
        tried++;
        position_make(pos, moves[i], &undo);
        const int score = value_of(d, pos, &node, best != MOVE_NONE, moves[i] == previous);
        position_unmake(pos, moves[i], &undo);
        if (d->effort.is_over)
            break;
        if (score >= node.beta) { // a Cut node
            effort_cut(&d->effort, tried);
            remember_good(d, moves[i], node.ply);
            store(d, pos, node.depth, node.ply, node.beta, ENTRY_AT_LEAST, moves[i]);
            return node.beta;
        }
        if (score > node.alpha) { // a PV node
            node.alpha = score;
            best = moves[i];
            extend_pv(d, best, node.ply);
        }
    }
    if (tried == 0)
        return final_value(d, pos, &node, node.alpha);
    // Without a best move all were worse: an All node.
    store(d, pos, node.depth, node.ply, node.alpha, best ? ENTRY_EXACT : ENTRY_AT_MOST, best);
    return node.alpha;
}

// Fail-hard: the answer is never outside the window.
static int alpha_beta(D *d, Position *pos, Node node)
{
    int score;
    // 1. Check extension (joined with quiescence where there is one).
    if (d->settings.check_extension && !d->settings.quiescence && position_in_check(pos))
        node.depth++;
    // 2. The end of the depth.
    if (node.depth <= 0 || node.ply >= PLY_MAX)
        return leaf(d, pos, &node);
    d->pv_count[node.ply] = 0;
    if (effort_enter(&d->effort, node.ply))
        return node.alpha;
    // 3. The table may know the answer.
    if (node.ply > 0 && probe(d, pos, node.depth, node.ply, node.alpha, node.beta, &score)) {
        d->effort.report->table_hits++;
        return score;
    }
    // 4. Null move.
    if (is_pass_too_good(d, pos, &node)) {
        d->effort.report->cutoffs++;
        return node.beta;
    }
    // 5. All moves, with PVS.
    return search_moves(d, pos, node);
}

// ---- The root ----

static void keep_line(D *d, int depth, int score)
{
    AgentReport *report = d->effort.report;
    d->last_pv_count = d->pv_count[0];
    memcpy(d->last_pv, d->pv[0], sizeof d->last_pv);
    report->pv_count = min_int(d->last_pv_count, AGENT_PV_MAX);
    memcpy(report->pv, d->last_pv, (size_t)report->pv_count * sizeof *report->pv);
    report->move = report->pv[0];
    report->score = score;
    report->depth = depth;
}

void d_search(D *d, const AgentTask *task, AgentReport *report)
{
    Position pos = *task->pos;
    const int first = d->settings.deepening ? 1 : task->depth;
    d->effort = effort_begin(task, report);
    memset(d->good, 0, sizeof d->good);
    d->last_pv_count = 0;
    for (int depth = first; depth <= task->depth; depth++) {
        if (depth > first && !effort_may_deepen(&d->effort))
            break;
        const Node root = {depth, 0, -SCORE_INFINITE, SCORE_INFINITE, false, true};
        const int score = alpha_beta(d, &pos, root);
        if (d->pv_count[0] && (!d->effort.is_over || depth == first))
            keep_line(d, d->effort.is_over ? 0 : depth, score);
        report->is_done = depth == task->depth && !d->effort.is_over;
    }
}

// ---- Settings ----

int d_depth(int level)
{
    static const int DEPTHS[] = {3, 5, 7};
    return DEPTHS[level];
}

DSettings d_settings(void)
{
    return (DSettings){.level = D_MEDIUM,
                       .hash_mb = 16,
                       .check_extension = 1,
                       .quiescence = 1,
                       .null_move = 1,
                       .pvs = 1,
                       .table = 1,
                       .deepening = 1,
                       .history = 1,
                       .mvv_lva = 1,
                       .window = 1,
                       .pseudo = 1,
                       .positional = 1};
}

const char *const D_ROW_NAMES[D_ROWS] = {"Alpha-Beta", "Quiescence", "Null-move", "PV-search",
                                         "Transposition"};

DSettings d_row_settings(int row)
{
    DSettings settings = d_settings();
    settings.check_extension = settings.quiescence = row >= 1;
    settings.null_move = row >= 2;
    settings.pvs = row >= 3;
    settings.table = settings.deepening = row >= 4;
    return settings;
}

D *d_new(const DSettings *settings, Error *error)
{
    D *d = calloc(1, sizeof *d);
    if (!d)
        return error_set(error, "out of memory"), NULL;
    d->settings = *settings;
    d->entry_count = 1;
    while (d->entry_count * 2 * sizeof(Entry) <= (uint64_t)settings->hash_mb << 20)
        d->entry_count *= 2;
    d->entries = calloc(d->entry_count, sizeof *d->entries);
    if (d->entries)
        return d;
    free(d);
    error_set(error, "out of memory");
    return NULL;
}

void d_free(D *d)
{
    if (d)
        free(d->entries);
    free(d);
}

void d_forget(D *d)
{
    memset(d->entries, 0, d->entry_count * sizeof *d->entries);
}

// ---- As a player ----

static bool read_settings(const PlayerSpec *spec, DSettings *settings, Error *error)
{
    static const char *const WORDS[] = {"easy", "medium", "hard", NULL};
    *settings = d_settings();
    const AgentOption options[] = {agent_level("level", &settings->level, WORDS),
                                   agent_number("hash", &settings->hash_mb, 1, 64),
                                   agent_switch("check", &settings->check_extension),
                                   agent_switch("quiescence", &settings->quiescence),
                                   agent_switch("null", &settings->null_move),
                                   agent_switch("pvs", &settings->pvs),
                                   agent_switch("table", &settings->table),
                                   agent_switch("deepening", &settings->deepening),
                                   agent_switch("history", &settings->history),
                                   agent_switch("mvvlva", &settings->mvv_lva),
                                   agent_switch("window", &settings->window),
                                   agent_switch("pseudo", &settings->pseudo),
                                   agent_switch("positional", &settings->positional)};
    return agent_read_options(spec, options, sizeof options / sizeof *options, error);
}

bool d_check(const PlayerSpec *spec, Error *error)
{
    DSettings settings;
    return read_settings(spec, &settings, error);
}

static void *open_memory(const PlayerSpec *spec, Error *error)
{
    DSettings settings;
    return read_settings(spec, &settings, error) ? d_new(&settings, error) : NULL;
}

static void close_memory(void *memory)
{
    d_free(memory);
}

static void forget(void *memory)
{
    d_forget(memory);
}

static void search(void *memory, const AgentTask *task, AgentReport *report)
{
    d_search(memory, task, report);
}

static int depth_of(const void *memory)
{
    return d_depth(((const D *)memory)->settings.level);
}

Player *d_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    // By `deepening`: without it a clock makes it begin anew for each depth.
    static const AgentClass CLASSES[2] = {{.depth_max = 32,
                                           .open = open_memory,
                                           .close = close_memory,
                                           .new_game = forget,
                                           .search = search,
                                           .depth_of = depth_of},
                                          {.depth_max = 32,
                                           .deepens = true,
                                           .open = open_memory,
                                           .close = close_memory,
                                           .new_game = forget,
                                           .search = search,
                                           .depth_of = depth_of}};
    DSettings settings;
    (void)engine;
    if (!read_settings(spec, &settings, error))
        return NULL;
    return agent_player_new(&CLASSES[settings.deepening], spec, error);
}
