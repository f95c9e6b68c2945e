// `lovac analyse`: games judged, suites solved, one position looked at. The work is lab/analyse.h
// and analyse_suite.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/convert_read.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/minmax.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/stream.h"
#include "core/fen.h"
#include "core/notation.h"
#include "lab/analyse.h"
#include "lab/analyse_suite.h"
#include "tables/places.h"

const char help_analyse[] =
    "Usage: lovac analyse GAMES.pgn ... [--output JUDGED.pgn] [options]\n"
    "       lovac analyse --epd SUITE.epd [options]\n"
    "       lovac analyse --fen FEN [--lines N] [options]\n"
    "\n"
    "Games: searches every position; writes the games with scores, glyphs for bad moves and\n"
    "better lines, everything else kept (what an earlier run wrote is replaced); then a table\n"
    "of the players' accuracy, mean loss and bad moves. What is wrong in a file is told, and a\n"
    "game kept up to an illegal move; the exit status is then 1. Suites: best moves (bm, am)\n"
    "found, with time and nodes; points for graded ones.\n"
    "A position: its best lines in a table that grows as the search goes on.\n"
    "\n"
    "  --nodes N | --depth N | --movetime S   for each position (100000 nodes)\n"
    "  --threads N      positions or games at a time (one for each processor); with --fen,\n"
    "                   threads of the one search (1)\n"
    "  --hash MB        for each (16)\n"
    "  --output FILE    judged games, packed for .gz and .zst (standard output, the table then\n"
    "                   on stderr); --to is the same\n"
    "  --games N        only the first N games\n"
    "  --syzygy FOLDERS endgame tables to ask, with ':' between the folders\n"
    "  --tables FOLDER  the same for Lovac's own tables (those of `lovac tablebase make`, if "
    "there\n"
    "                   are any; \"\": none)\n"
    "  --lines N        with --fen: that many best lines (3)\n"
    "  --variant NAME   the game (chess)\n"
    "  --verbose        with --epd: a line for every position, not only for failures\n"
    "  --json           a JSON object instead of the tables\n"
    "  --quiet          no progress bar\n"
    "\n"
    "Under mpirun all processes share the games or positions, with the same result: mpirun\n"
    "--enable-recovery -n 4 lovac analyse ...; one that dies gives its share to the others.\n"
    "\n"
    "Example: lovac analyse games.pgn --output judged.pgn --nodes 100000\n"
    "         lovac analyse --epd wac.epd --movetime 1\n";

typedef struct AnalyseArguments {
    const char *epd, *fen, *to, *variant, *tables, *own_tables;
    char usual_tables[PLACES_SIZE];
    unsigned long long games;
    ThinkOptions think;
    long long threads, hash, lines;
    bool has_threads, is_verbose, is_json, is_quiet;
    const Rules *rules;
    SearchLimits limits;
} AnalyseArguments;

static void score_text(int score, char text[16])
{
    if (score_is_mate(score))
        snprintf(text, 16, "%s%d", score > 0 ? "+M" : "-M", abs(score_mate_moves(score)));
    else
        snprintf(text, 16, "%+.2f", score_shown(score) / 100.0);
}

// "score": {"cp": 31} or {"mate": -3}, by the side to move.
static void json_score(Json *json, int score)
{
    json_open(json, "score", '{');
    if (score_is_mate(score))
        json_int(json, "mate", score_mate_moves(score));
    else
        json_int(json, "cp", score_shown(score));
    json_close(json);
}

// ---- Games ----

enum { PLAYERS_MAX = 4096 };

typedef struct Player {
    char name[ANALYSE_NAME_SIZE];
    uint64_t games;
    PlayerReport report;
} Player;

typedef struct GamesDisplay {
    Player *players;
    int count;
    uint64_t games, positions, nodes, problems;
    const char *path; // of the file that is being read
    Progress progress;
} GamesDisplay;

static Player *find_player(GamesDisplay *d, const char *name)
{
    for (int i = 0; i < d->count; i++)
        if (!strcmp(d->players[i].name, name))
            return &d->players[i];
    if (d->count == PLAYERS_MAX)
        return NULL;
    snprintf(d->players[d->count].name, ANALYSE_NAME_SIZE, "%s", name);
    return &d->players[d->count++];
}

