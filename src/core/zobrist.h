// Private to core: the random numbers of the hash keys, the same in every run and build.
#ifndef LOVAC_CORE_ZOBRIST_H
#define LOVAC_CORE_ZOBRIST_H

#include "core/types.h"

extern const Key ZOBRIST_MEN[PIECE_COUNT][64];
extern const Key ZOBRIST_CASTLING[64];   // by the rook's square
extern const Key ZOBRIST_EN_PASSANT[64]; // by the target square
extern const Key ZOBRIST_SIDE;           // Black to move

#endif
