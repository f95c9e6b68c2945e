// See thinker.h. Tasks wait in one list. A worker takes the one whose address has used least, and
// of these the one whose client has; each is reckoned with what it will cost, so that short work
// comes first. A thread of its own, the warden, lets long work give way while others wait. The
// mutex guards list, shares, flags and reports; engines and players belong to their workers. A
// worker's `stop` ends whatever it does, a search or waiting for a process.
#include "server/thinker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/movegen.h"

enum {
    FIRST_SLICE_MS = 400, // the first time, and when somebody waits for his first lines, sooner
    SLICE_MS = 1500,      // an analysis gives way after so long when others wait,
    MOVE_SLICE_MS = 700,  // a move after so long and twice what the other will take
    MOVE_COST_MS = 1400,  // long moves are reckoned so, a little less than a slice of an analysis
    HINT_COST_MS = 700,
    CUTS_MAX = 2,    // who had to begin anew so often runs to the end
    WARDEN_MS = 50,  // so often is looked who must give way
    REPORT_MS = 200, // at most so often are lines reported
    WORKER_NICE = 5, // the event loop comes first
    PLAYER_IDLE_MS = 120000,
    OPEN_PLAYERS_MAX = 16, // of each worker
};

typedef struct Task {
    TaskSpec spec;
    uint64_t id;
    Position start;
    Move *moves;
    Share *share; // that it uses; this and the next two under the mutex
    int cuts;     // times that it had to begin anew
    bool is_cancelled;
    int best_depth;  // of an analysis: reported before an interruption
    int64_t time_ms; // thought before
    Report best;     // of an analysis: the deepest lines before an interruption
    // A review: what is done so far, from the last position on.
    Finding *findings;
    Position *positions;
    int left; // positions to go
    struct Task *next;
} Task;

typedef struct TaskList {
    Task *first, **end;
} TaskList;

typedef struct OpenPlayer {
    char text[PLAYER_TEXT_SIZE];
    Player *player; // NULL: the place is free
    int64_t used_ms;
} OpenPlayer;

typedef struct Worker {
    Thinker *thinker;
    Thread thread;
    Engine *engine;
    OpenPlayer open[OPEN_PLAYERS_MAX];
    Task *task;         // under the mutex
    atomic_bool stop;   // the task is no longer wanted, or must give way
    atomic_bool hurry;  // the latter
    atomic_bool end;    // of everything
    int64_t started_ms; // this and the next under the mutex
    int64_t charged_ms; // what its share has been charged for it
    bool is_done;       // the engine has answered; under the mutex
    SearchResult result;
    Report lines; // gathered while a search goes on; this and the next two under the mutex
    bool has_news;
    int64_t reported_ms;
    Signal signal;
} Worker;

struct Thinker {
    ThinkerConfig config;
    Worker *workers;
    int started; // threads
    Mutex mutex;
    Signal work;
    TaskList waiting;
    Shares shares;
    Thread warden;
    bool has_warden;
    Signal crowd; // the warden has something to look at
    Report *reports, **reports_end;
    uint64_t next_id;
    bool is_closing;
};

// ---- Lists ----

static void list_add(TaskList *list, Task *task)
{
    task->next = NULL;
    *list->end = task;
    list->end = &task->next;
}

static bool list_drop(TaskList *list, Task *task)
{
    for (Task **at = &list->first; *at; at = &(*at)->next)
        if (*at == task) {
            *at = task->next;
            if (list->end == &task->next)
                list->end = at;
            return true;
        }
    return false;
}

static bool is_patient(const Task *task)
{
    return task->spec.kind >= TASK_ANALYSIS;
}

// Nobody has seen anything of this analysis yet.
static bool is_fresh(const Task *task)
{
    return is_patient(task) && !task->time_ms;
}

// About how long it will run before others may have their turn.
static int64_t cost_of(const Task *task)
{
    int64_t cost = task->spec.cost_ms;
    if (is_patient(task))
        return is_fresh(task) ? FIRST_SLICE_MS : SLICE_MS;
    if (task->spec.kind == TASK_HINT)
        return HINT_COST_MS;
    return cost > 0 && cost < MOVE_COST_MS ? cost : MOVE_COST_MS;
}

static void task_free(Task *task)
{
    free(task->moves);
    free(task->findings);
    free(task->positions);
    free(task);
}

// ---- Reports ----

void report_free(Report *report)
{
    free(report->findings);
    free(report);
}

