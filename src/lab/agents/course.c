// See course.h. Start with `search`: the ideas stand in it one after the other.
#include "lab/agents/course.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/game.h"
#include "core/movegen.h"
#include "engine/evaluate.h"
#include "engine/hand.h"
#include "engine/score.h"
#include "lab/agents/material.h"

const char *const COURSE_NAMES[COURSE_STEPS + 1] = {
    "minimax", "alphabeta", "ordering", "quiescence", "table", "evaluation", "network", NULL};

enum { SLOTS = 1 << 18, QUIET_MOST = 8 };

// What the table knows about a position.
typedef struct Slot {
    Key key;
    Move move;
    int16_t value;
    int8_t depth;
    uint8_t bound; // Bound
} Slot;

struct Course {
    CourseStep step;
    Slot *slots;                    // from COURSE_TABLE on
    const Net *nets[VARIANT_COUNT]; // COURSE_NETWORK; those of the program, which are shared
};

// A search at work.
typedef struct Walk {
    Course *course;
    Effort effort;
    CourseTree *tree; // or NULL
} Walk;

static bool has(const Walk *w, CourseStep idea)
{
    return w->course->step >= idea;
}

// ---- The trace ----

// Writes down a position that is entered; its number, or -1.
static int note_enter(Walk *w, int parent, Move move, int ply, int alpha, int beta, bool is_quiet)
{
    CourseTree *t = w->tree;
    if (!t)
        return -1;
    if (t->count == t->most || (parent < 0 && ply > 0)) {
        t->is_cut_off = true;
        return -1;
    }
    t->nodes[t->count] = (CourseNode){.parent = parent,
                                      .move = move,
                                      .ply = ply,
                                      .is_quiet = is_quiet,
                                      .alpha = alpha,
                                      .beta = beta,
                                      .cut_by = -1};
    return t->count++;
}

static int note_leave(Walk *w, int node, int value, CourseEnd end)
{
    if (node >= 0) {
        w->tree->nodes[node].value = value;
        w->tree->nodes[node].end = end;
    }
    return value;
}

// The moves behind the one that cut were never looked at.
static void note_cut(Walk *w, int node, int child, const Move *rest, int count, int ply)
{
    if (node < 0)
        return;
    w->tree->nodes[node].cut_by = child;
    for (int i = 0; i < count; i++)
        note_leave(w, note_enter(w, node, rest[i], ply + 1, 0, 0, false), 0, COURSE_SKIPPED);
}

// ---- Ideas 6 and 7: what a leaf is worth ----

static int evaluate_leaf(Walk *w, const Position *pos)
{
    w->effort.report->leaves++;
    if (has(w, COURSE_NETWORK))
        return evaluate_once(w->course->nets[pos->rules - VARIANTS], pos);
    return has(w, COURSE_EVALUATION) ? hand_evaluate(hand_setup(pos->rules), NULL, pos)
                                     : material_count(pos);
}

// ---- Idea 3: which move first ----

static int first_guess(const Position *pos, Move move, Move best)
{
    static const int VALUES[TYPE_COUNT] = {1, 3, 3, 5, 9, 10};
    const Piece taken = position_captured(pos, move);
    if (move == best)
        return 1000;
    int guess = taken == NO_PIECE ? 0
                                  : 100 + 10 * VALUES[piece_type(taken)] -
                                        VALUES[piece_type(pos->board[move_from(move)])];
    return guess + (move_is_promotion(move) ? 10 * VALUES[move_promotion(move)] : 0);
}

static void sort_moves(const Position *pos, Move best, Move *moves, int count)
{
    int guesses[MAX_MOVES];
    for (int i = 0; i < count; i++)
        guesses[i] = first_guess(pos, moves[i], best);
    agent_sort_moves(moves, guesses, count);
}

// ---- Idea 5: the table ----

// Mates count from the root in the search, from the position in the table.
static int shift_mate(int value, int plies)
{
    return !score_is_mate(value) ? value : value > 0 ? value + plies : value - plies;
}

static Slot *slot_of(const Walk *w, const Position *pos)
{
    return &w->course->slots[pos->state.key & (SLOTS - 1)];
}

