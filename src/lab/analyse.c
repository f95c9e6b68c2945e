// See analyse.h. First all positions of a game are searched, the last first, so that the table
// knows what comes; then the game is written anew with what was found.
#include "lab/analyse.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/thread.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "lab/pgn_file.h"

enum { RING_PER_WORKER = 32 };

// ---- Judging ----

static int judgement_nag(Judgement judgement)
{
    static const int NAG[JUDGEMENT_COUNT] = {0, 6, 2, 4}; // ?! ? ??
    return NAG[judgement];
}

static const char *judgement_text(Judgement judgement)
{
    static const char *const TEXT[JUDGEMENT_COUNT] = {"", "Inaccuracy", "Mistake", "Blunder"};
    return TEXT[judgement];
}

static void add_score(Str *out, int score)
{
    if (score_is_mate(score))
        str_format(out, "%s#%d", score > 0 ? "" : "-", abs(score_mate_moves(score)));
    else
        str_format(out, "%.2f", score / 100.0);
}

static bool add_comment(PgnGame *out, const Position *before, const Verdict *v, const Finding *best,
                        const Finding *next)
{
    char text[160], san[MOVE_TEXT_SIZE];
    Str s;
    str_init(&s, text, sizeof text);
    if (!v->is_over) {
        str_add(&s, "[%eval ");
        add_score(&s, v->score);
        str_format(&s, ",%d]", next->depth);
    }
    if (v->judgement != JUDGED_GOOD && best->count) {
        move_to_san(before, best->line[0], san);
        str_format(&s, "%s%s: %s was best.", s.length ? " " : "", judgement_text(v->judgement),
                   san);
    }
    return !s.length || pgn_game_add_comment(out, text);
}

static bool add_better_line(PgnGame *out, const Verdict *v, const Finding *best)
{
    if (v->judgement == JUDGED_GOOD || !best->count)
        return true;
    bool ok = pgn_game_open(out);
    for (int i = 0; ok && i < best->count; i++)
        ok = pgn_game_add_move(out, best->line[i]);
    return ok && pgn_game_close(out);
}

// ---- Writing ----

// While the judged game is written: what is to come after the main line's current move.
typedef struct Rewriter {
    const PgnGame *game;
    PgnGame *out;
    const Finding *findings;
    GameReport *report;
    Position now;
    int ply, depth; // depth: of variations that are there already
    bool has_move;  // a move of the main line whose better line is not yet written
    Verdict verdict;
} Rewriter;

static bool finish_move(Rewriter *w)
{
    bool ok = !w->has_move || add_better_line(w->out, &w->verdict, &w->findings[w->ply - 1]);
    w->has_move = false;
    return ok;
}

static bool copy_item(PgnGame *out, const PgnGame *game, const PgnItem *item)
{
    switch ((PgnItemKind)item->kind) {
    case PGN_ITEM_MOVE: return pgn_game_add_move(out, item->value);
    case PGN_ITEM_NAG: return pgn_game_add_nag(out, item->value);
    case PGN_ITEM_COMMENT: return pgn_game_add_comment(out, game->text + item->text);
    case PGN_ITEM_OPEN: return pgn_game_open(out);
    default: return pgn_game_close(out);
    }
}

// A move of the main line, the glyphs that stand behind it, ours, and our comment. Returns the
// items used.
static uint32_t write_move(Rewriter *w, uint32_t at, bool *ok)
{
    const PgnGame *g = w->game;
    Position before = w->now;
    Move move = g->items[at].value;
    const Finding *best = &w->findings[w->ply], *next = best + 1;
    *ok = finish_move(w) && pgn_game_add_move(w->out, move);
    Undo undo;
    if (move == MOVE_NONE) // a null move stands in the game; nothing can be said about it
        position_make_null(&w->now, &undo);
    else
        position_make(&w->now, move, &undo);
    w->ply++;
    uint32_t used = 1;
    for (; *ok && at + used < g->item_count && g->items[at + used].kind == PGN_ITEM_NAG; used++)
        *ok = copy_item(w->out, g, &g->items[at + used]);
    w->verdict = review_move(&before, move, &w->now, best, next, &w->report->players[before.side]);
    w->has_move = true;
    int nag = judgement_nag(w->verdict.judgement);
    *ok = *ok && (!nag || pgn_game_add_nag(w->out, nag)) &&
          add_comment(w->out, &before, &w->verdict, best, next);
    return used;
}

