// The Engine: options, position, and the life of a search from go to best move.
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "base/parked.h"
#include "core/movegen.h"
#include "engine/endings.h"
#include "engine/engine_int.h"
#include "engine/search.h"
#include "engine/strength.h"
#include "engine/wdl.h"
#include "tables/book.h"
#include "tables/places.h"

struct Engine {
    EngineOptions options;
    Tunables tunables;
    HashTable hash;
    Net *nets[VARIANT_COUNT]; // NULL: the hand-written evaluation
    int vector_code;          // that networks run with
    Tables *tables;           // NULL: none
    Book *book;               // NULL: none
    Worker **workers;
    int worker_count;
    Search search;
    Recent recent;         // of the game, for weaker play
    GameMemory own_memory; // of a game whose player keeps none
    GameMemory *memory;    // of the game that is searched
    BestCallback *on_best;

    // One for each worker, asleep between searches; made when first needed.
    ParkedThread **threads;
    int thread_count;

    // The background search. `is_thinking` changes under the mutex.
    Mutex mutex;
    Signal signal;
    bool is_thinking;
    bool stop_asked; // by engine_stop: the best move need not wait any more
};

EngineOptions engine_default_options(void)
{
    return (EngineOptions){.hash_mb = 16,
                           .threads = 1,
                           .multi_pv = 1,
                           .move_overhead_ms = 10,
                           .skill = SKILL_MAX,
                           .elo = 2000,
                           .table_depth = 1,
                           .table_men = TABLE_MEN_MAX,
                           .table_fifty_rule = true};
}

SearchLimits search_limits_none(void)
{
    return (SearchLimits){.time_ms = {TIME_UNSET, TIME_UNSET}, .move_time_ms = TIME_UNSET};
}

GameMemory game_memory_none(void)
{
    return (GameMemory){.last_score = SCORE_NONE};
}

// --- options ---------------------------------------------------------------------------------

static bool check_range(const char *name, int value, int least, int greatest, Error *error)
{
    return (value >= least && value <= greatest) ||
           error_set(error, "%s must be from %d to %d, not %d", name, least, greatest, value);
}

static bool check_options(const EngineOptions *o, Error *error)
{
    return check_range("Hash", o->hash_mb, 1, HASH_MB_MAX, error) &&
           check_range("Threads", o->threads, 1, THREADS_MAX, error) &&
           check_range("MultiPV", o->multi_pv, 1, MULTI_PV_MAX, error) &&
           check_range("Move Overhead", o->move_overhead_ms, 0, MOVE_OVERHEAD_MS_MAX, error) &&
           check_range("Skill Level", o->skill, 0, SKILL_MAX, error) &&
           check_range("UCI_Elo", o->elo, ELO_MIN, ELO_MAX, error) &&
           check_range("SyzygyProbeDepth", o->table_depth, 1, TABLE_DEPTH_MAX, error) &&
           check_range("SyzygyProbeLimit", o->table_men, 0, TABLE_MEN_MAX, error);
}

static void free_workers(Worker **workers, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (workers[i])
            evaluator_release(&workers[i]->evaluator);
        free(workers[i]);
    }
}

// Ends the threads from number `count` on.
static void end_threads(Engine *e, int count)
{
    while (e->thread_count > count)
        parked_free(e->threads[--e->thread_count]);
    if (!count) {
        free(e->threads);
        e->threads = NULL;
    }
}

// More workers than the memory holds would be promised to us and then kill us.
static bool has_memory_for(int workers)
{
#ifdef _SC_PHYS_PAGES
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return memory <= 0 || (double)sizeof(Histories) * workers < memory / 2;
#else
    (void)workers;
    return true;
#endif
}

static bool set_threads(Engine *e, int threads, Error *error)
{
    if (threads == e->worker_count)
        return true;
    if (!has_memory_for(threads))
        return error_set(error, "no memory for %d threads", threads);
    Worker **workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return error_set(error, "no memory for %d threads", threads);
    for (int i = 0; i < threads; i++) {
        workers[i] = i < e->worker_count ? e->workers[i] : calloc(1, sizeof(Worker));
        if (workers[i])
            workers[i]->evaluator.vector_code = e->vector_code;
        if (!workers[i] || !evaluator_set_nets(&workers[i]->evaluator, e->nets, error)) {
            free_workers(workers, e->worker_count, i + 1);
            free(workers);
            return error_set(error, "no memory for %d threads", threads);
        }
        workers[i]->index = i;
        workers[i]->tunables = workers[i]->evaluator.tunables = &e->tunables;
        if (i >= e->worker_count)
            workers[i]->is_fresh = true;
    }
    end_threads(e, 0);
    free_workers(e->workers, threads, e->worker_count);
    free(e->workers);
    e->workers = workers;
    e->worker_count = threads;
    return true;
}

