// See match_openings.h.
#include "lab/match_openings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/epd.h"
#include "core/game.h"
#include "core/movegen.h"
#include "lab/match_openings_pgn.h"

enum { FILE_LIMIT = 1 << 30, TRIES_MAX = 1000 };

struct Openings {
    enum { FROM_LINES, FROM_GAMES, FROM_RECIPE, FROM_STARTS } kind;
    const Rules *rules;
    uint64_t seed;
    OpeningRecipe recipe;
    char *text;      // the file, its lines ended by 0
    uint32_t *lines; // where they begin
    Opening *games;  // openings of a PGN file
    uint32_t *order; // NULL: as they come
    uint64_t count;
};

OpeningRecipe opening_default_recipe(void)
{
    return (OpeningRecipe){.plies_min = 8, .plies_max = 9, .score_max = 250, .nodes = 2000};
}

// A seed of its own for every number.
static uint64_t mixed_seed(uint64_t seed, uint64_t number)
{
    uint64_t state = seed ^ number * 0xd1342543de82ef95u;
    random_split(&state);
    return random_split(&state);
}

bool opening_plain_start(Opening *opening, const Rules *rules, Error *error)
{
    uint64_t number = 0;
    if (rules->start == START_CHESS960)
        number = 518;
    else if (rules->start == START_DOUBLE_CHESS960)
        number = 518 * 960 + 518;
    opening->count = 0;
    opening->has_number = true;
    opening->number = number;
    return position_start(&opening->start, rules, number, error);
}

static void random_start(Opening *opening, const Rules *rules, Random *random)
{
    uint64_t count = rules_start_count(rules);
    uint64_t number = count ? random_below(random, count) : random_next(random);
    bool ok = position_start(&opening->start, rules, number, NULL);
    assert(ok);
    (void)ok;
    opening->count = 0;
    opening->has_number = true;
    opening->number = number;
}

// Plays random moves; false when the game ends on the way or right after.
static bool random_walk(Opening *opening, int plies, Random *random, Position *now)
{
    *now = opening->start;
    opening->count = 0;
    Move list[MAX_MOVES];
    while (opening->count < plies) {
        int count = movegen_legal(now, STAGE_ALL, list);
        if (!count)
            return false;
        Move move = list[random_below(random, (uint64_t)count)];
        Undo undo;
        position_make(now, move, &undo);
        opening->moves[opening->count++] = move;
    }
    return position_outcome(now).result == RESULT_NONE;
}

// Does a short search call it open?
static bool is_balanced(const Opening *opening, const OpeningRecipe *recipe, Engine *judge)
{
    if (!judge || !recipe->score_max)
        return true;
    SearchLimits limits = search_limits_none();
    SearchResult result;
    limits.nodes = recipe->nodes;
    engine_new_game(judge, NULL);
    if (!engine_set_position(judge, &opening->start, opening->moves, opening->count, NULL))
        return false;
    engine_think(judge, &limits, NULL, NULL, &result);
    return abs(result.score) <= recipe->score_max;
}

void opening_make(Opening *opening, const Rules *rules, const OpeningRecipe *recipe, Random *random,
                  Engine *judge)
{
    // A game without balanced openings (some variants favour a side) must not hold us for ever:
    // after many tries any opening that is not over will do.
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        random_start(opening, rules, random);
        int span = recipe->plies_max - recipe->plies_min + 1;
        int plies = recipe->plies_min + (int)random_below(random, (uint64_t)(span > 0 ? span : 1));
        Position now;
        if (!random_walk(opening, plies < OPENING_PLIES_MAX ? plies : OPENING_PLIES_MAX, random,
                         &now))
            continue;
        if (tries >= 50 || is_balanced(opening, recipe, judge))
            return;
    }
    random_start(opening, rules, random);
}

static Openings *openings_new(int kind, const Rules *rules, uint64_t seed, Error *error)
{
    Openings *o = calloc(1, sizeof *o);
    if (!o)
        return error_set(error, "out of memory"), NULL;
    o->kind = kind;
    o->rules = rules;
    o->seed = seed;
    return o;
}

void openings_free(Openings *o)
{
    if (!o)
        return;
    free(o->text);
    free(o->lines);
    free(o->games);
    free(o->order);
    free(o);
}

