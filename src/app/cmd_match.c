// `lovac match`: games between players, with a live table. The match itself is lab/match.h.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/players.h"
#include "app/setup.h"
#include "base/clock.h"
#include "base/file.h"
#include "lab/match.h"
#include "lab/match_table.h"

const char help_match[] =
    "Usage: lovac match PLAYER PLAYER [PLAYER ...] [options]\n"
    "\n"
    "Plays games between engines: every opening twice, with both colours, several games at a\n"
    "time. Shows a table with Elo and error bars (95 %, from pairs of games). A PLAYER is one\n"
    "argument: level=N (1 to 12), lovac (in this process), random, greedy, material (alpha-beta\n"
    "that counts material, depth=3), an engine's command with its arguments, or a name from\n"
    "--engines; then key=value words: name= proto=uci|xboard tc= movetime= nodes= depth= dir=\n"
    "log= patience= resign=CP option.NAME=VALUE, and for lovac also hash= threads= net=\n"
    "syzygy= tables= book= skill= elo= level=. `lovac match --players` lists them all. In an\n"
    "option's NAME _ is a blank (option.Move_Overhead=50); what the engine does not announce is\n"
    "an error. Quotes keep blanks together: 'stockfish name=\"Stockfish 16\"'. XBoard engines\n"
    "know no limit of nodes.\n"
    "\n"
    "  --players           who can play, a line each\n"
    "  --engines FILE      other players: lines NAME: DESCRIPTION (the user's configuration\n"
    "                      folder, lovac/engines.conf, if it is there)\n"
    "  --games N           games of each pairing, made even (100)\n"
    "  --concurrency N     games at a time, in each process (one for each processor)\n"
    "  --nodes N | --depth N | --movetime S | --tc [MOVES/]S[+INC]\n"
    "                      how long all think that name no limit of their own (5000 nodes)\n"
    "  --openings WHAT     an EPD or PGN file, random (made and weighed), or start (start for\n"
    "                      shuffled games, else random)\n"
    "  --plies N           random half-moves (8 or 9), or half-moves taken from PGN games\n"
    "  --order WHAT        openings of a file: random or file (random)\n"
    "  --seed N            for openings and everything random (1)\n"
    "  --variant NAME      the game (chess)\n"
    "  --gauntlet          the first player against all others; else everybody meets everybody\n"
    "  --sprt E0,E1        stop as soon as the test decides between Elo E0 and E1; more:\n"
    "                      elo0=0,elo1=5,alpha=0.05,beta=0.05,normalized\n"
    "  --pgn FILE          write the games, with score, depth and time of each move\n"
    "  --journal FILE      results that survive a kill (FILE.journal beside the PGN): the same\n"
    "                      command goes on where the match was\n"
    "  --restart           begin anew instead\n"
    "  --draw M,N,CP       draw from move M on after N moves within CP (40,8,8; 0 for never)\n"
    "  --win N,CP          win after N moves beyond CP, both agreeing (4,1000; 0 for never)\n"
    "  --resign N,CP       a side gives up after N moves of its own CP behind (never)\n"
    "  --max-moves N       draw after N moves\n"
    "  --margin MS         forgiven beyond the clock (10)\n"
    "  --event TEXT        for the PGN\n"
    "  --json              at the end, the table as a JSON object and nothing else\n"
    "  --every N           without a terminal: a table after every N games (100)\n"
    "\n"
    "A journal belongs to what was really run: programs, nets and books are known by what is in\n"
    "their files. The table shows what a move cost each player in nodes and milliseconds.\n"
    "Under mpirun all processes play one match together: mpirun --enable-recovery -n 4 lovac\n"
    "match ...; one that dies gives its games to the others.\n"
    "\n"
    "Example: lovac match \"lovac hash=8\" \"stockfish nodes=1000\" --games 200 --nodes 5000\n"
    "         lovac match \"lovac net=new.nnue name=new\" lovac --sprt 0,5 --pgn games.pgn\n";

