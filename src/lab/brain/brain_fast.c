// See brain_fast.h. Start with `run`, which computes a list of nodes; brain_fast_new makes the
// lists.
#include "lab/brain/brain_fast.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

typedef struct FastLink {
    uint32_t source;
    float weight;
} FastLink;

typedef struct FastNode {
    uint16_t value; // where it goes
    uint8_t combine, map;
    uint32_t first, count; // links
    float bias;
} FastNode;

typedef struct Program {
    FastNode *nodes;
    int count;
    uint8_t squares[64]; // of the board that it hears
    int square_count;
    uint64_t heard[8]; // the same as bytes of ones, eight squares each
} Program;

struct BrainFast {
    int outputs, recurrent, first_output;
    bool hears_memory;  // an output hangs on the recurrent pairs
    Program leaf, step; // for the outputs, for the recurrent pairs
    FastLink *links;
    int link_count;
    float constants[BRAIN_FAST_VALUES_MAX]; // of nodes that have one
    bool is_constant[BRAIN_FAST_VALUES_MAX];
    float bounds[BRAIN_FAST_VALUES_MAX];
};

// ---- Computing ----

// A number for each board; all of them are worked out by the same instruction.
enum { LANES = BRAIN_FAST_LANES };
typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t LaneMask __attribute__((vector_size(4 * LANES)));
#define INLINE static inline __attribute__((always_inline))

INLINE Lanes fill(float x)
{
    return x + (Lanes){0};
}

INLINE Lanes choose(LaneMask mask, Lanes a, Lanes b)
{
    return (Lanes)((mask & (LaneMask)a) | (~mask & (LaneMask)b));
}

INLINE Lanes larger(Lanes a, Lanes b)
{
    return choose(a > b, a, b);
}

INLINE Lanes smaller(Lanes a, Lanes b)
{
    return choose(a < b, a, b);
}

INLINE Lanes within(Lanes x, float limit)
{
    return smaller(larger(x, fill(-limit)), fill(limit));
}

// Lambert's continued fraction for tanh, cut after the seventh power; off by less than 0.0001.
INLINE Lanes quick_tanh(Lanes x)
{
    x = within(x, 4.97f);
    const Lanes s = x * x;
    return x * (135135 + s * (17325 + s * (378 + s))) /
           (135135 + s * (62370 + s * (3150 + s * 28)));
}

// The nearest whole turns are taken away (adding and subtracting 1.5 * 2^23 rounds), then Taylor's
// series to the thirteenth power.
INLINE Lanes quick_sine(Lanes x)
{
    const Lanes turns = (x * 0.159154943f + 12582912.0f) - 12582912.0f;
    const Lanes r = x - 6.28318531f * turns, s = -r * r;
    return r * (1 + s * (1 / 6.0f + s * (1 / 120.0f +
                                         s * (1 / 5040.0f + s * (1 / 362880.0f +
                                                                 s * (1 / 39916800.0f +
                                                                      s * (1 / 6227020800.0f)))))));
}

INLINE Lanes map_lanes(int how, Lanes x)
{
    return how == MAP_TANH   ? quick_tanh(x)
           : how == MAP_SINE ? quick_sine(within(x, (float)BRAIN_LIMIT))
           : how == MAP_RELU ? within(larger(x, fill(0)), (float)BRAIN_LIMIT)
                             : within(x, (float)BRAIN_LIMIT);
}

INLINE Lanes fold(const FastNode *node, const FastLink *links, const Lanes *values)
{
    Lanes sum = fill(node->bias);
    const FastLink *link = links + node->first, *end = link + node->count;
    for (; node->combine == COMBINE_SUM && link < end; link++)
        sum += values[link->source] * link->weight;
    for (; node->combine == COMBINE_MAX && link < end; link++)
        sum = larger(sum, values[link->source] * link->weight);
    for (; node->combine == COMBINE_MIN && link < end; link++)
        sum = smaller(sum, values[link->source] * link->weight);
    for (; node->combine == COMBINE_PRODUCT && link < end; link++)
        sum = within(sum * (values[link->source] * link->weight), (float)BRAIN_LIMIT);
    return sum;
}

// The squares that are heard and in which a board differs from the first one.
static void set_differences(const Program *program, const int8_t *men, const int8_t *first,
                            int lane, Lanes *values)
{
    for (int w = 0; w < 8; w++) {
        uint64_t a, b;
        memcpy(&a, men + 8 * w, 8);
        memcpy(&b, first + 8 * w, 8);
        for (uint64_t other = (a ^ b) & program->heard[w]; other;) {
            const int byte = __builtin_ctzll(other) / 8, s = 8 * w + byte;
            other &= ~(0xffull << 8 * byte);
            values[s][lane] = men[s];
        }
    }
}

