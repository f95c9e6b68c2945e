// Elo of every agent, level and evaluation in one table: neighbours in strength play each other,
// and those two apart half as many games; all results together give the ratings (lab/rate.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/level.h"
#include "lab/experiments/report.h"
#include "lab/experiments/rows.h"
#include "lab/match.h"
#include "lab/rate.h"

enum {
    TABLE_PAIRS,
    TABLE_RATINGS,
    QUICK_GAMES = 2,
    FULL_GAMES = 200,
    QUICK_REACH = 1,
    FULL_REACH = 2, // how far apart in the list opponents stand
    MARGIN_MS = 60000,
    FEW_GAMES = 100 // of neighbours: below, the order means little
};

// From weak to strong, as they came out. Depth or nodes limit all of them, so that the machine does
// not matter; document G's agent, whose depth 10 takes seconds, plays the depth that it finished in
// so many positions. negamax plays the same moves as minimax.
static const struct {
    const char *text, *what;
    double published; // a document's own word; 0: none
    int dear;         // thinks so many times as long as the others, and plays so many times fewer
} PLAYERS[] = {
    {"random", "any legal move", 0, 0},
    {"greedy", "takes what it can", 0, 0},
    {"naive depth=2", "G, first step: negamax, material", 0, 0},
    {"level=1", "Lovac, beginner", 0, 0},
    {"level=2", "Lovac, novice", 0, 0},
    {"level=3", "Lovac, casual", 0, 0},
    {"minimax depth=3", "minimax, material", 0, 0},
    {"twodepth depth=2 deep=4 sort=1", "K: minimax 2/4", 0, 0},
    {"level=4", "Lovac, easy", 0, 0},
    {"textbook-m depth=3", "M: material and squares", 0, 0},
    {"material depth=3", "alpha-beta, material", 0, 0},
    {"alphabeta depth=4", "alpha-beta, material", 0, 0},
    {"textbook-t depth=4", "T: material, capture search", 0, 0},
    {"level=5", "Lovac, club", 0, 0},
    {"step step=table depth=2", "class: material, capture search, table", 0, 0},
    {"textbook-m depth=5", "M: material and squares", 0, 0},
    {"twodepth depth=3 deep=6 sort=1", "K: minimax 3/6", 0, 0},
    {"textbook-d level=easy", "D: easy", 0, 0},
    {"level=6", "Lovac, medium", 0, 0},
    {"step step=evaluation depth=2", "class: hand-written evaluation", 0, 0},
    {"textbook-g depth=4", "G: simplified evaluation", 0, 0},
    {"level=7", "Lovac, strong", 0, 0},
    {"textbook-d level=medium", "D: medium", 0, 0},
    {"textbook-g nodes=50000", "G: within 50 000 positions a move", 1200, 0},
    {"level=8", "Lovac, expert", 0, 0},
    {"step step=network depth=2", "class: network", 0, 0},
    {"lovac nodes=1000 net=none name=hand", "Lovac, hand-written evaluation", 0, 0},
    {"textbook-d level=hard", "D: hard", 0, 10},
    {"level=9", "Lovac, hard", 0, 0},
    {"lovac nodes=1000 name=net", "Lovac, network", 0, 0},
    {"level=10", "Lovac, master", 0, 0},
    {"level=11", "Lovac, grandmaster", 0, 0},
    {"level=12 nodes=5000", "Lovac, full strength, 5000 nodes", 0, 0},
};

enum { PLAYER_COUNT = sizeof PLAYERS / sizeof *PLAYERS };

// Those that differ by nothing but the evaluation: men, hand-written, network.
static const char *const SAME_SEARCH[] = {"step step=table depth=2", "step step=evaluation depth=2",
                                          "step step=network depth=2"};

static const char G_PLAYER[] = "textbook-g nodes=50000"; // that stands beside document G's word
static const char ANCHOR[] = "level=5";
enum { ANCHOR_LEVEL = 5 };

// ---- Pairings ----

// The pairing of a row: first the neighbours, then those two apart, and so on.
static void pairing_of(int row, int *first, int *second)
{
    int distance = 1;
    for (; row >= PLAYER_COUNT - distance; distance++)
        row -= PLAYER_COUNT - distance;
    *first = row;
    *second = row + distance;
}

