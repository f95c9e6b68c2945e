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
        note(m->changes, begins, nnue_threat_make(piece, s, m->board->board[to], to));
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
            note(m->changes, begins,
                 nnue_threat_make(m->board->board[from], from, m->board->board[to], to));
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
        note(m->changes, is_put, nnue_threat_make(m->board->board[from], from, piece, s));
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
        note(m->changes, false, nnue_threat_make(m->board->board[from], from, old, s));
        if (piece_type(new) != KING)
            note(m->changes, true, nnue_threat_make(m->board->board[from], from, new, s));
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

void nnue_changes_find(NnueChanges *changes, const NnueBoard *board, Move move,
                       const NnueRays *rays)
{
    (void)rays;
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

int nnue_threats_list(const NnueBoard *board, NnueThreat list[NNUE_MAX_THREATS])
{
    const Bitboard occupied = board->by_color[WHITE] | board->by_color[BLACK];
    const Bitboard men = occupied & ~board->by_type[KING];
    int count = 0;
    for (Bitboard attackers = men; attackers;) {
        const Square from = bit_pop(&attackers);
        const Piece piece = board->board[from];
        const Bitboard attacks = piece_type(piece) == PAWN
                                     ? PAWN_ATTACKS[piece_color(piece)][from]
                                     : piece_attacks(piece_type(piece), from, occupied);
        for (Bitboard b = attacks & men; b;) {
            const Square to = bit_pop(&b);
            list[count++] = nnue_threat_make(piece, from, board->board[to], to);
        }
    }
    return count;
}

void nnue_rays_fill(NnueRays *rays)
{
    // Opposite directions are four apart.
    static const int8_t step[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                      {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    static const int8_t jump[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                      {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (Square s = 0; s < 64; s++) {
        rays->is_there[s] = 0;
        for (int slot = 0; slot < 64; slot++) {
            const int d = slot / 8, far = slot % 8 + 1;
            const int file = square_file(s) + (far < 8 ? step[d][0] * far : jump[d][0]);
            const int rank = square_rank(s) + (far < 8 ? step[d][1] * far : jump[d][1]);
            const bool is_there = file >= 0 && file < 8 && rank >= 0 && rank < 8;
            rays->squares[s][slot] = (uint8_t)(is_there ? square_make(file, rank) : 0);
            rays->is_there[s] |= (uint64_t)is_there << slot;
        }
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

// --- by vectors --------------------------------------------------------------------------------
// The board is one vector of 64 pieces. Around a square it is put into the order of NnueRays, where
// the nearest man of each direction is the lowest bit of a byte; tests of all 64 pieces at once
// then give masks of those who attack the square, and of those who are attacked from it.

#define VECTOR                                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi,bmi2")))
#define BYTES(x) (0x0101010101010101ull * (x))

enum { IS_WHITE_PAWN = 1, IS_BLACK_PAWN = 2, IS_KNIGHT = 4, IS_BISHOP = 8, IS_ROOK = 16 };
enum { IS_QUEEN = 32, IS_SLIDER = IS_BISHOP | IS_ROOK | IS_QUEEN, IS_KING = 64 };

// What attacks a square from each of the 64 places around it.
#define STRAIGHT(near)  (near) | IS_ROOK | IS_QUEEN
#define SLANTING(near)  (near) | IS_BISHOP | IS_QUEEN
#define RAY(kind, near) kind(near), kind(0), kind(0), kind(0), kind(0), kind(0), kind(0), IS_KNIGHT
static const _Alignas(64) uint8_t CAN_ATTACK[64] = {
    RAY(STRAIGHT, 0), RAY(SLANTING, IS_BLACK_PAWN), RAY(STRAIGHT, 0), RAY(SLANTING, IS_WHITE_PAWN),
    RAY(STRAIGHT, 0), RAY(SLANTING, IS_WHITE_PAWN), RAY(STRAIGHT, 0), RAY(SLANTING, IS_BLACK_PAWN)};

#define STRAIGHT_PLACES 0x007f007f007f007full
#define SLANTING_PLACES 0x7f007f007f007f00ull
// The places that a piece attacks.
static const uint64_t ATTACKED[PIECE_COUNT] = {0x0100000000000100ull,
                                               0x0000010001000000ull,
                                               BYTES(0x80),
                                               BYTES(0x80),
                                               SLANTING_PLACES,
                                               SLANTING_PLACES,
                                               STRAIGHT_PLACES,
                                               STRAIGHT_PLACES,
                                               STRAIGHT_PLACES | SLANTING_PLACES,
                                               STRAIGHT_PLACES | SLANTING_PLACES,
                                               0,
                                               0};

// What stands around a square.
typedef struct Around {
    __m512i squares, pieces;
    uint64_t attackers, attacked; // men that attack the square; men in sight, but for kings
    uint64_t sliders;             // of the attackers
} Around;

VECTOR static inline Around around(__m512i board, Square s, const NnueRays *rays)
{
    const __m512i kinds = _mm512_broadcast_i32x4(
        _mm_setr_epi8(IS_WHITE_PAWN, IS_BLACK_PAWN, IS_KNIGHT, IS_KNIGHT, IS_BISHOP, IS_BISHOP,
                      IS_ROOK, IS_ROOK, IS_QUEEN, IS_QUEEN, IS_KING, IS_KING, 0, 0, 0, 0));
    Around a;
    a.squares = _mm512_load_si512(rays->squares[s]);
    a.pieces = _mm512_mask_permutexvar_epi8(_mm512_set1_epi8(NO_PIECE), rays->is_there[s],
                                            a.squares, board);
    const __m512i kind = _mm512_shuffle_epi8(kinds, a.pieces);
    const uint64_t men = _mm512_test_epi8_mask(kind, kind);
    const uint64_t ends = men | BYTES(0x80); // of rays; each byte has one
    const uint64_t nearest = ends & ~(ends - BYTES(1)) & BYTES(0x7f);
    const uint64_t seen = nearest | (men & BYTES(0x80));
    a.attackers = seen & _mm512_test_epi8_mask(kind, _mm512_load_si512(CAN_ATTACK));
    a.sliders = a.attackers & _mm512_test_epi8_mask(kind, _mm512_set1_epi8(IS_SLIDER));
    a.attacked = seen & ~_mm512_test_epi8_mask(kind, _mm512_set1_epi8(IS_KING));
    return a;
}

// The places in `mask`, one after the other, as 32 bits each.
VECTOR static inline __m512i packed(__m512i bytes, uint64_t mask)
{
    return _mm512_cvtepu8_epi32(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(mask, bytes)));
}

VECTOR static inline int append(NnueThreat *list, int count, __m512i threats, uint64_t mask)
{
    _mm512_storeu_si512(list + count, threats);
    return count + (int)_mm_popcnt_u64(mask);
}

// Who attacks s, as threats without the attacked man.
VECTOR static inline __m512i attacks_on(const Around *a, Square s)
{
    const __m512i men = _mm512_slli_epi32(packed(a->pieces, a->attackers), 6);
    return _mm512_or_si512(_mm512_or_si512(packed(a->squares, a->attackers), men),
                           _mm512_set1_epi32(s << 14));
}

VECTOR static inline int append_attacks_of(NnueThreat *list, int count, const Around *a,
                                           Piece piece, Square s)
{
    const uint64_t mask = a->attacked & ATTACKED[piece];
    const __m512i men = _mm512_slli_epi32(packed(a->pieces, mask), 10);
    const __m512i to = _mm512_slli_epi32(packed(a->squares, mask), 14);
    return append(list, count,
                  _mm512_or_si512(_mm512_or_si512(men, to), _mm512_set1_epi32(s | piece << 6)),
                  mask);
}

// Which bytes of x, of which none has its highest bit set, are not zero: all their bits.
static inline uint64_t whole_bytes(uint64_t x)
{
    return ((x + BYTES(0x7f)) >> 7 & BYTES(1)) * 255;
}

// Pairs that see each other through the square, but for the directions in `skip`.
VECTOR static inline int append_opened(NnueThreat *list, int count, const Around *a, uint64_t skip)
{
    const uint64_t men = a->attacked & BYTES(0x7f), beyond = men << 32 | men >> 32;
    const uint64_t both = whole_bytes(a->sliders) & whole_bytes(beyond) & ~skip;
    const uint64_t from = a->sliders & both, to = beyond & both;
    if (!from)
        return count;
    const __m512i pieces = _mm512_shuffle_i64x2(a->pieces, a->pieces, 0x4e);
    const __m512i squares = _mm512_shuffle_i64x2(a->squares, a->squares, 0x4e);
    const __m512i left =
        _mm512_or_si512(packed(a->squares, from), _mm512_slli_epi32(packed(a->pieces, from), 6));
    const __m512i right = _mm512_or_si512(_mm512_slli_epi32(packed(pieces, to), 10),
                                          _mm512_slli_epi32(packed(squares, to), 14));
    return append(list, count, _mm512_or_si512(left, right), from);
}

// A man put on s, which is empty, or taken from it.
VECTOR static inline void change_vector(NnueChanges *c, __m512i board, Piece piece, Square s,
                                        bool is_put, uint64_t skip, const NnueRays *rays)
{
    const Around a = around(board, s, rays);
    NnueThreat *same = is_put ? c->begun : c->ended, *opposite = is_put ? c->ended : c->begun;
    int *sames = is_put ? &c->begins : &c->ends, *opposites = is_put ? &c->ends : &c->begins;
    *opposites = append_opened(opposite, *opposites, &a, skip);
    if (piece_type(piece) == KING)
        return;
    *sames = append_attacks_of(same, *sames, &a, piece, s);
    *sames =
        append(same, *sames, _mm512_or_si512(attacks_on(&a, s), _mm512_set1_epi32(piece << 10)),
               a.attackers);
}

VECTOR static inline void replace_vector(NnueChanges *c, __m512i board, Piece old, Piece new,
                                         Square s, const NnueRays *rays)
{
    const Around a = around(board, s, rays);
    const __m512i attacks = attacks_on(&a, s);
    c->ends = append(c->ended, append_attacks_of(c->ended, c->ends, &a, old, s),
                     _mm512_or_si512(attacks, _mm512_set1_epi32(old << 10)), a.attackers);
    if (piece_type(new) == KING)
        return;
    c->begins = append(c->begun, append_attacks_of(c->begun, c->begins, &a, new, s),
                       _mm512_or_si512(attacks, _mm512_set1_epi32(new << 10)), a.attackers);
}

VECTOR static inline __m512i board_with(__m512i board, Square s, Piece piece)
{
    return _mm512_mask_set1_epi8(board, 1ull << s, (char)piece);
}

VECTOR static void castle_vector(NnueChanges *c, __m512i board, Piece k, Square king, Square rook,
                                 const NnueRays *rays)
{
    const int rank = square_rank(king);
    const Piece r = piece_make(piece_color(k), ROOK);
    change_vector(c, board, k, king, false, 0, rays);
    board = board_with(board, king, NO_PIECE);
    change_vector(c, board, r, rook, false, 0, rays);
    board = board_with(board, rook, NO_PIECE);
    king = square_make(rook > king ? 6 : 2, rank);
    change_vector(c, board, k, king, true, 0, rays);
    board = board_with(board, king, k);
    change_vector(c, board, r, square_make(square_file(king) == 6 ? 5 : 3, rank), true, 0, rays);
}

// The directions from a square to another one and away from it.
VECTOR static inline uint64_t line_through(Square from, Square to, const NnueRays *rays)
{
    const uint64_t at =
        rays->is_there[from] & BYTES(0x7f) &
        _mm512_cmpeq_epi8_mask(_mm512_load_si512(rays->squares[from]), _mm512_set1_epi8((char)to));
    const uint64_t line = whole_bytes(at);
    return line | line << 32 | line >> 32;
}

VECTOR void nnue_changes_find_vector(NnueChanges *c, const NnueBoard *before, Move move,
                                     const NnueRays *rays)
{
    const Square from = move_from(move), to = move_to(move);
    __m512i board = _mm512_load_si512(before->board);
    const Piece piece = before->board[from];
    c->begins = c->ends = 0;
    if (move_is_castle(move)) {
        castle_vector(c, board, piece, from, to, rays);
        return;
    }
    const Piece result =
        move_is_promotion(move) ? piece_make(piece_color(piece), move_promotion(move)) : piece;
    if (move_is_capture(move)) {
        if (move_kind(move) == KIND_EN_PASSANT) {
            const Square victim = square_make(square_file(to), square_rank(from));
            change_vector(c, board, before->board[victim], victim, false, 0, rays);
            board = board_with(board, victim, NO_PIECE);
        }
        change_vector(c, board, piece, from, false, 0, rays);
        board = board_with(board, from, NO_PIECE);
        if (move_kind(move) == KIND_EN_PASSANT)
            change_vector(c, board, result, to, true, 0, rays);
        else
            replace_vector(c, board, before->board[to], result, to, rays);
    } else {
        const uint64_t skip = line_through(from, to, rays);
        change_vector(c, board, piece, from, false, skip, rays);
        change_vector(c, board_with(board, from, NO_PIECE), result, to, true, skip, rays);
    }
}

bool nnue_changes_can_vector(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
#endif