Openings *openings_random(const Rules *rules, const OpeningRecipe *recipe, uint64_t seed,
                          Error *error)
{
    Openings *o = openings_new(FROM_RECIPE, rules, seed, error);
    if (o)
        o->recipe = *recipe;
    return o;
}

Openings *openings_start(const Rules *rules, uint64_t seed, Error *error)
{
    return openings_new(FROM_STARTS, rules, seed, error);
}

static bool position_of_line(const char *line, const Rules *rules, Position *pos, Error *error)
{
    Epd epd;
    if (!epd_read(&epd, rules, line, strlen(line), error))
        return false;
    *pos = epd.pos;
    return true;
}

// Cuts the text into lines that hold a position.
static bool index_lines(Openings *o, size_t size, int *refused, Error *error)
{
    size_t capacity = 0;
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && o->text[end] != '\n' && o->text[end] != '\r')
            end++;
        o->text[end] = 0;
        size_t blank = strspn(o->text + at, " \t");
        Position pos;
        if (o->text[at + blank] && o->text[at + blank] != '#') {
            if (position_of_line(o->text + at, o->rules, &pos, NULL) &&
                position_outcome(&pos).result == RESULT_NONE) {
                if (o->count == capacity) {
                    capacity = capacity ? capacity * 2 : 1024;
                    uint32_t *lines = realloc(o->lines, capacity * sizeof *lines);
                    if (!lines)
                        return error_set(error, "out of memory");
                    o->lines = lines;
                }
                o->lines[o->count++] = (uint32_t)at;
            } else {
                ++*refused;
            }
        }
        at = end + 1;
    }
    return true;
}

static bool shuffle(Openings *o, Error *error)
{
    o->order = malloc((o->count + 1) * sizeof *o->order);
    if (!o->order)
        return error_set(error, "out of memory");
    Random random;
    random_init(&random, o->seed);
    for (uint64_t i = 0; i < o->count; i++) {
        uint64_t j = random_below(&random, i + 1);
        o->order[i] = o->order[j];
        o->order[j] = (uint32_t)i;
    }
    return true;
}

// By its name: .pgn, packed or not.
static bool is_pgn(const char *path)
{
    const char *name = strrchr(path, '/');
    return strstr(name ? name : path, ".pgn");
}

static bool load_into(Openings *o, const char *path, int plies_max, bool shuffled, int *refused,
                      Error *error)
{
    bool ok;
    if (is_pgn(path)) {
        o->kind = FROM_GAMES;
        ok = openings_read_pgn(path, o->rules, plies_max, &o->games, &o->count, refused, error);
    } else {
        size_t size;
        o->text = file_read(path, FILE_LIMIT, &size, error);
        ok = o->text && index_lines(o, size, refused, error);
    }
    if (ok && !o->count)
        ok = error_set(error, "%s: no opening that can be played", path);
    return ok && (!shuffled || shuffle(o, error));
}

Openings *openings_load(const char *path, const Rules *rules, int plies_max, bool shuffled,
                        uint64_t seed, int *refused, Error *error)
{
    Openings *o = openings_new(FROM_LINES, rules, seed, error);
    *refused = 0;
    if (o && !load_into(o, path, plies_max, shuffled, refused, error)) {
        openings_free(o);
        return NULL;
    }
    return o;
}

uint64_t openings_count(const Openings *o)
{
    return o->count;
}

bool openings_want_judge(const Openings *o)
{
    return o->kind == FROM_RECIPE && o->recipe.score_max;
}

bool openings_get(const Openings *o, uint64_t index, Engine *judge, Opening *opening, Error *error)
{
    Random random;
    uint64_t place = o->count ? index % o->count : 0;
    if (o->order)
        place = o->order[place];
    switch (o->kind) {
    case FROM_GAMES: *opening = o->games[place]; return true;
    case FROM_LINES:
        opening->count = 0;
        opening->has_number = false;
        return position_of_line(o->text + o->lines[place], o->rules, &opening->start, error);
    case FROM_RECIPE:
        random_init(&random, mixed_seed(o->seed, index));
        opening_make(opening, o->rules, &o->recipe, &random, judge);
        return true;
    default:
        if (rules_start_count(o->rules) == 1)
            return opening_plain_start(opening, o->rules, error);
        random_init(&random, mixed_seed(o->seed, index));
        random_start(opening, o->rules, &random);
        return true;
    }
}
