// See m_board.h. Start with m_moves; m_make and m_undo keep everything up to date man by man.
#include "lab/agents/m_board.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { A1 = 21, C1 = 23, D1, E1, F1, G1, H1, A8 = 91, C8 = 93, D8, E8, F8, G8, H8 };

static const char LETTERS[] = ".PNBRQKpnbrqk";

static int color_of(int man)
{
    return man >= M_BP ? M_BLACK : M_WHITE;
}
static int kind_of(int man) // as the white man of the kind
{
    return man >= M_BP ? man - 6 : man;
}
static int man_of(int kind, int color)
{
    return color == M_BLACK ? kind + 6 : kind;
}
static bool is_man_of(int man, int color)
{
    return man >= M_WP && man <= M_BK && color_of(man) == color;
}

int m_value(int man)
{
    static const int VALUES[] = {0, 100, 325, 325, 550, 1000, 50000};
    return VALUES[kind_of(man)];
}

void m_keys_init(MKeys *keys)
{
    Random random;
    random_init(&random, 2019);
    for (int man = 0; man < 13; man++)
        for (int square = 0; square < M_SQUARES; square++)
            keys->man[man][square] = random_next(&random);
    for (int i = 0; i < 16; i++)
        keys->rights[i] = random_next(&random);
    keys->white = random_next(&random);
}

// ---- Men on squares ----

static void put(MBoard *board, int man, int square)
{
    const int color = color_of(man);
    board->square[square] = (uint8_t)man;
    board->list[man][board->count[man]++] = square;
    board->material[color] += m_value(man);
    board->key ^= board->keys->man[man][square];
    if (kind_of(man) == M_WP) {
        board->pawns[color] |= 1ull << m_to_64(square);
        board->pawns[M_BOTH] |= 1ull << m_to_64(square);
    }
    if (kind_of(man) == M_WK)
        board->king[color] = square;
}

static void take_away(MBoard *board, int square)
{
    const int man = board->square[square], color = color_of(man);
    int *list = board->list[man], i = 0;
    while (list[i] != square)
        i++;
    list[i] = list[--board->count[man]];
    board->square[square] = M_NONE;
    board->material[color] -= m_value(man);
    board->key ^= board->keys->man[man][square];
    if (kind_of(man) == M_WP) {
        board->pawns[color] &= ~(1ull << m_to_64(square));
        board->pawns[M_BOTH] &= ~(1ull << m_to_64(square));
    }
}

static void move_man(MBoard *board, int from, int to)
{
    const int man = board->square[from];
    take_away(board, from);
    put(board, man, to);
}

// ---- Setting up ----

static bool read_men(MBoard *board, const char **fen)
{
    int file = 0, rank = 7;
    for (; **fen && **fen != ' '; (*fen)++) {
        const char *letter = strchr(LETTERS + 1, **fen);
        const int square = (rank + 2) * 10 + file + 1;
        if (**fen == '/' && file == 8 && rank > 0) {
            rank--;
            file = 0;
        } else if (letter && file < 8 && board->count[letter - LETTERS] < 20) {
            put(board, (int)(letter - LETTERS), square);
            file++;
        } else if (**fen >= '1' && **fen <= '8' && file + (**fen - '0') <= 8) {
            file += **fen - '0';
        } else {
            return false;
        }
    }
    return rank == 0 && file == 8 && board->count[M_WK] == 1 && board->count[M_BK] == 1;
}

// A right counts only with king and rook at home.
static int read_rights(const MBoard *board, const char *field)
{
    static const int KING[4] = {E1, E1, E8, E8}, ROOK[4] = {H1, A1, H8, A8};
    int rights = 0;
    for (int i = 0; i < 4; i++)
        if (strchr(field, "KQkq"[i]) && board->square[KING[i]] == (i < 2 ? M_WK : M_BK) &&
            board->square[ROOK[i]] == (i < 2 ? M_WR : M_BR))
            rights |= 1 << i;
    return rights;
}

