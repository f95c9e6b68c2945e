// A chess position spread over a warp, its legal moves, make and unmake. Orthodox chess only.
// Lane = man: lane i holds one man in a register; White 0-15, Black 16-31, kings in lanes 0 and 16.
// Everything else (occupancy, hash, rights) is the same in all lanes. The attacks of all men of
// both sides cost one pass, checks and pins are ballots.
#ifndef LOVAC_LAB_GPU_BOARD_H
#define LOVAC_LAB_GPU_BOARD_H

#include "lab/gpu/tables.h"
#include "lab/gpu/warp.h"

// A man: square (6 bits), type (3 bits, pawn 0 to king 5), and whether it is off the board.
enum { MAN_DEAD = 0x200 };
DEV int man_square(int man)
{
    return man & 63;
}
DEV int man_type(int man)
{
    return man >> 6 & 7;
}
DEV bool man_alive(int man)
{
    return !(man & MAN_DEAD);
}
DEV int man_make(int type, int square)
{
    return square | type << 6;
}

typedef struct Board {
    int man; // of this lane
    uint64_t white, black;
    uint64_t hash;
    int side;     // to move
    int castling; // bits: K, Q, k, q
    int en_passant;
    int fifty;
} Board;

// What a move changed; unmake needs the victim's lane and whether it was castling.
typedef struct Change {
    int type, from, to, promotion;
    int victim_lane, victim_type, victim_square; // lane 32: nothing taken
    int rook_from, rook_to;                      // rook_from negative: no castling
} Change;

// A move: from, to (6 bits each), promotion type (0: none). Castling is the king's step of two.
DEV int move16_from(uint32_t m)
{
    return m & 63;
}
DEV int move16_to(uint32_t m)
{
    return m >> 6 & 63;
}
DEV int move16_promotion(uint32_t m)
{
    return m >> 12 & 7;
}

DEV bool is_slider(int type)
{
    return type >= G_BISHOP && type <= G_QUEEN;
}

// Hyperbola quintessence: attacks along one line that bytes_reverse turns around.
DEV uint64_t line_attacks(uint64_t occupied, uint64_t mask, uint64_t step, uint64_t reverse_step)
{
    uint64_t o = occupied & mask;
    uint64_t forward = o - step;
    uint64_t backward = bytes_reverse(bytes_reverse(o) - reverse_step);
    return (forward ^ backward) & mask;
}

DEV uint64_t man_attacks(const Tables *t, int type, int square, int color, uint64_t occupied)
{
    const uint64_t bit = 1ull << square, step = bit << 1, reverse_step = bytes_reverse(bit) << 1;
    uint64_t diagonal = line_attacks(occupied, t->diagonal[square], step, reverse_step) |
                        line_attacks(occupied, t->antidiagonal[square], step, reverse_step);
    uint64_t file = (0x0101010101010101ull << (square & 7)) ^ bit;
    uint64_t straight = line_attacks(occupied, file, step, reverse_step);
    // A rank lies in one byte: reverse bits instead.
    const int shift = square & 56;
    const uint32_t here = 1u << (square & 7), o = (uint32_t)(occupied >> shift) & 0xff & ~here;
    const uint32_t rank =
        ((o - 2 * here) ^ bits_reverse(bits_reverse(o) - 2 * bits_reverse(here))) & 0xff;
    straight |= (uint64_t)rank << shift;
    uint64_t result = 0;
    if (type == G_BISHOP || type == G_QUEEN)
        result = diagonal;
    if (type == G_ROOK || type == G_QUEEN)
        result |= straight;
    const int row = type == G_PAWN ? color : type == G_KNIGHT ? 2 : 3;
    const uint64_t leap = t->leap[row][square];
    return is_slider(type) ? result : leap;
}

// How moves are generated and what they are worth in the order of search.
typedef struct GenRequest {
    bool captures_only; // with promotions to a queen
    bool ordered;       // else every key is 1 << 16 | move
    uint32_t killers;   // two moves
    uint32_t hash_move;
    int least_gain;         // captures_only: victims worth less are left out
    const int16_t *history; // [6 * 64] of quiet moves, three times HISTORY_MAX at most
    uint8_t *types;         // [64] scratch: type of the man on each square
} GenRequest;

