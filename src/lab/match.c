// See match.h. Start with match_run: games are pieces of work (base/spread.h), whose number is all
// they need; their records come back to the first process, which books them and keeps the journal.
#include "lab/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/thread.h"
#include "lab/match_identity.h"
#include "lab/match_pgn.h"
#include "lab/pgn_file.h"

enum { GAME_PLIES_MAX = 2000 };

typedef struct Match {
    const MatchConfig *config;
    MatchCallback *callback;
    void *context;
    char date[DATE_SIZE];
    // Only in the first process, one call at a time:
    MatchJournal *journal;
    uint8_t *results; // Result of each game, RESULT_NONE until it is played
    MatchPairing *pairings;
    uint64_t (*faults)[FAULT_COUNT];
    Effort *efforts;
    MatchStatus status;
    int64_t start_ms;
    bool is_decided; // by the SPRT
} Match;

// A thread with players of its own, made when first needed.
typedef struct Worker {
    const MatchConfig *config;
    const atomic_bool *stop;
    Player **players;
    Engine *judge;
    MatchGame game;
    PgnGame pgn_game;
    OpeningNames *openings;
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
    for (int c = 0; c < 2; c++) {
        Effort *sum = &m->efforts[match_game_player(m->config, e->game, c)];
        sum->moves += e->effort[c].moves;
        sum->nodes += e->effort[c].nodes;
        sum->time_ms += e->effort[c].time_ms;
    }
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
    m->is_decided = m->status.verdict != SPRT_GOES_ON;
}

static void found_in_journal(void *context, const JournalEntry *entry)
{
    Match *m = context;
    if (book(m, entry))
        m->status.resumed++;
}

static bool is_stopped(const MatchConfig *c)
{
    return stop_is_set(c->stop);
}

// Which games are to be played: those that the journal does not have.
static SpreadGift give_game(void *context, uint64_t number, Bytes *input)
{
    const Match *m = context;
    (void)input;
    if (m->is_decided)
        return SPREAD_END;
    return m->results[number] == RESULT_NONE ? SPREAD_PIECE : SPREAD_SKIP;
}

// ---- Playing ----

static Player *make_player(const MatchConfig *c, int index, const atomic_bool *stop, Error *error)
{
    Player *player = player_new(&c->players[index], error);
    if (player)
        player->stop = stop;
    return player;
}

static bool get_player(Worker *w, int index, Player **player, Error *error)
{
    if (!w->players[index])
        w->players[index] = make_player(w->config, index, w->stop, error);
    *player = w->players[index];
    return *player;
}

static bool get_opening(Worker *w, uint64_t number, Opening *opening, Error *error)
{
    const MatchConfig *c = w->config;
    if (openings_want_judge(c->openings) && !w->judge) {
        EngineOptions options = engine_default_options();
        options.hash_mb = 1;
        w->judge = engine_new(&options, error);
        if (!w->judge)
            return false;
    }
    return openings_get(c->openings, game_round(c, number), w->judge, opening, error);
}

// What each side spent on the game.
static void sum_efforts(const MatchGame *game, Effort effort[2])
{
    Color side = game->game.start.side;
    effort[WHITE] = effort[BLACK] = (Effort){0};
    for (int i = 0; i < game->game.count; i++, side = !side) {
        if (i < game->opening_plies)
            continue;
        effort[side].moves++;
        effort[side].nodes += game->notes[i].nodes;
        effort[side].time_ms += game->notes[i].time_ms;
    }
}

static bool add_text(void *context, const char *text, size_t size)
{
    return bytes_add(context, text, size);
}

