// The terms of the hand-written evaluation. Start with evaluate_terms at the end; hand_setup.c
// makes the data.
#include "engine/hand.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { LANE_KING, LANE_INNER, LANE_OUTER };

static const Bitboard CENTRE = 0x00003c3c3c3c0000ull;
static const Bitboard LOWER_HALF = 0x00000000ffffffffull;

// Everything that is worked out once for a position. `trace` is a constant NULL when only the value
// is wanted.
typedef struct Work {
    const HandSetup *setup;
    const Position *pos;
    HandTrace *trace;
    Weight score[2];
    Bitboard occupied;
    Bitboard pawn_attacks[2];
    Bitboard attacks[2][TYPE_COUNT]; // union by type
    Bitboard attacked[2];            // by any man
    Bitboard attacked_twice[2];
    Bitboard mobility_area[2];
    Bitboard ring[2]; // squares around the king, 0 without one
    Bitboard passed;
    int danger[2]; // units of attack on that colour's king
    int attackers[2];
} Work;

INLINE void add(Work *w, Color c, int term, int count)
{
    w->score[c] += w->setup->weights[c][term] * count;
    if (w->trace)
        w->trace->counts[c][term] = (int16_t)(w->trace->counts[c][term] + count);
}

INLINE int distance(Square a, Square b)
{
    int files = abs(square_file(a) - square_file(b)), ranks = abs(square_rank(a) - square_rank(b));
    return files > ranks ? files : ranks;
}

INLINE Bitboard shift_both(const Work *w, Color c, Bitboard pawns)
{
    const int8_t *directions = w->pos->rules->pawn_capture[c];
    if (w->setup->has_shelter) // chess pawns, whose directions the compiler then knows
        return c == WHITE ? bitboard_shift(pawns, NORTH_EAST) | bitboard_shift(pawns, NORTH_WEST)
                          : bitboard_shift(pawns, SOUTH_EAST) | bitboard_shift(pawns, SOUTH_WEST);
    return bitboard_shift(pawns, directions[0]) | bitboard_shift(pawns, directions[1]);
}

// --- pawns -----------------------------------------------------------------------------------

INLINE void pawn_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    const PawnGeometry *g = &w->setup->geometry;
    Bitboard own = position_men(pos, c, PAWN), enemy = position_men(pos, !c, PAWN);
    for (Bitboard b = own; b;) {
        Square s = bit_pop(&b);
        int rank = g->rank[c][s];
        bool is_open = !(g->path[c][s] & enemy);
        Bitboard step = g->path[c][s] ? bitboard_shift(square_bit(s), pos->rules->pawn_step[c]) : 0;
        Bitboard stoppers = g->stoppers[c][s] & enemy;
        Bitboard guards = g->guards[c][s] & own;
        if (g->path[c][s] & own)
            add(w, c, TERM_PAWN_DOUBLED, 1);
        if (!(g->beside[c][s] & own))
            add(w, c, TERM_PAWN_ISOLATED + is_open, 1);
        else if (!(g->helpers[c][s] & own) && (step & w->pawn_attacks[!c]))
            add(w, c, TERM_PAWN_BACKWARD + is_open, 1);
        if (step & enemy)
            add(w, c, TERM_PAWN_BLOCKED, 1);
        if (guards)
            add(w, c, TERM_PAWN_GUARDED + rank, 1);
        if (g->phalanx[c][s] & own)
            add(w, c, TERM_PAWN_PHALANX + rank, 1);
        if (!stoppers && !(g->path[c][s] & own))
            w->passed |= square_bit(s);
        else if (is_open && bit_count(stoppers) <= bit_count(g->helpers[c][s] & own))
            add(w, c, TERM_PAWN_CANDIDATE + rank, 1);
        if (w->setup->wing[c] & square_bit(s))
            add(w, c, TERM_PAWN_WING, 1);
    }
    if (bit_count(own) == 8)
        add(w, c, TERM_PAWN_ALL_EIGHT, 1);
}

