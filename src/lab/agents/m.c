// See m.h.
#include "lab/agents/m.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/fen.h"
#include "engine/score.h"

enum { PLY_MAX = 60 };

// ---- Evaluation ----
// The document's figures are lost. These tables obey its words: pawns are worth more the further
// they are, pieces more in the centre; the queen uses the bishop's, the king has none. a1 comes
// first; Black's squares are mirrored.

static const int8_t PAWN_SQUARES[64] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  -12, -12, 0,  0,  0,  2, 2, 4,  6,  6,  4,
    2,  2,  4,  4,  10, 18, 18, 10, 4,  4,  8,  8,   14,  22, 22, 14, 8, 8, 16, 16, 20, 26,
    26, 20, 16, 16, 36, 36, 36, 36, 36, 36, 36, 36,  0,   0,  0,  0,  0, 0, 0,  0};
static const int8_t KNIGHT_SQUARES[64] = {
    -24, -12, -10, -10, -10, -10, -12, -24, -12, -4,  0,   2,   2,   0,   -4,  -12,
    -10, 0,   10,  12,  12,  10,  0,   -10, -10, 2,   12,  16,  16,  12,  2,   -10,
    -10, 2,   12,  16,  16,  12,  2,   -10, -10, 0,   10,  12,  12,  10,  0,   -10,
    -12, -4,  0,   2,   2,   0,   -4,  -12, -24, -12, -10, -10, -10, -10, -12, -24};
static const int8_t BISHOP_SQUARES[64] = {
    -8, -6, -8, -4, -4, -8, -6, -8, -6, 6,  2,  4,  4,  2,  6,  -6, -4, 3,  8,  8, 8, 8,
    3,  -4, -4, 4,  8,  12, 12, 8,  4,  -4, -4, 4,  8,  12, 12, 8,  4,  -4, -4, 3, 8, 8,
    8,  8,  3,  -4, -6, 4,  2,  4,  4,  2,  4,  -6, -8, -6, -4, -4, -4, -4, -6, -8};
static const int8_t ROOK_SQUARES[64] = {0,  0,  4,  8,  8,  4,  0,  0,  0, 0, 4, 8, 8, 4, 0, 0,
                                        0,  0,  4,  8,  8,  4,  0,  0,  0, 0, 4, 8, 8, 4, 0, 0,
                                        0,  0,  4,  8,  8,  4,  0,  0,  0, 0, 4, 8, 8, 4, 0, 0,
                                        14, 14, 16, 18, 18, 16, 14, 14, 0, 0, 4, 8, 8, 4, 0, 0};

static int square_value(int kind, int square)
{
    static const int8_t *const TABLES[7] = {[M_WP] = PAWN_SQUARES,
                                            [M_WN] = KNIGHT_SQUARES,
                                            [M_WB] = BISHOP_SQUARES,
                                            [M_WR] = ROOK_SQUARES,
                                            [M_WQ] = BISHOP_SQUARES};
    return TABLES[kind] ? TABLES[kind][square] : 0;
}

int m_evaluate(const MBoard *board)
{
    int score = board->material[M_WHITE] - board->material[M_BLACK];
    for (int kind = M_WP; kind <= M_WQ; kind++) {
        for (int i = 0; i < board->count[kind]; i++)
            score += square_value(kind, m_to_64(board->list[kind][i]));
        for (int i = 0; i < board->count[kind + 6]; i++)
            score -= square_value(kind, m_to_64(board->list[kind + 6][i]) ^ 56);
    }
    return board->side == M_WHITE ? score : -score;
}

// ---- The PV table ----
// For each position that improved its score, the move that did it, under the full key. Scores and
// depths are kept but not used: the table is for ordering, and to read the line expected.

typedef struct PvEntry {
    uint64_t key;
    MMove move;
    int16_t score;
    int16_t depth;
} PvEntry;

struct M {
    MSettings settings;
    MKeys keys;
    MBoard board;
    PvEntry *entries;
    uint64_t entry_count;
    Effort effort;
};

static MMove probe_pv(const M *m)
{
    const PvEntry *entry = &m->entries[m->board.key % m->entry_count];
    return entry->key == m->board.key ? entry->move : 0;
}

static void store_pv(M *m, MMove move, int score, int depth)
{
    m->entries[m->board.key % m->entry_count] =
        (PvEntry){m->board.key, move, (int16_t)score, (int16_t)depth};
}

// ---- Move ordering ----

enum { ORDER_PV = 2000000 };

int m_mvv_lva(const MBoard *board, MMove move)
{
    const int victim = (m_captured(move) - 1) % 6 + 1;
    const int attacker = (board->square[m_from(move)] - 1) % 6 + 1;
    return 100 * victim + 6 - attacker;
}

static int order_of(const M *m, MMove move, MMove pv)
{
    if (move == pv && m->settings.pv_first)
        return ORDER_PV;
    return m_captured(move) && m->settings.mvv_lva ? m_mvv_lva(&m->board, move) : 0;
}

