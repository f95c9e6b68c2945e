// See tables.h. Written for clarity, run once.
#include "lab/gpu/tables.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static uint64_t squares_between(int a, int b)
{
    int file = a & 7, rank = a >> 3;
    const int df = (b & 7) - file, dr = (b >> 3) - rank;
    if (a == b || (df && dr && abs(df) != abs(dr)))
        return ~0ull;
    uint64_t result = 0;
    for (;;) {
        file += sign(df);
        rank += sign(dr);
        if (rank * 8 + file == b)
            return result;
        result |= 1ull << (rank * 8 + file);
    }
}

static void fill_square(Tables *t, int a)
{
    const int file = a & 7, rank = a >> 3;
    for (int b = 0; b < 64; b++) {
        const int df = (b & 7) - file, dr = (b >> 3) - rank;
        const uint64_t bit = 1ull << b;
        t->between[a * 64 + b] = squares_between(a, b);
        if (a == b)
            continue;
        if (df == dr)
            t->diagonal[a] |= bit;
        if (df == -dr)
            t->antidiagonal[a] |= bit;
        if (abs(df) == 1 && dr == 1)
            t->leap[0][a] |= bit;
        if (abs(df) == 1 && dr == -1)
            t->leap[1][a] |= bit;
        if (abs(df * dr) == 2)
            t->leap[2][a] |= bit;
        if (abs(df) <= 1 && abs(dr) <= 1)
            t->leap[3][a] |= bit;
    }
}

static void fill_start(Tables *t)
{
    static const uint8_t BACK[8] = {G_ROOK, G_KNIGHT, G_BISHOP, G_QUEEN,
                                    G_KING, G_BISHOP, G_KNIGHT, G_ROOK};
    uint8_t mailbox[64];
    memset(mailbox, 12, sizeof mailbox);
    for (int f = 0; f < 8; f++) {
        mailbox[f] = (uint8_t)(BACK[f] * 2);
        mailbox[8 + f] = G_PAWN * 2;
        mailbox[48 + f] = G_PAWN * 2 + 1;
        mailbox[56 + f] = (uint8_t)(BACK[f] * 2 + 1);
    }
    HostBoard start;
    host_board_set(t, &start, mailbox, 0, 15, G_NO_SQUARE, 0);
    memcpy(t->start_man, start.man, sizeof t->start_man);
    t->start_hash = start.hash;
}

void tables_fill(Tables *t)
{
    memset(t, 0, sizeof *t);
    for (int a = 0; a < 64; a++) {
        fill_square(t, a);
        t->rights_kept[a] = 15;
    }
    t->rights_kept[4] &= ~3;
    t->rights_kept[7] &= ~1;
    t->rights_kept[0] &= ~2;
    t->rights_kept[60] &= ~12;
    t->rights_kept[63] &= ~4;
    t->rights_kept[56] &= ~8;
    uint64_t state = 20240229;
    for (int i = 0; i < 12 * 64; i++)
        t->hash_man[i] = random_split(&state);
    for (int i = 0; i < 16; i++)
        t->hash_castling[i] = random_split(&state);
    for (int i = 0; i < 8; i++)
        t->hash_en_passant[i] = random_split(&state);
    t->hash_side = random_split(&state);
    fill_start(t);
}

int host_board_set(const Tables *t, HostBoard *board, const uint8_t mailbox[64], int side,
                   int castling, int en_passant, int fifty)
{
    int next[2] = {1, 17}, kings[2] = {0, 0};
    memset(board, 0, sizeof *board);
    for (int i = 0; i < 32; i++)
        board->man[i] = 0x200;
    for (int s = 0; s < 64; s++) {
        if (mailbox[s] >= 12)
            continue;
        const int color = mailbox[s] & 1, type = mailbox[s] >> 1;
        const int lane = type == G_KING ? color * 16 : next[color]++;
        kings[color] += type == G_KING;
        if (lane >= 16 + color * 16 || kings[color] > 1)
            return 0;
        board->man[lane] = (uint16_t)(s | type << 6);
        *(color ? &board->black : &board->white) |= 1ull << s;
        board->hash ^= t->hash_man[((color * 6 + type) << 6) + s];
    }
    board->side = side;
    board->castling = castling;
    board->en_passant = en_passant;
    board->fifty = fifty;
    board->hash ^= t->hash_castling[castling];
    if (en_passant < 64)
        board->hash ^= t->hash_en_passant[en_passant & 7];
    if (side)
        board->hash ^= t->hash_side;
    return kings[0] == 1 && kings[1] == 1;
}
