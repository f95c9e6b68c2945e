// The server's thinking: worker threads, each with an engine and the players that it was asked for,
// that share out moves, hints, analyses and reviews. Whoever has used least of their time goes
// first, by address and then by client (shares.h); short work goes before long. Long work gives way
// when others wait who have used less: an analysis or a review goes on later, a move of the engine
// is what has been found by then. All functions are called from the event loop; reports come back
// through thinker_take after `wake` has been called (from a worker).
#ifndef LOVAC_SERVER_THINKER_H
#define LOVAC_SERVER_THINKER_H

#include "engine/review.h"
#include "play/player_list.h"
#include "server/knowledge.h"
#include "server/secret.h"
#include "server/shares.h"

typedef struct Thinker Thinker;

typedef struct ThinkerConfig {
    int workers, hash_mb;      // of each
    const PlayerList *players; // who may be asked for moves; NULL: the kinds of src/play
    KnowledgePlaces knowledge; // that its engines have; must last as long as the thinker
    void (*wake)(void *context);
    void *context;
} ThinkerConfig;

Thinker *thinker_new(const ThinkerConfig *config, Error *error);

// Stops all workers for good; nothing is reported any more.
void thinker_stop(Thinker *thinker);

// Stops, if that was not done, and frees everything.
void thinker_free(Thinker *thinker);

typedef enum TaskKind { TASK_MOVE, TASK_HINT, TASK_ANALYSIS, TASK_REVIEW } TaskKind;

enum { LINES_MAX = 5, LINE_LENGTH_MAX = 24 };

// What to think about. The thinker copies it.
typedef struct TaskSpec {
    TaskKind kind;
    const Position *start;
    const Move *moves;
    int count;
    SearchLimits limits;           // of a review: for each position
    char player[PLAYER_TEXT_SIZE]; // TASK_MOVE: whose (player_list_find); TASK_ANALYSIS: a listed
                                   // engine that speaks UCI, or "" for our own
    PlayerGame own;                // TASK_MOVE: what that side remembers of the game
    int64_t left_ms;               // TASK_MOVE: its clock, for its pace; below 0: none
    bool no_book;                  // TASK_MOVE: it has to think from the first move on
    int lines;                     // TASK_ANALYSIS; this and the next two
    int threads, hash_mb;          // 0: as usual
    int64_t cost_ms;               // TASK_MOVE: about how long it takes; 0: nobody knows
    char room[SECRET_SIZE];        // for whom: come back in the reports
    uint64_t client;               // who asked, from where: that share it uses
    char address[ADDRESS_SIZE];
} TaskSpec;

// Returns the task's number, 0 when there is no memory.
uint64_t thinker_submit(Thinker *thinker, const TaskSpec *spec);

// The result is no longer wanted: nothing more is reported.
void thinker_cancel(Thinker *thinker, uint64_t task);

typedef struct Line {
    int depth, seldepth, score; // score for the side to move
    Wdl wdl;
    Move moves[LINE_LENGTH_MAX];
    int count;
} Line;

typedef enum ReportKind {
    REPORT_STARTED,  // a worker has taken the task
    REPORT_WAITING,  // it gave way to others; a move begins anew later
    REPORT_LINES,    // news of a search
    REPORT_PROGRESS, // of a review: done of total
    REPORT_DONE,     // the end: move, or findings of a review
    REPORT_FAILED    // the end: error says why
} ReportKind;

typedef struct Report {
    ReportKind kind;
    TaskKind task_kind;
    uint64_t task;
    char room[SECRET_SIZE];
    uint64_t client;
    Move move;
    int score;         // of the move, for the side to move, or SCORE_NONE
    bool has_resigned; // instead of a move
    PlayerGame own;    // TASK_MOVE: what the side remembers now
    int64_t pause_ms;  // TASK_MOVE: how long people should believe that it thought
    Line lines[LINES_MAX];
    int line_count;
    uint64_t nodes;
    int64_t time_ms;
    int sharing; // of an analysis: with so many others it shares the workers in turn; 0: alone
    int done, total;
    Finding *findings; // of a review: count + 1 of them
    Error error;
    struct Report *next;
} Report;

// The next report, or NULL; report_free gives it back.
Report *thinker_take(Thinker *thinker);
void report_free(Report *report);

#endif
