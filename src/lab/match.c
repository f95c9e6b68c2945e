// See match.h. Start with match_run; workers take games by number and book them under one lock.
#include "lab/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/thread.h"
#include "lab/match_journal.h"
#include "lab/match_pgn.h"
#include "lab/pgn_file.h"

enum { GAME_PLIES_MAX = 2000 };

typedef struct Match {
    const MatchConfig *config;
    MatchCallback *callback;
    void *context;
    MatchJournal *journal;
    Mutex mutex;
    // everything below is under the mutex
    uint8_t *results; // Result of each game, RESULT_NONE until it is played
    uint64_t next;    // no game before this one is left to be begun
    MatchPairing *pairings;
    uint64_t (*faults)[FAULT_COUNT];
    MatchStatus status;
    int64_t start_ms;
    bool is_over; // decided, or failed
    bool has_failed;
    Error error;
    char date[16];
} Match;

// A thread with players of its own, made when first needed.
typedef struct Worker {
    Match *match;
    Thread thread;
    Player **players;
    Engine *judge;
    MatchGame game;
    PgnGame pgn_game;
    char *pgn; // text of the last game
    size_t pgn_length, pgn_size;
} Worker;

static int pairing_count(const MatchConfig *c)
{
    int n = c->player_count;
    return c->format == MATCH_GAUNTLET ? n - 1 : n * (n - 1) / 2;
}

uint64_t match_game_count(const MatchConfig *c)
{
    return c->rounds * (uint64_t)pairing_count(c) * 2;
}

static int game_pairing(const MatchConfig *c, uint64_t number)
{
    return (int)(number / 2 % (uint64_t)pairing_count(c));
}

static uint64_t game_round(const MatchConfig *c, uint64_t number)
{
    return number / 2 / (uint64_t)pairing_count(c);
}

static void pairing_players(const MatchConfig *c, int pairing, int *first, int *second)
{
    *first = 0;
    if (c->format == MATCH_ROUND_ROBIN)
        for (int row = c->player_count - 1; pairing >= row; row--) {
            pairing -= row;
            ++*first;
        }
    *second = *first + 1 + pairing;
}

int match_game_player(const MatchConfig *c, uint64_t number, Color color)
{
    int players[2];
    pairing_players(c, game_pairing(c, number), &players[0], &players[1]);
    return players[(number + (uint64_t)color) & 1];
}

// Twice the points of the pairing's first player.
static int first_points(uint64_t number, Result result)
{
    if (result == RESULT_DRAW)
        return 1;
    bool first_is_white = number % 2 == 0;
    return (result == RESULT_WHITE) == first_is_white ? 2 : 0;
}

static void count_game(GameCounts *counts, int points)
{
    counts->win += points == 2;
    counts->draw += points == 1;
    counts->loss += points == 0;
}

// Books a result; false if the game was booked before.
static bool book(Match *m, const JournalEntry *e)
{
    if (e->game >= m->status.total || e->result <= RESULT_NONE || e->result > RESULT_DRAW ||
        m->results[e->game] != RESULT_NONE)
        return false;
    m->results[e->game] = (uint8_t)e->result;
    m->status.done++;
    MatchPairing *pairing = &m->pairings[game_pairing(m->config, e->game)];
    int points = first_points(e->game, e->result);
    count_game(&pairing->games, points);
    if (e->game % 2 == 0)
        count_game(&pairing->as_white, points);
    Result other = m->results[e->game ^ 1];
    if (other != RESULT_NONE)
        pairing->pairs.n[points + first_points(e->game ^ 1, other)]++;
    if (e->fault > FAULT_NONE && e->fault < FAULT_COUNT)
        m->faults[match_game_player(m->config, e->game, e->faulty)][e->fault]++;
    return true;
}

static void update_status(Match *m)
{
    m->status.elapsed_ms = clock_ms() - m->start_ms;
    if (!m->config->has_sprt || m->status.verdict != SPRT_GOES_ON)
        return; // once decided it stays so: the games still under way only sharpen the figures
    m->status.llr = sprt_llr(&m->config->sprt, &m->pairings[0].pairs);
    m->status.verdict = sprt_verdict(&m->config->sprt, &m->pairings[0].pairs);
    if (m->status.verdict != SPRT_GOES_ON)
        m->is_over = true;
}

static void found_in_journal(void *context, const JournalEntry *entry)
{
    Match *m = context;
    if (book(m, entry))
        m->status.resumed++;
}

static bool is_stopped(const MatchConfig *c)
{
    return c->stop && atomic_load_explicit(c->stop, memory_order_relaxed);
}

// The next game that nobody plays or has played.
static bool take_game(Match *m, uint64_t *number)
{
    mutex_lock(&m->mutex);
    bool found = false;
    while (!m->is_over && !is_stopped(m->config) && m->next < m->status.total && !found) {
        *number = m->next++;
        found = m->results[*number] == RESULT_NONE;
    }
    mutex_unlock(&m->mutex);
    return found;
}

