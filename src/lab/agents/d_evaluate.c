// See d_evaluate.h. d_terms at the end names the terms in order; each is a short function above it.
#include "lab/agents/d_evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

const char *const D_TERM_NAMES[D_TERM_COUNT] = {"material", "bishop pair", "squares", "control",
                                                "king",     "pressure",    "pawns",   "variant"};

enum {
    ENDING = 2600,
    PAIR = 30,
    CONTROL = 2,
    PASSED = 20,
    COVERED_PASSED = 10,
    DOUBLED = -15,
    ISOLATED = -15,
    BLOCKED = -10,
    FULL_SET = -10,
    ADVANCE = 3,       // for each step of a pawn
    HOME = -10,        // a minor piece that has not moved
    UNPROTECTED = -15, // a pawn of the horde; more than its rank can be worth
    HEAVY_ON_RANK_8 = 15,
    EDGE_PAWN = -10, // Legan: it can only capture
    ON_PAWN_DIAGONAL = 4,
    MOVE = 50 // Massacre: half a pawn for each capture
};

static const int VALUES[TYPE_COUNT] = {100, 320, 325, 500, 900, 0};
static const int ENDING_VALUES[TYPE_COUNT] = {100, 300, 340, 500, 900, 0};

// What all terms need: who attacks what how often.
typedef struct View {
    const Position *pos;
    bool is_ending;
    uint8_t attacks[2][64];
} View;

static bool is_game(const Position *pos, int variant)
{
    return pos->rules == &VARIANTS[variant];
}

static Bitboard attacks_from(const Position *pos, Square s)
{
    const Piece piece = pos->board[s];
    if (piece_type(piece) == PAWN)
        return position_pawn_attacks(pos->rules, piece_color(piece), s);
    return piece_attacks(piece_type(piece), s, position_occupied(pos));
}

static void count_attacks(View *view)
{
    const Position *pos = view->pos;
    for (Color c = WHITE; c <= BLACK; c++)
        for (Bitboard men = pos->by_color[c]; men;)
            for (Bitboard to = attacks_from(pos, bit_pop(&men)); to;)
                view->attacks[c][bit_pop(&to)]++;
}

bool d_is_ending(const Position *pos)
{
    int sum = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++)
        sum += VALUES[t] * bit_count(pos->by_type[t]);
    return sum < ENDING;
}

// How far a square is from the edge: 0 (28 squares) to 3 (the four of the centre).
static int ring(Square s)
{
    const int file = square_file(s), rank = square_rank(s);
    return min_int(min_int(file, 7 - file), min_int(rank, 7 - rank));
}

static int distance(Square a, Square b) // in king's steps
{
    return max_int(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)));
}

// ---- Material and pieces ----

static int material(const View *view, Color c)
{
    const int *values = view->is_ending ? ENDING_VALUES : VALUES;
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += values[t] * bit_count(position_men(view->pos, c, t));
    return sum;
}

static int bishop_pair(const View *view, Color c)
{
    return bit_count(position_men(view->pos, c, BISHOP)) >= 2 ? PAIR : 0;
}

// Counting moves would lure pieces out of the defence, says the document; so each square has the
// value that its expected mobility deserves. In chess the home squares of minor pieces are worse
// still.
static int square_value(const Position *pos, Color c, PieceType t, Square s)
{
    static const int BY_RING[TYPE_COUNT][4] = {[KNIGHT] = {-20, -5, 10, 20},
                                               [BISHOP] = {-10, 0, 8, 12},
                                               [ROOK] = {-4, 2, 4, 4},
                                               [QUEEN] = {-4, 0, 3, 5}};
    const bool is_minor = t == KNIGHT || t == BISHOP;
    const bool is_home = is_game(pos, VARIANT_CHESS) && square_relative_rank(c, s) == 0;
    return BY_RING[t][ring(s)] + (is_minor && is_home ? HOME : 0);
}

static int squares(const View *view, Color c)
{
    int sum = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++)
        for (Bitboard men = position_men(view->pos, c, t); men;)
            sum += square_value(view->pos, c, t, bit_pop(&men));
    return sum;
}

// A square is controlled by the side that attacks it more often. In Horde White's goal is space,
// which is this term; there it counts double for White.
static int control(const View *view, Color c)
{
    int count = 0;
    for (Square s = 0; s < 64; s++)
        count += view->attacks[c][s] > view->attacks[!c][s];
    return count * CONTROL * (is_game(view->pos, VARIANT_HORDE32) && c == WHITE ? 2 : 1);
}

// ---- The king ----