// Does the table answer for this depth and window? `best` gets its move, if it has one.
static bool look_up(Walk *w, const Position *pos, int depth, int ply, int alpha, int beta,
                    Move *best, int *value)
{
    if (!has(w, COURSE_TABLE))
        return false;
    const Slot *slot = slot_of(w, pos);
    if (slot->key != pos->state.key)
        return false;
    *best = slot->move;
    *value = shift_mate(slot->value, -ply);
    const bool is_enough = slot->depth >= depth && ply > 0;
    const bool answers = slot->bound == BOUND_EXACT ||
                         (slot->bound == BOUND_LOWER && *value >= beta) ||
                         (slot->bound == BOUND_UPPER && *value <= alpha);
    w->effort.report->table_hits += is_enough && answers;
    return is_enough && answers;
}

static void remember(Walk *w, const Position *pos, int depth, int ply, int alpha, int beta,
                     Move best, int value)
{
    if (!has(w, COURSE_TABLE) || w->effort.is_over)
        return;
    *slot_of(w, pos) = (Slot){.key = pos->state.key,
                              .move = best,
                              .value = (int16_t)shift_mate(value, ply),
                              .depth = (int8_t)depth,
                              .bound = value >= beta    ? BOUND_LOWER
                                       : value <= alpha ? BOUND_UPPER
                                                        : BOUND_EXACT};
}

// ---- The search ----

typedef struct Frame {
    Position *pos;
    int depth, ply, alpha, beta; // depth below 0: in the capture search
    int parent;
    Move move;
} Frame;

static int search(Walk *w, const Frame *f, Move *line);

// Ideas 1 and 2: tries moves and takes the best; with alpha-beta it stops as soon as one reaches
// beta, and tells the moves below what the side to move has already.
static int try_moves(Walk *w, const Frame *f, int node, Move *moves, int count, int best,
                     Move *best_move, CourseEnd *end)
{
    int alpha = max_int(f->alpha, best);
    for (int i = 0; i < count && !w->effort.is_over; i++) {
        Undo undo;
        Move line = MOVE_NONE;
        const int child = w->tree ? w->tree->count : -1;
        Frame below = {.pos = f->pos,
                       .depth = f->depth - 1,
                       .ply = f->ply + 1,
                       .alpha = has(w, COURSE_ALPHA_BETA) ? -f->beta : -SCORE_INFINITE,
                       .beta = has(w, COURSE_ALPHA_BETA) ? -alpha : SCORE_INFINITE,
                       .parent = node,
                       .move = moves[i]};
        position_make(f->pos, moves[i], &undo);
        const int value = -search(w, &below, &line);
        position_unmake(f->pos, moves[i], &undo);
        if (value > best) {
            best = value;
            *best_move = moves[i];
        }
        alpha = max_int(alpha, best);
        if (has(w, COURSE_ALPHA_BETA) && alpha >= f->beta) {
            effort_cut(&w->effort, i + 1);
            note_cut(w, node, child, moves + i + 1, count - i - 1, f->ply);
            *end = COURSE_CUT;
            break;
        }
    }
    return best;
}

// Idea 4: beyond the depth only captures, and nobody is forced to take.
static int search_captures(Walk *w, const Frame *f, int node, Move *best_move)
{
    CourseEnd end = COURSE_SEARCHED;
    const int standing = evaluate_leaf(w, f->pos);
    if (standing >= f->beta || f->depth <= -QUIET_MOST)
        return note_leave(w, node, standing, standing >= f->beta ? COURSE_STOOD : COURSE_LEAF);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(f->pos, STAGE_NOISY, moves);
    sort_moves(f->pos, MOVE_NONE, moves, count);
    if (!count)
        end = COURSE_LEAF;
    const int value = try_moves(w, f, node, moves, count, standing, best_move, &end);
    return note_leave(w, node, value, end);
}

