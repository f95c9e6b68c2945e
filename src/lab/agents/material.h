// The first textbook agent: plain alpha-beta to a fixed depth that counts material (pawn 1, knight
// and bishop 3, rook 5, queen 9) and nothing else. It plays every variant, since all rules come
// from core. No hash table, no quiescence, no clock: what it cannot see within its depth it does
// not see.
#ifndef LOVAC_LAB_AGENTS_MATERIAL_H
#define LOVAC_LAB_AGENTS_MATERIAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "core/position.h"
#include "play/player.h"

enum { MATERIAL_DEPTH = 3, MATERIAL_DEPTH_MAX = 32 };

typedef struct MaterialChoice {
    Move move;
    int score; // centipawns for the side to move; mates as in engine/score.h
    uint64_t nodes;
} MaterialChoice;

// The best move of a position that has one, `depth` half-moves deep (1..MATERIAL_DEPTH_MAX). Among
// equally good moves the random numbers decide.
void material_choose(const Position *pos, int depth, Random *random, MaterialChoice *choice);

// The same, unless `stop` becomes true before it is done: then false, and the choice means nothing.
bool material_choose_until(const Position *pos, int depth, Random *random, const atomic_bool *stop,
                           MaterialChoice *choice);

// The same as a player; of all limits it knows the depth alone, 3 unless told.
SimpleChooser material_player;

// The material of the side to move less the other's, in centipawns.
int material_count(const Position *pos);

#endif
