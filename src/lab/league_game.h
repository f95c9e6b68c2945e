// Who plays in a league (league.h): DNA turned into a player of document K's kind, and a game
// between two of them. The same two give the same game every time.
#ifndef LOVAC_LAB_LEAGUE_GAME_H
#define LOVAC_LAB_LEAGUE_GAME_H

#include "lab/agents/twodepth.h"

// What DNA stands for: a network that is added to the evaluation, or the weights of the
// hand-written evaluation, term by term, middle game and endgame.
typedef enum LeagueGenome { GENOME_NETWORK, GENOME_HAND } LeagueGenome;

// How all players of a league think; `how` is without network.
typedef struct LeagueStyle {
    LeagueGenome genome;
    TwoDepth how;
} LeagueStyle;

typedef struct LeagueMind {
    TwoDepth how;
    BrainFast *brain; // or:
    HandSetup *hand;
    uint64_t mark; // minds that think the same have the same
} LeagueMind;

bool league_mind_init(LeagueMind *mind, const LeagueStyle *style, const Dna *dna, Error *error);
void league_mind_release(LeagueMind *mind);

typedef struct LeagueResult {
    uint8_t result; // Result
    uint8_t reason; // Reason
    uint16_t plies;
    float material; // White's less Black's at the end, in pawns
    uint64_t nodes;
} LeagueResult;

enum { LEAGUE_PLIES_MAX = 1000 };

// Plays a game by all the rules; after `plies_max` half-moves it is a draw. `steps` has room for
// them. False when `stop` (may be NULL) became true.
bool league_play(const LeagueMind *white, const LeagueMind *black, const Position *start,
                 int plies_max, GameStep *steps, const atomic_bool *stop, LeagueResult *result);

// Points of White, 0 to 1.
double league_points(const LeagueResult *result);

// What a game adds to a player's fitness: a win 1 - moves/1000, a loss moves/1000, a draw 1/2 and
// 0.05 tanh of its material less the other's. Moves are half-moves.
double league_fitness(const LeagueResult *result, Color side);

#endif
