// See t_board.h.
#include "lab/agents/t_board.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int t_value(char name)
{
    switch (name) {
    case 'P': return 100;
    case 'N':
    case 'B': return 300;
    case 'R': return 500;
    case 'Q': return 1000;
    default: return 0;
    }
}

// Black's men count negative.
static int signed_value(const TPiece *piece)
{
    return piece->is_white ? t_value(piece->name) : -t_value(piece->name);
}

static bool is_inside(int x, int y)
{
    return x >= 0 && x < 8 && y >= 0 && y < 8;
}

// ---- Setting up ----

static bool put(TBoard *board, char letter, int x, int y)
{
    if (!is_inside(x, y) || !strchr("PNBRQK", toupper(letter)))
        return false;
    TPiece *piece = &board->pieces[board->piece_count++];
    *piece = (TPiece){.name = (char)toupper(letter),
                      .is_white = isupper((unsigned char)letter),
                      .has_moved = true,
                      .x = x,
                      .y = y};
    board->square[x][y] = piece;
    board->value += signed_value(piece);
    if (piece->name == 'K')
        board->king[piece->is_white] = piece;
    return true;
}

static bool read_men(TBoard *board, const char **fen)
{
    int x = 0, y = 7;
    for (; **fen && **fen != ' '; (*fen)++) {
        if (**fen == '/') {
            y--;
            x = 0;
        } else if (isdigit((unsigned char)**fen)) {
            x += **fen - '0';
        } else if (!put(board, **fen, x++, y)) {
            return false;
        }
    }
    return y == 0 && board->king[0] && board->king[1];
}

// A right to castle is a king and a rook at home that have not moved.
static void read_rights(TBoard *board, const char *field)
{
    for (const char *c = field; *c; c++) {
        const bool is_white = isupper((unsigned char)*c);
        const int y = is_white ? 0 : 7;
        TPiece *king = board->square[4][y], *rook = board->square[toupper(*c) == 'K' ? 7 : 0][y];
        if (!strchr("KQkq", *c) || king != board->king[is_white] || !rook || rook->name != 'R' ||
            rook->is_white != is_white)
            continue;
        king->has_moved = rook->has_moved = false;
    }
}

bool t_from_fen(TBoard *board, const char *fen)
{
    char side[2], rights[8], passed[4];
    *board = (TBoard){.passed_x = -1};
    if (!read_men(board, &fen) || sscanf(fen, " %1s %7s %3s", side, rights, passed) != 3)
        return false;
    board->is_white = *side == 'w';
    read_rights(board, rights);
    if (*passed != '-') {
        board->passed_x = passed[0] - 'a';
        board->passed_y = passed[1] - '1';
    }
    return true;
}

// ---- Make and take back ----

static void move_piece(TBoard *board, TPiece *piece, int x, int y)
{
    board->square[piece->x][piece->y] = NULL;
    board->square[x][y] = piece;
    piece->x = x;
    piece->y = y;
}

static void lift(TBoard *board, TPiece *piece)
{
    board->square[piece->x][piece->y] = NULL;
    board->value -= signed_value(piece);
    piece->is_taken = true;
}

static void put_back(TBoard *board, TPiece *piece)
{
    board->square[piece->x][piece->y] = piece;
    board->value += signed_value(piece);
    piece->is_taken = false;
}

static void rename_piece(TBoard *board, TPiece *piece, char name)
{
    board->value -= signed_value(piece);
    piece->name = name;
    board->value += signed_value(piece);
}

void t_make(TBoard *board, const TMove *move)
{
    TPiece *piece = move->piece;
    assert(board->move_count < T_STACK_MAX);
    board->stack[board->move_count++] = *move;
    if (move->captured)
        lift(board, move->captured);
    move_piece(board, piece, move->to_x, move->to_y);
    piece->has_moved = true;
    if (move->is_promotion)
        rename_piece(board, piece, 'Q');
    if (move->rook) {
        move_piece(board, move->rook, move->to_x == 6 ? 5 : 3, move->to_y);
        move->rook->has_moved = true;
    }
    const bool is_double = piece->name == 'P' && abs(move->to_y - move->from_y) == 2;
    board->passed_x = is_double ? move->to_x : -1;
    board->passed_y = (move->from_y + move->to_y) / 2;
    board->is_white = !board->is_white;
}

