// One file of Syzygy's endgame tables (.rtbw: win/draw/loss, .rtbz: distance to zeroing), as
// Ronald de Man defined them: which positions have which number, and how the numbers are packed.
// syzygy.h puts many such files together and knows captures and en passant; start there.
//
// Nothing in a file is believed: all offsets are checked against the size when it is opened, and
// what only a probe can see is checked by the probe.
#ifndef LOVAC_TABLES_SYZYGY_FILE_H
#define LOVAC_TABLES_SYZYGY_FILE_H

#include "core/position.h"

#include <stddef.h>

enum {
    SYZYGY_MEN_MAX = 7,
    SYZYGY_LEAD_MAX = 5, // pawns of one side
};

typedef enum SyzygyKind { SYZYGY_WDL, SYZYGY_DTZ, SYZYGY_KIND_COUNT } SyzygyKind;

// How many pawns to queens each side has; both have a king. The first side is the one that a name
// ("KQvKR") begins with.
typedef struct SyzygyMaterial {
    uint8_t count[2][KING];
} SyzygyMaterial;

// Reads a name such as "KQvKR", of 3 to 7 men; false when it is none.
bool syzygy_material_from_name(SyzygyMaterial *material, const char *name, size_t length);

// One number for each material, also with the sides changed.
uint64_t syzygy_material_code(const SyzygyMaterial *material, bool swapped);

// The same for a position; the kings do not count.
uint64_t syzygy_position_code(const Position *pos);

// Numbers of squares and of sets of squares, the same for all files. Read-only after
// syzygy_maps_init.
typedef struct SyzygyMaps {
    uint64_t choose[8][64];                     // binomial coefficients
    int8_t triangle[64];                        // a1-d1-d4: 0-5 below the diagonal, 6-9 on it
    int8_t below[64];                           // 28 squares below the diagonal a1-h8
    int16_t kings[10][64];                      // two kings, the first in the triangle
    int8_t pawn[64];                            // pawns by file pairs from the edge, 47 is a2
    uint32_t lead[SYZYGY_LEAD_MAX + 1][64];     // by number of pawns and square of the leading one
    uint32_t lead_size[SYZYGY_LEAD_MAX + 1][4]; // by its file
} SyzygyMaps;

void syzygy_maps_init(SyzygyMaps *maps);

typedef struct SyzygyFile SyzygyFile;

// Reads the head of a file in memory, which stays the caller's and must outlive the result. NULL,
// with the reason, when it is no table of that kind and material, or is damaged.
SyzygyFile *syzygy_file_new(const SyzygyMaps *maps, const uint8_t *bytes, size_t size,
                            SyzygyKind kind, const SyzygyMaterial *material, Error *error);
void syzygy_file_free(SyzygyFile *file);

typedef enum SyzygyAnswer {
    SYZYGY_FOUND,
    SYZYGY_OTHER_SIDE, // a DTZ file has only the positions with the other side to move
    SYZYGY_DAMAGED,
} SyzygyAnswer;

// What the file says of a position with its material (either way round): for WDL -2 to 2. For DTZ,
// `value` must hold the position's true WDL, not 0, and becomes the plies to zeroing, at least 1.
SyzygyAnswer syzygy_file_probe(const SyzygyFile *file, const Position *pos, int *value);

#endif