static bool set_hash(Engine *e, int megabytes, Error *error)
{
    if (e->hash.clusters && e->options.hash_mb == megabytes)
        return true;
    HashTable table;
    if (!hash_init(&table, megabytes, error))
        return false;
    hash_release(&e->hash);
    e->hash = table;
    return true;
}

static bool is_busy(Engine *e, Error *error)
{
    if (!engine_is_thinking(e))
        return false;
    error_set(error, "not while thinking");
    return true;
}

bool engine_set_options(Engine *e, const EngineOptions *options, Error *error)
{
    if (is_busy(e, error) || !check_options(options, error))
        return false;
    int threads = e->worker_count;
    if (!set_threads(e, options->threads, error))
        return false;
    if (!set_hash(e, options->hash_mb, error)) {
        set_threads(e, threads, NULL);
        return false;
    }
    e->options = *options;
    return true;
}

const EngineOptions *engine_options(const Engine *e)
{
    return &e->options;
}

HashTable *engine_hash(Engine *e)
{
    return &e->hash;
}

// Puts a network (or none) in the place of a variant's; false, and all as before, without the
// memory.
static bool set_net(Engine *e, int variant, Net *net, Error *error)
{
    Net *nets[VARIANT_COUNT];
    memcpy(nets, e->nets, sizeof nets);
    nets[variant] = net;
    for (int i = 0; i < e->worker_count; i++)
        if (!evaluator_set_nets(&e->workers[i]->evaluator, nets, error)) {
            while (i-- >
                   0) // these were made once before, but even so it may fail: then they do without
                if (!evaluator_set_nets(&e->workers[i]->evaluator, e->nets, NULL))
                    evaluator_release(&e->workers[i]->evaluator);
            return false;
        }
    net_free(e->nets[variant]);
    e->nets[variant] = net;
    return true;
}

static bool adopt_net(Engine *e, Net *net, const char *name, Error *error)
{
    const Rules *rules = net ? rules_find(net->info.variant) : NULL;
    if (net && !rules)
        error_set(error, "%s: a network for an unknown game", name);
    if (rules && set_net(e, (int)(rules - VARIANTS), net, error))
        return true;
    net_free(net);
    return false;
}

static void adopt_built_in_nets(Engine *e)
{
    Net *net;
    for (int i = 0; (net = net_from_program(i, NULL)); i++)
        adopt_net(e, net, "built-in network", NULL);
}

bool engine_load_net(Engine *e, const char *path, Error *error)
{
    if (is_busy(e, error))
        return false;
    bool is_file = *path && strcmp(path, "none"), is_done = true;
    if (is_file)
        is_done = adopt_net(e, net_from_file(path, error), path, error);
    for (int v = 0; v < VARIANT_COUNT && !is_file; v++)
        is_done &= set_net(e, v, NULL, error);
    if (!*path)
        adopt_built_in_nets(e);
    if (is_done) // what was learned with another evaluation misleads
        engine_new_game(e, NULL);
    return is_done;
}

bool engine_load_tables(Engine *e, const char *folders, Error *error)
{
    if (is_busy(e, error))
        return false;
    if (!e->tables && !(e->tables = tables_new("", error)))
        return false;
    if (!tables_set_syzygy(e->tables, folders, error))
        return false;
    engine_new_game(e, NULL); // scores from other tables mislead
    return true;
}

bool engine_load_own_tables(Engine *e, const char *folders, Error *error)
{
    if (is_busy(e, error))
        return false;
    if (!e->tables && !(e->tables = tables_new("", error)))
        return false;
    if (!tables_add_own(e->tables, folders, error))
        return false;
    engine_new_game(e, NULL);
    return true;
}

void engine_load_usual_tables(Engine *e)
{
    char folders[PLACES_SIZE];
    if (places_find_tables(folders))
        engine_load_own_tables(e, folders, NULL);
}

bool engine_load_book(Engine *e, const char *path, Error *error)
{
    if (is_busy(e, error))
        return false;
    bool is_none = !strcmp(path, "none");
    Book *book = *path ? NULL : book_built_in(error);
    if (*path && !is_none)
        book = book_open(path, error);
    if (!book && !is_none)
        return false;
    book_close(e->book);
    e->book = book;
    return true;
}

