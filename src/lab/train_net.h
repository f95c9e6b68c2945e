// Training a net on the CPU: floats forward and backward on several threads, AdamW. Shape, order of
// parameters and rounding are those of the GPU's trainer (layers.h): the forward pass uses the
// weights as they will be exported.
#ifndef LOVAC_LAB_TRAIN_NET_H
#define LOVAC_LAB_TRAIN_NET_H

#include "base/error.h"
#include "core/position.h"
#include "engine/nnue_features.h"

// A position to learn from, with up to 64 men.
typedef struct TrainPosition {
    uint64_t occupied;
    uint8_t pieces[32]; // four bits for each man, in the order of the squares
    int16_t score;      // for the side to move
    int16_t hand;       // likewise, the hand-written evaluation; 0 where the net stands alone
    int16_t later;      // likewise, what the game's later scores came to
    uint8_t side;
    uint8_t result; // for the side to move: 0 lost, 1 drawn, 2 won
} TrainPosition;

// Packs a position; `score` and `result` as above.
TrainPosition train_pack(const Position *pos, int score, int result);

// Notes what the hand-written evaluation says of the position, for a net that is to add to it.
void train_note_hand(TrainPosition *packed, const Position *pos);

// Puts its men back on a board (no castling, no en passant).
void train_unpack(const TrainPosition *packed, const Rules *rules, Position *pos);

// Turns of the board as a side sees it. A position is shown to the net in all turns that its game
// allows, a different one every time.
typedef enum Symmetry {
    SYMMETRY_FILES = 1,   // left and right
    SYMMETRY_RANKS = 2,   // near and far
    SYMMETRY_DIAGONAL = 4 // files and ranks
} Symmetry;

typedef struct TrainGoal {
    double result_weight; // of the result in the target, ...
    double later_weight;  // ... and of the game's later scores; the rest is the score
    double scale;         // centipawns in the score's sigmoid
    double unit;          // a net that is gone on from: so many times its output is the sigmoid's
    double hand_scale; // likewise for the hand-written evaluation that the net adds to; 0: to none
    int men_per_bucket;
    bool is_from_corner; // the game wants nnue_corner_view
    int symmetries;      // sum of Symmetry under which the game stays the same
} TrainGoal;

// What the net should say of it: the chance to win, 0 to 1.
double train_target(const TrainPosition *packed, const TrainGoal *goal);

typedef struct TrainSums { // over positions
    double loss, against_result, against_score, spread;
    uint64_t count;
} TrainSums;

typedef struct TrainNet TrainNet;

// Random weights; NULL when memory is short.
TrainNet *train_net_new(int hidden, int threads, uint64_t seed, Error *error);
void train_net_free(TrainNet *net);

// One step on a batch; the gradients are averaged over it. Sums are added to.
void train_net_step(TrainNet *net, const TrainPosition *const *batch, int count,
                    const TrainGoal *goal, double rate, double decay, TrainSums *sums);

// The errors on a set of positions, without learning.
void train_net_measure(TrainNet *net, const TrainPosition *const *batch, int count,
                       const TrainGoal *goal, TrainSums *sums);

// The output for one position, 1.0 being the sigmoid's unit.
double train_net_value(TrainNet *net, const TrainPosition *position, const TrainGoal *goal);

// The parameters, in the order of trainer_new in layers.h.
const float *train_net_parameters(const TrainNet *net);

#endif