INLINE void passed_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    const PawnGeometry *g = &w->setup->geometry;
    for (Bitboard b = w->passed & pos->by_color[c]; b;) {
        Square s = bit_pop(&b);
        int rank = g->rank[c][s];
        Bitboard path = g->path[c][s];
        add(w, c, TERM_PASSED + rank, 1);
        if (w->pawn_attacks[c] & square_bit(s))
            add(w, c, TERM_PASSED_GUARDED + rank, 1);
        if (!path)
            continue;
        Bitboard step = bitboard_shift(square_bit(s), pos->rules->pawn_step[c]);
        Square front = bit_first(step);
        if (step & w->occupied)
            add(w, c, TERM_PASSED_BLOCKED + rank, 1);
        else if (!(step & w->attacked[!c]))
            add(w, c, TERM_PASSED_SAFE_STEP + rank, 1);
        if (!(path & (w->occupied | w->attacked[!c])))
            add(w, c, TERM_PASSED_SAFE_PATH + rank, 1);
        if (position_has_king(pos, c)) {
            int d = distance(position_king(pos, c), front);
            add(w, c, TERM_PASSED_OWN_KING + d, 1);
            add(w, c, TERM_PASSED_KING_RANK, d * rank);
        }
        if (position_has_king(pos, !c)) {
            int d = distance(position_king(pos, !c), front);
            add(w, c, TERM_PASSED_OTHER_KING + d, 1);
            add(w, c, TERM_PASSED_KING_RANK + 1, d * rank);
        }
    }
}

// --- attacks, mobility, pieces ---------------------------------------------------------------

INLINE void note_attacks(Work *w, Color c, PieceType t, Bitboard attacks)
{
    w->attacked_twice[c] |= w->attacked[c] & attacks;
    w->attacked[c] |= attacks;
    w->attacks[c][t] |= attacks;
}

// Pawns and kings first: the other men's mobility depends on them.
INLINE void note_pawns_and_king(Work *w, Color c)
{
    const Position *pos = w->pos;
    note_attacks(w, c, PAWN, w->pawn_attacks[c]);
    if (position_has_king(pos, c)) {
        Square king = position_king(pos, c);
        note_attacks(w, c, KING, KING_ATTACKS[king]);
        // The ring of a king on the edge is moved in, so that it always has nine squares.
        int file = square_file(king), rank = square_rank(king);
        file = file < 1 ? 1 : file > 6 ? 6 : file;
        rank = rank < 1 ? 1 : rank > 6 ? 6 : rank;
        Square centre = square_make(file, rank);
        w->ring[c] = KING_ATTACKS[centre] | square_bit(centre);
    }
}

INLINE void outpost_terms(Work *w, Color c, Square s, int term)
{
    const PawnGeometry *g = &w->setup->geometry;
    int rank = g->rank[c][s];
    if (rank < 3 || rank > 5 ||
        (g->stoppers[c][s] & g->beside[c][s] & position_men(w->pos, !c, PAWN)))
        return;
    add(w, c, term + ((w->pawn_attacks[c] & square_bit(s)) != 0), 1);
}

INLINE void bishop_terms(Work *w, Color c, Square s)
{
    const Bitboard MIDDLE = 0x0000001818000000ull;
    Bitboard own_pawns = position_men(w->pos, c, PAWN),
             color = square_bit(s) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
    add(w, c, TERM_BISHOP_PAWNS, bit_count(own_pawns & color));
    if (bit_many(bishop_attacks(s, w->pos->by_type[PAWN]) & MIDDLE))
        add(w, c, TERM_BISHOP_LONG, 1);
    if (w->setup->lanes & square_bit(s))
        add(w, c, TERM_BISHOP_LANE, 1);
    outpost_terms(w, c, s, TERM_BISHOP_OUTPOST);
}

INLINE void rook_terms(Work *w, Color c, Square s)
{
    Bitboard file = file_bits(square_file(s)), pawns = w->pos->by_type[PAWN];
    if (!(file & pawns))
        add(w, c, TERM_ROOK_OPEN, 1);
    else if (!(file & pawns & w->pos->by_color[c]))
        add(w, c, TERM_ROOK_HALF_OPEN, 1);
    if (square_relative_rank(c, s) == 6)
        add(w, c, TERM_ROOK_SEVENTH, 1);
    if (w->setup->has_shelter) {
        Bitboard ahead = c == WHITE ? ~0ull << s : (2ull << s) - 1;
        if (file & ahead & w->passed & w->pos->by_color[c])
            add(w, c, TERM_ROOK_BEHIND, 1);
    }
}

