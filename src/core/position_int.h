// Private to core: the rules of movement written once, as always-inline functions that take the
// Rules. Called with the constant ORTHODOX_RULES they fold into a fast instance for chess and its
// relatives; called with pos->rules they serve every variant.
#ifndef LOVAC_CORE_POSITION_INT_H
#define LOVAC_CORE_POSITION_INT_H

#include <assert.h>
#include <stddef.h>

#include "core/position.h"
#include "core/zobrist.h"

#define INLINE static inline __attribute__((always_inline))

// What chess, Chess960, Corner and Fortress have in common, visible to the compiler as a constant.
static const Rules ORTHODOX_RULES = {
    .is_orthodox = true,
    .has_castling = true,
    .has_king = {true, true},
    .pawn_step = {NORTH, SOUTH},
    .pawn_capture = {{NORTH_WEST, NORTH_EAST}, {SOUTH_WEST, SOUTH_EAST}},
    .pawn_double_from = {RANK_1 << 8, RANK_1 << 48},
    .promotion_zone = {RANK_8, RANK_1},
};

// Do the folded rules apply? (bench/variants.sh builds a program for chess alone to see what this
// question costs.)
#ifdef LOVAC_CHESS_ONLY
#define IS_ORTHODOX(pos) true
#else
#define IS_ORTHODOX(pos) __builtin_expect((pos)->rules->is_orthodox, 1)
#endif
#define WITH_RULES(pos, call_folded, call_general)                                                 \
    (IS_ORTHODOX(pos) ? (call_folded) : (call_general))

// Where pawns of colour c on s take; also, since Black's geometry is White's turned round, where
// pawns of the other colour stand that could take on s.
INLINE Bitboard pawn_attacks(const Rules *rules, Color c, Square s)
{
    if (rules->is_orthodox)
        return PAWN_ATTACKS[c][s];
    Bitboard b = square_bit(s);
    return bitboard_shift(b, rules->pawn_capture[c][0]) |
           bitboard_shift(b, rules->pawn_capture[c][1]);
}

// Is the square attacked by a man in `enemies` (all of colour `by`)?
INLINE bool is_attacked(const Position *pos, const Rules *rules, Square s, Color by,
                        Bitboard enemies, Bitboard occupied)
{
    const Bitboard *t = pos->by_type;
    if ((pawn_attacks(rules, !by, s) & t[PAWN] & enemies) |
        (KNIGHT_ATTACKS[s] & t[KNIGHT] & enemies) | (KING_ATTACKS[s] & t[KING] & enemies))
        return true;
    Bitboard straight = (t[ROOK] | t[QUEEN]) & enemies, diagonal = (t[BISHOP] | t[QUEEN]) & enemies;
    return ((ROOK_LINES[s] & straight) && (rook_attacks(s, occupied) & straight)) ||
           ((BISHOP_LINES[s] & diagonal) && (bishop_attacks(s, occupied) & diagonal));
}

// Sets checkers and pinned for the side to move.
INLINE void find_checks(Position *pos, const Rules *rules)
{
    Color us = pos->side;
    State *state = &pos->state;
    Bitboard king = position_men(pos, us, KING);
    state->checkers = state->pinned = 0;
    if (!rules->is_orthodox && !king)
        return;
    Square s = bit_first(king);
    const Bitboard *t = pos->by_type;
    Bitboard enemies = pos->by_color[!us], occupied = position_occupied(pos);
    Bitboard checkers =
        ((pawn_attacks(rules, us, s) & t[PAWN]) | (KNIGHT_ATTACKS[s] & t[KNIGHT])) & enemies;
    Bitboard pinned = 0;
    Bitboard snipers =
        ((ROOK_LINES[s] & (t[ROOK] | t[QUEEN])) | (BISHOP_LINES[s] & (t[BISHOP] | t[QUEEN]))) &
        enemies;
    while (snipers) {
        Square sniper = bit_pop(&snipers);
        Bitboard between = BETWEEN[s][sniper] & occupied;
        if (!between)
            checkers |= square_bit(sniper);
        else if (!bit_many(between))
            pinned |= between;
    }
    state->checkers = checkers;
    state->pinned = pinned & pos->by_color[us];
}

