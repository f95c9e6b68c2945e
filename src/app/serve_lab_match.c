// "Match": games between two players of the server, with a live table, Elo with its error bars and,
// when asked for, SPRT. The match itself is lab/match.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/serve_lab.h"
#include "lab/match.h"
#include "server/runner.h"
#include "server/view.h"

enum {
    GAMES_MAX = 500,
    FULL_MS = 1000,    // a move of those that nothing else limits
    MARGIN_MS = 60000, // nobody loses on time: the machine may be busy with better things
};

enum { TABLE_SCORE, TABLE_SPRT, TABLE_CURVE, TABLE_GAMES };

typedef struct Show {
    Run *run;
    const MatchConfig *config;
} Show;

// ---- The players ----

// Levels and numbers of nodes are called as the page calls them.
static void set_name(const char *text, PlayerSpec *spec)
{
    long long number;
    int end = 0;
    if (sscanf(text, "level=%lld", &number) == 1)
        snprintf(spec->name, sizeof spec->name, "Lovac %lld", number);
    else if (sscanf(text, "lovac nodes=%lld%n", &number, &end) == 1)
        snprintf(spec->name, sizeof spec->name, "Lovac %lld%s", number,
                 text[end] ? " (hand)" : " (net)");
}

static bool make_player(const PlayerList *players, const char *text, PlayerSpec *spec, Error *error)
{
    PlayerLimits limits = player_limits_none();
    limits.move_time_ms = FULL_MS;
    if (!player_list_find(players, text, &limits, spec, error))
        return false;
    set_name(text, spec);
    return true;
}

static bool make_players(const PlayerList *players, const ChoiceValue *values, PlayerSpec specs[2],
                         Error *error)
{
    static const char *const KEYS[2] = {"first", "second"};
    for (int i = 0; i < 2; i++)
        if (!make_player(players, choice_value(&LAB_MATCH, values, KEYS[i])->player, &specs[i],
                         error))
            return false;
    if (!strcmp(specs[0].name, specs[1].name)) {
        // Against itself: a good test of the table.
        char name[PLAYER_NAME_SIZE];
        snprintf(name, sizeof name, "%.58s (2)", specs[1].name);
        strcpy(specs[1].name, name);
    }
    return true;
}

// ---- What is shown after each game ----

static EloEstimate estimate(const MatchPairing *p)
{
    uint64_t pairs = 0;
    for (int i = 0; i < 5; i++)
        pairs += p->pairs.n[i];
    return pairs ? elo_from_pairs(&p->pairs) : elo_from_games(&p->games);
}

static void show_score(const Show *s, const MatchPairing *p, const EloEstimate *e)
{
    const GameCounts *g = &p->games;
    double total = (double)(g->win + g->draw + g->loss);
    for (int i = 0; i < 2; i++) {
        uint64_t wins = i ? g->loss : g->win, losses = i ? g->win : g->loss;
        double points = (double)wins + (double)g->draw / 2;
        Cell cells[8] = {cell_text(s->config->players[i].name),
                         cell_count(wins),
                         cell_count(g->draw),
                         cell_count(losses),
                         cell_real(points),
                         cell_real(total > 0 ? 100 * points / total : 0),
                         cell_real(i ? -e->elo : e->elo),
                         cell_real(e->error)};
        run_row(s->run, TABLE_SCORE, i, cells, 8);
    }
}

static void show_sprt(const Show *s, const MatchStatus *status)
{
    static const char *const VERDICTS[] = {"–", "H0", "H1"};
    const Sprt *sprt = &s->config->sprt;
    Cell cells[4] = {cell_real(status->llr), cell_real(sprt_lower(sprt)),
                     cell_real(sprt_upper(sprt)), cell_text(VERDICTS[status->verdict])};
    if (s->config->has_sprt)
        run_row(s->run, TABLE_SPRT, 0, cells, 4);
}