// With how many others an analysis shares the workers, when any waits; 0: with nobody. Under the
// mutex.
static int count_sharers(const Thinker *t, const Task *task, ReportKind kind)
{
    int others = 0;
    if (!is_patient(task) || (!t->waiting.first && kind != REPORT_WAITING))
        return 0;
    for (const Task *waiting = t->waiting.first; waiting; waiting = waiting->next)
        others++;
    for (int i = 0; i < t->config.workers; i++)
        others += t->workers[i].task && t->workers[i].task != task;
    return others;
}

// Hands a copy to the event loop, unless nobody wants it any more.
static void post(Thinker *t, const Task *task, const Report *report)
{
    Report *copy = malloc(sizeof *copy);
    if (!copy)
        return;
    *copy = *report;
    copy->task = task->id;
    copy->task_kind = task->spec.kind;
    memcpy(copy->room, task->spec.room, sizeof copy->room);
    copy->client = task->spec.client;
    copy->next = NULL;
    mutex_lock(&t->mutex);
    bool is_wanted = !task->is_cancelled;
    copy->sharing = count_sharers(t, task, report->kind);
    if (is_wanted) {
        *t->reports_end = copy;
        t->reports_end = &copy->next;
    }
    mutex_unlock(&t->mutex);
    if (is_wanted)
        t->config.wake(t->config.context);
    else
        report_free(copy);
}

Report *thinker_take(Thinker *t)
{
    mutex_lock(&t->mutex);
    Report *report = t->reports;
    if (report) {
        t->reports = report->next;
        if (!t->reports)
            t->reports_end = &t->reports;
    }
    mutex_unlock(&t->mutex);
    return report;
}

static void post_failure(Thinker *t, const Task *task, const Error *error)
{
    Report *report = calloc(1, sizeof *report);
    if (!report)
        return;
    report->kind = REPORT_FAILED;
    report->error = *error;
    post(t, task, report);
    free(report);
}

// ---- A search ----

// Tells of the lines of a search if there are new ones and the last news are old enough.
static void report_lines(Worker *w)
{
    Report report;
    mutex_lock(&w->thinker->mutex);
    int64_t now = clock_ms();
    bool is_due = w->has_news && now - w->reported_ms >= REPORT_MS;
    if (is_due) {
        w->has_news = false;
        w->reported_ms = now;
        report = w->lines;
        report.kind = REPORT_LINES;
    }
    mutex_unlock(&w->thinker->mutex);
    if (is_due)
        post(w->thinker, w->task, &report);
}

// Gathers the lines of a search.
static void on_info(void *context, const Position *root, const SearchInfo *info)
{
    (void)root;
    Worker *w = context;
    Report *r = &w->lines;
    if (info->kind != INFO_LINE || info->multi_pv > LINES_MAX || info->bound != BOUND_EXACT)
        return;
    Line line = {.depth = info->depth,
                 .seldepth = info->seldepth,
                 .score = info->score,
                 .wdl = info->wdl,
                 .count = info->pv_count < LINE_LENGTH_MAX ? info->pv_count : LINE_LENGTH_MAX};
    memcpy(line.moves, info->pv, (size_t)line.count * sizeof *line.moves);
    mutex_lock(&w->thinker->mutex);
    r->lines[info->multi_pv - 1] = line;
    if (info->multi_pv > r->line_count)
        r->line_count = info->multi_pv;
    r->nodes = info->nodes;
    r->time_ms = w->task->time_ms + info->time_ms;
    // After an interruption the search begins anew; what was known before is not told twice.
    if (r->lines[0].depth > w->task->best.lines[0].depth && info->multi_pv == r->line_count)
        w->has_news = true;
    mutex_unlock(&w->thinker->mutex);
    report_lines(w);
}

static void on_best(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    Worker *w = context;
    mutex_lock(&w->thinker->mutex);
    w->result = *result;
    w->is_done = true;
    signal_all(&w->signal);
    mutex_unlock(&w->thinker->mutex);
}

// Before a search: nothing is known of it yet.
static void clear_lines(Worker *w)
{
    mutex_lock(&w->thinker->mutex);
    memset(&w->lines, 0, sizeof w->lines);
    w->reported_ms = clock_ms() - REPORT_MS + 20;
    w->is_done = w->has_news = false;
    mutex_unlock(&w->thinker->mutex);
}