static const int MOBILITY_TERM[TYPE_COUNT] = {
    0, TERM_MOBILITY_KNIGHT, TERM_MOBILITY_BISHOP, TERM_MOBILITY_ROOK, TERM_MOBILITY_QUEEN, 0};
static const int ATTACK_UNITS[TYPE_COUNT] = {0, 3, 2, 3, 4, 0};

// All men of one type: mobility, pressure on the king, and the terms of the type.
INLINE void piece_terms(Work *w, Color c, PieceType t)
{
    const Position *pos = w->pos;
    Bitboard queens = pos->by_type[QUEEN] & pos->by_color[c],
             rooks = pos->by_type[ROOK] & pos->by_color[c];
    // Sliders look through their own like.
    Bitboard occupied = w->occupied;
    if (t == BISHOP)
        occupied ^= queens;
    else if (t == ROOK)
        occupied ^= queens | rooks;
    for (Bitboard b = position_men(pos, c, t); b;) {
        Square s = bit_pop(&b);
        Bitboard attacks = piece_attacks(t, s, occupied);
        note_attacks(w, c, t, attacks);
        Bitboard area = w->mobility_area[c];
        if (t == QUEEN)
            area &= ~(w->attacks[!c][KNIGHT] | w->attacks[!c][BISHOP] | w->attacks[!c][ROOK]);
        add(w, c, MOBILITY_TERM[t] + bit_count(attacks & area), 1);
        if (attacks & w->ring[!c]) {
            w->attackers[!c]++;
            w->danger[!c] += ATTACK_UNITS[t] + bit_count(attacks & w->ring[!c]);
        }
        if (t == KNIGHT) {
            add(w, c, TERM_KNIGHT_PAWNS, bit_count(position_men(pos, c, PAWN)));
            outpost_terms(w, c, s, TERM_KNIGHT_OUTPOST);
        } else if (t == BISHOP) {
            bishop_terms(w, c, s);
        } else if (t == ROOK) {
            add(w, c, TERM_ROOK_PAWNS, bit_count(position_men(pos, c, PAWN)));
            rook_terms(w, c, s);
        }
    }
    if (t == BISHOP && (position_men(pos, c, BISHOP) & DARK_SQUARES) &&
        (position_men(pos, c, BISHOP) & ~DARK_SQUARES))
        add(w, c, TERM_BISHOP_PAIR, 1);
}

INLINE void shield_terms(Work *w, Color c)
{
    Bitboard minors = (w->pos->by_type[KNIGHT] | w->pos->by_type[BISHOP]) & w->pos->by_color[c];
    Bitboard behind = bitboard_shift(w->pos->by_type[PAWN], c == WHITE ? SOUTH : NORTH);
    add(w, c, TERM_MINOR_SHIELDED, bit_count(minors & behind));
}

// --- kings -----------------------------------------------------------------------------------

// Own pawns before the king and enemy pawns against it, on its file and the two beside it.
INLINE void shelter_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    Square king = position_king(pos, c);
    int file = square_file(king), king_rank = square_relative_rank(c, king);
    int middle = file < 1 ? 1 : file > 6 ? 6 : file;
    Bitboard ahead = c == WHITE ? ~0ull << (king & 56) : ~0ull >> (56 - (king & 56));
    for (int f = middle - 1; f <= middle + 1; f++) {
        Bitboard own = position_men(pos, c, PAWN) & file_bits(f) & ahead;
        Bitboard enemy = position_men(pos, !c, PAWN) & file_bits(f) & ahead;
        int own_rank =
            own ? square_relative_rank(c, c == WHITE ? bit_first(own) : bit_last(own)) - king_rank
                : 7;
        int enemy_rank =
            enemy ? square_relative_rank(c, c == WHITE ? bit_first(enemy) : bit_last(enemy)) -
                        king_rank
                  : 7;
        bool is_inner = file < 4 ? f > file : f < file;
        int lane = f == file ? LANE_KING : is_inner ? LANE_INNER : LANE_OUTER;
        add(w, c, TERM_SHELTER + lane * 8 + own_rank, 1);
        add(w, c, TERM_STORM + lane * 8 + enemy_rank, 1);
        if (!own)
            add(w, c, TERM_KING_OPEN + !enemy, 1);
    }
}