static void show_game(Show *s, const MatchRecord *record, int row)
{
    const JournalEntry *e = &record->entry;
    Cell cells[6] = {
        cell_count(e->game + 1),
        cell_text(s->config->players[match_game_player(s->config, e->game, WHITE)].name),
        cell_text(s->config->players[match_game_player(s->config, e->game, BLACK)].name),
        cell_text(result_text(e->result)),
        cell_text(reason_code(record->reason)),
        cell_count((uint64_t)e->plies)};
    run_row(s->run, TABLE_GAMES, row, cells, 6);
    if (row < RUN_TEXTS_MAX)
        run_text(s->run, row, record->pgn);
}

static void show(void *context, const MatchStatus *status, const MatchRecord *record)
{
    Show *s = context;
    if (!record)
        return; // nothing new
    const MatchPairing *p = &status->pairings[0];
    EloEstimate e = estimate(p);
    int row = (int)status->done - 1;
    show_score(s, p, &e);
    show_sprt(s, status);
    Cell point[4] = {cell_count(status->done), cell_real(e.elo), cell_real(e.low),
                     cell_real(e.high)};
    run_row(s->run, TABLE_CURVE, row, point, 4);
    show_game(s, record, row);
    int64_t left = (int64_t)(status->total - status->done);
    int64_t played = (int64_t)(status->done - status->resumed);
    run_progress(s->run, (double)status->done / (double)status->total,
                 status->elapsed_ms / (played > 0 ? played : 1) * left);
}

// ---- Games from before an interruption ----

// What a row of the table of games says about its game.
static JournalEntry entry_of(const Cell *cells)
{
    static const Result RESULTS[] = {RESULT_WHITE, RESULT_BLACK, RESULT_DRAW};
    JournalEntry entry = {.game = (uint64_t)cells[0].count - 1, .plies = (int)cells[5].count};
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
        if (!strcmp(cells[3].text, result_text(RESULTS[i])))
            entry.result = RESULTS[i];
    return entry;
}

// Shows all rows again; the games among them are not played again.
static int take_kept(Run *run, JournalEntry known[GAMES_MAX + 1])
{
    Cell cells[COLUMNS_MAX];
    int games = 0;
    for (int t = 0; t < experiment_table_count(&LAB_MATCH); t++)
        for (int row = 0, width; (width = run_kept(run, t, row, cells)); row++) {
            run_row(run, t, row, cells, width);
            if (t == TABLE_GAMES && games <= GAMES_MAX)
                known[games++] = entry_of(cells);
        }
    return games;
}

// ---- The experiment ----

static bool check(const ChoiceValue *values, Error *error)
{
    int64_t elo0 = choice_value(&LAB_MATCH, values, "elo0")->number;
    int64_t elo1 = choice_value(&LAB_MATCH, values, "elo1")->number;
    return !choice_value(&LAB_MATCH, values, "sprt")->number || elo0 < elo1 ||
           error_code(error, "elo-order", "elo1 must be larger than elo0");
}

static Openings *make_openings(const Rules *rules, uint64_t seed, Error *error)
{
    OpeningRecipe recipe = opening_default_recipe();
    return rules_start_count(rules) == 1 ? openings_random(rules, &recipe, seed, error)
                                         : openings_start(rules, seed, error);
}

static bool play(MatchConfig *config, Run *run, Error *error)
{
    Show s = {.run = run, .config = config};
    JournalEntry *known = calloc(GAMES_MAX + 1, sizeof *known);
    if (!known)
        return error_set(error, "out of memory");
    config->known = known;
    config->known_count = take_kept(run, known);
    bool ok = match_run(config, show, &s, error);
    free(known);
    return ok;
}

static bool work(const void *context, const ChoiceValue *values, Run *run, Error *error)
{
    PlayerSpec *specs = calloc(2, sizeof *specs);
    if (!specs)
        return error_set(error, "out of memory");
    MatchConfig config = {.players = specs,
                          .player_count = 2,
                          .rules = choice_value(&LAB_MATCH, values, "variant")->rules,
                          .rounds =
                              (uint64_t)(choice_value(&LAB_MATCH, values, "games")->number + 1) / 2,
                          .concurrency = 1,
                          .event = "Laboratory",
                          .seed = (uint64_t)choice_value(&LAB_MATCH, values, "seed")->number,
                          .adjudication = adjudication_default(),
                          .margin_ms = MARGIN_MS,
                          .has_sprt = choice_value(&LAB_MATCH, values, "sprt")->number,
                          .sprt = {.elo0 = (double)choice_value(&LAB_MATCH, values, "elo0")->number,
                                   .elo1 = (double)choice_value(&LAB_MATCH, values, "elo1")->number,
                                   .alpha = 0.05,
                                   .beta = 0.05},
                          .stop = run_stop(run)};
    bool ok = make_players(context, values, specs, error);
    Openings *openings = ok ? make_openings(config.rules, config.seed, error) : NULL;
    config.openings = openings;
    ok = openings && play(&config, run, error);
    openings_free(openings);
    free(specs);
    return ok;
}

