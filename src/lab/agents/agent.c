// See agent.h. Start with agent_think; the rest is bookkeeping that all agents share.
#include "lab/agents/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "base/str.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/score.h"
#include "engine/timing.h"

enum { OVERHEAD_MS = 10 }; // what a move costs beside thinking

AgentTask agent_task(const Position *pos, int depth)
{
    return (AgentTask){.pos = pos, .depth = depth};
}

// ---- Searching ----

Effort effort_begin(const AgentTask *task, AgentReport *report)
{
    *report = (AgentReport){0};
    Effort effort = {.task = task, .report = report};
    effort_look(&effort);
    return effort;
}

void effort_look(Effort *effort)
{
    const AgentTask *task = effort->task;
    effort->is_over |= stop_is_set(task->stop) ||
                       (task->nodes && effort->report->nodes >= task->nodes) ||
                       (task->hard_ns && clock_ns() >= task->hard_ns);
}

bool effort_may_deepen(const Effort *effort)
{
    return !effort->is_over && (!effort->task->soft_ns || clock_ns() < effort->task->soft_ns);
}

bool agent_pv_add(AgentReport *report, Position *walk, const char *uci)
{
    const Move move = move_from_uci(walk, uci, NULL);
    if (move == MOVE_NONE || report->pv_count == AGENT_PV_MAX)
        return false;
    Undo undo;
    position_make(walk, move, &undo);
    report->pv[report->pv_count++] = move;
    return true;
}

int agent_final_score(const Position *pos, Result result, int ply)
{
    if (result == RESULT_DRAW)
        return SCORE_DRAW;
    const bool has_won = (result == RESULT_WHITE) == (pos->side == WHITE);
    return has_won ? score_mate_in(ply) : score_mated_in(ply);
}

// Insertion sort.
void agent_sort_moves(Move *moves, int *guesses, int count)
{
    for (int i = 1; i < count; i++) {
        const Move move = moves[i];
        const int guess = guesses[i];
        int k = i;
        for (; k > 0 && guesses[k - 1] < guess; k--) {
            guesses[k] = guesses[k - 1];
            moves[k] = moves[k - 1];
        }
        guesses[k] = guess;
        moves[k] = move;
    }
}

// What a deeper search found, with the work of the ones before it.
static void join_report(AgentReport *sum, const AgentReport *deeper)
{
    AgentReport joined = deeper->is_done || sum->move == MOVE_NONE ? *deeper : *sum;
    joined.nodes = sum->nodes + deeper->nodes;
    joined.quiet_nodes = sum->quiet_nodes + deeper->quiet_nodes;
    joined.leaves = sum->leaves + deeper->leaves;
    joined.generated = sum->generated + deeper->generated;
    joined.cutoffs = sum->cutoffs + deeper->cutoffs;
    joined.first_cut = sum->first_cut + deeper->first_cut;
    joined.table_hits = sum->table_hits + deeper->table_hits;
    joined.deepest = max_int(sum->deepest, deeper->deepest);
    *sum = joined;
}

void agent_think(const AgentClass *class, void *memory, const AgentTask *task, AgentReport *report)
{
    const bool is_limited = task->soft_ns || task->hard_ns || task->nodes;
    if (class->deepens || !is_limited) {
        class->search(memory, task, report);
        return;
    }
    *report = (AgentReport){0};
    for (int depth = 1; depth <= task->depth; depth++) {
        AgentReport deeper;
        AgentTask step = *task;
        step.depth = depth;
        step.nodes = task->nodes ? task->nodes - report->nodes : 0;
        class->search(memory, &step, &deeper);
        join_report(report, &deeper);
        report->is_done = deeper.is_done && depth == task->depth;
        if (!deeper.is_done || (task->soft_ns && clock_ns() >= task->soft_ns) ||
            (task->nodes && report->nodes >= task->nodes))
            break;
    }
}

// ---- As a player ----

typedef struct AgentPlayer {
    Player player;
    const AgentClass *class;
    void *memory;
} AgentPlayer;

static PlayerFault agent_new_game(Player *player, const Rules *rules, Error *error)
{
    AgentPlayer *own = (AgentPlayer *)player;
    const PlayerKind *kind = player->spec.kind;
    if (kind->plays && !kind->plays(rules)) {
        error_set(error, "%s does not play %s", kind->name, rules->title);
        return FAULT_REFUSE;
    }
    if (own->class->new_game)
        own->class->new_game(own->memory);
    return FAULT_NONE;
}

