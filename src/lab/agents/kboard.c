// See kboard.h.
#include "lab/agents/kboard.h"

#include <math.h>
#include <string.h>

#include "base/minmax.h"
#include "core/bitboard.h"

// Steps from the nearest edge: 0 to 3.
static int to_middle(int line)
{
    return min_int(line, 7 - line);
}

// The smaller number, in thousandths: pawns by nearness to the middle files and to promotion (the
// two that the document names), the other men by nearness to the centre.
static int placement_of(int code, Square s)
{
    const int file = to_middle(square_file(s)), centre = file + to_middle(square_rank(s));
    switch (code) {
    case K_PAWN: return 15 * (square_rank(s) - 1) + 10 * file;
    case K_KNIGHT: return 20 * centre;
    case K_BISHOP: return 10 * centre;
    case K_ROOK:
    case K_QUEEN: return 5 * centre;
    default: return 0;
    }
}

// The most that moving a man can gain by its place alone, castling with its rook included.
static int most_quiet(const KValues *values)
{
    int most = max_int(values->of[K_ROOK][F1] - values->of[K_ROOK][H1],
                       values->of[K_ROOK][D1] - values->of[K_ROOK][A1]);
    most = max_int(0, most + max_int(values->of[K_KING][G1], values->of[K_KING][C1]) -
                          values->of[K_KING][E1]);
    for (int code = K_PAWN; code < K_CODES; code++)
        for (Square from = A1; from <= H8; from++) {
            Bitboard targets = code == K_PAWN ? square_bit(from) << 8 | square_bit(from) << 16
                                              : piece_attacks(code - 1, from, 0);
            while (targets)
                most = max_int(most, values->of[code][bit_pop(&targets)] - values->of[code][from]);
        }
    return most;
}

void kvalues_init(KValues *values, double placement)
{
    static const int MEN[K_CODES] = {0, 1000, 3000, 3100, 5000, 9000, 0};
    for (int code = 0; code < K_CODES; code++)
        for (Square s = 0; s < 64; s++)
            values->of[code][s] = MEN[code] + (int)lround(placement * placement_of(code, s));
    for (int code = 0; code < K_CODES; code++)
        for (Square s = 0; s < 64; s++)
            values->taken[code][s] = code == K_KING ? K_KING_VALUE : values->of[code][s ^ 56];
    const int *pawn = values->of[K_PAWN];
    values->least_step = pawn[A1 + 16] - pawn[A1 + 8];
    for (Square s = A1 + 8; s < A8 - 8; s++)
        values->least_step = min_int(values->least_step, pawn[s + NORTH] - pawn[s]);
    values->most_quiet = most_quiet(values);
}

static int value_of(const KValues *values, int code, Square s)
{
    return code > 0 ? values->of[code][s] : -values->of[-code][s ^ 56];
}

// ---- From and to core ----

void kboard_from_position(KBoard *board, const Position *pos, const KValues *values)
{
    const int flip = pos->side == WHITE ? 0 : 56;
    *board = (KBoard){.en_passant = NO_SQUARE};
    for (Bitboard men = position_occupied(pos); men;) {
        const Square s = bit_pop(&men), own = s ^ flip;
        const Piece piece = pos->board[s];
        const bool is_own = piece_color(piece) == pos->side;
        board->men[own] = (int8_t)((piece_type(piece) + 1) * (is_own ? 1 : -1));
        *(is_own ? &board->own : &board->other) |= square_bit(own);
        board->pawns |= piece_type(piece) == PAWN ? square_bit(own) : 0;
        board->base += value_of(values, board->men[own], own);
    }
    for (Bitboard rooks = pos->state.castling; rooks;) {
        const Square s = bit_pop(&rooks);
        const bool is_own = piece_color(pos->board[s]) == pos->side;
        board->castling |= (uint8_t)((square_file(s) == 7 ? 1 : 2) << (is_own ? 0 : 2));
    }
    if (pos->state.en_passant != NO_SQUARE)
        board->en_passant = (uint8_t)(pos->state.en_passant ^ flip);
}

void kboard_to_position(const KBoard *board, Position *pos)
{
    position_clear(pos, &VARIANTS[VARIANT_CHESS]);
    for (Bitboard men = board->own | board->other; men;) {
        const Square s = bit_pop(&men);
        const int code = board->men[s];
        position_put(pos, code > 0 ? piece_make(WHITE, code - 1) : piece_make(BLACK, -code - 1), s);
    }
    position_finish(pos);
}