// Lets the engine think until it is done or has to stop (w->stop is then true). False when it could
// not begin: there is no result.
static bool search(Worker *w, SearchLimits limits, Error *error)
{
    Thinker *t = w->thinker;
    limits.stopped = &w->stop;
    clear_lines(w);
    if (!engine_go(w->engine, &limits, on_info, on_best, w, error))
        return false;
    mutex_lock(&t->mutex);
    while (!w->is_done) {
        if (atomic_load(&w->stop)) {
            mutex_unlock(&t->mutex);
            engine_stop(w->engine);
            mutex_lock(&t->mutex);
        }
        if (!w->is_done)
            signal_wait_ms(&w->signal, &t->mutex, 100);
        mutex_unlock(&t->mutex);
        report_lines(w);
        mutex_lock(&t->mutex);
    }
    mutex_unlock(&t->mutex);
    engine_wait(w->engine);
    return true;
}

// How the worker's engine has to think: so many lines, from the book or (who wants an opinion) not,
// with as many threads and as much memory as its task wants.
static bool set_options(Worker *w, const Task *task, int lines, bool own_book, Error *error)
{
    EngineOptions options = *engine_options(w->engine);
    int threads = task->spec.threads ? task->spec.threads : 1;
    int hash_mb = task->spec.hash_mb ? task->spec.hash_mb : w->thinker->config.hash_mb;
    bool is_set = options.multi_pv == lines && options.own_book == own_book &&
                  options.threads == threads && options.hash_mb == hash_mb;
    options.multi_pv = lines;
    options.own_book = own_book;
    options.threads = threads;
    options.hash_mb = hash_mb;
    return is_set || engine_set_options(w->engine, &options, error);
}

static bool prepare_engine(Worker *w, const Task *task, int lines, Error *error)
{
    // Keys of different games may be the same: begin with a clean table.
    if (engine_position(w->engine)->rules != task->start.rules)
        engine_new_game(w->engine, NULL);
    return set_options(w, task, lines, false, error) &&
           engine_set_position(w->engine, &task->start, task->moves, task->spec.count, error);
}

// ---- Players ----

static void close_players(Worker *w, int64_t unused_since_ms)
{
    for (int i = 0; i < OPEN_PLAYERS_MAX; i++) {
        OpenPlayer *open = &w->open[i];
        if (open->player && open->used_ms <= unused_since_ms) {
            player_free(open->player);
            open->player = NULL;
        }
    }
}

// The worker's player of that text; else the place of the one that was used longest ago.
static OpenPlayer *find_place(Worker *w, const char *text)
{
    OpenPlayer *place = &w->open[0];
    for (int i = 0; i < OPEN_PLAYERS_MAX; i++) {
        OpenPlayer *open = &w->open[i];
        if (open->player && !strcmp(open->text, text))
            return open;
        if (place->player && (!open->player || open->used_ms < place->used_ms))
            place = open;
    }
    player_free(place->player);
    place->player = NULL;
    return place;
}

// Players think with the worker's engine unless they want one of their own. `words` are ours,
// behind the name that somebody chose.
static Player *open_player(Worker *w, const char *name, const char *words, Error *error)
{
    char text[PLAYER_TEXT_SIZE];
    if ((size_t)snprintf(text, sizeof text, "%s%s", name, words) >= sizeof text)
        return error_set(error, "the name of the player is too long"), NULL;
    OpenPlayer *place = find_place(w, text);
    PlayerSpec *spec = place->player ? NULL : malloc(sizeof *spec);
    place->used_ms = clock_ms();
    if (place->player)
        return place->player;
    if (!spec)
        return error_set(error, "out of memory"), NULL;
    // A name may have left the list since it was chosen: it must not become a command.
    const PlayerList *players = w->thinker->config.players;
    if (player_list_allows(players, name, error) &&
        player_list_find(players, text, NULL, spec, error))
        place->player = player_new_on(spec, w->engine, error);
    free(spec);
    if (!place->player)
        return NULL;
    strcpy(place->text, text);
    place->player->stop = &w->stop;
    place->player->hurry = &w->hurry;
    place->player->on_info = on_info;
    place->player->context = w;
    return place->player;
}

static bool begin_game(const Task *task, Game *game, Error *error)
{
    GameStep *steps = malloc((size_t)(task->spec.count + 1) * sizeof *steps);
    if (!steps)
        return error_set(error, "out of memory");
    game_init(game, &task->start, steps, task->spec.count);
    for (int i = 0; i < task->spec.count; i++)
        game_play(game, task->moves[i], NULL);
    return true;
}

