// See g.h. g_search deepens, `negamax` is the search, `quiesce` its end; move ordering and the
// transposition table come first.
#include "lab/agents/g.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/fen.h"
#include "engine/score.h"
#include "lab/agents/g_board.h"
#include "lab/agents/g_evaluate.h"

enum { PLY_MAX = 64, PATH_MAX_MOVES = 1024 };

// ---- The transposition table ----
// The same position comes about by many orders of moves. What is known of it is kept under its key:
// how deep it was searched, and whether the score is exact or, after a cut, only a bound.

typedef enum EntryKind { ENTRY_NONE, ENTRY_EXACT, ENTRY_AT_LEAST, ENTRY_AT_MOST } EntryKind;

typedef struct Entry {
    uint64_t key;
    GMove move;
    int16_t score;
    int8_t depth;
    uint8_t kind;
} Entry;

struct G {
    GSettings settings;
    GTables *tables;
    Entry *entries; // a power of two of them
    uint64_t entry_count;

    // One search.
    Effort effort;
    GMove killers[2][PLY_MAX + 1];      // quiet moves that cut at this distance from the root
    GMove pv[PLY_MAX + 1][PLY_MAX + 1]; // the best line from each ply on
    int pv_count[PLY_MAX + 1];
    GMove last_pv[PLY_MAX + 1]; // that of the depth before
    int last_pv_count;
    uint64_t path[PATH_MAX_MOVES]; // keys of the game and of the line looked at
    int path_count;
};

// A mate is stored as seen from its position, not from the root.
static int score_to_table(int score, int ply)
{
    return score >= SCORE_MATE_LIMIT    ? score + ply
           : score <= -SCORE_MATE_LIMIT ? score - ply
                                        : score;
}
static int score_from_table(int score, int ply)
{
    return score >= SCORE_MATE_LIMIT    ? score - ply
           : score <= -SCORE_MATE_LIMIT ? score + ply
                                        : score;
}

static Entry *entry_of(const G *g, const GBoard *board)
{
    return &g->entries[board->key & (g->entry_count - 1)];
}

// Does the table answer for this depth and window?
static bool probe(const G *g, const GBoard *board, int depth, int ply, int alpha, int beta,
                  int *score)
{
    const Entry *entry = entry_of(g, board);
    if (!g->settings.table || entry->key != board->key || entry->kind == ENTRY_NONE ||
        entry->depth < depth)
        return false;
    *score = score_from_table(entry->score, ply);
    return entry->kind == ENTRY_EXACT || (entry->kind == ENTRY_AT_LEAST && *score >= beta) ||
           (entry->kind == ENTRY_AT_MOST && *score <= alpha);
}

static void store(G *g, const GBoard *board, int depth, int ply, int score, EntryKind kind,
                  GMove move)
{
    if (g->settings.table && !g->effort.is_over)
        *entry_of(g, board) = (Entry){board->key, move, (int16_t)score_to_table(score, ply),
                                      (int8_t)depth, (uint8_t)kind};
}

// ---- Move ordering ----
// The earlier the best move is tried, the more is cut: the move of the last principal variation,
// then captures (most valuable victim, least valuable attacker), then two killers, then the rest.

enum { ORDER_PV = 30000, ORDER_CAPTURE = 20000, ORDER_KILLER = 10000 };

static int victim_kind(const GBoard *board, GMove move)
{
    const uint64_t *enemy = &board->men[!board->side * G_BLACK];
    for (int kind = G_PAWN; kind <= G_KING; kind++)
        if (enemy[kind] >> g_target(move) & 1)
            return kind;
    return G_PAWN; // en passant
}

static int order_of(const G *g, const GBoard *board, GMove move, GMove first, int ply)
{
    if (move == first)
        return ORDER_PV;
    if (g_has(move, G_CAPTURE)) {
        const int attacker = g_man(move) % G_BLACK;
        return ORDER_CAPTURE +
               (g->settings.mvv_lva ? 10 * victim_kind(board, move) + G_KING - attacker : 0);
    }
    for (int k = 0; k < 2 && g->settings.killers; k++)
        if (move == g->killers[k][ply])
            return ORDER_KILLER - k;
    return 0;
}