// Keys: order value << 16 | move. Bands of order values:
#define KEY_HASH_MOVE 0xffff0000u
#define KEY_PROMOTION 0xe0000000u
#define KEY_CAPTURE   0xc0000000u
#define KEY_KILLER    0xb0000000u
#define KEY_QUIET     0x40000000u // plus or minus history, down to KEY_QUIET_MIN
#define KEY_QUIET_MIN 0x10000000u
#define KEY_BAD       0x01000000u // captures that lose material; underpromotions below

DEV int capture_value(int type)
{
    return type == G_PAWN     ? 100
           : type == G_KNIGHT ? 320
           : type == G_BISHOP ? 330
           : type == G_ROOK   ? 500
                              : 950;
}

// The order value of a move, or 0 when the request leaves it out.
DEV uint32_t order_value(const GenRequest *r, uint32_t move, int type, bool captures,
                         bool is_en_passant, bool is_defended, bool promotes)
{
    uint32_t value;
    const int to = move16_to(move);
    if (captures || is_en_passant) {
        const int victim = captures ? r->types[to] : G_PAWN;
        const bool is_bad =
            is_defended && victim < type && !(victim == G_KNIGHT && type == G_BISHOP);
        if (r->captures_only && !promotes && (is_bad || capture_value(victim) < r->least_gain))
            return 0;
        value = ((is_bad ? KEY_BAD : KEY_CAPTURE) >> 16) + (uint32_t)(victim * 16 + 8 - type);
    } else if (move == (r->killers & 0xffff)) {
        value = (KEY_KILLER >> 16) + 1;
    } else if (move == r->killers >> 16) {
        value = KEY_KILLER >> 16;
    } else {
        const int history = r->history[(type << 6) + to] * 3 / 8; // stays within the band
        value = (uint32_t)((int)(KEY_QUIET >> 16) + history);
    }
    if (promotes)
        value = (KEY_PROMOTION >> 16) + (value >> 8);
    return move == r->hash_move ? 0xffff : value;
}

// All legal targets of this lane's man, for the side to move.
typedef struct Targets {
    uint64_t squares;  // where the own man may go
    uint64_t attacked; // by the other side, seen through the own king
    uint64_t en_passant;
    uint32_t checkers; // lanes
} Targets;

DEV uint64_t pushes_of(uint64_t bit, int side, uint64_t occupied)
{
    if (side) {
        uint64_t one = bit >> 8 & ~occupied;
        return one | (one >> 8 & 0x000000ff00000000ull & ~occupied);
    }
    uint64_t one = bit << 8 & ~occupied;
    return one | (one << 8 & 0x00000000ff000000ull & ~occupied);
}

DEV uint64_t castling_targets(const Board *b, uint64_t occupied, uint64_t attacked)
{
    const int shift = b->side ? 56 : 0, rights = b->castling >> (b->side * 2);
    const uint32_t o = (uint32_t)(occupied >> shift) & 0xff,
                   a = (uint32_t)(attacked >> shift) & 0xff;
    uint64_t result = 0;
    if ((rights & 1) && !(o & 0x60) && !(a & 0x60))
        result |= 0x40ull << shift;
    if ((rights & 2) && !(o & 0x0e) && !(a & 0x0c))
        result |= 0x04ull << shift;
    return result;
}

