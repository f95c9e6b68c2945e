// The board of document K's players: 64 numbers as the side to move sees them, its own men above 0,
// the others below, always playing up the board. A move makes a new board, turned round: ranks
// mirrored, signs changed. So there is one set of rules for both colours. The value of the men is
// kept up to date in thousandths of a pawn, whole numbers, so that no rounding creeps in.
#ifndef LOVAC_LAB_AGENTS_KBOARD_H
#define LOVAC_LAB_AGENTS_KBOARD_H

#include "core/position.h"

// Codes of men: pawn to king; the other side's are negative.
enum { K_NONE, K_PAWN, K_KNIGHT, K_BISHOP, K_ROOK, K_QUEEN, K_KING, K_CODES };
enum { K_MOVES_MAX = 256 };

// What a man of each code is worth on each square, its own side below: men 9, 5, 3.1, 3, 1 pawns
// and a smaller number for the place.
typedef struct KValues {
    int of[K_CODES][64];
    int taken[K_CODES][64]; // the same seen by who takes it; a king is worth everything
    int least_step;         // that a pawn gains by a step
    int most_quiet;         // that any move without capture or promotion gains
} KValues;
enum { K_KING_VALUE = 100000000 };

// `placement` scales the part for the place; 1 is the usual.
void kvalues_init(KValues *values, double placement);

typedef struct KBoard {
    int8_t men[64];
    Bitboard own, other; // where they stand
    Bitboard pawns;      // of both
    int base;            // own less other, thousandths
    uint8_t castling;    // K_OWN_SHORT ...
    uint8_t en_passant;  // where a pawn may take a pawn that stepped twice, or NO_SQUARE
} KBoard;
enum { K_OWN_SHORT = 1, K_OWN_LONG = 2, K_OTHER_SHORT = 4, K_OTHER_LONG = 8 };

// A pseudo-legal move. Pawns become queens.
typedef struct KMove {
    uint8_t from, to;
    int8_t taken; // code of the man taken, above 0, or K_NONE
    uint8_t kind;
    int gain; // what it adds to `base` for the side that makes it
} KMove;
enum { K_PLAIN, K_DOUBLE, K_EN_PASSANT, K_CASTLE, K_PROMOTION };

// A position of chess as its side to move sees it.
void kboard_from_position(KBoard *board, const Position *pos, const KValues *values);

// The other way, White to move and without castling: for evaluations of core's positions.
void kboard_to_position(const KBoard *board, Position *pos);

// Writes all pseudo-legal moves, by the square they begin on, a1 first, then by the one they end
// on; castling last. The king may be left to be taken.
int kboard_moves(const KBoard *board, const KValues *values, KMove moves[K_MOVES_MAX]);

// Only those that take something; `quiet` gets how many others there are.
int kboard_captures(const KBoard *board, const KValues *values, KMove moves[K_MOVES_MAX],
                    int *quiet);

// The board after a move that takes no king, as the other side sees it.
void kboard_make(const KBoard *board, KMove move, KBoard *after);

// Could the side to move take on a square? And can the other side take on it?
bool kboard_attacks(const KBoard *board, Square s);
bool kboard_is_attacked(const KBoard *board, Square s);

// The square of the own king, or NO_SQUARE.
Square kboard_king(const KBoard *board);

// The same move in core's words among the legal ones of the position that the board came from;
// MOVE_NONE when it is not legal.
Move kboard_core_move(const Position *pos, KMove move, const Move *legal, int count);

#endif
