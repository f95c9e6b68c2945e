// See analyse_suite.h. A line that cannot be used is counted and left out, so that one slip does
// not spoil a suite of thousands. Start with suite_load and suite_run.
#include "lab/analyse_suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "core/epd.h"
#include "core/game.h"
#include "core/notation.h"

enum { FILE_LIMIT = 1 << 28, WORD_SIZE = 256 };

// ---- Reading ----

static bool contains(const Move *list, int count, Move move)
{
    for (int i = 0; i < count; i++)
        if (list[i] == move)
            return true;
    return false;
}

// The whole text of a quoted operand, with its end.
static bool operand_text(const Epd *epd, const char *name, char text[4096])
{
    const EpdOperation *operation = epd_find(epd, name);
    EpdText rest, word;
    if (!operation)
        return false;
    rest = operation->operands;
    if (!epd_next_operand(&rest, &word) || word.size >= 4096)
        return false;
    memcpy(text, word.text, word.size);
    text[word.size] = 0;
    return true;
}

// Moves that are not legal here, and points below zero, are passed over.
static void add_grade(SuitePosition *p, Move move, int points)
{
    if (move == MOVE_NONE || points < 0 || p->graded_count == SUITE_MOVES_MAX)
        return;
    p->graded[p->graded_count] = move;
    p->points[p->graded_count++] = points;
}

// Grades in one operation, c0 "f5=10, Be5+=2": moves and points in pairs.
static void read_pairs(SuitePosition *p, char *text)
{
    for (char *rest = text, *item; (item = str_split(&rest, ","));) {
        char *equals = strrchr(item, '=');
        item += strspn(item, " ");
        if (!equals || equals < item)
            continue;
        char *end;
        long points = strtol(equals + 1, &end, 10);
        *equals = 0;
        if (end > equals + 1 && points <= 100000)
            add_grade(p, move_from_san(&p->pos, item, NULL), (int)points);
    }
}

// Grades in two, c8 "10 2" and c9 "f4f5 d4e5".
static bool read_columns(SuitePosition *p, char *points, char *moves)
{
    while (points && moves) {
        char *number = str_split(&points, " "), *move = str_split(&moves, " ");
        if (*number && *move)
            add_grade(p, move_from_san(&p->pos, move, NULL), atoi(number));
    }
    return p->graded_count;
}

// Where a suite has both forms the columns count: they are exact, c0 is for people.
static void read_grades(const Epd *epd, SuitePosition *p)
{
    char points[4096], moves[4096];
    if (operand_text(epd, "c8", points) && operand_text(epd, "c9", moves) &&
        read_columns(p, points, moves))
        return;
    if (operand_text(epd, "c0", moves) && strchr(moves, '='))
        read_pairs(p, moves);
}

// One line of the suite; false when there is nothing to solve in it.
static bool read_position(SuitePosition *p, const Rules *rules, const char *line, size_t size,
                          int number, Error *error)
{
    Epd epd;
    char text[4096];
    *p = (SuitePosition){0};
    if (!epd_read(&epd, rules, line, size, error))
        return false;
    p->pos = epd.pos;
    p->best_count = epd_moves(&epd, "bm", p->best, SUITE_MOVES_MAX, error);
    p->avoid_count = epd_moves(&epd, "am", p->avoid, SUITE_MOVES_MAX, error);
    if (p->best_count < 0 || p->avoid_count < 0)
        return false;
    read_grades(&epd, p);
    if (operand_text(&epd, "id", text))
        snprintf(p->name, sizeof p->name, "%.60s", text);
    else
        snprintf(p->name, sizeof p->name, "line %d", number);
    if (position_outcome(&p->pos).result != RESULT_NONE)
        return error_set(error, "the game is over");
    return p->best_count || p->avoid_count || p->graded_count ||
           error_set(error, "nothing to solve");
}

// A refused line fails nothing: it is counted, and the first is told.
static bool add_line(Suite *suite, const Rules *rules, const char *line, size_t size, int number,
                     Error *error)
{
    if (suite->count == suite->capacity) {
        int capacity = suite->capacity * 2 + 64;
        SuitePosition *larger = realloc(suite->positions, (size_t)capacity * sizeof *larger);
        if (!larger)
            return error_set(error, "out of memory");
        suite->positions = larger;
        suite->capacity = capacity;
    }
    Error refusal;
    if (read_position(&suite->positions[suite->count], rules, line, size, number, &refusal)) {
        suite->count++;
    } else if (!suite->refused++) {
        error_set(&suite->first_refusal, "line %d: %.200s", number, refusal.text);
    }
    return true;
}