static void count_game(void *context, const AnalyseResult *result)
{
    GamesDisplay *d = context;
    const GameReport *report = &result->report;
    for (int c = 0; c < 2; c++) {
        Player *player = find_player(d, result->names[c]);
        if (player && report->players[c].moves) {
            player->games++;
            player_report_add(&player->report, &report->players[c]);
        }
    }
    d->games++;
    d->positions += report->positions;
    d->nodes += report->nodes;
    progress_set(&d->progress, result->position);
}

// A game with an illegal move is judged, and written, up to it: that must not go unseen.
static void tell_problem(void *context, uint64_t line, const Error *problem)
{
    GamesDisplay *d = context;
    d->problems++;
    progress_end(&d->progress);
    fprintf(stderr, "%s:%llu: %s\n", strcmp(d->path, "-") ? d->path : "standard input",
            (unsigned long long)line, problem->text);
}

static int by_accuracy(const void *a, const void *b)
{
    const PlayerReport *x = &((const Player *)a)->report, *y = &((const Player *)b)->report;
    double p = x->moves ? x->accuracy_sum / (double)x->moves : 0;
    double q = y->moves ? y->accuracy_sum / (double)y->moves : 0;
    return (p < q) - (p > q);
}

static void print_players(GamesDisplay *d, FILE *out)
{
    qsort(d->players, (size_t)d->count, sizeof *d->players, by_accuracy);
    fprintf(out, "%-28s %6s %7s %9s %10s %6s %6s %6s %8s\n", "player", "games", "moves", "accuracy",
            "mean loss", "?!", "?", "??", "best");
    for (int i = 0; i < d->count; i++) {
        const Player *p = &d->players[i];
        const PlayerReport *r = &p->report;
        double n = r->moves ? (double)r->moves : 1;
        fprintf(out, "%-28.28s %6llu %7llu %7.1f %% %10.1f %6llu %6llu %6llu %6.1f %%\n", p->name,
                (unsigned long long)p->games, (unsigned long long)r->moves, r->accuracy_sum / n,
                r->loss_sum / n, (unsigned long long)r->judged[JUDGED_INACCURACY],
                (unsigned long long)r->judged[JUDGED_MISTAKE],
                (unsigned long long)r->judged[JUDGED_BLUNDER], 100 * (double)r->best / n);
    }
    fprintf(out,
            "mean loss: centipawns a move; ?! inaccuracies, ? mistakes, ?? blunders; best: moves "
            "that were Lovac's first choice\n");
}

static void json_player(Json *json, const Player *p)
{
    const PlayerReport *r = &p->report;
    double n = r->moves ? (double)r->moves : 1;
    json_open(json, NULL, '{');
    json_text(json, "name", p->name);
    json_count(json, "games", p->games);
    json_count(json, "moves", r->moves);
    json_decimal(json, "accuracy", r->accuracy_sum / n, 2);
    json_decimal(json, "mean_loss", r->loss_sum / n, 2);
    json_count(json, "inaccuracies", r->judged[JUDGED_INACCURACY]);
    json_count(json, "mistakes", r->judged[JUDGED_MISTAKE]);
    json_count(json, "blunders", r->judged[JUDGED_BLUNDER]);
    json_count(json, "best", r->best);
    json_close(json);
}

// The players, best first, and the sums: as a table or for scripts.
static bool print_games(GamesDisplay *d, double seconds, bool is_json, FILE *out, Error *error)
{
    if (!is_json) {
        print_players(d, out);
        fprintf(out, "%llu games, %llu positions in %.1f s, %.0f nodes/s\n",
                (unsigned long long)d->games, (unsigned long long)d->positions, seconds,
                seconds > 0 ? (double)d->nodes / seconds : 0);
        return true;
    }
    Json json = {0};
    qsort(d->players, (size_t)d->count, sizeof *d->players, by_accuracy);
    json_open(&json, NULL, '{');
    json_count(&json, "games", d->games);
    json_count(&json, "positions", d->positions);
    json_count(&json, "nodes", d->nodes);
    json_decimal(&json, "seconds", seconds, 3);
    json_open(&json, "players", '[');
    for (int i = 0; i < d->count; i++)
        json_player(&json, &d->players[i]);
    json_close(&json);
    json_close(&json);
    return json_print(&json, out, error);
}

static bool write_stream(void *context, const char *text, size_t size)
{
    return stream_write(context, text, size);
}

