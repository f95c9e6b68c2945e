// See g_board.h. Start with `find_magic`, which is the idea, then g_moves.
#include "lab/agents/g_board.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARE(s) (1ull << (s))

enum { A8 = 0, E8 = 4, H8 = 7, A1 = 56, E1 = 60, H1 = 63 };

static int lowest(uint64_t bits)
{
    return __builtin_ctzll(bits);
}
static int pop_lowest(uint64_t *bits)
{
    const int square = lowest(*bits);
    *bits &= *bits - 1;
    return square;
}

// ---- Tables ----

// A 64-bit xorshift generator: every run begins with the same seed, so every run is the same.
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static const int ROOK_WAYS[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
static const int BISHOP_WAYS[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};

// Attacks found slowly, by walking; `only_inner` leaves out the last square of each way, whose man
// can block nothing.
static uint64_t walk(int square, const int ways[4][2], uint64_t occupied, bool only_inner)
{
    uint64_t attacks = 0;
    for (int w = 0; w < 4; w++) {
        int row = square / 8 + ways[w][0], column = square % 8 + ways[w][1];
        for (; row >= 0 && row < 8 && column >= 0 && column < 8;
             row += ways[w][0], column += ways[w][1]) {
            const int r = row + ways[w][0], c = column + ways[w][1];
            if (only_inner && (r < 0 || r > 7 || c < 0 || c > 7))
                break;
            attacks |= SQUARE(row * 8 + column);
            if (occupied & SQUARE(row * 8 + column))
                break;
        }
    }
    return attacks;
}

static int magic_index(const GMagic *magic, uint64_t occupied)
{
    return (int)((occupied & magic->mask) * magic->magic >> magic->shift);
}

// Work space of the trials for one square: all occupancies that matter, with their attacks.
typedef struct Trial {
    uint64_t occupied[4096], attacks[4096];
    int count;
    int marks[4096]; // in which attempt an entry of the table was filled last
} Trial;

static void list_occupancies(Trial *trial, uint64_t mask, const int ways[4][2], int square)
{
    uint64_t occupied = 0;
    *trial = (Trial){0};
    do { // every subset of the mask
        trial->occupied[trial->count] = occupied;
        trial->attacks[trial->count++] = walk(square, ways, occupied, false);
        occupied = (occupied - mask) & mask;
    } while (occupied);
}

// Fills the table with one magic number; false when two occupancies with different attacks fall on
// the same index.
static bool fill(const GMagic *magic, Trial *trial, int attempt, uint64_t *table)
{
    for (int i = 0; i < trial->count; i++) {
        const int index = magic_index(magic, trial->occupied[i]);
        if (trial->marks[index] == attempt && table[index] != trial->attacks[i])
            return false;
        trial->marks[index] = attempt;
        table[index] = trial->attacks[i];
    }
    return true;
}

// Tries sparse random numbers until one tells all occupancies apart.
static void find_magic(GMagic *magic, const int ways[4][2], int square, uint64_t *table,
                       Trial *trial, uint64_t *random)
{
    magic->mask = walk(square, ways, 0, true);
    magic->shift = 64 - __builtin_popcountll(magic->mask);
    list_occupancies(trial, magic->mask, ways, square);
    for (int attempt = 1;; attempt++) {
        magic->magic = next_random(random) & next_random(random) & next_random(random);
        // A good one moves bits of the mask to the top; most bad ones are seen at once.
        if (__builtin_popcountll(magic->mask * magic->magic >> 56) >= 6 &&
            fill(magic, trial, attempt, table))
            return;
    }
}

static uint64_t step(int square, int rows, int columns)
{
    const int row = square / 8 + rows, column = square % 8 + columns;
    return row >= 0 && row < 8 && column >= 0 && column < 8 ? SQUARE(row * 8 + column) : 0;
}

static void fill_steppers(GTables *tables, int square)
{
    tables->pawn_attacks[0][square] = step(square, -1, -1) | step(square, -1, 1);
    tables->pawn_attacks[1][square] = step(square, 1, -1) | step(square, 1, 1);
    for (int rows = -2; rows <= 2; rows++)
        for (int columns = -2; columns <= 2; columns++) {
            if (rows * rows + columns * columns == 5)
                tables->knight_attacks[square] |= step(square, rows, columns);
            if ((rows || columns) && abs(rows) <= 1 && abs(columns) <= 1)
                tables->king_attacks[square] |= step(square, rows, columns);
        }
}

GTables *g_tables_new(void)
{
    GTables *tables = calloc(1, sizeof *tables);
    Trial *trial = malloc(sizeof *trial);
    if (!tables || !trial) {
        free(tables);
        free(trial);
        return NULL;
    }
    uint64_t random = 0x2025061120250611u;
    for (int square = 0; square < 64; square++) {
        fill_steppers(tables, square);
        find_magic(&tables->rook[square], ROOK_WAYS, square, tables->rook_attacks[square], trial,
                   &random);
        find_magic(&tables->bishop[square], BISHOP_WAYS, square, tables->bishop_attacks[square],
                   trial, &random);
        for (int man = 0; man < G_MEN; man++)
            tables->key_of_man[man][square] = next_random(&random);
    }
    tables->key_of_black = next_random(&random);
    free(trial);
    return tables;
}

// ---- Attacks ----

static uint64_t rook_attacks(const GTables *tables, int square, uint64_t occupied)
{
    return tables->rook_attacks[square][magic_index(&tables->rook[square], occupied)];
}

static uint64_t bishop_attacks(const GTables *tables, int square, uint64_t occupied)
{
    return tables->bishop_attacks[square][magic_index(&tables->bishop[square], occupied)];
}

static uint64_t attacks_of(const GTables *tables, int kind, int square, uint64_t occupied)
{
    switch (kind) {
    case G_KNIGHT: return tables->knight_attacks[square];
    case G_BISHOP: return bishop_attacks(tables, square, occupied);
    case G_ROOK: return rook_attacks(tables, square, occupied);
    case G_QUEEN:
        return rook_attacks(tables, square, occupied) | bishop_attacks(tables, square, occupied);
    default: return tables->king_attacks[square];
    }
}

// Is a square attacked by that side? Looked at from the square: what a knight there would attack is
// what knights attack it from, and so on.
static bool is_attacked(const GTables *tables, const GBoard *board, int square, int by)
{
    const uint64_t *men = &board->men[by * G_BLACK];
    if (tables->pawn_attacks[!by][square] & men[G_PAWN])
        return true;
    for (int kind = G_KNIGHT; kind <= G_KING; kind++)
        if (men[kind] && (attacks_of(tables, kind, square, board->occupied[G_BOTH]) & men[kind]))
            return true;
    return false;
}

bool g_in_check(const GTables *tables, const GBoard *board, int side)
{
    return is_attacked(tables, board, lowest(board->men[side * G_BLACK + G_KING]), !side);
}

// ---- Setting up ----

static void put(const GTables *tables, GBoard *board, int man, int square)
{
    board->men[man] |= SQUARE(square);
    board->occupied[man >= G_BLACK] |= SQUARE(square);
    board->occupied[G_BOTH] |= SQUARE(square);
    board->key ^= tables->key_of_man[man][square];
}

static void take_away(const GTables *tables, GBoard *board, int man, int square)
{
    board->men[man] &= ~SQUARE(square);
    board->occupied[man >= G_BLACK] &= ~SQUARE(square);
    board->occupied[G_BOTH] &= ~SQUARE(square);
    board->key ^= tables->key_of_man[man][square];
}

static const char MEN[] = "PNBRQKpnbrqk";

static bool read_men(const GTables *tables, GBoard *board, const char **fen)
{
    int square = 0;
    for (; **fen && **fen != ' '; (*fen)++) {
        const char *man = strchr(MEN, **fen);
        if (man && square < 64)
            put(tables, board, (int)(man - MEN), square++);
        else if (isdigit((unsigned char)**fen))
            square += **fen - '0';
        else if (**fen != '/' || square % 8)
            return false;
    }
    return square == 64 && __builtin_popcountll(board->men[G_KING]) == 1 &&
           __builtin_popcountll(board->men[G_BLACK + G_KING]) == 1;
}

// A right counts only with king and rook at home.
static int read_rights(const GBoard *board, const char *field)
{
    static const struct {
        char letter;
        int king, rook, man;
    } HOMES[4] = {
        {'K', E1, H1, 0}, {'Q', E1, A1, 0}, {'k', E8, H8, G_BLACK}, {'q', E8, A8, G_BLACK}};
    int rights = 0;
    for (int i = 0; i < 4; i++)
        if (strchr(field, HOMES[i].letter) &&
            (board->men[HOMES[i].man + G_KING] & SQUARE(HOMES[i].king)) &&
            (board->men[HOMES[i].man + G_ROOK] & SQUARE(HOMES[i].rook)))
            rights |= 1 << i;
    return rights;
}

bool g_from_fen(const GTables *tables, GBoard *board, const char *fen)
{
    char side[2], rights[8], passed[4];
    *board = (GBoard){.passed = G_NO_SQUARE};
    if (!read_men(tables, board, &fen) ||
        sscanf(fen, " %1s %7s %3s %d", side, rights, passed, &board->fifty) < 3)
        return false;
    board->side = *side == 'b';
    if (board->side)
        board->key ^= tables->key_of_black;
    board->rights = read_rights(board, rights);
    if (*passed != '-')
        board->passed = ('8' - passed[1]) * 8 + passed[0] - 'a';
    return true;
}

// ---- Moves ----

typedef struct List {
    GMove *moves;
    int count;
    const GBoard *board;
    const GTables *tables;
    bool only_captures;
} List;

static void add(List *list, int source, int target, int man, int promoted, int flags)
{
    list->moves[list->count++] = g_move(source, target, man, promoted, flags);
}

// A pawn's move; on the last row it becomes one of four.
static void add_pawn_move(List *list, int source, int target, int flags)
{
    const int man = list->board->side * G_BLACK + G_PAWN;
    if (target >= 8 && target < 56) {
        add(list, source, target, man, 0, flags);
        return;
    }
    for (int kind = G_QUEEN; kind >= G_KNIGHT; kind--)
        add(list, source, target, man, list->board->side * G_BLACK + kind, flags);
}

static void pawn_moves(List *list)
{
    const GBoard *board = list->board;
    const int side = board->side, forward = side ? 8 : -8, home = side ? 1 : 6;
    for (uint64_t pawns = board->men[side * G_BLACK + G_PAWN]; pawns;) {
        const int source = pop_lowest(&pawns), next = source + forward;
        const uint64_t attacks = list->tables->pawn_attacks[side][source];
        for (uint64_t targets = attacks & board->occupied[!side]; targets;)
            add_pawn_move(list, source, pop_lowest(&targets), G_CAPTURE);
        if (board->passed != G_NO_SQUARE && (attacks & SQUARE(board->passed)))
            add_pawn_move(list, source, board->passed, G_CAPTURE | G_EN_PASSANT);
        if (list->only_captures || next < 0 || next > 63 ||
            (board->occupied[G_BOTH] & SQUARE(next)))
            continue;
        add_pawn_move(list, source, next, 0);
        if (source / 8 == home && !(board->occupied[G_BOTH] & SQUARE(next + forward)))
            add_pawn_move(list, source, next + forward, G_DOUBLE);
    }
}

// Takes each piece in turn, lowest bit first, and each square that it attacks.
static void piece_moves(List *list, int kind)
{
    const GBoard *board = list->board;
    const int man = board->side * G_BLACK + kind;
    for (uint64_t pieces = board->men[man]; pieces;) {
        const int source = pop_lowest(&pieces);
        uint64_t targets = attacks_of(list->tables, kind, source, board->occupied[G_BOTH]) &
                           ~board->occupied[board->side];
        if (list->only_captures)
            targets &= board->occupied[!board->side];
        while (targets) {
            const int target = pop_lowest(&targets);
            const bool is_capture = board->occupied[!board->side] & SQUARE(target);
            add(list, source, target, man, 0, is_capture ? G_CAPTURE : 0);
        }
    }
}

// The squares between must be empty; king and the square it passes must not be attacked. Where it
// arrives is tested like any other move.
static void castling_moves(List *list)
{
    const GBoard *board = list->board;
    const int side = board->side, king = side ? E8 : E1, man = side * G_BLACK + G_KING;
    const uint64_t occupied = board->occupied[G_BOTH];
    if (!(board->rights >> 2 * side & 3) || is_attacked(list->tables, board, king, !side))
        return;
    if ((board->rights & 1 << 2 * side) && !(occupied & (SQUARE(king + 1) | SQUARE(king + 2))) &&
        !is_attacked(list->tables, board, king + 1, !side))
        add(list, king, king + 2, man, 0, G_CASTLING);
    if ((board->rights & 2 << 2 * side) &&
        !(occupied & (SQUARE(king - 1) | SQUARE(king - 2) | SQUARE(king - 3))) &&
        !is_attacked(list->tables, board, king - 1, !side))
        add(list, king, king - 2, man, 0, G_CASTLING);
}

int g_moves(const GTables *tables, const GBoard *board, bool only_captures, GMove *moves)
{
    List list = {moves, 0, board, tables, only_captures};
    pawn_moves(&list);
    if (!only_captures)
        castling_moves(&list);
    for (int kind = G_KNIGHT; kind <= G_KING; kind++)
        piece_moves(&list, kind);
    return list.count;
}

// ---- Playing ----

static void take_enemy(const GTables *tables, GBoard *board, GMove move)
{
    const int forward = board->side ? 8 : -8;
    const int square = g_target(move) - (g_has(move, G_EN_PASSANT) ? forward : 0);
    const int first = !board->side * G_BLACK;
    for (int man = first; man < first + 6; man++)
        if (board->men[man] & SQUARE(square))
            take_away(tables, board, man, square);
}

// A move from or to the home of king or rook ends the rights that need it there.
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

static void move_rook(const GTables *tables, GBoard *board, GMove move)
{
    const int target = g_target(move), rook = board->side * G_BLACK + G_ROOK;
    const bool is_short = target > g_source(move);
    take_away(tables, board, rook, is_short ? target + 1 : target - 2);
    put(tables, board, rook, is_short ? target - 1 : target + 1);
}

bool g_make(const GTables *tables, GBoard *board, GMove move)
{
    const int source = g_source(move), target = g_target(move), man = g_man(move);
    const bool is_pawn = man % G_BLACK == G_PAWN;
    if (g_has(move, G_CAPTURE))
        take_enemy(tables, board, move);
    take_away(tables, board, man, source);
    put(tables, board, g_promoted(move) ? g_promoted(move) : man, target);
    if (g_has(move, G_CASTLING))
        move_rook(tables, board, move);
    board->passed = g_has(move, G_DOUBLE) ? (source + target) / 2 : G_NO_SQUARE;
    board->rights &= ~(rights_lost(source) | rights_lost(target));
    board->fifty = is_pawn || g_has(move, G_CAPTURE) ? 0 : board->fifty + 1;
    board->side = !board->side;
    board->key ^= tables->key_of_black;
    return !g_in_check(tables, board, !board->side);
}

void g_write_move(GMove move, char text[6])
{
    const int source = g_source(move), target = g_target(move), promoted = g_promoted(move);
    const char squares[] = {(char)('a' + source % 8), (char)('8' - source / 8),
                            (char)('a' + target % 8), (char)('8' - target / 8)};
    memcpy(text, squares, 4);
    text[4] = promoted ? MEN[G_BLACK + promoted % G_BLACK] : 0;
    text[5] = 0;
}

uint64_t g_perft(const GTables *tables, const GBoard *board, int depth)
{
    if (depth == 0)
        return 1;
    GMove moves[G_MOVES_MAX];
    const int count = g_moves(tables, board, false, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        GBoard after = *board;
        if (g_make(tables, &after, moves[i]))
            sum += g_perft(tables, &after, depth - 1);
    }
    return sum;
}