Move engine_book_move(const Engine *e, uint64_t seed)
{
    const Position *pos = &e->search.root;
    return e->book ? book_choose(e->book, pos, seed ^ pos->state.key) : MOVE_NONE;
}

Tables *engine_tables(const Engine *e)
{
    return e->tables;
}

#ifdef TUNE
bool engine_set_tunable(Engine *e, const char *name, int value)
{
    int *values = (int *)&e->tunables;
    for (int i = 0; TUNABLE_INFO[i].name; i++)
        if (!strcmp(TUNABLE_INFO[i].name, name)) {
            values[i] = value;
            search_init_reductions(&e->search, &e->tunables);
            return true;
        }
    return false;
}
#endif

// --- life ------------------------------------------------------------------------------------

// Every game of its own takes other moves from a book.
static void begin_own_memory(Engine *e)
{
    e->own_memory = game_memory_none();
    e->own_memory.seed = (uint64_t)clock_ns();
}

Engine *engine_new(const EngineOptions *options, Error *error)
{
    EngineOptions wanted = options ? *options : engine_default_options();
    Engine *e = calloc(1, sizeof *e);
    if (!e) {
        error_set(error, "no memory for an engine");
        return NULL;
    }
    search_init_tables();
    mutex_init(&e->mutex);
    signal_init(&e->signal);
    e->tunables = TUNABLE_DEFAULTS;
    e->vector_code = wanted.vector_code;
    begin_own_memory(e);
    search_init_reductions(&e->search, &e->tunables);
    e->book = book_built_in(error);
    if (!e->book || !engine_set_options(e, &wanted, error)) {
        engine_free(e);
        return NULL;
    }
    adopt_built_in_nets(e);
    Position start;
    position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL);
    engine_set_position(e, &start, NULL, 0, NULL);
    return e;
}

void engine_free(Engine *e)
{
    if (!e)
        return;
    engine_stop(e);
    engine_wait(e);
    end_threads(e, 0);
    free_workers(e->workers, 0, e->worker_count);
    free(e->workers);
    for (int v = 0; v < VARIANT_COUNT; v++)
        net_free(e->nets[v]);
    tables_free(e->tables);
    book_close(e->book);
    hash_release(&e->hash);
    signal_release(&e->signal);
    mutex_release(&e->mutex);
    free(e);
}

bool engine_new_game(Engine *e, Error *error)
{
    if (is_busy(e, error))
        return false;
    hash_clear(&e->hash, e->worker_count);
    for (int i = 0; i < e->worker_count; i++)
        worker_clear(e->workers[i]);
    begin_own_memory(e);
    return true;
}

bool engine_set_position(Engine *e, const Position *start, const Move *moves, int count,
                         Error *error)
{
    if (is_busy(e, error))
        return false;
    // Play once to see that all is legal, keeping the last keys in a ring.
    Position pos = *start;
    Recent recent = {.start = *start};
    Key ring[KEYS_BEFORE];
    for (int i = 0; i < count; i++) {
        Undo undo;
        if (!move_is_pseudo_legal(&pos, moves[i]) || !move_is_legal(&pos, moves[i]))
            return error_set(error, "move %d is illegal", i + 1);
        ring[i % KEYS_BEFORE] = pos.state.key;
        if (count - i == RECENT_MOVES)
            recent.start = pos;
        if (count - i <= RECENT_MOVES)
            recent.moves[recent.count++] = moves[i];
        position_make(&pos, moves[i], &undo);
    }
    int kept = count < KEYS_BEFORE ? count : KEYS_BEFORE;
    for (int i = 0; i < kept; i++)
        e->search.game_keys[i] = ring[(count - kept + i) % KEYS_BEFORE];
    e->search.game_key_count = kept;
    e->search.root = pos;
    e->recent = recent;
    return true;
}

const Position *engine_position(const Engine *e)
{
    return &e->search.root;
}

int engine_evaluate(Engine *e)
{
    Evaluator *evaluator = &e->workers[0]->evaluator;
    evaluator_reset(evaluator, &e->search.root);
    return evaluate(evaluator, &e->search.root);
}

const struct Net *engine_net(const Engine *e)
{
    int index = evaluator_net_index(e->search.root.rules, e->nets);
    return index < 0 ? NULL : e->nets[index];
}

Wdl engine_wdl(const Position *pos, int score)
{
    return wdl_of(&WDL_MODEL, bit_count(position_occupied(pos)), score);
}

// --- a search --------------------------------------------------------------------------------