typedef struct MatchArguments {
    unsigned long long games, seed;
    ThinkOptions think;
    long long concurrency, plies, max_moves, margin, every;
    const char *tc, *openings, *order, *variant, *sprt, *pgn, *journal, *draw, *win, *resign,
        *event, *engines;
    bool has_plies, is_gauntlet, restarts, lists, is_json;
} MatchArguments;

// What the live table needs between two games.
typedef struct MatchDisplay {
    const MatchConfig *config;
    bool is_terminal, is_json;
    long long every;
    int lines; // of the table on the screen
    int64_t next_ms;
} MatchDisplay;

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

// What cannot be written is told at the end of the program, as for the table.
static void print_json(const MatchConfig *config, const MatchStatus *status)
{
    Json json = {0};
    match_table_json(config, status, &json);
    json_print(&json, stdout, NULL);
}

static void show(void *context, const MatchStatus *status, const MatchRecord *record)
{
    MatchDisplay *d = context;
    bool is_last = !record;
    if (d->is_json) {
        if (is_last)
            print_json(d->config, status);
        return;
    }
    if (!is_last && d->is_terminal ? clock_ms() < d->next_ms
                                   : !is_last && status->done % (uint64_t)d->every != 0)
        return;
    d->next_ms = clock_ms() + 200;
    static const size_t SIZE = 1 << 16;
    char *text = malloc(SIZE);
    if (!text)
        return;
    Str out;
    str_init(&out, text, SIZE);
    match_table_progress(status, &out);
    str_add(&out, "\n");
    match_table_write(d->config, status, &out);
    if (d->is_terminal && d->lines)
        printf("\033[%dA\033[J", d->lines);
    fputs(text, stdout);
    fflush(stdout);
    d->lines = count_lines(text);
    free(text);
}

// "40,8,8" into numbers; "0" alone is all that is needed for never.
static bool read_numbers(const char *name, const char *text, int *values, int count, Error *error)
{
    const char *at = text;
    for (int i = 0; i < count; i++) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || value < 0 || value > 100000)
            return error_set(error, "--%s: bad number in '%s'", name, text);
        values[i] = (int)value;
        if (!*end && !value)
            return values[count == 3 ? 1 : 0] = 0, true;
        if (*end != (i + 1 < count ? ',' : 0))
            return error_set(error, "--%s: expected %d numbers, not '%s'", name, count, text);
        at = end + 1;
    }
    return true;
}

static bool read_adjudication(const MatchArguments *a, Adjudication *adjudication, Error *error)
{
    *adjudication = adjudication_default();
    int draw[3] = {0}, win[2] = {0}, resign[2] = {0};
    if (a->draw) {
        if (!read_numbers("draw", a->draw, draw, 3, error))
            return false;
        adjudication->draw_from_move = draw[0];
        adjudication->draw_moves = draw[1];
        adjudication->draw_score = draw[2];
    }
    if (a->win) {
        if (!read_numbers("win", a->win, win, 2, error))
            return false;
        adjudication->win_moves = win[0];
        adjudication->win_score = win[1];
    }
    if (a->resign) {
        if (!read_numbers("resign", a->resign, resign, 2, error))
            return false;
        adjudication->resign_moves = resign[0];
        adjudication->resign_score = resign[1];
    }
    adjudication->moves_max = (int)a->max_moves;
    return true;
}

static bool read_limits(const MatchArguments *a, PlayerLimits *limits, Error *error)
{
    *limits = player_limits_none();
    if (a->tc && !player_limits_parse_clock(limits, a->tc, error))
        return false;
    const ThinkOptions *think = &a->think;
    if (think->has_move_time)
        limits->move_time_ms = (int64_t)(think->move_time_s * 1000 + 0.5);
    limits->nodes = think->nodes;
    limits->depth = (int)think->depth;
    if (!a->tc && !think->has_move_time && !think->nodes && !think->depth)
        limits->nodes = 5000;
    return true;
}

