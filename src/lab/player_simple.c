// Simple movers: one plays any legal move, one takes the most valuable man it can see, one searches
// a few half-moves for material (agents/material.h). They are the bottom of every rating table, and
// quick opponents for tests in all variants.
#include <stdlib.h>

#include "base/random.h"
#include "core/movegen.h"
#include "lab/agents/material.h"
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

// Of all limits the agent knows the depth alone.
static void material_player_choose(Player *player, const Game *game, const SearchLimits *limits,
                                   PlayerMove *answer)
{
    int depth = limits->depth ? limits->depth : MATERIAL_DEPTH;
    MaterialChoice choice;
    if (depth > MATERIAL_DEPTH_MAX)
        depth = MATERIAL_DEPTH_MAX;
    material_choose(&game->now, depth, &((SimplePlayer *)player)->random, &choice);
    answer->move = choice.move;
    answer->score = choice.score;
    answer->depth = depth;
    answer->nodes = choice.nodes;
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
    static const PlayerClass SIMPLE = {simple_new_game, simple_choose, simple_free};
    static const PlayerClass MATERIAL = {simple_new_game, material_player_choose, simple_free};
    SimplePlayer *simple = calloc(1, sizeof *simple);
    if (!simple)
        return error_set(error, "out of memory"), NULL;
    const PlayerClass *class = spec->kind == PLAYER_MATERIAL ? &MATERIAL : &SIMPLE;
    simple->player = (Player){.class = class, .spec = *spec};
    return &simple->player;
}