// A book answers in games only: not where somebody wants to see a search.
static Move find_book_move(const Engine *e, const SearchLimits *limits)
{
    bool is_game = e->options.own_book && !limits->infinite && !limits->ponder &&
                   !limits->search_moves && !limits->mate && !e->options.analyse_mode;
    return is_game ? engine_book_move(e, e->memory->seed) : MOVE_NONE;
}

static void prepare(Engine *e, const SearchLimits *limits, int workers, InfoCallback *info,
                    void *context)
{
    Search *s = &e->search;
    s->hash = &e->hash;
    s->workers = e->workers;
    s->worker_count = workers;
    s->options = e->options;
    s->limits = *limits;
    strength_limit(&e->options, &s->limits);
    if (limits->search_moves) {
        int count = limits->search_move_count < MAX_MOVES ? limits->search_move_count : MAX_MOVES;
        memcpy(s->search_moves, limits->search_moves, (size_t)count * sizeof(Move));
        s->limits.search_moves = s->search_moves;
        s->limits.search_move_count = count;
    }
    s->multi_pv = e->options.multi_pv;
    e->memory = limits->memory ? limits->memory : &e->own_memory;
    s->previous_score = e->memory->last_score;
    ClockLag lag = timing_go(&e->memory->watch, limits, s->root.side, s->root.ply,
                             e->options.move_overhead_ms);
    s->time = timing_plan(limits, s->root.side, s->root.ply, &lag);
    atomic_store(&s->stop, false);
    atomic_store(&s->first_home, NULL);
    atomic_store(&s->stop_on_hit, false);
    atomic_store(&s->ponder, limits->ponder);
    s->on_info = info;
    s->context = context;
    hash_new_search(&e->hash);
    for (int i = 0; i < workers; i++)
        worker_prepare(e->workers[i], s);
    s->table_men = 0;
    s->root_is_known = false;
    if (e->tables && !strength_is_limited(&e->options))
        endings_prepare(s, e->tables);
    s->book_move = find_book_move(e, limits);
    if (s->book_move)
        atomic_store(&s->stop, true);
}

// The expected answer: from the line that was told, else from the hash table.
static Move find_ponder(Engine *e, const RootMove *r)
{
    const Move *line;
    if (endings_root_line(&e->search, r, &line) > 1)
        return line[1];
    if (r->pv_count > 1)
        return r->pv[1];
    Position pos = e->search.root;
    Undo undo;
    position_make(&pos, r->move, &undo);
    Move m = hash_probe(&e->hash, hash_key(pos.state.key, pos.state.fifty), 0).move;
    return m && move_is_pseudo_legal(&pos, m) && move_is_legal(&pos, m) ? m : MOVE_NONE;
}

static void finish(Engine *e, SearchResult *result)
{
    Search *s = &e->search;
    memset(result, 0, sizeof *result);
    result->nodes = search_nodes(s);
    result->time_ms = e->memory->watch.used_ms = timing_elapsed(&s->time);
    e->memory->searches++;
    if (s->book_move) {
        result->best = s->book_move;
        result->score = SCORE_NONE;
        return;
    }
    if (!s->workers[0]->root_count) {
        bool is_lost = position_in_check(&s->root) || s->root.rules->no_move_loses;
        result->score = is_lost ? score_mated_in(0) : SCORE_DRAW;
        return;
    }
    Worker *best = search_vote(s);
    int index = 0;
    if (strength_is_limited(&e->options))
        index = strength_choose(best, &e->options, &e->recent,
                                s->root.state.key + e->memory->searches * 0x9e3779b97f4a7c15ull);
    else if (endings_prefer_nearest(best) || best != s->workers[0] ||
             best->root_moves[0].score == -SCORE_INFINITE) // stopped before it could say anything
        search_report(best, 0, best->completed_depth);
    const RootMove *r = &best->root_moves[index];
    result->best = r->move;
    result->ponder = find_ponder(e, r);
    result->score = r->score != -SCORE_INFINITE ? r->score : r->previous_score;
    if (result->score == -SCORE_INFINITE)
        result->score = 0; // stopped before anything was known
    result->score = endings_root_score(s, r, result->score);
    result->depth = best->completed_depth;
    result->seldepth = r->seldepth;
    e->memory->last_score = result->score;
    result->score = evaluator_told(&best->evaluator, result->score);
}

void engine_think(Engine *e, const SearchLimits *limits, InfoCallback *info, void *context,
                  SearchResult *result)
{
    prepare(e, limits, 1, info, context);
    worker_iterate(e->workers[0]);
    atomic_store(&e->search.stop, true);
    finish(e, result);
}

