// A network of free shape: an acyclic graph of nodes and, beside it, groups of recurrent pairs that
// carry values from one update to the next. It is read from and written to a flat list of numbers,
// its DNA, which is all that evolution works on. Nodes stand in one order: inputs, recurrent
// inputs, middle nodes, outputs, recurrent outputs; links come from inputs and middle nodes that
// stand before. Start with brain_new (all weights zero: silent) or brain_from_dna.
#ifndef LOVAC_LAB_BRAIN_BRAIN_H
#define LOVAC_LAB_BRAIN_BRAIN_H

#include "base/error.h"
#include "base/random.h"

enum { BRAIN_GROUPS_MAX = 8, BRAIN_NODES_MAX = 100000, BRAIN_LINKS_MAX = 20000000 };

// How a node folds what comes in, and what it makes of the sum. All are 0 where all is 0, so that a
// brain without weights stays silent.
typedef enum BrainCombine {
    COMBINE_SUM,
    COMBINE_PRODUCT,
    COMBINE_MAX,
    COMBINE_MIN,
    COMBINE_COUNT
} BrainCombine;
typedef enum BrainMap { MAP_TANH, MAP_IDENTITY, MAP_RELU, MAP_SINE, MAP_COUNT } BrainMap;

// No node goes beyond: products must not run away.
#define BRAIN_LIMIT 1000.0

typedef struct BrainLink {
    int source;
    double weight;
} BrainLink;

typedef struct BrainNode {
    int combine, map;
    double bias;
    BrainLink *links;
    int count, room;
} BrainNode;

typedef struct Brain {
    int inputs, recurrent, middle, outputs;
    int groups, group_sizes[BRAIN_GROUPS_MAX]; // their sum is `recurrent`
    bool has_functions;                        // middle nodes choose theirs; else sum and tanh
    BrainNode *nodes;                          // middle, outputs, recurrent outputs
    double *values;                            // of all nodes in their order
} Brain;

// What a new brain looks like.
typedef struct BrainShape {
    int inputs, middle, outputs;
    int groups, group_sizes[BRAIN_GROUPS_MAX];
    int fan; // links of a middle node and of a recurrent output; 0: from all inputs
    bool has_functions;
} BrainShape;

// A silent brain of this shape: wiring and functions by chance, all weights and biases 0. Every
// output hears every middle node. NULL when memory ran out.
Brain *brain_new(const BrainShape *shape, Random *random);
void brain_free(Brain *brain);

// All weights and biases anew, uniform in -reach .. reach.
void brain_randomise(Brain *brain, double reach, Random *random);

// ---- DNA ----

// functions (0 or 1), inputs, outputs, middle, groups, the size of each; then for each node of
// `nodes`: with functions combine and map; bias, number of links, and for each source and weight.
typedef struct Dna {
    double *at;
    int count;
} Dna;

void dna_release(Dna *dna);
bool dna_copy(Dna *dna, const Dna *from);

// Builds the brain; NULL with the reason when the numbers describe none.
Brain *brain_from_dna(const Dna *dna, Error *error);

// Writes it, with memory of its own; false when there is none.
bool brain_to_dna(const Brain *brain, Dna *dna);

// As a file of text: a first line that says what it is, then the numbers.
bool dna_read(Dna *dna, const char *path, Error *error);
bool dna_write(const Dna *dna, const char *path, Error *error);

// ---- Thinking ----

static inline int brain_first_middle(const Brain *brain)
{
    return brain->inputs + brain->recurrent;
}
static inline int brain_first_output(const Brain *brain)
{
    return brain_first_middle(brain) + brain->middle;
}
static inline int brain_node_count(const Brain *brain) // of `nodes`
{
    return brain->middle + brain->outputs + brain->recurrent;
}

void brain_set_input(Brain *brain, int i, double value);
double brain_output(const Brain *brain, int i);

// Computes all nodes in their order, then hands the recurrent outputs to their inputs.
void brain_update(Brain *brain);

// The first values (0) of a recurrent group, or of all.
void brain_reset(Brain *brain, int group);
void brain_reset_all(Brain *brain);

// ---- Learning ----

// Can it learn by gradients? Only sums and tanh can.
bool brain_can_learn(const Brain *brain);

// Weights and biases in the order of the nodes: of each its bias, then its links.
int brain_parameter_count(const Brain *brain);
void brain_parameters(const Brain *brain, double *parameters);

// Adds the gradient of half the squared error of the outputs, as they stand after an update, to
// `gradient` (brain_parameter_count numbers); returns that error. `scratch` has room for the value
// of every node. Only for brains that can learn; recurrent inputs count as constants, and the
// recurrent pairs must not have been moved on: call brain_update_still before.
double brain_gradient(const Brain *brain, const double *targets, double *scratch, double *gradient);

// brain_update without the last step: the recurrent inputs keep what they have.
void brain_update_still(Brain *brain);

// Moves every parameter by -rate * gradient.
void brain_descend(Brain *brain, const double *gradient, double rate);

// ---- Chance ----

typedef struct BrainMutation {
    double weight_share, weight_step; // this share of weights and biases moves, with this deviation
    double function_share;            // of middle nodes choose a function anew
    double link_chance;               // that a link comes, and that one goes
    double node_chance;               // that a middle node comes, and that one goes
    int middle_max;                   // limit of middle nodes
    int fan;                          // links of a new node
} BrainMutation;

BrainMutation brain_mutation_default(void);
void brain_mutate(Brain *brain, const BrainMutation *mutation, Random *random);

// DNA of a child: the parent's, built, mutated and written.
bool dna_mutate(const Dna *parent, const BrainMutation *mutation, Random *random, Dna *child,
                Error *error);

#endif