// Early: on its own back rank, and where there is castling on the squares it leads to.
static int sheltered_king(const Position *pos, Color c, Square s)
{
    static const int CASTLED[8] = {20, 20, 20, -5, 0, -5, 30, 20};
    const int rank = square_relative_rank(c, s);
    if (is_game(pos, VARIANT_LEGAN)) // home is the corner
        return max_int(-30, -6 * distance(s, c == WHITE ? H1 : A8));
    if (rank > 0)
        return rank == 1 ? -10 : -30;
    return pos->rules->has_castling ? CASTLED[square_file(s)] : 0;
}

// Late: where it has most moves; the corner, with three, is worst.
static int active_king(Square s)
{
    static const int BY_RING[4] = {-15, 5, 20, 30};
    const bool is_corner = bit_count(KING_ATTACKS[s]) == 3;
    return is_corner ? -30 : BY_RING[ring(s)];
}

static int king(const View *view, Color c)
{
    if (!position_has_king(view->pos, c))
        return 0;
    const Square s = position_king(view->pos, c);
    return view->is_ending ? active_king(s) : sheltered_king(view->pos, c, s);
}

// The nearer the enemy's pieces, the worse.
static int pressure(const View *view, Color c)
{
    const Position *pos = view->pos;
    if (!position_has_king(pos, c))
        return 0;
    const Square s = position_king(pos, c);
    int sum = 0;
    for (Bitboard men = pos->by_color[!c] & ~pos->by_type[PAWN] & ~pos->by_type[KING]; men;)
        sum -= 7 - distance(s, bit_pop(&men));
    return sum;
}

// ---- Pawns ----
// Pawns walk along lanes: files in chess, diagonals in Legan. Progress is counted along the lane.

enum { LANES = 15 };

typedef struct Pawns {
    int count[LANES];    // own pawns
    int furthest[LANES]; // the enemy pawn that is furthest ahead of us; -1: none
    int total;
} Pawns;

static int lane_of(const Position *pos, Square s)
{
    return is_game(pos, VARIANT_LEGAN) ? square_file(s) + square_rank(s) : square_file(s);
}

static int progress_of(const Position *pos, Color c, Square s)
{
    if (!is_game(pos, VARIANT_LEGAN))
        return square_relative_rank(c, s);
    const int progress = 7 - square_file(s) + square_rank(s); // up and to the left
    return c == WHITE ? progress : 14 - progress;
}

static Pawns look_at_pawns(const Position *pos, Color c)
{
    Pawns pawns = {.total = bit_count(position_men(pos, c, PAWN))};
    for (int lane = 0; lane < LANES; lane++)
        pawns.furthest[lane] = -1;
    for (Bitboard men = position_men(pos, c, PAWN); men;)
        pawns.count[lane_of(pos, bit_pop(&men))]++;
    for (Bitboard men = position_men(pos, !c, PAWN); men;) {
        const Square s = bit_pop(&men);
        int *furthest = &pawns.furthest[lane_of(pos, s)];
        *furthest = max_int(*furthest, progress_of(pos, c, s));
    }
    return pawns;
}

// The way a pawn has come. White's pawns hurry less in Horde; those of the fortress' wing more in
// Fortress, where the enemy has no fortress.
static int advance(const Position *pos, Color c, Square s)
{
    const int start = is_game(pos, VARIANT_LEGAN) ? 4 : 1;
    const int score = ADVANCE * (progress_of(pos, c, s) - start);
    if (is_game(pos, VARIANT_HORDE32))
        return score / 2;
    const bool is_wing = c == WHITE ? square_file(s) >= 5 : square_file(s) <= 2;
    return is_game(pos, VARIANT_FORTRESS) && is_wing ? 2 * score : score;
}

static bool is_enemy_pawn(const Position *pos, Color c, int square)
{
    return square >= 0 && square < 64 && pos->board[square] == piece_make(!c, PAWN);
}

// No enemy pawn ahead on the same lane (the document does not ask for the neighbouring ones).
static int passed_or_blocked(const View *view, Color c, Square s, const Pawns *pawns)
{
    const Position *pos = view->pos;
    if (pawns->furthest[lane_of(pos, s)] < progress_of(pos, c, s))
        return PASSED + (view->is_ending && view->attacks[c][s] ? COVERED_PASSED : 0);
    return is_enemy_pawn(pos, c, s + pos->rules->pawn_step[c]) ? BLOCKED : 0;
}

static int pawn(const View *view, Color c, Square s, const Pawns *pawns)
{
    const int lane = lane_of(view->pos, s);
    const bool has_left = lane > 0 && pawns->count[lane - 1];
    const bool has_right = lane < LANES - 1 && pawns->count[lane + 1];
    return advance(view->pos, c, s) + (has_left || has_right ? 0 : ISOLATED) +
           passed_or_blocked(view, c, s, pawns);
}

