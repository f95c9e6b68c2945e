// See naive.h. Read naive_moves first, then naive_legal_moves, then `negamax` near the end.
#include "lab/agents/naive.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/fen.h"
#include "engine/score.h"

static const char EMPTY[] = "--";

static bool is_inside(int row, int column)
{
    return row >= 0 && row < 8 && column >= 0 && column < 8;
}
static char color_letter(bool is_white)
{
    return is_white ? 'w' : 'b';
}
static bool is_empty(const NaiveBoard *board, int row, int column)
{
    return board->square[row][column][0] == '-';
}
static bool is_enemy(const NaiveBoard *board, int row, int column)
{
    return board->square[row][column][0] == color_letter(!board->is_white);
}
static bool is_own(const NaiveBoard *board, int row, int column, char piece)
{
    const char *name = board->square[row][column];
    return name[0] == color_letter(board->is_white) && name[1] == piece;
}
static void put(NaiveBoard *board, int row, int column, const char *name)
{
    memcpy(board->square[row][column], name, 3);
}

// ---- Setting up ----

static bool read_pieces(NaiveBoard *board, const char **fen)
{
    int row = 0, column = 0;
    for (; **fen && **fen != ' '; (*fen)++) {
        const char c = **fen;
        if (c == '/') {
            row++;
            column = 0;
        } else if (isdigit((unsigned char)c)) {
            column += c - '0';
        } else {
            if (!is_inside(row, column) || !strchr("pnbrqkPNBRQK", c))
                return false;
            // Document G writes pawns with a small letter: wp, bp.
            const char kind = toupper(c) == 'P' ? 'p' : (char)toupper(c);
            const char name[3] = {color_letter(isupper((unsigned char)c)), kind, 0};
            put(board, row, column++, name);
        }
    }
    return row == 7;
}

// A right counts only with king and rook at home.
static void read_castling(NaiveBoard *board, const char *field)
{
    for (const char *c = field; *c && *c != ' '; c++) {
        const bool is_white = isupper((unsigned char)*c);
        const char letter = (char)toupper(*c);
        const int row = is_white ? 7 : 0;
        const char king[3] = {color_letter(is_white), 'K', 0};
        const char rook[3] = {color_letter(is_white), 'R', 0};
        if ((letter == 'K' || letter == 'Q') && !strcmp(board->square[row][4], king) &&
            !strcmp(board->square[row][letter == 'K' ? 7 : 0], rook))
            board->can_castle[!is_white][letter == 'Q'] = true;
    }
}

bool naive_from_fen(NaiveBoard *board, const char *fen)
{
    *board = (NaiveBoard){.passed_row = -1};
    for (int i = 0; i < 64; i++)
        put(board, i / 8, i % 8, EMPTY);
    char side[2], castling[8], passed[4];
    if (!read_pieces(board, &fen) || sscanf(fen, " %1s %7s %3s", side, castling, passed) != 3)
        return false;
    board->is_white = *side == 'w';
    read_castling(board, castling);
    if (*passed != '-') {
        board->passed_row = '8' - passed[1];
        board->passed_column = passed[0] - 'a';
    }
    return true;
}

// ---- Moves of the pieces ----

typedef struct List {
    NaiveMove *moves;
    int count;
} List;

static void add(List *list, int row, int column, int to_row, int to_column)
{
    list->moves[list->count++] = (NaiveMove){row, column, to_row, to_column, 0};
}

// Walks from a square in each direction, at most `steps` far: over empty squares, onto an enemy and
// no further, never onto an own man.
static void walk(const NaiveBoard *board, int row, int column, const int directions[][2], int count,
                 int steps, List *list)
{
    for (int d = 0; d < count; d++)
        for (int step = 1; step <= steps; step++) {
            const int r = row + directions[d][0] * step, c = column + directions[d][1] * step;
            if (!is_inside(r, c))
                break;
            if (is_empty(board, r, c) || is_enemy(board, r, c))
                add(list, row, column, r, c);
            if (!is_empty(board, r, c))
                break;
        }
}

// A pawn's move; on the last row it becomes one of four pieces.
static void add_pawn_move(List *list, int row, int column, int to_row, int to_column)
{
    if (to_row != 0 && to_row != 7) {
        add(list, row, column, to_row, to_column);
        return;
    }
    for (const char *piece = "QRBN"; *piece; piece++) {
        add(list, row, column, to_row, to_column);
        list->moves[list->count - 1].promotion = *piece;
    }
}

