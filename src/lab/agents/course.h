// The methods of a chess program in the order in which a class meets them: each step is the one
// before and one idea more. One search function with a switch for each idea (course.c), so that the
// differences can be read, measured and, with a trace, watched. The rules are core's; it plays
// every variant.
#ifndef LOVAC_LAB_AGENTS_COURSE_H
#define LOVAC_LAB_AGENTS_COURSE_H

#include "lab/agents/agent.h"

typedef enum CourseStep {
    COURSE_MINIMAX,    // the whole tree, men counted at its leaves
    COURSE_ALPHA_BETA, // without what cannot matter
    COURSE_ORDERING,   // captures first, the most valuable man by the least valuable one
    COURSE_QUIESCENCE, // leaves only where nothing can be taken
    COURSE_TABLE,      // positions are remembered, and their best moves tried first
    COURSE_EVALUATION, // the hand-written evaluation instead of counting men
    COURSE_NETWORK,    // the network of the engine instead
    COURSE_STEPS
} CourseStep;

// Their names in descriptions and messages: "minimax", "alphabeta", ...; ends with NULL.
extern const char *const COURSE_NAMES[COURSE_STEPS + 1];

// Why a position was left.
typedef enum CourseEnd {
    COURSE_SEARCHED, // all its moves were tried
    COURSE_LEAF,     // the depth is used up: its value is the evaluation's
    COURSE_OVER,     // mate, stalemate or another end
    COURSE_CUT,      // a move reached beta: the other side will not come here
    COURSE_STOOD,    // in the capture search: good enough without taking anything
    COURSE_KNOWN,    // the table had the answer
    COURSE_SKIPPED   // never looked at: a move of a position that was cut
} CourseEnd;

// A position of the tree as it was walked through, the root first, children in the order in which
// they were tried. Bounds and value are for the side to move there.
typedef struct CourseNode {
    int parent; // -1: the root
    Move move;  // that leads to it
    int ply;
    bool is_quiet; // in the capture search
    int alpha, beta, value;
    CourseEnd end;
    int cut_by; // the child that reached beta, or -1
} CourseNode;

typedef struct CourseTree {
    CourseNode *nodes;
    int count, most; // more than `most` positions are not written, and `is_cut_off` says so
    bool is_cut_off;
} CourseTree;

typedef struct Course Course;

// A player of that step; NULL without memory.
Course *course_new(CourseStep step, Error *error);
void course_free(Course *course);

// Forgets what the table knows.
void course_forget(Course *course);

// Searches to task->depth, by depths 1, 2, ... where there is a table. `tree` (may be NULL) gets
// the tree of the last depth.
void course_search(Course *course, const AgentTask *task, CourseTree *tree, AgentReport *report);

// The row of the list.
bool course_check(const PlayerSpec *spec, Error *error);
Player *course_player(const PlayerSpec *spec, Engine *engine, Error *error);

#endif