static Openings *make_openings(const MatchArguments *a, const Rules *rules, Error *error)
{
    const char *what = a->openings                     ? a->openings
                       : rules_start_count(rules) == 1 ? "random"
                                                       : "start";
    if (!strcmp(what, "start"))
        return openings_start(rules, a->seed, error);
    if (!strcmp(what, "random")) {
        OpeningRecipe recipe = opening_default_recipe();
        if (a->has_plies)
            recipe.plies_min = recipe.plies_max = (int)a->plies;
        return openings_random(rules, &recipe, a->seed, error);
    }
    int refused;
    bool shuffled = strcmp(a->order, "file");
    Openings *openings =
        openings_load(what, rules, (int)a->plies, shuffled, a->seed, &refused, error);
    if (openings && refused)
        fprintf(stderr, "lovac match: %s: %d openings left out: they cannot be played\n", what,
                refused);
    return openings;
}

// A match goes on behind the games that a file has: a device or a pipe has none to look at.
static bool check_file(const char *name, const char *path, Error *error)
{
    if (path && (!strcmp(path, "-") || file_is_special(path)))
        return error_set(error, "--%s: '%s' is no regular file", name, path);
    return true;
}

static bool read_arguments(int argc, char **argv, MatchArguments *a, Words *words, Error *error)
{
    const Option options[] = {
        {.name = "games", .kind = OPTION_COUNT, .value = &a->games},
        {.name = "concurrency",
         .kind = OPTION_INT,
         .value = &a->concurrency,
         .low = 1,
         .high = 4096},
        {.name = "players", .kind = OPTION_FLAG, .value = &a->lists},
        {.name = "engines", .kind = OPTION_TEXT, .value = &a->engines},
        OPTIONS_THINK(&a->think),
        {.name = "tc", .kind = OPTION_TEXT, .value = &a->tc},
        {.name = "openings", .kind = OPTION_TEXT, .value = &a->openings},
        {.name = "plies",
         .kind = OPTION_INT,
         .value = &a->plies,
         .low = 0,
         .high = OPENING_PLIES_MAX,
         .is_given = &a->has_plies},
        {.name = "order", .kind = OPTION_TEXT, .value = &a->order},
        OPTION_SEED(&a->seed),
        OPTION_VARIANT(&a->variant),
        {.name = "gauntlet", .kind = OPTION_FLAG, .value = &a->is_gauntlet},
        {.name = "sprt", .kind = OPTION_TEXT, .value = &a->sprt},
        {.name = "pgn", .kind = OPTION_TEXT, .value = &a->pgn},
        {.name = "journal", .kind = OPTION_TEXT, .value = &a->journal},
        {.name = "restart", .kind = OPTION_FLAG, .value = &a->restarts},
        {.name = "draw", .kind = OPTION_TEXT, .value = &a->draw},
        {.name = "win", .kind = OPTION_TEXT, .value = &a->win},
        {.name = "resign", .kind = OPTION_TEXT, .value = &a->resign},
        {.name = "max-moves", .kind = OPTION_INT, .value = &a->max_moves, .low = 0, .high = 10000},
        {.name = "margin", .kind = OPTION_INT, .value = &a->margin, .low = 0, .high = 100000},
        {.name = "event", .kind = OPTION_TEXT, .value = &a->event},
        OPTION_JSON(&a->is_json),
        {.name = "every", .kind = OPTION_INT, .value = &a->every, .low = 1, .high = 1000000},
        {0}};
    if (!options_read(argc, argv, options, words, error))
        return false;
    if (strcmp(a->order, "file") && strcmp(a->order, "random"))
        return error_set(error, "--order: random or file, not '%s'", a->order);
    if (words->count < 2 && !a->lists)
        return error_set(error, "two players are needed");
    if (!a->games)
        return error_set(error, "--games 0: there is nothing to play");
    return check_file("pgn", a->pgn, error) && check_file("journal", a->journal, error);
}

// FILE.journal beside the PGN, unless named.
static char *journal_path(const MatchArguments *a)
{
    if (!a->journal && !a->pgn)
        return NULL;
    size_t size = strlen(a->journal ? a->journal : a->pgn) + 16;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", a->journal ? a->journal : a->pgn,
                 a->journal ? "" : ".journal");
    return path;
}