static bool answer_to_report(const Player *player, const Game *game, const Task *task,
                             const PlayerMove *answer, Report *report)
{
    report->own = player->game;
    report->score = answer->score;
    report->has_resigned = answer->fault == FAULT_RESIGN;
    if (answer->fault != FAULT_NONE)
        return report->has_resigned || error_set(&report->error, "%s: %s %s", player->spec.name,
                                                 player_fault_text(answer->fault), answer->detail);
    report->move = answer->move;
    report->nodes = answer->nodes;
    report->time_ms = answer->time_ns / 1000000;
    report->pause_ms = player_pause_ms(player, game, answer->move, task->spec.left_ms);
    return true;
}

static bool play_move(Worker *w, const Task *task, Report *report)
{
    Game game;
    PlayerMove answer;
    Player *player = open_player(w, task->spec.player, "", &report->error);
    if (!player || !set_options(w, task, 1, !task->spec.no_book, &report->error) ||
        player_resume(player, task->start.rules, &task->spec.own, &report->error) != FAULT_NONE ||
        !begin_game(task, &game, &report->error))
        return false;
    clear_lines(w);
    player_choose(player, &game, &task->spec.limits, &answer);
    *report = w->lines;
    bool ok = answer_to_report(player, &game, task, &answer, report);
    free(game.steps);
    return ok;
}

// ---- Kinds of tasks; each returns true when the task is over ----

static bool find_hint(Worker *w, const Task *task, Report *report)
{
    if (!prepare_engine(w, task, 1, &report->error) ||
        !search(w, task->spec.limits, &report->error))
        return false;
    *report = w->lines;
    report->move = w->result.best;
    report->score = w->result.score;
    return report->move != MOVE_NONE || error_set(&report->error, "the engine finds no move");
}

// A move that had to give way and has none yet begins anew later, with less time.
static bool do_move(Worker *w, Task *task, Report *report)
{
    bool ok =
        task->spec.kind == TASK_HINT ? find_hint(w, task, report) : play_move(w, task, report);
    bool gives_way = !ok && atomic_load(&w->hurry);
    report->kind = ok ? REPORT_DONE : gives_way ? REPORT_WAITING : REPORT_FAILED;
    if (gives_way) {
        task->spec.limits = search_limits_none();
        task->spec.limits.move_time_ms = MOVE_COST_MS;
        task->cuts++;
    }
    return !gives_way;
}

// The task's engine, with the options that it wants. It is told to stop thinking when it has to
// give way, and stays for the next task.
static Player *open_analyst(Worker *w, const Task *task, Error *error)
{
    char words[128];
    Str s;
    str_init(&s, words, sizeof words);
    str_add(&s, " patience=20"); // and never the process of one who plays
    if (task->spec.lines > 1)
        str_format(&s, " option.MultiPV=%d", task->spec.lines);
    if (task->spec.threads)
        str_format(&s, " option.Threads=%d", task->spec.threads);
    if (task->spec.hash_mb)
        str_format(&s, " option.Hash=%d", task->spec.hash_mb);
    Player *player = open_player(w, task->spec.player, words, error);
    if (player) {
        player->stop = &w->end;
        player->hurry = &w->stop;
    }
    return player;
}

// An analysis by another engine; w->result gets how long it thought.
static bool ask_analyst(Worker *w, const Task *task, const SearchLimits *limits, Error *error)
{
    Game game;
    PlayerMove answer;
    PlayerGame own = player_game_new(1);
    Player *player = open_analyst(w, task, error);
    if (!player || player_resume(player, task->start.rules, &own, error) != FAULT_NONE ||
        !begin_game(task, &game, error))
        return false;
    clear_lines(w);
    player_choose(player, &game, limits, &answer);
    free(game.steps);
    w->result = (SearchResult){.time_ms = answer.time_ns / 1000000};
    return answer.fault == FAULT_NONE || atomic_load(&w->stop) ||
           error_set(error, "%s: %s %s", player->spec.name, player_fault_text(answer.fault),
                     answer.detail);
}

// Our own engine thinks, or another one.
static bool think(Worker *w, const Task *task, const SearchLimits *limits, Error *error)
{
    if (*task->spec.player)
        return ask_analyst(w, task, limits, error);
    return prepare_engine(w, task, task->spec.lines, error) && search(w, *limits, error);
}

