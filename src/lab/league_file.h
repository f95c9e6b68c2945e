// What a league leaves in its folder: the state from which it goes on, the curve as CSV and as a
// picture.
#ifndef LOVAC_LAB_LEAGUE_FILE_H
#define LOVAC_LAB_LEAGUE_FILE_H

#include "lab/league.h"

// A generation that was played; the last row is the final tournament.
typedef struct LeagueRow {
    double points[LEAGUE_POPULATIONS_MAX], ratings[LEAGUE_POPULATIONS_MAX];
    double fitness[LEAGUE_POPULATIONS_MAX], mean_fitness; // of the best of each population; of all
    uint64_t games, known; // played, and known since the same two had met
} LeagueRow;

typedef struct LeagueState {
    int populations, individuals;
    int done, capacity; // rows
    LeagueRow *rows;
    Dna *dna; // [population * individuals + individual]: who plays next
    double ratings[LEAGUE_POPULATIONS_MAX];
    uint64_t games_total, games_known, nodes;
} LeagueState;

// Room for a league; nothing in it.
bool league_state_init(LeagueState *state, const LeagueConfig *config, Error *error);
void league_state_release(LeagueState *state);

// Writes and reads folder/league.state. `identity` says in lines which league it is; reading
// refuses another one's with the line that differs. `is_there` tells whether there was a file.
bool league_state_save(const LeagueState *state, const char *folder, const char *identity,
                       Error *error);
bool league_state_load(LeagueState *state, const char *folder, const char *identity, bool *is_there,
                       Error *error);

// folder/league.csv: a line for each generation, points and ratings of all populations.
bool league_write_csv(const LeagueState *state, const char *folder, Error *error);

// folder/curve.svg: the ratings over the generations, and the last points of all populations with
// the straight line through them.
bool league_draw(const LeagueState *state, const char *folder, Error *error);

#endif
