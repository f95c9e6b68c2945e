// See brain.h. Start with brain_update_still: all else makes, stores or changes what it computes.
#include "lab/brain/brain.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/minmax.h"

// ---- Making ----

// An empty brain with room for its nodes, which have no links yet.
static Brain *make_empty(int inputs, int recurrent, int middle, int outputs)
{
    Brain *brain = calloc(1, sizeof *brain);
    if (!brain)
        return NULL;
    *brain =
        (Brain){.inputs = inputs, .recurrent = recurrent, .middle = middle, .outputs = outputs};
    const int nodes = brain_node_count(brain);
    brain->nodes = calloc((size_t)nodes, sizeof *brain->nodes);
    brain->values = calloc((size_t)(inputs + recurrent + nodes), sizeof *brain->values);
    if (brain->nodes && brain->values)
        return brain;
    brain_free(brain);
    return NULL;
}

void brain_free(Brain *brain)
{
    if (!brain)
        return;
    for (int n = 0; brain->nodes && n < brain_node_count(brain); n++)
        free(brain->nodes[n].links);
    free(brain->nodes);
    free(brain->values);
    free(brain);
}

static bool add_link(BrainNode *node, int source, double weight)
{
    if (node->count == node->room) {
        const int room = node->room ? node->room * 2 : 8;
        BrainLink *links = realloc(node->links, (size_t)room * sizeof *links);
        if (!links)
            return false;
        node->links = links;
        node->room = room;
    }
    node->links[node->count++] = (BrainLink){source, weight};
    return true;
}

// What a node may listen to: all that stands before it, outputs excepted.
static int source_limit(const Brain *brain, int n)
{
    return brain_first_middle(brain) + min_int(n, brain->middle);
}

static bool has_link(const BrainNode *node, int source)
{
    for (int i = 0; i < node->count; i++)
        if (node->links[i].source == source)
            return true;
    return false;
}

// So many links without weight to different sources; 0: to all inputs.
static bool wire(Brain *brain, int n, int fan, Random *random)
{
    BrainNode *node = &brain->nodes[n];
    const int limit = source_limit(brain, n);
    bool ok = true;
    if (!fan)
        for (int s = 0; s < brain_first_middle(brain); s++)
            ok = ok && add_link(node, s, 0);
    for (int i = 0; i < min_int(fan, limit) && ok; i++) {
        int source = (int)random_below(random, (uint64_t)limit);
        while (has_link(node, source))
            source = (source + 1) % limit;
        ok = add_link(node, source, 0);
    }
    return ok;
}

static void choose_functions(BrainNode *node, Random *random)
{
    node->combine = (int)random_below(random, COMBINE_COUNT);
    node->map = (int)random_below(random, MAP_COUNT);
}

Brain *brain_new(const BrainShape *shape, Random *random)
{
    int recurrent = 0;
    for (int g = 0; g < shape->groups; g++)
        recurrent += shape->group_sizes[g];
    Brain *brain = make_empty(shape->inputs, recurrent, shape->middle, shape->outputs);
    if (!brain)
        return NULL;
    brain->groups = shape->groups;
    memcpy(brain->group_sizes, shape->group_sizes, sizeof brain->group_sizes);
    brain->has_functions = shape->has_functions;
    bool ok = true;
    for (int n = 0; n < brain_node_count(brain) && ok; n++) {
        const bool is_output = n >= shape->middle && n < shape->middle + shape->outputs;
        if (shape->has_functions && n < shape->middle)
            choose_functions(&brain->nodes[n], random);
        if (!is_output)
            ok = wire(brain, n, shape->fan, random);
        for (int m = 0; is_output && m < shape->middle; m++)
            ok = ok && add_link(&brain->nodes[n], brain_first_middle(brain) + m, 0);
    }
    if (ok)
        return brain;
    brain_free(brain);
    return NULL;
}

static double uniform(double reach, Random *random)
{
    return (2 * random_unit(random) - 1) * reach;
}

