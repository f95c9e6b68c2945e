// The stages of learning, read from text (see learn.h).
#ifndef LOVAC_LAB_LEARN_PLAN_H
#define LOVAC_LAB_LEARN_PLAN_H

#include "base/error.h"

enum { PLAN_STAGES = 16 };

typedef struct LearnStage {
    double width, buckets, generations, play_s, train_s, nodes, window_m, result_weight, trial,
        later_weight, quick_nodes, every, beside, rate, end_rate, epsilon, fresh, student, pupil,
        threats, batch, study_s, self;
} LearnStage;

typedef struct LearnPlan {
    LearnStage stages[PLAN_STAGES];
    int count;
} LearnPlan;

// Reads a plan; the error names the setting that is wrong.
bool learn_plan_read(LearnPlan *plan, const char *text, Error *error);

// The stage of a generation (counted from 0), or -1 beyond the last.
int learn_plan_stage(const LearnPlan *plan, int generation);

#endif
