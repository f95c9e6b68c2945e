// See spread.h. Start with spread_run: it starts a thread for each worker, here (work_here) or in
// another process (work_there), and all of them do the same: get_piece, do it, put_result.
#include "base/spread.h"

#include <assert.h>
#include <stdlib.h>

#include "base/spread_int.h"
#include "base/stop.h"
#include "base/thread.h"

enum { WINDOW_PER_WORKER = 64, LOOK_MS = 20 };

// A piece from when it is given until its result is taken.
typedef struct Piece {
    uint64_t index;
    uint64_t turn; // its place among the pieces handed out
    Bytes input, result;
    struct Piece *next;
} Piece;

typedef struct Run {
    SpreadTeam *team;
    const SpreadWork *work;
    uint64_t number;
    atomic_bool halt; // everybody drops what he is at
    Mutex mutex;
    Signal news; // a result or a piece came back, or the end was seen
    Signal over; // the last worker has ended
    // everything below is under the mutex
    uint64_t index;              // the next piece to give
    uint64_t turns, turns_taken; // handed out; in order: results taken
    uint64_t under_way;
    bool is_at_end;  // nothing more will be given
    Piece *returned; // by those who died
    Piece *early;    // results that wait for their turn, by turn
    int workers;     // threads that have not ended
    bool has_failed;
    Error error;
} Run;

// A thread that does pieces itself or has them done by a worker of another process.
typedef struct Worker {
    Run *run;
    SpreadLine *line; // NULL: does them itself
    Thread thread;
    struct Worker *next;
} Worker;

// Is everything to end? What the user wants is everybody's flag from then on.
static bool is_halted(Run *run)
{
    if (stop_is_set(run->work->stop))
        atomic_store_explicit(&run->halt, true, memory_order_relaxed);
    return atomic_load_explicit(&run->halt, memory_order_relaxed);
}

static void free_piece(Piece *piece)
{
    bytes_release(&piece->input);
    bytes_release(&piece->result);
    free(piece);
}

static void free_pieces(Piece *piece)
{
    while (piece) {
        Piece *next = piece->next;
        free_piece(piece);
        piece = next;
    }
}

// The first failure counts; it ends everything.
static void fail(Run *run, const Error *error)
{
    if (!run->has_failed)
        run->error = *error;
    run->has_failed = true;
    atomic_store(&run->halt, true);
    signal_all(&run->news);
}

// ---- Handing out ----

static bool has_room(const Run *run)
{
    const SpreadWork *work = run->work;
    uint64_t window =
        work->window ? work->window : (uint64_t)run->workers * (uint64_t)WINDOW_PER_WORKER;
    return !work->is_in_order || run->turns < run->turns_taken + window;
}

// Asks `give` for the next piece; NULL when there is none, or none now.
static Piece *next_piece(Run *run)
{
    const SpreadWork *work = run->work;
    Piece *piece = calloc(1, sizeof *piece);
    if (!piece) {
        fail(run, &(Error){.text = "out of memory"});
        return NULL;
    }
    SpreadGift gift = SPREAD_SKIP;
    while (gift == SPREAD_SKIP && run->index < work->count) {
        piece->index = run->index;
        bytes_clear(&piece->input);
        gift = work->give ? work->give(work->context, run->index, &piece->input) : SPREAD_PIECE;
        run->index += gift == SPREAD_PIECE || gift == SPREAD_SKIP;
    }
    if (gift == SPREAD_PIECE) {
        piece->turn = run->turns++;
        return piece;
    }
    assert(gift != SPREAD_WAIT || run->under_way || run->returned); // for whose result?
    run->is_at_end = gift != SPREAD_WAIT;
    free_piece(piece);
    return NULL;
}

// A piece to do: one that came back, else a new one; waits for it. NULL when all are done. Whoever
// finds nothing to do waits for the others: one of them may die.
static Piece *get_piece(Run *run)
{
    Piece *piece = NULL;
    mutex_lock(&run->mutex);
    while (!is_halted(run)) {
        if (run->returned) {
            piece = run->returned;
            run->returned = piece->next;
        } else if (!run->is_at_end && has_room(run)) {
            piece = next_piece(run);
        }
        if (piece || (run->is_at_end && !run->under_way) || is_halted(run))
            break;
        signal_wait(&run->news, &run->mutex);
    }
    if (piece) {
        piece->next = NULL;
        run->under_way++;
    } else {
        signal_all(&run->news);
    }
    mutex_unlock(&run->mutex);
    return piece;
}

// ---- Taking back ----

static void take(Run *run, Piece *piece)
{
    const SpreadWork *work = run->work;
    Error error = {0};
    if (!run->has_failed && work->take &&
        !work->take(work->context, piece->index, piece->result.at, piece->result.size, &error))
        fail(run, &error);
    free_piece(piece);
}

// Takes all results whose turn has come.
static void take_in_order(Run *run, Piece *piece)
{
    Piece **place = &run->early;
    while (*place && (*place)->turn < piece->turn)
        place = &(*place)->next;
    piece->next = *place;
    *place = piece;
    while (run->early && run->early->turn == run->turns_taken) {
        Piece *first = run->early;
        run->early = first->next;
        run->turns_taken++;
        take(run, first);
    }
}

