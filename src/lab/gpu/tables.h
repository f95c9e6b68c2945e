// Constant tables of the GPU's move generator; they live in shared memory, one copy a block.
#ifndef LOVAC_LAB_GPU_TABLES_H
#define LOVAC_LAB_GPU_TABLES_H

#include <stdint.h>

enum { G_PAWN, G_KNIGHT, G_BISHOP, G_ROOK, G_QUEEN, G_KING, G_NO_SQUARE = 64 };

typedef struct Tables {
    uint64_t between[64 * 64]; // all ones when the squares are not in line
    uint64_t diagonal[64], antidiagonal[64];
    uint64_t leap[4][64]; // white pawn, black pawn, knight, king
    uint64_t hash_man[12 * 64];
    uint64_t hash_castling[16];
    uint64_t hash_en_passant[8];
    uint64_t hash_side;
    uint64_t start_hash;
    uint16_t start_man[32];
    uint8_t rights_kept[64]; // castling rights that a move from or to the square leaves
    // How a player's net looks at the board: [player][perspective][its king's square], see
    // views_fill in device_net.h. Zero here; every kernel fills it for its nets.
    uint16_t views[2][2][64];
} Tables;

// A position as the host hands it to a warp: men by lane.
typedef struct HostBoard {
    uint16_t man[32];
    uint64_t white, black, hash;
    int32_t side, castling, en_passant, fifty;
} HostBoard;

#ifdef __cplusplus
extern "C" {
#endif

// Fills the tables; always the same numbers.
void tables_fill(Tables *tables);

// Sorts the men of a mailbox into lanes (kings first): type * 2 + colour by square, 12 or more for
// none. Rights: K, Q, k, q. Returns 0 when the men do not fit (no two kings, or more than 16 of a
// colour).
int host_board_set(const Tables *tables, HostBoard *board, const uint8_t mailbox[64], int side,
                   int castling, int en_passant, int fifty);

#ifdef __cplusplus
}
#endif
#endif