DEV Targets board_targets(const Tables *t, const Board *b)
{
    const int lane = warp_lane(), man = b->man, square = man_square(man), type = man_type(man);
    const int color = lane >> 4, side = b->side;
    const bool own = man_alive(man) && color == side, other = man_alive(man) && color != side;
    const uint64_t us = side ? b->black : b->white, them = side ? b->white : b->black;
    const uint64_t occupied = us | them, bit = 1ull << square;
    const int king = man_square(warp_get(man, side * 16));
    const uint64_t king_bit = 1ull << king;
    Targets out;

    // The own king does not shield the squares behind it.
    const uint64_t attacks =
        man_attacks(t, type, square, color, color == side ? occupied : occupied ^ king_bit);
    out.checkers = warp_ballot(other && (attacks & king_bit));
    const uint64_t theirs = other ? attacks : 0;
    out.attacked = (uint64_t)warp_or((uint32_t)theirs) | (uint64_t)warp_or((uint32_t)(theirs >> 32))
                                                             << 32;

    // Pins: an enemy slider in line with the king and one own man alone between.
    const uint64_t between = t->between[king * 64 + square];
    const bool is_straight = ((square ^ king) & 56) == 0 || ((square ^ king) & 7) == 0;
    const bool can_reach = is_slider(type) && (type == G_QUEEN || (type == G_ROOK) == is_straight);
    const uint64_t blockers = between & occupied;
    uint32_t pinners = warp_ballot(other && can_reach && blockers && !(blockers & (blockers - 1)) &&
                                   (blockers & us));

    uint64_t squares = 0;
    if (own) {
        squares =
            type == G_PAWN ? (attacks & them) | pushes_of(bit, side, occupied) : attacks & ~us;
        if (type == G_KING)
            squares &= ~out.attacked;
    }
    if (out.checkers) {
        const int checker = bits_first(out.checkers);
        const int checker_man = warp_get(man, checker);
        const uint64_t way = warp_get64(between, checker);
        uint64_t answers = 0;
        if (!(out.checkers & (out.checkers - 1)))
            answers = (is_slider(man_type(checker_man)) ? way : 0) | 1ull
                                                                         << man_square(checker_man);
        if (type != G_KING)
            squares &= answers;
    }
    while (pinners) {
        const int pinner = bits_first(pinners);
        pinners &= pinners - 1;
        const uint64_t ray = warp_get64(between | bit, pinner);
        if (own && (ray & bit))
            squares &= ray;
    }

    // En passant takes two men off one line: tested by the occupancy afterwards.
    out.en_passant = 0;
    if (b->en_passant < 64) {
        out.en_passant = 1ull << b->en_passant;
        const int victim = b->en_passant ^ 8;
        uint32_t takers = warp_ballot(own && type == G_PAWN && (attacks & out.en_passant));
        while (takers) {
            const int taker = bits_first(takers);
            takers &= takers - 1;
            const int from = man_square(warp_get(man, taker));
            const uint64_t after = occupied ^ 1ull << from ^ out.en_passant ^ 1ull << victim;
            const bool attacks_king =
                is_slider(type) ? can_reach && !(between & after) : (attacks & king_bit) != 0;
            const uint32_t refuters = warp_ballot(other && square != victim && attacks_king);
            if (!refuters && lane == taker)
                squares |= out.en_passant;
        }
    }
    if (!out.checkers && lane == side * 16)
        squares |= castling_targets(b, occupied, out.attacked);
    out.squares = squares;
    return out;
}

// Writes the legal moves as keys, at most `room` of them, and returns their number. All lanes call.
// The men's lanes write their targets on squares 0-31, the partner lanes those on 32-63.
DEV int board_moves(const Tables *t, const Board *b, const GenRequest *r, uint32_t *list, int room,
                    bool *in_check)
{
    const int lane = warp_lane(), side = b->side;
    const bool mine = lane >> 4 == side;
    const uint64_t them = side ? b->white : b->black;
    Targets targets = board_targets(t, b);
    *in_check = targets.checkers != 0;
    if (r->captures_only)
        targets.squares &=
            man_type(b->man) == G_PAWN ? them | targets.en_passant | 0xff000000000000ffull : them;

    const uint32_t high = warp_partner((uint32_t)(targets.squares >> 32));
    const int partner = (int)warp_partner((uint32_t)b->man);
    uint32_t left = mine ? (uint32_t)targets.squares : high;
    const int man = mine ? b->man : partner, first = mine ? 0 : 32;
    const int from = man_square(man), type = man_type(man);
    const uint32_t victims = (uint32_t)(them >> first),
                   defended = (uint32_t)(targets.attacked >> first);
    if (r->ordered) {
        if (man_alive(b->man))
            r->types[man_square(b->man)] = (uint8_t)man_type(b->man);
        warp_sync();
    }
    int count = 0;
    const uint32_t below = (1u << lane) - 1;
    while (warp_ballot(left != 0)) {
        const bool has = left != 0;
        const int index = has ? bits_last(left) : 0, to = first + index;
        left &= ~(1u << index);
        const bool promotes = has && type == G_PAWN && (to >= 56 || to < 8);
        const uint32_t move = (uint32_t)(from | to << 6 | (promotes ? G_QUEEN << 12 : 0));
        uint32_t value = has;
        if (has && r->ordered)
            value = order_value(r, move, type, victims >> index & 1,
                                type == G_PAWN && (targets.en_passant >> to & 1),
                                defended >> index & 1, promotes);
        const uint32_t writers = warp_ballot(value != 0);
        const int place = count + bits_count(writers & below);
        if (value && place < room)
            list[place] = value << 16 | move;
        count += bits_count(writers);
        const uint32_t promoters = warp_ballot(promotes);
        if (promoters && !r->captures_only)
            for (int p = G_KNIGHT; p <= G_ROOK; p++) {
                const int at = count + bits_count(promoters & below);
                if (promotes && at < room)
                    list[at] = (uint32_t)(0x80 + p) << 16 | (uint32_t)(from | to << 6 | p << 12);
                count += bits_count(promoters);
            }
    }
    warp_sync();
    return count < room ? count : room;
}

