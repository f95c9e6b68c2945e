// What the learner's files share. Private to this folder.
#ifndef LOVAC_LAB_LEARN_INT_H
#define LOVAC_LAB_LEARN_INT_H

#include "engine/nnue.h"
#include "lab/gpu/layers.h"
#include "lab/learn.h"

enum {
    RANDOM_PLIES = 8,    // and one more in half of the games
    OPENING_LIMIT = 300, // centipawns
    RECORD_FROM_PLY = 10,
    BATCH = 16384,
    VALIDATION_ROOM = 1 << 20,
};

// Centipawns of one unit of a net's output (the argument of the sigmoid) where there is no earlier
// net to compare with.
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

// A trained net; units and king buckets are the info's. Its centipawns are as large as those of
// `reference` (NULL: CENTIPAWNS_PER_UNIT) on the newest positions, so that margins in centipawns
// mean the same in every generation, whatever positions it learned from.
Net *export_net(Trainer *trainer, const Net *reference, const NetInfo *info, Error *error);

// How many of the reference's centipawns one unit of a trainer's output is worth, by the root mean
// square of both over positions (as trainer_predict gives them) that neither calls decided.
double centipawns_per_unit(const float *values, const uint16_t *men, const uint32_t *meta,
                           int count, const Net *reference);

// The position of a training record.
void position_of_record(const uint16_t men[32], uint32_t meta, Position *pos);

// The shape of a trainer for nets of so many units and king buckets.
TrainerShape trainer_shape(int hidden, int buckets);

#endif
