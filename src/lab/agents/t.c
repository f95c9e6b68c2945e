// See t.h.
#include "lab/agents/t.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "core/fen.h"
#include "lab/agents/t_board.h"

enum { WORST = 10000 }; // below everything for White, above everything for Black

typedef struct Search {
    const TSettings *settings;
    TBoard board;
    Effort effort;
} Search;

// ---- Ordering ----
// Captures before quiet moves; among captures, those where the least is risked for the most: own
// value less captured value. The king, which cannot be lost, is the dearest attacker.

static int exchange_gain(const TMove *move)
{
    const int own = move->piece->name == 'K' ? 2000 : t_value(move->piece->name);
    return t_value(move->captured->name) - own;
}

// The generator has put captures in front; insertion sort among these.
static int sort_captures(const Search *s, TMove *moves, int count)
{
    int captures = 0;
    for (; captures < count && moves[captures].captured; captures++) {
        const TMove move = moves[captures];
        int k = captures;
        for (; s->settings->order && k > 0 && exchange_gain(&moves[k - 1]) < exchange_gain(&move);
             k--)
            moves[k] = moves[k - 1];
        moves[k] = move;
    }
    return captures;
}

// ---- The best so far, for whoever is to move ----

typedef struct Window {
    int alpha, beta; // what White has already, what Black has already
    int best;
} Window;

static Window window_open(bool is_white, int alpha, int beta)
{
    return (Window){alpha, beta, is_white ? -WORST : WORST};
}

// Takes a value into account; true when the other side will not let it come to this.
static bool window_take(Window *window, const Search *s, bool is_white, int value)
{
    window->best = is_white ? max_int(window->best, value) : min_int(window->best, value);
    const bool is_cut = is_white ? window->best >= window->beta : window->best <= window->alpha;
    if (is_cut)
        return s->settings->cuts;
    if (is_white)
        window->alpha = max_int(window->alpha, window->best);
    else
        window->beta = min_int(window->beta, window->best);
    return false;
}

// ---- The capture search ----
// The last move took something; perhaps it will be taken back. Only captures are tried, and each
// side may stop and keep the value as it is.

static int capture_search(Search *s, int level, int ply, int alpha, int beta)
{
    TBoard *board = &s->board;
    const bool is_white = board->is_white;
    s->effort.report->quiet_nodes++;
    if (effort_enter(&s->effort, ply))
        return 0;
    s->effort.report->leaves++;
    Window window = window_open(is_white, alpha, beta);
    if (window_take(&window, s, is_white, board->value) || level > s->settings->levels ||
        abs(board->value) > s->settings->lead)
        return board->value;
    TMove moves[T_MOVES_MAX];
    const int count = t_moves(board, moves), captures = sort_captures(s, moves, count);
    s->effort.report->generated += (uint64_t)count;
    for (int i = 0; i < captures && !s->effort.is_over; i++) {
        t_make(board, &moves[i]);
        const int value = capture_search(s, level + 1, ply + 1, window.alpha, window.beta);
        t_take_back(board);
        if (window_take(&window, s, is_white, value)) {
            effort_cut(&s->effort, i + 1);
            break;
        }
    }
    return window.best;
}

// ---- Alpha-beta ----

static int leaf_value(Search *s, int ply, int alpha, int beta)
{
    const TBoard *board = &s->board;
    const bool has_captured = board->move_count && board->stack[board->move_count - 1].captured;
    if (has_captured && s->settings->captures)
        return capture_search(s, 0, ply, alpha, beta);
    effort_enter(&s->effort, ply);
    s->effort.report->leaves++;
    return board->value;
}

// Values are White's. Without a legal move the value the search began with is the answer.
static int alpha_beta(Search *s, int depth, int ply, int alpha, int beta)
{
    TBoard *board = &s->board;
    const bool is_white = board->is_white;
    if (depth == 0)
        return leaf_value(s, ply, alpha, beta);
    if (effort_enter(&s->effort, ply))
        return 0;
    TMove moves[T_MOVES_MAX];
    const int count = t_moves(board, moves);
    s->effort.report->generated += (uint64_t)count;
    sort_captures(s, moves, count);
    Window window = window_open(is_white, alpha, beta);
    for (int i = 0; i < count && !s->effort.is_over; i++) {
        t_make(board, &moves[i]);
        const int value = alpha_beta(s, depth - 1, ply + 1, window.alpha, window.beta);
        t_take_back(board);
        if (window_take(&window, s, is_white, value)) {
            effort_cut(&s->effort, i + 1);
            break;
        }
    }
    return window.best;
}

// ---- The root ----

static void keep_best(AgentReport *report, const AgentTask *task, const TMove *move, int score)
{
    char text[6];
    Position walk = *task->pos;
    t_write_move(move, text);
    report->pv_count = 0;
    if (agent_pv_add(report, &walk, text))
        report->move = report->pv[0];
    report->score = score;
}

// The first of the best moves.
static void choose(Search *s, const AgentTask *task)
{
    TMove moves[T_MOVES_MAX];
    const bool is_white = s->board.is_white;
    const int count = t_moves(&s->board, moves);
    s->effort.report->generated += (uint64_t)count;
    sort_captures(s, moves, count);
    Window window = window_open(is_white, -WORST, WORST);
    for (int i = 0; i < count; i++) {
        const int before = window.best;
        t_make(&s->board, &moves[i]);
        const int value = alpha_beta(s, task->depth - 1, 1, window.alpha, window.beta);
        t_take_back(&s->board);
        if (s->effort.is_over)
            return;
        window_take(&window, s, is_white, value);
        if (i == 0 || window.best != before)
            keep_best(s->effort.report, task, &moves[i], is_white ? value : -value);
    }
}

void t_search(const TSettings *settings, const AgentTask *task, AgentReport *report)
{
    char fen[FEN_SIZE];
    Search s = {.settings = settings, .effort = effort_begin(task, report)};
    position_to_fen(task->pos, FEN_XFEN, fen);
    if (!t_from_fen(&s.board, fen))
        return;
    effort_enter(&s.effort, 0);
    choose(&s, task);
    report->is_done = !s.effort.is_over;
    report->depth = report->is_done ? task->depth : 0;
}

// ---- As a player ----

TSettings t_settings(void)
{
    return (TSettings){.captures = 1, .levels = 5, .lead = 1100, .order = 1, .cuts = 1};
}

static bool read_settings(const PlayerSpec *spec, TSettings *settings, Error *error)
{
    *settings = t_settings();
    const AgentOption options[] = {agent_switch("captures", &settings->captures),
                                   agent_number("levels", &settings->levels, 0, 8),
                                   agent_number("lead", &settings->lead, 0, 9999),
                                   agent_switch("order", &settings->order)};
    return agent_read_options(spec, options, sizeof options / sizeof *options, error);
}

bool t_check(const PlayerSpec *spec, Error *error)
{
    TSettings settings;
    return read_settings(spec, &settings, error);
}

static void *open_memory(const PlayerSpec *spec, Error *error)
{
    TSettings *settings = malloc(sizeof *settings);
    if (!settings)
        return error_set(error, "out of memory"), NULL;
    if (read_settings(spec, settings, error))
        return settings;
    free(settings);
    return NULL;
}

static void search(void *memory, const AgentTask *task, AgentReport *report)
{
    t_search(memory, task, report);
}

Player *t_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {
        .depth = T_DEPTH, .depth_max = 32, .open = open_memory, .close = free, .search = search};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
