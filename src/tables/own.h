// Reads our own tables of endings: how does this position end, and how soon?
//
//     OwnTables *own = own_open("/home/me/.local/share/lovac/tables", &error);
//     Ending ending;
//     if (own_probe(own, &pos, &ending, &error)) ...
//
// A folder holds a folder for each game (chess, legan, horde32) with two files for each ending:
// table_file.h. Several folders may be given, as for Syzygy's tables. Tables are read when they are
// first asked for and stay in memory. Everything may be called from any thread.
#ifndef LOVAC_TABLES_OWN_H
#define LOVAC_TABLES_OWN_H

#include <stddef.h>

#include "tables/fate.h"
#include "tables/material.h"

typedef struct OwnTables OwnTables;
struct Table; // table_file.h

// Looks which tables are in a folder (which need not be there), or in several with ':' between them
// (';' on Windows), the first before the others; NULL only when memory ran out.
OwnTables *own_open(const char *folders, Error *error);
void own_close(OwnTables *own);

// Looks again, after tables were made. Nobody may be probing.
bool own_refresh(OwnTables *own, Error *error);

// The most men of any table for a game that is there.
int own_most_men(const OwnTables *own, const Rules *rules);

// Is the table of a normalised material there? (It may turn out to be damaged.)
bool own_has(const OwnTables *own, const Rules *rules, const Material *material);

// For the side to move.
typedef struct Ending {
    int wdl;      // with the fifty-move rule counted from here on: WDL_LOSS ... WDL_WIN
    int zeroing;  // DTZ: half-moves to the next capture, pawn move or mate, negative when it loses;
                  // beyond 100 the fifty-move rule draws; 0: a draw, or mated
    bool has_end; // the next is known
    int end;      // DTM: half-moves to mate (the end), negative when it loses; 0: a draw, or mated
} Ending;

// False, with the reason, when a table is missing or damaged, or when somebody may still castle.
bool own_probe(OwnTables *own, const Position *pos, Ending *ending, Error *error);

// Win, draw and loss alone: for the search.
bool own_probe_wdl(OwnTables *own, const Position *pos, int *wdl, Error *error);

// The distance to the end alone (Ending.end): far quicker than all together.
bool own_probe_end(OwnTables *own, const Position *pos, int *end, Error *error);

// The table itself, opened; NULL with the reason when it is missing or damaged. It stays valid
// until the endings are closed or refreshed.
const struct Table *own_table(OwnTables *own, const Rules *rules, const Material *material,
                              bool has_fates, Error *error);

// The folder of a game inside a folder of tables; false when it does not fit.
bool own_folder(const char *folder, const Rules *rules, char *path, size_t size);

#endif