Move kboard_core_move(const Position *pos, KMove move, const Move *legal, int count)
{
    const int flip = pos->side == WHITE ? 0 : 56;
    const Square from = move.from ^ flip;
    Square to = move.to ^ flip;
    if (move.kind == K_CASTLE) // core writes it as the king that takes its rook
        to = square_make(square_file(to) == 6 ? 7 : 0, square_rank(to));
    for (int i = 0; i < count; i++)
        if (move_from(legal[i]) == from && move_to(legal[i]) == to &&
            move_is_castle(legal[i]) == (move.kind == K_CASTLE) &&
            (!move_is_promotion(legal[i]) || move_promotion(legal[i]) == QUEEN))
            return legal[i];
    return MOVE_NONE;
}

// ---- Moves ----

static int add_targets(const KBoard *board, const KValues *values, Square from, Bitboard targets,
                       KMove *moves)
{
    const int *worth = values->of[board->men[from]], before = worth[from];
    int count = 0;
    while (targets) {
        const Square to = bit_pop(&targets);
        const int taken = -board->men[to];
        moves[count++] = (KMove){(uint8_t)from, (uint8_t)to, (int8_t)taken, K_PLAIN,
                                 worth[to] - before + values->taken[taken][to]};
    }
    return count;
}

// Where a pawn can step.
static Bitboard pawn_steps(Square from, Bitboard empty)
{
    const Bitboard step = square_bit(from + NORTH) & empty;
    return step | (square_rank(from) == 1 ? (step << 8) & empty : 0);
}

// Moves of a pawn to `targets`, and its capture en passant.
static int pawn_moves(const KBoard *board, const KValues *values, Square from, Bitboard targets,
                      KMove *moves)
{
    int count = add_targets(board, values, from, targets, moves);
    for (int i = 0; i < count; i++) {
        const Square to = moves[i].to;
        if (to >= A8) {
            moves[i].kind = K_PROMOTION;
            moves[i].gain += values->of[K_QUEEN][to] - values->of[K_PAWN][to];
        } else if (to - from == 16) {
            moves[i].kind = K_DOUBLE;
        }
    }
    const Square s = board->en_passant;
    if (s != NO_SQUARE && (PAWN_ATTACKS[WHITE][from] & square_bit(s)))
        moves[count++] = (KMove){(uint8_t)from, (uint8_t)s, K_PAWN, K_EN_PASSANT,
                                 values->of[K_PAWN][s] - values->of[K_PAWN][from] +
                                     values->taken[K_PAWN][s + SOUTH]};
    return count;
}

// The king from e1 to g1 or c1, and its rook.
static KMove castling(const KValues *values, bool is_short)
{
    const Square king = is_short ? G1 : C1, from = is_short ? H1 : A1, to = is_short ? F1 : D1;
    return (KMove){E1, (uint8_t)king, K_NONE, K_CASTLE,
                   values->of[K_KING][king] - values->of[K_KING][E1] + values->of[K_ROOK][to] -
                       values->of[K_ROOK][from]};
}

// King and rook have not moved and nothing stands between. Whether the king may pass is for the
// root to know; deeper down kings can be taken.
static int castling_moves(const KBoard *board, const KValues *values, KMove *moves)
{
    const Bitboard occupied = board->own | board->other;
    int count = 0;
    if ((board->castling & K_OWN_SHORT) && !(occupied & (square_bit(F1) | square_bit(G1))))
        moves[count++] = castling(values, true);
    if ((board->castling & K_OWN_LONG) &&
        !(occupied & (square_bit(B1) | square_bit(C1) | square_bit(D1))))
        moves[count++] = castling(values, false);
    return count;
}

int kboard_moves(const KBoard *board, const KValues *values, KMove moves[K_MOVES_MAX])
{
    const Bitboard occupied = board->own | board->other;
    int count = 0;
    for (Bitboard men = board->own; men;) {
        const Square from = bit_pop(&men);
        const int code = board->men[from];
        if (code == K_PAWN)
            count +=
                pawn_moves(board, values, from,
                           pawn_steps(from, ~occupied) | (PAWN_ATTACKS[WHITE][from] & board->other),
                           moves + count);
        else
            count +=
                add_targets(board, values, from,
                            piece_attacks(code - 1, from, occupied) & ~board->own, moves + count);
    }
    if (board->castling & (K_OWN_SHORT | K_OWN_LONG))
        count += castling_moves(board, values, moves + count);
    return count;
}