// The value of a position for its side to move. `line` gets the best move.
static int search(Walk *w, const Frame *f, Move *line)
{
    const bool is_quiet = f->depth < 0;
    const int node = note_enter(w, f->parent, f->move, f->ply, f->alpha, f->beta, is_quiet);
    if (effort_enter(&w->effort, f->ply))
        return 0;
    w->effort.report->quiet_nodes += is_quiet;
    const Outcome outcome = position_outcome(f->pos);
    if (outcome.result != RESULT_NONE)
        return note_leave(w, node, agent_final_score(f->pos, outcome.result, f->ply), COURSE_OVER);
    if (f->depth <= 0 && !has(w, COURSE_QUIESCENCE))
        return note_leave(w, node, evaluate_leaf(w, f->pos), COURSE_LEAF);
    if (f->depth <= 0)
        return search_captures(w, f, node, line);
    Move best = MOVE_NONE, moves[MAX_MOVES];
    CourseEnd end = COURSE_SEARCHED;
    int value;
    if (look_up(w, f->pos, f->depth, f->ply, f->alpha, f->beta, &best, &value))
        return note_leave(w, node, value, COURSE_KNOWN);
    const int count = movegen_legal(f->pos, STAGE_ALL, moves);
    w->effort.report->generated += (uint64_t)count;
    if (has(w, COURSE_ORDERING))
        sort_moves(f->pos, best, moves, count);
    value = try_moves(w, f, node, moves, count, -SCORE_INFINITE, line, &end);
    remember(w, f->pos, f->depth, f->ply, f->alpha, f->beta, *line, value);
    return note_leave(w, node, value, end);
}

void course_search(Course *course, const AgentTask *task, CourseTree *tree, AgentReport *report)
{
    Walk w = {.course = course, .effort = effort_begin(task, report)};
    Position pos = *task->pos;
    const int first = course->step >= COURSE_TABLE ? 1 : task->depth;
    for (int depth = first; depth <= task->depth && !w.effort.is_over; depth++) {
        Move best = MOVE_NONE;
        const Frame root = {.pos = &pos,
                            .depth = depth,
                            .alpha = -SCORE_INFINITE,
                            .beta = SCORE_INFINITE,
                            .parent = -1};
        w.tree = depth == task->depth ? tree : NULL;
        const int value = search(&w, &root, &best);
        if (w.effort.is_over || !best)
            break;
        report->move = report->pv[0] = best;
        report->pv_count = 1;
        report->score = value;
        report->depth = depth;
    }
    report->is_done = !w.effort.is_over;
}

// ---- Making one ----

// The networks of the program; games without one are valued by hand.
static void find_nets(Course *course)
{
    const Net *net;
    for (int i = 0; (net = net_from_program(i, NULL)); i++) {
        const Rules *rules = rules_find(net->info.variant);
        if (rules)
            course->nets[rules - VARIANTS] = net;
    }
}

Course *course_new(CourseStep step, Error *error)
{
    Course *course = calloc(1, sizeof *course);
    if (!course)
        return error_set(error, "out of memory"), NULL;
    course->step = step;
    if (step >= COURSE_TABLE)
        course->slots = calloc(SLOTS, sizeof *course->slots);
    if (step >= COURSE_NETWORK)
        find_nets(course);
    if (course->slots || step < COURSE_TABLE)
        return course;
    course_free(course);
    return error_set(error, "out of memory"), NULL;
}

void course_free(Course *course)
{
    if (!course)
        return;
    free(course->slots);
    free(course);
}

void course_forget(Course *course)
{
    if (course->slots)
        memset(course->slots, 0, SLOTS * sizeof *course->slots);
}

// ---- As a player ----

static bool read_step(const PlayerSpec *spec, int *step, Error *error)
{
    *step = COURSE_MINIMAX;
    const AgentOption options[] = {agent_level("step", step, COURSE_NAMES)};
    return agent_read_options(spec, options, 1, error);
}

bool course_check(const PlayerSpec *spec, Error *error)
{
    int step;
    return read_step(spec, &step, error);
}

static void *open_memory(const PlayerSpec *spec, Error *error)
{
    int step;
    return read_step(spec, &step, error) ? course_new((CourseStep)step, error) : NULL;
}

static void close_memory(void *memory)
{
    course_free(memory);
}

static void begin_game(void *memory)
{
    course_forget(memory);
}

static void search_move(void *memory, const AgentTask *task, AgentReport *report)
{
    course_search(memory, task, NULL, report);
}

Player *course_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = 3,
                                     .depth_max = 16,
                                     .open = open_memory,
                                     .close = close_memory,
                                     .new_game = begin_game,
                                     .search = search_move};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
