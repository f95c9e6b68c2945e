// See patterns.h. A row claims only what tables confirm in each position with those men
// (tests/test_patterns.c); where it is not sure it says nothing.
#include "engine/patterns.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "engine/score.h"

enum { WON = 600 }; // at least so much is a win by a pawn worth, before the pawn's rank counts

static int distance(Square a, Square b)
{
    return max_int(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)));
}

// A square as `c` sees it: its own back rank is rank 0.
static Square seen_by(Color c, Square s)
{
    return c == WHITE ? s : s ^ 56;
}

static bool is_dark(Square s)
{
    return DARK_SQUARES >> s & 1;
}

// --- king and pawn against king ----------------------------------------------------------------

// For the side to move, the white pawn (files a to d) and the white king: where the black king
// stands when White wins.
static Bitboard PAWN_WINS[2][24][64];

static int pawn_index(Square pawn)
{
    return square_file(pawn) + 4 * (square_rank(pawn) - 1);
}

// All squares that a king on one of these can go to.
static Bitboard king_steps(Bitboard kings)
{
    Bitboard beside = (kings & ~FILE_H) << 1 | (kings & ~FILE_A) >> 1;
    return beside | (kings | beside) << 8 | (kings | beside) >> 8;
}

// Black kings after a step of the pawn to `goal` for which White wins: promoted, unless it is
// taken at once; else as the table has it.
static Bitboard wins_by_step(Square goal, Square king)
{
    bool is_safe = distance(goal, king) == 1;
    if (square_rank(goal) == 7)
        return ~square_bit(goal) & (is_safe ? ~0ull : ~KING_ATTACKS[goal]);
    return PAWN_WINS[BLACK][pawn_index(goal)][king] & ~square_bit(goal);
}

static Bitboard white_wins(Square pawn, Square king)
{
    Bitboard won = 0;
    for (Bitboard goals = KING_ATTACKS[king] & ~square_bit(pawn); goals;) {
        Square goal = bit_pop(&goals);
        won |= PAWN_WINS[BLACK][pawn_index(pawn)][goal] & ~KING_ATTACKS[goal] & ~square_bit(goal);
    }
    if (king == pawn + 8)
        return won;
    won |= wins_by_step(pawn + 8, king);
    if (square_rank(pawn) == 1 && king != pawn + 16)
        won |= wins_by_step(pawn + 16, king) & ~square_bit(pawn + 8);
    return won;
}

static Bitboard black_loses(Square pawn, Square king)
{
    Bitboard guarded = KING_ATTACKS[king] | PAWN_ATTACKS[WHITE][pawn];
    Bitboard open = ~(guarded | square_bit(king) | square_bit(pawn));
    Bitboard taken = square_bit(pawn) & ~KING_ATTACKS[king]; // if the pawn has no guard
    Bitboard holds = (open & ~PAWN_WINS[WHITE][pawn_index(pawn)][king]) | taken;
    Bitboard stuck = ~king_steps(open | taken) & ~PAWN_ATTACKS[WHITE][pawn]; // stalemate
    return ~king_steps(holds) & ~stuck;
}

// Adds what follows from what is known of the same pawn; true if that was anything.
static bool grow_wins(Square pawn)
{
    bool has_grown = false;
    for (Square king = 0; king < 64; king++) {
        if (king == pawn)
            continue;
        Bitboard *white = &PAWN_WINS[WHITE][pawn_index(pawn)][king];
        Bitboard *black = &PAWN_WINS[BLACK][pawn_index(pawn)][king];
        Bitboard for_white = white_wins(pawn, king);
        has_grown |= (for_white & ~*white) != 0;
        *white |= for_white;
        Bitboard for_black = black_loses(pawn, king);
        has_grown |= (for_black & ~*black) != 0;
        *black |= for_black;
    }
    return has_grown;
}

static void fill_pawn_wins(void)
{
    for (int rank = 6; rank > 0; rank--)
        for (int file = 0; file < 4; file++)
            while (grow_wins(square_make(file, rank)))
                ;
}

void patterns_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_pawn_wins);
}

static PatternVerdict judge_pawn(const Position *pos, Color strong)
{
    Square pawn = seen_by(strong, bit_first(pos->by_type[PAWN]));
    Square ours = seen_by(strong, position_king(pos, strong));
    Square theirs = seen_by(strong, position_king(pos, !strong));
    int mirror = square_file(pawn) > 3 ? 7 : 0;
    Bitboard won = PAWN_WINS[pos->side != strong][pawn_index(pawn ^ mirror)][ours ^ mirror];
    return won & square_bit(theirs ^ mirror) ? PATTERN_WIN : PATTERN_DRAW;
}

