// What the network costs: nanoseconds of processor time for telling it a move, finding the threats
// that the move changes, bringing the sums up to date and running the layers, for nets of random
// weights over a walk that looks like a search.
//   nnue [--write FILE] [KERNEL [HIDDEN LAYERS THREATS]]
// KERNEL is the number of the vector code (0, the best); without a shape, a table of several.
// --write FILE writes the net instead.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/random_net.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/nnue_kernels.h"

enum { WALKS = 3 };

static const char *const POSITIONS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P2QB1PP/2RR2K1 w - - 0 15",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r1rk1/p1q2pp1/1p2p2p/2p1P3/2Pn4/1P1B2QP/P4PP1/3RR1K1 b - - 0 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/1r1pP2p/3P1P1P/R5P1/5K2/8 w - - 0 40",
};

// What a walk does at each position, and what it counted.
typedef enum Mode { MODE_MOVES, MODE_PUSH, MODE_FIND, MODE_VALUE, MODE_TWICE } Mode;

typedef struct Walk {
    Mode mode;
    NnueStack *stack;
    const NnueKernels *kernels;
    Random random;
    long pushes, values, sum, changes;
} Walk;

static NnueRays RAYS;

static void find(Walk *w, const Position *pos, Move move)
{
    static NnueChanges changes;
    NnueBoard board;
    memcpy(board.board, pos->board, sizeof board.board);
    memcpy(board.by_type, pos->by_type, sizeof board.by_type);
    memcpy(board.by_color, pos->by_color, sizeof board.by_color);
    w->kernels->find(&changes, &board, move, &RAYS);
    w->changes += changes.begins + changes.ends;
}

static void visit(Walk *w, Position *pos, Move move, int depth)
{
    Undo undo;
    Move list[MAX_MOVES];
    w->pushes++;
    if (w->mode >= MODE_PUSH)
        nnue_push(w->stack, pos, move);
    if (w->mode == MODE_FIND)
        find(w, pos, move);
    position_make(pos, move, &undo);
    if (!position_in_check(pos)) {
        w->values++;
        if (w->mode >= MODE_VALUE)
            w->sum += nnue_evaluate(w->stack, pos);
        if (w->mode == MODE_TWICE)
            w->sum += nnue_evaluate(w->stack, pos);
    }
    const int moves = depth ? movegen_legal(pos, STAGE_ALL, list) : 0;
    for (int i = 0; i < moves; i++)
        if (random_below(&w->random, (uint64_t)(2 + i)) < 2)
            visit(w, pos, list[i], random_below(&w->random, 2) ? depth - 1 : 0);
    position_unmake(pos, move, &undo);
    if (w->mode >= MODE_PUSH)
        nnue_pop(w->stack);
}

static double walk_ns(Walk *w)
{
    struct timespec a, b;
    random_init(&w->random, 1);
    w->pushes = w->values = w->changes = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (size_t i = 0; i < sizeof POSITIONS / sizeof *POSITIONS; i++) {
        Position pos;
        Undo undo;
        Move list[MAX_MOVES];
        if (!position_from_fen(&pos, rules_find("chess"), POSITIONS[i], NULL))
            exit(1);
        for (int ply = 0; ply < 12; ply++) {
            const int moves = movegen_legal(&pos, STAGE_ALL, list);
            nnue_reset(w->stack);
            for (int k = 0; k < moves; k++)
                visit(w, &pos, list[k], 3);
            if (moves)
                position_make(&pos, list[random_below(&w->random, (uint64_t)moves)], &undo);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
}

static double least_ns(Walk *w, Mode mode)
{
    double least = 1e18;
    w->mode = mode;
    for (int i = 0; i < WALKS; i++) {
        const double ns = walk_ns(w);
        least = ns < least ? ns : least;
    }
    return least;
}

static void measure(const RandomNet *shape, int kernel)
{
    Error error = {0};
    Net *net = random_net_new(shape, &error);
    Walk w = {.kernels = nnue_kernels(kernel)};
    w.stack = net ? nnue_stack_new(net, 64, kernel, &error) : NULL;
    if (!w.stack) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    const double moves = least_ns(&w, MODE_MOVES), push = least_ns(&w, MODE_PUSH);
    const double found = shape->has_threats ? least_ns(&w, MODE_FIND) : push;
    const double changes = (double)w.changes / (double)w.pushes;
    const double value = least_ns(&w, MODE_VALUE), twice = least_ns(&w, MODE_TWICE);
    const double pushes = (double)w.pushes, values = (double)w.values;
    printf("%4d %-7s %-8s %6.0f %6.0f %6.0f %6.0f %6.0f %8.1f   %.2f %.0fk\n", shape->hidden,
           shape->has_layers ? "layers" : "plain", shape->has_threats ? "threats" : "",
           (push - moves) / pushes, (found - push) / pushes, (value - push) / values,
           (value - push - (twice - value)) / values, (twice - value) / values, changes,
           values / pushes, values / 1000);
    fflush(stdout);
    nnue_stack_free(w.stack);
    net_free(net);
}

static int write_net(const RandomNet *shape, const char *path)
{
    Error error = {0};
    Net *net = random_net_new(shape, &error);
    const bool ok = net && net_to_file(net, path, &error);
    if (!ok)
        fprintf(stderr, "%s\n", error.text);
    net_free(net);
    return !ok;
}

int main(int argc, char **argv)
{
    const RandomNet shapes[] = {
        {.hidden = 512, .king_buckets = 4},
        {.hidden = 256, .king_buckets = 4, .has_layers = true},
        {.hidden = 256, .king_buckets = 4, .has_layers = true, .has_threats = true},
        {.hidden = 384, .king_buckets = 4, .has_layers = true},
        {.hidden = 384, .king_buckets = 4, .has_layers = true, .has_threats = true},
        {.hidden = 512, .king_buckets = 4, .has_layers = true},
        {.hidden = 512, .king_buckets = 4, .has_layers = true, .has_threats = true}};
    const char *path = NULL;
    bitboard_init();
    nnue_rays_fill(&RAYS);
    if (argc > 2 && !strcmp(argv[1], "--write")) {
        path = argv[2];
        argv += 2, argc -= 2;
    }
    const int kernel = argc > 1 ? atoi(argv[1]) : 0;
    if (!nnue_kernels(kernel)) {
        fprintf(stderr, "no such vector code\n");
        return 1;
    }
    RandomNet shape = {.hidden = 384, .king_buckets = 4, .kind = RANDOM_CALM, .seed = 1};
    shape.hidden = argc > 2 ? atoi(argv[2]) : 384;
    shape.has_layers = argc > 3 ? atoi(argv[3]) : true;
    shape.has_threats = argc > 4 ? atoi(argv[4]) : true;
    if (path)
        return write_net(&shape, path);
    printf("%s; ns\n%-21s %6s %6s %6s %6s %6s %8s\n", nnue_kernels(kernel)->name, "net", "push",
           "find", "value", "update", "layers", "changes");
    if (argc > 2) {
        measure(&shape, kernel);
        return 0;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        shape = shapes[i];
        shape.kind = RANDOM_CALM;
        measure(&shape, kernel);
    }
    return 0;
}