static bool do_analysis(Worker *w, Task *task, Report *report)
{
    SearchLimits limits = task->spec.limits;
    limits.move_time_ms -= task->time_ms;
    if (limits.move_time_ms < 100)
        limits.move_time_ms = 100;
    if (!think(w, task, &limits, &report->error)) {
        report->kind = REPORT_FAILED;
        return true;
    }
    bool is_over = !atomic_load(&w->stop);
    if (w->lines.line_count && w->lines.lines[0].depth >= task->best.lines[0].depth)
        task->best = w->lines;
    task->time_ms += w->result.time_ms;
    *report = task->best; // a slice that came less far takes nothing away
    report->time_ms = task->time_ms;
    report->kind = is_over ? REPORT_DONE : REPORT_WAITING;
    return is_over;
}

static bool prepare_review(Task *task, Error *error)
{
    int count = task->spec.count;
    task->findings = calloc((size_t)count + 1, sizeof *task->findings);
    task->positions = calloc((size_t)count + 1, sizeof *task->positions);
    if (!task->findings || !task->positions)
        return error_set(error, "out of memory");
    task->positions[0] = task->start;
    for (int i = 0; i < count; i++) {
        Undo undo;
        task->positions[i + 1] = task->positions[i];
        position_make(&task->positions[i + 1], task->moves[i], &undo);
    }
    task->left = count + 1;
    return true;
}

static bool do_review(Worker *w, Task *task, Report *report)
{
    int total = task->spec.count + 1;
    SearchLimits limits = task->spec.limits;
    limits.stopped = &w->stop;
    bool ok = task->findings || prepare_review(task, &report->error);
    ok = ok && prepare_engine(w, task, 1, &report->error);
    while (ok && task->left) {
        if (atomic_load(&w->stop)) {
            report->kind = REPORT_WAITING;
            return false;
        }
        int i = task->left - 1;
        ok = review_search(w->engine, &limits, &task->start, task->moves, i, &task->positions[i],
                           &task->findings[i], &report->error);
        // Interrupted in a position it looks there again, but not for ever.
        if (atomic_load(&w->stop) && ++task->cuts <= CUTS_MAX)
            continue;
        task->cuts = 0;
        task->left--;
        Report progress = {.kind = REPORT_PROGRESS, .done = total - task->left, .total = total};
        post(w->thinker, task, &progress);
    }
    report->kind = ok ? REPORT_DONE : REPORT_FAILED;
    report->total = total;
    if (ok) {
        report->findings = task->findings;
        task->findings = NULL;
    }
    return true;
}

// ---- Who goes first, who gives way; all under the mutex ----

// What a worker's task has used is charged as it goes; its cost was charged when it began.
static void charge(Worker *w, int64_t now)
{
    int64_t ran_ms = now - w->started_ms;
    if (ran_ms <= w->charged_ms)
        return;
    share_charge(w->task->share, ran_ms - w->charged_ms);
    w->charged_ms = ran_ms;
}

// The task ends here: charged is what it took.
static void settle_up(Worker *w, int64_t now)
{
    share_charge(w->task->share, now - w->started_ms - w->charged_ms);
}

// Nobody can make it give way: it had to begin anew too often.
static bool is_fixed(const Task *task)
{
    return !is_patient(task) && task->cuts >= CUTS_MAX;
}

// Of those that cannot give way one worker at least stays free.
static bool can_begin(const Thinker *t, const Task *task)
{
    int fixed = 0;
    for (int i = 0; i < t->config.workers; i++)
        fixed += t->workers[i].task && is_fixed(t->workers[i].task);
    return !is_fixed(task) || !fixed || fixed < t->config.workers - 1;
}

// The waiting task that comes first: the one whose address has used least, and within that address
// the one whose client has. NULL when none may begin.
static Task *first_task(const Thinker *t)
{
    Task *first = NULL;
    for (Task *task = t->waiting.first; task; task = task->next)
        if (can_begin(t, task) && (!first || task->share->whole->used_ms + cost_of(task) <
                                                 first->share->whole->used_ms + cost_of(first)))
            first = task;
    Task *best = first;
    for (Task *task = t->waiting.first; task; task = task->next)
        if (can_begin(t, task) && task->share->whole == first->share->whole &&
            share_lead(task->share, cost_of(task), best->share, cost_of(best)) > 0)
            best = task;
    return best;
}

