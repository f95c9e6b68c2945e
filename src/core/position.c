// Setting up, making and unmaking moves, attacks and exchanges. See position.h for the interface,
// position_int.h for the rules of movement themselves.
#include "core/position_int.h"

#include <string.h>

const int SEE_VALUES[TYPE_COUNT] = {100, 300, 300, 500, 900, 0};

void position_clear(Position *pos, const Rules *rules)
{
    memset(pos, 0, sizeof *pos);
    memset(pos->board, NO_PIECE, sizeof pos->board);
    pos->rules = rules;
    pos->state.en_passant = NO_SQUARE;
    pos->state.captured = NO_PIECE;
}

void position_put(Position *pos, Piece piece, Square s)
{
    assert(pos->board[s] == NO_PIECE);
    pos->by_type[piece_type(piece)] |= square_bit(s);
    pos->by_color[piece_color(piece)] |= square_bit(s);
    pos->board[s] = (uint8_t)piece;
}

// The hash keys from nothing.
static void compute_keys(const Position *pos, State *state)
{
    state->key = 0;
    memset(state->part, 0, sizeof state->part);
    for (Square s = 0; s < 64; s++)
        if (pos->board[s] != NO_PIECE)
            toggle_keys(state, pos->board[s], ZOBRIST_MEN[pos->board[s]][s]);
    if (pos->side == BLACK)
        state->key ^= ZOBRIST_SIDE;
    for (Bitboard b = state->castling; b;)
        state->key ^= ZOBRIST_CASTLING[bit_pop(&b)];
    if (state->en_passant != NO_SQUARE)
        state->key ^= ZOBRIST_EN_PASSANT[state->en_passant];
}

// Of the castling rooks asked for, those that stand on their king's back rank, one on each side.
static Bitboard valid_castling(const Position *pos)
{
    Bitboard valid = 0;
    if (!pos->rules->has_castling)
        return 0;
    for (Color c = WHITE; c <= BLACK; c++) {
        Bitboard back_rank = c == WHITE ? RANK_1 : RANK_8;
        Bitboard king = position_men(pos, c, KING) & back_rank;
        Bitboard rooks = pos->state.castling & position_men(pos, c, ROOK) & back_rank;
        if (!king || bit_many(king))
            continue;
        Bitboard west = rooks & (king - 1), east = rooks & ~(king - 1);
        if (west)
            valid |= square_bit(bit_first(west));
        if (east)
            valid |= square_bit(bit_last(east));
    }
    return valid;
}

// Could the last move have been a double step over that square, and can it be taken there?
static bool valid_en_passant(const Position *pos, Square target)
{
    Color us = pos->side;
    int step = pos->rules->pawn_step[!us];
    if (target == NO_SQUARE || !pos->rules->pawn_double_from[!us] || target - step < 0 ||
        target + step < 0 || target - step > 63 || target + step > 63)
        return false;
    return (pos->rules->pawn_double_from[!us] & square_bit(target - step)) &&
           pos->board[target] == NO_PIECE && pos->board[target - step] == NO_PIECE &&
           pos->board[target + step] == piece_make(!us, PAWN) &&
           en_passant_exists(pos, pos->rules, target);
}

void position_finish(Position *pos)
{
    State *state = &pos->state;
    state->castling = valid_castling(pos);
    if (!valid_en_passant(pos, state->en_passant))
        state->en_passant = NO_SQUARE;
    compute_keys(pos, state);
    find_checks(pos, pos->rules);
}

void position_make(Position *pos, Move move, Undo *undo)
{
    if (IS_ORTHODOX(pos))
        make_move(pos, &ORTHODOX_RULES, move, undo, true);
    else
        make_move(pos, pos->rules, move, undo, true);
    assert(position_is_ok(pos, NULL));
}

void position_unmake(Position *pos, Move move, const Undo *undo)
{
    if (IS_ORTHODOX(pos))
        unmake_move(pos, &ORTHODOX_RULES, move, undo, true);
    else
        unmake_move(pos, pos->rules, move, undo, true);
    assert(position_is_ok(pos, NULL));
}

void position_make_null(Position *pos, Undo *undo)
{
    State *state = &pos->state;
    undo->state = *state;
    assert(!state->checkers);
    state->key ^= ZOBRIST_SIDE;
    if (state->en_passant != NO_SQUARE)
        state->key ^= ZOBRIST_EN_PASSANT[state->en_passant];
    state->en_passant = NO_SQUARE;
    state->captured = NO_PIECE;
    state->fifty++;
    pos->ply++;
    pos->side ^= 1;
    find_checks(pos, pos->rules);
    assert(position_is_ok(pos, NULL));
}

void position_unmake_null(Position *pos, const Undo *undo)
{
    pos->side ^= 1;
    pos->ply--;
    pos->state = undo->state;
}

