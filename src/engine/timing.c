// Time management.
#include "engine/timing.h"

#include <math.h>

static double clamp(double x, double least, double greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

// Sudden death, with or without increment: a share of what is left that grows slowly over the game.
static void plan_game(TimePlan *plan, double time, double increment, int ply, double overhead)
{
    double usable = fmax(1, time - overhead);
    double total = fmax(1, time + increment * 45 - overhead * 47);
    double share = 0.013 + 0.0037 * pow(ply + 3.0, 0.46);
    plan->soft_ms = fmin(share * total, 0.22 * usable);
    plan->hard_ms =
        fmin(plan->soft_ms * 5.5, 0.6 * usable); // a stall of the machine must not cost the game
}

// So many moves until more time comes.
static void plan_moves(TimePlan *plan, double time, double increment, int moves, double overhead)
{
    double count = fmin(moves, 50);
    double usable = fmax(1, time - overhead);
    double total = fmax(1, time + increment * (count - 1) - overhead * (2 + count));
    double share = fmin(1.1 / (count + 0.4), 0.88);
    plan->soft_ms = fmin(share * total, 0.88 * usable);
    plan->hard_ms = fmin(plan->soft_ms * (1.5 + 0.11 * count), 0.85 * usable);
}

TimePlan timing_plan(const SearchLimits *limits, Color side, int ply, int overhead_ms,
                     bool ponder_option)
{
    TimePlan plan = {.start_ms = clock_ms()};
    if (limits->move_time_ms != TIME_UNSET) {
        plan.is_timed = plan.is_exact = true;
        plan.soft_ms = plan.hard_ms = fmax(1, (double)(limits->move_time_ms - overhead_ms / 4));
        return plan;
    }
    if (limits->time_ms[side] == TIME_UNSET || limits->infinite)
        return plan;

    double time = clamp((double)limits->time_ms[side], 1, 1e12);
    double increment = clamp((double)limits->increment_ms[side], 0, 1e9);
    plan.is_timed = true;
    if (limits->moves_to_go > 0)
        plan_moves(&plan, time, increment, limits->moves_to_go, overhead_ms);
    else
        plan_game(&plan, time, increment, ply, overhead_ms);
    if (ponder_option)
        plan.soft_ms *= 1.2; // some moves will be answered from pondering
    plan.hard_ms = fmax(1, plan.hard_ms);
    plan.soft_ms = clamp(plan.soft_ms, 0.5, plan.hard_ms);
    return plan;
}

double timing_factor(const TimeSigns *p)
{
    if (p->legal_moves == 1)
        return 0.05;
    double falling = clamp(0.85 + p->score_drop * 0.0075, 0.6, 1.7);
    double stability =
        p->stable_iterations < 2 ? 1.35 : clamp(1.25 - 0.06 * p->stable_iterations, 0.65, 1.35);
    double unrest = 0.95 + 0.9 * p->changes;
    double effort = clamp(1.55 - 0.85 * p->effort, 0.6, 1.5);
    return falling * stability * fmin(unrest, 2.2) * effort;
}
