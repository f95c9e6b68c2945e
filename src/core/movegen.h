// Moves of a position, legal or pseudo-legal, all or in stages.
#ifndef LOVAC_CORE_MOVEGEN_H
#define LOVAC_CORE_MOVEGEN_H

#include "core/position.h"

typedef enum MoveStage {
    STAGE_NOISY = 1, // captures (with every promotion) and quiet promotions to a queen
    STAGE_QUIET = 2, // all others
    STAGE_ALL = 3
} MoveStage;

// Writes the legal moves of a stage into `list` (room for MAX_MOVES) and returns their number.
int movegen_legal(const Position *pos, MoveStage stage, Move *list);

// Writes pseudo-legal moves: in check only such as may answer it; the king may still be left in
// check by a king's step, a pinned man or an en passant capture, which move_is_legal tells.
int movegen_pseudo(const Position *pos, MoveStage stage, Move *list);

// The number of legal moves, without making a list.
int movegen_count(const Position *pos);

// True if there is any legal move.
bool movegen_any(const Position *pos);

// Is this any of the 65 536 encodings that movegen_pseudo would make here?
bool move_is_pseudo_legal(const Position *pos, Move move);

// Is a pseudo-legal move legal?
bool move_is_legal(const Position *pos, Move move);

#endif
