// See encode.h.
#include "lab/gpu/encode.h"

#include <string.h>

enum { RAISED = 0x4000 };

static uint32_t word_of(int low, int high)
{
    return (uint32_t)high * 65536u + (uint32_t)low;
}

static void encode_row(uint32_t *out, const int16_t *row, int hidden, int width, int raise)
{
    for (int i = 0; i < width; i += 2) {
        int low = i < hidden ? row[i] : 0, high = i + 1 < hidden ? row[i + 1] : 0;
        out[i / 2] = word_of(low + raise, high + raise);
    }
}

bool encode_net(const Net *net, int width, uint32_t *feature, uint32_t *output, DeviceNet *device,
                Error *error)
{
    const int hidden = net->info.hidden;
    const int rows = NNUE_INPUTS * net->info.king_buckets;
    if (hidden > width || net->info.king_buckets > PLAY_KING_BUCKETS ||
        net->info.men_per_bucket != 4)
        return error_set(error, "net: %d units, %d king buckets cannot play on the GPU at width %d",
                         hidden, net->info.king_buckets, width);
    for (int f = 0; f < rows; f++)
        encode_row(feature + (size_t)f * (size_t)width / 2,
                   net->feature + (size_t)f * (size_t)hidden, hidden, width, 0);
    encode_row(feature + (size_t)rows * (size_t)width / 2, net->bias, hidden, width, RAISED);
    int8_t *bytes = (int8_t *)output;
    memset(bytes, 0, encode_output_words(width) * sizeof(uint32_t));
    for (int row = 0; row < NNUE_OUTPUTS * 2; row++)
        for (int i = 0; i < hidden; i++)
            bytes[(size_t)row * (size_t)width + (size_t)i] =
                (int8_t)net->output[(size_t)row * (size_t)hidden + (size_t)i];
    memcpy(device->output_bias, net->output_bias, sizeof device->output_bias);
    device->multiplier = net->info.multiplier;
    device->bias_row = rows;
    device->king_buckets = 0;
    for (int square = 0; square < 64; square++)
        if (!(square & 4))
            device->king_buckets |= (uint64_t)(net->info.king_bucket[square] & 3)
                                    << ((square >> 3) * 8 + (square & 3) * 2);
    return true;
}

static int rights_of(const Position *pos)
{
    static const Square ROOKS[4] = {H1, A1, H8, A8};
    int rights = 0;
    for (int i = 0; i < 4; i++)
        if (pos->state.castling & square_bit(ROOKS[i]))
            rights |= 1 << i;
    return rights;
}

bool encode_position(const Tables *tables, const Position *pos, HostBoard *board)
{
    const int rights = rights_of(pos);
    if (!pos->rules->is_orthodox ||
        bit_count(pos->state.castling) != __builtin_popcount((unsigned)rights))
        return false;
    if (((rights & 3) && pos->board[E1] != piece_make(WHITE, KING)) ||
        ((rights & 12) && pos->board[E8] != piece_make(BLACK, KING)))
        return false;
    return host_board_set(tables, board, pos->board, pos->side, rights, pos->state.en_passant,
                          pos->state.fifty);
}
