// See net_export.h.
#include "lab/net_export.h"

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
