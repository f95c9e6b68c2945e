// See teach.h.
#include "lab/teach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "core/movegen.h"
#include "lab/agents/network.h"
#include "lab/data_tools.h"

enum { HELD_MAX = 2000, SCORED_MAX = 2000, REPORTS_MAX = 20 };
#define HOLD_OUT 0.1

TeachConfig teach_default(void)
{
    return (TeachConfig){.middle = 200, .positions = 50000, .epochs = 10, .rate = 0.01, .seed = 1};
}

// A position and the move that was played in it.
typedef struct Lesson {
    Position pos;
    Move move;
} Lesson;

typedef struct Lessons {
    Lesson *at;
    int count, most;
    long seen; // candidates so far
} Lessons;

typedef struct Teacher {
    const TeachConfig *config;
    Lessons taught, held;
    Random random;
    Brain *brain;
    double *gradient, *scratch, *targets, *outputs;
} Teacher;

// ---- Lessons ----

// Of all candidates each has the same chance to be among the `most` that are kept.
static void keep(Lessons *lessons, const Position *pos, Move move, Random *random)
{
    const uint64_t seen = (uint64_t)++lessons->seen;
    const uint64_t place =
        lessons->count < lessons->most ? (uint64_t)lessons->count : random_below(random, seen);
    if (place >= (uint64_t)lessons->most)
        return;
    lessons->at[place] = (Lesson){*pos, move};
    lessons->count = max_int(lessons->count, (int)place + 1);
}

static bool add_game(void *context, const DataGame *game)
{
    Teacher *t = context;
    Position pos = game->start;
    Lessons *lessons = random_unit(&t->random) < HOLD_OUT ? &t->held : &t->taught;
    for (int i = 0; i < game->count; i++) {
        const Move move = game->moves[i];
        Undo undo;
        if (i >= game->opening && (!move_is_promotion(move) || move_promotion(move) == QUEEN))
            keep(lessons, &pos, move, &t->random);
        position_make(&pos, move, &undo);
    }
    return true;
}

static bool load(Teacher *t, Error *error)
{
    uint64_t damages;
    t->taught.most = t->config->positions;
    t->held.most = HELD_MAX;
    t->taught.at = calloc((size_t)t->taught.most, sizeof(Lesson));
    t->held.at = calloc(HELD_MAX, sizeof(Lesson));
    if (!t->taught.at || !t->held.at)
        return error_set(error, "out of memory");
    for (int i = 0; i < t->config->path_count; i++)
        if (!data_visit(t->config->paths[i], NULL, add_game, t, &damages, error))
            return false;
    if (!t->taught.count || !t->held.count)
        return error_set(error, "too few games to learn from");
    return network_plays(t->taught.at[0].pos.rules) ||
           error_set(error, "these are no games of chess");
}

// ---- Learning ----

static bool make_brain(Teacher *t, Error *error)
{
    const BrainShape shape = {.inputs = 64,
                              .middle = t->config->middle,
                              .outputs = t->config->squares ? FULLNET_SQUARES : FULLNET_PARTS};
    t->brain = brain_new(&shape, &t->random);
    if (!t->brain)
        return error_set(error, "out of memory");
    // The men are -6 to 6: larger weights would leave no slope to learn by.
    brain_randomise(t->brain, 0.05, &t->random);
    const size_t nodes = 64 + (size_t)brain_node_count(t->brain);
    t->gradient = calloc((size_t)brain_parameter_count(t->brain), sizeof(double));
    t->scratch = calloc(nodes, sizeof(double));
    t->targets = calloc((size_t)shape.outputs, sizeof(double));
    t->outputs = calloc((size_t)shape.outputs, sizeof(double));
    return (t->gradient && t->scratch && t->targets && t->outputs) ||
           error_set(error, "out of memory");
}

static void show_lesson(Teacher *t, const Lesson *lesson)
{
    fullnet_set_board(t->brain, &lesson->pos);
    fullnet_targets(&lesson->pos, lesson->move, t->brain->outputs, t->targets);
    brain_update_still(t->brain);
}

static void teach_one(Teacher *t, const Lesson *lesson)
{
    const int parameters = brain_parameter_count(t->brain);
    memset(t->gradient, 0, (size_t)parameters * sizeof(double));
    show_lesson(t, lesson);
    brain_gradient(t->brain, t->targets, t->scratch, t->gradient);
    brain_descend(t->brain, t->gradient, t->config->rate);
}

static TeachScore score(Teacher *t, const Lessons *lessons)
{
    const int count = min_int(lessons->count, SCORED_MAX), outputs = t->brain->outputs;
    TeachScore sum = {0};
    for (int i = 0; i < count; i++) {
        const Lesson *lesson = &lessons->at[i];
        show_lesson(t, lesson);
        for (int o = 0; o < outputs; o++) {
            t->outputs[o] = brain_output(t->brain, o);
            sum.loss += pow(t->outputs[o] - t->targets[o], 2) / 2 / count;
        }
        const Move named = fullnet_named_move(&lesson->pos, outputs, t->outputs);
        sum.legal += (named != MOVE_NONE) / (double)count;
        sum.same += (named == lesson->move) / (double)count;
        sum.near += (fullnet_nearest_move(&lesson->pos, outputs, t->outputs) == lesson->move) /
                    (double)count;
    }
    return sum;
}

static double chance_of(const Lessons *lessons)
{
    double sum = 0;
    for (int i = 0; i < lessons->count; i++)
        sum += 1.0 / movegen_count(&lessons->at[i].pos);
    return sum / lessons->count;
}

static void shuffle(Lessons *lessons, Random *random)
{
    for (int i = lessons->count; i > 1; i--) {
        const int k = (int)random_below(random, (uint64_t)i);
        const Lesson swap = lessons->at[i - 1];
        lessons->at[i - 1] = lessons->at[k];
        lessons->at[k] = swap;
    }
}

static void learn(Teacher *t, Progress *progress, TeachCallback *callback, void *context)
{
    const int64_t start = clock_ms();
    TeachReport report = {.parameters = brain_parameter_count(t->brain),
                          .positions = t->taught.count,
                          .held_positions = t->held.count,
                          .chance = chance_of(&t->held)};
    for (;; report.epoch++) {
        const bool is_last = report.epoch == t->config->epochs || stop_is_set(t->config->stop);
        if (is_last || report.epoch % (1 + t->config->epochs / REPORTS_MAX) == 0) {
            report.taught = score(t, &t->taught);
            report.held = score(t, &t->held);
            report.elapsed_ms = clock_ms() - start;
            callback(context, &report);
        }
        if (is_last)
            return;
        shuffle(&t->taught, &t->random);
        for (int i = 0; i < t->taught.count && !stop_is_set(t->config->stop); i++) {
            teach_one(t, &t->taught.at[i]);
            if (progress)
                progress_add(progress, 1);
        }
    }
}

bool teach_run(const TeachConfig *config, Progress *progress, TeachCallback *callback,
               void *context, Dna *dna, Error *error)
{
    Teacher t = {.config = config};
    random_init(&t.random, config->seed);
    bool ok = load(&t, error) && make_brain(&t, error);
    if (ok) {
        learn(&t, progress, callback, context);
        ok = brain_to_dna(t.brain, dna) || error_set(error, "out of memory");
    }
    brain_free(t.brain);
    free(t.taught.at);
    free(t.held.at);
    free(t.gradient);
    free(t.scratch);
    free(t.targets);
    free(t.outputs);
    return ok;
}