// --- other draws -------------------------------------------------------------------------------

// Pawns on one rook's file, at most with bishops that do not see its last square: a king that has
// got there is not driven away.
static PatternVerdict judge_rook_pawns(const Position *pos, Color strong)
{
    Bitboard pawns = pos->by_type[PAWN], bishops = pos->by_type[BISHOP];
    if (!pawns || ((pawns & ~FILE_A) && (pawns & ~FILE_H)))
        return PATTERN_UNKNOWN;
    Square corner = seen_by(strong, pawns & FILE_A ? 56 : 63);
    if (bishops & (is_dark(corner) ? DARK_SQUARES : ~DARK_SQUARES))
        return PATTERN_UNKNOWN;
    return distance(position_king(pos, !strong), corner) <= 1 ? PATTERN_DRAW : PATTERN_UNKNOWN;
}

// Bishops that all stand on squares of one colour cannot mate.
static PatternVerdict judge_bishops(const Position *pos, Color strong)
{
    Bitboard bishops = pos->by_type[BISHOP];
    (void)strong;
    return !(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES) ? PATTERN_DRAW : PATTERN_UNKNOWN;
}

// A knight and a rook's pawn on the seventh rank against a king in the corner: whoever helps the
// pawn stalemates. (A king that is there already may mate.) The pawn must not promote guarded.
static PatternVerdict judge_knight_pawn(const Position *pos, Color strong)
{
    Square pawn = seen_by(strong, bit_first(pos->by_type[PAWN])), corner = pawn + 8;
    Square knight = seen_by(strong, bit_first(pos->by_type[KNIGHT]));
    Square king = seen_by(strong, position_king(pos, !strong));
    Square ours = seen_by(strong, position_king(pos, strong));
    if (square_rank(pawn) != 6 || !(square_bit(pawn) & (FILE_A | FILE_H)))
        return PATTERN_UNKNOWN;
    bool is_guarded = king != corner && KNIGHT_ATTACKS[knight] & square_bit(corner);
    return distance(king, corner) <= 1 && distance(ours, corner) > 2 && !is_guarded
               ? PATTERN_DRAW
               : PATTERN_UNKNOWN;
}

// --- a piece against a pawn --------------------------------------------------------------------

// Is the pawn of the weak side so near, with its king beside it, that the strong king comes late?
// `need` is how far from its last square that king must be when its side is to move.
static bool is_king_late(const Position *pos, Color strong, int need)
{
    Square pawn = bit_first(pos->by_type[PAWN]);
    Square last = square_make(square_file(pawn), strong == WHITE ? 0 : 7);
    Square king = position_king(pos, !strong);
    bool is_blocked = file_bits(square_file(pawn)) & pos->by_color[strong] & ~pos->by_type[KING];
    return !is_blocked && distance(king, pawn) == 1 &&
           (distance(pawn, last) > 1 || distance(king, last) <= 1) &&
           distance(position_king(pos, strong), last) >= need - (pos->side != strong);
}

// Half-moves of the pawn to its last square, a double step not counted.
static int steps_left(const Position *pos, Color strong)
{
    return square_rank(seen_by(strong, bit_first(pos->by_type[PAWN])));
}

static PatternVerdict judge_rook_against_pawn(const Position *pos, Color strong)
{
    int steps = steps_left(pos, strong);
    return steps <= 2 && is_king_late(pos, strong, 4 + steps) ? PATTERN_NO_WIN : PATTERN_UNKNOWN;
}

// Only a bishop's pawn on the seventh rank, where stalemate helps.
static PatternVerdict judge_queen_against_pawn(const Position *pos, Color strong)
{
    int file = square_file(bit_first(pos->by_type[PAWN]));
    return steps_left(pos, strong) == 1 && (file == 2 || file == 5) && is_king_late(pos, strong, 6)
               ? PATTERN_NO_WIN
               : PATTERN_UNKNOWN;
}

// Unless the pawn takes its own king's last square in the corner.
static PatternVerdict judge_minor_against_pawn(const Position *pos, Color strong)
{
    (void)strong;
    return pos->by_type[PAWN] & (FILE_A | FILE_H) ? PATTERN_UNKNOWN : PATTERN_NO_WIN;
}

