// The words of the game: colours, pieces, squares, bitboards and the 16-bit move.
// Everything here is a plain integer; a1 = 0, b1 = 1, ... h8 = 63 (little-endian rank-file
// mapping).
#ifndef LOVAC_CORE_TYPES_H
#define LOVAC_CORE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; // bit s is square s
typedef uint64_t Key;      // Zobrist hash
typedef int Square;        // 0..63, NO_SQUARE
typedef int Color;         // WHITE, BLACK
typedef int PieceType;     // PAWN..KING, NO_TYPE
typedef int Piece;         // type * 2 + colour: 0..11, NO_PIECE

enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_TYPE, TYPE_COUNT = 6 };
enum { PIECE_COUNT = 12, NO_PIECE = 12 };

enum { A1 = 0, B1, C1, D1, E1, F1, G1, H1, A8 = 56, B8, C8, D8, E8, F8, G8, H8, NO_SQUARE = 64 };

// Directions as differences between squares.
enum {
    NORTH = 8,
    SOUTH = -8,
    EAST = 1,
    WEST = -1,
    NORTH_EAST = 9,
    NORTH_WEST = 7,
    SOUTH_EAST = -7,
    SOUTH_WEST = -9
};

enum {
    MAX_MEN = 64,     // Massacre fills the board
    MAX_MOVES = 1024, // no legal position of any variant has more
};

static inline Piece piece_make(Color c, PieceType t)
{
    return t * 2 + c;
}
static inline Color piece_color(Piece p)
{
    return p & 1;
}
static inline PieceType piece_type(Piece p)
{
    return p >> 1;
}

static inline Square square_make(int file, int rank)
{
    return rank * 8 + file;
}
static inline int square_file(Square s)
{
    return s & 7;
}
static inline int square_rank(Square s)
{
    return s >> 3;
}

// The rank of a square as that colour counts it: 0 is its own back rank.
static inline int square_relative_rank(Color c, Square s)
{
    return (s >> 3) ^ (c * 7);
}

// A move: from (6 bits), to (6 bits), kind (4 bits). Castling is written "king takes own rook", so
// that Chess960 needs nothing special. 0 (a1a1, quiet) is no move.
typedef uint16_t Move;

enum { MOVE_NONE = 0 };

// Bit 2 of the kind says capture, bit 3 promotion (then bits 0-1 are the piece, knight to queen).
enum {
    KIND_QUIET = 0,
    KIND_DOUBLE_STEP = 1,
    KIND_CASTLE = 2,
    KIND_CAPTURE = 4,
    KIND_EN_PASSANT = 5,
    KIND_PROMOTION = 8,
    KIND_PROMOTION_CAPTURE = 12
};

static inline Move move_make(Square from, Square to, int kind)
{
    return (Move)(from | to << 6 | kind << 12);
}
static inline Square move_from(Move m)
{
    return m & 63;
}
static inline Square move_to(Move m)
{
    return m >> 6 & 63;
}
static inline int move_kind(Move m)
{
    return m >> 12;
}
static inline bool move_is_capture(Move m)
{
    return m >> 12 & 4;
}
static inline bool move_is_promotion(Move m)
{
    return m >> 15;
}
static inline bool move_is_castle(Move m)
{
    return m >> 12 == KIND_CASTLE;
}

// The piece a promotion makes; only for promotions.
static inline PieceType move_promotion(Move m)
{
    return KNIGHT + (m >> 12 & 3);
}

#endif
