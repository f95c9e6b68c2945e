// See encode.h.
#include "lab/gpu/encode.h"

#include <stdlib.h>
#include <string.h>

enum { RAISED = 0x4000 };

static uint32_t word_of(int low, int high)
{
    return (uint32_t)high * 65536u + (uint32_t)low;
}

// What a kernel makes of a net's units: where the two halves of the words that lanes hold come
// from.
typedef struct Shape {
    int width, hidden;
    bool has_layers;
} Shape;

enum { LANES_OF_WARP = 32 };

// The unit of a place in a row (two places a word, as in the kernel's memory), or -1 for none.
static int unit_at(const Shape *s, int place)
{
    if (!s->has_layers)
        return place < s->hidden ? place : -1;
    // Strips of two words: word after word, a lane has units of the first half, then their
    // partners.
    const int words = s->width / 64, half = s->hidden / 2, word = place / 2;
    const int lane = word / 2 % LANES_OF_WARP, own = word / 2 / LANES_OF_WARP * 2 + (word & 1);
    const int unit = lane * words + own % (words / 2) * 2 + (place & 1);
    return unit >= half ? -1 : own < words / 2 ? unit : half + unit;
}

static void encode_row(uint32_t *out, const int16_t *row, const Shape *s, int raise)
{
    for (int i = 0; i < s->width; i += 2) {
        const int a = unit_at(s, i), b = unit_at(s, i + 1);
        out[i / 2] = word_of((a < 0 ? 0 : row[a]) + raise, (b < 0 ? 0 : row[b]) + raise);
    }
}

static void encode_outputs(const Net *net, EncodedNet *e)
{
    const size_t hidden = net->info.hidden, width = (size_t)e->width;
    int8_t *bytes = (int8_t *)e->output;
    for (size_t row = 0; row < NNUE_OUTPUTS * 2; row++)
        for (size_t i = 0; i < hidden; i++)
            bytes[row * width + i] = (int8_t)net->output[row * hidden + i];
    memcpy(e->numbers.output_bias, net->output_bias, sizeof e->numbers.output_bias);
}

// Word i of a lane, for i up to width / 128, has the bytes of its words 2i and 2i + 1 of sums.
static void encode_threats(const Net *net, const Shape *s, EncodedNet *e)
{
    const size_t row_words = (size_t)e->width / 4;
    for (size_t row = 0; row <= NNUE_THREATS; row++) {
        const int8_t *weights = net->threat + row * (size_t)s->hidden;
        for (int i = 0; i < s->width / 4; i++) {
            uint32_t word = 0;
            for (int k = 0; k < 4; k++) {
                const int lane = i % LANES_OF_WARP, own = i / LANES_OF_WARP * 2 + (k & 1);
                const int place = ((own / 2 * LANES_OF_WARP + lane) * 2 + (own & 1)) * 2 + k / 2;
                const int unit = row < NNUE_THREATS ? unit_at(s, place) : -1;
                word |= (uint32_t)(128 + (unit < 0 ? 0 : weights[unit])) << 8 * k;
            }
            e->threat[row * row_words + (size_t)i] = word;
        }
    }
}

// The input of the first layer that byte k of word w of a lane is, or -1 (see words_of_products).
static int product_at(const Shape *s, int lane, int w, int k)
{
    const int mine = s->width / 64, whole = mine / 4, half = s->hidden / 2;
    int own = w * 4 + k, other = 0;
    if (w >= whole && w < 2 * whole) {
        other = 1;
        own -= 4 * whole;
    } else if (w >= 2 * whole) {
        other = k / 2;
        own = 4 * whole + k % 2;
    }
    const int unit = lane * mine + own;
    return unit < half ? other * half + unit : -1;
}

