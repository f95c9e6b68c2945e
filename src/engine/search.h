// A worker: one thread's share of a search, with its own position, stack and histories.
// search.c holds the tree search, quiesce.c what is below its horizon, iterate.c the deepening and
// the windows around it, picker.c the move ordering. Private to src/engine; others use engine.h.
#ifndef LOVAC_ENGINE_SEARCH_H
#define LOVAC_ENGINE_SEARCH_H

#include <stdatomic.h>

#include "core/movegen.h"
#include "engine/evaluate.h"
#include "engine/hash.h"
#include "engine/history.h"
#include "engine/timing.h"
#include "engine/tunables.h"
#include "tables/probe.h"

enum {
    STACK_BELOW = 8,   // nodes before the root, so that looking back needs no test
    KEYS_BEFORE = 512, // positions of the game remembered for repetition
    REDUCTION_SIZE = 256,
};

// One ply of the line being searched.
typedef struct Node {
    PieceToHistory *continuation; // of the move made here
    PieceToHistory *correction;   // likewise
    Move move;                    // made here, MOVE_NONE for a null move
    Move excluded;                // left out in a singular search
    uint8_t moved;                // the man that moved
    bool in_check, is_pv;         // is_pv: on a principal variation, now or by the hash table
    bool was_hit;                 // the hash table knew this node
    int16_t ply;
    int static_eval; // corrected; SCORE_NONE in check
    int move_count;
    int cutoffs;    // fail-highs among this node's siblings' children
    int reduction;  // of the move being searched, in plies
    int reversible; // plies back to which a repetition may reach
    int pv_count;
    int doubles; // extensions by more than a ply on the line to here
    // Squares that the other side attacks: with pawns, with minors too, with rooks too, with all.
    Bitboard attacked_by_pawn, attacked_by_minor, attacked_by_rook, attacked;
    Undo undo;
    Move pv[MAX_PLY + 2];
} Node;

typedef struct RootMove {
    Move move;
    int score, previous_score, average_score; // score: -SCORE_INFINITE when not searched exactly
    int shown_score;
    Bound bound;
    int seldepth;
    uint64_t nodes;
    int table_rank;  // by the tables; equal without them
    int table_score; // what they make of it
    bool is_nearest; // by the tables, no other move wins sooner
    int pv_count;
    Move pv[MAX_PLY + 2];
} RootMove;

typedef struct ScoredMove {
    Move move;
    int score;
} ScoredMove;

typedef struct Search Search;

typedef struct Worker {
    Search *search;
    const Tunables *tunables; // tuning build
    int index;
    _Atomic uint64_t nodes, table_hits;
    int calls_left; // until the limits are looked at again
    int seldepth, root_depth, completed_depth;
    int root_window; // beta - alpha at the root
    int null_min_ply;
    int line;     // of MultiPV being searched
    int line_end; // root moves from here on are worse by the tables
    int root_count;
    _Atomic int best_changes; // of the move at the top, since the last look
    Position pos;
    Evaluator evaluator;
    Key *key; // of the current position, in keys
    Key keys[KEYS_BEFORE + MAX_PLY + 8];
    Node stack[STACK_BELOW + MAX_PLY + 4];
    RootMove root_moves[MAX_MOVES];
    Move generated[MAX_MOVES]; // scratch of the picker
    ScoredMove
        moves[(MAX_PLY + 8) * 2 * MAX_MOVES]; // the lists of all pickers, one after the other
    int moves_used;
    bool is_fresh; // histories are still empty
    Histories histories;
} Worker;

// What the workers of one search share.
struct Search {
    HashTable *hash;
    Worker **workers;
    int worker_count;
    SearchLimits limits;
    Move search_moves[MAX_MOVES];
    EngineOptions options;
    int multi_pv; // lines to search, for weaker play more than asked
    TimePlan time;
    atomic_bool stop;
    _Atomic(Worker *) first_home; // the first worker to reach the depth asked for
    atomic_bool ponder;           // the clock does not count yet
    atomic_bool stop_on_hit;      // time is up as soon as ponderhit comes
    Tables *tables;               // of the engine
    int table_men;                // ask tables inside the search with at most so many men; 0: never
    int table_depth;              // and with so many men from this depth on
    bool root_is_known;           // the tables rank the root moves
    Move table_line[MAX_PLY + 2]; // to mate, of the root move it begins with
    int table_line_count;
    Move book_move; // instead of a search; MOVE_NONE: none
    Position root;
    Key game_keys[KEYS_BEFORE]; // the last positions before the root, oldest first
    int game_key_count;
    int reductions[REDUCTION_SIZE];
    InfoCallback *on_info;
    void *context;
    int previous_score; // of the last search in this game, SCORE_NONE at first
};

// Once per process, before the first search: the tables of upcoming repetitions.
void search_init_tables(void);

// Fills the reduction table.
void search_init_reductions(Search *search, const Tunables *tunables);

// Forgets what a worker has learned.
void worker_clear(Worker *worker);

// Sets a worker on the root of a search: position, keys, root moves.
void worker_prepare(Worker *worker, Search *search);

// Iterative deepening until a limit or `stop`. Worker 0 reports.
void worker_iterate(Worker *worker);

// The tree search and quiescence; for iterate.c.
int worker_search_root(Worker *worker, int alpha, int beta, int depth);

// The worker whose move is to be played: the first to reach the depth asked for, else the one whose
// move has the most support; depth and score are the votes.
Worker *search_vote(const Search *search);

// Nodes and table hits of all workers.
uint64_t search_nodes(const Search *search);
uint64_t search_table_hits(const Search *search);

// Looks at clock and node limits, and sets `stop`; called by every worker now and then.
void search_check_limits(Search *search);

// Reports line `line` of the main worker.
void search_report(Worker *worker, int line, int depth);

static inline bool search_is_stopped(const Search *search)
{
    return atomic_load_explicit(&search->stop, memory_order_relaxed);
}
static inline uint64_t worker_nodes(const Worker *worker)
{
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}
// What a man is worth where only margins and order matter; the king and no man at all nothing.
static inline int man_worth(PieceType type)
{
    static const int WORTH[TYPE_COUNT + 1] = {100, 320, 330, 500, 950, 0, 0};
    return WORTH[type];
}

// Captures and promotions to a queen, as the search sees them; in a game of captures only, nothing
// is noisy.
static inline bool move_is_noisy(const Position *pos, Move m)
{
    return !pos->rules->must_capture &&
           (move_is_capture(m) || (move_is_promotion(m) && move_promotion(m) == QUEEN));
}

static inline Node *worker_root(Worker *worker)
{
    return &worker->stack[STACK_BELOW];
}

#endif