void brain_randomise(Brain *brain, double reach, Random *random)
{
    for (int n = 0; n < brain_node_count(brain); n++) {
        BrainNode *node = &brain->nodes[n];
        node->bias = uniform(reach, random);
        for (int i = 0; i < node->count; i++)
            node->links[i].weight = uniform(reach, random);
    }
}

// ---- DNA ----

void dna_release(Dna *dna)
{
    free(dna->at);
    *dna = (Dna){0};
}

bool dna_copy(Dna *dna, const Dna *from)
{
    double *at = malloc((size_t)from->count * sizeof *at + 1);
    if (!at)
        return false;
    memcpy(at, from->at, (size_t)from->count * sizeof *at);
    *dna = (Dna){at, from->count};
    return true;
}

// The numbers are taken from the front; the first that is missing or out of range is remembered.
typedef struct DnaReader {
    const Dna *dna;
    int next;
    Error *error;
    bool is_bad;
} DnaReader;

static double read_real(DnaReader *r, const char *what)
{
    if (!r->is_bad && r->next < r->dna->count && isfinite(r->dna->at[r->next]))
        return r->dna->at[r->next++];
    if (!r->is_bad)
        error_set(r->error, "DNA: number %d should be %s", r->next + 1, what);
    r->is_bad = true;
    return 0;
}

static int read_int(DnaReader *r, const char *what, int low, int high)
{
    const double number = read_real(r, what);
    if (r->is_bad || (number >= low && number <= high && number == floor(number)))
        return (int)number;
    r->is_bad = true;
    error_set(r->error, "DNA: number %d should be %s, from %d to %d", r->next, what, low, high);
    return low;
}

static void read_node(DnaReader *r, Brain *brain, int n)
{
    BrainNode *node = &brain->nodes[n];
    if (brain->has_functions) {
        node->combine = read_int(r, "a combining function", 0, COMBINE_COUNT - 1);
        node->map = read_int(r, "a mapping function", 0, MAP_COUNT - 1);
    }
    node->bias = read_real(r, "a bias");
    const int limit = source_limit(brain, n);
    const int links = read_int(r, "a number of links", 0, limit);
    for (int i = 0; i < links && !r->is_bad; i++) {
        const int source = read_int(r, "a source", 0, limit - 1);
        const double weight = read_real(r, "a weight");
        if (!r->is_bad && !add_link(node, source, weight)) {
            error_set(r->error, "out of memory");
            r->is_bad = true;
        }
    }
}

// The numbers before the nodes.
static Brain *read_head(DnaReader *r)
{
    int sizes[BRAIN_GROUPS_MAX] = {0}, recurrent = 0;
    const bool has_functions = read_int(r, "0 or 1 for functions", 0, 1);
    const int inputs = read_int(r, "the inputs", 1, BRAIN_NODES_MAX);
    const int outputs = read_int(r, "the outputs", 1, BRAIN_NODES_MAX);
    const int middle = read_int(r, "the middle nodes", 0, BRAIN_NODES_MAX);
    const int groups = read_int(r, "the recurrent groups", 0, BRAIN_GROUPS_MAX);
    for (int g = 0; g < groups && !r->is_bad; g++)
        recurrent += sizes[g] = read_int(r, "the size of a group", 0, BRAIN_NODES_MAX);
    if (r->is_bad)
        return NULL;
    Brain *brain = make_empty(inputs, recurrent, middle, outputs);
    if (!brain)
        return error_set(r->error, "out of memory"), NULL;
    brain->has_functions = has_functions;
    brain->groups = groups;
    memcpy(brain->group_sizes, sizes, sizeof sizes);
    return brain;
}

Brain *brain_from_dna(const Dna *dna, Error *error)
{
    DnaReader r = {.dna = dna, .error = error};
    Brain *brain = read_head(&r);
    for (int n = 0; brain && n < brain_node_count(brain) && !r.is_bad; n++)
        read_node(&r, brain, n);
    if (brain && !r.is_bad && r.next < dna->count) {
        error_set(error, "DNA: %d numbers too many", dna->count - r.next);
        r.is_bad = true;
    }
    if (!r.is_bad)
        return brain;
    brain_free(brain);
    return NULL;
}

