// See match_game.h.
#include "play/match_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "core/movegen.h"

Adjudication adjudication_default(void)
{
    return (Adjudication){
        .draw_from_move = 40, .draw_moves = 8, .draw_score = 8, .win_moves = 4, .win_score = 1000};
}

bool match_game_init(MatchGame *g, int capacity, Error *error)
{
    *g = (MatchGame){.capacity = capacity};
    g->steps = malloc((size_t)capacity * sizeof *g->steps);
    g->notes = malloc((size_t)capacity * sizeof *g->notes);
    if (g->steps && g->notes)
        return true;
    match_game_release(g);
    return error_set(error, "out of memory");
}

void match_game_release(MatchGame *g)
{
    free(g->steps);
    free(g->notes);
    g->steps = NULL;
    g->notes = NULL;
}

// The clocks of both sides as the game goes on.
typedef struct Clocks {
    const PlayerLimits *limits[2];
    int64_t left_ms[2];
    int moves[2]; // made by each
} Clocks;

static SearchLimits turn_limits(const Clocks *clocks, Color side)
{
    SearchLimits limits = search_limits_none();
    const PlayerLimits *own = clocks->limits[side];
    for (int c = 0; c < 2; c++) {
        limits.time_ms[c] = clocks->left_ms[c];
        limits.increment_ms[c] = clocks->limits[c]->increment_ms;
    }
    if (own->time_ms == TIME_UNSET)
        limits.time_ms[WHITE] = limits.time_ms[BLACK] =
            TIME_UNSET; // the other's clock says nothing
    if (own->moves_per_control)
        limits.moves_to_go = own->moves_per_control - clocks->moves[side] % own->moves_per_control;
    limits.move_time_ms = own->move_time_ms;
    limits.nodes = own->nodes;
    limits.depth = own->depth;
    return limits;
}

// Books the time of a move; false when the clock ran out.
static bool charge(Clocks *clocks, Color side, int64_t time_ns, int64_t margin_ms)
{
    const PlayerLimits *own = clocks->limits[side];
    int64_t used_ms = time_ns / 1000000;
    clocks->moves[side]++;
    if (own->move_time_ms != TIME_UNSET && own->time_ms == TIME_UNSET)
        return used_ms <= own->move_time_ms + margin_ms;
    if (own->time_ms == TIME_UNSET)
        return true;
    clocks->left_ms[side] -= used_ms;
    if (clocks->left_ms[side] < -margin_ms)
        return false;
    if (clocks->left_ms[side] < 0)
        clocks->left_ms[side] = 0;
    clocks->left_ms[side] += own->increment_ms;
    if (own->moves_per_control && clocks->moves[side] % own->moves_per_control == 0)
        clocks->left_ms[side] += own->time_ms;
    return true;
}

// How many of the last half-moves, going back, have White's score within [low, high]?
static int plies_within(const MatchGame *g, int low, int high)
{
    int plies = 0;
    Color side = g->game.now.side;
    for (int i = g->game.count - 1; i >= g->opening_plies; i--) {
        side = !side;
        int score = g->notes[i].score;
        if (score == SCORE_NONE)
            break;
        if (side == BLACK)
            score = -score;
        if (score < low || score > high)
            break;
        plies++;
    }
    return plies;
}

// Has the side that moved last been so far behind for so long, by its own reckoning?
static bool wants_to_resign(const MatchGame *g, const Adjudication *a)
{
    int moves = 0;
    for (int i = g->game.count - 1; i >= g->opening_plies && moves < a->resign_moves; i -= 2) {
        if (g->notes[i].score == SCORE_NONE || g->notes[i].score > -a->resign_score)
            return false;
        moves++;
    }
    return a->resign_moves && moves == a->resign_moves;
}

// Ends the game when both have long agreed on its outcome.
static bool adjudicate(MatchGame *g, const Adjudication *a)
{
    Result result = RESULT_NONE;
    if (wants_to_resign(g, a)) {
        game_declare(&g->game, REASON_RESIGNATION, !g->game.now.side);
        return true;
    }
    int moves = g->game.now.ply / 2;
    if (a->win_moves && plies_within(g, a->win_score, SCORE_INFINITE) >= 2 * a->win_moves)
        result = RESULT_WHITE;
    else if (a->win_moves && plies_within(g, -SCORE_INFINITE, -a->win_score) >= 2 * a->win_moves)
        result = RESULT_BLACK;
    else if (a->draw_moves && moves >= a->draw_from_move &&
             plies_within(g, -a->draw_score, a->draw_score) >= 2 * a->draw_moves)
        result = RESULT_DRAW;
    else if ((a->moves_max && moves >= a->moves_max) || g->game.count >= g->capacity)
        result = RESULT_DRAW;
    if (result == RESULT_NONE)
        return false;
    g->game.declared = (Outcome){result, REASON_ADJUDICATION};
    return true;
}

