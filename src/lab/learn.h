// Learning chess from nothing: games by the newest net, training on them, a match against the last
// net and a pool of earlier ones, and again. Everything that is needed to go on lies in one folder.
//
// A plan is a list of stages separated by ';', each a list of settings:
//   width=512      units of the net
//   buckets=4      its king buckets, 1 or 4
//   gens=8         generations of this stage
//   play=30        seconds of self-play in each
//   train=20       seconds of training in each
//   nodes=500      of each move in self-play
//   every=4        only one move in so many is searched so and its position kept ...
//   quick=250      ... the others are searched with so many nodes (0: with all)
//   window=200     newest positions to train on, in millions (0: all)
//   result=0.1     weight of the game's result in the target
//   trial=0.3      train a second net with this weight too, go on with the better one (-1: no)
//   rate=0.001     learning rate at the beginning of each training ...
//   end=0.00001    ... and at its end
//   fresh=1        begin each training from random weights (0: go on from the last; a net that is
//                  to be wider or to have more king buckets grows from the last)
//   student=384    units of the net that the engine ships, trained on the same positions (0: none)
//   threats=1      ... with threat inputs (0: without)
//   pupil=0        which student of that shape, where several are to be compared (0 to 9)
//   later=0        weight of the game's later scores in its target
//   epsilon=1e-7   of its optimiser: larger, and threats that are seldom seen make smaller steps
//   self=1         the student plays the games, not the player (0); up to 384 units
//   study=60       seconds of its training; rate, end, window and result count for it, too
// train=0 leaves the player as it is. Students of other shapes keep their state for later stages.
// Settings that a stage leaves out are those of the stage before. When time runs short the last
// stage is begun early, so it is the place for a long last training. A plan "@FILE" is read from a
// file, anew before every generation, so that a long run can be steered.
#ifndef LOVAC_LAB_LEARN_H
#define LOVAC_LAB_LEARN_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct LearnSetup {
    const char *folder;  // made if missing; nets, state, log and curve are kept here
    const char *plan;    // NULL: LEARN_PLAN
    const char *start;   // a net to begin with instead of material; NULL for none
    const char *student; // a net for a student of its shape to begin with; NULL for none
    double seconds;      // to stop after; 0: when the plan is done
    uint64_t seed;
    uint64_t records; // room for positions on the GPU; 0: as many as fit
    int match_nodes;  // of each move in matches
    int match_pairs;  // of games, by each warp
    int widths[4];    // learn_speed: the widths to measure ...
    int width_count;  // ... 0: all
    bool games_only;  // learn_speed: no training
    void (*say)(void *context, const char *line); // told what happens
    void *context;
} LearnSetup;

// Three quarters of an hour on one large GPU.
extern const char LEARN_PLAN[];

// Learns until the plan is done or the time is over. Goes on where the folder's last run stopped.
bool learn_run(const LearnSetup *setup, Error *error);

// Draws a folder's curve.svg anew from its learn.csv; no GPU is needed.
bool learn_draw(const char *folder, Error *error);

// Tests the GPU: perft, and games equal to those of the emulated warp, with setup->start or
// material. False at the first thing that is wrong.
bool learn_check(const LearnSetup *setup, Error *error);

// Measures games and training at the widths asked for, and compares each exported net with its
// trainer. Plays with setup->start, or with material.
bool learn_speed(const LearnSetup *setup, Error *error);

// Plays matches between search options on the GPU (see gpu/search.h), each of `options` against 0.
bool learn_try_options(const LearnSetup *setup, const char *net, const uint32_t *options, int count,
                       Error *error);

// Plays some games, then tests gradient and export of the student's trainer and measures it, at the
// widths asked for (0: 256, 384, 512), with threats and without.
bool learn_check_students(const LearnSetup *setup, Error *error);

// Plays a match between two net files on the GPU.
bool learn_match(const LearnSetup *setup, const char *first, const char *second, Error *error);

#endif
