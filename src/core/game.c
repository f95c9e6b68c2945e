// See game.h.
#include "core/game.h"

#include "core/fen.h"
#include "core/movegen.h"

bool position_start(Position *pos, const Rules *rules, uint64_t number, Error *error)
{
    char fen[FEN_SIZE];
    return rules_start_fen(rules, number, fen, error) && position_from_fen(pos, rules, fen, error);
}

const char *result_text(Result result)
{
    static const char *const texts[] = {"*", "1-0", "0-1", "1/2-1/2"};
    return texts[result];
}

const char *reason_text(Reason reason)
{
    static const char *const texts[] = {
        [REASON_NONE] = "",
        [REASON_CHECKMATE] = "checkmate",
        [REASON_ALL_CAPTURED] = "all men captured",
        [REASON_NO_CAPTURE] = "no capture left",
        [REASON_STALEMATE] = "stalemate",
        [REASON_FIFTY_MOVES] = "fifty moves",
        [REASON_REPETITION] = "threefold repetition",
        [REASON_DEAD_POSITION] = "insufficient material",
        [REASON_RESIGNATION] = "resignation",
        [REASON_TIME] = "time",
        [REASON_AGREEMENT] = "agreement",
        [REASON_TIME_NO_MATE] = "time, but the opponent cannot mate",
        [REASON_RESIGNATION_NO_MATE] = "resignation, but the opponent cannot mate",
        [REASON_ADJUDICATION] = "adjudication",
        [REASON_ILLEGAL_MOVE] = "illegal move",
        [REASON_ABANDONED] = "abandoned",
    };
    return texts[reason];
}

void game_init(Game *game, const Position *start, GameStep *steps, int capacity)
{
    *game = (Game){.start = *start, .now = *start, .steps = steps, .capacity = capacity};
}

bool game_play(Game *game, Move move, Error *error)
{
    if (game->declared.result != RESULT_NONE)
        return error_set(error, "the game is over: %s", reason_text(game->declared.reason));
    if (game->count == game->capacity)
        return error_set(error, "the game is too long: no room beyond %d half-moves",
                         game->capacity);
    GameStep *step = &game->steps[game->count++];
    step->move = move;
    position_make(&game->now, move, &step->undo);
    return true;
}

bool game_undo(Game *game)
{
    if (!game->count)
        return false;
    GameStep *step = &game->steps[--game->count];
    position_unmake(&game->now, step->move, &step->undo);
    game->declared = (Outcome){RESULT_NONE, REASON_NONE};
    return true;
}

int game_repetitions(const Game *game)
{
    int times = 1;
    for (int back = 2; back <= game->now.state.fifty && back <= game->count; back += 2)
        times += game->steps[game->count - back].undo.state.key == game->now.state.key;
    return times;
}

static Outcome win(Color winner, Reason reason)
{
    return (Outcome){winner == WHITE ? RESULT_WHITE : RESULT_BLACK, reason};
}

static Outcome draw(Reason reason)
{
    return (Outcome){RESULT_DRAW, reason};
}

// Bare kings, king and one minor piece, or only bishops of one square colour: nobody can be mated.
static bool is_dead(const Position *pos)
{
    const Bitboard *t = pos->by_type;
    if (t[PAWN] | t[ROOK] | t[QUEEN])
        return false;
    if (bit_count(t[KNIGHT] | t[BISHOP]) <= 1)
        return true;
    return !t[KNIGHT] && (!(t[BISHOP] & DARK_SQUARES) || !(t[BISHOP] & ~DARK_SQUARES));
}

// What ends a game before the history is asked: men gone, no legal move.
static Outcome outcome_on_board(const Position *pos)
{
    Color us = pos->side;
    if (pos->rules->bare_side_loses)
        for (Color c = WHITE; c <= BLACK; c++)
            if (!pos->by_color[c])
                return win(!c, REASON_ALL_CAPTURED);
    if (!movegen_any(pos)) {
        if (position_in_check(pos))
            return win(!us, REASON_CHECKMATE);
        return pos->rules->no_move_loses ? win(!us, REASON_NO_CAPTURE) : draw(REASON_STALEMATE);
    }
    if (pos->state.fifty >= 100)
        return draw(REASON_FIFTY_MOVES);
    return (Outcome){RESULT_NONE, REASON_NONE};
}

Outcome position_outcome(const Position *pos)
{
    Outcome outcome = outcome_on_board(pos);
    if (outcome.result == RESULT_NONE && pos->rules->has_dead_draw && is_dead(pos))
        outcome = draw(REASON_DEAD_POSITION);
    return outcome;
}

Outcome game_outcome(const Game *game)
{
    if (game->declared.result != RESULT_NONE)
        return game->declared;
    Outcome outcome = outcome_on_board(&game->now);
    if (outcome.result == RESULT_NONE && game_repetitions(game) >= 3)
        return draw(REASON_REPETITION);
    if (outcome.result == RESULT_NONE && game->now.rules->has_dead_draw && is_dead(&game->now))
        return draw(REASON_DEAD_POSITION);
    return outcome;
}

bool position_can_win(const Position *pos, Color c)
{
    const Rules *rules = pos->rules;
    Bitboard own = pos->by_color[c], other = pos->by_color[!c];
    const Bitboard *t = pos->by_type;
    if (rules->bare_side_loses && !rules->has_king[!c])
        return own; // it has to take everything, which any man may do with help
    if ((t[PAWN] | t[ROOK] | t[QUEEN]) & own)
        return true;
    Bitboard knights = t[KNIGHT] & own, bishops = t[BISHOP] & own;
    Bitboard helpers = other & ~t[KING];
    if (knights) // two pieces mate with help; one needs an enemy man (not only queens) to stand in
                 // the way
        return bit_many(knights | bishops) || (helpers & ~t[QUEEN]);
    if (!bishops)
        return false;
    bool both = (bishops & DARK_SQUARES) && (bishops & ~DARK_SQUARES);
    Bitboard opposite = bishops & DARK_SQUARES ? ~DARK_SQUARES : DARK_SQUARES;
    return both || (helpers & (t[PAWN] | t[KNIGHT])) || (helpers & t[BISHOP] & opposite);
}

void game_declare(Game *game, Reason reason, Color loser)
{
    bool is_draw = reason == REASON_AGREEMENT;
    if ((reason == REASON_TIME || reason == REASON_RESIGNATION) &&
        !position_can_win(&game->now, !loser)) {
        is_draw = true;
        reason = reason == REASON_TIME ? REASON_TIME_NO_MATE : REASON_RESIGNATION_NO_MATE;
    }
    game->declared = is_draw ? draw(reason) : win(!loser, reason);
}