static int dna_size(const Brain *brain)
{
    int size = 5 + brain->groups;
    for (int n = 0; n < brain_node_count(brain); n++)
        size += 2 * brain->has_functions + 2 + 2 * brain->nodes[n].count;
    return size;
}

static double *write_node(const BrainNode *node, bool has_functions, double *at)
{
    if (has_functions) {
        *at++ = node->combine;
        *at++ = node->map;
    }
    *at++ = node->bias;
    *at++ = node->count;
    for (int i = 0; i < node->count; i++) {
        *at++ = node->links[i].source;
        *at++ = node->links[i].weight;
    }
    return at;
}

bool brain_to_dna(const Brain *brain, Dna *dna)
{
    const int count = dna_size(brain);
    double *at = malloc((size_t)count * sizeof *at);
    if (!at)
        return false;
    *dna = (Dna){at, count};
    *at++ = brain->has_functions;
    *at++ = brain->inputs;
    *at++ = brain->outputs;
    *at++ = brain->middle;
    *at++ = brain->groups;
    for (int g = 0; g < brain->groups; g++)
        *at++ = brain->group_sizes[g];
    for (int n = 0; n < brain_node_count(brain); n++)
        at = write_node(&brain->nodes[n], brain->has_functions, at);
    assert(at == dna->at + count);
    return true;
}

static const char DNA_TITLE[] = "lovac dna 1";

bool dna_read(Dna *dna, const char *path, Error *error)
{
    char *text = file_read(path, (size_t)1 << 30, NULL, error);
    if (!text)
        return false;
    const size_t title = strlen(DNA_TITLE);
    Bytes numbers = {0};
    bool ok = !strncmp(text, DNA_TITLE, title) || error_set(error, "%s: is no DNA file", path);
    for (char *at = text + title, *end; ok; at = end) {
        const double number = strtod(at, &end);
        if (end == at) {
            at += strspn(at, " \t\r\n");
            ok = !*at || error_set(error, "%s: '%.10s' is no number", path, at);
            break;
        }
        ok = bytes_add(&numbers, &number, sizeof number) || error_set(error, "out of memory");
    }
    free(text);
    *dna = (Dna){(double *)(void *)numbers.at, (int)(numbers.size / sizeof(double))};
    if (!ok)
        dna_release(dna);
    return ok;
}

// Every digit that a number has, twelve numbers a line.
bool dna_write(const Dna *dna, const char *path, Error *error)
{
    FileWriter writer;
    if (!file_begin(&writer, path, error))
        return false;
    fputs(DNA_TITLE, writer.out);
    for (int i = 0; i < dna->count; i++)
        fprintf(writer.out, "%c%.17g", i % 12 ? ' ' : '\n', dna->at[i]);
    fputc('\n', writer.out);
    return file_commit(&writer, error);
}

// ---- Thinking ----

void brain_set_input(Brain *brain, int i, double value)
{
    assert(i >= 0 && i < brain->inputs);
    brain->values[i] = value;
}

double brain_output(const Brain *brain, int i)
{
    assert(i >= 0 && i < brain->outputs);
    return brain->values[brain_first_output(brain) + i];
}

static double within_limit(double x)
{
    return x > BRAIN_LIMIT ? BRAIN_LIMIT : x < -BRAIN_LIMIT ? -BRAIN_LIMIT : x;
}

// One step of the fold.
static double combine(int how, double sum, double x)
{
    switch (how) {
    case COMBINE_PRODUCT: return within_limit(sum * x);
    case COMBINE_MAX: return x > sum ? x : sum;
    case COMBINE_MIN: return x < sum ? x : sum;
    default: return sum + x;
    }
}

static double map(int how, double x)
{
    x = within_limit(x);
    switch (how) {
    case MAP_IDENTITY: return x;
    case MAP_RELU: return x > 0 ? x : 0;
    case MAP_SINE: return sin(x);
    default: return tanh(x);
    }
}

void brain_update_still(Brain *brain)
{
    double *value = brain->values + brain_first_middle(brain);
    for (int n = 0; n < brain_node_count(brain); n++) {
        const BrainNode *node = &brain->nodes[n];
        double sum = node->bias;
        for (int i = 0; i < node->count; i++)
            sum = combine(node->combine, sum,
                          brain->values[node->links[i].source] * node->links[i].weight);
        *value++ = map(node->map, sum);
    }
}

