// A thinking engine: owns its hash table, its workers and their histories. Any number can live in
// one process. Give it a position, then let it think in the background (engine_go) or here and now
// (engine_think). All functions of one engine are called from one thread, save engine_stop,
// engine_ponderhit and engine_is_thinking, which any thread may call at any time.
#ifndef LOVAC_ENGINE_ENGINE_H
#define LOVAC_ENGINE_ENGINE_H

#include <stdatomic.h>

#include "core/position.h"
#include "engine/score.h"

typedef struct Engine Engine;

enum {
    HASH_MB_MAX = 1 << 20,
    THREADS_MAX = 1024,
    MULTI_PV_MAX = 256,
    MOVE_OVERHEAD_MS_MAX = 5000,
    SKILL_MAX = 20, // full strength
    ELO_MIN = 800,
    ELO_MAX = 2800,
    TABLE_DEPTH_MAX = 100,
    TABLE_MEN_MAX = 7,
};

typedef struct EngineOptions {
    int hash_mb;
    int threads;
    int multi_pv;
    int move_overhead_ms; // kept in hand for what the clock counts beside our thinking
    int skill;            // 0..SKILL_MAX
    bool limit_strength;  // play at `elo` instead of by `skill`
    int elo;
    bool human_pace;       // below full strength engine_go answers no sooner than a person would
    bool analyse_mode;     // study, not a game: at full strength and at once, whatever the level
    int table_depth;       // least depth left at which tables with the most men are asked
    int table_men;         // ask tables with at most so many men
    bool table_fifty_rule; // what the fifty-move rule ends is a draw
    bool own_book;         // play from the book (engine_load_book), where it can
    int vector_code;       // of networks, by nnue_kernel_name; 0: the best. Fixed by engine_new
} EngineOptions;

// 16 MB, one thread, full strength.
EngineOptions engine_default_options(void);

// A new engine, or NULL (with the reason) when memory or threads cannot be had. NULL options: the
// defaults.
Engine *engine_new(const EngineOptions *options, Error *error);

// Stops thinking, if any, and frees everything.
void engine_free(Engine *engine);

// Changes options; false, and everything as before, when out of range, out of memory or while
// thinking.
bool engine_set_options(Engine *engine, const EngineOptions *options, Error *error);
const EngineOptions *engine_options(const Engine *engine);

// Loads an evaluation network for its variant from a file; "" goes back to the built-in networks,
// "none" to the hand-written evaluation of every game. On failure, or while thinking, the former
// one stays.
bool engine_load_net(Engine *engine, const char *path, Error *error);

// Uses the Syzygy tables of these folders (see tables/probe.h); "" for none. On failure, or while
// thinking, the former ones stay.
bool engine_load_tables(Engine *engine, const char *folders, Error *error);

// The same for Lovac's own tables of one or more folders, beside those.
bool engine_load_own_tables(Engine *engine, const char *folders, Error *error);

// Lovac's own tables where they usually are (tables/places.h), if there are any: for those who play
// or analyse for a person. A new engine has none, so that what it does depends on nothing but it.
void engine_load_usual_tables(Engine *engine);

// The tables in use; NULL before any were. They are the engine's.
struct Tables *engine_tables(const Engine *engine);

// Opens an opening book (see tables/book.h), for `own_book`; "" for the built-in one, which a new
// engine has, "none" for none. On failure, or while thinking, the former one stays.
bool engine_load_book(Engine *engine, const char *path, Error *error);

// A move of the book for the current position, by weight and the game's seed, whether `own_book` is
// on or not; MOVE_NONE when there is no book, or the book does not know.
Move engine_book_move(const Engine *engine, uint64_t seed);

// Forgets everything learned: hash table and histories. False while thinking.
bool engine_new_game(Engine *engine, Error *error);

// The position to think about: a start and the moves from it, which must be legal; earlier
// positions count for repetition. On failure, or while thinking, the former position stays.
bool engine_set_position(Engine *engine, const Position *start, const Move *moves, int count,
                         Error *error);
const Position *engine_position(const Engine *engine);

enum { TIME_UNSET = -1 };

// The last move of a game, to see from the next clock how long it took as others saw it.
typedef struct ClockWatch {
    int64_t time_ms; // on the clock when we began; 0: no clock
    int64_t used_ms; // by our own reckoning
    double usual_ms, worst_ms;
    Color side;
    int ply;
} ClockWatch;