static uint64_t file_length(const char *path)
{
    Stream *stream = strcmp(path, "-") ? stream_open(path, NULL) : NULL;
    uint64_t length = stream ? stream_length(stream) : 0;
    if (stream)
        stream_close(stream, NULL);
    return length;
}

// Only the first process has a file to write.
static Stream *open_output(const AnalyseArguments *a, const LongRun *run, Error *error)
{
    if (!run->is_first)
        return stream_create_file(stdout, "nothing", error);
    return a->to ? stream_create(a->to, error)
                 : stream_create_file(stdout, "standard output", error);
}

// All files, one after the other; the first process has seen that they can be read.
static bool analyse_files(const AnalyseArguments *a, const Words *words, AnalyseConfig *config,
                          GamesDisplay *d, Error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < words->count && (!a->games || d->games < a->games); i++) {
        config->path = d->path = words->at[i];
        config->games_max = a->games ? a->games - d->games : 0;
        progress_init(&d->progress, stderr, "analyse", "bytes", file_length(config->path),
                      a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
        ok = analyse_file(config, count_game, d, error);
        progress_end(&d->progress);
    }
    return ok;
}

// A file that is missing is told before the others are worked through.
static bool check_files(const Words *words, Error *error)
{
    for (int i = 0; i < words->count; i++) {
        Stream *stream = strcmp(words->at[i], "-") ? stream_open(words->at[i], error) : NULL;
        if (!stream && strcmp(words->at[i], "-"))
            return false;
        if (stream)
            stream_close(stream, NULL);
    }
    return true;
}

static bool analyse_games(const AnalyseArguments *a, const Words *words, const LongRun *run,
                          bool *has_problems, Error *error)
{
    if (run->is_first && !check_files(words, error))
        return false;
    Stream *out = open_output(a, run, error);
    GamesDisplay display = {.players = calloc(PLAYERS_MAX, sizeof *display.players)};
    if (!out || !display.players) {
        free(display.players);
        return false;
    }
    AnalyseConfig config = {.rules = a->rules,
                            .limits = a->limits,
                            .workers = (int)a->threads,
                            .team = run->team,
                            .hash_mb = (int)a->hash,
                            .tables = a->tables,
                            .own_tables = a->own_tables,
                            .sink = write_stream,
                            .sink_context = out,
                            .report = tell_problem,
                            .stop = run->stop};
    int64_t start = clock_ms();
    bool ok = analyse_files(a, words, &config, &display, error);
    double seconds = (double)(clock_ms() - start) / 1000;
    if (ok && run->is_first && !display.games && !long_run_is_stopped(run))
        ok = error_set(error, "%s: there is no game in it (--epd is for files of positions)",
                       words->at[0]);
    if (ok)
        ok = stream_close(out, error);
    else
        stream_abandon(out);
    if (ok)
        ok = print_games(&display, seconds, a->is_json, a->to ? stdout : stderr, error);
    free(display.players);
    *has_problems = display.problems;
    return ok;
}

// ---- Suites ----

typedef struct SuiteDisplay {
    bool is_verbose, is_json;
    Progress progress;
} SuiteDisplay;

static void show_position(void *context, const SuitePosition *p)
{
    SuiteDisplay *d = context;
    progress_add(&d->progress, 1);
    if (d->is_json || ((p->answer.is_solved || p->graded_count) && !d->is_verbose))
        return;
    char san[MOVE_TEXT_SIZE], score[16], wanted[MOVE_TEXT_SIZE] = "";
    move_to_san(&p->pos, p->answer.move, san);
    score_text(p->answer.score, score);
    if (p->best_count)
        move_to_san(&p->pos, p->best[0], wanted);
    progress_end(&d->progress);
    printf("%-8s %-32.32s %-8s %-8s %8s depth %2d %10llu nodes %7.2fs",
           p->answer.is_solved ? "solved" : "FAILED", p->name, san, wanted, score, p->answer.depth,
           (unsigned long long)(p->answer.is_solved ? p->answer.solved_nodes : p->answer.nodes),
           (double)(p->answer.is_solved ? p->answer.solved_ms : p->answer.time_ms) / 1000);
    if (p->graded_count)
        printf(" %d points", p->answer.points);
    printf("\n");
}

