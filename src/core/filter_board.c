// See filter_board.h.
#include "core/filter_board.h"

#include <string.h>

#include "core/fen.h"

enum {
    ANYTHING = (1 << (PIECE_COUNT + 1)) - 1,
    EMPTY = 1 << NO_PIECE,
    WHITE_MEN = 0x555,
    BLACK_MEN = 0xaaa,
};

static const char LETTERS[] = "PpNnBbRrQqKk"; // in the order of Piece

// The set of men that one letter of a pattern means; 0 for none.
static uint16_t letter_set(char letter)
{
    const char *at = letter ? strchr(LETTERS, letter) : NULL;
    switch (letter) {
    case '?': return ANYTHING;
    case '!': return WHITE_MEN | BLACK_MEN;
    case 'A': return WHITE_MEN;
    case 'a': return BLACK_MEN;
    case '_': return EMPTY;
    default: return at ? (uint16_t)(1 << (at - LETTERS)) : 0;
    }
}

// A set in brackets, [Qr_] or [^Qr]; `text` stands behind the bracket and moves behind the other.
static uint16_t read_set(const char **text)
{
    bool is_not = **text == '^';
    uint16_t set = 0;
    *text += is_not;
    for (; **text && **text != ']'; ++*text) {
        uint16_t one = letter_set(**text);
        if (!one)
            return 0;
        set |= one;
    }
    if (!**text)
        return 0;
    ++*text;
    return is_not ? ANYTHING & ~set : set;
}

static bool add_element(BoardPattern *pattern, int rank, uint16_t set)
{
    if (pattern->counts[rank] == BOARD_RANK_ELEMENTS)
        return false;
    pattern->elements[rank][pattern->counts[rank]++] = set;
    return true;
}

// How many squares a rank takes at least, and whether it can take more.
static int rank_squares(const BoardPattern *pattern, int rank, bool *has_star)
{
    int squares = 0;
    *has_star = false;
    for (int i = 0; i < pattern->counts[rank]; i++) {
        squares += pattern->elements[rank][i] != 0;
        *has_star = *has_star || !pattern->elements[rank][i];
    }
    return squares;
}

static bool refuse_rank(Error *error, int rank)
{
    return error_code(error, "filter-rank",
                      "pattern: rank {rank:%d} is not eight squares of PNBRQKpnbrqk, digits, "
                      "? ! A a _ [] and *",
                      8 - rank);
}

static bool read_rank(BoardPattern *pattern, int rank, const char **text, Error *error)
{
    bool has_star, ok = true;
    while (ok && **text && **text != '/' && **text != ' ') {
        char c = *(*text)++;
        uint16_t set = c == '[' ? read_set(text) : letter_set(c);
        if (c >= '1' && c <= '8')
            for (int i = 0; i < c - '0' && ok; i++)
                ok = add_element(pattern, rank, EMPTY);
        else
            ok = (set || c == '*') && add_element(pattern, rank, set);
    }
    int squares = rank_squares(pattern, rank, &has_star);
    return (ok && (has_star ? squares <= 8 : squares == 8)) || refuse_rank(error, rank);
}

// The next field, of at most `size` - 1 letters; "?" and none are empty.
static const char *read_field(const char *text, char *field, size_t size)
{
    size_t length = 0;
    while (*text == ' ')
        text++;
    for (; *text && *text != ' '; text++)
        if (length + 1 < size)
            field[length++] = *text;
    field[length] = 0;
    if (!strcmp(field, "?"))
        *field = 0;
    return text;
}

bool board_pattern_read(BoardPattern *pattern, const char *text, Error *error)
{
    char side[3];
    memset(pattern, 0, sizeof *pattern);
    for (int rank = 0; rank < 8; rank++) {
        if (rank && *text++ != '/')
            return error_code(error, "filter-ranks", "pattern: there are not eight ranks");
        if (!read_rank(pattern, rank, &text, error))
            return false;
    }
    if (*text == '/')
        return error_code(error, "filter-ranks", "pattern: there are not eight ranks");
    text = read_field(text, side, sizeof side);
    pattern->side = *side == 'w' ? WHITE : *side == 'b' ? BLACK : -1;
    if (*side && (pattern->side < 0 || side[1]))
        return error_code(error, "side-word", "side to move: '{text:%s}' is neither w nor b", side);
    read_field(text, pattern->castling, sizeof pattern->castling);
    return true;
}

// Do these elements fit the eight squares of a rank? After a star the shortest way on is tried
// first; a later star never needs an earlier one to be tried anew.
static bool fits(const uint16_t *elements, int count, const uint8_t *squares)
{
    int element = 0, square = 0, star = -1, resume = 0;
    while (square < 8) {
        if (element < count && !elements[element]) {
            star = ++element;
            resume = square;
        } else if (element < count && elements[element] >> squares[square] & 1) {
            element++, square++;
        } else if (star >= 0) {
            element = star;
            square = ++resume;
        } else {
            return false;
        }
    }
    while (element < count && !elements[element])
        element++;
    return element == count;
}

static bool has_castling(const BoardPattern *pattern, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    const char *field = strchr(strchr(fen, ' ') + 1, ' ') + 1;
    size_t size = strlen(pattern->castling);
    return !strncmp(field, pattern->castling, size) && field[size] == ' ';
}

bool board_pattern_matches(const BoardPattern *pattern, const Position *pos)
{
    if (pattern->side >= 0 && pattern->side != pos->side)
        return false;
    for (int rank = 0; rank < 8; rank++)
        if (!fits(pattern->elements[rank], pattern->counts[rank], pos->board + (7 - rank) * 8))
            return false;
    return !*pattern->castling || has_castling(pattern, pos);
}

// ---- men ----

static bool refuse_men(Error *error, const char *text)
{
    return error_code(error, "filter-men", "'{men:%.40s}' is not men like KRPKR, KRPvKR or KRP:KR",
                      text);
}

bool men_pattern_read(MenPattern *pattern, const char *text, bool is_least, Error *error)
{
    static const char MEN[] = "PNBRQK";
    int side = 0, kings = 0;
    memset(pattern, 0, sizeof *pattern);
    pattern->is_least = is_least;
    pattern->is_either_way = !strchr(text, ':');
    bool is_split = strchr(text, ':') || strchr(text, 'v') || strchr(text, '-');
    for (const char *p = text; *p; p++) {
        const char *man = strchr(MEN, *p);
        if (*p == ':' || *p == 'v' || *p == '-') {
            if (side++)
                return refuse_men(error, text);
            continue;
        }
        if (!man)
            return refuse_men(error, text);
        if (!is_split && *p == 'K')
            side = kings++; // the second king begins the other side
        if (side > 1 || pattern->men[side][man - MEN]++ > 60)
            return refuse_men(error, text);
    }
    return (side == 1 && *text) || refuse_men(error, text);
}

// Has `color` the men of a side of the pattern?
static bool has_men(const MenPattern *pattern, const Position *pos, int side, Color color)
{
    for (PieceType t = PAWN; t <= KING; t++) {
        int men = bit_count(position_men(pos, color, t)), wanted = pattern->men[side][t];
        if (men < wanted || (men > wanted && !pattern->is_least))
            return false;
    }
    return true;
}

bool men_pattern_matches(const MenPattern *pattern, const Position *pos)
{
    return (has_men(pattern, pos, 0, WHITE) && has_men(pattern, pos, 1, BLACK)) ||
           (pattern->is_either_way && has_men(pattern, pos, 0, BLACK) &&
            has_men(pattern, pos, 1, WHITE));
}