static bool add_pgn(const Match *m, Worker *w, uint64_t number, Bytes *result)
{
    const MatchConfig *c = m->config;
    const PlayerSpec *white = &c->players[match_game_player(c, number, WHITE)];
    const PlayerSpec *black = &c->players[match_game_player(c, number, BLACK)];
    MatchPgnTags tags = {.event = c->event ? c->event : "Lovac match",
                         .white = white->name,
                         .black = black->name,
                         .limits = {&white->limits, &black->limits},
                         .openings = w->openings,
                         .date = m->date,
                         .round = (int)game_round(c, number) + 1,
                         .board = (int)(number % ((uint64_t)pairing_count(c) * 2)) + 1};
    return match_pgn_write(&w->game, &tags, &w->pgn_game, add_text, result) &&
           bytes_add(result, "", 1);
}

// A record as bytes: the struct, then the PGN with a 0 behind it.
static bool write_record(const Match *m, Worker *w, uint64_t number, Bytes *result, Error *error)
{
    Outcome outcome = game_outcome(&w->game.game);
    MatchRecord record = {.entry = {.game = number,
                                    .result = outcome.result,
                                    .fault = w->game.fault,
                                    .faulty = w->game.faulty,
                                    .plies = w->game.game.count},
                          .reason = outcome.reason,
                          .opening_plies = w->game.opening_plies};
    sum_efforts(&w->game, record.entry.effort);
    return (bytes_add(result, &record, sizeof record) && add_pgn(m, w, number, result)) ||
           error_set(error, "out of memory");
}

// The seed of a game's players: one for each game, the same whenever it is played.
static uint64_t game_seed(const MatchConfig *c, uint64_t number)
{
    uint64_t state = c->seed + number * 2;
    return random_split(&state);
}

static bool play_game(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                      Error *error)
{
    const Match *m = context;
    const MatchConfig *c = m->config;
    Worker *w = state;
    Player *players[2];
    Opening opening;
    for (int side = 0; side < 2; side++)
        if (!get_player(w, match_game_player(c, piece->index, side), &players[side], error))
            return false;
    return get_opening(w, piece->index, &opening, error) &&
           match_game_play(&w->game, players, &opening, &c->adjudication, c->margin_ms,
                           game_seed(c, piece->index), piece->stop) &&
           write_record(m, w, piece->index, result, error);
}

static void free_worker(void *context, void *state)
{
    const Match *m = context;
    Worker *w = state;
    for (int i = 0; w->players && i < m->config->player_count; i++)
        player_free(w->players[i]);
    free(w->players);
    pgn_game_release(&w->pgn_game);
    opening_names_free(w->openings);
    if (w->judge)
        engine_free(w->judge);
    match_game_release(&w->game);
    free(w);
}

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    const Match *m = context;
    Worker *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(error, "out of memory"), NULL;
    w->config = m->config;
    w->stop = stop;
    pgn_game_init(&w->pgn_game, memory_from_heap, NULL, NULL);
    w->players = calloc((size_t)m->config->player_count, sizeof *w->players);
    w->openings = opening_names_new();
    if (((w->players && w->openings) || error_set(error, "out of memory")) &&
        match_game_init(&w->game, GAME_PLIES_MAX, error))
        return w;
    free_worker(context, w);
    return NULL;
}

// ---- Booking ----

static bool take_game(void *context, uint64_t number, const uint8_t *result, size_t size,
                      Error *error)
{
    Match *m = context;
    MatchRecord record;
    const uint8_t *at = result;
    if (!bytes_take(&at, result + size, &record, sizeof record) || record.entry.game != number ||
        result[size - 1])
        return error_set(error, "game %llu came back damaged", (unsigned long long)number);
    record.pgn = (const char *)at;
    if (m->journal &&
        !match_journal_add(m->journal, &record.entry, m->config->pgn_path ? record.pgn : NULL,
                           strlen(record.pgn), error))
        return false;
    if (book(m, &record.entry)) {
        m->status.plies += (uint64_t)(record.entry.plies - record.opening_plies);
        update_status(m);
        m->callback(m->context, &m->status, &record);
    }
    return true;
}

// Tells about a player that takes long to answer, from a thread of its own.
typedef struct Watch {
    const MatchConfig *config;
    const char *name;
    Mutex mutex;
    Signal over;
    bool is_over; // under the mutex
    Thread thread;
} Watch;

