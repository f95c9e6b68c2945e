// Judging games: every position searched, every move compared with the best one, better lines
// shown.
#ifndef LOVAC_LAB_ANALYSE_H
#define LOVAC_LAB_ANALYSE_H

#include <stdatomic.h>

#include "base/spread.h"
#include "core/pgn_write.h"
#include "engine/review.h"

// Searches all positions of the main line within `limits` and writes the judged game into `out`:
// everything that was there stays, but for what an earlier analysis wrote; scores, glyphs and
// better lines come in. False when memory ran out or `stop` became true.
bool analyse_game(Engine *engine, const SearchLimits *limits, const PgnGame *game,
                  const atomic_bool *stop, PgnGame *out, GameReport *report, Error *error);

typedef struct AnalyseConfig {
    const char *path;   // PGN; "-": standard input
    const Rules *rules; // of games that do not say
    SearchLimits limits;
    int workers, hash_mb;   // workers: in this process
    const char *tables;     // folders of Syzygy tables; NULL: none
    const char *own_tables; // the folder of our own; NULL: none
    SpreadTeam *team;       // processes that do it together; NULL: this one alone
    uint64_t games_max;     // 0: all
    PgnSink *sink;          // gets the judged games, in order
    void *sink_context;
    PgnReport *report; // hears what is wrong in the file, with the callback's context; may be NULL
    const atomic_bool *stop; // may be NULL
} AnalyseConfig;

enum { ANALYSE_NAME_SIZE = 64 };

// A judged game.
typedef struct AnalyseResult {
    GameReport report;
    char names[2][ANALYSE_NAME_SIZE]; // of the players, cut to fit
    uint64_t position;                // bytes of the file read when the game was
} AnalyseResult;

// Called with every finished game, one call at a time, in order.
typedef void AnalyseCallback(void *context, const AnalyseResult *result);

// Judges all games of a file on several workers. In all processes of a team but the first it works
// for the first.
bool analyse_file(const AnalyseConfig *config, AnalyseCallback *callback, void *context,
                  Error *error);

#endif