static void put_result(Run *run, Piece *piece)
{
    mutex_lock(&run->mutex);
    run->under_way--;
    if (run->work->is_in_order)
        take_in_order(run, piece);
    else
        take(run, piece);
    signal_all(&run->news);
    mutex_unlock(&run->mutex);
}

// The piece is not done: somebody else is to do it.
static void put_back(Run *run, Piece *piece)
{
    mutex_lock(&run->mutex);
    run->under_way--;
    bytes_clear(&piece->result);
    piece->next = run->returned;
    run->returned = piece;
    signal_all(&run->news);
    mutex_unlock(&run->mutex);
}

// The piece could not be done at all, or everything is to stop.
static void drop(Run *run, Piece *piece, const Error *error)
{
    mutex_lock(&run->mutex);
    run->under_way--;
    if (!is_halted(run))
        fail(run, error);
    signal_all(&run->news);
    mutex_unlock(&run->mutex);
    free_piece(piece);
}

// ---- Workers ----

static SpreadPiece piece_of(const Run *run, const Piece *piece)
{
    return (SpreadPiece){.index = piece->index,
                         .input = piece->input.at,
                         .input_size = piece->input.size,
                         .common = run->work->common,
                         .common_size = run->work->common_size,
                         .stop = &run->halt};
}

static void work_here(Run *run)
{
    const SpreadWork *work = run->work;
    void *state = NULL;
    Error error = {0};
    Piece *piece;
    while ((piece = get_piece(run))) {
        SpreadPiece view = piece_of(run, piece);
        if (work->make && !state)
            state = work->make(work->context, &run->halt, &error);
        if ((work->make && !state) ||
            !work->work(work->context, state, &view, &piece->result, &error))
            drop(run, piece, &error);
        else
            put_result(run, piece);
    }
    if (state && work->free)
        work->free(work->context, state);
}

static void work_there(Run *run, SpreadLine *line)
{
    Error error = {0};
    Piece *piece;
    SpreadAnswer answer = SPREAD_DONE;
    while (answer != SPREAD_GONE && (piece = get_piece(run))) {
        SpreadPiece view = piece_of(run, piece);
        answer = spread_line_do(line, &view, &run->halt, &piece->result, &error);
        if (answer == SPREAD_DONE)
            put_result(run, piece);
        else if (answer == SPREAD_FAILED)
            drop(run, piece, &error);
        else
            put_back(run, piece);
    }
}

static void worker_main(void *context)
{
    Worker *worker = context;
    Run *run = worker->run;
    if (worker->line)
        work_there(run, worker->line);
    else
        work_here(run);
    mutex_lock(&run->mutex);
    if (!--run->workers)
        signal_all(&run->over);
    mutex_unlock(&run->mutex);
}

static bool start_worker(Run *run, SpreadLine *line, Worker **workers, Error *error)
{
    Worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_set(error, "out of memory");
    worker->run = run;
    worker->line = line;
    mutex_lock(&run->mutex);
    run->workers++;
    mutex_unlock(&run->mutex);
    if (!thread_start(&worker->thread, worker_main, worker, error)) {
        mutex_lock(&run->mutex);
        run->workers--;
        mutex_unlock(&run->mutex);
        free(worker);
        return false;
    }
    worker->next = *workers;
    *workers = worker;
    return true;
}

// ---- The whole ----

// Meets workers of other processes, and sees whether the user wants it to stop.
static void look_around(Run *run, Worker **workers)
{
    SpreadLine *line;
    while (run->team && (line = spread_team_line(run->team, run->number)))
        start_worker(run, line, workers, NULL);
    if (!is_halted(run))
        return;
    if (run->team)
        spread_team_halt(run->team);
    mutex_lock(&run->mutex);
    signal_all(&run->news);
    mutex_unlock(&run->mutex);
}

static void wait_for_all(Run *run, Worker **workers)
{
    mutex_lock(&run->mutex);
    while (run->workers) {
        mutex_unlock(&run->mutex);
        look_around(run, workers);
        mutex_lock(&run->mutex);
        if (run->workers)
            signal_wait_ms(&run->over, &run->mutex, LOOK_MS);
    }
    mutex_unlock(&run->mutex);
    while (*workers) {
        Worker *worker = *workers;
        *workers = worker->next;
        thread_join(&worker->thread);
        free(worker);
    }
}

bool spread_run(SpreadTeam *team, const SpreadWork *work, Error *error)
{
    assert(work->threads >= 1 && work->work);
    if (work->first >= work->count)
        return true;
    uint64_t pieces = work->count - work->first;
    Run run = {.team = team, .work = work, .index = work->first};
    run.number = team ? spread_team_next_run(team) : 0;
    mutex_init(&run.mutex);
    signal_init(&run.news);
    signal_init(&run.over);
    Worker *workers = NULL;
    int started = 0;
    // Fewer threads do the work if the system refuses more.
    while (started < work->threads && (uint64_t)started < pieces &&
           start_worker(&run, NULL, &workers, error))
        started++;
    wait_for_all(&run, &workers);
    if (run.has_failed && error)
        *error = run.error;
    if (run.has_failed && team)
        spread_team_halt(team);
    free_pieces(run.returned);
    free_pieces(run.early);
    signal_release(&run.over);
    signal_release(&run.news);
    mutex_release(&run.mutex);
    return started && !run.has_failed;
}