static void run(const BrainFast *fast, const Program *program, const int8_t *const men[], int count,
                const BrainMemory *memory, Lanes *values)
{
    for (int i = 0; i < program->square_count; i++)
        values[program->squares[i]] = fill(men[0][program->squares[i]]);
    for (int l = 1; l < count; l++)
        set_differences(program, men[l], men[0], l, values);
    for (int r = 0; r < fast->recurrent; r++)
        values[64 + r] = fill(memory->at[r]);
    for (int i = 0; i < program->count; i++) {
        const FastNode *node = &program->nodes[i];
        values[node->value] = map_lanes(node->map, fold(node, fast->links, values));
    }
}

void brain_fast_values(const BrainFast *fast, const int8_t *const men[], int count,
                       const BrainMemory *memory, int output, float *results)
{
    const int at = fast->first_output + output;
    Lanes values[BRAIN_FAST_VALUES_MAX];
    assert(count >= 1 && count <= LANES);
    if (!fast->is_constant[at])
        run(fast, &fast->leaf, men, count, memory, values);
    for (int l = 0; l < count; l++)
        results[l] = fast->is_constant[at] ? fast->constants[at] : values[at][l];
}

float brain_fast_value(const BrainFast *fast, const int8_t men[64], const BrainMemory *memory,
                       int output)
{
    float value;
    brain_fast_values(fast, &men, 1, memory, output, &value);
    return value;
}

void brain_fast_step(const BrainFast *fast, const int8_t men[64], BrainMemory *memory)
{
    if (!fast->hears_memory)
        return;
    Lanes values[BRAIN_FAST_VALUES_MAX];
    run(fast, &fast->step, &men, 1, memory, values);
    const int first = fast->first_output + fast->outputs;
    for (int r = 0; r < fast->recurrent; r++)
        memory->at[r] =
            fast->is_constant[first + r] ? fast->constants[first + r] : values[first + r][0];
}

int brain_fast_outputs(const BrainFast *fast)
{
    return fast->outputs;
}

float brain_fast_bound(const BrainFast *fast, int output)
{
    return fast->bounds[fast->first_output + output];
}

bool brain_fast_is_constant(const BrainFast *fast, int output)
{
    return fast->is_constant[fast->first_output + output];
}

// ---- Making ----

static float fold_constant(int combine, float sum, float x)
{
    return combine == COMBINE_PRODUCT ? sum * x
           : combine == COMBINE_MAX   ? fmaxf(sum, x)
           : combine == COMBINE_MIN   ? fminf(sum, x)
                                      : sum + x;
}

// A node without what is constant in it, its links put at the end of `fast->links`.
static FastNode reduce(BrainFast *fast, const BrainNode *from, int value)
{
    FastNode node = {.value = (uint16_t)value,
                     .combine = (uint8_t)from->combine,
                     .map = (uint8_t)from->map,
                     .bias = (float)from->bias,
                     .first = (uint32_t)fast->link_count};
    for (int i = 0; i < from->count; i++) {
        const int source = from->links[i].source;
        const float weight = (float)from->links[i].weight;
        if (weight == 0 || fast->is_constant[source])
            node.bias = fold_constant(node.combine, node.bias,
                                      weight == 0 ? 0 : fast->constants[source] * weight);
        else
            fast->links[node.first + node.count++] = (FastLink){(uint32_t)source, weight};
    }
    const bool is_nothing = node.combine == COMBINE_PRODUCT && node.bias == 0;
    fast->is_constant[value] = is_nothing || !node.count;
    if (fast->is_constant[value]) {
        fast->constants[value] = map_lanes(node.map, fill(node.bias))[0];
        node.count = 0;
    }
    fast->bounds[value] = fast->is_constant[value] ? fabsf(fast->constants[value])
                          : node.map == MAP_TANH || node.map == MAP_SINE ? 1.0f
                                                                         : (float)BRAIN_LIMIT;
    fast->link_count += (int)node.count;
    return node;
}

// Which squares the nodes of a list hear.
static void note_squares(const BrainFast *fast, Program *program)
{
    uint8_t bytes[64] = {0};
    for (int n = 0; n < program->count; n++)
        for (uint32_t i = 0; i < program->nodes[n].count; i++) {
            const uint32_t source = fast->links[program->nodes[n].first + i].source;
            if (source < 64)
                bytes[source] = 0xff;
        }
    for (int s = 0; s < 64; s++)
        if (bytes[s])
            program->squares[program->square_count++] = (uint8_t)s;
    memcpy(program->heard, bytes, sizeof bytes);
}

