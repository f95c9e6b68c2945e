// Judging games: every position searched, every move compared with the best one, better lines
// shown.
#ifndef LOVAC_LAB_ANALYSE_H
#define LOVAC_LAB_ANALYSE_H

#include <stdatomic.h>

#include "core/pgn_write.h"
#include "engine/review.h"

// Searches all positions of the main line within `limits` and writes the judged game into `out`:
// everything that was there stays; scores, glyphs and better lines come in. False when memory ran
// out or `stop` became true.
bool analyse_game(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                  const atomic_bool *stop, PgnGame *out, GameReport *report, Error *error);

typedef struct AnalyseConfig {
    const char *path;   // PGN; "-": standard input
    const Rules *rules; // of games that do not say
    SearchLimits limits;
    int workers, hash_mb;
    uint64_t games_max; // 0: all
    PgnSink *sink;      // gets the judged games, in order
    void *sink_context;
    const atomic_bool *stop; // may be NULL
} AnalyseConfig;

// Called with every finished game, one call at a time, in order.
typedef void AnalyseCallback(void *context, const PgnGame *game, const GameReport *report,
                             uint64_t position, uint64_t length);

// Judges all games of a file on several workers.
bool analyse_file(const AnalyseConfig *config, AnalyseCallback *callback, void *context,
                  Error *error);

#endif
