// Positions that several experiments use.
#ifndef LOVAC_LAB_EXPERIMENTS_POSITIONS_H
#define LOVAC_LAB_EXPERIMENTS_POSITIONS_H

#include "core/position.h"

typedef struct LabPosition {
    const char *name, *fen;
    uint64_t leaves; // move sequences of four half-moves
} LabPosition;

enum { LAB_POSITIONS = 7, LAB_START = 0, LAB_KIWIPETE = 1 };

// The test positions of document M (A to G), which everybody's generator is tested with; the first
// is the start.
extern const LabPosition LAB_POSITION[LAB_POSITIONS];

// Sets one up. They are all good.
void lab_position(int number, Position *pos);

#endif
