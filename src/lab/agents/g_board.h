// Document G's board: a bit for each square, twelve 64-bit words for the men (six kinds, two
// colours) and three for what is occupied (by White, by Black, by anyone). a8 is bit 0, h1 bit 63,
// as the board is printed. Sliding pieces look their attacks up in tables that magic multiplication
// indexes; the magic numbers are found by trial when the tables are made, always the same ones.
// Moves are pseudo-legal: g_make tells whether the king was left in check. To take a move back,
// keep a copy of the board. Chess only; no part of Lovac's own board is used.
#ifndef LOVAC_LAB_AGENTS_G_BOARD_H
#define LOVAC_LAB_AGENTS_G_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { G_PAWN, G_KNIGHT, G_BISHOP, G_ROOK, G_QUEEN, G_KING, G_BLACK = 6, G_MEN = 12 };
enum { G_NO_SQUARE = -1, G_MOVES_MAX = 256 };
enum { G_BOTH = 2 }; // index of the third occupancy; 0 White, 1 Black

// Attacks of one slider from one square: the occupied squares that matter, times the magic number,
// shifted, is an index that is different wherever the attacks are.
typedef struct GMagic {
    uint64_t mask, magic;
    int shift;
} GMagic;

// Everything that is computed once.
typedef struct GTables {
    GMagic rook[64], bishop[64];
    uint64_t rook_attacks[64][4096], bishop_attacks[64][512];
    uint64_t pawn_attacks[2][64], knight_attacks[64], king_attacks[64];
    uint64_t key_of_man[G_MEN][64], key_of_black; // Zobrist: random words, from a fixed seed
} GTables;

typedef struct GBoard {
    uint64_t men[G_MEN]; // P N B R Q K of White, then of Black
    uint64_t occupied[3];
    uint64_t key; // men and side to move; the document has no words for castling and en passant
    int side;     // 0 White, 1 Black
    int passed;   // the square a pawn has just stepped over, or G_NO_SQUARE
    int rights;   // castling: bits 1 K, 2 Q, 4 k, 8 q
    int fifty;    // half-moves since the last capture or pawn move
} GBoard;

// The eight fields of the document: source, target, man, promoted man, capture, double step, en
// passant, castling.
typedef uint32_t GMove;

static inline GMove g_move(int source, int target, int man, int promoted, int flags)
{
    return (GMove)(source | target << 6 | man << 12 | promoted << 16 | flags << 20);
}
enum { G_CAPTURE = 1, G_DOUBLE = 2, G_EN_PASSANT = 4, G_CASTLING = 8 };
static inline int g_source(GMove move)
{
    return move & 63;
}
static inline int g_target(GMove move)
{
    return move >> 6 & 63;
}
static inline int g_man(GMove move)
{
    return move >> 12 & 15;
}
static inline int g_promoted(GMove move) // 0 (no man promotes to a white pawn): none
{
    return move >> 16 & 15;
}
static inline bool g_has(GMove move, int flag)
{
    return move >> 20 & (unsigned)flag;
}

// Makes the tables; NULL when memory is short. free() releases them.
GTables *g_tables_new(void);

// Sets up a board; false when it is no FEN of chess.
bool g_from_fen(const GTables *tables, GBoard *board, const char *fen);

// Writes the pseudo-legal moves, or only the captures, and returns their number.
int g_moves(const GTables *tables, const GBoard *board, bool only_captures, GMove *moves);

// Plays a move; false when it leaves the own king in check (the board is then of no use).
bool g_make(const GTables *tables, GBoard *board, GMove move);

// Is the king of that side attacked?
bool g_in_check(const GTables *tables, const GBoard *board, int side);

// e2e4, e7e8q.
void g_write_move(GMove move, char text[6]);

uint64_t g_perft(const GTables *tables, const GBoard *board, int depth);

#endif
