// See analyse.h. First all positions of a game are searched, the last first, so that the table
// knows what comes; then the game is written anew with what was found.
#include "lab/analyse.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/str.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "lab/analyse_clean.h"
#include "lab/pgn_file.h"

// ---- Judging ----

static void add_score(Str *out, int score)
{
    if (score_is_mate(score))
        str_format(out, "%s#%d", score > 0 ? "" : "-", abs(score_mate_moves(score)));
    else
        str_format(out, "%.2f", score_shown(score) / 100.0);
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
        *ok = analyse_copy_item(w->out, g, &g->items[at + used]);
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
        ok = analyse_copy_item(w->out, g, item);
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

// Who annotated the game before us stays named.
static bool add_annotator(PgnGame *out)
{
    const char *before = pgn_game_tag(out, "Annotator");
    char text[256];
    Str s;
    if (!before || !*before || !strcmp(before, "?"))
        return pgn_game_set_tag(out, "Annotator", "Lovac");
    if (analyse_is_judged(out))
        return true;
    str_init(&s, text, sizeof text);
    str_format(&s, "%.200s, Lovac", before);
    return pgn_game_set_tag(out, "Annotator", text);
}

static bool add_summary_tags(PgnGame *out, const GameReport *report)
{
    static const char *const NAME[2] = {"WhiteAccuracy", "BlackAccuracy"};
    bool ok = add_annotator(out);
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
        if (stop_is_set(stop))
            return error_set(error, "stopped");
        if (!review_search(engine, limits, &game->start, moves, i, &positions[i], &findings[i],
                           error))
            return false;
        report->positions++;
        report->nodes += findings[i].nodes;
    }
    return true;
}

static bool judge(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                  const atomic_bool *stop, PgnGame *out, GameReport *report, Error *error)
{
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

bool analyse_game(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                  const atomic_bool *stop, PgnGame *out, GameReport *report, Error *error)
{
    *report = (GameReport){0};
    if (!game->has_start || !analyse_is_judged(game))
        return judge(engine, limits, game, stop, out, report, error);
    PgnGame clean;
    pgn_game_init(&clean, memory_from_heap, NULL, NULL);
    bool ok = (analyse_clean(game, &clean) || error_set(error, "out of memory")) &&
              judge(engine, limits, &clean, stop, out, report, error);
    pgn_game_release(&clean);
    return ok;
}

// ---- A whole file ----

// Games go out and come back as PGN: pieces of work (base/spread.h), in order.
typedef struct Job {
    const AnalyseConfig *config;
    // Only in the first process, one call at a time:
    AnalyseCallback *callback;
    void *context;
    PgnFile *file;
    PgnGame game; // the last one read
} Job;

// A thread's own.
typedef struct Worker {
    Engine *engine;
    PgnReader reader;
    PgnGame game, judged;
} Worker;

static bool add_text(void *context, const char *text, size_t size)
{
    return bytes_add(context, text, size);
}

// The next game of the file: how far it has been read, then the game.
static SpreadGift give_game(void *context, uint64_t number, Bytes *input)
{
    Job *job = context;
    const AnalyseConfig *c = job->config;
    if (c->games_max && number >= c->games_max)
        return SPREAD_END;
    do { // what has neither tags nor moves is some other text
        if (!pgn_file_read(job->file, &job->game, c->rules))
            return SPREAD_END;
    } while (!job->game.tag_count && !job->game.item_count);
    uint64_t position = pgn_file_position(job->file);
    bool ok =
        bytes_add(input, &position, sizeof position) && pgn_game_write(&job->game, add_text, input);
    return ok ? SPREAD_PIECE : SPREAD_END;
}

static void name_players(const PgnGame *game, AnalyseResult *result)
{
    static const char *const TAG[2] = {"White", "Black"};
    for (int c = 0; c < 2; c++) {
        const char *name = pgn_game_tag(game, TAG[c]);
        Str out;
        str_init(&out, result->names[c], ANALYSE_NAME_SIZE);
        str_add(&out, name ? name : "?");
    }
}

// Judges a game; the result is an AnalyseResult and the judged game.
static bool judge_game(void *context, void *state, const SpreadPiece *piece, Bytes *bytes,
                       Error *error)
{
    const AnalyseConfig *c = ((const Job *)context)->config;
    Worker *w = state;
    AnalyseResult result;
    memset(&result, 0, sizeof result);
    const uint8_t *at = piece->input, *end = at + piece->input_size;
    const bool has_place = bytes_take(&at, end, &result.position, sizeof result.position);
    PgnBytes text = {(const char *)at, (size_t)(end - at)};
    pgn_reader_init(&w->reader, pgn_read_bytes, &text);
    if (!has_place || !pgn_game_read(&w->game, &w->reader, c->rules))
        return error_set(error, "game %llu arrived damaged", (unsigned long long)piece->index + 1);
    pgn_game_release(&w->judged);
    pgn_game_init(&w->judged, memory_from_heap, NULL, NULL);
    if (!analyse_game(w->engine, &c->limits, &w->game, piece->stop, &w->judged, &result.report,
                      error))
        return false;
    name_players(&w->judged, &result);
    return (bytes_add(bytes, &result, sizeof result) &&
            pgn_game_write(&w->judged, add_text, bytes)) ||
           error_set(error, "out of memory");
}

static bool write_game(void *context, uint64_t number, const uint8_t *bytes, size_t size,
                       Error *error)
{
    Job *job = context;
    AnalyseResult result;
    const uint8_t *at = bytes;
    if (!bytes_take(&at, bytes + size, &result, sizeof result))
        return error_set(error, "game %llu came back damaged", (unsigned long long)number + 1);
    if (!job->config->sink(job->config->sink_context, (const char *)at, size - sizeof result))
        return error_set(error, "the games cannot be written");
    job->callback(job->context, &result);
    return true;
}

static void free_worker(void *context, void *state)
{
    (void)context;
    Worker *w = state;
    pgn_game_release(&w->game);
    pgn_game_release(&w->judged);
    if (w->engine)
        engine_free(w->engine);
    free(w);
}

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    (void)stop;
    Worker *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(error, "out of memory"), NULL;
    EngineOptions options = engine_default_options();
    options.hash_mb = ((const Job *)context)->config->hash_mb;
    pgn_game_init(&w->game, memory_from_heap, NULL, NULL);
    pgn_game_init(&w->judged, memory_from_heap, NULL, NULL);
    w->engine = engine_new(&options, error);
    const AnalyseConfig *c = ((const Job *)context)->config;
    if (w->engine && (!c->tables || engine_load_tables(w->engine, c->tables, error)) &&
        (!c->own_tables || engine_load_own_tables(w->engine, c->own_tables, error)))
        return w;
    free_worker(context, w);
    return NULL;
}

bool analyse_file(const AnalyseConfig *config, AnalyseCallback *callback, void *context,
                  Error *error)
{
    Job job = {.config = config, .callback = callback, .context = context};
    SpreadWork work = {.context = &job,
                       .threads = config->workers,
                       .make = make_worker,
                       .free = free_worker,
                       .work = judge_game,
                       .give = give_game,
                       .take = write_game,
                       .count = UINT64_MAX,
                       .is_in_order = true,
                       .stop = config->stop};
    if (!spread_is_first(config->team))
        return spread_serve(config->team, &work, error);
    job.file = pgn_file_open(config->path, error);
    if (!job.file)
        return false;
    pgn_game_init(&job.game, memory_from_heap, config->report, context);
    bool ok = spread_run(config->team, &work, error);
    pgn_game_release(&job.game);
    return pgn_file_close(job.file, ok ? error : NULL) && ok;
}