bool suite_load(Suite *suite, const char *path, const Rules *rules, Error *error)
{
    *suite = (Suite){0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, error);
    if (!text)
        return false;
    bool ok = true;
    int number = 0;
    for (size_t at = 0; ok && at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        number++;
        size_t blank = 0;
        while (blank < length && strchr(" \t\r", text[at + blank]))
            blank++;
        if (blank < length && text[at + blank] != '#')
            ok = add_line(suite, rules, text + at, length, number, error);
        at += length + 1;
    }
    free(text);
    if (ok && !suite->count)
        ok = error_set(error, "%s: no position with a move to find", path);
    return ok;
}

void suite_release(Suite *suite)
{
    free(suite->positions);
}

// ---- Solving ----

// By the best moves if there are any, else by the highest grade, else by what is to be avoided.
static bool is_right(const SuitePosition *p, Move move)
{
    if (p->best_count || !p->avoid_count) {
        if (p->best_count)
            return contains(p->best, p->best_count, move) &&
                   !contains(p->avoid, p->avoid_count, move);
        int top = 0;
        for (int i = 0; i < p->graded_count; i++)
            top = p->points[i] > top ? p->points[i] : top;
        for (int i = 0; i < p->graded_count; i++)
            if (p->graded[i] == move)
                return p->points[i] == top;
        return false;
    }
    return !contains(p->avoid, p->avoid_count, move);
}

// Remembers since when the right move has stood first.
typedef struct Watch {
    const SuitePosition *position;
    SuiteAnswer *answer;
    bool is_right;
} Watch;

static void watch(void *context, const Position *root, const SearchInfo *info)
{
    (void)root;
    Watch *w = context;
    if (info->kind != INFO_LINE || info->multi_pv != 1 || !info->pv_count)
        return;
    bool right = is_right(w->position, info->pv[0]);
    if (right && !w->is_right) {
        w->answer->solved_ms = info->time_ms;
        w->answer->solved_nodes = info->nodes;
    }
    w->is_right = right;
}

// Each position with an empty table, so that its answer does not depend on the others.
static void solve(Engine *engine, const SearchLimits *limits, const SuitePosition *p,
                  SuiteAnswer *a)
{
    SearchResult result;
    Watch w = {.position = p, .answer = a};
    engine_new_game(engine, NULL);
    engine_set_position(engine, &p->pos, NULL, 0, NULL);
    int64_t start = clock_ms();
    engine_think(engine, limits, watch, &w, &result);
    a->time_ms = clock_ms() - start;
    a->move = result.best;
    a->score = result.score;
    a->depth = result.depth;
    a->nodes = result.nodes;
    a->is_done = true;
    a->is_solved = is_right(p, result.best);
    if (a->is_solved && !w.is_right) {
        a->solved_ms = a->time_ms;
        a->solved_nodes = a->nodes;
    }
    for (int i = 0; i < p->graded_count; i++)
        if (p->graded[i] == result.best)
            a->points = p->points[i];
}

typedef struct SuiteJob {
    Suite *suite;
    const SuiteConfig *config;
    SuiteCallback *callback;
    void *context;
} SuiteJob;

static bool solve_one(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                      Error *error)
{
    const SuiteJob *job = context;
    SuiteAnswer answer;
    memset(&answer, 0, sizeof answer);
    solve(state, &job->config->limits, &job->suite->positions[piece->index], &answer);
    return bytes_add(result, &answer, sizeof answer) || error_set(error, "out of memory");
}

static bool keep_answer(void *context, uint64_t index, const uint8_t *result, size_t size,
                        Error *error)
{
    SuiteJob *job = context;
    SuitePosition *p = &job->suite->positions[index];
    const uint8_t *at = result;
    if (!bytes_take(&at, at + size, &p->answer, sizeof p->answer))
        return error_set(error, "%s came back damaged", p->name);
    job->callback(job->context, p);
    return true;
}

static void *make_engine(void *context, const atomic_bool *stop, Error *error)
{
    const SuiteConfig *c = ((const SuiteJob *)context)->config;
    (void)stop;
    EngineOptions options = engine_default_options();
    options.hash_mb = c->hash_mb;
    Engine *engine = engine_new(&options, error);
    if (engine && ((c->net && !engine_load_net(engine, c->net, error)) ||
                   (c->tables && !engine_load_tables(engine, c->tables, error)) ||
                   (c->own_tables && !engine_load_own_tables(engine, c->own_tables, error)))) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

static void free_engine(void *context, void *state)
{
    (void)context;
    engine_free(state);
}

bool suite_run(Suite *suite, const SuiteConfig *config, SuiteCallback *callback, void *context,
               Error *error)
{
    SuiteJob job = {.suite = suite, .config = config, .callback = callback, .context = context};
    SpreadWork work = {.context = &job,
                       .threads = config->workers,
                       .make = make_engine,
                       .free = free_engine,
                       .work = solve_one,
                       .take = keep_answer,
                       .count = (uint64_t)suite->count,
                       .stop = config->stop};
    return spread_is_first(config->team) ? spread_run(config->team, &work, error)
                                         : spread_serve(config->team, &work, error);
}
