// Reading and writing FEN. The reader is strict about what it cannot understand and forgiving about
// what it can repair: rights without a rook and en passant squares without a capture are dropped,
// missing last fields get their defaults. Whether the men may stand as they do is decided in
// playable.c.
#include "core/fen.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_FEN_TEXT = 512,    // longer text is no FEN, whatever its beginning says
    MAX_HALF_MOVES = 9999, // the half-move clock
    MAX_FULL_MOVES = 30000 // so that the ply, and a long game behind it, fit 16 bits
};

static const char PIECE_LETTERS[] = "PpNnBbRrQqKk"; // indexed by Piece

// One field of the text: not terminated, empty at the end.
typedef struct Field {
    const char *text;
    int size;
} Field;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static Field next_field(const char **cursor)
{
    const char *p = *cursor;
    while (is_blank(*p))
        p++;
    Field field = {p, 0};
    while (*p && !is_blank(*p))
        p++;
    field.size = (int)(p - field.text);
    *cursor = p;
    return field;
}

static bool field_is(Field field, const char *text)
{
    return field.size == (int)strlen(text) && !memcmp(field.text, text, (size_t)field.size);
}

// A character as an error text may show it.
static char printable(char c)
{
    return c >= ' ' && c < 127 ? c : '?';
}

static bool read_board(Position *pos, Field field, Error *error)
{
    int rank = 7, file = 0;
    for (int i = 0; i < field.size; i++) {
        char c = field.text[i];
        const char *letter = strchr(PIECE_LETTERS, c);
        if (c == '/') {
            if (file != 8)
                return error_code(error, "rank-squares",
                                  "board: rank {rank:%d} has {squares:%d} squares, not 8", rank + 1,
                                  file);
            if (rank == 0)
                return error_code(error, "ranks-many", "board: more than 8 ranks");
            rank--;
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (letter && file < 8) {
            position_put(pos, (Piece)(letter - PIECE_LETTERS), square_make(file++, rank));
        } else if (letter) {
            file++;
        } else {
            return error_code(error, "piece-unknown",
                              "board: '{letter:%c}' on rank {rank:%d} is no piece", printable(c),
                              rank + 1);
        }
        if (file > 8)
            return error_code(error, "rank-long", "board: rank {rank:%d} has more than 8 squares",
                              rank + 1);
    }
    if (rank != 0)
        return error_code(error, "ranks-few", "board: {ranks:%d} ranks, not 8", 8 - rank);
    if (file != 8)
        return error_code(error, "rank-squares",
                          "board: rank {rank:1} has {squares:%d} squares, not 8", file);
    return true;
}

static bool is_chess960(const Rules *rules)
{
    return rules->start == START_CHESS960 || rules->start == START_DOUBLE_CHESS960;
}

static Bitboard back_rank(Color c)
{
    return c == WHITE ? RANK_1 : RANK_8;
}

// The rook that a castling letter means, or no bit; K and Q mean the outermost on that side of the
// king.
static Bitboard castling_rook(const Position *pos, Color c, char upper)
{
    Bitboard king = position_men(pos, c, KING) & back_rank(c);
    Bitboard rooks = position_men(pos, c, ROOK) & back_rank(c);
    if (!king || bit_many(king))
        return 0;
    if (upper == 'K') {
        rooks &= ~(king | (king - 1));
        return rooks ? square_bit(bit_last(rooks)) : 0;
    }
    if (upper == 'Q') {
        rooks &= king - 1;
        return rooks ? square_bit(bit_first(rooks)) : 0;
    }
    return rooks & file_bits(upper - 'A');
}

// Chess itself castles only from the e-file with a rook in the corner. Rights left over in the
// usual letters are dropped; file letters that cannot be meant for chess are refused, lest a
// Chess960 game lose its castling.
static bool is_corner_castling(const Position *pos, Color c, Bitboard rook)
{
    return position_men(pos, c, KING) & file_bits(4) && rook & (FILE_A | FILE_H);
}

static bool read_castling(Position *pos, Field field, Error *error)
{
    Bitboard seen = 0;
    if (field.size == 0 || field_is(field, "-"))
        return true;
    for (int i = 0; i < field.size; i++) {
        char letter = field.text[i];
        Color c = letter >= 'a' ? BLACK : WHITE;
        char upper = (char)(c == BLACK ? letter - 'a' + 'A' : letter);
        if (!((upper >= 'A' && upper <= 'H') || upper == 'K' || upper == 'Q'))
            return error_code(error, "castling-letter",
                              "castling: '{letter:%c}' is no castling right", printable(letter));
        for (int j = 0; j < i; j++)
            if (field.text[j] == letter)
                return error_code(error, "castling-twice", "castling: '{letter:%c}' stands twice",
                                  letter);
        Bitboard rook = castling_rook(pos, c, upper);
        if (!rook || !pos->rules->has_castling || !pos->rules->has_king[c])
            continue;
        if (rook & seen)
            return error_code(error, "castling-rook",
                              "castling: '{letter:%c}' names a rook for the second time", letter);
        seen |= rook;
        if (!is_chess960(pos->rules) && !is_corner_castling(pos, c, rook)) {
            if (upper == 'K' || upper == 'Q')
                continue;
            return error_code(error, "castling-foreign",
                              "castling: '{letter:%c}' is a right of Chess960, not of this game",
                              letter);
        }
        Bitboard king = position_men(pos, c, KING), mine = pos->state.castling & back_rank(c);
        Bitboard same_side = rook > king ? mine & ~(king - 1) : mine & (king - 1);
        if (same_side)
            return error_code(error, "castling-side",
                              "castling: '{letter:%c}' is a second right on the same side", letter);
        pos->state.castling |= rook;
    }
    return true;
}

// True if the other side's last move can have been a double step over the square.
static bool is_stepped_over(const Position *pos, Square over)
{
    Color enemy = !pos->side;
    int step = pos->rules->pawn_step[enemy];
    if (step != NORTH && step != SOUTH)
        return false;
    if (square_rank(over) != (enemy == WHITE ? 2 : 5))
        return false;
    Square from = over - step, to = over + step;
    return pos->board[to] == piece_make(enemy, PAWN) && pos->board[over] == NO_PIECE &&
           pos->board[from] == NO_PIECE && pos->rules->pawn_double_from[enemy] & square_bit(from);
}

static bool read_en_passant(Position *pos, Field field, Error *error)
{
    if (field.size == 0 || field_is(field, "-"))
        return true;
    if (field.size != 2 || field.text[0] < 'a' || field.text[0] > 'h' ||
        (field.text[1] != '3' && field.text[1] != '6'))
        return error_code(error, "en-passant",
                          "en passant: '{text:%.*s}' is neither - nor a square of rank 3 or 6",
                          field.size > 16 ? 16 : field.size, field.text);
    Square over = square_make(field.text[0] - 'a', field.text[1] - '1');
    if (is_stepped_over(pos, over))
        pos->state.en_passant = (uint8_t)over;
    return true;
}

static bool read_counter(Field field, const char *name, int limit, int *value, Error *error)
{
    if (field.size == 0)
        return true;
    int n = 0;
    for (int i = 0; i < field.size; i++) {
        if (field.text[i] < '0' || field.text[i] > '9')
            return error_code(error, "counter-word", "{field:%s}: '{text:%.*s}' is no number", name,
                              field.size > 16 ? 16 : field.size, field.text);
        n = n * 10 + field.text[i] - '0';
        if (n > limit)
            return error_code(error, "counter-large", "{field:%s}: more than {most:%d}", name,
                              limit);
    }
    *value = n;
    return true;
}

// Reads all fields; `may_stand` judges the men before position_finish, which relies on kings being
// where the rules want them.
static bool read_fen(Position *pos, const Rules *rules, const char *fen,
                     bool (*may_stand)(const Position *, Error *), Error *error)
{
    size_t length = 0; // by hand: gcc warns of strnlen where it can see a short constant text
    while (length <= MAX_FEN_TEXT && fen[length])
        length++;
    if (length > MAX_FEN_TEXT)
        return error_code(error, "fen-long", "FEN: longer than {most:%d} characters", MAX_FEN_TEXT);
    Position p;
    position_clear(&p, rules);
    const char *cursor = fen;
    Field board = next_field(&cursor), side = next_field(&cursor), castling = next_field(&cursor);
    Field en_passant = next_field(&cursor), half = next_field(&cursor), full = next_field(&cursor);
    if (board.size == 0)
        return error_code(error, "fen-empty", "FEN: empty");
    if (!read_board(&p, board, error))
        return false;
    if (!field_is(side, "w") && !field_is(side, "b"))
        return side.size ? error_code(error, "side-word",
                                      "side to move: '{text:%.*s}' is neither w nor b",
                                      side.size > 16 ? 16 : side.size, side.text)
                         : error_code(error, "side-missing", "side to move: missing");
    p.side = side.text[0] == 'b' ? BLACK : WHITE;
    int half_moves = 0, full_moves = 1;
    if (!read_castling(&p, castling, error) || !read_en_passant(&p, en_passant, error) ||
        !read_counter(half, "half-move clock", MAX_HALF_MOVES, &half_moves, error) ||
        !read_counter(full, "move number", MAX_FULL_MOVES, &full_moves, error))
        return false;
    p.state.fifty = (uint16_t)half_moves;
    p.ply = (uint16_t)((full_moves > 0 ? full_moves - 1 : 0) * 2 + p.side);
    if (!may_stand(&p, error))
        return false;
    position_finish(&p);
    *pos = p;
    return true;
}

bool position_from_fen(Position *pos, const Rules *rules, const char *fen, Error *error)
{
    return read_fen(pos, rules, fen, position_is_playable, error);
}

bool position_set_up(Position *pos, const Rules *rules, const char *fen, Error *error)
{
    return read_fen(pos, rules, fen, position_is_sound, error);
}

static char *write_board(const Position *pos, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            Piece piece = pos->board[square_make(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = PIECE_LETTERS[piece];
        }
        if (empty)
            *out++ = (char)('0' + empty);
        if (rank)
            *out++ = '/';
    }
    return out;
}

static char castling_letter(const Position *pos, Color c, Square rook, FenStyle style)
{
    char letter = (char)('A' + square_file(rook));
    bool kingside = rook > position_king(pos, c);
    // K and Q mean the outermost rook; an inner one is named by its file.
    if (style == FEN_XFEN && castling_rook(pos, c, kingside ? 'K' : 'Q') == square_bit(rook))
        letter = kingside ? 'K' : 'Q';
    return (char)(c == BLACK ? letter - 'A' + 'a' : letter);
}

static char *write_castling(const Position *pos, FenStyle style, char *out)
{
    if (!pos->state.castling)
        *out++ = '-';
    for (Color c = WHITE; c <= BLACK; c++) {
        Bitboard rooks = pos->state.castling & back_rank(c);
        while (rooks) { // from the h-file to the a-file: KQ, HA
            Square rook = bit_last(rooks);
            rooks ^= square_bit(rook);
            *out++ = castling_letter(pos, c, rook, style);
        }
    }
    return out;
}

void position_to_fen(const Position *pos, FenStyle style, char fen[FEN_SIZE])
{
    char *out = write_board(pos, fen);
    *out++ = ' ';
    *out++ = pos->side == WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(pos, style, out);
    *out++ = ' ';
    if (pos->state.en_passant == NO_SQUARE) {
        *out++ = '-';
    } else {
        *out++ = (char)('a' + square_file(pos->state.en_passant));
        *out++ = (char)('1' + square_rank(pos->state.en_passant));
    }
    snprintf(out, (size_t)(fen + FEN_SIZE - out), " %d %d", pos->state.fifty, pos->ply / 2 + 1);
}