// Brings the best of the moves from `next` on to its place; of equals the earliest.
static void pick(MMove *moves, int *orders, int next, int count)
{
    int best = next;
    for (int i = next + 1; i < count; i++)
        if (orders[i] > orders[best])
            best = i;
    const MMove move = moves[best];
    const int order = orders[best];
    moves[best] = moves[next];
    orders[best] = orders[next];
    moves[next] = move;
    orders[next] = order;
}

// ---- The search ----

// Fail-hard: the answer is never outside the window.
static int alpha_beta(M *m, int depth, int ply, int alpha, int beta)
{
    MBoard *board = &m->board;
    if (effort_enter(&m->effort, ply))
        return 0;
    if (depth == 0) { // as it stands, even in the middle of an exchange
        m->effort.report->leaves++;
        return m_evaluate(board);
    }
    MMove moves[M_MOVES_MAX];
    int orders[M_MOVES_MAX], tried = 0;
    const int count = m_moves(board, moves);
    const MMove pv = probe_pv(m);
    MMove best = 0;
    m->effort.report->generated += (uint64_t)count;
    for (int i = 0; i < count; i++)
        orders[i] = order_of(m, moves[i], pv);
    for (int i = 0; i < count && !m->effort.is_over; i++) {
        pick(moves, orders, i, count);
        if (!m_make(board, moves[i]))
            continue;
        tried++;
        const int score = -alpha_beta(m, depth - 1, ply + 1, -beta, -alpha);
        m_undo(board);
        if (m->effort.is_over)
            return alpha;
        if (score >= beta) {
            effort_cut(&m->effort, tried);
            return beta;
        }
        if (score > alpha) {
            alpha = score;
            best = moves[i];
        }
    }
    if (tried == 0)
        return m_in_check(board) ? score_mated_in(ply) : SCORE_DRAW;
    if (best)
        store_pv(m, best, alpha, depth);
    return alpha;
}

// The line expected, read from the table position by position.
static void read_line(M *m, int depth, int score)
{
    AgentReport *report = m->effort.report;
    Position walk = *m->effort.task->pos;
    char text[6];
    int made = 0;
    MMove move;
    report->pv_count = 0;
    while (made < depth && (move = probe_pv(m))) {
        m_write_move(move, text);
        if (!agent_pv_add(report, &walk, text))
            break;
        made += m_make(&m->board, move);
    }
    while (made-- > 0)
        m_undo(&m->board);
    report->move = report->pv_count ? report->pv[0] : MOVE_NONE;
    report->score = score;
    report->depth = depth;
}

void m_search(M *m, const AgentTask *task, AgentReport *report)
{
    char fen[FEN_SIZE];
    m->effort = effort_begin(task, report);
    memset(m->entries, 0, m->entry_count * sizeof *m->entries);
    position_to_fen(task->pos, FEN_XFEN, fen);
    if (!m_from_fen(&m->board, &m->keys, fen))
        return;
    const int deepest = min_int(task->depth, PLY_MAX);
    for (int depth = 1; depth <= deepest; depth++) {
        if (depth > 1 && !effort_may_deepen(&m->effort))
            break;
        const int score = alpha_beta(m, depth, 0, -SCORE_INFINITE, SCORE_INFINITE);
        if (m->effort.is_over)
            break;
        read_line(m, depth, score);
        report->is_done = depth == deepest;
    }
}

// ---- Making, and as a player ----

MSettings m_settings(void)
{
    return (MSettings){.pv_first = 1, .mvv_lva = 1, .table_kb = 2048};
}

M *m_new(const MSettings *settings, Error *error)
{
    M *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(error, "out of memory"), NULL;
    m->settings = *settings;
    m_keys_init(&m->keys);
    m->entry_count = (uint64_t)settings->table_kb * 1024 / sizeof *m->entries;
    m->entries = calloc(m->entry_count, sizeof *m->entries);
    if (m->entries)
        return m;
    free(m);
    error_set(error, "out of memory");
    return NULL;
}

void m_free(M *m)
{
    if (m)
        free(m->entries);
    free(m);
}

static bool read_settings(const PlayerSpec *spec, MSettings *settings, Error *error)
{
    *settings = m_settings();
    const AgentOption options[] = {agent_switch("pv", &settings->pv_first),
                                   agent_switch("mvvlva", &settings->mvv_lva)};
    return agent_read_options(spec, options, sizeof options / sizeof *options, error);
}

bool m_check(const PlayerSpec *spec, Error *error)
{
    MSettings settings;
    return read_settings(spec, &settings, error);
}

static void *open_memory(const PlayerSpec *spec, Error *error)
{
    MSettings settings;
    return read_settings(spec, &settings, error) ? m_new(&settings, error) : NULL;
}

static void close_memory(void *memory)
{
    m_free(memory);
}

static void search(void *memory, const AgentTask *task, AgentReport *report)
{
    m_search(memory, task, report);
}

Player *m_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = M_DEPTH,
                                     .depth_max = 32,
                                     .deepens = true,
                                     .open = open_memory,
                                     .close = close_memory,
                                     .search = search};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
