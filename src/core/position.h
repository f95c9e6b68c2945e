// A position of any variant: a value that can be copied with `=`, with make and unmake.
// Start with position_from_fen (fen.h); moves come from movegen.h.
#ifndef LOVAC_CORE_POSITION_H
#define LOVAC_CORE_POSITION_H

#include "core/bitboard.h"
#include "core/rules.h"

// Hash keys of parts of the board, by colour, for the histories of a search.
enum { PART_PAWN, PART_MINOR, PART_MAJOR, PART_KING, PART_COUNT };

// What a move cannot be undone from: saved by make, restored by unmake.
typedef struct State {
    Key key;                 // men, side to move, castling, en passant
    Key part[2][PART_COUNT]; // men alone
    Bitboard castling;       // rooks with which a king may still castle
    Bitboard checkers;       // men that give check to the side to move
    Bitboard pinned;         // its men that shield its king from a slider
    uint16_t fifty;          // half-moves since the last capture or pawn move
    uint8_t en_passant;      // square, only where a legal en passant capture exists; else NO_SQUARE
    uint8_t captured;        // piece taken by the last move, or NO_PIECE
} State;

typedef struct Position {
    Bitboard by_type[TYPE_COUNT];
    Bitboard by_color[2];
    uint8_t board[64]; // Piece or NO_PIECE
    uint8_t side;      // Color to move
    uint16_t ply;      // half-moves since the first move of the game
    const Rules *rules;
    State state;
} Position;

typedef struct Undo {
    State state;
} Undo;

// An empty board of that game, White to move. Then put men, set side and state.castling /
// en_passant / fifty.
void position_clear(Position *pos, const Rules *rules);
void position_put(Position *pos, Piece piece, Square s);

// Ends a set-up: computes keys and checkers, drops castling rights without rook and king and an en
// passant square on which nothing can be taken.
void position_finish(Position *pos);

// The start position of a game by number or seed (see rules_start_fen); false when out of range.
bool position_start(Position *pos, const Rules *rules, uint64_t number, Error *error);

// Plays a legal move. Undo remembers what unmake needs.
void position_make(Position *pos, Move move, Undo *undo);
void position_unmake(Position *pos, Move move, const Undo *undo);

// Passes the move (not in check).
void position_make_null(Position *pos, Undo *undo);
void position_unmake_null(Position *pos, const Undo *undo);

// The key after a move, cheaply and nearly always exactly: for prefetching.
Key position_key_after(const Position *pos, Move move);

// True if the position is consistent with itself (bitboards, board, keys, checkers); for assertions
// and tests.
bool position_is_ok(const Position *pos, Error *error);

// True if moves can be generated: kings, pawns, side not to move not in check. For set-ups.
bool position_is_sound(const Position *pos, Error *error);

// True if, besides, no side has more men than a game can give it.
bool position_is_playable(const Position *pos, Error *error);

static inline Bitboard position_occupied(const Position *pos)
{
    return pos->by_color[0] | pos->by_color[1];
}
static inline Bitboard position_men(const Position *pos, Color c, PieceType t)
{
    return pos->by_color[c] & pos->by_type[t];
}
static inline bool position_has_king(const Position *pos, Color c)
{
    return position_men(pos, c, KING);
}

// The king's square; only for a side that has one.
static inline Square position_king(const Position *pos, Color c)
{
    return bit_first(position_men(pos, c, KING));
}
static inline bool position_in_check(const Position *pos)
{
    return pos->state.checkers;
}

static inline Key position_pawn_key(const Position *pos)
{
    return pos->state.part[WHITE][PART_PAWN] ^ pos->state.part[BLACK][PART_PAWN];
}
// Knights, bishops and kings.
static inline Key position_minor_key(const Position *pos)
{
    const Key(*p)[PART_COUNT] = pos->state.part;
    return p[WHITE][PART_MINOR] ^ p[BLACK][PART_MINOR] ^ p[WHITE][PART_KING] ^ p[BLACK][PART_KING];
}
// Rooks, queens and kings.
static inline Key position_major_key(const Position *pos)
{
    const Key(*p)[PART_COUNT] = pos->state.part;
    return p[WHITE][PART_MAJOR] ^ p[BLACK][PART_MAJOR] ^ p[WHITE][PART_KING] ^ p[BLACK][PART_KING];
}
// All men of one colour but the pawns.
static inline Key position_nonpawn_key(const Position *pos, Color c)
{
    const Key *p = pos->state.part[c];
    return p[PART_MINOR] ^ p[PART_MAJOR] ^ p[PART_KING];
}

// Squares on which a pawn of that colour standing on s could take.
Bitboard position_pawn_attacks(const Rules *rules, Color c, Square s);

// Men of both colours that attack a square, with a given occupancy.
Bitboard position_attackers(const Position *pos, Square s, Bitboard occupied);

// Men of colour c that stand alone between the king of `king_color` and an enemy slider: own men
// are pinned, the enemy's would give discovered check.
Bitboard position_blockers(const Position *pos, Color king_color);

// Does this legal move give check?
bool position_gives_check(const Position *pos, Move move);

// The piece that a move takes, or NO_PIECE.
static inline Piece position_captured(const Position *pos, Move m)
{
    if (move_kind(m) == KIND_EN_PASSANT)
        return piece_make(!pos->side, PAWN);
    return move_is_capture(m) ? pos->board[move_to(m)] : NO_PIECE;
}

// Static exchange evaluation as a test: does the side to move gain at least `threshold` on the
// target square if both sides take there as long as it pays? `values` gives the worth of pawn to
// king.
bool position_see_at_least(const Position *pos, Move move, int threshold,
                           const int values[TYPE_COUNT]);

// The usual values for it: 100, 300, 300, 500, 900, 0.
extern const int SEE_VALUES[TYPE_COUNT];

#endif
