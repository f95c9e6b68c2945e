// See learn_plan.h.
#include "lab/learn_plan.h"

#include "base/file.h"
#include "base/str.h"
#include "lab/gpu/student.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_SIZE = 4096 };

typedef struct Setting {
    const char *name;
    size_t offset;
    double low, high;
} Setting;

#define SETTING(name, field, low, high)                                                            \
    {                                                                                              \
        name, offsetof(LearnStage, field), low, high                                               \
    }

static const Setting SETTINGS[] = {
    SETTING("width", width, 128, 1024),   SETTING("buckets", buckets, 1, 4),
    SETTING("gens", generations, 1, 1e6), SETTING("play", play_s, 0, 1e6),
    SETTING("train", train_s, 0, 1e6),    SETTING("nodes", nodes, 10, 1e6),
    SETTING("window", window_m, 0, 1e6),  SETTING("result", result_weight, 0, 1),
    SETTING("trial", trial, -1, 1),       SETTING("rate", rate, 0, 1),
    SETTING("end", end_rate, 0, 1),       SETTING("fresh", fresh, 0, 1),
    SETTING("student", student, 0, 1024), SETTING("threats", threats, 0, 1),
    SETTING("study", study_s, 0, 1e6),    SETTING("pupil", pupil, 0, 9),
    SETTING("later", later_weight, 0, 1), SETTING("quick", quick_nodes, 0, 1e6),
    SETTING("every", every, 1, 100),      SETTING("beside", beside, 0, 100),
    SETTING("epsilon", epsilon, 0, 1),    SETTING("batch", batch, 256, STUDENT_BATCH),
    SETTING("self", self, 0, 1),
};

static bool setting_read(LearnStage *stage, char *word, Error *error)
{
    char *value = strchr(word, '=');
    if (!value)
        return error_set(error, "plan: '%s' is no setting (name=value)", word);
    *value++ = 0;
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        const Setting *s = &SETTINGS[i];
        if (strcmp(s->name, word))
            continue;
        double number;
        if (!str_to_real(value, &number) || number < s->low || number > s->high)
            return error_set(error, "plan: %s=%s must be a number from %g to %g", word, value,
                             s->low, s->high);
        *(double *)((char *)stage + s->offset) = number;
        return true;
    }
    return error_set(error, "plan: there is no setting '%s'", word);
}

static bool stage_is_ok(const LearnStage *s, Error *error)
{
    if (s->width != 128 && s->width != 256 && s->width != 512 && s->width != 1024)
        return error_set(error, "plan: width=%g must be 128, 256, 512 or 1024", s->width);
    if (s->buckets != 1 && s->buckets != 4)
        return error_set(error, "plan: buckets=%g must be 1 or 4", s->buckets);
    if (s->result_weight + s->later_weight > 1)
        return error_set(error, "plan: result=%g and later=%g are more than 1", s->result_weight,
                         s->later_weight);
    if (s->self > 0 && (s->student <= 0 || s->student > LAYERS_WIDTH))
        return error_set(error, "plan: self=1 wants a student of 64 to %d units", LAYERS_WIDTH);
    if (s->pupil != (int)s->pupil)
        return error_set(error, "plan: pupil=%g must be a whole number", s->pupil);
    if ((int)s->batch % 256 || s->batch != (int)s->batch)
        return error_set(error, "plan: batch=%g must be a multiple of 256", s->batch);
    if ((int)s->student % 64 || s->student != (int)s->student)
        return error_set(error, "plan: student=%g must be a multiple of 64", s->student);
    return true;
}

static bool plan_read_text(LearnPlan *plan, const char *text, Error *error)
{
    char copy[PLAN_SIZE], *rest = copy, *part;
    if (strlen(text) >= sizeof copy)
        return error_set(error, "plan: the text is too long");
    strcpy(copy, text);
    plan->count = 0;
    LearnStage stage = {.width = 128,
                        .buckets = 1,
                        .generations = 1,
                        .play_s = 10,
                        .train_s = 5,
                        .nodes = 400,
                        .result_weight = 0.1,
                        .trial = -1,
                        .rate = 1e-3,
                        .end_rate = 1e-5,
                        .every = 1,
                        .threats = 1,
                        .batch = STUDENT_BATCH,
                        .epsilon = 1e-5};
    while ((part = str_split(&rest, ";"))) {
        char *word;
        if (plan->count == PLAN_STAGES)
            return error_set(error, "plan: more than %d stages", PLAN_STAGES);
        while ((word = str_split(&part, " \t\n")))
            if (*word && !setting_read(&stage, word, error))
                return false;
        if (!stage_is_ok(&stage, error))
            return false;
        plan->stages[plan->count++] = stage;
    }
    return true;
}

bool learn_plan_read(LearnPlan *plan, const char *text, Error *error)
{
    if (*text != '@')
        return plan_read_text(plan, text, error);
    char *file = file_read(text + 1, PLAN_SIZE, NULL, error);
    bool ok = file && plan_read_text(plan, file, error);
    free(file);
    return ok;
}

int learn_plan_stage(const LearnPlan *plan, int generation)
{
    double end = 0;
    for (int i = 0; i < plan->count; i++) {
        end += plan->stages[i].generations;
        if (generation < end)
            return i;
    }
    return -1;
}
