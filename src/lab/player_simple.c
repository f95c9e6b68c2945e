// Two movers that do not think: one plays any legal move, one takes the most valuable man it can
// see. They are the bottom of every rating table, and quick opponents for tests in all variants.
#include <stdlib.h>

#include "base/random.h"
#include "core/movegen.h"
#include "lab/player_int.h"

typedef struct SimplePlayer {
    Player player;
    Random random;
} SimplePlayer;

static PlayerFault simple_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error)
{
    (void)rules;
    (void)error;
    random_init(&((SimplePlayer *)player)->random, seed);
    return FAULT_NONE;
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

static void simple_choose(Player *player, const Game *game, const SearchLimits *limits,
                          PlayerMove *answer)
{
    (void)limits;
    SimplePlayer *simple = (SimplePlayer *)player;
    Move list[MAX_MOVES];
    int count = movegen_legal(&game->now, STAGE_ALL, list), best = -1, equals = 0;
    for (int i = 0; i < count; i++) {
        int gain = player->spec.kind == PLAYER_GREEDY ? immediate_gain(&game->now, list[i]) : 0;
        equals = gain > best ? 1 : equals + (gain == best);
        if (gain > best || (gain == best && random_below(&simple->random, (uint64_t)equals) == 0)) {
            best = gain;
            answer->move = list[i];
        }
    }
    answer->nodes = (uint64_t)count;
}

static void simple_free(Player *player)
{
    free(player);
}

Player *player_simple_new(const PlayerSpec *spec, Error *error)
{
    static const PlayerClass CLASS = {simple_new_game, simple_choose, simple_free};
    SimplePlayer *simple = calloc(1, sizeof *simple);
    if (!simple)
        return error_set(error, "out of memory"), NULL;
    simple->player = (Player){.class = &CLASS, .spec = *spec};
    return &simple->player;
}
