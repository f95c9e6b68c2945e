// "A step of the class": positions visited and time to each depth by a method and by the one before
// it (lab/agents/course.h), on the reader's machine.
#include <stddef.h>

#include "app/serve_lab.h"
#include "base/clock.h"
#include "core/movegen.h"
#include "lab/agents/course.h"
#include "server/runner.h"

enum { DEPTH_MOST = 8, NODES_MOST = 40000000 };

typedef struct Cost {
    uint64_t nodes; // 0: not searched
    double ms;
    int score;
} Cost;

// Searches to a depth, unless the one before it says that this takes too long.
static bool measure(const Run *run, CourseStep step, const Position *pos, int depth,
                    const Cost *before, Cost *cost, Error *error)
{
    *cost = (Cost){0};
    if (depth > 1 && (!before->nodes || before->nodes > NODES_MOST / 12))
        return true;
    Course *course = course_new(step, error);
    if (!course)
        return false;
    AgentTask task = agent_task(pos, depth);
    AgentReport report;
    task.stop = run_stop(run);
    const int64_t begin = clock_thread_ns();
    course_search(course, &task, NULL, &report);
    if (report.is_done)
        *cost = (Cost){report.nodes, (double)(clock_thread_ns() - begin) / 1e6, report.score};
    course_free(course);
    return true;
}

static void add_cost(Cell *cells, const Cost *cost)
{
    cells[0] = cost->nodes ? cell_count(cost->nodes) : cell_none();
    cells[1] = cost->nodes ? cell_real(cost->ms) : cell_none();
    cells[2] = cost->nodes ? cell_real(cost->score / 100.0) : cell_none();
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    (void)context;
    const CourseStep step = (CourseStep)choice_value(&LAB_STEPS, values, "step")->number;
    const int depth = (int)choice_value(&LAB_STEPS, values, "depth")->number;
    const Position *pos = &choice_value(&LAB_STEPS, values, "fen")->start;
    Cost costs[2] = {{0}, {0}};
    if (!movegen_any(pos))
        return error_set(error, "there is no legal move in this position");
    for (int d = 1; d <= depth && !run_is_stopped(run); d++) {
        Cell cells[COLUMNS_MAX];
        int width = run_kept(run, 0, d - 1, cells);
        for (int i = 0; i < 2 && !width && !run_is_stopped(run); i++) {
            const Cost before = costs[i];
            if ((i || step) &&
                !measure(run, i ? step : step - 1, pos, d, &before, &costs[i], error))
                return false;
        }
        if (run_is_stopped(run))
            break;
        if (!width) {
            cells[0] = cell_count((uint64_t)d);
            add_cost(cells + 1, &costs[0]);
            add_cost(cells + 4, &costs[1]);
        } else {
            for (int i = 0; i < 2; i++)
                costs[i].nodes = (uint64_t)cells[1 + 3 * i].count;
        }
        run_row(run, 0, d - 1, cells, 7);
        run_progress(run, (double)d / depth, -1);
    }
    return true;
}

const Experiment LAB_STEPS = {
    .key = "steps",
    .title = "A step of the class",
    .text = "Positions visited to each depth by a method and by the one before it: minimax, "
            "alpha-beta, ordering, quiescence, table, evaluation, network.",
    .choices = {{.key = "step",
                 .title = "Method",
                 .kind = CHOICE_WORD,
                 .words = COURSE_NAMES,
                 .usual = COURSE_ALPHA_BETA},
                {.key = "variant", .title = "Game", .kind = CHOICE_VARIANT},
                {.key = "fen", .title = "Position (FEN)", .kind = CHOICE_FEN},
                {.key = "depth",
                 .title = "Depth",
                 .kind = CHOICE_NUMBER,
                 .low = 1,
                 .high = DEPTH_MOST,
                 .usual = 5}},
    .tables = {{.key = "steps",
                .title = "Positions visited, time and value",
                .columns = {{"depth", "Depth", COLUMN_COUNT, false},
                            {"before_nodes", "Before: positions", COLUMN_COUNT, false},
                            {"before_time", "Before: CPU time", COLUMN_TIME_MS, false},
                            {"before_score", "Before: value", COLUMN_REAL, false},
                            {"step_nodes", "Now: positions", COLUMN_COUNT, false},
                            {"step_time", "Now: CPU time", COLUMN_TIME_MS, false},
                            {"step_score", "Now: value", COLUMN_REAL, false}}}},
    .charts = {{.key = "steps",
                .title = "Positions visited by depth",
                .table = "steps",
                .x = "depth",
                .series = {{"before_nodes", NULL, NULL}, {"step_nodes", NULL, NULL}},
                .is_logarithmic = true}},
    .work = work,
};
