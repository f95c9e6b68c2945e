// See serve_walk.h.
#include "app/serve_walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "lab/agents/course.h"
#include "server/view.h"

enum { TREE_MOST = 2500, NODES_MOST = 60000 };

static const char *const ENDS[] = {"searched", "leaf", "over", "cut", "stood", "known", "skipped"};

// The method of that name, or COURSE_STEPS.
static CourseStep find_step(const char *name)
{
    int step = 0;
    while (step < COURSE_STEPS && strcmp(COURSE_NAMES[step], name))
        step++;
    return (CourseStep)step;
}

// A window that is open on a side has no bound there.
static json_t *bound_json(int value)
{
    return abs(value) >= SCORE_INFINITE ? json_null() : json_integer(value);
}

static json_t *node_json(const Position *before, const CourseNode *node)
{
    json_t *json =
        json_pack("{s:i, s:s, s:i, s:b, s:i}", "parent", node->parent, "end", ENDS[node->end],
                  "cut_by", node->cut_by, "quiet", node->is_quiet, "ply", node->ply);
    if (json && node->move)
        view_move_names(before, node->move, json);
    if (json && node->end != COURSE_SKIPPED) {
        json_object_set_new(json, "value", json_integer(node->value));
        json_object_set_new(json, "alpha", bound_json(node->alpha));
        json_object_set_new(json, "beta", bound_json(node->beta));
    }
    return json;
}

// The men on the board: the first field of the position's FEN.
static json_t *board_json(const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    fen[strcspn(fen, " ")] = 0;
    return json_string(fen);
}

// All nodes; positions are made again on the way, the parents' first.
static json_t *tree_json(const Position *root, const CourseTree *tree)
{
    json_t *list = json_array();
    Position *positions = malloc((size_t)(tree->count + 1) * sizeof *positions);
    for (int i = 0; positions && i < tree->count; i++) {
        const CourseNode *node = &tree->nodes[i];
        const Position *before = node->parent < 0 ? root : &positions[node->parent];
        json_t *json = node_json(before, node);
        positions[i] = *before;
        Undo undo;
        if (node->move)
            position_make(&positions[i], node->move, &undo);
        json_object_set_new(json, "board", board_json(&positions[i]));
        json_array_append_new(list, json);
    }
    free(positions);
    return list;
}

// Searches once; false when the tree has become too large.
static bool walk(Course *course, const Position *pos, int depth, CourseTree *tree,
                 AgentReport *report)
{
    AgentTask task = agent_task(pos, depth);
    task.nodes = NODES_MOST;
    tree->count = 0;
    tree->is_cut_off = false;
    course_forget(course);
    course_search(course, &task, tree, report);
    return report->is_done && !tree->is_cut_off;
}

json_t *serve_walk(const Position *pos, const char *method, int depth, Error *error)
{
    const CourseStep step = find_step(method);
    if (step == COURSE_STEPS)
        return error_set(error, "there is no method '%.40s'", method), NULL;
    if (!movegen_any(pos))
        return error_set(error, "there is no legal move in this position"), NULL;
    Course *course = course_new(step, error);
    CourseTree tree = {.nodes = calloc(TREE_MOST, sizeof *tree.nodes), .most = TREE_MOST};
    json_t *json = NULL;
    AgentReport report;
    if (course && tree.nodes) {
        while (!walk(course, pos, depth, &tree, &report) && depth > 1)
            depth--;
        json = json_pack("{s:s, s:i, s:i, s:o}", "method", method, "depth", depth, "visited",
                         (int)report.nodes, "nodes", tree_json(pos, &tree));
        if (json)
            json_object_set_new(json, "side", json_string(color_name(pos->side)));
    }
    free(tree.nodes);
    course_free(course);
    return json ? json : (error_set(error, "out of memory"), NULL);
}
