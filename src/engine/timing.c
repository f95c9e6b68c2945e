// Time management.
#include "engine/timing.h"

#include <math.h>

static double clamp(double x, double least, double greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

// Sudden death, with or without increment: a share of what is left that grows slowly over the game.
// A stall of the machine must not cost the game, so the last tenths of a second are spent slowly.
static void plan_game(TimePlan *plan, double time, double increment, int ply, const ClockLag *lag)
{
    double usable = fmax(1, time - lag->worst_ms);
    double total = fmax(1, time + increment * 40 - lag->usual_ms * 42);
    double share = 0.0150 + 0.0040 * pow(ply + 3.0, 0.46);
    plan->soft_ms = fmin(share * total, 0.2 * usable);
    plan->hard_ms = fmin(plan->soft_ms * 3.5, 0.4 * usable);
}

// So many moves until more time comes.
static void plan_moves(TimePlan *plan, double time, double increment, int moves,
                       const ClockLag *lag)
{
    double count = fmin(moves, 50);
    double usable = fmax(1, time - lag->worst_ms);
    double total = fmax(1, time + increment * (count - 1) - lag->usual_ms * (2 + count));
    double share = fmin(1.1 / (count + 0.4), 0.88);
    plan->soft_ms = fmin(share * total, 0.88 * usable);
    plan->hard_ms = fmin(plan->soft_ms * (1.5 + 0.11 * count), 0.85 * usable);
}

ClockLag timing_go(ClockWatch *watch, const SearchLimits *limits, Color side, int ply,
                   int overhead_ms)
{
    int64_t time_ms = limits->time_ms[side];
    bool has_clock = time_ms != TIME_UNSET && limits->move_time_ms == TIME_UNSET &&
                     !limits->moves_to_go && !limits->ponder;
    if (has_clock && watch->time_ms && watch->side == side && ply == watch->ply + 2) {
        int64_t gone = watch->time_ms + limits->increment_ms[side] - time_ms;
        double lag = clamp((double)(gone - watch->used_ms), 0, (double)watch->time_ms / 2);
        watch->usual_ms += (lag - watch->usual_ms) / 8;
        watch->worst_ms = fmax(lag, watch->worst_ms * 0.9);
    } else if (!has_clock || watch->side != side || ply != watch->ply + 2) {
        watch->usual_ms = watch->worst_ms = 0;
    }
    watch->time_ms = has_clock ? time_ms : 0;
    watch->used_ms = 0;
    watch->side = side;
    watch->ply = ply;
    return (ClockLag){.usual_ms = fmax(overhead_ms, watch->usual_ms),
                      .worst_ms = fmax(overhead_ms, watch->worst_ms)};
}

TimePlan timing_plan(const SearchLimits *limits, Color side, int ply, const ClockLag *lag)
{
    TimePlan plan = {.start_ms = clock_ms()};
    if (limits->move_time_ms != TIME_UNSET) {
        plan.is_timed = plan.is_exact = true;
        plan.soft_ms = plan.hard_ms = fmax(1, (double)limits->move_time_ms - lag->usual_ms / 4);
        return plan;
    }
    if (limits->time_ms[side] == TIME_UNSET || limits->infinite)
        return plan;

    double time = clamp((double)limits->time_ms[side], 1, 1e12);
    double increment = clamp((double)limits->increment_ms[side], 0, 1e9);
    plan.is_timed = true;
    if (limits->moves_to_go > 0)
        plan_moves(&plan, time, increment, limits->moves_to_go, lag);
    else
        plan_game(&plan, time, increment, ply, lag);
    plan.hard_ms = fmax(1, plan.hard_ms);
    plan.soft_ms = clamp(plan.soft_ms, 0.5, plan.hard_ms);
    return plan;
}

double timing_factor(const TimeSigns *p)
{
    if (p->legal_moves == 1)
        return 0.05;
    double falling = clamp(0.95 + p->score_drop * 0.006, 0.7, 1.6);
    double stability = clamp(1.2 - 0.04 * p->stable_iterations, 0.8, 1.2);
    double unrest = fmin(0.95 + 0.8 * p->changes, 2);
    double effort = clamp(1.5 - 0.7 * p->effort, 0.75, 1.3);
    return falling * stability * unrest * effort;
}

bool timing_is_up(const TimePlan *plan, const TimeSigns *signs, double elapsed_ms)
{
    double soft = plan->soft_ms * timing_factor(signs);
    return elapsed_ms >= plan->hard_ms ||
           elapsed_ms >= 0.75 * soft; // the next iteration would hardly end in time
}
