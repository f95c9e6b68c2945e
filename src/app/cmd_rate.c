// `lovac rate`: ratings with error bars of all players in PGN files. The fit is lab/rate.h.
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "base/checksum.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/stream.h"
#include "core/game.h"
#include "core/pgn_read.h"
#include "lab/rate.h"

const char help_rate[] =
    "Usage: lovac rate FILE.pgn ... [options]\n"
    "\n"
    "Rates all players of the games by the likeliest Elo that explains all results together, with\n"
    "the advantage of the first move and the share of draws fitted too. Error bars are 95 %.\n"
    "Any PGN will do, packed or not; `-` is standard input.\n"
    "\n"
    "  --anchor NAME=ELO   fixes one player; else the average is 0\n"
    "  --prior N           imagined draws of each player with the average (1): keeps those who\n"
    "                      won or lost everything within reason\n"
    "  --min-games N       shows only players with at least N games (1)\n"
    "  --csv               comma-separated, for other programs\n"
    "  --json              the same as a JSON object\n"
    "  --quiet             no progress bar\n"
    "\n"
    "Example: lovac rate games.pgn --anchor stockfish=0\n";

enum { NAME_SIZE = 96 };

// A hash table of the numbers of rows: number + 1, 0 where a slot is free.
typedef struct Slots {
    int *at;
    size_t count; // a power of two
} Slots;

// Players by name.
typedef struct Roster {
    char (*names)[NAME_SIZE];
    int count, capacity;
    Slots slots;
} Roster;

// Results of ordered pairs.
typedef struct Results {
    RateGames *games;
    int count, capacity;
    Slots slots;
} Results;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, text, strlen(text));
    return hash ^ hash >> 29;
}

static uint64_t hash_pair(int white, int black)
{
    uint64_t h = ((uint64_t)(unsigned)white << 32 | (unsigned)black) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 31;
}

// The hash of a row.
typedef uint64_t RowHash(const void *rows, int number);

static uint64_t hash_name(const void *names, int number)
{
    return hash_text((const char *)names + (size_t)number * NAME_SIZE);
}

static uint64_t hash_games(const void *games, int number)
{
    const RateGames *g = (const RateGames *)games + number;
    return hash_pair(g->white, g->black);
}

// Makes room for one row more than there are; more than half of the slots are always free.
static bool slots_grow(Slots *slots, const void *rows, int count, RowHash *hash)
{
    if ((size_t)(count + 1) * 2 <= slots->count)
        return true;
    size_t n = slots->count ? slots->count * 2 : 1024;
    int *larger = calloc(n, sizeof *larger);
    if (!larger)
        return false;
    for (int i = 0; i < count; i++) {
        size_t at = hash(rows, i) & (n - 1);
        while (larger[at])
            at = (at + 1) & (n - 1);
        larger[at] = i + 1;
    }
    free(slots->at);
    slots->at = larger;
    slots->count = n;
    return true;
}

static void *grow(void *memory, int *capacity, size_t size)
{
    int larger = *capacity * 2 + 64;
    void *result = realloc(memory, (size_t)larger * size);
    if (result)
        *capacity = larger;
    return result;
}

static int find_player(Roster *r, const char *name)
{
    char key[NAME_SIZE];
    snprintf(key, sizeof key, "%s", name);
    if (!slots_grow(&r->slots, r->names, r->count, hash_name))
        return -1;
    size_t at = hash_text(key) & (r->slots.count - 1);
    for (; r->slots.at[at]; at = (at + 1) & (r->slots.count - 1))
        if (!strcmp(r->names[r->slots.at[at] - 1], key))
            return r->slots.at[at] - 1;
    if (r->count == r->capacity) {
        void *names = grow(r->names, &r->capacity, sizeof *r->names);
        if (!names)
            return -1;
        r->names = names;
    }
    memcpy(r->names[r->count], key, sizeof key);
    r->slots.at[at] = ++r->count;
    return r->count - 1;
}

static RateGames *find_pair(Results *r, int white, int black)
{
    if (!slots_grow(&r->slots, r->games, r->count, hash_games))
        return NULL;
    size_t at = hash_pair(white, black) & (r->slots.count - 1);
    for (; r->slots.at[at]; at = (at + 1) & (r->slots.count - 1)) {
        RateGames *g = &r->games[r->slots.at[at] - 1];
        if (g->white == white && g->black == black)
            return g;
    }
    if (r->count == r->capacity) {
        void *games = grow(r->games, &r->capacity, sizeof *r->games);
        if (!games)
            return NULL;
        r->games = games;
    }
    r->games[r->count] = (RateGames){.white = white, .black = black};
    r->slots.at[at] = ++r->count;
    return &r->games[r->count - 1];
}