// May a pawn of colour `us` on `from` take en passant on `target` without leaving its king in
// check?
INLINE bool en_passant_is_safe(const Position *pos, const Rules *rules, Color us, Square from,
                               Square target)
{
    Bitboard king = position_men(pos, us, KING);
    if (!king)
        return true;
    Bitboard victim = square_bit(target - rules->pawn_step[us]);
    Bitboard occupied = (position_occupied(pos) ^ square_bit(from) ^ victim) | square_bit(target);
    return !is_attacked(pos, rules, bit_first(king), !us, pos->by_color[!us] ^ victim, occupied);
}

// Can the side to move legally take en passant on that square?
INLINE bool en_passant_exists(const Position *pos, const Rules *rules, Square target)
{
    Color us = pos->side;
    Bitboard takers = pawn_attacks(rules, !us, target) & position_men(pos, us, PAWN);
    while (takers)
        if (en_passant_is_safe(pos, rules, us, bit_pop(&takers), target))
            return true;
    return false;
}

// The squares to which king and rook go when castling with the rook on `rook`.
INLINE Square castle_king_to(Square king, Square rook)
{
    return (king & 56) + (rook > king ? 6 : 2);
}
INLINE Square castle_rook_to(Square king, Square rook)
{
    return (king & 56) + (rook > king ? 5 : 3);
}

static const uint8_t PART_OF[TYPE_COUNT] = {PART_PAWN,  PART_MINOR, PART_MINOR,
                                            PART_MAJOR, PART_MAJOR, PART_KING};

INLINE void toggle_keys(State *state, Piece piece, Key z)
{
    state->key ^= z;
    state->part[piece_color(piece)][PART_OF[piece_type(piece)]] ^= z;
}

// Moves a man to an empty square.
INLINE void shift_man(Position *pos, Piece piece, Square from, Square to, bool keys)
{
    Bitboard both = square_bit(from) | square_bit(to);
    pos->by_type[piece_type(piece)] ^= both;
    pos->by_color[piece_color(piece)] ^= both;
    pos->board[from] = NO_PIECE;
    pos->board[to] = (uint8_t)piece;
    if (keys)
        toggle_keys(&pos->state, piece, ZOBRIST_MEN[piece][from] ^ ZOBRIST_MEN[piece][to]);
}

// Takes a man off its square; the board entry is left to the caller.
INLINE void lift_man(Position *pos, Piece piece, Square s, bool keys)
{
    pos->by_type[piece_type(piece)] ^= square_bit(s);
    pos->by_color[piece_color(piece)] ^= square_bit(s);
    if (keys)
        toggle_keys(&pos->state, piece, ZOBRIST_MEN[piece][s]);
}

INLINE void drop_man(Position *pos, Piece piece, Square s, bool keys)
{
    lift_man(pos, piece, s, keys); // the toggles are the same
    pos->board[s] = (uint8_t)piece;
}

INLINE void make_castle(Position *pos, Square king, Square rook, bool keys)
{
    Color us = pos->side;
    Piece k = piece_make(us, KING), r = piece_make(us, ROOK);
    lift_man(pos, k, king, keys);
    lift_man(pos, r, rook, keys);
    pos->board[king] = pos->board[rook] = NO_PIECE;
    drop_man(pos, k, castle_king_to(king, rook), keys);
    drop_man(pos, r, castle_rook_to(king, rook), keys);
}

// Gives up the castling rights that a move from and to these squares ends.
INLINE void drop_castling(Position *pos, Piece piece, Bitboard touched, bool keys)
{
    State *state = &pos->state;
    Bitboard lost =
        state->castling & (touched | (piece_type(piece) == KING ? pos->by_color[pos->side] : 0));
    state->castling ^= lost;
    if (keys)
        while (lost)
            state->key ^= ZOBRIST_CASTLING[bit_pop(&lost)];
}

