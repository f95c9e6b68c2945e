// Judging a played game: what the engine finds in each position, and what each move gave away of
// the expected score. Used by `lovac analyse` and by the server; both search the last position
// first, so that the hash table knows what comes.
#ifndef LOVAC_ENGINE_REVIEW_H
#define LOVAC_ENGINE_REVIEW_H

#include "engine/engine.h"

typedef enum Judgement {
    JUDGED_GOOD,
    JUDGED_INACCURACY,
    JUDGED_MISTAKE,
    JUDGED_BLUNDER,
    JUDGEMENT_COUNT
} Judgement;

// How one player did, in one game or in many.
typedef struct PlayerReport {
    uint64_t moves;
    double accuracy_sum; // per cent, over moves
    double loss_sum;     // centipawns, each at most 1000
    uint64_t judged[JUDGEMENT_COUNT];
    uint64_t best; // moves that were the engine's own choice
} PlayerReport;

typedef struct GameReport {
    PlayerReport players[2];
    uint64_t positions, nodes;
} GameReport;

// Adds up.
void player_report_add(PlayerReport *sum, const PlayerReport *report);

enum { FINDING_LINE_MAX = 12 };

// What the engine found in a position.
typedef struct Finding {
    int score; // for the side to move
    int depth;
    Move line[FINDING_LINE_MAX];
    int count;
    uint64_t nodes;
} Finding;

// Searches the position after these moves, in this thread; a finished game has its score without a
// search.
bool review_search(Engine *engine, const SearchLimits *limits, const Position *start,
                   const Move *moves, int count, const Position *pos, Finding *finding,
                   Error *error);

// One played move.
typedef struct Verdict {
    Judgement judgement;
    bool is_best;
    double accuracy; // per cent
    int score;       // after the move, for White
    bool is_over;
} Verdict;

// Compares a move with the best one: `best` was found before it, `next` after it. Counts it in
// `report`.
Verdict review_move(const Position *before, Move move, const Position *after, const Finding *best,
                    const Finding *next, PlayerReport *report);

// What a move gave away of the expected score (0 to 1): how it is judged, and its accuracy in per
// cent.
Judgement review_judge(double given_away);
double review_accuracy(double given_away);

// The share of the point (0 to 1) that the side to move can expect with a score.
double review_expected(const Position *pos, int score);

#endif