// Units of attack on a king: who attacks its ring, weak squares there, safe checks; less without a
// queen.
INLINE void danger_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    Square king = position_king(pos, c);
    Color them = !c;
    Bitboard weak = w->attacked[them] & ~w->attacked_twice[c] &
                    (~w->attacked[c] | w->attacks[c][QUEEN] | w->attacks[c][KING]);
    Bitboard safe = ~pos->by_color[them] & (~w->attacked[c] | (weak & w->attacked_twice[them]));
    Bitboard rooks = rook_attacks(king, w->occupied ^ position_men(pos, c, QUEEN));
    Bitboard bishops = bishop_attacks(king, w->occupied ^ position_men(pos, c, QUEEN));
    int units = w->danger[c];
    units += 2 * bit_count(weak & w->ring[c]);
    units += 4 * bit_count(KNIGHT_ATTACKS[king] & w->attacks[them][KNIGHT] & safe);
    units += 3 * bit_count(bishops & w->attacks[them][BISHOP] & safe);
    units += 6 * bit_count(rooks & w->attacks[them][ROOK] & safe);
    units +=
        4 * bit_count((rooks | bishops) & w->attacks[them][QUEEN] & safe & ~w->attacks[c][QUEEN]);
    units += 2 * bit_count(position_blockers(pos, c) & pos->by_color[c]);
    if (!position_men(pos, them, QUEEN))
        units -= 12;
    if (w->attackers[c] < 2)
        units -= 6;
    units = units < 0 ? 0 : units > 63 ? 63 : units;
    add(w, c, TERM_KING_DANGER + units, 1);
}

INLINE void king_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    if (!position_has_king(pos, c))
        return;
    Square king = position_king(pos, c);
    if (w->setup->has_shelter)
        shelter_terms(w, c);
    danger_terms(w, c);
    if (pos->by_type[PAWN]) {
        int nearest = 7;
        for (Bitboard b = pos->by_type[PAWN]; b;) {
            int d = distance(king, bit_pop(&b));
            nearest = d < nearest ? d : nearest;
        }
        add(w, c, TERM_KING_PAWN_NEAR + nearest, 1);
    }
    add(w, c, TERM_CASTLING, bit_count(pos->state.castling & pos->by_color[c]));
}

// --- threats and space -----------------------------------------------------------------------

