// The genetic league of document K: populations of players bred apart from each other. In every
// generation each individual plays both colours against the champion (the first) of every other
// population; children of good players, changed a little by chance, take the places of the next
// generation. One population after the other is frozen, so that at the end each is a milestone.
//
// All of it follows from the seed: the same champions come out on any number of threads or
// processes, and after a run was killed and begun again in its folder.
#ifndef LOVAC_LAB_LEAGUE_H
#define LOVAC_LAB_LEAGUE_H

#include "base/spread.h"
#include "lab/league_game.h"

enum { LEAGUE_POPULATIONS_MAX = 64, LEAGUE_INDIVIDUALS_MAX = 64, LEAGUE_PATH_SIZE = 1024 };

typedef struct LeagueConfig {
    const char *folder;
    int populations, individuals, generations;
    int freeze_every;    // generations; 0: none is ever frozen
    bool keeps_best;     // elitism
    bool starts_random;  // else silent networks, which play as the bare evaluation does
    double random_reach; // uniform in -reach .. reach
    BrainShape shape;    // of new networks
    BrainMutation mutation;
    LeagueStyle style;
    int plies_max;          // then a game is a draw
    const Position *starts; // where games begin, one after the other by generation
    int start_count;
    uint64_t seed;
    int workers;
    SpreadTeam *team;        // NULL: this process alone
    const atomic_bool *stop; // may be NULL
} LeagueConfig;

// Document K's run: 10 populations of 6, 450 generations, depth 2/4, frozen every 50, the best
// kept, silent start, 40 middle nodes with functions of their own, 10 recurrent pairs.
LeagueConfig league_default(void);

// How it stands. Points are the champions' of plain tournament points, 2 * (populations - 1) at
// most.
typedef struct LeagueStatus {
    int generation;  // being played, from 1 on; generations + 1: the final tournament
    int generations; // in all
    int done;        // generations that were played, the final tournament included
    int populations;
    uint64_t games, games_done;        // of this generation, those known from before not counted
    uint64_t games_total, games_known; // in all: played, and known since the same two had met
    uint64_t nodes;
    bool is_over;
    double points[LEAGUE_POPULATIONS_MAX]; // of the last generation that was played
    double ratings[LEAGUE_POPULATIONS_MAX];
    double fitness[LEAGUE_POPULATIONS_MAX]; // of the best of each population that played
    double mean_fitness;                    // of all who played
    int champion;                           // the population with most points, from 0
    uint64_t row_games;                     // of that generation, known ones included
    bool is_frozen[LEAGUE_POPULATIONS_MAX];
    int64_t elapsed_ms; // of this run
    int resumed;        // generations that were there when it began
    bool is_old;        // tells of one of these; so are all of them told first
} LeagueStatus;

// Called after every game and generation, one call at a time.
typedef void LeagueCallback(void *context, const LeagueStatus *status);

// Runs the league, or goes on with that of the folder, which must have the same settings. In all
// processes of a team but the first it plays for the first. In the folder: champion-GGG.dna of
// every generation, population-PP.dna of every population as it stands, league.csv, curve.svg,
// league.state.
bool league_run(const LeagueConfig *config, LeagueCallback *callback, void *context,
                LeagueStatus *status, Error *error);

// Selection weights: 1 for all when all are equal, else 0.1 to 1 by the square of how far each is
// above the worst.
void league_weights(const double *fitness, int count, double *weights);

// Is population p (from 0) still bred after generation g (from 1)?
bool league_is_bred(const LeagueConfig *config, int population, int generation);

// Slope, intercept and correlation of the straight line through the points by population.
void league_line(const double *points, int count, double *slope, double *intercept,
                 double *correlation);

#endif
