// Document K's table 1: what the frozen populations of a league score against the first one, which
// never changed, at several depths. The document played two games for a cell; here besides, from
// openings drawn by chance, as many as error bars need.
#ifndef LOVAC_LAB_LEAGUE_TABLE_H
#define LOVAC_LAB_LEAGUE_TABLE_H

#include "base/spread.h"
#include "lab/elo.h"
#include "lab/league.h"

enum { LEAGUE_DEPTHS = 4, LEAGUE_OPENING_PLIES = 6 };

typedef struct LeagueTableConfig {
    const char *folder;       // of a league: population-01.dna, population-02.dna, ...
    int populations;          // 0: as many as there are
    LeagueStyle style;        // but for the depth
    int depths;               // the first so many of 1/2, 2/4, 3/6, 4/8
    int pairs[LEAGUE_DEPTHS]; // of games from openings, for each cell
    int plies_max;
    uint64_t seed;
    int workers;
    SpreadTeam *team;
    const atomic_bool *stop; // may be NULL
} LeagueTableConfig;

// All four depths; 200 pairs at 1/2 and 2/4, 50 at 3/6, 12 at 4/8.
LeagueTableConfig league_table_default(void);

typedef struct LeagueCell {
    double plain; // points of the two games from the start position, as in the document
    PairCounts pairs;
} LeagueCell;

typedef struct LeagueTable {
    int populations, depths;
    LeagueCell cells[LEAGUE_DEPTHS][LEAGUE_POPULATIONS_MAX]; // by population, from 0; 0 is empty
    LeagueCell totals[LEAGUE_DEPTHS];
    uint64_t done, games; // played so far, and in all
} LeagueTable;

// Called after every pair of games.
typedef void LeagueTableCallback(void *context, const LeagueTable *table);

// Plays the table; in all processes of a team but the first it plays for the first.
bool league_table_run(const LeagueTableConfig *config, LeagueTableCallback *callback, void *context,
                      LeagueTable *table, Error *error);

// folder/table.csv
bool league_table_write(const LeagueTable *table, const char *folder, Error *error);

#endif