static int row_count(const LabSettings *settings, int table)
{
    int pairings = 0, reach = settings->is_quick ? QUICK_REACH : FULL_REACH;
    for (int distance = 1; distance <= reach; distance++)
        pairings += PLAYER_COUNT - distance;
    return table == TABLE_PAIRS ? pairings : PLAYER_COUNT;
}

// Of a pairing, both colours of every opening.
static int games_of(const LabSettings *settings, int first, int second)
{
    int games = settings->games ? settings->games : settings->is_quick ? QUICK_GAMES : FULL_GAMES;
    int dear =
        PLAYERS[first].dear > PLAYERS[second].dear ? PLAYERS[first].dear : PLAYERS[second].dear;
    games /= (second - first) * (dear ? dear : 1);
    return games < 2 ? 2 : (games + 1) / 2 * 2;
}

// ---- A match ----

typedef struct Match {
    LabRun *run;
    MatchPairing result;
} Match;

static void hear(void *context, const MatchStatus *status, const MatchRecord *record)
{
    Match *match = context;
    match->result = status->pairings[0];
    if (record)
        lab_run_progress(match->run, (double)status->done / (double)status->total);
}

static bool make_players(const LabRun *run, int first, int second, PlayerSpec specs[2],
                         Error *error)
{
    PlayerLimits limits = player_limits_none();
    const int numbers[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        const char *text = PLAYERS[numbers[i]].text;
        if (!player_list_find(run->settings.players, text, &limits, &specs[i], error))
            return false;
        snprintf(specs[i].name, sizeof specs[i].name, "%s", text);
    }
    return true;
}

// Every game is kept, so that a kill loses none of a row, and more games of a pairing are added to
// those that there are. Another program's games are not this one's.
static const char *journal_path(const LabRun *run, int first, int second, char path[LAB_PATH_SIZE])
{
    int length =
        snprintf(path, LAB_PATH_SIZE, "%s/ratings-%016llx-%llu-%d-%d.journal",
                 run->settings.folder ? run->settings.folder : "", (unsigned long long)run->program,
                 (unsigned long long)run->settings.seed, first, second);
    return run->settings.folder && length < LAB_PATH_SIZE ? path : NULL;
}

static bool play(Match *match, PlayerSpec *specs, int games, const char *journal, Error *error)
{
    const LabSettings *s = &match->run->settings;
    OpeningRecipe recipe = opening_default_recipe();
    const Rules *rules = &VARIANTS[VARIANT_CHESS];
    Openings *openings = openings_random(rules, &recipe, s->seed, error);
    MatchConfig config = {.players = specs,
                          .player_count = 2,
                          .rules = rules,
                          .rounds = (uint64_t)games / 2,
                          .concurrency = s->threads,
                          .openings = openings,
                          .event = "Laboratory",
                          .journal_path = journal,
                          .seed = s->seed,
                          .adjudication = adjudication_default(),
                          .margin_ms = MARGIN_MS,
                          .stop = s->stop};
    bool ok = openings && match_run(&config, hear, match, error);
    openings_free(openings);
    return ok;
}

static void write_pairing(const MatchPairing *p, int first, int second, LabCell *cells)
{
    const GameCounts *g = &p->games, *w = &p->as_white;
    EloEstimate elo = elo_from_pairs(&p->pairs);
    cells[0] = lab_text(PLAYERS[first].text);
    cells[1] = lab_text(PLAYERS[second].text);
    cells[2] = lab_count(g->win + g->draw + g->loss);
    cells[3] = lab_count(g->win);
    cells[4] = lab_count(g->draw);
    cells[5] = lab_count(g->loss);
    cells[6] = lab_count(w->win);
    cells[7] = lab_count(w->draw);
    cells[8] = lab_count(w->loss);
    cells[9] = lab_real(100 * elo.score);
    if (!elo.side) {
        cells[10] = lab_real(elo.elo);
        cells[11] = lab_real(elo.error);
    }
}

static bool fill_pair(LabRun *run, int row, LabCell *cells, Error *error)
{
    int first, second;
    pairing_of(row, &first, &second);
    PlayerSpec *specs = calloc(2, sizeof *specs);
    if (!specs)
        return error_set(error, "out of memory");
    Match match = {.run = run};
    char path[LAB_PATH_SIZE];
    bool ok = make_players(run, first, second, specs, error) &&
              play(&match, specs, games_of(&run->settings, first, second),
                   journal_path(run, first, second, path), error);
    if (ok)
        write_pairing(&match.result, first, second, cells);
    free(specs);
    return ok;
}

