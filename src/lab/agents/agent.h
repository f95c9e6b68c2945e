// What every textbook agent is asked and what it answers, and how an agent becomes a player. An
// agent is a search function `AgentTask` in, `AgentReport` out: experiments call it directly, and
// agent_player_new wraps it for the list of players. Counting, limits and the order to stop are the
// same for all of them (Effort), so that their figures can stand in one table.
#ifndef LOVAC_LAB_AGENTS_AGENT_H
#define LOVAC_LAB_AGENTS_AGENT_H

#include <stdatomic.h>
#include <stddef.h>

#include "play/player.h"

enum { AGENT_PV_MAX = 64 };

// A position to think about, and for how long. agent_task makes one without limits but the depth.
typedef struct AgentTask {
    const Position *pos;
    const Game *game;        // whose current position it is; NULL: nothing is known of its past
    int depth;               // half-moves, at least 1
    uint64_t nodes;          // give up after so many; 0: never
    int64_t soft_ns;         // begin no deeper search after this moment of clock_ns; 0: never
    int64_t hard_ns;         // give up at this moment; 0: never
    const atomic_bool *stop; // give up once it is true; may be NULL
} AgentTask;

AgentTask agent_task(const Position *pos, int depth);

// What came of it. Counters go on over all depths of iterative deepening.
typedef struct AgentReport {
    Move move;             // MOVE_NONE if it gave up before it had one
    int score;             // centipawns for the side to move; mates as in engine/score.h
    int depth;             // the last depth that was searched completely
    int deepest;           // the longest line looked at, capture search included
    uint64_t nodes;        // positions entered, those of the capture search included
    uint64_t quiet_nodes;  // of these: in the capture (quiescence) search
    uint64_t leaves;       // positions whose value came from the evaluation
    uint64_t generated;    // moves generated
    uint64_t cutoffs;      // positions left early because a move was too good (beta)
    uint64_t first_cut;    // of these: by the first move tried, the measure of good ordering
    uint64_t table_hits;   // positions answered by a transposition table
    Move pv[AGENT_PV_MAX]; // the line it expects
    int pv_count;
    bool is_done; // the whole depth was searched
} AgentReport;

// ---- For the searches ----

// A search at work.
typedef struct Effort {
    const AgentTask *task;
    AgentReport *report;
    bool is_over; // gave up: scores mean nothing any more
} Effort;

// Begins a search with an empty report.
Effort effort_begin(const AgentTask *task, AgentReport *report);

// Looks at flag, clock and node count.
void effort_look(Effort *effort);

// Counts a position, `ply` half-moves from the root; true when the search has to end.
static inline bool effort_enter(Effort *effort, int ply)
{
    AgentReport *report = effort->report;
    report->nodes++;
    report->deepest = ply > report->deepest ? ply : report->deepest;
    if (!(report->nodes & 255) || report->nodes == effort->task->nodes)
        effort_look(effort);
    return effort->is_over;
}

// Counts a cut after `tried` moves.
static inline void effort_cut(Effort *effort, int tried)
{
    effort->report->cutoffs++;
    effort->report->first_cut += tried == 1;
}

// Is there time for a deeper search?
bool effort_may_deepen(const Effort *effort);

// Adds a move in coordinates (e7e8q) to the report's line, and plays it on `walk`; false when it is
// not legal there, or the line is full. For agents with a board of their own.
bool agent_pv_add(AgentReport *report, Position *walk, const char *uci);

// The value of a finished game for the side to move, `ply` half-moves from the root; quicker wins
// are better.
int agent_final_score(const Position *pos, Result result, int ply);

// Sorts moves by what was guessed of them, the greatest first; equal ones keep their order. The
// guesses are sorted with them.
void agent_sort_moves(Move *moves, int *guesses, int count);

// ---- As players ----

// A kind of agent. One without memory and options has neither `open` nor `close`.
typedef struct AgentClass {
    int depth, depth_max; // unless told; at most
    bool deepens;         // goes from depth to depth by itself
    void *(*open)(const PlayerSpec *spec, Error *error);
    void (*close)(void *memory);
    void (*new_game)(void *memory); // may be NULL
    void (*search)(void *memory, const AgentTask *task, AgentReport *report);
    int (*depth_of)(const void *memory); // unless told, where options decide; may be NULL
} AgentClass;

// Makes a player. It searches to its depth. Under a clock an agent that does not deepen by itself
// is asked for depth 1, 2, ... as long as there is time, and its last complete answer counts.
Player *agent_player_new(const AgentClass *class, const PlayerSpec *spec, Error *error);

// The search behind it: `deepens` as above.
void agent_think(const AgentClass *class, void *memory, const AgentTask *task, AgentReport *report);

// A key=value word of a description: a number, a switch (off, on), or a level by its name or its
// number from 1, of which 0 is the first.
typedef struct AgentOption {
    const char *name;
    int *value;
    int low, high;
    const char *const *words; // ends with NULL; NULL: numbers
} AgentOption;

static inline AgentOption agent_number(const char *name, int *value, int low, int high)
{
    return (AgentOption){name, value, low, high, NULL};
}
static inline AgentOption agent_switch(const char *name, int *value)
{
    return (AgentOption){name, value, 0, 1, NULL};
}
static inline AgentOption agent_level(const char *name, int *value, const char *const *words)
{
    return (AgentOption){name, value, 0, 0, words};
}

// Reads the options of a description; every one must be among these.
bool agent_read_options(const PlayerSpec *spec, const AgentOption *options, int count,
                        Error *error);

// Games that an agent with a board of its own for plain chess plays: chess, Corner, Fortress.
bool agent_plays_plain(const Rules *rules);

#endif