static bool rewrite(Rewriter *w, int plies)
{
    const PgnGame *g = w->game;
    bool ok = true;
    for (uint32_t i = 0; ok && i < g->item_count;) {
        const PgnItem *item = &g->items[i];
        if (item->kind == PGN_ITEM_MOVE && !w->depth && w->ply < plies) {
            i += write_move(w, i, &ok);
            continue;
        }
        w->depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        ok = copy_item(w->out, g, item);
        i++;
    }
    return ok && finish_move(w);
}

static bool copy_tags(const PgnGame *game, PgnGame *out)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < game->tag_count; i++)
        ok = pgn_game_set_tag(out, game->text + game->tags[i].name,
                              game->text + game->tags[i].value);
    return ok;
}

static bool add_summary_tags(PgnGame *out, const GameReport *report)
{
    static const char *const NAME[2] = {"WhiteAccuracy", "BlackAccuracy"};
    bool ok = pgn_game_set_tag(out, "Annotator", "Lovac");
    for (int c = 0; ok && c < 2; c++) {
        const PlayerReport *r = &report->players[c];
        char text[32];
        Str s;
        str_init(&s, text, sizeof text);
        str_format(&s, "%.1f", r->moves ? r->accuracy_sum / (double)r->moves : 0);
        ok = !r->moves || pgn_game_set_tag(out, NAME[c], text);
    }
    return ok;
}

static bool is_stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

// Searches every position, from the last to the first; null moves end what can be searched.
static bool search_all(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                       const Move *moves, Position *positions, int plies, const atomic_bool *stop,
                       Finding *findings, GameReport *report, Error *error)
{
    positions[0] = game->start;
    for (int i = 0; i < plies; i++) {
        Undo undo;
        positions[i + 1] = positions[i];
        position_make(&positions[i + 1], moves[i], &undo);
    }
    engine_new_game(engine, NULL);
    for (int i = plies; i >= 0; i--) {
        if (is_stopped(stop))
            return error_set(error, "stopped");
        if (!review_search(engine, limits, &game->start, moves, i, &positions[i], &findings[i],
                           error))
            return false;
        report->positions++;
        report->nodes += findings[i].nodes;
    }
    return true;
}

bool analyse_game(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                  const atomic_bool *stop, PgnGame *out, GameReport *report, Error *error)
{
    *report = (GameReport){0};
    int total = game->has_start ? pgn_game_moves(game, NULL, 0) : 0, plies = 0;
    Move *moves = malloc(((size_t)total + 1) * sizeof *moves);
    Finding *findings = malloc(((size_t)total + 1) * sizeof *findings);
    Position *positions = malloc(((size_t)total + 1) * sizeof *positions);
    bool ok = (moves && findings && positions) || error_set(error, "out of memory");
    if (ok && game->has_start) {
        pgn_game_moves(game, moves, total);
        while (plies < total && moves[plies] != MOVE_NONE)
            plies++;
        ok = search_all(engine, limits, game, moves, positions, plies, stop, findings, report,
                        error);
    }
    if (ok) {
        Rewriter w = {
            .game = game, .out = out, .findings = findings, .report = report, .now = game->start};
        ok = (!game->has_start || pgn_game_begin(out, &game->start)) && copy_tags(game, out) &&
             (!game->has_start || rewrite(&w, plies)) && add_summary_tags(out, report);
        out->result = game->result;
        if (!ok)
            error_set(error, "out of memory");
    }
    free(moves);
    free(findings);
    free(positions);
    return ok;
}

// ---- A whole file ----

// A judged game that waits for its turn to be written.
typedef struct Slot {
    bool is_full;
    PgnGame *game;
    GameReport report;
    uint64_t position;
} Slot;

typedef struct Job {
    const AnalyseConfig *config;
    AnalyseCallback *callback;
    void *context;
    PgnFile *file;
    Mutex mutex;
    Signal room;
    // under the mutex
    Slot *ring;
    uint64_t ring_size, next, written;
    bool is_at_end, has_failed;
    Error error;
} Job;

