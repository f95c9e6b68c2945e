// See brain_draw.h.
#include "lab/brain/brain_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

enum { WIDTH = 960, HEIGHT = 640, LEFT = 40, TOP = 50, BOARD_STEP = 30 };

typedef struct Spot {
    double x, y;
    int level; // of a middle node: 1 + the greatest of its sources
} Spot;

static bool add_text(Bytes *svg, const char *text)
{
    return bytes_add(svg, text, strlen(text));
}

// The column of each middle node.
static int set_levels(const Brain *brain, Spot *spots)
{
    const int first = brain_first_middle(brain);
    int deepest = 0;
    for (int n = 0; n < brain->middle; n++) {
        const BrainNode *node = &brain->nodes[n];
        int level = 1;
        for (int i = 0; i < node->count; i++)
            if (node->links[i].weight != 0)
                level = max_int(level, 1 + spots[node->links[i].source].level);
        spots[first + n].level = level;
        deepest = max_int(deepest, level);
    }
    return deepest;
}

// A column of `count` spots at x, evenly over the height.
static void place_column(Spot *spots, int count, double x)
{
    for (int i = 0; i < count; i++) {
        spots[i].x = x;
        spots[i].y = TOP + (HEIGHT - TOP - 20) * (i + 0.5) / count;
    }
}

static void place_inputs(const Brain *brain, Spot *spots)
{
    if (brain->inputs != 64) {
        place_column(spots, brain->inputs + brain->recurrent, LEFT);
        return;
    }
    for (int s = 0; s < 64; s++) {
        spots[s].x = LEFT + s % 8 * BOARD_STEP;
        spots[s].y = TOP + (7 - s / 8) * BOARD_STEP;
    }
    for (int r = 0; r < brain->recurrent; r++) {
        spots[64 + r].x = LEFT + r % 8 * BOARD_STEP;
        spots[64 + r].y = TOP + (10 + r / 8) * BOARD_STEP;
    }
}

static void place_middle(const Brain *brain, Spot *spots, int deepest)
{
    Spot *middle = spots + brain_first_middle(brain);
    for (int level = 1; level <= deepest; level++) {
        int count = 0, i = 0;
        for (int n = 0; n < brain->middle; n++)
            count += middle[n].level == level;
        for (int n = 0; n < brain->middle; n++)
            if (middle[n].level == level) {
                middle[n].x = 330 + 480.0 * level / (deepest + 1);
                middle[n].y = TOP + (HEIGHT - TOP - 20) * (i++ + 0.5) / count;
            }
    }
}

static bool draw_links(const Brain *brain, const Spot *spots, Bytes *svg)
{
    const int first = brain_first_middle(brain);
    char line[256];
    bool ok = true;
    for (int n = 0; n < brain_node_count(brain); n++)
        for (int i = 0; i < brain->nodes[n].count && ok; i++) {
            const BrainLink *link = &brain->nodes[n].links[i];
            const Spot *a = &spots[link->source], *b = &spots[first + n];
            if (link->weight == 0)
                continue;
            snprintf(line, sizeof line,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                     "stroke-width=\"%.2f\"/>\n",
                     a->x, a->y, b->x, b->y, link->weight > 0 ? "#2a7" : "#c43",
                     0.3 + 2 * tanh(fabs(link->weight)));
            ok = add_text(svg, line);
        }
    return ok;
}

// What stands in a node: its functions, short.
static void node_label(const Brain *brain, int n, char label[16])
{
    static const char *const COMBINE[COMBINE_COUNT] = {"Σ", "Π", "↑", "↓"};
    static const char *const MAP[MAP_COUNT] = {"t", "i", "r", "s"};
    label[0] = '\0';
    if (brain->has_functions && n >= 0)
        snprintf(label, 16, "%s%s", COMBINE[brain->nodes[n].combine], MAP[brain->nodes[n].map]);
}

static bool draw_nodes(const Brain *brain, const Spot *spots, Bytes *svg)
{
    const int first = brain_first_middle(brain);
    char line[400], label[16];
    bool ok = true;
    for (int i = 0; i < first + brain_node_count(brain) && ok; i++) {
        const bool is_recurrent =
            (i >= brain->inputs && i < first) || i >= brain_first_output(brain) + brain->outputs;
        node_label(brain, i - first, label);
        snprintf(line, sizeof line,
                 "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#555\"/>"
                 "<text x=\"%.1f\" y=\"%.1f\" font-size=\"8\" text-anchor=\"middle\">%s</text>\n",
                 spots[i].x, spots[i].y, i < first ? 6 : 9, is_recurrent ? "#fd8" : "#eef",
                 spots[i].x, spots[i].y + 3, label);
        ok = add_text(svg, line);
    }
    return ok;
}

bool brain_draw(const Brain *brain, Bytes *svg)
{
    const int first = brain_first_middle(brain), end = brain_first_output(brain);
    Spot *spots = calloc((size_t)(first + brain_node_count(brain)), sizeof *spots);
    char head[640];
    if (!spots)
        return false;
    place_inputs(brain, spots);
    place_middle(brain, spots, set_levels(brain, spots));
    place_column(spots + end, brain->outputs + brain->recurrent, 920);
    snprintf(head, sizeof head,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
             "<text x=\"%d\" y=\"24\" font-size=\"15\">%d inputs, %d recurrent pairs (yellow), %d "
             "middle nodes, %d outputs; links green above 0, red below</text>\n",
             WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT - 10, brain->inputs, brain->recurrent,
             brain->middle, brain->outputs);
    const bool ok = add_text(svg, head) && draw_links(brain, spots, svg) &&
                    draw_nodes(brain, spots, svg) && add_text(svg, "</svg>\n");
    free(spots);
    return ok;
}

bool brain_draw_file(const char *path, Bytes *svg, Error *error)
{
    Dna dna;
    if (!dna_read(&dna, path, error))
        return false;
    Brain *brain = brain_from_dna(&dna, error);
    const bool ok = brain && (brain_draw(brain, svg) || error_set(error, "out of memory"));
    brain_free(brain);
    dna_release(&dna);
    return ok;
}