INLINE void threat_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    Color them = !c;
    Bitboard enemies = pos->by_color[them],
             pieces = enemies & ~pos->by_type[PAWN] & ~pos->by_type[KING];
    Bitboard held = w->pawn_attacks[them] | (w->attacked_twice[them] & ~w->attacked_twice[c]);
    Bitboard weak = enemies & ~held & w->attacked[c];

    for (Bitboard b = pieces & w->pawn_attacks[c]; b;)
        add(w, c, TERM_THREAT_PAWN + piece_type(pos->board[bit_pop(&b)]), 1);
    Bitboard by_minor = w->attacks[c][KNIGHT] | w->attacks[c][BISHOP];
    for (Bitboard b = ((pieces & w->pawn_attacks[them]) | weak) & by_minor & ~pos->by_type[KING];
         b;)
        add(w, c, TERM_THREAT_MINOR + piece_type(pos->board[bit_pop(&b)]), 1);
    for (Bitboard b = weak & w->attacks[c][ROOK] & ~pos->by_type[KING]; b;)
        add(w, c, TERM_THREAT_ROOK + piece_type(pos->board[bit_pop(&b)]), 1);
    if (weak & w->attacks[c][KING])
        add(w, c, TERM_THREAT_KING, 1);
    add(w, c, TERM_HANGING,
        bit_count(weak & ~pos->by_type[KING] &
                  (~w->attacked[them] | (pieces & w->attacked_twice[c]))));
    add(w, c, TERM_RESTRICTED, bit_count(w->attacked[them] & ~held & w->attacked[c]));

    // Steps of pawns that would attack something and are not simply taken.
    Bitboard free = ~w->occupied;
    Bitboard step = bitboard_shift(position_men(pos, c, PAWN), pos->rules->pawn_step[c]) & free;
    step &= ~w->pawn_attacks[them] & (w->attacked[c] | ~w->attacked[them]);
    add(w, c, TERM_PAWN_PUSH, bit_count(shift_both(w, c, step) & pieces));

    Bitboard queen = position_men(pos, them, QUEEN);
    if (queen && !bit_many(queen)) {
        Square s = bit_first(queen);
        Bitboard safe = w->mobility_area[c] & ~w->attacks[them][PAWN] &
                        (~w->attacked[them] | w->attacked_twice[c]);
        Bitboard knights = KNIGHT_ATTACKS[s] & w->attacks[c][KNIGHT];
        Bitboard sliders = (bishop_attacks(s, w->occupied) & w->attacks[c][BISHOP]) |
                           (rook_attacks(s, w->occupied) & w->attacks[c][ROOK]);
        add(w, c, TERM_THREAT_QUEEN,
            bit_count(knights & safe) + bit_count(sliders & safe & w->attacked_twice[c]));
    }
}

INLINE void control_terms(Work *w, Color c)
{
    Bitboard held =
        (w->attacked[c] & ~w->attacked[!c]) | (w->attacked_twice[c] & ~w->attacked_twice[!c]);
    Bitboard own_half = c == WHITE ? LOWER_HALF : ~LOWER_HALF;
    add(w, c, TERM_CONTROL, bit_count(held & own_half));
    add(w, c, TERM_CONTROL + 1, bit_count(held & CENTRE));
    add(w, c, TERM_CONTROL + 2, bit_count(held & ~own_half));
    Bitboard files = 0x3c3c3c3c3c3c3c3cull;
    Bitboard region = files & (c == WHITE ? 0x00000000ffffff00ull : 0x00ffffff00000000ull);
    add(w, c, TERM_SPACE,
        bit_count(region & ~position_men(w->pos, c, PAWN) & ~w->pawn_attacks[!c]));
}

INLINE void material_terms(Work *w, Color c)
{
    const Position *pos = w->pos;
    for (Bitboard b = pos->by_color[c]; b;) {
        Square s = bit_pop(&b);
        PieceType t = piece_type(pos->board[s]);
        add(w, c, TERM_MATERIAL + t, 1);
        add(w, c, TERM_SQUARE + t * 64 + (s ^ w->setup->flip[c]), 1);
    }
}

// --- the whole -------------------------------------------------------------------------------

static int phase_of(const Position *pos)
{
    int phase = bit_count(pos->by_type[KNIGHT] | pos->by_type[BISHOP]) +
                2 * bit_count(pos->by_type[ROOK]) + 4 * bit_count(pos->by_type[QUEEN]);
    return phase > PHASE_MAX ? PHASE_MAX : phase;
}

static int piece_points(const Position *pos, Color c)
{
    return 3 * bit_count((pos->by_type[KNIGHT] | pos->by_type[BISHOP]) & pos->by_color[c]) +
           5 * bit_count(position_men(pos, c, ROOK)) + 9 * bit_count(position_men(pos, c, QUEEN));
}

