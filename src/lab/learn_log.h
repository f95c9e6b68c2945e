// The learner's diary: one line of CSV for each generation, which is also what a later run goes on
// from, and a picture of it.
#ifndef LOVAC_LAB_LEARN_LOG_H
#define LOVAC_LAB_LEARN_LOG_H

#include "base/error.h"

#include <stdint.h>

enum { LEARN_MAX_GENERATIONS = 4096 };

typedef struct LearnRow {
    int generation, stage, width, is_kept;
    double positions, window; // self-play positions in all; those trained on
    double nodes, play_s, mnps, depth, kept_per_s, drawn;
    double scale, result_weight;
    double samples, train_s, loss, validation, against_result, against_score, spread;
    double multiplier;
    double elo, elo_error;       // against the last kept net
    double rating, rating_error; // in the pool; the start net is 0
    double elapsed_s;
} LearnRow;

typedef struct LearnLog {
    LearnRow rows[LEARN_MAX_GENERATIONS];
    int count;
} LearnLog;

// Reads the CSV; a missing file is an empty log.
bool learn_log_read(LearnLog *log, const char *path, Error *error);

// Writes the CSV, and the curve (rating over positions, and the validation loss) as SVG.
bool learn_log_write(const LearnLog *log, const char *path, Error *error);
bool learn_log_draw(const LearnLog *log, const char *path, Error *error);

#endif
