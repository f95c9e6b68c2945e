// Hands out the moves of a node one by one, the most promising first, and makes them only when they
// are needed.
#ifndef LOVAC_ENGINE_PICKER_H
#define LOVAC_ENGINE_PICKER_H

#include "engine/checks.h"
#include "engine/search.h"

typedef enum PickStage {
    // the main search
    PICK_HASH,
    PICK_MAKE_CAPTURES,
    PICK_GOOD_CAPTURES,
    PICK_MAKE_QUIETS,
    PICK_GOOD_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_BAD_QUIETS,
    // in check, or where every move must capture: all at once
    PICK_ALL_HASH,
    PICK_MAKE_ALL,
    PICK_ALL,
    // captures only: quiescence
    PICK_NOISY_HASH,
    PICK_MAKE_NOISY,
    PICK_NOISY,
    // captures that gain at least a threshold: ProbCut
    PICK_GAIN_HASH,
    PICK_MAKE_GAIN,
    PICK_GAIN,
    PICK_DONE,
} PickStage;

typedef struct Picker {
    Worker *worker;
    const Node *node;
    const CheckMap *checks; // of the node; of the main search only
    PickStage stage;
    Move hash_move;
    bool skip_quiets;
    int depth; // left to search: near the leaves sorting all quiet moves does not pay
    int threshold;
    int start; // of this picker's moves in the worker's list
    ScoredMove *current, *end, *bad_captures_end, *quiets_end;
} Picker;

// For the main search and for quiescence in check. `checks` must live as long as the picker.
void picker_init_main(Picker *picker, Worker *worker, const Node *node, const CheckMap *checks,
                      Move hash_move, int depth);
// For quiescence out of check.
void picker_init_noisy(Picker *picker, Worker *worker, const Node *node, Move hash_move);
// For ProbCut: captures worth at least `threshold`.
void picker_init_gain(Picker *picker, Worker *worker, const Node *node, Move hash_move,
                      int threshold);

// The next pseudo-legal move, or MOVE_NONE.
Move picker_next(Picker *picker);

// Gives the room for the moves back. Pickers end in the reverse order of their beginning.
void picker_end(Picker *picker);

#endif