// A pawn of the horde: a little more for each rank, and a penalty, larger than any of that, when no
// other guards it.
static int horde_pawn(const View *view, Square s)
{
    const int rank = square_relative_rank(BLACK, s);
    return 1 + 9 * rank / 6 + (view->attacks[BLACK][s] ? 0 : UNPROTECTED);
}

static int pawns_of(const View *view, Color c)
{
    const Position *pos = view->pos;
    const bool is_horde = is_game(pos, VARIANT_HORDE32) && c == BLACK;
    const Pawns pawns = look_at_pawns(pos, c);
    int sum = 0;
    for (Bitboard men = position_men(pos, c, PAWN); men;) {
        const Square s = bit_pop(&men);
        sum += is_horde ? horde_pawn(view, s) : pawn(view, c, s, &pawns);
    }
    if (is_horde)
        return sum;
    for (int lane = 0; lane < LANES; lane++)
        sum += DOUBLED * max_int(0, pawns.count[lane] - 1);
    const int full = is_game(pos, VARIANT_FORTRESS) ? 11 : 8;
    return sum + (pawns.total == full ? FULL_SET : 0);
}

// ---- What variants add ----

static int heavy_on_rank_8(const Position *pos)
{
    const Bitboard heavy = position_men(pos, WHITE, ROOK) | position_men(pos, WHITE, QUEEN);
    return HEAVY_ON_RANK_8 * bit_count(heavy & RANK_8);
}

// The squares that a pawn of Legan still has to walk.
static Bitboard way_of(const Position *pos, Color c, Square s)
{
    Bitboard way = 0, at = square_bit(s);
    while ((at = bitboard_shift(at, pos->rules->pawn_step[c])))
        way |= at;
    return way;
}

// Pawns at an edge where they do not promote can only capture; bishops are good on the diagonals
// that enemy pawns walk.
static int legan(const Position *pos, Color c)
{
    int sum = 0;
    for (Bitboard men = position_men(pos, c, PAWN); men;)
        sum += way_of(pos, c, bit_pop(&men)) ? 0 : EDGE_PAWN;
    for (Bitboard bishops = position_men(pos, c, BISHOP); bishops;) {
        const Bitboard attacks = attacks_from(pos, bit_pop(&bishops));
        for (Bitboard men = position_men(pos, !c, PAWN); men;)
            sum += way_of(pos, !c, bit_pop(&men)) & attacks ? ON_PAWN_DIAGONAL : 0;
    }
    return sum;
}

// Half a pawn for every capture: in Massacre whoever has none has lost.
static int massacre(const Position *pos, Color c)
{
    int moves = 0;
    for (Bitboard men = pos->by_color[c]; men;)
        moves += bit_count(attacks_from(pos, bit_pop(&men)) & pos->by_color[!c]);
    return moves * MOVE;
}

static int special(const View *view, Color c)
{
    const Position *pos = view->pos;
    if (is_game(pos, VARIANT_LEGAN))
        return legan(pos, c);
    if (is_game(pos, VARIANT_HORDE32) && c == WHITE)
        return heavy_on_rank_8(pos);
    return is_game(pos, VARIANT_MASSACRE) ? massacre(pos, c) : 0;
}

// ---- The whole ----

static void terms_of(const View *view, Color c, int terms[D_TERM_COUNT])
{
    terms[D_MATERIAL] = material(view, c);
    terms[D_SPECIAL] = special(view, c);
    if (is_game(view->pos, VARIANT_MASSACRE)) // nothing positional there
        return;
    terms[D_PAIR] = bishop_pair(view, c);
    terms[D_SQUARES] = squares(view, c);
    terms[D_CONTROL] = control(view, c);
    terms[D_KING] = king(view, c);
    terms[D_PRESSURE] = pressure(view, c);
    terms[D_PAWNS] = pawns_of(view, c);
}

void d_terms(const Position *pos, int terms[2][D_TERM_COUNT])
{
    const bool is_massacre = is_game(pos, VARIANT_MASSACRE);
    View view = {.pos = pos, .is_ending = !is_massacre && d_is_ending(pos)};
    memset(terms, 0, 2 * sizeof terms[0]);
    if (!is_massacre)
        count_attacks(&view);
    terms_of(&view, WHITE, terms[WHITE]);
    terms_of(&view, BLACK, terms[BLACK]);
}

int d_evaluate(const Position *pos, bool is_positional)
{
    int terms[2][D_TERM_COUNT], score = 0;
    if (!is_positional) {
        const View view = {.pos = pos};
        return material(&view, pos->side) - material(&view, !pos->side);
    }
    d_terms(pos, terms);
    for (int t = 0; t < D_TERM_COUNT; t++)
        score += terms[pos->side][t] - terms[!pos->side][t];
    return score;
}
