// See net_export.h.
#include "lab/net_export.h"

#include "lab/gpu/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int16_t rounded(float x, int unit, int limit)
{
    long v = lrintf(x * (float)unit);
    return (int16_t)(v > limit ? limit : v < -limit ? -limit : v);
}

Net *net_from_parameters(const float *parameters, const NetInfo *info, Error *error)
{
    Net *net = net_new(info, error);
    if (!net)
        return NULL;
    const size_t hidden = info->hidden, features = info->king_buckets * NNUE_INPUTS * hidden,
                 outputs = NNUE_OUTPUTS * 2 * hidden;
    const float *bias = parameters + features, *output = bias + hidden, *last = output + outputs;
    for (size_t i = 0; i < features; i++)
        net->feature[i] = rounded(parameters[i], NNUE_QA, NNUE_MAX_WEIGHT);
    for (size_t i = 0; i < hidden; i++)
        net->bias[i] = rounded(bias[i], NNUE_QA, NNUE_MAX_BIAS);
    for (size_t i = 0; i < outputs; i++)
        net->output[i] = rounded(output[i], NNUE_QB, NNUE_MAX_OUTPUT_WEIGHT);
    for (int i = 0; i < NNUE_OUTPUTS; i++)
        net->output_bias[i] = (int32_t)lrint((double)last[i] * NNUE_QA * NNUE_QA * NNUE_QB);
    return net;
}

void king_bucket_map(int buckets, uint8_t map[64])
{
    for (int square = 0; square < 64; square++) {
        const int rank = square >> 3, file = square & 4 ? 7 - (square & 7) : square & 7;
        const int four = rank == 0 ? file >> 1 : rank == 1 ? 2 : 3;
        map[square] = (uint8_t)(buckets == 4 ? four : 0);
    }
}

int encoded_width(int hidden)
{
    for (int width = 128; width <= NNUE_MAX_HIDDEN; width *= 2)
        if (hidden <= width)
            return width;
    return 0;
}

bool encoded_init(EncodedNet *encoded, const Net *net, int width, Error *error)
{
    memset(encoded, 0, sizeof *encoded);
    encoded->width = width;
    encoded->feature = malloc(encode_feature_words(width) * sizeof(uint32_t));
    encoded->output = malloc(encode_output_words(width) * sizeof(uint32_t));
    if (encoded->feature && encoded->output &&
        encode_net(net, width, encoded->feature, encoded->output, &encoded->numbers, error))
        return true;
    if (!encoded->feature || !encoded->output)
        error_set(error, "no memory for an encoded net");
    encoded_release(encoded);
    return false;
}

void encoded_release(EncodedNet *encoded)
{
    free(encoded->feature);
    free(encoded->output);
    encoded->feature = encoded->output = NULL;
}