typedef struct Moves {
    GMove move[G_MOVES_MAX];
    int order[G_MOVES_MAX];
    int count, next;
} Moves;

static void generate(G *g, const GBoard *board, bool only_captures, GMove first, int ply,
                     Moves *moves)
{
    moves->count = g_moves(g->tables, board, only_captures, moves->move);
    moves->next = 0;
    g->effort.report->generated += (uint64_t)moves->count;
    for (int i = 0; i < moves->count; i++)
        moves->order[i] = order_of(g, board, moves->move[i], first, ply);
}

// The best of those that are left; a full sort would be wasted where the first move cuts.
static GMove next_move(Moves *moves)
{
    int best = moves->next;
    for (int i = moves->next + 1; i < moves->count; i++)
        if (moves->order[i] > moves->order[best])
            best = i;
    const GMove move = moves->move[best];
    for (int i = best; i > moves->next; i--) { // the others keep their order
        moves->move[i] = moves->move[i - 1];
        moves->order[i] = moves->order[i - 1];
    }
    moves->next++;
    return move;
}

static void remember_killer(G *g, GMove move, int ply)
{
    if (g_has(move, G_CAPTURE) || g->killers[0][ply] == move)
        return;
    g->killers[1][ply] = g->killers[0][ply];
    g->killers[0][ply] = move;
}

// ---- The principal variation ----

// The best line from here is this move and the best line behind it.
static void extend_pv(G *g, GMove move, int ply)
{
    const int tail = g->pv_count[ply + 1];
    g->pv[ply][0] = move;
    memcpy(&g->pv[ply][1], g->pv[ply + 1], (size_t)tail * sizeof(GMove));
    g->pv_count[ply] = tail + 1;
}

// ---- Quiescence ----
// An evaluation in the middle of an exchange is worth nothing, so captures are played out first.
// The side to move need not capture: the evaluation itself ('standing pat') is the least it has.

static int quiesce(G *g, const GBoard *board, int ply, int alpha, int beta)
{
    g->effort.report->quiet_nodes++;
    g->pv_count[ply] = 0;
    if (effort_enter(&g->effort, ply))
        return 0;
    g->effort.report->leaves++;
    int best = g_evaluate(board);
    if (best >= beta || ply == PLY_MAX)
        return best;
    alpha = max_int(alpha, best);
    Moves moves;
    generate(g, board, true, 0, ply, &moves);
    for (int tried = 0; moves.next < moves.count && !g->effort.is_over;) {
        GBoard after = *board;
        if (!g_make(g->tables, &after, next_move(&moves)))
            continue;
        tried++;
        best = max_int(best, -quiesce(g, &after, ply + 1, -beta, -alpha));
        if (best >= beta) {
            effort_cut(&g->effort, tried);
            break;
        }
        alpha = max_int(alpha, best);
    }
    return best;
}

// ---- Negamax ----

static bool is_repetition(const G *g, const GBoard *board)
{
    for (int i = g->path_count - 2; i >= 0 && i >= g->path_count - board->fifty; i--)
        if (g->path[i] == board->key)
            return true;
    return false;
}

static int negamax(G *g, const GBoard *board, int depth, int ply, int alpha, int beta, bool on_pv);

// Not in the document. If passing is already too good, so is the best move; sure enough of it to
// look two half-moves less deep. Not in check, and not with pawns alone, where having to move
// hurts.
static bool is_pass_too_good(G *g, const GBoard *board, int depth, int ply, int beta)
{
    const uint64_t *own = &board->men[board->side * G_BLACK];
    if (!g->settings.null_move || depth < 3 || ply == 0 ||
        !(own[G_KNIGHT] | own[G_BISHOP] | own[G_ROOK] | own[G_QUEEN]))
        return false;
    GBoard after = *board;
    after.side = !after.side;
    after.key ^= g->tables->key_of_black;
    after.passed = G_NO_SQUARE;
    after.fifty = 0; // nothing before a pass is a repetition
    return -negamax(g, &after, depth - 3, ply + 1, -beta, -beta + 1, false) >= beta;
}

