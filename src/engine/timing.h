// How long to think: from the clocks to a soft and a hard limit, and what scales them while
// thinking.
#ifndef LOVAC_ENGINE_TIMING_H
#define LOVAC_ENGINE_TIMING_H

#include "base/clock.h"
#include "engine/engine.h"

typedef struct TimePlan {
    int64_t start_ms;
    bool is_timed;  // a clock or a move time bounds this search
    bool is_exact;  // by move time: use it all
    double soft_ms; // the time a normal move should take
    double hard_ms; // never more
} TimePlan;

// What the clock loses with every move beside our thinking.
typedef struct ClockLag {
    double usual_ms, worst_ms;
} ClockLag;

// A search begins: learns from its clock what the last move really cost, and returns the lag to
// reckon with, at least the overhead given. The caller puts the time used into `used_ms` after the
// search.
ClockLag timing_go(ClockWatch *watch, const SearchLimits *limits, Color side, int ply,
                   int overhead_ms);

// Makes the plan for a move of colour `side`, `ply` half-moves into the game.
TimePlan timing_plan(const SearchLimits *limits, Color side, int ply, const ClockLag *lag);

static inline int64_t timing_elapsed(const TimePlan *plan)
{
    return clock_ms() - plan->start_ms;
}

// Thoughts on an iteration just finished.
typedef struct TimeSigns {
    int score_drop;        // centipawns below what earlier iterations and the last move expected
    int stable_iterations; // since the best move changed
    double changes;        // of the best move, recent, per worker
    double effort;         // share of the nodes spent on the best move, 0..1
    int legal_moves;
} TimeSigns;

// What the soft limit should be multiplied with.
double timing_factor(const TimeSigns *signs);

// After so much time, is another iteration not worth beginning?
bool timing_is_up(const TimePlan *plan, const TimeSigns *signs, double elapsed_ms);

#endif