// Engines that always think alike play the same game again from the same opening.
static void warn_of_repeats(const MatchConfig *config)
{
    uint64_t openings = openings_count(config->openings);
    if (openings && config->rounds > openings)
        fprintf(stderr, "lovac match: warning: %llu openings for %llu rounds: they repeat\n",
                (unsigned long long)openings, (unsigned long long)config->rounds);
}

static void tell_silent(void *context, const char *name)
{
    (void)context;
    fprintf(stderr, "lovac match: waiting for %s, which does not answer\n", name);
}

static bool fill_config(const MatchArguments *a, const Words *words, const PlayerList *list,
                        PlayerSpec *players, MatchConfig *config, Error *error)
{
    config->rules = setup_rules(a->variant ? a->variant : "chess", error);
    PlayerLimits limits;
    if (!config->rules || !read_limits(a, &limits, error) ||
        !read_adjudication(a, &config->adjudication, error))
        return false;
    for (int i = 0; i < words->count; i++)
        if (!player_list_find(list, words->at[i], &limits, &players[i], error))
            return false;
    config->has_sprt = a->sprt;
    return !a->sprt || sprt_parse(&config->sprt, a->sprt, error);
}

// How the openings are taken: other half-moves or another order make another match.
static void describe_openings(const MatchArguments *a, char *text, size_t size)
{
    Str out;
    str_init(&out, text, size);
    str_format(&out, "order %s", a->order);
    if (a->has_plies)
        str_format(&out, " plies %lld", a->plies);
}

static bool run_match(const MatchArguments *a, MatchConfig *config, Error *error)
{
    config->openings = make_openings(a, config->rules, error);
    if (!config->openings)
        return false;
    warn_of_repeats(config);
    if (a->restarts && config->journal_path && spread_is_first(config->team)) {
        file_remove(config->journal_path);
        if (a->pgn)
            file_remove(a->pgn);
    }
    // What mpirun shows the first process is a terminal even where its own output is none.
    MatchDisplay display = {.config = config,
                            .is_terminal = !config->team && isatty(STDOUT_FILENO),
                            .is_json = a->is_json,
                            .every = a->every};
    return match_run(config, show, &display, error);
}

// Makes players and openings and plays.
static int play(const MatchArguments *a, const Words *words, const PlayerList *list, LongRun *run,
                Error *error)
{
    PlayerSpec *players = calloc((size_t)words->count, sizeof *players);
    char *journal = journal_path(a), how[128];
    describe_openings(a, how, sizeof how);
    MatchConfig config = {.players = players,
                          .player_count = words->count,
                          .format = a->is_gauntlet ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN,
                          .rounds = (a->games + 1) / 2,
                          .concurrency = (int)a->concurrency,
                          .team = run->team,
                          .openings_name = a->openings,
                          .openings_how = how,
                          .seed = a->seed,
                          .margin_ms = a->margin,
                          .event = a->event,
                          .pgn_path = a->pgn,
                          .journal_path = journal,
                          .on_silent = tell_silent,
                          .stop = run->stop};
    int status;
    if (players && fill_config(a, words, list, players, &config, error)) {
        bool ok = run_match(a, &config, error);
        status = long_run_end(run, ok, error);
        if (run->is_first && long_run_is_stopped(run))
            status = EXIT_FAILED;
    } else {
        status = long_run_refuse(run, error);
    }
    openings_free((Openings *)(uintptr_t)config.openings);
    free(journal);
    free(players);
    return status;
}

int cmd_match(int argc, char **argv)
{
    LongRun run;
    Words words;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    MatchArguments a = {.games = 100,
                        .seed = 1,
                        .concurrency = run.threads,
                        .margin = 10,
                        .every = 100,
                        .order = "random"};
    PlayerList list;
    if (!read_arguments(argc, argv, &a, &words, &error) || !players_open(&list, a.engines, &error))
        return long_run_refuse(&run, &error);
    int status;
    if (a.lists) {
        if (run.is_first)
            players_print(&list);
        status = long_run_end(&run, true, &error);
    } else {
        status = play(&a, &words, &list, &run, &error);
    }
    player_list_release(&list);
    return status;
}
