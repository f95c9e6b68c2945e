// Weaker play, for people. The level is a real number from 0 to 20; UCI_Elo is translated into it.
#include "engine/strength.h"

#include <math.h>

#include "base/random.h"

enum { LINES = 6 };

static double level_of(const EngineOptions *o)
{
    if (!o->limit_strength)
        return o->skill;
    double share = (double)(o->elo - ELO_MIN) / (ELO_MAX - ELO_MIN);
    return share * (SKILL_MAX - 0.5);
}

bool strength_is_limited(const EngineOptions *o) { return o->limit_strength || o->skill < SKILL_MAX; }

int strength_lines(const EngineOptions *o)
{
    return strength_is_limited(o) && o->multi_pv < LINES ? LINES : o->multi_pv;
}

void strength_limit(const EngineOptions *o, SearchLimits *limits)
{
    if (!strength_is_limited(o))
        return;
    double level = level_of(o);
    uint64_t nodes = (uint64_t)(60 * pow(1.75, level)); // 60 at level 0, 4 million at 20
    int depth = 1 + (int)(level * 0.9);
    if (!limits->nodes || limits->nodes > nodes)
        limits->nodes = nodes;
    if (!limits->depth || limits->depth > depth)
        limits->depth = depth;
}

int strength_choose(const Worker *w, const EngineOptions *o, uint64_t seed)
{
    double weakness = 1 - level_of(o) / SKILL_MAX;
    int count = w->root_count < LINES ? w->root_count : LINES, chosen = 0;
    Random random;
    random_init(&random, seed);
    double best = -1e9;
    for (int i = 0; i < count; i++) {
        int score = w->root_moves[i].score;
        if (score == -SCORE_INFINITE)
            break;
        // A noise that can hide a pawn or two at the lowest level, and nothing at the highest.
        double value = fmax(fmin(score, 1500), -1500) + random_normal(&random) * 150 * weakness * weakness;
        if (value > best) {
            best = value;
            chosen = i;
        }
    }
    return chosen;
}