void brain_update(Brain *brain)
{
    brain_update_still(brain);
    memcpy(brain->values + brain->inputs,
           brain->values + brain_first_output(brain) + brain->outputs,
           (size_t)brain->recurrent * sizeof *brain->values);
}

void brain_reset(Brain *brain, int group)
{
    assert(group >= 0 && group < brain->groups);
    double *first = brain->values + brain->inputs;
    for (int g = 0; g < group; g++)
        first += brain->group_sizes[g];
    memset(first, 0, (size_t)brain->group_sizes[group] * sizeof *first);
}

void brain_reset_all(Brain *brain)
{
    for (int g = 0; g < brain->groups; g++)
        brain_reset(brain, g);
}

// ---- Learning ----

bool brain_can_learn(const Brain *brain)
{
    for (int n = 0; n < brain_node_count(brain); n++)
        if (brain->nodes[n].combine != COMBINE_SUM || brain->nodes[n].map != MAP_TANH)
            return false;
    return true;
}

int brain_parameter_count(const Brain *brain)
{
    int count = 0;
    for (int n = 0; n < brain_node_count(brain); n++)
        count += 1 + brain->nodes[n].count;
    return count;
}

void brain_parameters(const Brain *brain, double *parameters)
{
    for (int n = 0; n < brain_node_count(brain); n++) {
        const BrainNode *node = &brain->nodes[n];
        *parameters++ = node->bias;
        for (int i = 0; i < node->count; i++)
            *parameters++ = node->links[i].weight;
    }
}

void brain_descend(Brain *brain, const double *gradient, double rate)
{
    for (int n = 0; n < brain_node_count(brain); n++) {
        BrainNode *node = &brain->nodes[n];
        node->bias -= rate * *gradient++;
        for (int i = 0; i < node->count; i++)
            node->links[i].weight -= rate * *gradient++;
    }
}

// What each output is wrong by goes into `slope`; returns half the sum of squares.
static double output_slopes(const Brain *brain, const double *targets, double *slope)
{
    const int first = brain_first_output(brain);
    double loss = 0;
    for (int o = 0; o < brain->outputs; o++) {
        const double wrong = brain->values[first + o] - targets[o];
        slope[first + o] = wrong;
        loss += wrong * wrong / 2;
    }
    return loss;
}

// From the last node to the first: what a node's value costs goes on to its sources.
double brain_gradient(const Brain *brain, const double *targets, double *scratch, double *gradient)
{
    const int first = brain_first_middle(brain), nodes = brain_node_count(brain);
    memset(scratch, 0, (size_t)(first + nodes) * sizeof *scratch);
    const double loss = output_slopes(brain, targets, scratch);
    double *at = gradient + brain_parameter_count(brain);
    for (int n = nodes - 1; n >= 0; n--) {
        const BrainNode *node = &brain->nodes[n];
        const double value = brain->values[first + n];
        const double slope = scratch[first + n] * (1 - value * value); // of tanh
        at -= 1 + node->count;
        at[0] += slope;
        for (int i = 0; slope != 0 && i < node->count; i++) {
            at[1 + i] += slope * brain->values[node->links[i].source];
            scratch[node->links[i].source] += slope * node->links[i].weight;
        }
    }
    return loss;
}

// ---- Chance ----

BrainMutation brain_mutation_default(void)
{
    return (BrainMutation){.weight_share = 0.05,
                           .weight_step = 0.1,
                           .function_share = 0.01,
                           .link_chance = 0.2,
                           .node_chance = 0.05,
                           .middle_max = 40,
                           .fan = 4};
}

static void mutate_number(double *number, const BrainMutation *m, Random *random)
{
    if (random_unit(random) < m->weight_share)
        *number = within_limit(*number + m->weight_step * random_normal(random));
}