static void lose(MatchGame *g, Color side, PlayerFault fault, const char *detail)
{
    g->fault = fault;
    g->faulty = side;
    snprintf(g->detail, sizeof g->detail, "%.95s", detail);
    Reason reason = fault == FAULT_TIME      ? REASON_TIME
                    : fault == FAULT_RESIGN  ? REASON_RESIGNATION
                    : fault == FAULT_ILLEGAL ? REASON_ILLEGAL_MOVE
                                             : REASON_ABANDONED;
    if (fault == FAULT_TIME || fault == FAULT_RESIGN)
        game_declare(&g->game, reason, side);
    else // no mercy for those who break the rules, whatever the other side has left
        g->game.declared = (Outcome){side == WHITE ? RESULT_BLACK : RESULT_WHITE, reason};
}

static void play_opening(MatchGame *g, const Opening *opening)
{
    game_init(&g->game, &opening->start, g->steps, g->capacity);
    for (int i = 0; i < opening->count && i < g->capacity; i++) {
        if (game_outcome(&g->game).result != RESULT_NONE ||
            !game_play(&g->game, opening->moves[i], NULL))
            break;
        g->notes[i] = (PlyNote){.score = SCORE_NONE};
    }
    g->opening_plies = g->game.count;
}

// External engines may say anything.
static int16_t note_score(int score)
{
    if (score == SCORE_NONE)
        return SCORE_NONE;
    return (int16_t)(score > SCORE_MATE ? SCORE_MATE : score < -SCORE_MATE ? -SCORE_MATE : score);
}

// One move of the side to move; the game may be declared over by it.
static void play_move(MatchGame *g, Player *player, Clocks *clocks, int64_t margin_ms)
{
    Color side = g->game.now.side;
    SearchLimits limits = turn_limits(clocks, side);
    PlayerMove answer;
    player_choose(player, &g->game, &limits, &answer);
    bool in_time = charge(clocks, side, answer.time_ns, margin_ms);
    if (answer.fault != FAULT_NONE) {
        lose(g, side, answer.fault, answer.detail);
    } else if (!in_time) {
        lose(g, side, FAULT_TIME, "flag fell");
    } else if (!move_is_pseudo_legal(&g->game.now, answer.move) ||
               !move_is_legal(&g->game.now, answer.move)) {
        lose(g, side, FAULT_ILLEGAL, "not a legal move");
    } else {
        g->notes[g->game.count] =
            (PlyNote){.score = note_score(answer.score),
                      .depth = (uint16_t)answer.depth,
                      .time_ms = (uint32_t)((answer.time_ns + 500000) / 1000000),
                      .nodes = answer.nodes};
        game_play(&g->game, answer.move, NULL);
    }
}

// Who is not waited for because all is to stop has made no fault: a game that ends by one at that
// moment is forgotten too.
bool match_game_play(MatchGame *g, Player *players[2], const Opening *opening,
                     const Adjudication *adjudication, int64_t margin_ms, uint64_t seed,
                     const atomic_bool *stop)
{
    g->fault = FAULT_NONE;
    g->detail[0] = 0;
    play_opening(g, opening);
    Clocks clocks = {0};
    for (int c = 0; c < 2; c++) {
        Error error;
        clocks.limits[c] = &players[c]->spec.limits;
        clocks.left_ms[c] = clocks.limits[c]->time_ms;
        PlayerFault fault =
            player_new_game(players[c], opening->start.rules, seed + (uint64_t)c, &error);
        if (stop_is_set(stop))
            return false;
        if (fault != FAULT_NONE) {
            lose(g, c, fault, error.text);
            return true;
        }
    }
    while (game_outcome(&g->game).result == RESULT_NONE && !adjudicate(g, adjudication)) {
        if (stop_is_set(stop))
            return false;
        play_move(g, players[g->game.now.side], &clocks, margin_ms);
    }
    return g->fault == FAULT_NONE || !stop_is_set(stop);
}