// Has the worker's task had its time, seen by the one that waits?
static bool has_had_time(const Worker *w, const Task *next, int64_t now)
{
    int64_t ran_ms = now - w->started_ms;
    int64_t slice_ms = is_fresh(w->task) || is_fresh(next) ? FIRST_SLICE_MS : SLICE_MS;
    if (is_patient(w->task))
        return ran_ms >= slice_ms || !is_patient(next);
    return ran_ms >= MOVE_SLICE_MS + 2 * cost_of(next) && !is_fixed(w->task) &&
           w->task->share != next->share;
}

// Must the worker's task give way to this one?
static bool must_give_way(const Worker *w, const Task *next, int64_t now)
{
    if (!w->task || atomic_load(&w->stop) || !has_had_time(w, next, now))
        return false;
    return w->task->share == next->share ||
           share_lead(next->share, is_patient(next) ? 0 : cost_of(next), w->task->share, 0) >= 0;
}

static void stop_worker(Worker *w)
{
    atomic_store(&w->stop, true);
    signal_all(&w->signal);
}

// While somebody waits and nobody is free or about to be: the one who has used most gives way.
static void give_way(Thinker *t)
{
    int64_t now = clock_ms();
    Worker *chosen = NULL;
    for (int i = 0; i < t->config.workers; i++) {
        Worker *w = &t->workers[i];
        if (!w->task || atomic_load(&w->hurry))
            return;
        charge(w, now);
    }
    const Task *next = first_task(t);
    for (int i = 0; next && i < t->config.workers; i++) {
        Worker *w = &t->workers[i];
        if (must_give_way(w, next, now) &&
            (!chosen || share_lead(w->task->share, 0, chosen->task->share, 0) < 0))
            chosen = w;
    }
    if (chosen) {
        atomic_store(&chosen->hurry, true);
        stop_worker(chosen);
    }
}

// Looks again and again who must give way, as long as anybody waits.
static void run_warden(void *context)
{
    Thinker *t = context;
    mutex_lock(&t->mutex);
    while (!t->is_closing) {
        if (t->waiting.first) {
            give_way(t);
            signal_wait_ms(&t->crowd, &t->mutex, WARDEN_MS);
        } else {
            signal_wait(&t->crowd, &t->mutex);
        }
    }
    mutex_unlock(&t->mutex);
}

// ---- Workers ----

static void run_task(Worker *w, Task *task)
{
    Thinker *t = w->thinker;
    Report *report = calloc(1, sizeof *report);
    Error no_memory = {.text = "out of memory"};
    bool is_over = true;
    if (!report) {
        post_failure(t, task, &no_memory);
    } else {
        *report = task->best;
        report->kind = REPORT_STARTED;
        post(t, task, report);
        is_over = task->spec.kind <= TASK_HINT       ? do_move(w, task, report)
                  : task->spec.kind == TASK_ANALYSIS ? do_analysis(w, task, report)
                                                     : do_review(w, task, report);
        post(t, task, report);
        free(report);
    }
    mutex_lock(&t->mutex);
    settle_up(w, clock_ms());
    w->task = NULL;
    is_over = is_over || task->is_cancelled;
    if (is_over)
        shares_leave(&t->shares, task->share);
    else
        list_add(&t->waiting, task);
    mutex_unlock(&t->mutex);
    if (is_over)
        task_free(task);
}

// The next task, waiting for one; NULL when the thinker closes.
static Task *next_task(Worker *w)
{
    Thinker *t = w->thinker;
    mutex_lock(&t->mutex);
    Task *task = NULL;
    while (!t->is_closing && !(task = first_task(t)))
        if (!signal_wait_ms(&t->work, &t->mutex, PLAYER_IDLE_MS / 2)) {
            mutex_unlock(&t->mutex);
            close_players(w, clock_ms() - PLAYER_IDLE_MS);
            mutex_lock(&t->mutex);
        }
    w->task = task = t->is_closing ? NULL : task;
    atomic_store(&w->stop, t->is_closing);
    atomic_store(&w->hurry, false);
    w->started_ms = clock_ms();
    if (task) {
        list_drop(&t->waiting, task);
        w->charged_ms = cost_of(task);
        share_charge(task->share, w->charged_ms);
    }
    mutex_unlock(&t->mutex);
    return task;
}