// The value of a move that has been made. Late quiet moves may be looked at with less depth first
// (not in the document).
static int value_of(G *g, const GBoard *after, int depth, int ply, int alpha, int beta, bool on_pv,
                    bool is_late)
{
    if (is_late && g->settings.reductions &&
        -negamax(g, after, depth - 2, ply + 1, -alpha - 1, -alpha, false) <= alpha)
        return alpha;
    return -negamax(g, after, depth - 1, ply + 1, -beta, -alpha, on_pv);
}

static GMove first_guess(const G *g, const GBoard *board, int ply, bool on_pv)
{
    if (g->settings.pv && on_pv && ply < g->last_pv_count)
        return g->last_pv[ply];
    const Entry *entry = entry_of(g, board);
    return g->settings.hash_move && g->settings.table && entry->key == board->key ? entry->move : 0;
}

// The moves of a position in turn. `on_pv`: all moves up to here were those of the last principal
// variation. Returns the best value, or a bound outside the window (fail-soft).
static int search_moves(G *g, const GBoard *board, int depth, int ply, int alpha, int beta,
                        bool on_pv, bool is_check)
{
    const GMove first = first_guess(g, board, ply, on_pv);
    const int alpha_before = alpha;
    int best = -SCORE_INFINITE, tried = 0;
    GMove best_move = 0;
    Moves moves;
    generate(g, board, false, first, ply, &moves);
    while (moves.next < moves.count && !g->effort.is_over) {
        const GMove move = next_move(&moves);
        GBoard after = *board;
        if (!g_make(g->tables, &after, move))
            continue;
        tried++;
        const bool is_late = tried > 4 && depth >= 3 && !is_check && !g_has(move, G_CAPTURE) &&
                             !g_promoted(move) && !g_in_check(g->tables, &after, after.side);
        const int score =
            value_of(g, &after, depth, ply, alpha, beta, on_pv && move == first, is_late);
        if (g->effort.is_over)
            break;
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (score >= beta) {
            effort_cut(&g->effort, tried);
            remember_killer(g, move, ply);
            break;
        }
        if (score > alpha) {
            alpha = score;
            extend_pv(g, move, ply);
        }
    }
    if (tried == 0)
        return is_check ? score_mated_in(ply) : SCORE_DRAW;
    const EntryKind kind = best >= beta          ? ENTRY_AT_LEAST
                           : best > alpha_before ? ENTRY_EXACT
                                                 : ENTRY_AT_MOST;
    store(g, board, depth, ply, best, kind, best_move);
    return best;
}

static int negamax(G *g, const GBoard *board, int depth, int ply, int alpha, int beta, bool on_pv)
{
    int score;
    g->pv_count[ply] = 0;
    if (depth <= 0 && g->settings.quiescence)
        return quiesce(g, board, ply, alpha, beta);
    if (effort_enter(&g->effort, ply))
        return 0;
    if (ply > 0 && is_repetition(g, board))
        return SCORE_DRAW;
    if (depth <= 0 || ply == PLY_MAX) {
        g->effort.report->leaves++;
        return g_evaluate(board);
    }
    if (ply > 0 && probe(g, board, depth, ply, alpha, beta, &score)) {
        g->effort.report->table_hits++;
        return score;
    }
    const bool is_check = g_in_check(g->tables, board, board->side);
    if (!is_check && is_pass_too_good(g, board, depth, ply, beta))
        return beta;
    g->path[g->path_count++] = board->key;
    score = search_moves(g, board, depth, ply, alpha, beta, on_pv, is_check);
    g->path_count--;
    return score;
}

// ---- The root ----

// The keys of the game so far, so that repetitions are seen; the current position comes last but is
// not among them.
static void replay(G *g, const AgentTask *task)
{
    char fen[FEN_SIZE];
    GBoard board;
    g->path_count = 0;
    if (!task->game)
        return;
    const int from = max_int(0, task->game->count - task->pos->state.fifty);
    Position walk = task->game->now;
    for (int i = task->game->count; i > from; i--)
        position_unmake(&walk, task->game->steps[i - 1].move, &task->game->steps[i - 1].undo);
    for (int i = from; i < task->game->count && g->path_count < PATH_MAX_MOVES - PLY_MAX - 2; i++) {
        Undo undo;
        position_to_fen(&walk, FEN_XFEN, fen);
        if (g_from_fen(g->tables, &board, fen))
            g->path[g->path_count++] = board.key;
        position_make(&walk, task->game->steps[i].move, &undo);
    }
}