DEV int hash_index(int color, int type, int square)
{
    return ((color * 6 + type) << 6) + square;
}

// Plays a legal move.
DEV void board_make(const Tables *t, Board *b, uint32_t move, Change *c)
{
    const int lane = warp_lane(), square = man_square(b->man), type = man_type(b->man);
    const int us = b->side, from = move16_from(move), to = move16_to(move);
    const bool alive = man_alive(b->man);
    const int mover = bits_first(warp_ballot(alive && square == from));
    c->type = man_type(warp_get(b->man, mover));
    c->from = from;
    c->to = to;
    c->promotion = move16_promotion(move);
    c->victim_square = c->type == G_PAWN && to == b->en_passant ? to ^ 8 : to;
    const uint32_t victim = warp_ballot(alive && square == c->victim_square);
    c->victim_lane = victim ? bits_first(victim) : 32;
    c->victim_type = man_type(warp_get(b->man, c->victim_lane & 31));
    const int result = c->promotion ? c->promotion : c->type;

    uint64_t moved = 1ull << from | 1ull << to;
    uint64_t hash = b->hash ^ t->hash_man[hash_index(us, c->type, from)] ^
                    t->hash_man[hash_index(us, result, to)] ^ t->hash_side;
    c->rook_from = -1;
    c->rook_to = 0;
    if (c->type == G_KING && (from - to == 2 || to - from == 2)) {
        c->rook_from = to > from ? from + 3 : from - 4;
        c->rook_to = (from + to) >> 1;
        moved |= 1ull << c->rook_from | 1ull << c->rook_to;
        hash ^= t->hash_man[hash_index(us, G_ROOK, c->rook_from)] ^
                t->hash_man[hash_index(us, G_ROOK, c->rook_to)];
        if (alive && square == c->rook_from)
            b->man = man_make(G_ROOK, c->rook_to);
    }
    if (lane == mover)
        b->man = man_make(result, to);
    if (lane == c->victim_lane)
        b->man |= MAN_DEAD;
    uint64_t taken = 0;
    if (victim) {
        taken = 1ull << c->victim_square;
        hash ^= t->hash_man[hash_index(us ^ 1, c->victim_type, c->victim_square)];
    }
    b->white ^= us ? taken : moved;
    b->black ^= us ? moved : taken;

    if (b->castling) { // most of a game nobody may castle any more
        const int rights = b->castling & t->rights_kept[from] & t->rights_kept[to];
        hash ^= t->hash_castling[b->castling] ^ t->hash_castling[rights];
        b->castling = rights;
    }
    if (b->en_passant < 64)
        hash ^= t->hash_en_passant[b->en_passant & 7];
    b->en_passant = G_NO_SQUARE;
    if (c->type == G_PAWN && (from ^ to) == 16) { // only where a pawn could take
        const int behind = (from + to) >> 1;
        const uint64_t takers = t->leap[us][behind];
        if (warp_ballot(alive && lane >> 4 != us && type == G_PAWN && (takers >> square & 1))) {
            b->en_passant = behind;
            hash ^= t->hash_en_passant[behind & 7];
        }
    }
    b->fifty = victim || c->type == G_PAWN ? 0 : b->fifty + 1;
    b->side = us ^ 1;
    b->hash = hash;
}

// This lane's man before the move that `us` made; the rest of the board the caller has kept.
DEV int man_before(int man, uint32_t move, int victim_lane, bool was_castling, int us)
{
    const int lane = warp_lane(), from = move16_from(move), to = move16_to(move);
    int before = man;
    if (lane >> 4 == us && man_alive(man)) {
        if (man_square(man) == to)
            before = man_make(move16_promotion(move) ? G_PAWN : man_type(man), from);
        else if (was_castling && man_square(man) == (from + to) >> 1)
            before = man_make(G_ROOK, to > from ? from + 3 : from - 4);
    }
    if (lane == victim_lane)
        before = man & ~MAN_DEAD;
    return before;
}