const Experiment LAB_MATCH = {
    .key = "match",
    .title = "Match",
    .text = "Games between two players, every opening with both colours: Elo with its error bars "
            "(95 %), game by game.",
    .choices = {{.key = "variant", .title = "Game", .kind = CHOICE_VARIANT},
                {.key = "first", .title = "First player", .kind = CHOICE_PLAYER, .usual = 7},
                {.key = "second", .title = "Second player", .kind = CHOICE_PLAYER, .usual = 6},
                {.key = "games",
                 .title = "Games",
                 .kind = CHOICE_NUMBER,
                 .low = 2,
                 .high = GAMES_MAX,
                 .usual = 20},
                {.key = "seed",
                 .title = "Number of the series of openings",
                 .kind = CHOICE_NUMBER,
                 .low = 1,
                 .high = 1000000,
                 .usual = 1},
                {.key = "sprt", .title = "Stop when SPRT decides", .kind = CHOICE_SWITCH},
                {.key = "elo0",
                 .title = "H0: the difference is",
                 .kind = CHOICE_NUMBER,
                 .low = -500,
                 .high = 500,
                 .usual = 0,
                 .needs = "sprt"},
                {.key = "elo1",
                 .title = "H1: the difference is",
                 .kind = CHOICE_NUMBER,
                 .low = -500,
                 .high = 500,
                 .usual = 50,
                 .needs = "sprt"}},
    .tables = {[TABLE_SCORE] = {.key = "score",
                                .title = "Score",
                                .columns = {{"player", "Player", COLUMN_TEXT, false},
                                            {"wins", "Wins", COLUMN_COUNT, false},
                                            {"draws", "Draws", COLUMN_COUNT, false},
                                            {"losses", "Losses", COLUMN_COUNT, false},
                                            {"points", "Points", COLUMN_REAL, false},
                                            {"percent", "%", COLUMN_REAL, false},
                                            {"elo", "Elo", COLUMN_REAL, false},
                                            {"error", "±", COLUMN_REAL, false}}},
               [TABLE_SPRT] = {.key = "sprt",
                               .title = "SPRT",
                               .columns = {{"llr", "Log likelihood ratio", COLUMN_REAL, false},
                                           {"lower", "Lower bound", COLUMN_REAL, false},
                                           {"upper", "Upper bound", COLUMN_REAL, false},
                                           {"accepted", "Accepted", COLUMN_TEXT, false}}},
               [TABLE_CURVE] = {.key = "curve",
                                .title = "Elo",
                                .columns = {{"game", "Game", COLUMN_COUNT, false},
                                            {"elo", "Elo", COLUMN_REAL, false},
                                            {"low", "Low", COLUMN_REAL, false},
                                            {"high", "High", COLUMN_REAL, false}},
                                .is_hidden = true},
               [TABLE_GAMES] = {.key = "games",
                                .title = "Games",
                                .columns = {{"game", "Game", COLUMN_COUNT, false},
                                            {"white", "White", COLUMN_TEXT, false},
                                            {"black", "Black", COLUMN_TEXT, false},
                                            {"result", "Result", COLUMN_TEXT, false},
                                            {"reason", "How", COLUMN_TEXT, false},
                                            {"plies", "Half-moves", COLUMN_COUNT, false}},
                                .has_texts = true}},
    .charts = {{.key = "elo",
                .title = "Elo of the first player over the games",
                .table = "curve",
                .x = "game",
                .series = {{"elo", "low", "high"}}}},
    .check = check,
    .work = work,
};
