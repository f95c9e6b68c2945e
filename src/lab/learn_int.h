// What the learner's files share. Private to this folder.
#ifndef LOVAC_LAB_LEARN_INT_H
#define LOVAC_LAB_LEARN_INT_H

#include "engine/nnue.h"
#include "lab/layers.h"
#include "lab/learn.h"

enum {
    RANDOM_PLIES = 8,    // and one more in half of the games
    OPENING_LIMIT = 200, // centipawns
    RECORD_FROM_PLY = 10,
    BATCH = 16384,
    VALIDATION_ROOM = 1 << 20,
};

// Centipawns of one unit of a net's output (the argument of the sigmoid): the same for every net,
// so that margins in centipawns mean the same in every generation. A fixed spread over the
// validation positions did not do: it moves with the kind of positions (9 % between generations 18
// and 24).
#define CENTIPAWNS_PER_UNIT 206.5

typedef struct MatchResult {
    double elo, error; // and half of the 95 % interval
    double seconds, drawn;
    uint64_t games;
} MatchResult;

// A match on the GPU; nets may differ in width.
bool match_nets(Device *device, const LearnSetup *setup, const Net *first, const Net *second,
                const uint32_t options[2], uint64_t seed, MatchResult *result, Error *error);

// Says a line made as by printf.
void learn_say(const LearnSetup *setup, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// A trained net scaled to centipawns; units and king buckets are the info's.
Net *export_net(Trainer *trainer, const NetInfo *info, Error *error);

// The shape of a trainer for nets of so many units and king buckets.
TrainerShape trainer_shape(int hidden, int buckets);

#endif
