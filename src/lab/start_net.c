// See start_net.h. Two units hold plus and minus the balance of material around the middle of the
// clipped range; all others see random weights too small to reach its ends.
#include "lab/start_net.h"

#include "base/random.h"

#include <stdio.h>
#include <string.h>

enum { MIDDLE = 127, NOISE = 3, NOISE_OUTPUT = 2, MATERIAL_OUTPUT = 127 };

// A pawn is 3: nine queens more on one side still fit 127.
static int worth(PieceType type)
{
    return 3 * SEE_VALUES[type] / SEE_VALUES[PAWN];
}

static int noise(Random *random, int limit)
{
    return (int)random_below(random, (uint64_t)(2 * limit + 1)) - limit;
}

Net *start_net_material(int hidden, uint64_t seed, Error *error)
{
    NetInfo info = {.hidden = (uint16_t)hidden, .king_buckets = 1, .men_per_bucket = 4};
    // 3 units of material must come out as 100 centipawns: output = weight * 4 * middle * 3.
    const double per_pawn = (double)MATERIAL_OUTPUT * 4 * MIDDLE * worth(PAWN);
    info.multiplier = (int32_t)(100.0 * 4294967296.0 / per_pawn + 0.5);
    snprintf(info.variant, sizeof info.variant, "chess");
    snprintf(info.recipe, sizeof info.recipe, "material and noise, seed %llu",
             (unsigned long long)seed);
    Net *net = net_new(&info, error);
    if (!net)
        return NULL;
    Random random;
    random_init(&random, seed);
    const NnueView view = {0, 0};
    for (int own = 0; own < 2; own++)
        for (PieceType t = PAWN; t <= KING; t++)
            for (Square s = 0; s < 64; s++) {
                int16_t *row =
                    net->feature + (size_t)nnue_feature(view, 0, !own, t, s) * (size_t)hidden;
                row[0] = (int16_t)(own ? worth(t) : -worth(t));
                row[1] = (int16_t)-row[0];
                for (int i = 2; i < hidden; i++)
                    row[i] = (int16_t)noise(&random, NOISE);
            }
    for (int i = 0; i < hidden; i++)
        net->bias[i] = MIDDLE;
    for (int bucket = 0; bucket < NNUE_OUTPUTS; bucket++) {
        int16_t *own = net->output + (size_t)bucket * 2 * (size_t)hidden, *other = own + hidden;
        own[0] = MATERIAL_OUTPUT;
        own[1] = -MATERIAL_OUTPUT;
        for (int i = 2; i < hidden; i++) { // the same noise, with opposite sign, for both sides
            if (bucket == 0)
                own[i] = (int16_t)noise(&random, NOISE_OUTPUT);
            else
                own[i] = net->output[i];
            other[i] = (int16_t)-own[i];
        }
    }
    return net;
}
