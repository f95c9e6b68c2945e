// What can be done with files of games: look, check, put together, shuffle, take a sample.
#ifndef LOVAC_LAB_DATA_TOOLS_H
#define LOVAC_LAB_DATA_TOOLS_H

#include "base/progress.h"
#include "lab/data_file.h"

typedef struct DataSummary {
    uint64_t blocks, games, plies, kept, bytes;
    uint64_t results[4];  // by Result
    uint64_t reasons[32]; // by Reason
    uint64_t damages;     // blocks lost or wrong
    uint64_t repeated;    // games whose start, moves and scores are those of an earlier one
    double score_sum, score_squares; // of kept positions within ±1000, for White
    uint64_t score_count;
} DataSummary;

// Called for every damage found.
typedef void DataComplaint(void *context, const char *text);

// Reads everything, replays every game and adds it up. Progress is counted in bytes. False only
// when the file cannot be opened.
bool data_check(const char *path, Progress *progress, DataComplaint *complain, void *context,
                DataSummary *summary, Error *error);

// Called with every game of a file, in order, until it returns false.
typedef bool DataVisit(void *context, const DataGame *game);

// Reads every game; damaged blocks are left out and counted.
bool data_visit(const char *path, Progress *progress, DataVisit *visit, void *context,
                uint64_t *damages, Error *error);

typedef struct DataMix {
    bool shuffled;
    uint64_t seed;
    uint64_t limit; // at most so many games, taken at random; 0: all
} DataMix;

// Writes the games of several files of the same rules into a new one. Damaged blocks are left out
// and counted.
bool data_mix(const char *const *paths, int count, const char *out, const DataMix *mix,
              Progress *progress, uint64_t *games, uint64_t *damages, Error *error);

#endif