Key position_key_after(const Position *pos, Move move)
{
    Square from = move_from(move), to = move_to(move);
    Piece piece = pos->board[from];
    Key key = pos->state.key ^ ZOBRIST_SIDE ^ ZOBRIST_MEN[piece][from];
    if (pos->state.en_passant != NO_SQUARE)
        key ^= ZOBRIST_EN_PASSANT[pos->state.en_passant];
    if (move_kind(move) == KIND_CAPTURE || move_kind(move) >= KIND_PROMOTION_CAPTURE)
        key ^= ZOBRIST_MEN[pos->board[to]][to];
    return key ^ ZOBRIST_MEN[move_is_promotion(move) ? piece_make(pos->side, move_promotion(move))
                                                     : piece][to];
}

bool position_is_ok(const Position *pos, Error *error)
{
    Bitboard types = 0;
    for (int t = 0; t < TYPE_COUNT; t++) {
        if (types & pos->by_type[t])
            return error_set(error, "two types of men on one square");
        types |= pos->by_type[t];
    }
    if ((pos->by_color[WHITE] & pos->by_color[BLACK]) || types != position_occupied(pos))
        return error_set(error, "types and colours of men do not agree");
    for (Square s = 0; s < 64; s++) {
        Piece p = pos->board[s];
        bool has_man = types >> s & 1;
        if (has_man != (p != NO_PIECE) ||
            (has_man && !(position_men(pos, piece_color(p), piece_type(p)) >> s & 1)))
            return error_set(error, "board and bitboards differ on square %d", s);
    }
    for (Color c = WHITE; c <= BLACK; c++)
        if (bit_count(position_men(pos, c, KING)) != pos->rules->has_king[c])
            return error_set(error, "wrong number of kings");
    if (pos->state.castling != valid_castling(pos))
        return error_set(error, "castling right without its rook");
    if (pos->state.en_passant != NO_SQUARE && !valid_en_passant(pos, pos->state.en_passant))
        return error_set(error, "en passant square on which nothing can be taken");
    Position fresh = *pos;
    compute_keys(&fresh, &fresh.state);
    find_checks(&fresh, pos->rules);
    if (fresh.state.key != pos->state.key ||
        memcmp(fresh.state.part, pos->state.part, sizeof fresh.state.part))
        return error_set(error, "hash keys differ from those computed anew");
    if (fresh.state.checkers != pos->state.checkers || fresh.state.pinned != pos->state.pinned)
        return error_set(error, "checkers or pinned men differ from those computed anew");
    if (position_has_king(pos, !pos->side) &&
        (position_attackers(pos, position_king(pos, !pos->side), types) & pos->by_color[pos->side]))
        return error_set(error, "the side that moved is in check");
    return true;
}

Bitboard position_pawn_attacks(const Rules *rules, Color c, Square s)
{
    return pawn_attacks(rules, c, s);
}

// Attackers by occupancy; the caller masks out what has left the board.
INLINE Bitboard attackers(const Position *pos, const Rules *rules, Square s, Bitboard occupied)
{
    const Bitboard *t = pos->by_type;
    return (pawn_attacks(rules, WHITE, s) & position_men(pos, BLACK, PAWN)) |
           (pawn_attacks(rules, BLACK, s) & position_men(pos, WHITE, PAWN)) |
           (KNIGHT_ATTACKS[s] & t[KNIGHT]) | (KING_ATTACKS[s] & t[KING]) |
           (rook_attacks(s, occupied) & (t[ROOK] | t[QUEEN])) |
           (bishop_attacks(s, occupied) & (t[BISHOP] | t[QUEEN]));
}

Bitboard position_attackers(const Position *pos, Square s, Bitboard occupied)
{
    return WITH_RULES(pos, attackers(pos, &ORTHODOX_RULES, s, occupied),
                      attackers(pos, pos->rules, s, occupied));
}

Bitboard position_blockers(const Position *pos, Color king_color)
{
    if (!position_has_king(pos, king_color))
        return 0;
    Square s = position_king(pos, king_color);
    const Bitboard *t = pos->by_type;
    Bitboard blockers = 0, occupied = position_occupied(pos);
    Bitboard snipers =
        ((ROOK_LINES[s] & (t[ROOK] | t[QUEEN])) | (BISHOP_LINES[s] & (t[BISHOP] | t[QUEEN]))) &
        pos->by_color[!king_color];
    while (snipers) {
        Bitboard between = BETWEEN[s][bit_pop(&snipers)] & occupied;
        if (between && !bit_many(between))
            blockers |= between;
    }
    return blockers;
}