void t_take_back(TBoard *board)
{
    const TMove *move = &board->stack[--board->move_count];
    board->is_white = !board->is_white;
    board->passed_x = move->passed_x;
    board->passed_y = move->passed_y;
    if (move->rook) {
        move_piece(board, move->rook, move->to_x == 6 ? 7 : 0, move->to_y);
        move->rook->has_moved = move->rook_had_moved;
    }
    if (move->is_promotion)
        rename_piece(board, move->piece, 'P');
    move_piece(board, move->piece, move->from_x, move->from_y);
    move->piece->has_moved = move->had_moved;
    if (move->captured)
        put_back(board, move->captured);
}

// ---- Attacks ----

static const int WAYS[8][2] = {{0, 1}, {1, 0},  {0, -1},  {-1, 0},
                               {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int JUMPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static bool is_there(const TBoard *board, int x, int y, char name, bool is_white)
{
    const TPiece *piece = is_inside(x, y) ? board->square[x][y] : NULL;
    return piece && piece->name == name && piece->is_white == is_white;
}

// Along one of the eight ways: does the first piece met attack back along it?
static bool is_attacked_along(const TBoard *board, int x, int y, int way, bool by_white)
{
    const char line_piece = way < 4 ? 'R' : 'B';
    for (int step = 1; step < 8; step++) {
        const int at_x = x + WAYS[way][0] * step, at_y = y + WAYS[way][1] * step;
        const TPiece *piece = is_inside(at_x, at_y) ? board->square[at_x][at_y] : NULL;
        if (!is_inside(at_x, at_y))
            return false;
        if (piece)
            return piece->is_white == by_white &&
                   (piece->name == line_piece || piece->name == 'Q' ||
                    (piece->name == 'K' && step == 1));
    }
    return false;
}

static bool is_attacked(const TBoard *board, int x, int y, bool by_white)
{
    const int pawn_y = by_white ? y - 1 : y + 1;
    if (is_there(board, x - 1, pawn_y, 'P', by_white) ||
        is_there(board, x + 1, pawn_y, 'P', by_white))
        return true;
    for (int i = 0; i < 8; i++)
        if (is_there(board, x + JUMPS[i][0], y + JUMPS[i][1], 'N', by_white) ||
            is_attacked_along(board, x, y, i, by_white))
            return true;
    return false;
}

bool t_in_check(const TBoard *board, bool is_white)
{
    const TPiece *king = board->king[is_white];
    return is_attacked(board, king->x, king->y, !is_white);
}

// ---- Moves ----

typedef struct List {
    TMove *moves;
    int count;
    const TBoard *board;
} List;

static void add(List *list, TPiece *piece, int x, int y, TPiece *captured)
{
    const TBoard *board = list->board;
    list->moves[list->count++] = (TMove){.piece = piece,
                                         .from_x = piece->x,
                                         .from_y = piece->y,
                                         .to_x = x,
                                         .to_y = y,
                                         .captured = captured,
                                         .had_moved = piece->has_moved,
                                         .is_promotion = piece->name == 'P' && (y == 0 || y == 7),
                                         .passed_x = board->passed_x,
                                         .passed_y = board->passed_y};
}

static void pawn_moves(List *list, TPiece *pawn)
{
    const TBoard *board = list->board;
    const int forward = pawn->is_white ? 1 : -1, y = pawn->y + forward;
    const int home = pawn->is_white ? 1 : 6;
    if (!board->square[pawn->x][y]) {
        add(list, pawn, pawn->x, y, NULL);
        if (pawn->y == home && !board->square[pawn->x][y + forward])
            add(list, pawn, pawn->x, y + forward, NULL);
    }
    for (int x = pawn->x - 1; x <= pawn->x + 1; x += 2) {
        if (!is_inside(x, y))
            continue;
        TPiece *enemy = board->square[x][y];
        if (x == board->passed_x && y == board->passed_y)
            enemy = board->square[x][pawn->y]; // en passant
        if (enemy && enemy->is_white != pawn->is_white)
            add(list, pawn, x, y, enemy);
    }
}

static void walk(List *list, TPiece *piece, const int ways[][2], int count, int steps)
{
    for (int w = 0; w < count; w++)
        for (int step = 1; step <= steps; step++) {
            const int x = piece->x + ways[w][0] * step, y = piece->y + ways[w][1] * step;
            if (!is_inside(x, y))
                break;
            TPiece *other = list->board->square[x][y];
            if (!other || other->is_white != piece->is_white)
                add(list, piece, x, y, other);
            if (other)
                break;
        }
}

// King and rook have not moved, nothing stands between them, and the king neither stands on nor
// passes an attacked square.
static void castle(List *list, TPiece *king, int rook_x)
{
    const TBoard *board = list->board;
    TPiece *rook = board->square[rook_x][king->y];
    const int step = rook_x > king->x ? 1 : -1;
    if (king->has_moved || !rook || rook->name != 'R' || rook->is_white != king->is_white ||
        rook->has_moved)
        return;
    for (int x = king->x + step; x != rook_x; x += step)
        if (board->square[x][king->y])
            return;
    if (is_attacked(board, king->x, king->y, !king->is_white) ||
        is_attacked(board, king->x + step, king->y, !king->is_white))
        return;
    add(list, king, king->x + 2 * step, king->y, NULL);
    list->moves[list->count - 1].rook = rook;
    list->moves[list->count - 1].rook_had_moved = rook->has_moved;
}

static void piece_moves(List *list, TPiece *piece)
{
    switch (piece->name) {
    case 'P': pawn_moves(list, piece); break;
    case 'N': walk(list, piece, JUMPS, 8, 1); break;
    case 'B': walk(list, piece, WAYS + 4, 4, 7); break;
    case 'R': walk(list, piece, WAYS, 4, 7); break;
    case 'Q': walk(list, piece, WAYS, 8, 7); break;
    default:
        walk(list, piece, WAYS, 8, 1);
        castle(list, piece, 7);
        castle(list, piece, 0);
    }
}

// Captures to the front, otherwise in the order they came.
static void captures_first(TMove *moves, int count)
{
    TMove quiet[T_MOVES_MAX];
    int quiet_count = 0, front = 0;
    for (int i = 0; i < count; i++)
        if (moves[i].captured)
            moves[front++] = moves[i];
        else
            quiet[quiet_count++] = moves[i];
    memcpy(moves + front, quiet, (size_t)quiet_count * sizeof *moves);
}

int t_moves(TBoard *board, TMove *moves)
{
    List list = {moves, 0, board};
    for (int i = 0; i < board->piece_count; i++)
        if (!board->pieces[i].is_taken && board->pieces[i].is_white == board->is_white)
            piece_moves(&list, &board->pieces[i]);
    int count = 0;
    for (int i = 0; i < list.count; i++) {
        t_make(board, &moves[i]);
        if (!t_in_check(board, !board->is_white))
            moves[count++] = moves[i];
        t_take_back(board);
    }
    captures_first(moves, count);
    return count;
}

void t_write_move(const TMove *move, char text[6])
{
    const char squares[] = {(char)('a' + move->from_x), (char)('1' + move->from_y),
                            (char)('a' + move->to_x), (char)('1' + move->to_y)};
    memcpy(text, squares, 4);
    text[4] = move->is_promotion ? 'q' : 0;
    text[5] = 0;
}

uint64_t t_perft(TBoard *board, int depth)
{
    if (depth == 0)
        return 1;
    TMove moves[T_MOVES_MAX];
    const int count = t_moves(board, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        t_make(board, &moves[i]);
        sum += t_perft(board, depth - 1);
        t_take_back(board);
    }
    return sum;
}