bool m_from_fen(MBoard *board, const MKeys *keys, const char *fen)
{
    char side[2], rights[8], passed[4];
    *board = (MBoard){.keys = keys};
    for (int square = 0; square < M_SQUARES; square++) {
        const bool is_real = square >= A1 && square <= H8 && square % 10 >= 1 && square % 10 <= 8;
        board->square[square] = is_real ? M_NONE : M_BORDER;
    }
    if (!read_men(board, &fen) ||
        sscanf(fen, " %1s %7s %3s %d", side, rights, passed, &board->fifty) < 3)
        return false;
    board->side = tolower(*side) == 'b' ? M_BLACK : M_WHITE;
    board->rights = read_rights(board, rights);
    if (passed[0] >= 'a' && passed[0] <= 'h' && (passed[1] == '3' || passed[1] == '6'))
        board->passed = (passed[1] - '1' + 2) * 10 + passed[0] - 'a' + 1;
    board->key ^= keys->rights[board->rights];
    if (board->side == M_WHITE)
        board->key ^= keys->white;
    if (board->passed)
        board->key ^= keys->man[M_NONE][board->passed];
    return true;
}

// ---- Moves ----

// Steps to the neighbouring squares of each kind; 0 ends a row.
static const int STEPS[7][9] = {
    [M_WN] = {-21, -19, -12, -8, 8, 12, 19, 21},
    [M_WB] = {-11, -9, 9, 11},
    [M_WR] = {-10, -1, 1, 10},
    [M_WQ] = {-11, -10, -9, -1, 1, 9, 10, 11},
    [M_WK] = {-11, -10, -9, -1, 1, 9, 10, 11},
};

static bool is_slider(int kind)
{
    return kind == M_WB || kind == M_WR || kind == M_WQ;
}

typedef struct List {
    MMove *moves;
    int count;
    const MBoard *board;
} List;

static void add(List *list, int from, int to, int captured, int promoted, int flags)
{
    list->moves[list->count++] = m_move(from, to, captured, promoted, flags);
}

static void add_pawn_move(List *list, int from, int to, int captured, int flags)
{
    if (to / 10 != 2 && to / 10 != 9) {
        add(list, from, to, captured, 0, flags);
        return;
    }
    for (int kind = M_WQ; kind >= M_WN; kind--)
        add(list, from, to, captured, man_of(kind, list->board->side), flags);
}

static void pawn_moves(List *list, int from)
{
    const MBoard *board = list->board;
    const int side = board->side, forward = side == M_WHITE ? 10 : -10;
    const int home_row = side == M_WHITE ? 3 : 8;
    if (board->square[from + forward] == M_NONE) {
        add_pawn_move(list, from, from + forward, 0, 0);
        if (from / 10 == home_row && board->square[from + 2 * forward] == M_NONE)
            add(list, from, from + 2 * forward, 0, 0, M_DOUBLE);
    }
    for (int to = from + forward - 1; to <= from + forward + 1; to += 2) {
        if (is_man_of(board->square[to], !side))
            add_pawn_move(list, from, to, board->square[to], 0);
        if (board->passed && to == board->passed)
            add(list, from, to, man_of(M_WP, !side), 0, M_EN_PASSANT);
    }
}

// Knight and king make one step in each direction, the others go on to a man or the border.
static void piece_moves(List *list, int kind, int from)
{
    const MBoard *board = list->board;
    for (const int *step = STEPS[kind]; *step; step++)
        for (int to = from + *step; board->square[to] != M_BORDER; to += *step) {
            const int man = board->square[to];
            if (!is_man_of(man, board->side))
                add(list, from, to, man, 0, 0);
            if (man != M_NONE || !is_slider(kind))
                break;
        }
}

// The squares between are empty; the king's and the next are not attacked. Where it arrives is
// tested by m_make.
static void castling_moves(List *list)
{
    const MBoard *board = list->board;
    const int side = board->side, king = side == M_WHITE ? E1 : E8;
    const int rights = board->rights >> 2 * side & 3;
    const uint8_t *at = &board->square[king];
    if (!rights || m_is_attacked(board, king, !side))
        return;
    if ((rights & 1) && !at[1] && !at[2] && !m_is_attacked(board, king + 1, !side))
        add(list, king, king + 2, 0, 0, M_CASTLING);
    if ((rights & 2) && !at[-1] && !at[-2] && !at[-3] && !m_is_attacked(board, king - 1, !side))
        add(list, king, king - 2, 0, 0, M_CASTLING);
}

int m_moves(const MBoard *board, MMove *moves)
{
    static const int ORDER[] = {M_WB, M_WR, M_WQ, M_WN, M_WK};
    List list = {moves, 0, board};
    const int pawn = man_of(M_WP, board->side);
    for (int i = 0; i < board->count[pawn]; i++)
        pawn_moves(&list, board->list[pawn][i]);
    for (int k = 0; k < 5; k++) {
        const int man = man_of(ORDER[k], board->side);
        for (int i = 0; i < board->count[man]; i++)
            piece_moves(&list, ORDER[k], board->list[man][i]);
    }
    castling_moves(&list);
    return list.count;
}