bool position_gives_check(const Position *pos, Move move)
{
    Color us = pos->side;
    if (!position_has_king(pos, !us))
        return false;
    Square king = position_king(pos, !us), from = move_from(move), to = move_to(move);
    Bitboard occupied = position_occupied(pos) ^ square_bit(from);
    if (move_is_castle(move)) {
        Square rook = castle_rook_to(from, to);
        occupied =
            (occupied ^ square_bit(to)) | square_bit(rook) | square_bit(castle_king_to(from, to));
        return rook_attacks(rook, occupied) & square_bit(king);
    }
    PieceType type = move_is_promotion(move) ? move_promotion(move) : piece_type(pos->board[from]);
    Bitboard attacks =
        type == PAWN ? pawn_attacks(pos->rules, us, to) : piece_attacks(type, to, occupied);
    if (type != KING && (attacks & square_bit(king)))
        return true;
    occupied |= square_bit(to);
    if (move_kind(move) == KIND_EN_PASSANT)
        occupied ^= square_bit(to - pos->rules->pawn_step[us]);
    else if (!LINE[king][from])
        return false;
    Bitboard own = pos->by_color[us] & ~square_bit(from); // what `from` or the victim uncovers
    const Bitboard *t = pos->by_type;
    return (rook_attacks(king, occupied) & (t[ROOK] | t[QUEEN]) & own) |
           (bishop_attacks(king, occupied) & (t[BISHOP] | t[QUEEN]) & own);
}

// The cheapest man of a set: its type, and its square in *bit.
static PieceType cheapest(const Position *pos, Bitboard set, Bitboard *bit)
{
    for (PieceType t = PAWN; t < KING; t++)
        if (set & pos->by_type[t]) {
            *bit = set & pos->by_type[t];
            *bit &= -*bit;
            return t;
        }
    *bit = set & -set;
    return KING;
}

// What `side` gains by taking a man worth `standing` on `to`, or 0 if it rather does not. The full
// exchange, in which pawns that take on their promotion squares become queens (and are sent forward
// as late as queens are); the test below is faster but cannot see that.
static int exchange_gain(const Position *pos, Square to, Color side, int standing,
                         Bitboard occupied, const int *values)
{
    Bitboard all = position_attackers(pos, to, occupied) & occupied,
             mine = all & pos->by_color[side], bit;
    bool is_zone = pos->rules->promotion_zone[side] & square_bit(to);
    Bitboard promoting = is_zone ? mine & pos->by_type[PAWN] : 0;
    if (!mine)
        return 0;
    PieceType next = mine ^ promoting ? cheapest(pos, mine ^ promoting, &bit) : KING;
    if (promoting && next >= QUEEN) {
        bit = promoting & -promoting;
        next = QUEEN;
        standing += values[QUEEN] - values[PAWN];
    }
    if (next == KING && (all & pos->by_color[!side]))
        return 0;
    int loss = exchange_gain(pos, to, !side, values[next], occupied ^ bit, values);
    return standing > loss ? standing - loss : 0;
}

// Can a pawn of either side become a queen by taking on that square?
static bool promotes_by_taking(const Position *pos, Square to)
{
    for (Color c = WHITE; c <= BLACK; c++)
        if ((pos->rules->promotion_zone[c] & square_bit(to)) &&
            (pawn_attacks(pos->rules, !c, to) & position_men(pos, c, PAWN)))
            return true;
    return false;
}

bool position_see_at_least(const Position *pos, Move move, int threshold,
                           const int values[TYPE_COUNT])
{
    if (move_is_castle(move))
        return threshold <= 0;
    Square from = move_from(move), to = move_to(move);
    Color side = pos->side;
    PieceType next = piece_type(pos->board[from]); // stands on `to` after the move
    Bitboard occupied = (position_occupied(pos) ^ square_bit(from)) | square_bit(to);
    if (move_kind(move) == KIND_EN_PASSANT)
        occupied ^= square_bit(to - pos->rules->pawn_step[side]);

    int balance = -threshold; // for the side that moves first
    if (move_is_capture(move))
        balance += values[piece_type(position_captured(pos, move))];
    if (move_is_promotion(move)) {
        next = move_promotion(move);
        balance += values[next] - values[PAWN];
    }
    if (balance < 0)
        return false; // not even if nothing is taken back
    if (promotes_by_taking(pos, to))
        return balance >= exchange_gain(pos, to, !side, values[next], occupied, values);
    balance -= values[next];
    if (balance >= 0)
        return true; // even if it is taken for nothing

    const Bitboard *t = pos->by_type;
    Bitboard straight = t[ROOK] | t[QUEEN], diagonal = t[BISHOP] | t[QUEEN];
    Bitboard all = position_attackers(pos, to, occupied), bit;
    for (side = !side;; side = !side) { // until a side cannot or need not take
        all &= occupied;
        Bitboard mine = all & pos->by_color[side];
        if (!mine)
            break;
        next = cheapest(pos, mine, &bit);
        if (next == KING && (all & pos->by_color[!side]))
            break; // the king may not take what is defended
        occupied ^= bit;
        if (next == PAWN || next == BISHOP || next == QUEEN)
            all |= bishop_attacks(to, occupied) & diagonal;
        if (next == PAWN || next == ROOK || next == QUEEN)
            all |= rook_attacks(to, occupied) & straight;
        balance = -balance - 1 - values[next];
        if (balance >= 0) { // ahead even if this man is lost too: the other side has failed
            side = !side;
            break;
        }
    }
    return side != pos->side;
}
