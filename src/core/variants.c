// The games, one row each, and their numbered start positions.
#include "core/rules.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define RANK(n) (0xffull << 8 * ((n)-1))

// clang-format off
#define ORTHODOX_PAWNS                                                                   \
    .pawn_step = {8, -8}, .pawn_capture = {{7, 9}, {-9, -7}},                            \
    .pawn_double_from = {RANK(2), RANK(7)}, .promotion_zone = {RANK(8), RANK(1)}
#define ORTHODOX                                                                         \
    .is_orthodox = true, .has_king = {true, true}, .has_dead_draw = true, ORTHODOX_PAWNS, \
    .can_null_move = {true, true}, .can_quiesce = true, .can_use_tablebases = true

#define CHESS_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

const Rules VARIANTS[VARIANT_COUNT] = {
    [VARIANT_CHESS] = {
        .name = "chess", .title = "Chess",
        .summary = "Mate the enemy king.\n"
                   "Stalemate, threefold repetition and fifty moves without\n"
                   "capture or pawn move are draws.",
        .start = START_FIXED, .start_fen = CHESS_START, .has_castling = true, ORTHODOX,
    },
    [VARIANT_CHESS960] = {
        .name = "chess960", .title = "Chess960",
        .summary = "Chess from one of 960 shuffled back ranks, the same for both.\n"
                   "Castling ends on the usual squares: king on g or c,\n"
                   "rook on f or d, whatever they came from.",
        .start = START_CHESS960, .start_fen = CHESS_START, .has_castling = true, ORTHODOX,
    },
    [VARIANT_DOUBLE_CHESS960] = {
        .name = "doublechess960", .title = "Double Chess960",
        .summary = "Chess960 in which each side has a shuffle of its own:\n"
                   "921 600 starts.\n"
                   "Start n is White's number times 960 plus Black's.",
        .start = START_DOUBLE_CHESS960, .start_fen = CHESS_START, .has_castling = true, ORTHODOX,
    },
    [VARIANT_HORDE32] = {
        .name = "horde32", .title = "Horde",
        .summary = "White's army against 32 black pawns without a king.\n"
                   "White wins by taking every black man, Black by mate.\n"
                   "A side that cannot move (and is not in check) draws.",
        .start = START_FIXED,
        .start_fen = "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        .has_castling = true, .has_king = {true, false}, .bare_side_loses = true, ORTHODOX_PAWNS,
        .can_null_move = {true, false}, .can_quiesce = true,
    },
    [VARIANT_LEGAN] = {
        .name = "legan", .title = "Legan",
        .summary = "The armies stand in opposite corners. White's pawns step up-left\n"
                   "and take up or left; Black's step down-right and take down or right.\n"
                   "They promote on the four squares of each edge around the enemy corner.",
        .start = START_FIXED,
        .start_fen = "knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1",
        .has_king = {true, true}, .has_dead_draw = true,
        .pawn_step = {7, -7}, .pawn_capture = {{8, -1}, {-8, 1}},
        .promotion_zone = {0x0f01010100000000ull,   // a5 a6 a7 a8 b8 c8 d8
                           0x00000000808080f0ull},  // h4 h3 h2 h1 g1 f1 e1
        .can_null_move = {true, true}, .can_quiesce = true,
    },
    [VARIANT_CORNER] = {
        .name = "corner", .title = "Corner",
        .summary = "Kings in opposite corners (h1, a8), the other pieces shuffled,\n"
                   "Black's turned by half a circle: 360 starts.\n"
                   "No castling; all else as in chess.",
        .start = START_CORNER,
        .start_fen = "krbnnbrq/pppppppp/8/8/8/8/PPPPPPPP/QRBNNBRK w - - 0 1", ORTHODOX,
    },
    [VARIANT_FORTRESS] = {
        .name = "fortress", .title = "Fortress",
        .summary = "Corner with three more pawns a side before the king\n"
                   "(f3 g3 h3 and a6 b6 c6), which never step twice.\n"
                   "360 starts, no castling.",
        .start = START_FORTRESS,
        .start_fen = "krbnnbrq/pppppppp/ppp5/8/8/5PPP/PPPPPPPP/QRBNNBRK w - - 0 1", ORTHODOX,
    },
    [VARIANT_MASSACRE] = {
        .name = "massacre", .title = "Massacre",
        .summary = "Eight knights, bishops, rooks and queens a side fill the board at random.\n"
                   "Every move must take something.\n"
                   "Who cannot take has lost; there are no draws.",
        .start = START_MASSACRE,
        .start_fen = "rrrrrrrr/nnnnnnnn/bbbbbbbb/qqqqqqqq/QQQQQQQQ/BBBBBBBB/NNNNNNNN/RRRRRRRR w - - 0 1",
        .must_capture = true, .bare_side_loses = true, .no_move_loses = true, ORTHODOX_PAWNS,
    },
};
// clang-format on