static void pawn_moves(const NaiveBoard *board, int row, int column, List *list)
{
    const int forward = board->is_white ? -1 : 1, home = board->is_white ? 6 : 1;
    const int next = row + forward;
    if (!is_inside(next, column))
        return;
    if (is_empty(board, next, column)) {
        add_pawn_move(list, row, column, next, column);
        if (row == home && is_empty(board, next + forward, column))
            add(list, row, column, next + forward, column);
    }
    for (int side = column - 1; side <= column + 1; side += 2)
        if (is_inside(next, side) && (is_enemy(board, next, side) ||
                                      (next == board->passed_row && side == board->passed_column)))
            add_pawn_move(list, row, column, next, side);
}

static void piece_moves(const NaiveBoard *board, int row, int column, List *list)
{
    static const int ROOK_WAYS[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    static const int BISHOP_WAYS[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    static const int KNIGHT_WAYS[8][2] = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2},
                                          {1, -2},  {1, 2},  {2, -1},  {2, 1}};
    const char piece = board->square[row][column][1];
    const int steps = piece == 'K' ? 1 : 7;
    if (piece == 'p')
        pawn_moves(board, row, column, list);
    if (piece == 'N')
        walk(board, row, column, KNIGHT_WAYS, 8, 1, list);
    if (piece == 'R' || piece == 'Q' || piece == 'K')
        walk(board, row, column, ROOK_WAYS, 4, steps, list);
    if (piece == 'B' || piece == 'Q' || piece == 'K')
        walk(board, row, column, BISHOP_WAYS, 4, steps, list);
}

int naive_moves(const NaiveBoard *board, NaiveMove *moves)
{
    List list = {moves, 0};
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (board->square[row][column][0] == color_letter(board->is_white))
                piece_moves(board, row, column, &list);
    return list.count;
}

// ---- Playing ----

// King or rook gone from home, or the rook taken there: no castling with it any more.
static void lose_rights(NaiveBoard *board, int row, int column)
{
    if (row != 0 && row != 7)
        return;
    bool *rights = board->can_castle[row == 0];
    if (column == 4 || column == 7)
        rights[0] = false;
    if (column == 4 || column == 0)
        rights[1] = false;
}

static void move_man(NaiveBoard *board, int row, int column, int to_row, int to_column)
{
    put(board, to_row, to_column, board->square[row][column]);
    put(board, row, column, EMPTY);
}

void naive_make(NaiveBoard *board, const NaiveMove *move)
{
    const int row = move->from_row, to_row = move->to_row, to_column = move->to_column;
    const char piece = board->square[row][move->from_column][1];
    if (piece == 'p' && to_row == board->passed_row && to_column == board->passed_column)
        put(board, row, to_column, EMPTY); // en passant: the pawn taken stands beside
    move_man(board, row, move->from_column, to_row, to_column);
    if (move->promotion)
        board->square[to_row][to_column][1] = move->promotion;
    if (piece == 'K' && abs(to_column - move->from_column) == 2) // castling: the rook jumps over
        move_man(board, row, to_column == 6 ? 7 : 0, row, to_column == 6 ? 5 : 3);
    lose_rights(board, row, move->from_column);
    lose_rights(board, to_row, to_column);
    const bool is_double = piece == 'p' && abs(to_row - row) == 2;
    board->passed_row = is_double ? (row + to_row) / 2 : -1;
    board->passed_column = to_column;
    board->is_white = !board->is_white;
}

// ---- Legal moves ----

// Could the side to move take the other king? All its moves are generated to see.
static bool can_take_king(const NaiveBoard *board)
{
    NaiveMove moves[NAIVE_MOVES];
    const int count = naive_moves(board, moves);
    for (int i = 0; i < count; i++)
        if (board->square[moves[i].to_row][moves[i].to_column][1] == 'K')
            return true;
    return false;
}

bool naive_in_check(const NaiveBoard *board)
{
    NaiveBoard other = *board;
    other.is_white = !board->is_white;
    other.passed_row = -1;
    return can_take_king(&other);
}

static bool is_safe(const NaiveBoard *board, const NaiveMove *move)
{
    NaiveBoard after = *board;
    naive_make(&after, move);
    return !can_take_king(&after);
}

