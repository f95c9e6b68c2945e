// Nets of any shape with random weights, for tests and measurements.
#ifndef LOVAC_TESTS_RANDOM_NET_H
#define LOVAC_TESTS_RANDOM_NET_H

#include <string.h>

#include "base/random.h"
#include "engine/nnue.h"

// What weights look like: over the whole allowed range; all at its ends, so that sums are as large
// as they can be; or small, with king buckets as in trained nets.
typedef enum RandomNetKind { RANDOM_WIDE, RANDOM_EXTREME, RANDOM_CALM } RandomNetKind;

typedef struct RandomNet {
    const char *variant; // NULL: chess
    int hidden, king_buckets;
    bool has_layers, has_threats;
    RandomNetKind kind;
    uint64_t seed;
} RandomNet;

// A random number within ±limit; calm ones within a part of it.
static inline int random_weight(const RandomNet *shape, Random *random, int limit, int calm)
{
    if (shape->kind == RANDOM_EXTREME) // mostly of one sign
        return random_below(random, 8) ? limit : -limit;
    if (shape->kind == RANDOM_CALM)
        limit = calm;
    return (int)random_below(random, 2 * (uint64_t)limit + 1) - limit;
}

static inline void random_net_layers(Net *net, const RandomNet *shape, Random *random)
{
    NetLayers *l = net->layers;
    for (size_t i = 0; i < (size_t)NNUE_OUTPUTS * NNUE_L1 * (size_t)shape->hidden; i++)
        l->first[i] = (int8_t)random_weight(shape, random, 127, 20);
    for (size_t i = 0; net->threat && i < (size_t)NNUE_THREATS * (size_t)shape->hidden; i++)
        net->threat[i] = (int8_t)random_weight(shape, random, NNUE_MAX_THREAT_WEIGHT, 12);
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        for (int k = 0; k < NNUE_L1; k++)
            l->first_bias[b][k] = random_weight(shape, random, 16 * NNUE_ONE, NNUE_ONE / 4);
        for (int k = 0; k < NNUE_L2; k++) {
            l->second_bias[b][k] = random_weight(shape, random, NNUE_MAX_LAYER_BIAS, NNUE_ONE * 64);
            l->third[b][k] = (int16_t)random_weight(shape, random, NNUE_MAX_LAYER_WEIGHT, NNUE_Q2);
            for (int i = 0; i < 2 * NNUE_L1; i++)
                l->second[b][k][i] =
                    (int16_t)random_weight(shape, random, NNUE_MAX_LAYER_WEIGHT, NNUE_Q2 / 2);
        }
        l->third_bias[b] = random_weight(shape, random, NNUE_MAX_LAYER_BIAS, NNUE_ONE * 64);
    }
}

// A net of that shape; NULL, with the reason, when it is impossible.
static inline Net *random_net_new(const RandomNet *shape, Error *error)
{
    const size_t hidden = (size_t)shape->hidden;
    NetInfo info = {.hidden = (uint16_t)hidden,
                    .king_buckets = (uint16_t)shape->king_buckets,
                    .men_per_bucket = 4,
                    .has_layers = shape->has_layers,
                    .has_threats = shape->has_threats,
                    .multiplier =
                        shape->has_layers ? nnue_layers_multiplier(400) : nnue_multiplier(400),
                    .positions = 123456789,
                    .generation = 7};
    Random random;
    random_init(&random, shape->seed);
    for (int s = 0; s < 64; s++)
        info.king_bucket[s] = (uint8_t)(shape->kind == RANDOM_CALM && shape->king_buckets == 4
                                            ? (s < 2 || (s > 5 && s < 8) ? 0
                                               : s < 8                   ? 1
                                               : s < 16                  ? 2
                                                                         : 3)
                                            : random_below(&random, (uint64_t)shape->king_buckets));
    strcpy(info.variant, shape->variant ? shape->variant : "chess");
    strcpy(info.recipe, "random numbers");
    Net *net = net_new(&info, error);
    if (!net)
        return NULL;
    for (size_t i = 0; i < (size_t)shape->king_buckets * NNUE_INPUTS * hidden; i++)
        net->feature[i] = (int16_t)random_weight(
            shape, &random, shape->kind == RANDOM_WIDE && i % 7 ? 50 : NNUE_MAX_WEIGHT, 30);
    for (size_t i = 0; i < hidden; i++)
        net->bias[i] = (int16_t)(random_weight(shape, &random, NNUE_MAX_BIAS, 30) -
                                 (shape->kind == RANDOM_CALM ? 60 : 0));
    for (size_t i = 0; net->output && i < NNUE_OUTPUTS * 2 * hidden; i++)
        net->output[i] = (int16_t)random_weight(shape, &random, NNUE_MAX_OUTPUT_WEIGHT, 40);
    for (int i = 0; i < NNUE_OUTPUTS; i++)
        net->output_bias[i] = (int32_t)random_next(&random) >> 6;
    if (net->layers)
        random_net_layers(net, shape, &random);
    return net;
}

#endif