// The task that the limits of a move mean.
static AgentTask task_of(const AgentPlayer *own, const Game *game, const SearchLimits *limits)
{
    const ClockLag lag = {OVERHEAD_MS, OVERHEAD_MS};
    const TimePlan plan = timing_plan(limits, game->now.side, game->now.ply, &lag);
    const int64_t now = clock_ns();
    AgentTask task = {.pos = &game->now, .game = game, .nodes = limits->nodes};
    const int usual = own->class->depth_of ? own->class->depth_of(own->memory) : own->class->depth;
    task.depth = min_int(limits->depth ? limits->depth : usual, own->class->depth_max);
    task.stop = own->player.stop;
    if (plan.is_timed) {
        task.hard_ns = now + (int64_t)(plan.hard_ms * 1e6);
        // Whoever is given an exact time still does not begin what will hardly be finished.
        task.soft_ns = now + (int64_t)(plan.soft_ms * (plan.is_exact ? 0.5e6 : 1e6));
    }
    return task;
}

// Tells the line it expects to whoever listens, as an engine does.
static void tell(const Player *player, const Position *root, const AgentReport *report, int64_t ns)
{
    if (!player->on_info || !report->pv_count)
        return;
    const SearchInfo info = {.kind = INFO_LINE,
                             .depth = report->depth,
                             .seldepth = report->deepest,
                             .multi_pv = 1,
                             .score = report->score,
                             .bound = BOUND_EXACT,
                             .wdl = engine_wdl(root, report->score),
                             .nodes = report->nodes,
                             .time_ms = ns / 1000000,
                             .pv = report->pv,
                             .pv_count = report->pv_count};
    player->on_info(player->context, root, &info);
}

// Out of time before there was any move: the first legal one.
static Move any_move(const Position *pos)
{
    Move moves[MAX_MOVES];
    return movegen_legal(pos, STAGE_ALL, moves) ? moves[0] : MOVE_NONE;
}

static void agent_choose(Player *player, const Game *game, const SearchLimits *limits,
                         PlayerMove *answer)
{
    AgentPlayer *own = (AgentPlayer *)player;
    const AgentTask task = task_of(own, game, limits);
    const int64_t start_ns = clock_ns();
    AgentReport report;
    agent_think(own->class, own->memory, &task, &report);
    if (stop_is_set(player->stop)) {
        answer->fault = FAULT_STALL;
        snprintf(answer->detail, sizeof answer->detail, "was not waited for");
        return;
    }
    tell(player, &game->now, &report, clock_ns() - start_ns);
    answer->move = report.move == MOVE_NONE ? any_move(&game->now) : report.move;
    answer->score = report.move == MOVE_NONE ? SCORE_NONE : report.score;
    answer->depth = report.depth;
    answer->nodes = report.nodes;
}

static void agent_free(Player *player)
{
    AgentPlayer *own = (AgentPlayer *)player;
    if (own->class->close)
        own->class->close(own->memory);
    free(own);
}

Player *agent_player_new(const AgentClass *class, const PlayerSpec *spec, Error *error)
{
    static const PlayerClass CLASS = {agent_new_game, agent_choose, agent_free};
    AgentPlayer *own = calloc(1, sizeof *own);
    if (!own)
        return error_set(error, "out of memory"), NULL;
    own->player = (Player){.class = &CLASS, .spec = *spec};
    own->class = class;
    own->memory = class->open ? class->open(spec, error) : NULL;
    if (!class->open || own->memory)
        return &own->player;
    free(own);
    return NULL;
}

// ---- Options ----

// A level: its name, or its number from 1.
static bool read_level(const AgentOption *option, const char *text, Error *error)
{
    long long number = 0;
    int count = 0;
    for (; option->words[count]; count++)
        if (!strcmp(option->words[count], text))
            number = count + 1;
    if (!number && !str_to_int(text, 1, count, &number))
        return error_code(error, "player-level",
                          "levels are 1 to {most:%d} or their names, not '{text:%s}'", count, text);
    *option->value = (int)number - 1;
    return true;
}

// "on" and "off" are numbers too.
static bool read_value(const AgentOption *option, const char *text, Error *error)
{
    long long number;
    const bool is_switch = option->low == 0 && option->high == 1;
    if (option->words)
        return read_level(option, text, error);
    if (is_switch && (!strcmp(text, "on") || !strcmp(text, "off")))
        number = text[1] == 'n';
    else if (!str_to_int(text, option->low, option->high, &number))
        return error_code(error, "player-range",
                          "player: {key:%s} must be from {low:%d} to {high:%d}, not '%s'",
                          option->name, option->low, option->high, text);
    *option->value = (int)number;
    return true;
}

bool agent_read_options(const PlayerSpec *spec, const AgentOption *options, int count, Error *error)
{
    for (int i = 0; i < spec->option_count; i++) {
        const char *name = spec->options[i].name;
        int k = 0;
        while (k < count && strcmp(options[k].name, name))
            k++;
        if (k == count)
            return error_code(error, "player-key", "player: unknown key '{key:%s}'", name);
        if (!read_value(&options[k], spec->options[i].value, error))
            return false;
    }
    return true;
}

bool agent_plays_plain(const Rules *rules)
{
    return rules == &VARIANTS[VARIANT_CHESS] || rules == &VARIANTS[VARIANT_CORNER] ||
           rules == &VARIANTS[VARIANT_FORTRESS];
}