// The line found at a depth, in the words of the report.
static void keep_line(G *g, int depth, int score)
{
    AgentReport *report = g->effort.report;
    Position walk = *g->effort.task->pos;
    char text[6];
    g->last_pv_count = g->pv_count[0];
    memcpy(g->last_pv, g->pv[0], sizeof g->last_pv);
    report->pv_count = 0;
    for (int i = 0; i < g->last_pv_count; i++) {
        g_write_move(g->last_pv[i], text);
        if (!agent_pv_add(report, &walk, text))
            break;
    }
    report->move = report->pv[0];
    report->score = score;
    report->depth = depth;
}

void g_search(G *g, const AgentTask *task, AgentReport *report)
{
    GBoard board;
    char fen[FEN_SIZE];
    g->effort = effort_begin(task, report);
    memset(g->killers, 0, sizeof g->killers);
    g->last_pv_count = 0;
    position_to_fen(task->pos, FEN_XFEN, fen);
    if (!g_from_fen(g->tables, &board, fen))
        return;
    replay(g, task);
    const int deepest = min_int(task->depth, PLY_MAX);
    for (int depth = 1; depth <= deepest; depth++) {
        if (depth > 1 && !effort_may_deepen(&g->effort))
            break;
        const int score = negamax(g, &board, depth, 0, -SCORE_INFINITE, SCORE_INFINITE, true);
        if (g->pv_count[0] && (!g->effort.is_over || depth == 1))
            keep_line(g, g->effort.is_over ? 0 : depth, score);
        report->is_done = depth == deepest && !g->effort.is_over;
    }
}

// ---- Making ----

GSettings g_settings(void)
{
    return (GSettings){
        .hash_mb = 16, .quiescence = 1, .table = 1, .pv = 1, .mvv_lva = 1, .killers = 1};
}

G *g_new(const GSettings *settings, Error *error)
{
    G *g = calloc(1, sizeof *g);
    if (!g)
        return error_set(error, "out of memory"), NULL;
    g->settings = *settings;
    g->tables = g_tables_new();
    g->entry_count = 1;
    while (g->entry_count * 2 * sizeof(Entry) <= (uint64_t)settings->hash_mb << 20)
        g->entry_count *= 2;
    g->entries = calloc(g->entry_count, sizeof *g->entries);
    if (g->tables && g->entries)
        return g;
    g_free(g);
    error_set(error, "out of memory");
    return NULL;
}

void g_free(G *g)
{
    if (!g)
        return;
    free(g->tables);
    free(g->entries);
    free(g);
}

void g_forget(G *g)
{
    memset(g->entries, 0, g->entry_count * sizeof *g->entries);
}

// ---- As a player ----

static bool read_settings(const PlayerSpec *spec, GSettings *settings, Error *error)
{
    *settings = g_settings();
    const AgentOption options[] = {agent_number("hash", &settings->hash_mb, 1, 64),
                                   agent_switch("quiescence", &settings->quiescence),
                                   agent_switch("table", &settings->table),
                                   agent_switch("pv", &settings->pv),
                                   agent_switch("mvvlva", &settings->mvv_lva),
                                   agent_switch("killers", &settings->killers),
                                   agent_switch("hashmove", &settings->hash_move),
                                   agent_switch("null", &settings->null_move),
                                   agent_switch("reductions", &settings->reductions)};
    return agent_read_options(spec, options, sizeof options / sizeof *options, error);
}

bool g_check(const PlayerSpec *spec, Error *error)
{
    GSettings settings;
    return read_settings(spec, &settings, error);
}

static void *open_memory(const PlayerSpec *spec, Error *error)
{
    GSettings settings;
    return read_settings(spec, &settings, error) ? g_new(&settings, error) : NULL;
}

static void close_memory(void *memory)
{
    g_free(memory);
}

static void forget(void *memory)
{
    g_forget(memory);
}

static void search(void *memory, const AgentTask *task, AgentReport *report)
{
    g_search(memory, task, report);
}

Player *g_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = G_DEPTH,
                                     .depth_max = 32,
                                     .deepens = true,
                                     .open = open_memory,
                                     .close = close_memory,
                                     .new_game = forget,
                                     .search = search};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