int kboard_captures(const KBoard *board, const KValues *values, KMove moves[K_MOVES_MAX],
                    int *quiet)
{
    const Bitboard occupied = board->own | board->other;
    int count = 0;
    *quiet = 0;
    for (Bitboard men = board->own; men;) {
        const Square from = bit_pop(&men);
        const int code = board->men[from];
        if (code == K_PAWN) {
            *quiet += bit_count(pawn_steps(from, ~occupied));
            count += pawn_moves(board, values, from, PAWN_ATTACKS[WHITE][from] & board->other,
                                moves + count);
            continue;
        }
        const Bitboard targets = piece_attacks(code - 1, from, occupied);
        *quiet += bit_count(targets & ~occupied);
        count += add_targets(board, values, from, targets & board->other, moves + count);
    }
    KMove castlings[2];
    if (board->castling & (K_OWN_SHORT | K_OWN_LONG))
        *quiet += castling_moves(board, values, castlings);
    return count;
}

// The men as the other side sees them.
static void turn_men(const int8_t from[64], int8_t to[64])
{
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++)
            to[(7 - rank) * 8 + file] = (int8_t)-from[rank * 8 + file];
}

// Rights that are gone once something moves from or to a corner or the king's square.
static uint8_t rights_lost(Square s)
{
    switch (s) {
    case A1: return K_OWN_LONG;
    case E1: return K_OWN_LONG | K_OWN_SHORT;
    case H1: return K_OWN_SHORT;
    case A8: return K_OTHER_LONG;
    case H8: return K_OTHER_SHORT;
    default: return 0;
    }
}

// Moves an own man on a board that has been turned already.
static void carry(KBoard *after, Square from, Square to, int becomes)
{
    after->men[from ^ 56] = 0;
    after->men[to ^ 56] = (int8_t)-becomes;
    after->other = (after->other & ~square_bit(from ^ 56)) | square_bit(to ^ 56);
    after->pawns &= ~(square_bit(from ^ 56) | square_bit(to ^ 56));
    after->pawns |= becomes == K_PAWN ? square_bit(to ^ 56) : 0;
}

void kboard_make(const KBoard *board, KMove move, KBoard *after)
{
    const int code = board->men[move.from];
    turn_men(board->men, after->men);
    after->own = __builtin_bswap64(board->other);
    after->other = __builtin_bswap64(board->own);
    after->pawns = __builtin_bswap64(board->pawns);
    after->base = -board->base - move.gain;
    const uint8_t rights =
        (uint8_t)(board->castling & ~(rights_lost(move.from) | rights_lost(move.to)));
    after->castling = (uint8_t)(rights >> 2 | (rights & 3) << 2);
    after->en_passant = NO_SQUARE;
    carry(after, move.from, move.to, move.kind == K_PROMOTION ? K_QUEEN : code);
    if (move.kind == K_DOUBLE)
        after->en_passant = (uint8_t)((move.to + SOUTH) ^ 56);
    if (move.kind == K_CASTLE)
        carry(after, move.to == G1 ? H1 : A1, move.to == G1 ? F1 : D1, K_ROOK);
    if (!move.taken)
        return;
    const Square gone = (move.kind == K_EN_PASSANT ? move.to + SOUTH : move.to) ^ 56;
    after->own &= ~square_bit(gone);
    if (move.kind != K_EN_PASSANT)
        return;
    after->men[gone] = 0;
    after->pawns &= ~square_bit(gone);
}

// Men of one side (`sign`) that reach a square; its pawns stand on `pawns`.
static bool reaches(const KBoard *board, Square s, Bitboard side, int sign, Bitboard pawns)
{
    const Bitboard occupied = board->own | board->other;
    Bitboard near =
        side & (KNIGHT_ATTACKS[s] | KING_ATTACKS[s] | pawns | queen_attacks(s, occupied));
    while (near) {
        const Square from = bit_pop(&near);
        const int code = board->men[from] * sign;
        if (code == K_PAWN ? (pawns & square_bit(from)) != 0
                           : (piece_attacks(code - 1, from, occupied) & square_bit(s)) != 0)
            return true;
    }
    return false;
}

bool kboard_attacks(const KBoard *board, Square s)
{
    return reaches(board, s, board->own, 1, PAWN_ATTACKS[BLACK][s]);
}

bool kboard_is_attacked(const KBoard *board, Square s)
{
    return reaches(board, s, board->other, -1, PAWN_ATTACKS[WHITE][s]);
}

Square kboard_king(const KBoard *board)
{
    for (Bitboard men = board->own; men;) {
        const Square s = bit_pop(&men);
        if (board->men[s] == K_KING)
            return s;
    }
    return NO_SQUARE;
}
