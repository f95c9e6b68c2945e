// Simple movers: a function each that chooses in a position, with random numbers that the game's
// seed begins. Two of them live here, one that plays any legal move and one that takes the most
// valuable man it can see: the bottom of every rating table, and quick opponents for tests in all
// variants. The textbook agents of the laboratory are others.
#include <stdlib.h>

#include "base/stop.h"
#include "core/movegen.h"
#include "play/player_int.h"

static PlayerFault simple_new_game(Player *player, const Rules *rules, Error *error)
{
    (void)player;
    (void)rules;
    (void)error;
    return FAULT_NONE;
}

// The random numbers depend on the game and the move alone, whatever was played in between.
static void simple_choose(Player *player, const Game *game, const SearchLimits *limits,
                          PlayerMove *answer)
{
    Random random;
    random_init(&random, player->game.seed + (uint64_t)game->count * 0x9e3779b97f4a7c15u);
    player->spec.kind->choose(game, limits, &random, player->stop, answer);
    if (stop_is_set(player->stop))
        player_fail(answer, FAULT_STALL, "was not waited for");
}

static void simple_free(Player *player)
{
    free(player);
}

Player *player_simple_new(const PlayerSpec *spec, Error *error)
{
    static const PlayerClass CLASS = {simple_new_game, simple_choose, simple_free};
    Player *player = calloc(1, sizeof *player);
    if (!player)
        return error_set(error, "out of memory"), NULL;
    *player = (Player){.class = &CLASS, .spec = *spec};
    return player;
}

// What a move wins at once: the taken man and the promotion, by the usual values.
static int immediate_gain(const Position *pos, Move move)
{
    Piece captured = position_captured(pos, move);
    int gain = captured == NO_PIECE           ? 0
               : piece_type(captured) == KING ? 1000
                                              : SEE_VALUES[piece_type(captured)];
    if (move_is_promotion(move))
        gain += SEE_VALUES[move_promotion(move)];
    return gain;
}

// Any of the moves that win most by this measure.
static void choose_most(const Position *pos, int (*gain_of)(const Position *, Move), Random *random,
                        PlayerMove *answer)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list), best = -1, equals = 0;
    for (int i = 0; i < count; i++) {
        int gain = gain_of(pos, list[i]);
        equals = gain > best ? 1 : equals + (gain == best);
        if (gain > best || (gain == best && random_below(random, (uint64_t)equals) == 0)) {
            best = gain;
            answer->move = list[i];
        }
    }
    answer->nodes = (uint64_t)count;
}

static int no_gain(const Position *pos, Move move)
{
    (void)pos;
    (void)move;
    return 0;
}

void random_choose(const Game *game, const SearchLimits *limits, Random *random,
                   const atomic_bool *stop, PlayerMove *answer)
{
    (void)limits;
    (void)stop;
    choose_most(&game->now, no_gain, random, answer);
}

void greedy_choose(const Game *game, const SearchLimits *limits, Random *random,
                   const atomic_bool *stop, PlayerMove *answer)
{
    (void)limits;
    (void)stop;
    choose_most(&game->now, immediate_gain, random, answer);
}