// What an engine keeps from move to move of one game of one side. Whoever lets an engine play
// several games at a time keeps one for each.
typedef struct GameMemory {
    ClockWatch watch;
    int last_score;    // of the last search, SCORE_NONE at first
    uint64_t searches; // part of the seed of weaker play
    uint64_t seed;     // of the moves from a book
} GameMemory;

// That of a game which begins.
GameMemory game_memory_none(void);

// What bounds a search. Zero-initialise with search_limits_none(); several bounds may be given
// together.
typedef struct SearchLimits {
    int64_t time_ms[2], increment_ms[2]; // the clocks, by colour; TIME_UNSET when there is none
    int moves_to_go;                     // until the next time control; 0: the rest of the game
    int64_t move_time_ms;                // exactly so long; TIME_UNSET when not asked
    uint64_t nodes;                      // at most so many nodes, by all workers; 0: no bound
    uint64_t soft_nodes;                 // begin no new iteration after so many nodes; 0: no bound
    int depth;                           // at most so deep; 0: no bound
    int mate;                            // stop when a mate in so many moves is found; 0: not asked
    bool infinite;                       // until engine_stop
    bool ponder;                         // the clock starts with engine_ponderhit
    const Move *search_moves;            // consider only these (copied); NULL: all
    int search_move_count;
    const atomic_bool *stopped; // once true the search ends, as by engine_stop; may be NULL
    GameMemory *memory; // of the game, until the search is over; NULL: the engine's own, which
                        // engine_new_game clears
} SearchLimits;

SearchLimits search_limits_none(void);

typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

// Win, draw and loss in thousandths, for the side to move.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

typedef enum InfoKind { INFO_LINE, INFO_CURRENT_MOVE } InfoKind;

// What a search tells while it goes on. Pointers are valid during the callback only.
typedef struct SearchInfo {
    InfoKind kind;
    int depth, seldepth;
    int multi_pv; // line number, from 1
    int score;    // see score.h
    Bound bound;  // BOUND_EXACT, or what a failed window proved
    Wdl wdl;
    uint64_t nodes, table_hits;
    int64_t time_ms;
    int hashfull; // thousandths
    const Move *pv;
    int pv_count;
    Move current_move;  // INFO_CURRENT_MOVE
    int current_number; // from 1
} SearchInfo;

typedef struct SearchResult {
    Move best;   // MOVE_NONE when there is no legal move; with SCORE_NONE it is from the book
    Move ponder; // the expected answer, or MOVE_NONE
    int score;   // of the best line
    int depth;   // last completed iteration of the best worker
    int seldepth;
    uint64_t nodes;
    int64_t time_ms;
} SearchResult;

// Called from the engine's threads, one call at a time. `info` may be NULL. `best` comes exactly
// once for each accepted engine_go.
typedef void InfoCallback(void *context, const Position *root, const SearchInfo *info);
typedef void BestCallback(void *context, const Position *root, const SearchResult *result);

// Starts thinking in the background and returns at once; false while already thinking, or without
// a thread. The threads are made by the first search and sleep between searches.
// With `infinite` or `ponder` the best move comes only after engine_stop or engine_ponderhit.
bool engine_go(Engine *engine, const SearchLimits *limits, InfoCallback *info, BestCallback *best,
               void *context, Error *error);

// Ends the thinking soon; the best move still comes through the callback. Harmless when not
// thinking.
void engine_stop(Engine *engine);

// The expected move was played: from now on the clock counts. Harmless when not pondering.
void engine_ponderhit(Engine *engine);

bool engine_is_thinking(const Engine *engine);

// Waits until the best move has been given; not from within the callbacks.
void engine_wait(Engine *engine);

// Thinks in the caller's thread with one worker and returns when done: the way for self-play and
// matches in one process. No thread is made, nothing is allocated. Same search, same result as
// engine_go with one thread.
void engine_think(Engine *engine, const SearchLimits *limits, InfoCallback *info, void *context,
                  SearchResult *result);

// The static evaluation of the current position for the side to move, in centipawns.
int engine_evaluate(Engine *engine);

// The network that serves the game of the current position; NULL for none. It is the engine's.
const struct Net *engine_net(const Engine *engine);

// Win, draw and loss as the engine expects them for a score in that position.
Wdl engine_wdl(const Position *pos, int score);

#ifdef TUNE
// Tunables as options of a tuning build; false for an unknown name.
bool engine_set_tunable(Engine *engine, const char *name, int value);
#endif

#endif