static void json_moves(Json *json, const char *name, const Position *pos, const Move *moves,
                       int count)
{
    char san[MOVE_TEXT_SIZE];
    json_open(json, name, '[');
    for (int i = 0; i < count; i++) {
        move_to_san(pos, moves[i], san);
        json_text(json, NULL, san);
    }
    json_close(json);
}

static void json_position(Json *json, const SuitePosition *p)
{
    char san[MOVE_TEXT_SIZE], fen[FEN_SIZE];
    json_open(json, NULL, '{');
    json_text(json, "name", p->name);
    position_to_fen(&p->pos, FEN_XFEN, fen);
    json_text(json, "fen", fen);
    json_flag(json, "solved", p->answer.is_solved);
    move_to_san(&p->pos, p->answer.move, san);
    json_text(json, "move", san);
    json_moves(json, "best", &p->pos, p->best, p->best_count);
    json_moves(json, "avoid", &p->pos, p->avoid, p->avoid_count);
    if (p->graded_count)
        json_int(json, "points", p->answer.points);
    json_score(json, p->answer.score);
    json_int(json, "depth", p->answer.depth);
    json_count(json, "nodes", p->answer.nodes);
    json_int(json, "time_ms", p->answer.time_ms);
    json_close(json);
}

static bool print_suite_json(const Suite *suite, double seconds, Error *error)
{
    Json json = {0};
    int done = 0, solved = 0;
    json_open(&json, NULL, '{');
    json_open(&json, "positions", '[');
    for (int i = 0; i < suite->count; i++) {
        const SuitePosition *p = &suite->positions[i];
        if (!p->answer.is_done)
            continue;
        json_position(&json, p);
        done++;
        solved += p->answer.is_solved;
    }
    json_close(&json);
    json_int(&json, "done", done);
    json_int(&json, "solved", solved);
    json_int(&json, "left_out", suite->refused);
    json_decimal(&json, "seconds", seconds, 3);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static void print_suite(const Suite *suite, double seconds)
{
    int done = 0, solved = 0, graded = 0;
    long long points = 0, points_max = 0;
    double solved_ms = 0, log_nodes = 0;
    uint64_t nodes = 0;
    for (int i = 0; i < suite->count; i++) {
        const SuitePosition *p = &suite->positions[i];
        if (!p->answer.is_done)
            continue;
        done++;
        nodes += p->answer.nodes;
        if (p->answer.is_solved) {
            solved++;
            solved_ms += (double)p->answer.solved_ms;
            log_nodes += log((double)p->answer.solved_nodes + 1);
        }
        int top = 0;
        for (int k = 0; k < p->graded_count; k++)
            top = p->points[k] > top ? p->points[k] : top;
        graded += p->graded_count > 0;
        points += p->answer.points;
        points_max += top;
    }
    printf("%d of %d solved (%.1f %%)", solved, done, done ? 100.0 * solved / done : 0);
    if (graded)
        printf(", %lld of %lld points (%.1f %%)", points, points_max,
               points_max ? 100.0 * (double)points / (double)points_max : 0);
    printf("\n%llu nodes in %.1f s; a solution took %.0f ms and %.0f nodes (geometric mean)\n",
           (unsigned long long)nodes, seconds, solved ? solved_ms / solved : 0,
           solved ? exp(log_nodes / solved) : 0);
    if (suite->refused)
        printf("%d lines left out; %s\n", suite->refused, suite->first_refusal.text);
}

static bool analyse_epd(const AnalyseArguments *a, const LongRun *run, Error *error)
{
    Suite suite;
    SuiteConfig config = {.limits = a->limits,
                          .workers = (int)a->threads,
                          .team = run->team,
                          .hash_mb = (int)a->hash,
                          .tables = a->tables,
                          .own_tables = a->own_tables,
                          .stop = run->stop};
    bool ok = suite_load(&suite, a->epd, a->rules, error);
    if (ok) {
        SuiteDisplay display = {.is_verbose = a->is_verbose, .is_json = a->is_json};
        progress_init(&display.progress, stderr, "suite", "positions", (uint64_t)suite.count,
                      a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
        int64_t start = clock_ms();
        ok = suite_run(&suite, &config, show_position, &display, error);
        progress_end(&display.progress);
        double seconds = (double)(clock_ms() - start) / 1000;
        if (ok && a->is_json && run->is_first)
            ok = print_suite_json(&suite, seconds, error);
        else if (ok && !a->is_json)
            print_suite(&suite, seconds);
    }
    suite_release(&suite);
    return ok;
}

// ---- One position ----

enum { LINES_MAX = 64, LINE_TEXT_SIZE = 512 };

// A line as the search told it last.
typedef struct KeptLine {
    int depth, score, count;
    uint64_t nodes;
    int64_t time_ms;
    Move moves[MAX_PLY];
} KeptLine;

typedef struct PositionDisplay {
    KeptLine kept[LINES_MAX];
    char lines[LINES_MAX][LINE_TEXT_SIZE];
    int count;
    int shown; // rows on the screen
    int64_t next_ms;
    bool is_terminal;
    atomic_bool is_done;
} PositionDisplay;

static void draw_lines(PositionDisplay *d)
{
    if (d->is_terminal && d->shown)
        printf("\033[%dA\033[J", d->shown);
    printf("%5s %8s %8s %12s  %s\n", "depth", "score", "time", "nodes", "line");
    for (int i = 0; i < d->count; i++)
        puts(d->lines[i]);
    fflush(stdout);
    d->shown = d->count + 1;
}

static bool print_lines_json(const PositionDisplay *d, const Position *root, Error *error)
{
    char text[MOVE_TEXT_SIZE];
    Json json = {0};
    json_open(&json, NULL, '{');
    setup_add_json(&json, root);
    json_open(&json, "lines", '[');
    for (int i = 0; i < d->count; i++) {
        const KeptLine *line = &d->kept[i];
        Position pos = *root;
        json_open(&json, NULL, '{');
        json_int(&json, "depth", line->depth);
        json_score(&json, line->score);
        json_count(&json, "nodes", line->nodes);
        json_int(&json, "time_ms", line->time_ms);
        json_open(&json, "moves", '[');
        for (int k = 0; k < line->count; k++) {
            Undo undo;
            move_to_san(&pos, line->moves[k], text);
            json_text(&json, NULL, text);
            position_make(&pos, line->moves[k], &undo);
        }
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static void keep_line(void *context, const Position *root, const SearchInfo *info)
{
    PositionDisplay *d = context;
    if (info->kind != INFO_LINE || info->multi_pv > LINES_MAX)
        return;
    char score[16], san[MOVE_TEXT_SIZE];
    Str line;
    KeptLine *kept = &d->kept[info->multi_pv - 1];
    *kept = (KeptLine){.depth = info->depth,
                       .score = info->score,
                       .count = min_int(info->pv_count, MAX_PLY),
                       .nodes = info->nodes,
                       .time_ms = info->time_ms};
    memcpy(kept->moves, info->pv, (size_t)kept->count * sizeof *kept->moves);
    score_text(info->score, score);
    str_init(&line, d->lines[info->multi_pv - 1], LINE_TEXT_SIZE);
    str_format(&line, "%5d %8s %7.2fs %12llu ", info->depth, score, (double)info->time_ms / 1000,
               (unsigned long long)info->nodes);
    Position pos = *root;
    for (int i = 0; i < info->pv_count && line.length < 110; i++) {
        Undo undo;
        move_to_san(&pos, info->pv[i], san);
        str_format(&line, " %s", san);
        position_make(&pos, info->pv[i], &undo);
    }
    if (info->multi_pv > d->count)
        d->count = info->multi_pv;
    if (d->is_terminal && clock_ms() >= d->next_ms) {
        d->next_ms = clock_ms() + 100;
        draw_lines(d);
    }
}

static void finish_position(void *context, const Position *root, const SearchResult *result)
{
    (void)root, (void)result;
    atomic_store(&((PositionDisplay *)context)->is_done, true);
}

static bool analyse_position(const AnalyseArguments *a, const LongRun *run, Error *error)
{
    Position pos;
    Setup setup = {.variant = a->variant, .fen = a->fen};
    EngineOptions options = engine_default_options();
    options.multi_pv = (int)a->lines;
    options.hash_mb = (int)a->hash;
    options.threads = a->has_threads ? (int)a->threads : 1;
    options.analyse_mode = true;
    if (!setup_position(&setup, &pos, error))
        return false;
    PositionDisplay *display = calloc(1, sizeof *display);
    Engine *engine = engine_new(&options, error);
    bool ok = display && engine && engine_set_position(engine, &pos, NULL, 0, error) &&
              (!a->tables || engine_load_tables(engine, a->tables, error)) &&
              (!a->own_tables || engine_load_own_tables(engine, a->own_tables, error));
    if (ok) {
        display->is_terminal = !a->is_json && isatty(STDOUT_FILENO);
        ok = engine_go(engine, &a->limits, keep_line, finish_position, display, error);
    }
    if (ok) {
        while (!atomic_load(&display->is_done)) {
            if (long_run_is_stopped(run))
                engine_stop(engine);
            clock_sleep_ms(10);
        }
        engine_wait(engine);
        if (a->is_json)
            ok = print_lines_json(display, &pos, error);
        else
            draw_lines(display);
    }
    if (engine)
        engine_free(engine);
    free(display);
    return ok;
}

static bool read_arguments(int argc, char **argv, AnalyseArguments *a, Words *words, Error *error)
{
    const Option options[] = {
        {.name = "epd", .kind = OPTION_TEXT, .value = &a->epd},
        {.name = "fen", .kind = OPTION_TEXT, .value = &a->fen},
        {.name = "to", .kind = OPTION_TEXT, .value = &a->to},
        {.name = "output", .kind = OPTION_TEXT, .value = &a->to},
        OPTION_VARIANT(&a->variant),
        OPTIONS_THINK(&a->think),
        {.name = "games", .kind = OPTION_COUNT, .value = &a->games},
        {.name = "threads",
         .kind = OPTION_INT,
         .value = &a->threads,
         .low = 1,
         .high = 1024,
         .is_given = &a->has_threads},
        {.name = "hash", .kind = OPTION_INT, .value = &a->hash, .low = 1, .high = HASH_MB_MAX},
        {.name = "syzygy", .kind = OPTION_TEXT, .value = &a->tables},
        {.name = "tables", .kind = OPTION_TEXT, .value = &a->own_tables},
        {.name = "lines", .kind = OPTION_INT, .value = &a->lines, .low = 1, .high = LINES_MAX},
        {.name = "verbose", .kind = OPTION_FLAG, .value = &a->is_verbose},
        OPTION_JSON(&a->is_json),
        OPTION_QUIET(&a->is_quiet),
        {0}};
    if (places_find_tables(a->usual_tables))
        a->own_tables = a->usual_tables;
    if (!options_read(argc, argv, options, words, error))
        return false;
    a->rules = setup_rules(a->variant, error);
    if (!a->rules)
        return false;
    if ((words->count > 0) + (a->epd != NULL) + (a->fen != NULL) != 1)
        return error_set(error, "files of games, or --epd, or --fen: one of the three is needed");
    if (a->to && !words->count)
        return error_set(error, "--output is for judged games");
    Format kind = a->to ? format_of_name(a->to) : FORMAT_PGN;
    if (kind != FORMAT_PGN && kind != FORMAT_UNKNOWN)
        return error_set(error, "--output: judged games are PGN, and '%.200s' is not by its name",
                         a->to);
    a->limits = search_limits_none();
    const ThinkOptions *think = &a->think;
    a->limits.nodes = think->nodes;
    a->limits.depth = (int)think->depth;
    if (think->has_move_time)
        a->limits.move_time_ms = (int64_t)(think->move_time_s * 1000 + 0.5);
    if (!think->nodes && !think->depth && !think->has_move_time)
        a->limits.nodes = a->fen ? 10000000 : 100000;
    return true;
}

int cmd_analyse(int argc, char **argv)
{
    LongRun run;
    Words words;
    Error error;
    if (!long_run_begin(&run, argv[0], &error))
        return long_run_end(&run, false, &error);
    AnalyseArguments a = {.variant = "chess", .threads = run.threads, .hash = 16, .lines = 3};
    if (!read_arguments(argc, argv, &a, &words, &error))
        return long_run_refuse(&run, &error);
    bool ok, has_problems = false;
    if (a.fen)
        ok = !run.is_first || analyse_position(&a, &run, &error);
    else
        ok = a.epd ? analyse_epd(&a, &run, &error)
                   : analyse_games(&a, &words, &run, &has_problems, &error);
    int status = long_run_end(&run, ok, &error);
    return has_problems ? EXIT_FAILED : status;
}
