// See emulate.h. The warps' source is compiled here as plain C.
#define WIDTH  128
#define LAYERS 0
#include "lab/gpu/emulate_int.h"

#include <stdlib.h>

#include "lab/gpu/games.h"
#include "lab/gpu/perft.h"

static void run_perft(void *context)
{
    const PerftJob *job = context;
    perft_warp(job, job->tables, 0);
}

uint64_t emulate_perft(const Tables *tables, const HostBoard *board, int depth)
{
    uint64_t count = 0;
    uint32_t *lists = malloc(sizeof(uint32_t) * PERFT_PLIES * PERFT_MOVES);
    PerftJob job = {.tables = tables,
                    .board = *board,
                    .depth = depth,
                    .split = 1,
                    .warps = 1,
                    .lists = lists,
                    .counts = &count};
    if (lists && !emulator_run(run_perft, &job))
        count = 0;
    free(lists);
    return count;
}

bool emulate_play(const PlayJob *job, const Net *const nets[2], int warp, WarpStats *stats,
                  Error *error)
{
    return (nets[0]->layers ? emulate_play_layers : emulate_play_output)(job, nets, warp, stats,
                                                                         error);
}

bool emulate_evaluate(const Net *net, const HostBoard *board, int *centipawns, Error *error)
{
    return (net->layers ? emulate_evaluate_layers : emulate_evaluate_output)(net, board, centipawns,
                                                                             error);
}

bool emulate_search(const Net *net, const HostBoard *board, uint32_t nodes, EmulatedSearch *found,
                    Error *error)
{
    return (net->layers ? emulate_search_layers : emulate_search_output)(net, board, nodes, found,
                                                                         error);
}

int emulate_check_steps(const Net *net, uint64_t seed, int games, int plies, Error *error)
{
    return (net->layers ? emulate_check_steps_layers : emulate_check_steps_output)(net, seed, games,
                                                                                   plies, error);
}

int emulate_start_number(uint64_t seed, int warp)
{
    uint64_t random = warp_random_seed(seed, warp);
    return start_number(warp_random(&random));
}

typedef struct WalkContext {
    const Tables *tables;
    uint32_t *list;
    uint64_t seed;
    int start_number, plies, walked;
    HostBoard *boards;
    uint16_t *moves;
    bool differs;
} WalkContext;

// The reverse of board_load.
static void board_write(const Board *b, HostBoard *h)
{
    h->man[warp_lane()] = (uint16_t)b->man;
    h->white = b->white;
    h->black = b->black;
    h->hash = b->hash;
    h->side = b->side;
    h->castling = b->castling;
    h->en_passant = b->en_passant;
    h->fifty = b->fifty;
}

// Makes every move of the list and takes it back.
static void try_moves(WalkContext *c, const Board *b, int count)
{
    for (int i = 0; i < count; i++) {
        Board tried = *b;
        Change change;
        const uint32_t move = c->list[i] & 0xffff;
        board_make(c->tables, &tried, move, &change);
        perft_unmake(&tried, b, move, &change);
        const uint32_t wrong = warp_ballot(tried.man != b->man);
        c->differs = c->differs || wrong;
    }
}

static void run_walk(void *context)
{
    WalkContext *c = context;
    GenRequest r = {0};
    uint64_t random = warp_random_seed(c->seed, 0);
    Board b;
    bool in_check;
    start_set(c->tables, &b, c->start_number);
    int ply = 0;
    for (;; ply++) {
        board_write(&b, &c->boards[ply]);
        const int count = board_moves(c->tables, &b, &r, c->list, PERFT_MOVES, &in_check);
        try_moves(c, &b, count);
        if (!count || ply == c->plies)
            break;
        const uint32_t pick = (uint32_t)(warp_random(&random) >> 33) % (uint32_t)count;
        const uint32_t move = c->list[pick] & 0xffff;
        Change change;
        c->moves[ply] = (uint16_t)move;
        warp_sync();
        board_make(c->tables, &b, move, &change);
    }
    c->walked = ply;
}

int emulate_walk(const Tables *tables, int start_number, uint64_t seed, int plies,
                 HostBoard *boards, uint16_t *moves)
{
    uint32_t list[PERFT_MOVES];
    WalkContext c = {.tables = tables,
                     .list = list,
                     .seed = seed,
                     .start_number = start_number,
                     .plies = plies,
                     .boards = boards,
                     .moves = moves};
    return emulator_run(run_walk, &c) && !c.differs ? c.walked : -1;
}
