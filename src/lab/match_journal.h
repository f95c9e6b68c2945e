// The record of a match on disk: each finished game once, whatever happens to the program.
// A game's PGN is appended to its file first, then one line with a checksum to the journal. After a
// kill both files are cut back to the last whole line, so that no game is lost, halved or counted
// twice.
#ifndef LOVAC_LAB_MATCH_JOURNAL_H
#define LOVAC_LAB_MATCH_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct MatchJournal MatchJournal;

// What a side spent on a game.
typedef struct Effort {
    uint64_t moves; // thought about
    uint64_t nodes, time_ms;
} Effort;

// What the journal knows about a game.
typedef struct JournalEntry {
    uint64_t game; // its number in the match
    int result;    // Result
    int fault;     // PlayerFault that ended it
    int faulty;    // Color
    int plies;
    Effort effort[2]; // by colour
} JournalEntry;

// Opens or makes a journal; `pgn_path` may be NULL. `identity` says, in lines of text
// (match_identity.h), which match it is: a journal of another match is refused, with the first line
// that differs. Calls `found` for every game already played.
MatchJournal *match_journal_open(const char *path, const char *pgn_path, const char *identity,
                                 void (*found)(void *context, const JournalEntry *entry),
                                 void *context, Error *error);
void match_journal_close(MatchJournal *journal);

// Adds a game and its PGN text (may be NULL).
bool match_journal_add(MatchJournal *journal, const JournalEntry *entry, const char *pgn,
                       size_t length, Error *error);

#endif
