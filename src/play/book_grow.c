// See book_grow.h. Positions that are reached in several ways are one node; a batch of them is
// searched at a time, whatever the threads.
#include "play/book_grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/stop.h"
#include "base/thread.h"
#include "core/game.h"
#include "engine/engine.h"

enum {
    BATCH = 16,
    HASH_MB = 8,
    NO_NODE = -1,
};
// So many centipawns less, and a move is followed 1/e as often, or played: the tree shall be wide,
// but a game that loses a little at every move is lost.
static const double TREE_TEMPERATURE = 12, BOOK_TEMPERATURE = 4;

typedef struct Branch {
    Move move;
    int score; // for who plays it: of the search, then of the tree
    int node;  // behind it; NO_NODE when it was never met
} Branch;

typedef struct TreeNode {
    Position pos;
    uint64_t key;
    int ply;      // on the way by which it was first met
    double reach; // how likely it is met
    bool is_searched;
    int count; // of branches, best first as the search saw them
    Branch branches[GROW_LINES_MAX];
} TreeNode;

typedef struct Tree {
    const GrowConfig *config;
    TreeNode *nodes;
    int count, room;
    Engine **engines; // one for each thread
    int batch[BATCH]; // nodes that are searched now
} Tree;

// --- nodes -----------------------------------------------------------------------------------

static int find_node(const Tree *tree, uint64_t key)
{
    for (int i = 0; i < tree->count; i++)
        if (tree->nodes[i].key == key)
            return i;
    return NO_NODE;
}

// NO_NODE when there is no room, or the game is over there.
static int add_node(Tree *tree, const Position *pos, int ply)
{
    uint64_t key = book_key(pos);
    int found = find_node(tree, key);
    if (found != NO_NODE || tree->count == tree->room ||
        position_outcome(pos).result != RESULT_NONE)
        return found;
    TreeNode *node = &tree->nodes[tree->count];
    *node = (TreeNode){.pos = *pos, .key = key, .ply = ply};
    return tree->count++;
}

static int best_score(const TreeNode *node)
{
    int best = node->branches[0].score;
    for (int i = 1; i < node->count; i++)
        best = max_int(best, node->branches[i].score);
    return best;
}

static int loss_of(const TreeNode *node, int branch)
{
    return best_score(node) - node->branches[branch].score;
}

// How often a branch shall be followed beside the best one; 0 beyond the margin.
static double share_of(const GrowConfig *c, const TreeNode *node, int branch)
{
    int loss = loss_of(node, branch);
    return loss > c->margin ? 0 : exp(-loss / TREE_TEMPERATURE);
}

static double all_shares(const GrowConfig *c, const TreeNode *node)
{
    double sum = 0;
    for (int i = 0; i < node->count; i++)
        sum += share_of(c, node, i);
    return sum;
}

// Shall a branch be followed?
static bool is_open(const Tree *tree, const TreeNode *node, int branch)
{
    int score = node->branches[branch].score;
    return node->ply + 1 < tree->config->max_ply && abs(score) < tree->config->decided &&
           share_of(tree->config, node, branch) > 0;
}

// --- the tree --------------------------------------------------------------------------------

// Carries scores back. Children are mostly younger than their parents, so the youngest come first;
// what a way by an older one misses comes with the next batch.
static void carry_back(Tree *tree)
{
    for (int i = tree->count - 1; i >= 0; i--) {
        TreeNode *node = &tree->nodes[i];
        for (int k = 0; k < node->count; k++) {
            Branch *b = &node->branches[k];
            if (b->node != NO_NODE && tree->nodes[b->node].is_searched &&
                tree->nodes[b->node].count)
                b->score = -best_score(&tree->nodes[b->node]);
        }
    }
}

// Makes the nodes behind all branches that may be followed, and how likely each node is met.
static void spread_reach(Tree *tree)
{
    for (int i = 1; i < tree->count; i++)
        tree->nodes[i].reach = 0;
    tree->nodes[0].reach = 1;
    for (int i = 0; i < tree->count; i++) {
        TreeNode *node = &tree->nodes[i];
        double all = all_shares(tree->config, node);
        for (int k = 0; k < node->count; k++) {
            Branch *b = &node->branches[k];
            Position next = node->pos;
            Undo undo;
            if (b->node == NO_NODE && is_open(tree, node, k)) {
                position_make(&next, b->move, &undo);
                b->node = add_node(tree, &next, node->ply + 1);
            }
            if (b->node > i && is_open(tree, node, k))
                tree->nodes[b->node].reach += node->reach * share_of(tree->config, node, k) / all;
        }
    }
}

