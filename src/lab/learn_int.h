// What the learner's files share. Private to this folder.
#ifndef LOVAC_LAB_LEARN_INT_H
#define LOVAC_LAB_LEARN_INT_H

#include "engine/nnue.h"
#include "lab/layers.h"
#include "lab/learn.h"

enum {
    RANDOM_PLIES = 8,    // and one more in half of the games
    OPENING_LIMIT = 350, // centipawns
    RECORD_FROM_PLY = 10,
    BATCH = 16384,
    VALIDATION_ROOM = 1 << 20,
};

// The root mean square of a net's centipawns over the validation positions: every net is scaled to
// it, so that margins in centipawns mean the same in every generation.
#define SPREAD_CENTIPAWNS 400.0

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

// A trained net scaled to the common spread; units and king buckets are the info's.
Net *export_net(Trainer *trainer, const TrainReport *report, const NetInfo *info, Error *error);

// The shape of a trainer for nets of so many units and king buckets.
TrainerShape trainer_shape(int hidden, int buckets);

#endif