// ---- The ratings ----

// The results of both colours of a row of the first table.
static void read_pairing(const LabRun *run, int row, RateGames games[2])
{
    int first, second;
    pairing_of(row, &first, &second);
    uint64_t total[3], white[3];
    static const char *const ALL[3] = {"wins", "draws", "losses"};
    static const char *const WHITE_ONLY[3] = {"white_wins", "white_draws", "white_losses"};
    for (int i = 0; i < 3; i++) {
        total[i] = lab_run_cell(run, TABLE_PAIRS, row, ALL[i])->count;
        white[i] = lab_run_cell(run, TABLE_PAIRS, row, WHITE_ONLY[i])->count;
    }
    games[0] = (RateGames){first, second, white[0], white[1], white[2]};
    games[1] =
        (RateGames){second, first, total[2] - white[2], total[1] - white[1], total[0] - white[0]};
}

// Where a player stands in the list.
static int number_of(const char *text)
{
    int number = 0;
    while (strcmp(PLAYERS[number].text, text))
        number++;
    return number;
}

static bool rate(const LabRun *run, Rating ratings[PLAYER_COUNT], Error *error)
{
    int rows = run->rows[TABLE_PAIRS].count;
    RateGames *games = calloc((size_t)rows * 2, sizeof *games);
    if (!games)
        return error_set(error, "out of memory");
    for (int r = 0; r < rows; r++)
        read_pairing(run, r, &games[2 * r]);
    RateOptions options = {
        .anchor = number_of(ANCHOR), .anchor_elo = LEVELS[ANCHOR_LEVEL - 1].elo, .prior = 1};
    RateModel model;
    bool ok = rate_fit(games, rows * 2, PLAYER_COUNT, &options, ratings, &model, error);
    free(games);
    return ok;
}

// The player in place `place`, the strongest first.
static int player_at(const Rating *ratings, int place)
{
    for (int i = 0; i < PLAYER_COUNT; i++) {
        int above = 0;
        for (int k = 0; k < PLAYER_COUNT; k++)
            above += ratings[k].elo > ratings[i].elo || (ratings[k].elo == ratings[i].elo && k < i);
        if (above == place)
            return i;
    }
    return 0;
}

static bool fill_rating(const LabRun *run, int row, LabCell *cells, Error *error)
{
    Rating ratings[PLAYER_COUNT];
    if (!rate(run, ratings, error))
        return false;
    int player = player_at(ratings, row);
    const Rating *r = &ratings[player];
    int level;
    cells[0] = lab_text(PLAYERS[player].text);
    cells[1] = lab_text(PLAYERS[player].what);
    cells[2] = lab_real(r->elo);
    cells[3] = lab_real(r->error);
    cells[4] = lab_count(r->games);
    cells[5] = lab_real(100 * r->score);
    if (sscanf(PLAYERS[player].text, "level=%d", &level) == 1)
        cells[6] = lab_count((uint64_t)LEVELS[level - 1].elo);
    if (PLAYERS[player].published > 0)
        cells[7] = lab_real(PLAYERS[player].published);
    return true;
}

static bool fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    return table == TABLE_PAIRS ? fill_pair(run, row, cells, error)
                                : fill_rating(run, row, cells, error);
}

// ---- What it shows ----

// By how many places the result differs, at most, from the list by which opponents were chosen.
static int farthest_from_list(const LabRun *run)
{
    int farthest = 0;
    for (int r = 0; r < PLAYER_COUNT; r++) {
        int place = number_of(lab_run_cell(run, TABLE_RATINGS, r, "player")->text);
        int moved = abs(PLAYER_COUNT - 1 - r - place);
        farthest = moved > farthest ? moved : farthest;
    }
    return farthest;
}