static void mutate_numbers(Brain *brain, const BrainMutation *m, Random *random)
{
    for (int n = 0; n < brain_node_count(brain); n++) {
        BrainNode *node = &brain->nodes[n];
        mutate_number(&node->bias, m, random);
        for (int i = 0; i < node->count; i++)
            mutate_number(&node->links[i].weight, m, random);
        if (brain->has_functions && n < brain->middle && random_unit(random) < m->function_share)
            choose_functions(node, random);
    }
}

static void mutate_add_link(Brain *brain, const BrainMutation *m, Random *random)
{
    const int n = (int)random_below(random, (uint64_t)brain_node_count(brain));
    const int source = (int)random_below(random, (uint64_t)source_limit(brain, n));
    const double weight = m->weight_step * random_normal(random);
    if (!has_link(&brain->nodes[n], source))
        add_link(&brain->nodes[n], source, weight); // without memory there is no new link
}

static void remove_link(BrainNode *node, int i)
{
    node->count--;
    memmove(&node->links[i], &node->links[i + 1], (size_t)(node->count - i) * sizeof(BrainLink));
}

static void mutate_remove_link(Brain *brain, Random *random)
{
    BrainNode *node = &brain->nodes[random_below(random, (uint64_t)brain_node_count(brain))];
    if (node->count)
        remove_link(node, (int)random_below(random, (uint64_t)node->count));
}

// A new last middle node, heard by one output.
static void mutate_add_node(Brain *brain, const BrainMutation *m, Random *random)
{
    const int nodes = brain_node_count(brain), at = brain->middle;
    const size_t values = (size_t)(brain_first_middle(brain) + nodes + 1);
    BrainNode *grown = realloc(brain->nodes, (size_t)(nodes + 1) * sizeof *grown);
    brain->nodes = grown ? grown : brain->nodes;
    double *room = realloc(brain->values, values * sizeof *room);
    brain->values = room ? room : brain->values;
    if (!grown || !room)
        return;
    memmove(&grown[at + 1], &grown[at], (size_t)(nodes - at) * sizeof *grown);
    grown[at] = (BrainNode){0};
    brain->middle++;
    room[values - 1] = 0;
    if (brain->has_functions)
        choose_functions(&grown[at], random);
    wire(brain, at, m->fan, random);
    for (int i = 0; i < grown[at].count; i++)
        grown[at].links[i].weight = m->weight_step * random_normal(random);
    const int output = brain->middle + (int)random_below(random, (uint64_t)brain->outputs);
    add_link(&grown[output], brain_first_middle(brain) + at,
             m->weight_step * random_normal(random));
}

static void mutate_remove_node(Brain *brain, Random *random)
{
    const int gone = (int)random_below(random, (uint64_t)brain->middle);
    const int source = brain_first_middle(brain) + gone, nodes = brain_node_count(brain);
    free(brain->nodes[gone].links);
    memmove(&brain->nodes[gone], &brain->nodes[gone + 1],
            (size_t)(nodes - gone - 1) * sizeof *brain->nodes);
    brain->middle--;
    for (int n = gone; n < nodes - 1; n++) {
        BrainNode *node = &brain->nodes[n];
        for (int i = node->count - 1; i >= 0; i--)
            if (node->links[i].source == source)
                remove_link(node, i);
            else
                node->links[i].source -= node->links[i].source > source;
    }
}

void brain_mutate(Brain *brain, const BrainMutation *m, Random *random)
{
    mutate_numbers(brain, m, random);
    if (random_unit(random) < m->link_chance)
        mutate_add_link(brain, m, random);
    if (random_unit(random) < m->link_chance)
        mutate_remove_link(brain, random);
    if (random_unit(random) < m->node_chance && brain->middle > 1)
        mutate_remove_node(brain, random);
    if (random_unit(random) < m->node_chance && brain->middle < m->middle_max)
        mutate_add_node(brain, m, random);
}

bool dna_mutate(const Dna *parent, const BrainMutation *mutation, Random *random, Dna *child,
                Error *error)
{
    Brain *brain = brain_from_dna(parent, error);
    if (!brain)
        return false;
    brain_mutate(brain, mutation, random);
    const bool ok = brain_to_dna(brain, child) || error_set(error, "out of memory");
    brain_free(brain);
    return ok;
}