// How much of an endgame advantage can be turned into a win, of SCALE_MAX.
static int endgame_scale(const Position *pos, int eg)
{
    Color strong = eg > 0 ? WHITE : BLACK;
    if (!pos->rules->has_dead_draw)
        return SCALE_MAX;
    int pawns = bit_count(position_men(pos, strong, PAWN));
    int mine = piece_points(pos, strong), theirs = piece_points(pos, !strong);
    bool two_knights = mine == 6 && bit_count(position_men(pos, strong, KNIGHT)) == 2;
    if (!pawns && (mine - theirs <= 3 || two_knights))
        return mine <= 3 || two_knights ? 0 : theirs <= 3 ? 6 : 16;
    Bitboard bishops = pos->by_type[BISHOP];
    bool opposite = bit_count(position_men(pos, WHITE, BISHOP)) == 1 &&
                    bit_count(position_men(pos, BLACK, BISHOP)) == 1 &&
                    bit_count(bishops & DARK_SQUARES) == 1;
    if (opposite)
        return mine == 3 && theirs == 3 ? 22 + 4 * (pawns > 6 ? 6 : pawns)
                                        : 44 + 2 * (pawns > 8 ? 8 : pawns);
    int scale = 42 + 5 * pawns;
    return scale > SCALE_MAX ? SCALE_MAX : scale;
}

// With a bare king against mating material: drive it to the edge (to the bishop's corner) and come
// near.
static int mating_extra(const Position *pos, Color strong)
{
    Color weak = !strong;
    if (!position_has_king(pos, WHITE) || !position_has_king(pos, BLACK) ||
        bit_many(pos->by_color[weak]) || !pos->rules->has_dead_draw)
        return 0;
    int points = piece_points(pos, strong);
    if (points < 5 || (points == 6 && !position_men(pos, strong, BISHOP)))
        return 0; // a minor piece or two knights do not mate
    Square king = position_king(pos, weak);
    int file = square_file(king), rank = square_rank(king);
    int edge = abs(2 * file - 7) + abs(2 * rank - 7);
    Bitboard bishops = position_men(pos, strong, BISHOP),
             knights = position_men(pos, strong, KNIGHT);
    if (points == 6 && bishops && knights) // along the long diagonal to a corner of its colour
        edge = 14 * abs(bishops & DARK_SQUARES ? file + rank - 7 : file - rank);
    int extra = 800 + 12 * edge + 10 * (14 - 2 * distance(king, position_king(pos, strong)));
    return strong == WHITE ? extra : -extra;
}

// A game of captures only: what counts is who has more of them, with which men and on which. The
// terms of chess get the meaning next to theirs: mobility is the number of captures a man has.
INLINE int evaluate_captures(Work *w)
{
    static const int MOBILITY[TYPE_COUNT] = {[KNIGHT] = TERM_MOBILITY_KNIGHT,
                                             [BISHOP] = TERM_MOBILITY_BISHOP,
                                             [ROOK] = TERM_MOBILITY_ROOK,
                                             [QUEEN] = TERM_MOBILITY_QUEEN};
    const Position *pos = w->pos;
    Bitboard guarded[2] = {0, 0};
    for (Color c = WHITE; c <= BLACK; c++) {
        int count = 0;
        for (Bitboard b = pos->by_color[c]; b;) {
            Square s = bit_pop(&b);
            PieceType t = piece_type(pos->board[s]);
            Bitboard attacks = piece_attacks(t, s, w->occupied);
            int captures = bit_count(attacks & pos->by_color[!c]);
            guarded[c] |= attacks & pos->by_color[c];
            w->attacked[c] |= attacks & pos->by_color[!c];
            add(w, c, TERM_MATERIAL + t, 1);
            add(w, c, MOBILITY[t] + captures, 1);
            count += captures;
        }
        add(w, c, TERM_CAPTURES, count);
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        for (PieceType t = KNIGHT; t <= QUEEN; t++)
            add(w, c, TERM_THREAT_MINOR + t, bit_count(w->attacked[c] & pos->by_type[t]));
        add(w, c, TERM_HANGING, bit_count(w->attacked[c] & ~guarded[!c]));
    }
    add(w, pos->side, TERM_TEMPO, 1);
    const Weight sum = w->score[WHITE] - w->score[BLACK];
    const int men = bit_count(w->occupied), phase = men * PHASE_MAX / MAX_MEN;
    if (w->trace) {
        w->trace->phase = phase;
        w->trace->scale = SCALE_MAX;
    }
    return (weight_mg(sum) * phase + weight_eg(sum) * (PHASE_MAX - phase)) / PHASE_MAX;
}