// Is the side to move in check?
DEV bool board_in_check(const Tables *t, const Board *b)
{
    const int color = warp_lane() >> 4, square = man_square(b->man), type = man_type(b->man);
    const int king = man_square(warp_get(b->man, b->side * 16));
    const bool is_straight = ((square ^ king) & 56) == 0 || ((square ^ king) & 7) == 0;
    const int row = type == G_PAWN ? color : type == G_KNIGHT ? 2 : 3;
    // One load for all men: the way of a slider, which must be empty, or the steps of a leaper,
    // one of which must be the king's square.
    const bool slides = is_slider(type);
    const uint64_t *at = slides ? &t->between[king * 64 + square] : &t->leap[row][square];
    const bool meets = (*at & (slides ? b->white | b->black : 1ull << king)) != 0;
    const bool can_reach = type == G_QUEEN || (type == G_ROOK) == is_straight;
    const bool attacks = slides ? can_reach && !meets : meets;
    return warp_ballot(man_alive(b->man) && color != b->side && attacks) != 0;
}

// The start position of chess: lane 0 or 16 the king, then the other men from a1 to h8, so that
// Black's pawns come before its pieces.
DEV void board_start(const Tables *t, Board *b)
{
    b->man = t->start_man[warp_lane()];
    b->white = 0xffffull;
    b->black = 0xffff000000000000ull;
    b->side = 0;
    b->castling = 15;
    b->en_passant = G_NO_SQUARE;
    b->fifty = 0;
    b->hash = t->start_hash;
}

// Puts a type on the k-th empty file of a back rank: four bits a file, 15 for empty.
DEV uint32_t rank_put(uint32_t rank, uint32_t k, int type)
{
    for (int file = 0; file < 8; file++) {
        if ((rank >> 4 * file & 15) != 15)
            continue;
        if (k-- == 0)
            return (rank & ~(15u << 4 * file)) | (uint32_t)type << 4 * file;
    }
    return rank;
}

// A back rank of Chess960 from a number below 960.
DEV uint32_t rank_shuffled(uint32_t n)
{
    uint32_t rank = 0xffffffffu;
    rank = (rank & ~(15u << (8 * (n & 3)))) | (uint32_t)G_BISHOP << (8 * (n & 3));
    n >>= 2;
    rank = (rank & ~(15u << (8 * (n & 3) + 4))) | (uint32_t)G_BISHOP << (8 * (n & 3) + 4);
    n >>= 2;
    rank = rank_put(rank, n % 6, G_QUEEN);
    n /= 6; // ten ways to put two knights on five files
    const uint32_t first = n < 4 ? 0 : n < 7 ? 1 : n < 9 ? 2 : 3;
    const uint32_t before = first * (9 - first) / 2; // ways with the first knight further left
    rank = rank_put(rank, first, G_KNIGHT);
    rank = rank_put(rank, first + n - before, G_KNIGHT); // one file is gone
    rank = rank_put(rank, 0, G_ROOK);
    rank = rank_put(rank, 0, G_KING);
    return rank_put(rank, 0, G_ROOK);
}

// A start position of Chess960, without castling, which the rest of this file knows from e1 alone.
// The lanes that hold pieces at the start of chess hold them here: the king's the king, the others'
// the other pieces from left to right.
DEV void board_shuffled(const Tables *t, Board *b, uint32_t number)
{
    const uint32_t rank = rank_shuffled(number);
    board_start(t, b);
    const int usual_type = man_type(b->man), home = man_square(b->man), usual_file = home & 7;
    const int place = usual_file - (usual_file > 4); // among the pieces but the king
    b->castling = 0;
    b->hash ^= t->hash_castling[15] ^ t->hash_castling[0];
    int others = 0; // pieces but the king so far
    for (int file = 0; file < 8; file++) {
        const int type = (int)(rank >> 4 * file & 15);
        const bool is_mine =
            type == G_KING ? usual_type == G_KING : usual_type != G_KING && place == others;
        if (is_mine && usual_type != G_PAWN)
            b->man = man_make(type, (home & 56) | file);
        others += type != G_KING;
        for (int c = 0; c < 2; c++)
            b->hash ^= t->hash_man[hash_index(c, type, c * 56 + file)];
        const int usual = file == 4                ? G_KING
                          : file == 3              ? G_QUEEN
                          : file == 0 || file == 7 ? G_ROOK
                          : file == 2 || file == 5 ? G_BISHOP
                                                   : G_KNIGHT;
        for (int c = 0; c < 2; c++)
            b->hash ^= t->hash_man[hash_index(c, usual, c * 56 + file)];
    }
}

#endif
