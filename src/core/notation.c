// Moves as text. Reading is lenient in form and strict in meaning: a text that fits no legal move,
// or two, is refused with the reason. Moves are found from the target square backwards, by attack
// tables; no list of moves is made, so a game file is checked at some million moves a second.
#include "core/notation.h"

#include <stdio.h>
#include <string.h>

#include "core/movegen.h"

static const char TYPE_LETTERS[] = "PNBRQK";
static const char *const TYPE_NAMES[TYPE_COUNT] = {"pawn", "knight", "bishop",
                                                   "rook", "queen",  "king"};

// ---- both ways
// -------------------------------------------------------------------------------------

static bool is_playable_move(const Position *pos, Move move)
{
    return move_is_pseudo_legal(pos, move) && move_is_legal(pos, move);
}

static Square castle_goal(Move move)
{
    Square king = move_from(move), rook = move_to(move);
    return square_make(rook > king ? 6 : 2, square_rank(king));
}

// The castling move with a rook of the side to move, legal or not.
static Move castle_with(const Position *pos, Square rook)
{
    return move_make(position_king(pos, pos->side), rook, KIND_CASTLE);
}

// The castling move to one side, or MOVE_NONE where the right is gone.
static Move castle_to_side(const Position *pos, bool kingside)
{
    if (!position_has_king(pos, pos->side))
        return MOVE_NONE;
    Square king = position_king(pos, pos->side);
    Bitboard rooks = pos->state.castling & pos->by_color[pos->side];
    rooks &= kingside ? ~(square_bit(king) - 1) : square_bit(king) - 1;
    return rooks ? castle_with(pos, bit_first(rooks)) : MOVE_NONE;
}

// The kind of a move of a piece (not a pawn, not castling).
static Move piece_move(const Position *pos, Square from, Square to)
{
    return move_make(from, to, pos->board[to] == NO_PIECE ? KIND_QUIET : KIND_CAPTURE);
}

// ---- writing
// ---------------------------------------------------------------------------------------

static char *write_square(char *out, Square s)
{
    *out++ = (char)('a' + square_file(s));
    *out++ = (char)('1' + square_rank(s));
    return out;
}

// The file, the rank or both of the square a man comes from, as far as others of its kind could go
// there too.
static char *write_origin(const Position *pos, Move move, char *out)
{
    Square from = move_from(move), to = move_to(move);
    PieceType type = piece_type(pos->board[from]);
    Bitboard others =
        piece_attacks(type, to, position_occupied(pos)) & position_men(pos, pos->side, type);
    others &= ~square_bit(from);
    bool is_ambiguous = false, same_file = false, same_rank = false;
    while (others) {
        Square other = bit_pop(&others);
        if (!is_playable_move(pos, piece_move(pos, other, to)))
            continue;
        is_ambiguous = true;
        same_file |= square_file(other) == square_file(from);
        same_rank |= square_rank(other) == square_rank(from);
    }
    if (is_ambiguous && (!same_file || same_rank))
        *out++ = (char)('a' + square_file(from));
    if (is_ambiguous && same_file)
        *out++ = (char)('1' + square_rank(from));
    return out;
}

static char *write_check(const Position *pos, Move move, char *out)
{
    if (!position_gives_check(pos, move))
        return out;
    Position after = *pos;
    Undo undo;
    position_make(&after, move, &undo);
    *out++ = movegen_any(&after) ? '+' : '#';
    return out;
}

void move_to_san(const Position *pos, Move move, char text[MOVE_TEXT_SIZE])
{
    char *out = text;
    Square from = move_from(move);
    PieceType type = piece_type(pos->board[from]);
    if (move_is_castle(move)) {
        const char *castle = move_to(move) > from ? "O-O" : "O-O-O";
        out = (char *)memcpy(out, castle, strlen(castle)) + strlen(castle);
    } else {
        if (type != PAWN) {
            *out++ = TYPE_LETTERS[type];
            out = write_origin(pos, move, out);
        } else if (move_is_capture(move)) {
            *out++ = (char)('a' + square_file(from));
        }
        if (move_is_capture(move))
            *out++ = 'x';
        out = write_square(out, move_to(move));
        if (move_is_promotion(move)) {
            *out++ = '=';
            *out++ = TYPE_LETTERS[move_promotion(move)];
        }
    }
    *write_check(pos, move, out) = 0;
}

