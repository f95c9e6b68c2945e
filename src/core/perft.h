// Counting the leaves of the game tree: the proof of the move generator.
#ifndef LOVAC_CORE_PERFT_H
#define LOVAC_CORE_PERFT_H

#include "core/position.h"

// The number of move sequences of that length; the last ply is counted without making its moves.
uint64_t perft(const Position *pos, int depth);

// The same, slowly: every leaf is made and unmade, and position_is_ok is asserted everywhere. For
// tests.
uint64_t perft_checked(const Position *pos, int depth);

// A table of known counts, shared by threads; the caller gives the memory, zeroed (16 bytes an
// entry, the number of entries a power of two).
typedef struct PerftEntry {
    _Atomic uint64_t check, nodes; // check = key xor nodes, with the depth mixed into the key
} PerftEntry;

typedef struct PerftTable {
    PerftEntry *entries;
    uint64_t count;
} PerftTable;

// perft with such a table.
uint64_t perft_hashed(const Position *pos, int depth, PerftTable *table);

#endif