static void run_helper(void *worker)
{
    worker_iterate(worker);
}

// Makes the threads of the workers, where they are not there yet. Without all helpers it goes too.
static bool start_threads(Engine *e, Error *error)
{
    if (!e->threads && !(e->threads = calloc((size_t)e->worker_count, sizeof(ParkedThread *))))
        return error_set(error, "no memory for %d threads", e->worker_count);
    while (e->thread_count < e->worker_count) {
        ParkedThread *thread = parked_new(e->thread_count ? NULL : error);
        if (!thread)
            break;
        e->threads[e->thread_count++] = thread;
    }
    return e->thread_count > 0;
}

// All workers of a background search; this thread is worker 0.
static void run_workers(Engine *e)
{
    Search *s = &e->search;
    int running = min_int(s->worker_count, e->thread_count);
    for (int i = 1; i < running; i++)
        parked_run(e->threads[i], run_helper, s->workers[i]);
    worker_iterate(s->workers[0]);

    // Nothing more to find out, but the rules of UCI forbid to answer yet.
    mutex_lock(&e->mutex);
    while (!e->stop_asked &&
           (s->limits.infinite || atomic_load_explicit(&s->ponder, memory_order_relaxed)))
        signal_wait(&e->signal, &e->mutex);
    mutex_unlock(&e->mutex);

    atomic_store(&s->stop, true);
    for (int i = 1; i < running; i++)
        parked_wait(e->threads[i]);
}

// A weaker level has its move at once; a person would not. Whoever says stop gets it now.
static void pause_like_a_person(Engine *e, Move chosen)
{
    const Search *s = &e->search;
    int64_t pause =
        strength_pause_ms(&e->options, &s->limits, &e->recent, chosen, e->memory->searches);
    mutex_lock(&e->mutex);
    for (int64_t left; !e->stop_asked && (left = pause - timing_elapsed(&s->time)) > 0;)
        signal_wait_ms(&e->signal, &e->mutex, left);
    mutex_unlock(&e->mutex);
}

static void set_thinking(Engine *e, bool is_thinking)
{
    mutex_lock(&e->mutex);
    e->is_thinking = is_thinking;
    e->stop_asked = false;
    signal_all(&e->signal);
    mutex_unlock(&e->mutex);
}

static void run_search(void *context)
{
    Engine *e = context;
    SearchResult result;
    run_workers(e);
    finish(e, &result);
    pause_like_a_person(e, result.best);
    // Who hears the best move may at once give new orders: it must find us ready. They wait for
    // this thread.
    BestCallback *on_best = e->on_best;
    void *user = e->search.context;
    Position root = e->search.root;
    set_thinking(e, false);
    on_best(user, &root, &result);
}

// Until the last answer has been given to its end.
static void wait_for_answer(Engine *e)
{
    if (e->thread_count)
        parked_wait(e->threads[0]);
}

bool engine_go(Engine *e, const SearchLimits *limits, InfoCallback *info, BestCallback *best,
               void *context, Error *error)
{
    if (is_busy(e, error))
        return false;
    wait_for_answer(e);
    if (!start_threads(e, error))
        return false;
    prepare(e, limits, e->worker_count, info, context);
    e->on_best = best;
    set_thinking(e, true);
    parked_run(e->threads[0], run_search, e);
    return true;
}

void engine_stop(Engine *e)
{
    mutex_lock(&e->mutex);
    if (e->is_thinking) {
        e->stop_asked = true;
        atomic_store(&e->search.stop, true);
        signal_all(&e->signal);
    }
    mutex_unlock(&e->mutex);
}

void engine_ponderhit(Engine *e)
{
    mutex_lock(&e->mutex);
    if (e->is_thinking) {
        atomic_store(&e->search.ponder, false);
        if (atomic_load(&e->search.stop_on_hit))
            atomic_store(&e->search.stop, true);
        signal_all(&e->signal);
    }
    mutex_unlock(&e->mutex);
}

bool engine_is_thinking(const Engine *engine)
{
    Engine *e = (Engine *)(uintptr_t)engine; // the lock is no part of what the caller sees
    mutex_lock(&e->mutex);
    bool result = e->is_thinking;
    mutex_unlock(&e->mutex);
    return result;
}

void engine_wait(Engine *e)
{
    mutex_lock(&e->mutex);
    while (e->is_thinking)
        signal_wait(&e->signal, &e->mutex);
    mutex_unlock(&e->mutex);
    wait_for_answer(e);
}
