// Document M's board: a mailbox of 120 squares, ten columns by twelve rows. The 64 real squares (a1
// = 21, h1 = 28, a8 = 91, h8 = 98) have a border of two rows above and below and one column at each
// side, so that a piece that leaves the board lands on a border square and never outside the array:
// the question 'am I still on the board?' is one comparison. Beside it: the squares of each kind of
// man, bitboards of the pawns alone, the material of each side, and a history for undoing moves.
// Chess only; no part of Lovac's own board is used.
#ifndef LOVAC_LAB_AGENTS_M_BOARD_H
#define LOVAC_LAB_AGENTS_M_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { M_SQUARES = 120, M_MOVES_MAX = 256, M_HISTORY_MAX = 128, M_NO_SQUARE = 0 };

// Men: 0 none, white 1 to 6, black 7 to 12; the border is none of them.
enum { M_NONE, M_WP, M_WN, M_WB, M_WR, M_WQ, M_WK, M_BP, M_BN, M_BB, M_BR, M_BQ, M_BK, M_BORDER };
enum { M_WHITE, M_BLACK, M_BOTH };

// The move in one integer: from 7 bits, to 7, captured 4, en passant 1, pawn's double step 1,
// promoted 4, castling 1.
typedef uint32_t MMove;

enum { M_EN_PASSANT = 1 << 18, M_DOUBLE = 1 << 19, M_CASTLING = 1 << 24 };

static inline MMove m_move(int from, int to, int captured, int promoted, int flags)
{
    return (MMove)(from | to << 7 | captured << 14 | promoted << 20 | flags);
}
static inline int m_from(MMove move)
{
    return move & 127;
}
static inline int m_to(MMove move)
{
    return move >> 7 & 127;
}
static inline int m_captured(MMove move) // a pawn for en passant too
{
    return move >> 14 & 15;
}
static inline int m_promoted(MMove move)
{
    return move >> 20 & 15;
}

// Random words for the key, always the same. Row 0 (no man) serves the en passant square.
typedef struct MKeys {
    uint64_t man[13][M_SQUARES], white, rights[16];
} MKeys;

// What a move cannot be undone from.
typedef struct MUndo {
    MMove move;
    int rights, passed, fifty;
    uint64_t key;
} MUndo;

typedef struct MBoard {
    const MKeys *keys;
    uint8_t square[M_SQUARES];
    int list[13][20], count[13]; // the squares of each kind of man (Fortress has 19 men a side)
    uint64_t pawns[3];           // bitboards: white, black, both; a1 is bit 0
    int king[2];
    int material[2];
    int side;
    int rights; // castling: 1 K, 2 Q, 4 k, 8 q
    int passed; // the square a pawn has just stepped over, or M_NO_SQUARE
    int fifty;  // kept, never used, as in the document
    int ply;    // half-moves since set-up, all in the history
    uint64_t key;
    MUndo history[M_HISTORY_MAX];
} MBoard;

void m_keys_init(MKeys *keys);

// Sets up a board; false when it is no FEN of chess. The last two fields may be missing.
bool m_from_fen(MBoard *board, const MKeys *keys, const char *fen);

// Writes the pseudo-legal moves and returns their number: pawns, then sliders, then knights and
// king.
int m_moves(const MBoard *board, MMove *moves);

// Plays a move. When it leaves the own king attacked it is taken back at once, and the answer is
// false.
bool m_make(MBoard *board, MMove move);

// Takes the last move back.
void m_undo(MBoard *board);

bool m_is_attacked(const MBoard *board, int square, int by);

static inline bool m_in_check(const MBoard *board)
{
    return m_is_attacked(board, board->king[board->side], !board->side);
}

// The value of a kind of man (P 100, N and B 325, R 550, Q 1000, K 50000).
int m_value(int man);

// e2e4, e7e8q.
void m_write_move(MMove move, char text[6]);

uint64_t m_perft(MBoard *board, int depth);

// 0 to 63 from a real square.
static inline int m_to_64(int square)
{
    return (square / 10 - 2) * 8 + square % 10 - 1;
}
static inline int m_from_64(int square)
{
    return (square / 8 + 2) * 10 + square % 8 + 1;
}

#endif