static void fail(Job *job, const Error *error)
{
    if (!job->has_failed)
        job->error = *error;
    job->has_failed = job->is_at_end = true;
}

static bool take_game(Job *job, PgnGame *game, uint64_t *number, uint64_t *position)
{
    mutex_lock(&job->mutex);
    while (!job->is_at_end && job->next >= job->written + job->ring_size)
        signal_wait_ms(&job->room, &job->mutex, 100);
    bool ok = !job->is_at_end && !is_stopped(job->config->stop) &&
              (!job->config->games_max || job->next < job->config->games_max) &&
              pgn_file_read(job->file, game, job->config->rules);
    if (ok) {
        *number = job->next++;
        *position = pgn_file_position(job->file);
    } else {
        job->is_at_end = true;
    }
    mutex_unlock(&job->mutex);
    return ok;
}

static PgnGame *new_game(void)
{
    PgnGame *game = malloc(sizeof *game);
    if (game)
        pgn_game_init(game, pgn_file_memory, NULL, NULL);
    return game;
}

static void free_game(PgnGame *game)
{
    if (game)
        pgn_game_release(game);
    free(game);
}

static void hand_in(Job *job, uint64_t number, const Slot *done)
{
    mutex_lock(&job->mutex);
    Slot *slot = &job->ring[number % job->ring_size];
    *slot = *done;
    slot->is_full = true;
    while ((slot = &job->ring[job->written % job->ring_size])->is_full) {
        if (!job->has_failed &&
            !pgn_game_write(slot->game, job->config->sink, job->config->sink_context)) {
            Error error;
            error_set(&error, "the games cannot be written");
            fail(job, &error);
        }
        job->callback(job->context, slot->game, &slot->report, slot->position,
                      pgn_file_length(job->file));
        free_game(slot->game);
        *slot = (Slot){0};
        job->written++;
    }
    signal_all(&job->room);
    mutex_unlock(&job->mutex);
}

static void work(void *context)
{
    Job *job = context;
    Error error = {"out of memory"};
    EngineOptions options = engine_default_options();
    options.hash_mb = job->config->hash_mb;
    Engine *engine = engine_new(&options, &error);
    PgnGame *game = new_game();
    uint64_t number = 0;
    bool ok = engine && game;
    while (ok) {
        Slot slot = {0};
        if (!take_game(job, game, &number, &slot.position))
            break;
        slot.game = new_game();
        ok = slot.game && analyse_game(engine, &job->config->limits, game, job->config->stop,
                                       slot.game, &slot.report, &error);
        if (ok)
            hand_in(job, number, &slot);
        else
            free_game(slot.game);
    }
    if (!ok && !is_stopped(job->config->stop)) {
        mutex_lock(&job->mutex);
        fail(job, &error);
        signal_all(&job->room);
        mutex_unlock(&job->mutex);
    }
    free_game(game);
    if (engine)
        engine_free(engine);
}

static bool run_workers(Job *job, Error *error)
{
    int count = job->config->workers, started = 0;
    Thread *threads = calloc((size_t)count, sizeof *threads);
    if (!threads)
        return error_set(error, "out of memory");
    while (started < count && thread_start(&threads[started], work, job, error))
        started++;
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    free(threads);
    if (job->has_failed)
        *error = job->error;
    return started && !job->has_failed;
}

bool analyse_file(const AnalyseConfig *config, AnalyseCallback *callback, void *context,
                  Error *error)
{
    Job job = {.config = config, .callback = callback, .context = context};
    job.file = pgn_file_open(config->path, error);
    if (!job.file)
        return false;
    job.ring_size = (uint64_t)config->workers * RING_PER_WORKER;
    job.ring = calloc(job.ring_size, sizeof *job.ring);
    mutex_init(&job.mutex);
    signal_init(&job.room);
    bool ok = job.ring ? run_workers(&job, error) : error_set(error, "out of memory");
    for (uint64_t i = 0; job.ring && i < job.ring_size; i++)
        free_game(job.ring[i].game); // left behind by a stop
    signal_release(&job.room);
    mutex_release(&job.mutex);
    free(job.ring);
    return pgn_file_close(job.file, ok ? error : NULL) && ok;
}