const Rules *rules_find(const char *name)
{
    static const struct {
        const char *alias;
        int variant;
    } aliases[] = {
        {"standard", VARIANT_CHESS},
        {"normal", VARIANT_CHESS},
        {"fischerandom", VARIANT_CHESS960},
        {"fischerrandom", VARIANT_CHESS960},
        {"frc", VARIANT_CHESS960},
        {"dfrc", VARIANT_DOUBLE_CHESS960},
        {"doublefischerandom", VARIANT_DOUBLE_CHESS960},
        {"legan45", VARIANT_LEGAN},
        {"corner360", VARIANT_CORNER},
        {"fortress360", VARIANT_FORTRESS},
        {"massacre64", VARIANT_MASSACRE},
    };
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (!strcasecmp(name, VARIANTS[i].name))
            return &VARIANTS[i];
    for (unsigned i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcasecmp(name, aliases[i].alias))
            return &VARIANTS[aliases[i].variant];
    return NULL;
}

uint64_t rules_start_count(const Rules *rules)
{
    switch (rules->start) {
    case START_CHESS960: return 960;
    case START_DOUBLE_CHESS960: return 960 * 960;
    case START_CORNER:
    case START_FORTRESS: return 360;
    case START_MASSACRE: return 0;
    default: return 1;
    }
}

// Puts a man on the n-th free square (from the a-file) of a back rank.
static void place_free(char row[8], int n, char man)
{
    for (int i = 0; i < 8; i++)
        if (!row[i] && n-- == 0)
            row[i] = man;
}

// The n-th pair, in lexicographic order, of two different numbers below `count`.
static void nth_pair(int n, int count, int pair[2])
{
    for (pair[0] = 0; n >= count - 1 - pair[0]; pair[0]++)
        n -= count - 1 - pair[0];
    pair[1] = pair[0] + 1 + n;
}

// White's back rank of Chess960 by Scharnagl's number.
static void chess960_row(int n, char row[8])
{
    int pair[2];
    memset(row, 0, 8);
    row[n % 4 * 2 + 1] = 'B', n /= 4;
    row[n % 4 * 2] = 'B', n /= 4;
    place_free(row, n % 6, 'Q'), n /= 6;
    nth_pair(n, 5, pair);
    place_free(row, pair[1],
               'N'); // the later one first: the earlier keeps its place among the free
    place_free(row, pair[0], 'N');
    place_free(row, 0, 'R');
    place_free(row, 0, 'K');
    place_free(row, 0, 'R');
}

// White's back rank of Corner and Fortress: n = ((dark*3 + light)*5 + queen)*6 + rooks.
static void corner_row(int n, char row[8])
{
    int pair[2];
    memset(row, 0, 8);
    row[7] = 'K';
    row[n / 90 * 2] = 'B';
    row[n / 30 % 3 * 2 + 1] = 'B';
    place_free(row, n / 6 % 5, 'Q');
    nth_pair(n % 6, 4, pair);
    place_free(row, pair[1], 'R');
    place_free(row, pair[0], 'R');
    place_free(row, 0, 'N');
    place_free(row, 0, 'N');
}

// The same rank for Black, optionally read from the other end.
static void black_row(const char white[8], bool turned, char row[8])
{
    for (int i = 0; i < 8; i++)
        row[i] = (char)(white[turned ? 7 - i : i] + 'a' - 'A');
}

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

// All 64 men shuffled by a seed (Fisher-Yates from the top), men[0] on a1.
static void massacre_fen(uint64_t seed, char fen[FEN_SIZE])
{
    char men[64];
    for (int i = 0; i < 64; i++)
        men[i] = "NBRQnbrq"[i / 8];
    for (int i = 63; i > 0; i--) {
        int j = (int)(splitmix64(&seed) % (unsigned)(i + 1));
        char swap = men[i];
        men[i] = men[j], men[j] = swap;
    }
    char *out = fen;
    for (int rank = 7; rank >= 0; rank--) {
        memcpy(out, men + 8 * rank, 8);
        out += 8;
        *out++ = rank ? '/' : ' ';
    }
    strcpy(out, "w - - 0 1");
}

bool rules_start_fen(const Rules *rules, uint64_t number, char fen[FEN_SIZE], Error *error)
{
    char white[8], black[8];
    uint64_t count = rules_start_count(rules);
    if (rules->start != START_FIXED && count && number >= count)
        return error_code(error, "start-number",
                          "{game:%s} has start positions 0 to {most:%llu}, not {number:%llu}",
                          rules->title, (unsigned long long)count - 1, (unsigned long long)number);
    switch (rules->start) {
    case START_MASSACRE: massacre_fen(number, fen); return true;
    case START_CHESS960:
    case START_DOUBLE_CHESS960:
        chess960_row((int)(rules->start == START_CHESS960 ? number : number / 960), white);
        chess960_row((int)(number % 960), black);
        black_row(black, false, black);
        snprintf(fen, FEN_SIZE, "%.8s/pppppppp/8/8/8/8/PPPPPPPP/%.8s w KQkq - 0 1", black, white);
        return true;
    case START_CORNER:
    case START_FORTRESS:
        corner_row((int)number, white);
        black_row(white, true, black);
        snprintf(fen, FEN_SIZE, "%.8s/pppppppp/%s/8/8/%s/PPPPPPPP/%.8s w - - 0 1", black,
                 rules->start == START_FORTRESS ? "ppp5" : "8",
                 rules->start == START_FORTRESS ? "5PPP" : "8", white);
        return true;
    default: snprintf(fen, FEN_SIZE, "%s", rules->start_fen); return true;
    }
}
