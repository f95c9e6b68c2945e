// A match: two players or more, every opening with both colours, several games at a time, and a
// count that survives the program. Game number g, its players, opening and colours follow from g
// alone.
#ifndef LOVAC_LAB_MATCH_H
#define LOVAC_LAB_MATCH_H

#include <stdatomic.h>

#include "base/spread.h"
#include "lab/elo.h"
#include "lab/match_journal.h"
#include "lab/match_openings.h"
#include "lab/sprt.h"

typedef enum MatchFormat {
    MATCH_ROUND_ROBIN, // everybody against everybody
    MATCH_GAUNTLET     // the first against all others
} MatchFormat;

typedef struct MatchConfig {
    const PlayerSpec *players;
    int player_count;
    const Rules *rules;
    MatchFormat format;
    uint64_t rounds;  // one opening, all pairings, both colours
    int concurrency;  // games at a time in this process
    SpreadTeam *team; // processes that play it together; NULL: this one alone
    const Openings *openings;
    const char *openings_name; // their file, or what they are; may be NULL
    const char *openings_how;  // in which order, how far: for the match's identity; may be NULL
    uint64_t seed;
    Adjudication adjudication;
    int64_t margin_ms; // forgiven beyond the clock
    bool has_sprt;
    Sprt sprt;
    const char *event, *pgn_path, *journal_path; // paths may be NULL; a PGN file needs a journal
    const JournalEntry *known; // games that were played before and stand in no journal
    int known_count;
    // Told, from another thread, of a player that takes seconds to get ready; may be NULL.
    void (*on_silent)(void *context, const char *name);
    void *on_silent_context;
    const atomic_bool *stop; // games under way are dropped when it becomes true; may be NULL
} MatchConfig;

// All games between two players, seen by the first (the lower number).
typedef struct MatchPairing {
    int first, second;
    GameCounts games;
    GameCounts as_white; // the first player's games with White
    PairCounts pairs;
} MatchPairing;

typedef struct MatchStatus {
    uint64_t done, total; // games, those of an earlier run included
    uint64_t resumed;     // found in the journal
    int pairing_count;
    const MatchPairing *pairings;
    int player_count;
    const uint64_t (*faults)[FAULT_COUNT]; // by player
    const Effort *efforts;                 // by player, those of an earlier run included
    uint64_t plies;                        // thought about in this run
    int64_t elapsed_ms;                    // of this run
    double llr;
    SprtVerdict verdict;
} MatchStatus;

// A finished game.
typedef struct MatchRecord {
    JournalEntry entry; // its number, result, what each side spent
    Reason reason;
    int opening_plies;
    const char *pgn; // its text
} MatchRecord;

// Called after every game, one call at a time.
typedef void MatchCallback(void *context, const MatchStatus *status, const MatchRecord *record);

// How many games the whole match has.
uint64_t match_game_count(const MatchConfig *config);

// Who plays White (colour 0) or Black in game `number`.
int match_game_player(const MatchConfig *config, uint64_t number, Color color);

// Plays the match, or what is left of it, and calls the callback a last time without a record. In
// all processes of a team but the first it plays games for the first and never calls back. False
// when it could not be begun (a player that does not start, a journal of another match) or a file
// could not be written. Faults of players during games are counted, not fatal.
bool match_run(const MatchConfig *config, MatchCallback *callback, void *context, Error *error);

#endif