// The layers of an output bucket: weights of the first, of the second, then for each lane the
// biases of both, the third layer's weight, and its bias.
static void encode_bucket(const NetLayers *l, const Shape *s, int bucket, uint32_t *out)
{
    const int words = s->width / 128;
    for (int j = 0; j < NNUE_L1; j++)
        for (int w = 0; w < words; w++)
            for (int lane = 0; lane < LANES_OF_WARP; lane++) {
                uint32_t word = 0;
                for (int k = 0; k < 4; k++) {
                    const int from = product_at(s, lane, w, k);
                    const int8_t *row =
                        l->first + (size_t)(bucket * NNUE_L1 + j) * (size_t)s->hidden;
                    word |= (uint32_t)(uint8_t)(from < 0 ? 0 : row[from]) << 8 * k;
                }
                const int n = j * words + w;
                out[(n / 4 * LANES_OF_WARP + lane) * 4 + n % 4] = word;
            }
    out += NNUE_L1 * words * LANES_OF_WARP;
    for (int lane = 0; lane < LANES_OF_WARP; lane++) {
        const int16_t *row = l->second[bucket][lane];
        for (int n = 0; n < NNUE_L1; n++)
            out[(n / 4 * LANES_OF_WARP + lane) * 4 + n % 4] =
                (uint32_t)(uint16_t)row[2 * n] | (uint32_t)(uint16_t)row[2 * n + 1] << 16;
    }
    out += NNUE_L1 * LANES_OF_WARP;
    for (int lane = 0; lane < LANES_OF_WARP; lane++) {
        out[lane] = (uint32_t)l->first_bias[bucket][lane % NNUE_L1];
        out[LANES_OF_WARP + lane] = (uint32_t)l->second_bias[bucket][lane];
        out[2 * LANES_OF_WARP + lane] = (uint32_t)(int32_t)l->third[bucket][lane];
        out[3 * LANES_OF_WARP + lane] = (uint32_t)l->third_bias[bucket];
    }
}

static void encode_numbers(const Net *net, EncodedNet *e)
{
    e->numbers.multiplier = net->info.multiplier;
    e->numbers.bias_row = NNUE_INPUTS * net->info.king_buckets;
    e->numbers.king_buckets = 0;
    for (int square = 0; square < 64; square++)
        if (!(square & 4))
            e->numbers.king_buckets |= (uint64_t)(net->info.king_bucket[square] & 3)
                                       << ((square >> 3) * 8 + (square & 3) * 2);
}

static void encode_net(const Net *net, EncodedNet *e)
{
    const Shape shape = {e->width, net->info.hidden, net->layers != NULL};
    const int rows = NNUE_INPUTS * net->info.king_buckets;
    const size_t row_words = (size_t)e->width / 2;
    for (int f = 0; f < rows; f++)
        encode_row(e->feature + (size_t)f * row_words,
                   net->feature + (size_t)f * (size_t)shape.hidden, &shape, 0);
    encode_row(e->feature + (size_t)rows * row_words, net->bias, &shape, RAISED);
    encode_numbers(net, e);
    if (!net->layers) {
        encode_outputs(net, e);
        return;
    }
    if (net->threat)
        encode_threats(net, &shape, e);
    for (int bucket = 0; bucket < NNUE_OUTPUTS; bucket++)
        encode_bucket(net->layers, &shape, bucket,
                      e->layers + bucket * (int)e->numbers.layer_words);
}

int encoded_width(const NetInfo *info)
{
    if (info->has_layers)
        return info->hidden <= LAYERS_WIDTH ? LAYERS_WIDTH : 0;
    for (int width = 128; width <= NNUE_MAX_HIDDEN; width *= 2)
        if (info->hidden <= width)
            return width;
    return 0;
}

// Takes zeroed memory for words.
static bool take_words(uint32_t **words, size_t count)
{
    *words = calloc(count ? count : 1, sizeof **words);
    return *words != NULL;
}

bool encoded_init(EncodedNet *e, const Net *net, int width, Error *error)
{
    const size_t w = (size_t)width;
    memset(e, 0, sizeof *e);
    if (net->info.hidden > width || net->info.king_buckets > PLAY_KING_BUCKETS ||
        net->info.men_per_bucket != 4 || (net->layers != NULL) != (width == LAYERS_WIDTH))
        return error_set(
            error, "net: %d units%s, %d king buckets cannot play on the GPU at width %d",
            net->info.hidden, net->layers ? " and layers" : "", net->info.king_buckets, width);
    e->width = width;
    e->feature_words = ((size_t)NNUE_INPUTS * net->info.king_buckets + 1) * w / 2;
    e->output_words = (size_t)NNUE_OUTPUTS * 2 * w / 4;
    e->threat_words = net->threat ? (NNUE_THREATS + 1) * w / 4 : 0;
    e->numbers.layer_words = LANES_OF_WARP * (NNUE_L1 * (width / 128) + NNUE_L1 + 4);
    e->layers_words = net->layers ? NNUE_OUTPUTS * (size_t)e->numbers.layer_words : 0;
    const bool ok = take_words(&e->feature, e->feature_words) &&
                    take_words(&e->output, e->output_words) &&
                    (!net->threat || take_words(&e->threat, e->threat_words)) &&
                    (!net->layers || take_words(&e->layers, e->layers_words));
    if (ok) {
        encode_net(net, e);
        return true;
    }
    encoded_release(e);
    return error_set(error, "no memory for an encoded net");
}

void encoded_release(EncodedNet *e)
{
    free(e->feature);
    free(e->output);
    free(e->threat);
    free(e->layers);
    memset(e, 0, sizeof *e);
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