// Plays a legal move. Without keys (perft) the hash keys are left alone.
INLINE void make_move(Position *pos, const Rules *rules, Move move, Undo *undo, bool keys)
{
    State *state = &pos->state;
    if (keys)
        undo->state = *state;
    else
        __builtin_memcpy((char *)&undo->state + offsetof(State, castling), &state->castling,
                         sizeof(State) - offsetof(State, castling));
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    int kind = move_kind(move);
    Piece piece = pos->board[from];
    assert(piece != NO_PIECE && piece_color(piece) == us);

    state->captured = NO_PIECE;
    state->fifty++;
    pos->ply++;
    if (state->castling)
        drop_castling(pos, piece, square_bit(from) | square_bit(to), keys);
    if (keys) {
        state->key ^= ZOBRIST_SIDE;
        if (state->en_passant != NO_SQUARE)
            state->key ^= ZOBRIST_EN_PASSANT[state->en_passant];
    }
    state->en_passant = NO_SQUARE;

    if (kind == KIND_CASTLE) {
        make_castle(pos, from, to, keys);
    } else {
        if (kind & KIND_CAPTURE) {
            Square victim = kind == KIND_EN_PASSANT ? to - rules->pawn_step[us] : to;
            Piece captured = pos->board[victim];
            assert(captured != NO_PIECE && piece_color(captured) != us);
            lift_man(pos, captured, victim, keys);
            if (kind == KIND_EN_PASSANT)
                pos->board[victim] = NO_PIECE;
            state->captured = (uint8_t)captured;
            state->fifty = 0;
        }
        if (kind & KIND_PROMOTION) {
            lift_man(pos, piece, from, keys);
            pos->board[from] = NO_PIECE;
            drop_man(pos, piece_make(us, move_promotion(move)), to, keys);
        } else {
            shift_man(pos, piece, from, to, keys);
        }
        if (piece_type(piece) == PAWN)
            state->fifty = 0;
    }
    pos->side = (uint8_t)!us;
    if (kind == KIND_DOUBLE_STEP) {
        Square target = from + rules->pawn_step[us];
        if (en_passant_exists(pos, rules, target)) {
            state->en_passant = (uint8_t)target;
            if (keys)
                state->key ^= ZOBRIST_EN_PASSANT[target];
        }
    }
    find_checks(pos, rules);
}

INLINE void unmake_move(Position *pos, const Rules *rules, Move move, const Undo *undo, bool keys)
{
    Square from = move_from(move), to = move_to(move);
    int kind = move_kind(move);
    Color us = !pos->side;
    pos->side = (uint8_t)us;
    pos->ply--;
    if (kind == KIND_CASTLE) {
        Piece k = piece_make(us, KING), r = piece_make(us, ROOK);
        Square king_at = castle_king_to(from, to), rook_at = castle_rook_to(from, to);
        lift_man(pos, k, king_at, false);
        lift_man(pos, r, rook_at, false);
        pos->board[king_at] = pos->board[rook_at] = NO_PIECE;
        drop_man(pos, k, from, false);
        drop_man(pos, r, to, false);
    } else {
        Piece piece = pos->board[to];
        if (kind & KIND_PROMOTION) {
            lift_man(pos, piece, to, false);
            pos->board[to] = NO_PIECE;
            drop_man(pos, piece_make(us, PAWN), from, false);
        } else {
            shift_man(pos, piece, to, from, false);
        }
        if (kind & KIND_CAPTURE)
            drop_man(pos, pos->state.captured,
                     kind == KIND_EN_PASSANT ? to - rules->pawn_step[us] : to, false);
    }
    if (keys)
        pos->state = undo->state;
    else
        __builtin_memcpy(&pos->state.castling,
                         (const char *)&undo->state + offsetof(State, castling),
                         sizeof(State) - offsetof(State, castling));
}

#endif