// What a game needs to be rated, taken from its tags and its result; moves do not matter.
typedef struct Collector {
    Roster roster;
    Results results;
    uint64_t games, left_out;
    char white[NAME_SIZE], black[NAME_SIZE];
    PgnReader reader;
} Collector;

static bool add_result(Collector *c, Result result, Error *error)
{
    if (result == RESULT_NONE || !*c->white || !*c->black || !strcmp(c->white, c->black)) {
        c->left_out++;
        return true;
    }
    int white = find_player(&c->roster, c->white), black = find_player(&c->roster, c->black);
    RateGames *g = white < 0 || black < 0 ? NULL : find_pair(&c->results, white, black);
    if (!g)
        return error_set(error, "out of memory");
    g->white_wins += result == RESULT_WHITE;
    g->draws += result == RESULT_DRAW;
    g->black_wins += result == RESULT_BLACK;
    c->games++;
    return true;
}

static size_t read_stream(void *context, char *buffer, size_t size)
{
    return stream_read(context, buffer, size);
}

static bool read_file(Collector *c, const char *path, bool is_quiet, Error *error)
{
    Stream *stream = strcmp(path, "-") ? stream_open(path, error)
                                       : stream_open_file(stdin, "standard input", error);
    if (!stream)
        return false;
    Progress progress;
    progress_init(&progress, stderr, "reading", "bytes", stream_length(stream),
                  is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    pgn_reader_init(&c->reader, read_stream, stream);
    c->white[0] = c->black[0] = 0;
    PgnToken token;
    bool ok = true;
    while (ok && pgn_read(&c->reader, &token)) {
        if (token.kind == PGN_TAG && str_same_word(token.text, "White"))
            snprintf(c->white, sizeof c->white, "%s", token.value);
        else if (token.kind == PGN_TAG && str_same_word(token.text, "Black"))
            snprintf(c->black, sizeof c->black, "%s", token.value);
        else if (token.kind == PGN_RESULT) {
            ok = add_result(c, (Result)token.number, error);
            c->white[0] = c->black[0] = 0;
            progress_set(&progress, stream_position(stream));
        }
    }
    progress_end(&progress);
    return stream_close(stream, ok ? error : NULL) && ok;
}

typedef struct RateArguments {
    const char *anchor;
    double prior;
    unsigned long long min_games;
    bool is_csv, is_json, is_quiet;
} RateArguments;

static bool read_anchor(const char *text, const Roster *roster, RateOptions *options, Error *error)
{
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (equals && !str_to_real(equals + 1, &options->anchor_elo))
        return error_set(error, "--anchor: expected NAME=ELO, not '%s'", text);
    for (int i = 0; i < roster->count; i++)
        if (strlen(roster->names[i]) == length && !strncmp(roster->names[i], text, length)) {
            options->anchor = i;
            return true;
        }
    return error_set(error, "--anchor: nobody is called '%.*s'", (int)length, text);
}

static int by_elo(const void *a, const void *b)
{
    const Rating *x = *(const Rating *const *)a, *y = *(const Rating *const *)b;
    if (x->group != y->group)
        return (x->group > y->group) - (x->group < y->group);
    return (x->elo < y->elo) - (x->elo > y->elo);
}

static void print_row(const RateArguments *a, int rank, const char *name, const Rating *r,
                      bool shows_group)
{
    if (a->is_csv) {
        printf("%d,\"%s\",%.1f,%.1f,%llu,%.4f,%.1f,%.4f,%d\n", rank, name, r->elo, r->error,
               (unsigned long long)r->games, r->score, r->opponent, r->draws, r->group);
        return;
    }
    printf("%4d  %-28.28s %+8.1f %7.1f %7llu %6.1f %% %+9.1f %6.1f %%", rank, name, r->elo,
           r->error, (unsigned long long)r->games, 100 * r->score, r->opponent, 100 * r->draws);
    if (shows_group)
        printf(" %6d", r->group + 1);
    printf("\n");
}

static void json_row(Json *json, int rank, const char *name, const Rating *r)
{
    json_open(json, NULL, '{');
    json_int(json, "rank", rank);
    json_text(json, "name", name);
    json_decimal(json, "elo", r->elo, 1);
    json_decimal(json, "error", r->error, 1);
    json_count(json, "games", r->games);
    json_decimal(json, "score", r->score, 4);
    json_decimal(json, "opponents", r->opponent, 1);
    json_decimal(json, "draws", r->draws, 4);
    json_int(json, "group", r->group);
    json_close(json);
}

static bool print_json(const RateArguments *a, const Collector *c, const Rating *ratings,
                       const Rating *const *order, const RateModel *model, Error *error)
{
    Json json = {0};
    json_open(&json, NULL, '{');
    json_count(&json, "games", c->games);
    json_count(&json, "left_out", c->left_out);
    json_decimal(&json, "white_elo", model->white_elo, 1);
    json_decimal(&json, "white_error", model->error, 1);
    json_decimal(&json, "draws_of_equals", model->draw_share, 4);
    json_int(&json, "groups", model->groups);
    json_open(&json, "players", '[');
    int rank = 0;
    for (int i = 0; i < c->roster.count; i++)
        if (order[i]->games >= a->min_games)
            json_row(&json, ++rank, c->roster.names[order[i] - ratings], order[i]);
    json_close(&json);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static void sort_ratings(const Rating *ratings, const Rating **order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = &ratings[i];
    qsort(order, (size_t)n, sizeof *order, by_elo);
}

static void print_table(const RateArguments *a, const Collector *c, const Rating *ratings,
                        const Rating *const *order, const RateModel *model)
{
    int n = c->roster.count;
    bool shows_group = model->groups > 1;
    if (a->is_csv)
        printf("rank,player,elo,error,games,score,opponents,draws,group\n");
    else
        printf("%4s  %-28s %8s %7s %7s %8s %9s %8s%s\n", "", "player", "Elo", "±", "games", "score",
               "opponents", "draws", shows_group ? "  group" : "");
    int rank = 0;
    for (int i = 0; i < n; i++)
        if (order[i]->games >= a->min_games)
            print_row(a, ++rank, c->roster.names[order[i] - ratings], order[i], shows_group);
    if (a->is_csv)
        return;
    printf("%llu games, %d players; White is worth %.1f ± %.1f, equals draw %.1f %%\n",
           (unsigned long long)c->games, n, model->white_elo, model->error,
           100 * model->draw_share);
    if (c->left_out)
        printf("%llu games without result or names left out\n", (unsigned long long)c->left_out);
    if (shows_group)
        printf("%d groups never met each other: their ratings cannot be compared\n", model->groups);
}

static bool rate(const RateArguments *a, const Collector *c, Error *error)
{
    int n = c->roster.count;
    if (!n)
        return error_set(error, "no game with a result");
    Rating *ratings = malloc((size_t)n * sizeof *ratings);
    const Rating **order = malloc((size_t)n * sizeof *order);
    RateModel model;
    RateOptions options = {.anchor = -1, .prior = a->prior};
    bool ok = (ratings && order) || error_set(error, "out of memory");
    ok = ok && (!a->anchor || read_anchor(a->anchor, &c->roster, &options, error)) &&
         rate_fit(c->results.games, c->results.count, n, &options, ratings, &model, error);
    if (ok)
        sort_ratings(ratings, order, n);
    if (ok && a->is_json)
        ok = print_json(a, c, ratings, order, &model, error);
    else if (ok)
        print_table(a, c, ratings, order, &model);
    free(ratings);
    free(order);
    return ok;
}

int cmd_rate(int argc, char **argv)
{
    RateArguments a = {.prior = 1, .min_games = 1};
    const Option options[] = {
        {.name = "anchor", .kind = OPTION_TEXT, .value = &a.anchor},
        {.name = "prior", .kind = OPTION_REAL, .value = &a.prior, .low = 0, .high = 1000},
        {.name = "min-games", .kind = OPTION_COUNT, .value = &a.min_games},
        {.name = "csv", .kind = OPTION_FLAG, .value = &a.is_csv},
        OPTION_JSON(&a.is_json),
        OPTION_QUIET(&a.is_quiet),
        {0}};
    Words words;
    Error error;
    if (!options_read(argc, argv, options, &words, &error) ||
        (!words.count && !error_set(&error, "a file of games is needed")))
        return options_refuse(argv[0], &error);
    Collector *c = calloc(1, sizeof *c);
    bool ok = c || error_set(&error, "out of memory");
    for (int i = 0; ok && i < words.count; i++)
        ok = read_file(c, words.at[i], a.is_quiet, &error);
    ok = ok && rate(&a, c, &error);
    if (!ok)
        fprintf(stderr, "lovac rate: %s\n", error.text);
    if (c) {
        free(c->roster.names);
        free(c->roster.slots.at);
        free(c->results.games);
        free(c->results.slots.at);
    }
    free(c);
    return ok ? EXIT_OK : EXIT_FAILED;
}