// The nodes that those marked in `needed` hang on, in their order.
static bool collect(BrainFast *fast, const FastNode *nodes, int count, bool *needed,
                    Program *program)
{
    program->nodes = calloc((size_t)count + 1, sizeof *program->nodes);
    if (!program->nodes)
        return false;
    for (int n = count - 1; n >= 0; n--)
        for (uint32_t i = 0; needed[nodes[n].value] && i < nodes[n].count; i++)
            needed[fast->links[nodes[n].first + i].source] = true;
    for (int n = 0; n < count; n++)
        if (needed[nodes[n].value] && !fast->is_constant[nodes[n].value])
            program->nodes[program->count++] = nodes[n];
    note_squares(fast, program);
    return true;
}

// Both lists; the pairs count only when an output hears one of them.
static bool make_programs(BrainFast *fast, const FastNode *nodes, int count)
{
    bool needed[BRAIN_FAST_VALUES_MAX] = {false};
    for (int o = 0; o < fast->outputs; o++)
        needed[fast->first_output + o] = true;
    if (!collect(fast, nodes, count, needed, &fast->leaf))
        return false;
    for (int r = 0; r < fast->recurrent; r++)
        fast->hears_memory |= needed[64 + r];
    memset(needed, 0, sizeof needed);
    for (int r = 0; fast->hears_memory && r < fast->recurrent; r++)
        needed[fast->first_output + fast->outputs + r] = true;
    return collect(fast, nodes, count, needed, &fast->step);
}

static bool compile(BrainFast *fast, const Brain *brain, bool remembers)
{
    const int count = brain_node_count(brain), first = brain_first_middle(brain);
    int links = 0;
    for (int n = 0; n < count; n++)
        links += brain->nodes[n].count;
    FastNode *nodes = calloc((size_t)count, sizeof *nodes);
    fast->links = calloc((size_t)links + 1, sizeof *fast->links);
    for (int r = 0; r < brain->recurrent; r++)
        fast->is_constant[64 + r] = !remembers;
    for (int n = 0; nodes && fast->links && n < count; n++)
        nodes[n] = reduce(fast, &brain->nodes[n], first + n);
    const bool ok = nodes && fast->links && make_programs(fast, nodes, count);
    free(nodes);
    return ok;
}

BrainFast *brain_fast_new(const Brain *brain, bool remembers, Error *error)
{
    const int values = brain_first_middle(brain) + brain_node_count(brain);
    if (brain->inputs != 64)
        return error_set(error, "the network has %d inputs, not 64", brain->inputs), NULL;
    if (values > BRAIN_FAST_VALUES_MAX || brain->recurrent > BRAIN_FAST_MEMORY_MAX)
        return error_set(error, "the network is too large for a search: %d nodes", values), NULL;
    BrainFast *fast = calloc(1, sizeof *fast);
    if (!fast)
        return error_set(error, "out of memory"), NULL;
    fast->outputs = brain->outputs;
    fast->recurrent = brain->recurrent;
    fast->first_output = brain_first_output(brain);
    if (compile(fast, brain, remembers))
        return fast;
    brain_fast_free(fast);
    return error_set(error, "out of memory"), NULL;
}

void brain_fast_free(BrainFast *fast)
{
    if (!fast)
        return;
    free(fast->leaf.nodes);
    free(fast->step.nodes);
    free(fast->links);
    free(fast);
}

// Structs without holes: every byte of a node is one of its numbers.
static_assert(sizeof(FastNode) == 16 && sizeof(FastLink) == 8, "no padding to hash");

static uint64_t mark_program(const BrainFast *fast, const Program *program, uint64_t hash)
{
    for (int i = 0; i < program->count; i++) {
        FastNode node = program->nodes[i];
        const FastLink *links = fast->links + node.first;
        node.first = 0;
        hash = checksum_fnv(hash, &node, sizeof node);
        hash = checksum_fnv(hash, links, node.count * sizeof *links);
    }
    return hash;
}

uint64_t brain_fast_mark(const BrainFast *fast)
{
    uint64_t hash = CHECKSUM_FNV_START;
    const int sizes[3] = {fast->outputs, fast->leaf.count, fast->step.count};
    hash = checksum_fnv(hash, sizes, sizeof sizes);
    for (int v = fast->first_output;
         v < fast->first_output + fast->outputs + (fast->hears_memory ? fast->recurrent : 0); v++)
        hash = checksum_fnv(hash, &fast->constants[v], sizeof(float));
    hash = mark_program(fast, &fast->leaf, hash);
    return mark_program(fast, &fast->step, hash);
}