static void tell_games(const LabRun *run, double widest, Str *out)
{
    const LabSettings *s = &run->settings;
    str_format(out, "%d games of each pair of neighbours", games_of(s, 0, 1));
    if (!s->is_quick)
        str_format(out, " in the list by which opponents are chosen, %d of those two apart",
                   games_of(s, 0, FULL_REACH));
    str_format(
        out,
        "; D at its hard level, which thinks ten times as long as anybody else, plays a tenth of "
        "them. In the result nobody stands more than %d places from there. Error bars are "
        "95 %% against the anchor, level 5 (%d), and reach ±%.0f here. The scale of the "
        "levels is that of an engine with limited strength (docs/lab.md), narrower than "
        "results between neighbours, so differences come out larger.\n\n",
        farthest_from_list(run), LEVELS[ANCHOR_LEVEL - 1].elo, widest);
    if (games_of(s, 0, 1) < FEW_GAMES)
        str_add(out, "**Too few games to rank anybody**: within such bars the order means nothing; "
                     "`--games 200` gives an order to rely on.\n\n");
}

static void conclude(const LabRun *run, Str *out)
{
    double widest = 0, g_elo = 0, step_elo[3] = {0};
    for (int r = 0; r < PLAYER_COUNT; r++) {
        const char *player = lab_run_cell(run, TABLE_RATINGS, r, "player")->text;
        double error = lab_run_number(run, TABLE_RATINGS, r, "error");
        double elo = lab_run_number(run, TABLE_RATINGS, r, "elo");
        widest = error > widest ? error : widest;
        if (!strcmp(player, G_PLAYER))
            g_elo = elo;
        for (int i = 0; i < 3; i++)
            if (!strcmp(player, SAME_SEARCH[i]))
                step_elo[i] = elo;
    }
    tell_games(run, widest, out);
    str_format(out,
               "What the evaluation alone is worth: the same search of the class, two half-moves "
               "and captures, gets %.0f counting men, %.0f with the hand-written evaluation and "
               "%.0f with the network.\n\n",
               step_elo[0], step_elo[1], step_elo[2]);
    str_format(
        out,
        "Document G gives its engine about 1200 Elo at depth 10, from games with players of "
        "known rating. Its agent gets %.0f here within 50 000 positions a move, which is depth 5 "
        "or 6; depth 10 as described takes seconds to minutes a move (g-nodes). The 'ELO' of "
        "document D is the answer to one "
        "position of a rating page, not a playing strength. Document K's players with a network "
        "are files of a league: what they gain on the player without is in table 1 below; its "
        "full network plays like random moves (docs/evolve.md). Level 12 has no limit but the "
        "clock; here it has 5000 nodes.\n",
        g_elo);
}

const LabExperiment LAB_RATINGS = {
    .name = "ratings",
    .title = "Elo of agents, levels and evaluations",
    .text = "Matches between all textbook agents, the levels and the engine with each evaluation "
            "(material, simplified, hand-written, network), rated together.",
    .source = "G (2025): about 1200 Elo at depth 10.",
    .tables = {{.key = "rating_pairs",
                .title = "Matches",
                .columns = {{"one", "First", LAB_TEXT, 0, false},
                            {"two", "Second", LAB_TEXT, 0, false},
                            {"games", "Games", LAB_COUNT, 0, false},
                            {"wins", "Wins", LAB_COUNT, 0, false},
                            {"draws", "Draws", LAB_COUNT, 0, false},
                            {"losses", "Losses", LAB_COUNT, 0, false},
                            {"white_wins", "White: wins", LAB_COUNT, 0, false},
                            {"white_draws", "White: draws", LAB_COUNT, 0, false},
                            {"white_losses", "White: losses", LAB_COUNT, 0, false},
                            {"percent", "%", LAB_REAL, 1, false},
                            {"elo", "Elo", LAB_REAL, 0, false},
                            {"error", "±", LAB_REAL, 0, false}}},
               {.key = "ratings",
                .title = "All together",
                .columns = {{"player", "Player", LAB_TEXT, 0, false},
                            {"what", "What it is", LAB_TEXT, 0, false},
                            {"elo", "Elo", LAB_REAL, 0, false},
                            {"error", "±", LAB_REAL, 0, false},
                            {"games", "Games", LAB_COUNT, 0, false},
                            {"percent", "%", LAB_REAL, 1, false},
                            {"level_elo", "Level's own", LAB_COUNT, 0, false},
                            {"g_elo", "G (depth 10)", LAB_REAL, 0, true}}}},
    .charts = {{.key = "ratings",
                .title = "Elo of agents, levels and evaluations",
                .table = TABLE_RATINGS,
                .x = "player",
                .series = {"elo"},
                .has_bars = true,
                .unit = "Elo",
                .error = "error"}},
    .row_count = row_count,
    .fill = fill,
    .conclude = conclude,
};