static void fail(Match *m, const Error *error)
{
    mutex_lock(&m->mutex);
    if (!m->has_failed)
        m->error = *error;
    m->has_failed = m->is_over = true;
    mutex_unlock(&m->mutex);
}

static Player *make_player(const MatchConfig *c, int index, Error *error)
{
    Player *player = player_new(&c->players[index], error);
    if (player)
        player->stop = c->stop;
    return player;
}

static bool get_player(Worker *w, int index, Player **player, Error *error)
{
    if (!w->players[index])
        w->players[index] = make_player(w->match->config, index, error);
    *player = w->players[index];
    return *player;
}

static bool get_opening(Worker *w, uint64_t number, Opening *opening, Error *error)
{
    const MatchConfig *c = w->match->config;
    if (openings_want_judge(c->openings) && !w->judge) {
        EngineOptions options = engine_default_options();
        options.hash_mb = 1;
        w->judge = engine_new(&options, error);
        if (!w->judge)
            return false;
    }
    return openings_get(c->openings, game_round(c, number), w->judge, opening, error);
}

// Collects the text of a game.
static bool add_pgn(void *context, const char *bytes, size_t size)
{
    Worker *w = context;
    if (w->pgn_length + size > w->pgn_size) {
        size_t larger = (w->pgn_length + size) * 2;
        char *pgn = realloc(w->pgn, larger);
        if (!pgn)
            return false;
        w->pgn = pgn;
        w->pgn_size = larger;
    }
    memcpy(w->pgn + w->pgn_length, bytes, size);
    w->pgn_length += size;
    return true;
}

static bool write_pgn(Worker *w, uint64_t number, Error *error)
{
    const MatchConfig *c = w->match->config;
    MatchPgnTags tags = {.event = c->event ? c->event : "Lovac match",
                         .white = c->players[match_game_player(c, number, WHITE)].name,
                         .black = c->players[match_game_player(c, number, BLACK)].name,
                         .date = w->match->date,
                         .round = (int)game_round(c, number) + 1,
                         .board = (int)(number % ((uint64_t)pairing_count(c) * 2)) + 1};
    w->pgn_length = 0;
    return match_pgn_write(&w->game, &tags, &w->pgn_game, add_pgn, w) ||
           error_set(error, "out of memory");
}

static bool finish_game(Worker *w, uint64_t number, Error *error)
{
    Match *m = w->match;
    w->pgn_length = 0;
    if (m->config->pgn_path && !write_pgn(w, number, error))
        return false;
    JournalEntry entry = {.game = number,
                          .result = game_outcome(&w->game.game).result,
                          .fault = w->game.fault,
                          .faulty = w->game.faulty,
                          .plies = w->game.game.count};
    mutex_lock(&m->mutex);
    bool ok = !m->journal || match_journal_add(m->journal, &entry, w->pgn, w->pgn_length, error);
    if (ok && book(m, &entry)) {
        m->status.plies += (uint64_t)(w->game.game.count - w->game.opening_plies);
        update_status(m);
        m->callback(m->context, &m->status, &w->game, number);
    }
    mutex_unlock(&m->mutex);
    return ok;
}

// The seed of a game's players: one for each game, the same whenever it is played.
static uint64_t game_seed(const MatchConfig *c, uint64_t number)
{
    uint64_t state = c->seed + number * 2;
    return random_split(&state);
}

static void work(void *context)
{
    Worker *w = context;
    Match *m = w->match;
    uint64_t number = 0;
    Error error = {""};
    while (take_game(m, &number)) {
        Player *players[2];
        Opening opening;
        bool ok = true;
        for (int c = 0; ok && c < 2; c++)
            ok = get_player(w, match_game_player(m->config, number, c), &players[c], &error);
        ok = ok && get_opening(w, number, &opening, &error);
        if (ok &&
            !match_game_play(&w->game, players, &opening, &m->config->adjudication,
                             m->config->margin_ms, game_seed(m->config, number), m->config->stop))
            break; // stopped
        if (!ok || !finish_game(w, number, &error)) {
            fail(m, &error);
            break;
        }
    }
    // The processes end with the thread that started them.
    for (int i = 0; i < m->config->player_count; i++) {
        player_free(w->players[i]);
        w->players[i] = NULL;
    }
}

static bool worker_init(Worker *w, Match *m, Error *error)
{
    *w = (Worker){.match = m};
    pgn_game_init(&w->pgn_game, pgn_file_memory, NULL, NULL);
    w->players = calloc((size_t)m->config->player_count, sizeof *w->players);
    return (w->players || error_set(error, "out of memory")) &&
           match_game_init(&w->game, GAME_PLIES_MAX, error);
}

static void worker_release(Worker *w)
{
    free(w->players);
    free(w->pgn);
    pgn_game_release(&w->pgn_game);
    if (w->judge)
        engine_free(w->judge);
    match_game_release(&w->game);
}