// --- opposite bishops ---------------------------------------------------------------------------

// Bishops of opposite colours: a king in front of the only pawn, on a square that the other bishop
// never sees, stays there while its own bishop makes the moves.
static PatternVerdict judge_opposite_bishops(const Position *pos, Color strong)
{
    Square pawn = bit_first(pos->by_type[PAWN]), king = position_king(pos, !strong);
    Square ours = bit_first(position_men(pos, strong, BISHOP));
    Square theirs = bit_first(position_men(pos, !strong, BISHOP));
    bool is_attacked = square_bit(theirs) &
                       (KING_ATTACKS[position_king(pos, strong)] | PAWN_ATTACKS[strong][pawn]);
    return is_dark(ours) != is_dark(theirs) && is_dark(king) != is_dark(ours) && !is_attacked &&
                   square_file(king) == square_file(pawn) &&
                   seen_by(strong, king) > seen_by(strong, pawn)
               ? PATTERN_NO_WIN
               : PATTERN_UNKNOWN;
}

// --- the rows ----------------------------------------------------------------------------------

// Men beside the king, four bits for each kind.
#define MEN(pawns, knights, bishops, rooks, queens)                                                \
    ((pawns) | (knights) << 4 | (bishops) << 8 | (rooks) << 12 | (queens) << 16)
enum { ANY_PAWNS = MEN(15, 0, 0, 0, 0), ANY_BISHOPS = MEN(0, 0, 15, 0, 0) };

typedef struct Pattern {
    const char *name;
    int strong, weak; // men beside the kings
    int any;          // kinds of which the strong side may have any number
    PatternVerdict (*judge)(const Position *pos, Color strong);
} Pattern;

static const Pattern PATTERNS[] = {
    {"king and pawn", MEN(1, 0, 0, 0, 0), 0, 0, judge_pawn},
    {"bishops of one colour", 0, 0, ANY_BISHOPS, judge_bishops},
    {"rook's pawns", 0, 0, ANY_PAWNS | ANY_BISHOPS, judge_rook_pawns},
    {"knight and rook's pawn", MEN(1, 1, 0, 0, 0), 0, 0, judge_knight_pawn},
    {"rook against pawn", MEN(0, 0, 0, 1, 0), MEN(1, 0, 0, 0, 0), 0, judge_rook_against_pawn},
    {"queen against pawn", MEN(0, 0, 0, 0, 1), MEN(1, 0, 0, 0, 0), 0, judge_queen_against_pawn},
    {"opposite bishops", MEN(1, 0, 1, 0, 0), MEN(0, 0, 1, 0, 0), 0, judge_opposite_bishops},
    {"bishop against pawn", MEN(0, 0, 1, 0, 0), MEN(1, 0, 0, 0, 0), 0, judge_minor_against_pawn},
    {"knight against pawn", MEN(0, 1, 0, 0, 0), MEN(1, 0, 0, 0, 0), 0, judge_minor_against_pawn},
};

static int men_of(const Position *pos, Color c)
{
    int men = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        men |= bit_count(position_men(pos, c, t)) << 4 * (t - PAWN);
    return men;
}

PatternFound patterns_find(const Position *pos)
{
    const int men[2] = {men_of(pos, WHITE), men_of(pos, BLACK)};
    for (size_t i = 0; i < sizeof PATTERNS / sizeof *PATTERNS; i++)
        for (Color c = WHITE; c <= BLACK; c++) {
            const Pattern *p = &PATTERNS[i];
            if (men[c] && (men[c] & ~p->any) == p->strong && men[!c] == p->weak)
                return (PatternFound){p->judge(pos, c), c, p->name};
        }
    return (PatternFound){.verdict = PATTERN_UNKNOWN};
}

int patterns_correct(const Position *pos, int value)
{
    PatternFound found = patterns_find(pos);
    bool is_ours = found.strong == pos->side;
    int worth; // of a win
    switch (found.verdict) {
    case PATTERN_UNKNOWN: return value;
    case PATTERN_DRAW: return SCORE_DRAW;
    case PATTERN_NO_WIN: return is_ours ? min_int(value, SCORE_DRAW) : max_int(value, SCORE_DRAW);
    case PATTERN_WIN:
        worth = WON + 20 * square_rank(seen_by(found.strong, bit_first(pos->by_type[PAWN])));
        return is_ours ? max_int(value, worth) : min_int(value, -worth);
    }
    return value;
}