// The king may not castle out of check, nor over an attacked square, which a single step of the
// king shows; the square it reaches is tested with all other moves.
static void add_castling(const NaiveBoard *board, List *list)
{
    const int row = board->is_white ? 7 : 0;
    for (int side = 0; side < 2; side++) {
        const int step = side == 0 ? 1 : -1, rook = side == 0 ? 7 : 0;
        const NaiveMove first = {row, 4, row, 4 + step, 0};
        if (!board->can_castle[!board->is_white][side] || !is_own(board, row, 4, 'K'))
            continue;
        bool is_free = true;
        for (int column = 4 + step; column != rook; column += step)
            is_free &= is_empty(board, row, column);
        if (is_free && !naive_in_check(board) && is_safe(board, &first))
            add(list, row, 4, row, 4 + 2 * step);
    }
}

int naive_legal_moves(NaiveBoard *board, NaiveMove *moves)
{
    List list = {moves, naive_moves(board, moves)};
    add_castling(board, &list);
    int count = 0;
    for (int i = 0; i < list.count; i++)
        if (is_safe(board, &moves[i]))
            moves[count++] = moves[i];
    return count;
}

uint64_t naive_perft(NaiveBoard *board, int depth)
{
    if (depth == 0)
        return 1;
    NaiveMove moves[NAIVE_MOVES];
    const int count = naive_legal_moves(board, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        NaiveBoard after = *board;
        naive_make(&after, &moves[i]);
        sum += naive_perft(&after, depth - 1);
    }
    return sum;
}

// ---- A player on this board ----

static int man_value(char piece)
{
    switch (piece) {
    case 'p': return 100;
    case 'N':
    case 'B': return 300;
    case 'R': return 500;
    case 'Q': return 900;
    default: return 0;
    }
}

// Own men less the other's.
static int count_material(const NaiveBoard *board)
{
    int sum = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) {
            const int value = man_value(board->square[row][column][1]);
            sum += is_enemy(board, row, column) ? -value : value;
        }
    return sum;
}

static int negamax(NaiveBoard *board, int depth, int ply, Effort *effort)
{
    if (effort_enter(effort, ply))
        return 0;
    NaiveMove moves[NAIVE_MOVES];
    const int count = naive_legal_moves(board, moves);
    effort->report->generated += (uint64_t)count;
    effort->report->leaves += count == 0 || depth == 0;
    if (count == 0)
        return naive_in_check(board) ? score_mated_in(ply) : SCORE_DRAW;
    if (depth == 0)
        return count_material(board);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count && !effort->is_over; i++) {
        NaiveBoard after = *board;
        naive_make(&after, &moves[i]);
        best = max_int(best, -negamax(&after, depth - 1, ply + 1, effort));
    }
    return best;
}

// e2e4, e7e8q.
static void write_move(const NaiveMove *move, char text[6])
{
    const char squares[] = {(char)('a' + move->from_column), (char)('8' - move->from_row),
                            (char)('a' + move->to_column), (char)('8' - move->to_row)};
    memcpy(text, squares, 4);
    text[4] = (char)tolower(move->promotion);
    text[5] = 0;
}

static void keep_best(AgentReport *report, const Position *root, const NaiveMove *move, int score)
{
    char text[6];
    Position walk = *root;
    write_move(move, text);
    report->pv_count = 0;
    if (agent_pv_add(report, &walk, text))
        report->move = report->pv[0];
    report->score = score;
}

void naive_search(const AgentTask *task, AgentReport *report)
{
    Effort effort = effort_begin(task, report);
    char fen[FEN_SIZE];
    NaiveBoard board;
    NaiveMove moves[NAIVE_MOVES];
    position_to_fen(task->pos, FEN_XFEN, fen);
    if (!naive_from_fen(&board, fen))
        return;
    effort_enter(&effort, 0);
    const int count = naive_legal_moves(&board, moves);
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        NaiveBoard after = board;
        naive_make(&after, &moves[i]);
        const int score = -negamax(&after, task->depth - 1, 1, &effort);
        if (effort.is_over)
            break;
        if (score > best) {
            best = score;
            keep_best(report, task->pos, &moves[i], score);
        }
    }
    report->is_done = !effort.is_over;
    report->depth = report->is_done ? task->depth : 0;
}

static void search(void *memory, const AgentTask *task, AgentReport *report)
{
    (void)memory;
    naive_search(task, report);
}

Player *naive_player(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const AgentClass CLASS = {.depth = 2, .depth_max = 16, .search = search};
    (void)engine;
    return agent_player_new(&CLASS, spec, error);
}