static void run_worker(void *context)
{
    Worker *w = context;
    Task *task;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), WORKER_NICE);
    while ((task = next_task(w)))
        run_task(w, task);
    close_players(w, INT64_MAX);
}

// ---- From the event loop ----

Thinker *thinker_new(const ThinkerConfig *config, Error *error)
{
    Thinker *t = calloc(1, sizeof *t);
    Worker *workers = calloc((size_t)config->workers, sizeof *workers);
    if (!t || !workers) {
        free(t);
        free(workers);
        return error_set(error, "out of memory"), NULL;
    }
    t->config = *config;
    t->workers = workers;
    t->next_id = 1;
    t->waiting.end = &t->waiting.first;
    shares_init(&t->shares);
    t->reports_end = &t->reports;
    mutex_init(&t->mutex);
    signal_init(&t->work);
    signal_init(&t->crowd);
    EngineOptions options = engine_default_options();
    options.hash_mb = config->hash_mb;
    for (int i = 0; i < config->workers; i++)
        signal_init(&workers[i].signal);
    for (; t->started < config->workers; t->started++) {
        Worker *w = &workers[t->started];
        w->thinker = t;
        w->engine = engine_new(&options, error);
        if (!w->engine || !knowledge_teach(&config->knowledge, w->engine, error) ||
            !thread_start(&w->thread, run_worker, w, error)) {
            engine_free(w->engine);
            thinker_free(t);
            return NULL;
        }
    }
    t->has_warden = thread_start(&t->warden, run_warden, t, error);
    if (!t->has_warden) {
        thinker_free(t);
        return NULL;
    }
    return t;
}

void thinker_stop(Thinker *t)
{
    mutex_lock(&t->mutex);
    t->is_closing = true;
    signal_all(&t->work);
    signal_all(&t->crowd);
    for (int i = 0; i < t->config.workers; i++) {
        atomic_store(&t->workers[i].end, true);
        stop_worker(&t->workers[i]);
    }
    mutex_unlock(&t->mutex);
    if (t->has_warden)
        thread_join(&t->warden);
    t->has_warden = false;
    for (int i = 0; i < t->started; i++) {
        Worker *w = &t->workers[i];
        thread_join(&w->thread);
        engine_free(w->engine);
    }
    t->started = 0;
}

void thinker_free(Thinker *t)
{
    thinker_stop(t);
    for (Task *task; (task = t->waiting.first);) {
        list_drop(&t->waiting, task);
        task_free(task);
    }
    shares_release(&t->shares);
    for (Report *report; (report = thinker_take(t));)
        report_free(report);
    for (int i = 0; i < t->config.workers; i++)
        signal_release(&t->workers[i].signal);
    signal_release(&t->work);
    signal_release(&t->crowd);
    mutex_release(&t->mutex);
    free(t->workers);
    free(t);
}

uint64_t thinker_submit(Thinker *t, const TaskSpec *spec)
{
    Task *task = calloc(1, sizeof *task);
    Move *moves = malloc(((size_t)spec->count + 1) * sizeof *moves);
    if (!task || !moves) {
        free(task);
        free(moves);
        return 0;
    }
    task->spec = *spec;
    task->start = *spec->start;
    task->moves = moves;
    if (spec->count)
        memcpy(moves, spec->moves, (size_t)spec->count * sizeof *moves);
    task->spec.moves = NULL;
    task->spec.start = NULL;
    mutex_lock(&t->mutex);
    uint64_t id = 0;
    if ((task->share = shares_enter(&t->shares, spec->address, spec->client))) {
        id = task->id = t->next_id++;
        list_add(&t->waiting, task);
        signal_one(&t->work);
        signal_all(&t->crowd);
    }
    mutex_unlock(&t->mutex);
    if (!id)
        task_free(task);
    return id;
}

void thinker_cancel(Thinker *t, uint64_t id)
{
    if (!id)
        return;
    mutex_lock(&t->mutex);
    Task *waiting = t->waiting.first;
    while (waiting && waiting->id != id)
        waiting = waiting->next;
    if (waiting) {
        list_drop(&t->waiting, waiting);
        shares_leave(&t->shares, waiting->share);
    }
    for (int i = 0; !waiting && i < t->config.workers; i++) {
        Worker *w = &t->workers[i];
        if (w->task && w->task->id == id) {
            w->task->is_cancelled = true;
            stop_worker(w);
        }
    }
    mutex_unlock(&t->mutex);
    if (waiting)
        task_free(waiting);
}