// ---- Attacks ----

// Along the steps of a kind from the square outward: the first man, if it is of this kind, attacks.
static bool meets(const MBoard *board, int square, int kind, int by)
{
    const int wanted = man_of(kind, by);
    for (const int *step = STEPS[kind]; *step; step++) {
        int at = square + *step;
        while (is_slider(kind) && board->square[at] == M_NONE)
            at += *step;
        if (board->square[at] == wanted)
            return true;
    }
    return false;
}

bool m_is_attacked(const MBoard *board, int square, int by)
{
    const int behind = by == M_WHITE ? -10 : 10, pawn = man_of(M_WP, by);
    if (board->square[square + behind - 1] == pawn || board->square[square + behind + 1] == pawn)
        return true;
    for (int kind = M_WN; kind <= M_WK; kind++)
        if (meets(board, square, kind, by))
            return true;
    return false;
}

// ---- Make and undo ----

static int rights_lost(int square)
{
    switch (square) {
    case E1: return 3;
    case H1: return 1;
    case A1: return 2;
    case E8: return 12;
    case H8: return 4;
    case A8: return 8;
    default: return 0;
    }
}

// The key without and with what is not on a square.
static void toggle_state(MBoard *board)
{
    board->key ^= board->keys->rights[board->rights];
    if (board->passed)
        board->key ^= board->keys->man[M_NONE][board->passed];
}

static int captured_square(const MBoard *board, MMove move)
{
    const int forward = board->side == M_WHITE ? 10 : -10;
    return m_to(move) - (move & M_EN_PASSANT ? forward : 0);
}

static void move_rook(MBoard *board, MMove move, bool is_back)
{
    const int to = m_to(move);
    const int corner = to > m_from(move) ? to + 1 : to - 2;
    const int beside = to > m_from(move) ? to - 1 : to + 1;
    move_man(board, is_back ? beside : corner, is_back ? corner : beside);
}

bool m_make(MBoard *board, MMove move)
{
    const int from = m_from(move), to = m_to(move), side = board->side;
    assert(board->ply < M_HISTORY_MAX);
    const bool is_pawn = kind_of(board->square[from]) == M_WP;
    board->history[board->ply++] =
        (MUndo){move, board->rights, board->passed, board->fifty, board->key};
    toggle_state(board);
    if (m_captured(move))
        take_away(board, captured_square(board, move));
    move_man(board, from, to);
    if (m_promoted(move)) {
        take_away(board, to);
        put(board, m_promoted(move), to);
    }
    if (move & M_CASTLING)
        move_rook(board, move, false);
    board->rights &= ~(rights_lost(from) | rights_lost(to));
    board->passed = move & M_DOUBLE ? (from + to) / 2 : M_NO_SQUARE;
    board->fifty = is_pawn || m_captured(move) ? 0 : board->fifty + 1;
    toggle_state(board);
    board->side = !side;
    board->key ^= board->keys->white;
    if (!m_is_attacked(board, board->king[side], !side))
        return true;
    m_undo(board);
    return false;
}

void m_undo(MBoard *board)
{
    const MUndo *undo = &board->history[--board->ply];
    const MMove move = undo->move;
    board->side = !board->side;
    if (move & M_CASTLING)
        move_rook(board, move, true);
    if (m_promoted(move)) {
        take_away(board, m_to(move));
        put(board, man_of(M_WP, board->side), m_to(move));
    }
    move_man(board, m_to(move), m_from(move));
    if (m_captured(move))
        put(board, m_captured(move), captured_square(board, move));
    board->rights = undo->rights;
    board->passed = undo->passed;
    board->fifty = undo->fifty;
    board->key = undo->key;
}

void m_write_move(MMove move, char text[6])
{
    const int from = m_from(move), to = m_to(move);
    const char squares[] = {(char)('a' + from % 10 - 1), (char)('1' + from / 10 - 2),
                            (char)('a' + to % 10 - 1), (char)('1' + to / 10 - 2)};
    memcpy(text, squares, 4);
    text[4] = m_promoted(move) ? (char)tolower(LETTERS[m_promoted(move)]) : 0;
    text[5] = 0;
}

uint64_t m_perft(MBoard *board, int depth)
{
    if (depth == 0)
        return 1;
    MMove moves[M_MOVES_MAX];
    const int count = m_moves(board, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        if (m_make(board, moves[i])) {
            sum += m_perft(board, depth - 1);
            m_undo(board);
        }
    return sum;
}