void move_to_long(const Position *pos, Move move, char text[MOVE_TEXT_SIZE])
{
    char *out = text;
    PieceType type = piece_type(pos->board[move_from(move)]);
    if (move_is_castle(move)) {
        move_to_san(pos, move, text);
        return;
    }
    if (type != PAWN)
        *out++ = TYPE_LETTERS[type];
    out = write_square(out, move_from(move));
    *out++ = move_is_capture(move) ? 'x' : '-';
    out = write_square(out, move_to(move));
    if (move_is_promotion(move)) {
        *out++ = '=';
        *out++ = TYPE_LETTERS[move_promotion(move)];
    }
    *write_check(pos, move, out) = 0;
}

// King to goal is unmistakable only from the e-file with the rook in the corner, as in chess.
static bool is_chess_castling(Move move)
{
    int rook_file = square_file(move_to(move));
    return square_file(move_from(move)) == 4 && (rook_file == 0 || rook_file == 7);
}

void move_to_uci(const Position *pos, Move move, bool chess960, char text[MOVE_TEXT_SIZE])
{
    (void)pos;
    if (move == MOVE_NONE) {
        memcpy(text, "0000", 5);
        return;
    }
    Square to = move_to(move);
    if (move_is_castle(move) && !chess960 && is_chess_castling(move))
        to = castle_goal(move);
    char *out = write_square(write_square(text, move_from(move)), to);
    if (move_is_promotion(move))
        *out++ = (char)(TYPE_LETTERS[move_promotion(move)] - 'A' + 'a');
    *out = 0;
}

// ---- reading coordinates
// ---------------------------------------------------------------------------

// The one move, legal or not, that two squares and a promotion (NO_TYPE for none) can mean.
static Move move_from_squares(const Position *pos, Square from, Square to, PieceType promotion)
{
    Piece piece = pos->board[from];
    if (piece == NO_PIECE || piece_color(piece) != pos->side)
        return MOVE_NONE;
    if (piece_type(piece) == KING && promotion == NO_TYPE) {
        // King onto own rook; or two squares or more to its goal, which no other king's move is.
        if (pos->board[to] == piece_make(pos->side, ROOK))
            return castle_with(pos, to);
        int distance = square_file(to) - square_file(from);
        bool is_far = distance > 1 || distance < -1;
        if (is_far && (square_file(to) == 2 || square_file(to) == 6)) {
            Move castle = castle_to_side(pos, distance > 0);
            return castle && castle_goal(castle) == to ? castle : MOVE_NONE;
        }
    }
    if (piece_type(piece) != PAWN)
        return promotion == NO_TYPE ? piece_move(pos, from, to) : MOVE_NONE;
    bool promotes = pos->rules->promotion_zone[pos->side] & square_bit(to);
    if (promotes != (promotion != NO_TYPE))
        return MOVE_NONE;
    int kind = promotes ? KIND_PROMOTION + (promotion - KNIGHT) : KIND_QUIET;
    if (pos->board[to] != NO_PIECE)
        return move_make(from, to, kind | KIND_CAPTURE);
    if (to == pos->state.en_passant && square_file(to) != square_file(from))
        return move_make(from, to, KIND_EN_PASSANT);
    if (to - from == 2 * pos->rules->pawn_step[pos->side])
        return move_make(from, to, KIND_DOUBLE_STEP);
    return move_make(from, to, kind);
}