static bool run_workers(Match *m, Error *error)
{
    int count = m->config->concurrency, made = 0, started = 0;
    Worker *workers = calloc((size_t)count, sizeof *workers);
    if (!workers)
        return error_set(error, "out of memory");
    bool ok = true;
    while (ok && made < count)
        ok = worker_init(&workers[made++], m, error);
    while (ok && started < count &&
           thread_start(&workers[started].thread, work, &workers[started], error))
        started++;
    ok = ok && started;
    for (int i = 0; i < started; i++)
        thread_join(&workers[i].thread);
    for (int i = 0; i < made; i++)
        worker_release(&workers[i]);
    free(workers);
    return ok;
}

// What makes two runs the same match; more rounds or workers do not make another.
static uint64_t identity(const MatchConfig *c)
{
    uint64_t hash = CHECKSUM_FNV_START;
    hash = checksum_fnv(hash, &c->format, sizeof c->format);
    hash = checksum_fnv(hash, &c->seed, sizeof c->seed);
    hash = checksum_fnv(hash, c->rules->name, strlen(c->rules->name));
    if (c->openings_name)
        hash = checksum_fnv(hash, c->openings_name, strlen(c->openings_name));
    for (int i = 0; i < c->player_count; i++) {
        const PlayerSpec *p = &c->players[i];
        hash = checksum_fnv(hash, p->name, strlen(p->name) + 1);
        hash = checksum_fnv(hash, p->command, strlen(p->command) + 1);
        const PlayerLimits *l = &p->limits;
        int64_t limits[] = {l->time_ms,      l->increment_ms,   l->moves_per_control,
                            l->move_time_ms, (int64_t)l->nodes, l->depth};
        hash = checksum_fnv(hash, limits, sizeof limits);
        for (int j = 0; j < p->option_count; j++) {
            hash = checksum_fnv(hash, p->options[j].name, strlen(p->options[j].name) + 1);
            hash = checksum_fnv(hash, p->options[j].value, strlen(p->options[j].value) + 1);
        }
    }
    return hash;
}

// A wrong path, an unknown option, a game that a player does not know are told at once, not after a
// thousand lost games. An engine that starts but does not answer may still play: its losses will be
// counted.
static bool try_players(const MatchConfig *c, Error *error)
{
    for (int i = 0; i < c->player_count; i++) {
        Player *player = make_player(c, i, error);
        bool ok = player && player_new_game(player, c->rules, 0, error) != FAULT_REFUSE;
        player_free(player);
        if (is_stopped(c)) // then nobody was waited for
            return true;
        if (!ok)
            return false;
    }
    return true;
}

static bool match_init(Match *m, Error *error)
{
    const MatchConfig *c = m->config;
    m->status.total = match_game_count(c);
    m->status.pairing_count = pairing_count(c);
    m->status.player_count = c->player_count;
    m->results = calloc(m->status.total + 2, 1);
    m->pairings = calloc((size_t)pairing_count(c), sizeof *m->pairings);
    m->faults = calloc((size_t)c->player_count, sizeof *m->faults);
    if (!m->results || !m->pairings || !m->faults)
        return error_set(error, "out of memory");
    m->status.pairings = m->pairings;
    m->status.faults = (const uint64_t(*)[FAULT_COUNT])m->faults;
    for (int i = 0; i < m->status.pairing_count; i++)
        pairing_players(c, i, &m->pairings[i].first, &m->pairings[i].second);
    time_t now = time(NULL);
    struct tm day;
    strftime(m->date, sizeof m->date, "%Y.%m.%d", gmtime_r(&now, &day));
    if (c->journal_path) {
        m->journal = match_journal_open(c->journal_path, c->pgn_path, identity(c), found_in_journal,
                                        m, error);
        if (!m->journal)
            return false;
    }
    return true;
}

static bool check_config(const MatchConfig *c, Error *error)
{
    if (c->player_count < 2)
        return error_set(error, "a match needs two players");
    if (c->has_sprt && c->player_count != 2)
        return error_set(error, "SPRT is between two players");
    if (c->pgn_path && !c->journal_path)
        return error_set(error, "a PGN file needs a journal");
    if (!c->rounds || c->concurrency < 1 || match_game_count(c) > UINT32_MAX)
        return error_set(error, "bad number of rounds or games at a time");
    for (int i = 0; i < c->player_count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(c->players[i].name, c->players[j].name))
                return error_set(
                    error, "two players are called '%s': give them name=", c->players[i].name);
    return true;
}

bool match_run(const MatchConfig *config, MatchCallback *callback, void *context, Error *error)
{
    if (!check_config(config, error) || !try_players(config, error))
        return false;
    Match m = {.config = config, .callback = callback, .context = context, .start_ms = clock_ms()};
    mutex_init(&m.mutex);
    bool ok = match_init(&m, error);
    if (ok) {
        update_status(&m);
        ok = run_workers(&m, error);
    }
    if (ok && m.has_failed) {
        *error = m.error;
        ok = false;
    }
    if (ok) {
        m.status.elapsed_ms = clock_ms() - m.start_ms;
        callback(context, &m.status, NULL, 0);
    }
    match_journal_close(m.journal);
    mutex_release(&m.mutex);
    free(m.results);
    free(m.pairings);
    free(m.faults);
    return ok;
}