INLINE void cached_pawn_terms(Work *w, PawnCache *cache)
{
    const Position *pos = w->pos;
    for (Color c = WHITE; c <= BLACK; c++)
        w->pawn_attacks[c] = shift_both(w, c, position_men(pos, c, PAWN));
    if (!cache || w->trace) {
        pawn_terms(w, WHITE);
        pawn_terms(w, BLACK);
        return;
    }
    Key key = position_pawn_key(pos);
    PawnEntry *entry = &cache->entries[key % PAWN_CACHE_SIZE];
    if (entry->key != key || !key) {
        Weight before[2] = {w->score[WHITE], w->score[BLACK]};
        pawn_terms(w, WHITE);
        pawn_terms(w, BLACK);
        *entry = (PawnEntry){
            key, {w->score[WHITE] - before[WHITE], w->score[BLACK] - before[BLACK]}, w->passed};
        return;
    }
    w->score[WHITE] += entry->score[WHITE];
    w->score[BLACK] += entry->score[BLACK];
    w->passed = entry->passed;
}

// The value for White.
INLINE int evaluate_terms(const HandSetup *setup, PawnCache *cache, const Position *pos,
                          HandTrace *trace)
{
    Work w = {.setup = setup, .pos = pos, .trace = trace, .occupied = position_occupied(pos)};
    if (setup->is_capture_game)
        return evaluate_captures(&w);

    cached_pawn_terms(&w, cache);
    for (Color c = WHITE; c <= BLACK; c++)
        note_pawns_and_king(&w, c);
    for (Color c = WHITE; c <= BLACK; c++) {
        Bitboard low = c == WHITE ? RANK_1 << 8 | RANK_1 << 16 : RANK_8 >> 8 | RANK_8 >> 16;
        Bitboard stuck = position_men(pos, c, PAWN) &
                         (low | bitboard_shift(w.occupied, c == WHITE ? SOUTH : NORTH));
        w.mobility_area[c] = ~(stuck | position_men(pos, c, KING) | w.pawn_attacks[!c]);
    }
    for (PieceType t = KNIGHT; t <= QUEEN; t++) {
        piece_terms(&w, WHITE, t);
        piece_terms(&w, BLACK, t);
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        material_terms(&w, c);
        passed_terms(&w, c);
        shield_terms(&w, c);
        king_terms(&w, c);
        threat_terms(&w, c);
        control_terms(&w, c);
    }
    add(&w, pos->side, TERM_TEMPO, 1);

    Weight sum = w.score[WHITE] - w.score[BLACK];
    int mg = weight_mg(sum), eg = weight_eg(sum), phase = phase_of(pos),
        scale = endgame_scale(pos, eg);
    int extra = mating_extra(pos, WHITE) + mating_extra(pos, BLACK);
    if (trace) {
        trace->phase = phase;
        trace->scale = scale;
        trace->extra = extra;
    }
    return (mg * phase + eg * (PHASE_MAX - phase) * scale / SCALE_MAX) / PHASE_MAX + extra;
}

static int limited(int value)
{
    return value > SCORE_EVAL_LIMIT    ? SCORE_EVAL_LIMIT
           : value < -SCORE_EVAL_LIMIT ? -SCORE_EVAL_LIMIT
                                       : value;
}

int hand_evaluate(const HandSetup *setup, PawnCache *cache, const Position *pos)
{
    if (cache && cache->setup != setup) {
        memset(cache, 0, sizeof *cache);
        cache->setup = setup;
    }
    int value = limited(evaluate_terms(setup, cache, pos, NULL));
    return pos->side == WHITE ? value : -value;
}

int hand_trace(const HandSetup *setup, const Position *pos, HandTrace *trace)
{
    memset(trace, 0, sizeof *trace);
    trace->value = limited(evaluate_terms(setup, NULL, pos, trace));
    return pos->side == WHITE ? trace->value : -trace->value;
}

const HandTermInfo HAND_TERM_INFO[] = {
#define X(name, count) {#name, TERM_##name, count},
    HAND_TERMS(X)
#undef X
        {NULL, 0, 0},
};