// The likeliest that were not searched yet, the likeliest first, at most so many; how many.
static int choose_batch(Tree *tree, int most)
{
    int count = 0;
    for (int i = 0; i < tree->count; i++) {
        double reach = tree->nodes[i].reach;
        int at = count;
        if (tree->nodes[i].is_searched || reach <= 0)
            continue;
        while (at > 0 && tree->nodes[tree->batch[at - 1]].reach < reach)
            at--;
        if (at == most)
            continue;
        count = min_int(count + 1, most);
        memmove(tree->batch + at + 1, tree->batch + at,
                (size_t)(count - 1 - at) * sizeof *tree->batch);
        tree->batch[at] = i;
    }
    return count;
}

// --- searching -------------------------------------------------------------------------------

// The newest of each line.
static void keep_line(void *context, const Position *root, const SearchInfo *info)
{
    TreeNode *node = context;
    (void)root;
    if (info->kind != INFO_LINE || info->bound != BOUND_EXACT || !info->pv_count ||
        info->multi_pv > GROW_LINES_MAX || info->multi_pv > node->count + 1)
        return;
    node->branches[info->multi_pv - 1] =
        (Branch){.move = info->pv[0], .score = info->score, .node = NO_NODE};
    node->count = max_int(node->count, info->multi_pv);
}

// A line of an iteration that was not finished may repeat a move of the one before.
static void drop_repeated(TreeNode *node)
{
    int kept = 0;
    for (int i = 0; i < node->count; i++) {
        bool is_new = true;
        for (int k = 0; k < kept && is_new; k++)
            is_new = node->branches[k].move != node->branches[i].move;
        if (is_new)
            node->branches[kept++] = node->branches[i];
    }
    node->count = kept;
}

static void search_one(void *context, size_t index, int worker)
{
    Tree *tree = context;
    TreeNode *node = &tree->nodes[tree->batch[index]];
    Engine *engine = tree->engines[worker];
    SearchLimits limits = search_limits_none();
    SearchResult result;
    limits.nodes = tree->config->nodes;
    engine_new_game(engine, NULL);
    engine_set_position(engine, &node->pos, NULL, 0, NULL);
    engine_think(engine, &limits, keep_line, node, &result);
    drop_repeated(node);
    node->is_searched = true;
    if (tree->config->progress)
        progress_add(tree->config->progress, 1);
}

static bool is_stopped(const Tree *tree)
{
    return stop_is_set(tree->config->stop);
}

static void grow(Tree *tree)
{
    int searched = 0, count;
    while (searched < tree->config->positions && !is_stopped(tree)) {
        carry_back(tree);
        spread_reach(tree);
        count = choose_batch(tree, min_int(BATCH, tree->config->positions - searched));
        if (!count)
            break;
        parallel_for((size_t)count, tree->config->threads, search_one, tree);
        searched += count;
    }
    carry_back(tree);
}

static bool fill_book(const Tree *tree, BookMaker *maker, Error *error)
{
    for (int i = 0; i < tree->count; i++) {
        const TreeNode *node = &tree->nodes[i];
        for (int k = 0; k < node->count; k++) {
            int loss = loss_of(node, k);
            uint32_t points = (uint32_t)(1000 * exp(-loss / BOOK_TEMPERATURE));
            if (points && loss <= tree->config->margin &&
                !book_maker_add(maker, &node->pos, node->branches[k].move, points))
                return error_set(error, "no memory");
        }
    }
    return true;
}

// --- beginning and end -----------------------------------------------------------------------

static bool make_engines(Tree *tree, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = HASH_MB;
    options.multi_pv = tree->config->lines;
    options.analyse_mode = true;
    tree->engines = calloc((size_t)tree->config->threads, sizeof(Engine *));
    for (int i = 0; tree->engines && i < tree->config->threads; i++)
        if (!(tree->engines[i] = engine_new(&options, error)))
            return false;
    return tree->engines || error_set(error, "no memory");
}

static void tree_release(Tree *tree)
{
    for (int i = 0; tree->engines && i < tree->config->threads; i++)
        engine_free(tree->engines[i]);
    free(tree->engines);
    free(tree->nodes);
}

bool book_grow(const GrowConfig *config, BookMaker *maker, Error *error)
{
    Tree tree = {.config = config, .room = config->positions * config->lines + 1};
    tree.nodes = calloc((size_t)tree.room, sizeof *tree.nodes);
    bool ok = (tree.nodes || error_set(error, "no memory")) && make_engines(&tree, error);
    if (ok) {
        add_node(&tree, &config->start, 0);
        grow(&tree);
        ok = fill_book(&tree, maker, error);
    }
    tree_release(&tree);
    return ok;
}
