// The network's evaluation on the CPU: nets from files, and accumulators kept up to date by
// difference. A Net is read-only once loaded and is shared by threads; each thread has an NnueStack
// of its own. Order of calls in a search: nnue_reset at the root; nnue_push before each
// position_make (or nnue_push_null before a null move), nnue_pop after each unmake; nnue_evaluate
// whenever wanted.
#ifndef LOVAC_ENGINE_NNUE_H
#define LOVAC_ENGINE_NNUE_H

#include <stddef.h>

#include "base/error.h"
#include "core/position.h"
#include "engine/nnue_features.h"
#include "engine/nnue_threats.h"

enum { NET_VARIANT_SIZE = 16, NET_RECIPE_SIZE = 256 };

// What a net file says about itself.
typedef struct NetInfo {
    char variant[NET_VARIANT_SIZE]; // Rules.name
    char recipe[NET_RECIPE_SIZE];   // how it was made, one line
    uint64_t positions;             // self-play positions that it and its ancestors were trained on
    uint32_t generation;
    uint16_t hidden;
    uint16_t king_buckets;
    uint16_t men_per_bucket; // of the output buckets
    bool adds_to_hand;       // its value is added to the hand-written evaluation's
    bool has_layers;         // product of halves and three layers instead of one output
    bool has_threats;        // threat inputs; only with layers, only for games with chess's men
    int32_t multiplier;      // see nnue_centipawns; by nnue_layers_multiplier for layers
    uint8_t king_bucket[64];
} NetInfo;

// What follows the accumulators in a net with layers, as it stands in the file.
typedef struct NetLayers {
    int8_t *first; // [NNUE_OUTPUTS][NNUE_L1][hidden], products of the side to move first
    int32_t first_bias[NNUE_OUTPUTS][NNUE_L1];
    int16_t second[NNUE_OUTPUTS][NNUE_L2][2 * NNUE_L1]; // clipped values first, then squares
    int32_t second_bias[NNUE_OUTPUTS][NNUE_L2];
    int16_t third[NNUE_OUTPUTS][NNUE_L2];
    int32_t third_bias[NNUE_OUTPUTS];
} NetLayers;

// The weights as they stand in the file. Rows are contiguous: feature f begins at feature + f *
// hidden.
typedef struct Net {
    NetInfo info;
    bool is_from_corner;               // its game wants nnue_corner_view
    bool is_shared;                    // by all who ask for it: net_free lets it be
    int16_t *feature;                  // [king_buckets * NNUE_INPUTS][hidden]
    int16_t *bias;                     // [hidden]
    int16_t *output;                   // [NNUE_OUTPUTS][2 * hidden], own half first; no layers
    int32_t output_bias[NNUE_OUTPUTS]; // in units of QA * QA * QB; no layers
    int8_t *threat;                    // [NNUE_THREATS][hidden], or NULL
    NnueThreatTables *threat_tables;   // numbers of the threats, or NULL
    NetLayers *layers;                 // or NULL
} Net;

// A net of that shape with all weights zero; NULL when memory is short or the shape is impossible.
// info.variant, recipe etc. are copied from `info`.
Net *net_new(const NetInfo *info, Error *error);
void net_free(Net *net);

// Does this game want nnue_corner_view instead of nnue_view?
static inline bool nnue_is_from_corner(const Rules *rules)
{
    return rules->pawn_step[WHITE] != NORTH;
}

// Reads a net from memory or a file: magic, version, shape, size, checksum and every weight's range
// are tested. NULL, with the reason, when anything is off.
Net *net_from_memory(const void *data, size_t size, Error *error);
Net *net_from_file(const char *path, Error *error);

// Writes a net to a temporary file beside `path` and renames it.
bool net_to_file(const Net *net, const char *path, Error *error);

// The bytes of a net file, allocated with malloc; the caller frees them. NULL when memory is short.
void *net_to_memory(const Net *net, size_t *size, Error *error);

// One of the nets compiled into the program, from 0; NULL, with the reason, beyond the last. Of two
// for the same game the later one counts. They are read once and shared by all engines of the
// process: read only.
Net *net_from_program(int index, Error *error);

// Names of the vector code that this processor can run, best first; NULL beyond the last. For
// tests.
const char *nnue_kernel_name(int index);

typedef struct NnueStack NnueStack;

// Accumulators for lines of up to `depth` moves with that net, which must outlive the stack.
// `kernel` picks the vector code by index (0: the best).
NnueStack *nnue_stack_new(const Net *net, int depth, int kernel, Error *error);
void nnue_stack_free(NnueStack *stack);

// Begins a line at any position: forgets all moves.
void nnue_reset(NnueStack *stack);

// Remembers what a move will change; `pos` is the position before it is made.
void nnue_push(NnueStack *stack, const Position *pos, Move move);
void nnue_push_null(NnueStack *stack);
void nnue_pop(NnueStack *stack);

// Centipawns from the view of the side to move. `pos` is the position after all pushed moves.
int nnue_evaluate(NnueStack *stack, const Position *pos);

// The same, slowly and from nothing: no stack, plain C. For tests and single positions.
int nnue_evaluate_once(const Net *net, const Position *pos);

// The output bucket that a position's number of men chooses, and the value by any other one.
int nnue_bucket(const Net *net, const Position *pos);
int nnue_evaluate_in(const Net *net, const Position *pos, int bucket);

#endif