static bool is_square_text(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

static Square square_from_text(const char *text)
{
    return square_make(text[0] - 'a', text[1] - '1');
}

// The piece of a promotion letter, or NO_TYPE.
static PieceType promotion_type(char letter)
{
    switch (letter) {
    case 'q': return QUEEN;
    case 'r': return ROOK;
    case 'b': return BISHOP;
    case 'n': return KNIGHT;
    default: return NO_TYPE;
    }
}

static Move refuse(Error *error, const char *code, const char *text, const char *why)
{
    error_code(error, code, "'{move:%.24s}' %s", text, why);
    return MOVE_NONE;
}

// Says why a move that two squares mean cannot be played.
static Move refuse_squares(const Position *pos, Square from, Move move, const char *text,
                           Error *error)
{
    Piece piece = pos->board[from];
    if (piece == NO_PIECE)
        return refuse(error, "move-from-empty", text, "is illegal: no man stands there");
    if (piece_color(piece) != pos->side)
        return refuse(error, "move-not-yours", text, "is illegal: that man is not yours to move");
    if (move && move_is_pseudo_legal(pos, move))
        return refuse(error, "move-exposes", text, "is illegal: it leaves the king in check");
    return refuse(error, "move-illegal", text, "is illegal");
}

Move move_from_uci(const Position *pos, const char *text, Error *error)
{
    size_t size = strnlen(text, 6);
    if (size < 4 || size > 5 || !is_square_text(text) || !is_square_text(text + 2))
        return refuse(error, "move-no-coordinates", text, "is no move in coordinates");
    PieceType promotion = size == 5 ? promotion_type(text[4]) : NO_TYPE;
    if (size == 5 && promotion == NO_TYPE)
        return refuse(error, "move-no-coordinates", text, "is no move in coordinates");
    Square from = square_from_text(text);
    Move move = move_from_squares(pos, from, square_from_text(text + 2), promotion);
    if (move && is_playable_move(pos, move))
        return move;
    return refuse_squares(pos, from, move, text, error);
}

// ---- reading algebraic notation
// --------------------------------------------------------------------

// A move as written: what is known of the man, its origin and its target. -1 is unknown.
typedef struct Written {
    PieceType type; // NO_TYPE when no letter was given
    int from_file, from_rank;
    int to_file, to_rank;
    bool takes;          // x or : was written
    PieceType promotion; // NO_TYPE when none was given; a king or pawn is refused later, by name
} Written;

static bool skip(const char **p, const char *word)
{
    size_t size = strlen(word);
    if (strncmp(*p, word, size))
        return false;
    *p += size;
    return true;
}

static int read_file_letter(const char **p)
{
    return **p >= 'a' && **p <= 'h' ? *(*p)++ - 'a' : -1;
}

static int read_rank_digit(const char **p)
{
    return **p >= '1' && **p <= '8' ? *(*p)++ - '1' : -1;
}

// A piece letter, or a chess figure of Unicode (U+2654 king to U+2659 pawn, U+265A to U+265F in
// black).
static PieceType read_piece(const char **p)
{
    const char *letter = **p ? strchr(TYPE_LETTERS, **p) : NULL;
    if (letter) {
        ++*p;
        return (PieceType)(letter - TYPE_LETTERS);
    }
    if ((*p)[0] == '\xe2' && (*p)[1] == '\x99') {
        int figure = (unsigned char)(*p)[2] - 0x94;
        static const uint8_t figures[6] = {KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN};
        if (figure >= 0 && figure < 12) {
            *p += 3;
            return figures[figure % 6];
        }
    }
    return NO_TYPE;
}

// "12." or "12..." before a move.
static const char *skip_number(const char *p)
{
    const char *q = p;
    while (*q >= '0' && *q <= '9')
        q++;
    if (q == p || *q != '.')
        return p;
    while (*q == '.' || *q == ' ')
        q++;
    return q;
}

// True if only signs that carry no meaning for the move follow: + # ! ? e.p. ep $5 and blanks.
static bool ends_here(const char *p)
{
    for (;;) {
        p += strspn(p, "+#!? \t\r\n");
        if (skip(&p, "e.p.") || skip(&p, "ep"))
            continue;
        if (*p != '$')
            return !*p;
        p++;
        p += strspn(p, "0123456789");
    }
}

// =Q, Q, (Q), /Q after the target square, upper or lower case.
static bool read_promotion(const char **p, Written *w)
{
    const char *q = *p;
    bool is_bracketed = *q == '(', is_marked = is_bracketed || *q == '=' || *q == '/';
    q += is_marked;
    char letter = *q;
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    bool is_piece = letter && strchr(TYPE_LETTERS, letter);
    // An unmarked "e" or "p" may begin "e.p."; K and P cannot be had, but are better refused by
    // name.
    if (!is_piece || (!is_marked && (*q == 'p' || *q == 'k')))
        return !is_marked;
    q++;
    if (is_bracketed && *q++ != ')')
        return false;
    w->promotion = (PieceType)(strchr(TYPE_LETTERS, letter) - TYPE_LETTERS);
    *p = q;
    return true;
}

// Reads everything but castling; false when it cannot be a move.
static bool read_written(const char *p, Written *w)
{
    *w = (Written){read_piece(&p), -1, -1, -1, -1, false, NO_TYPE};
    w->from_file = read_file_letter(&p);
    w->from_rank = read_rank_digit(&p);
    bool is_separated = *p == 'x' || *p == ':' || *p == '-';
    w->takes = is_separated && *p != '-';
    p += is_separated;
    const char *second = p;
    w->to_file = read_file_letter(&p);
    w->to_rank = read_rank_digit(&p);
    if (!is_separated && w->from_file >= 0 && w->from_rank >= 0 &&
        (w->to_file < 0 || w->to_rank < 0)) {
        // Only a target; "a8b" is a promotion, not a file.
        p = second;
        w->to_file = w->from_file, w->to_rank = w->from_rank;
        w->from_file = w->from_rank = -1;
    }
    if (w->to_file < 0)
        return false;
    // "ed" and "exd" name only the files of a pawn's capture.
    if (w->to_rank < 0 &&
        (w->from_file < 0 || w->from_rank >= 0 || (w->type != NO_TYPE && w->type != PAWN)))
        return false;
    return read_promotion(&p, w) && ends_here(p);
}

static bool fits_origin(const Written *w, Square s)
{
    return (w->from_file < 0 || square_file(s) == w->from_file) &&
           (w->from_rank < 0 || square_rank(s) == w->from_rank);
}

// What a search for the move written has found so far.
typedef struct Found {
    Move move;      // the first legal one
    Move second;    // another, when ambiguous
    bool is_pinned; // some man could go there but for the check on the king
} Found;

static void consider(const Position *pos, Move move, Found *found)
{
    if (!move || move == found->move || !move_is_pseudo_legal(pos, move))
        return;
    if (!move_is_legal(pos, move))
        found->is_pinned = true;
    else if (found->move)
        found->second = move;
    else
        found->move = move;
}

static void find_piece(const Position *pos, const Written *w, Square to, Found *found)
{
    Bitboard men =
        piece_attacks(w->type, to, position_occupied(pos)) & position_men(pos, pos->side, w->type);
    if (pos->by_color[pos->side] & square_bit(to))
        return;
    while (men) {
        Square from = bit_pop(&men);
        if (fits_origin(w, from))
            consider(pos, piece_move(pos, from, to), found);
    }
}

// Pawns go by the rules' geometry: one step or two straight on, or in a capturing direction. A bare
// target
// ("e4") never means a capture.
static void find_pawn(const Position *pos, const Written *w, Square to, Found *found)
{
    const Rules *rules = pos->rules;
    Color side = pos->side;
    Bitboard target = square_bit(to), origins = 0;
    bool can_take = pos->board[to] != NO_PIECE || to == pos->state.en_passant;
    if (pos->board[to] == NO_PIECE && !w->takes) {
        Bitboard one = bitboard_shift(target, -rules->pawn_step[side]);
        origins = one | bitboard_shift(one, -rules->pawn_step[side]);
    }
    if (can_take && (w->takes || w->from_file >= 0))
        for (int i = 0; i < 2; i++)
            origins |= bitboard_shift(target, -rules->pawn_capture[side][i]);
    origins &= position_men(pos, side, PAWN);
    while (origins) {
        Square from = bit_pop(&origins);
        if (fits_origin(w, from))
            consider(pos, move_from_squares(pos, from, to, w->promotion), found);
    }
}

// "ed": any rank of the target file on which such a capture is possible.
static void find_pawn_files(const Position *pos, const Written *w, Found *found)
{
    Written taking = *w;
    taking.takes = true;
    for (int rank = 0; rank < 8; rank++)
        find_pawn(pos, &taking, square_make(w->to_file, rank), found);
}

static Move refuse_written(const Position *pos, const Written *w, const Found *found,
                           const char *text, Error *error)
{
    PieceType type = w->type == NO_TYPE ? PAWN : w->type;
    if (found->second) {
        char first[MOVE_TEXT_SIZE], second[MOVE_TEXT_SIZE];
        move_to_uci(pos, found->move, true, first);
        move_to_uci(pos, found->second, true, second);
        error_code(error, "move-ambiguous", "'{move:%.24s}' is ambiguous: {one:%s} or {two:%s}",
                   text, first, second);
        return MOVE_NONE;
    }
    if (found->is_pinned)
        return refuse(error, "move-exposes", text, "is illegal: it leaves the king in check");
    if (type == PAWN && w->promotion == NO_TYPE && w->to_rank >= 0 &&
        pos->rules->promotion_zone[pos->side] & square_bit(square_make(w->to_file, w->to_rank)))
        return refuse(error, "move-promotion", text,
                      "is illegal: it does not say what the pawn becomes");
    if (position_in_check(pos))
        error_code(error, "move-in-check",
                   "'{move:%.24s}' is illegal: no {piece:%s} can go there (the king is in check)",
                   text, TYPE_NAMES[type]);
    else
        error_code(error, "move-unreachable",
                   "'{move:%.24s}' is illegal: no {piece:%s} can go there", text, TYPE_NAMES[type]);
    return MOVE_NONE;
}

// 1 for O-O, 2 for O-O-O (or zeros), else 0.
static int read_castling(const char *p)
{
    const char circle = *p;
    if ((circle != 'O' && circle != '0') || p[1] != '-' || p[2] != circle)
        return 0;
    bool is_long = p[3] == '-' && p[4] == circle;
    return ends_here(p + (is_long ? 5 : 3)) ? 1 + is_long : 0;
}

Move move_from_san(const Position *pos, const char *text, Error *error)
{
    const char *p = skip_number(text + strspn(text, " \t\r\n"));
    Written w;
    Found found = {0};
    int castling = read_castling(p);
    if (castling) {
        Move move = castle_to_side(pos, castling == 1);
        return move && is_playable_move(pos, move)
                   ? move
                   : refuse(error, "move-castling", text, "is illegal: no such castling");
    }
    if (!read_written(p, &w))
        return *p ? refuse(error, "move-unreadable", text, "is no move")
                  : refuse(error, "move-empty", text, "is no move: empty");
    if (w.promotion == PAWN || w.promotion == KING)
        return refuse(error, "move-becomes", text,
                      "is illegal: a pawn becomes a queen, rook, bishop or knight");
    if (w.to_rank < 0) {
        find_pawn_files(pos, &w, &found);
    } else {
        Square to = square_make(w.to_file, w.to_rank);
        if (w.type == NO_TYPE && w.from_file >= 0 && w.from_rank >= 0) {
            // Coordinates: the square says which man.
            Square from = square_make(w.from_file, w.from_rank);
            Move move = move_from_squares(pos, from, to, w.promotion);
            if (move && is_playable_move(pos, move))
                return move;
            return refuse_squares(pos, from, move, text, error);
        }
        if (w.type == NO_TYPE || w.type == PAWN)
            find_pawn(pos, &w, to, &found);
        else if (w.promotion == NO_TYPE)
            find_piece(pos, &w, to, &found);
    }
    if (found.move && !found.second)
        return found.move;
    return refuse_written(pos, &w, &found, text, error);
}
