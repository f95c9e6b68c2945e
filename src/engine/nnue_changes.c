// See nnue_changes.h. A man put on or taken from a square s changes (1) what it attacks from there,
// (2) who attacks it, (3) the pairs of a slider that looks through s and the first man beyond:
// these the other way round. A move is a take and then a put; on a square where a man takes the
// place of another, (3) does not happen. Pairs that see neither the old nor the new square are left
// alone.
#include "engine/nnue_changes.h"

#include <assert.h>

// The board while a move is being made, and where the changes go.
typedef struct Making {
    NnueChanges *changes;
    const NnueBoard *board;
    Bitboard occupied;  // as of now
    Bitboard capturing; // men that may attack (no kings), as of now
    Bitboard skip;      // the other square of the move: pairs whose line contains it do not change
} Making;

static inline NnueThreat threat(Piece attacker, Square from, Piece attacked, Square to)
{
    return (NnueThreat){{(uint8_t)from, (uint8_t)to, (uint8_t)attacker, (uint8_t)attacked}};
}

static inline void note(NnueChanges *c, bool begins, NnueThreat t)
{
    if (begins)
        c->begun[c->begins++] = t;
    else
        c->ended[c->ends++] = t;
}

static inline Bitboard attacks_of(Piece piece, Square s, Bitboard straight, Bitboard slanting)
{
    switch (piece_type(piece)) {
    case PAWN: return PAWN_ATTACKS[piece_color(piece)][s];
    case KNIGHT: return KNIGHT_ATTACKS[s];
    case BISHOP: return slanting;
    case ROOK: return straight;
    case QUEEN: return straight | slanting;
    default: return 0;
    }
}

// (1): what the man on s attacks.
static inline void note_attacks(const Making *m, Piece piece, Square s, Bitboard attacks,
                                bool begins)
{
    for (Bitboard b = attacks & m->capturing; b;) {
        const Square to = bit_pop(&b);
        note(m->changes, begins, threat(piece, s, m->board->board[to], to));
    }
}

// Men that attack s, given what a rook and a bishop would see from there.
static inline Bitboard attackers_of(const Making *m, Square s, Bitboard straight, Bitboard slanting)
{
    const Bitboard *t = m->board->by_type, *c = m->board->by_color;
    return m->capturing &
           ((PAWN_ATTACKS[BLACK][s] & t[PAWN] & c[WHITE]) |
            (PAWN_ATTACKS[WHITE][s] & t[PAWN] & c[BLACK]) | (KNIGHT_ATTACKS[s] & t[KNIGHT]) |
            (straight & (t[ROOK] | t[QUEEN])) | (slanting & (t[BISHOP] | t[QUEEN])));
}

// (3): pairs that see each other through s, which begin when it is left.
static inline void note_opened(const Making *m, Square s, Bitboard straight, Bitboard slanting,
                               bool begins)
{
    const Bitboard *t = m->board->by_type;
    Bitboard sliders =
        m->capturing & ((straight & (t[ROOK] | t[QUEEN])) | (slanting & (t[BISHOP] | t[QUEEN])));
    const Bitboard seen = (straight | slanting) & m->capturing;
    while (sliders) {
        const Square from = bit_pop(&sliders);
        const Bitboard beyond = LINE[from][s] & seen & ~square_bit(from);
        if (!beyond)
            continue;
        const Square to = bit_first(beyond);
        if (!(BETWEEN[from][to] & m->skip))
            note(m->changes, begins, threat(m->board->board[from], from, m->board->board[to], to));
    }
}

// A man put on an empty square or taken from its square, which is empty in m->capturing.
static void change(const Making *m, Piece piece, Square s, bool is_put)
{
    const Bitboard straight = rook_attacks(s, m->occupied),
                   slanting = bishop_attacks(s, m->occupied);
    note_opened(m, s, straight, slanting, !is_put);
    if (piece_type(piece) == KING)
        return;
    note_attacks(m, piece, s, attacks_of(piece, s, straight, slanting), is_put);
    for (Bitboard b = attackers_of(m, s, straight, slanting); b;) {
        const Square from = bit_pop(&b);
        note(m->changes, is_put, threat(m->board->board[from], from, piece, s));
    }
}

// A man that takes the place of another on s.
static void replace(const Making *m, Piece old, Piece new, Square s)
{
    const Bitboard straight = rook_attacks(s, m->occupied),
                   slanting = bishop_attacks(s, m->occupied);
    note_attacks(m, old, s, attacks_of(old, s, straight, slanting), false);
    note_attacks(m, new, s, attacks_of(new, s, straight, slanting), true);
    for (Bitboard b = attackers_of(m, s, straight, slanting); b;) {
        const Square from = bit_pop(&b);
        note(m->changes, false, threat(m->board->board[from], from, old, s));
        if (piece_type(new) != KING)
            note(m->changes, true, threat(m->board->board[from], from, new, s));
    }
}

static void take(Making *m, Piece piece, Square s)
{
    m->capturing &= ~square_bit(s);
    change(m, piece, s, false);
    m->occupied &= ~square_bit(s);
}

// The man that was put is not on the board that changes are read from: it must be the last one, or
// a king.
static void put(Making *m, Piece piece, Square s)
{
    change(m, piece, s, true);
    m->occupied |= square_bit(s);
}

// Castling: both are taken before one is put, and the king, which is no threat, is put first.
static void castle(Making *m, Square king, Square rook)
{
    const int rank = square_rank(king);
    const Piece r = m->board->board[rook], k = m->board->board[king];
    take(m, k, king);
    take(m, r, rook);
    put(m, k, square_make(rook > king ? 6 : 2, rank));
    put(m, r, square_make(rook > king ? 5 : 3, rank));
}

void nnue_changes_find(NnueChanges *changes, const NnueBoard *board, Move move)
{
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = board->board[from];
    const Bitboard occupied = board->by_color[WHITE] | board->by_color[BLACK];
    Making m = {changes, board, occupied, occupied & ~board->by_type[KING], 0};
    changes->begins = changes->ends = 0;
    if (move_is_castle(move)) {
        castle(&m, from, to);
        return;
    }
    const Piece result =
        move_is_promotion(move) ? piece_make(piece_color(piece), move_promotion(move)) : piece;
    if (move_kind(move) == KIND_EN_PASSANT) {
        const Square victim = square_make(square_file(to), square_rank(from));
        take(&m, board->board[victim], victim);
        take(&m, piece, from);
        put(&m, result, to);
    } else if (move_is_capture(move)) {
        take(&m, piece, from);
        m.capturing &= ~square_bit(to);
        replace(&m, board->board[to], result, to);
    } else {
        m.skip = square_bit(to);
        take(&m, piece, from);
        m.skip = square_bit(from);
        put(&m, result, to);
    }
}

int nnue_threats_list(const Position *pos, NnueThreat list[NNUE_MAX_THREATS])
{
    const Bitboard occupied = position_occupied(pos), men = occupied & ~pos->by_type[KING];
    int count = 0;
    for (Bitboard attackers = men; attackers;) {
        const Square from = bit_pop(&attackers);
        const Piece piece = pos->board[from];
        const Bitboard attacks = piece_type(piece) == PAWN
                                     ? PAWN_ATTACKS[piece_color(piece)][from]
                                     : piece_attacks(piece_type(piece), from, occupied);
        for (Bitboard b = attacks & men; b;) {
            const Square to = bit_pop(&b);
            list[count++] = threat(piece, from, pos->board[to], to);
        }
    }
    return count;
}