static void watch(void *context)
{
    enum { SILENT_MS = 3000 };
    Watch *w = context;
    int64_t end = clock_ms() + SILENT_MS;
    mutex_lock(&w->mutex);
    while (!w->is_over && clock_ms() < end)
        signal_wait_ms(&w->over, &w->mutex, end - clock_ms());
    if (!w->is_over)
        w->config->on_silent(w->config->on_silent_context, w->name);
    mutex_unlock(&w->mutex);
}

// Lets a player get ready for a game, and names it after a few seconds of silence.
static PlayerFault try_watched(const MatchConfig *c, Player *player, Error *error)
{
    Watch w = {.config = c, .name = player->spec.name};
    mutex_init(&w.mutex);
    signal_init(&w.over);
    bool is_watched = c->on_silent && thread_start(&w.thread, watch, &w, NULL);
    PlayerFault fault = player_new_game(player, c->rules, 0, error);
    mutex_lock(&w.mutex);
    w.is_over = true;
    signal_one(&w.over);
    mutex_unlock(&w.mutex);
    if (is_watched)
        thread_join(&w.thread);
    signal_release(&w.over);
    mutex_release(&w.mutex);
    return fault;
}

// A wrong path, an unknown option, a game that a player does not know are told at once, not after a
// thousand lost games. An engine that starts but does not answer may still play: its losses will be
// counted.
static bool try_players(const MatchConfig *c, Error *error)
{
    for (int i = 0; i < c->player_count; i++) {
        Player *player = make_player(c, i, c->stop, error);
        bool ok = player && try_watched(c, player, error) != FAULT_REFUSE;
        player_free(player);
        if (is_stopped(c)) // then nobody was waited for
            return true;
        if (!ok)
            return false;
    }
    return true;
}

static bool open_journal(Match *m, Error *error)
{
    const MatchConfig *c = m->config;
    Bytes identity = {0};
    if (match_identity_write(c, &identity, error))
        m->journal = match_journal_open(c->journal_path, c->pgn_path, (const char *)identity.at,
                                        found_in_journal, m, error);
    bytes_release(&identity);
    return m->journal;
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
    m->efforts = calloc((size_t)c->player_count, sizeof *m->efforts);
    if (!m->results || !m->pairings || !m->faults || !m->efforts)
        return error_set(error, "out of memory");
    m->status.pairings = m->pairings;
    m->status.faults = (const uint64_t(*)[FAULT_COUNT])m->faults;
    m->status.efforts = m->efforts;
    for (int i = 0; i < m->status.pairing_count; i++)
        pairing_players(c, i, &m->pairings[i].first, &m->pairings[i].second);
    for (int i = 0; i < c->known_count; i++)
        found_in_journal(m, &c->known[i]);
    return !c->journal_path || open_journal(m, error);
}

static void match_release(Match *m)
{
    match_journal_close(m->journal);
    free(m->results);
    free(m->pairings);
    free(m->faults);
    free(m->efforts);
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
    Match m = {.config = config, .callback = callback, .context = context, .start_ms = clock_ms()};
    SpreadWork work = {.context = &m,
                       .threads = config->concurrency,
                       .make = make_worker,
                       .free = free_worker,
                       .work = play_game,
                       .give = give_game,
                       .take = take_game,
                       .count = match_game_count(config),
                       .stop = config->stop};
    if (!check_config(config, error))
        return false;
    clock_date(m.date);
    if (!spread_is_first(config->team))
        return spread_serve(config->team, &work, error);
    bool ok = try_players(config, error) && match_init(&m, error);
    if (ok) {
        update_status(&m);
        ok = spread_run(config->team, &work, error);
    }
    if (ok) {
        m.status.elapsed_ms = clock_ms() - m.start_ms;
        callback(context, &m.status, NULL);
    }
    match_release(&m);
    return ok;
}
