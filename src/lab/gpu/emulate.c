// See emulate.h. The warps' source is compiled here as plain C.
#define WIDTH 128
#include "lab/gpu/emulate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lab/gpu/encode.h"
#include "lab/gpu/games.h"
#include "lab/gpu/perft.h"

static_assert(EMULATE_WIDTH == WIDTH, "the header promises this width");

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

// A net in the warps' layout, in the host's memory.
typedef struct HostNet {
    uint32_t *feature, *output;
    DeviceNet device;
    uint16_t views[2][64];
} HostNet;

static void host_net_release(HostNet *h)
{
    memory_free_aligned(h->feature);
    memory_free_aligned(h->output);
}

static bool host_net_init(HostNet *h, const Net *net, Error *error)
{
    h->feature = memory_aligned(encode_feature_words(WIDTH) * sizeof(uint32_t));
    h->output = memory_aligned(encode_output_words(WIDTH) * sizeof(uint32_t));
    if (!h->feature || !h->output)
        return error_set(error, "emulator: no memory for the net");
    if (!encode_net(net, WIDTH, h->feature, h->output, &h->device, error))
        return false;
    h->device.feature = h->feature;
    h->device.output = h->output;
    for (int us = 0; us < 2; us++)
        for (int king = 0; king < 64; king++)
            h->views[us][king] = (uint16_t)king_view(&h->device, us, king);
    return true;
}

typedef struct PlayContext {
    PlayJob job;
    WarpMemory *memory;
    int warp;
} PlayContext;

static void run_play(void *context)
{
    PlayContext *c = context;
    play_games(&c->job, c->job.tables, c->memory, c->warp);
}

bool emulate_play(const PlayJob *job, const Net *const nets[2], int warp, WarpStats *stats,
                  Error *error)
{
    HostNet host[2] = {{0}};
    PlayContext c = {.job = *job, .warp = warp};
    // The warps' code counts scratch and statistics from warp 0.
    const size_t warps = (size_t)warp + 1;
    c.memory = memory_aligned((sizeof(WarpMemory) + 63) & ~(size_t)63);
    c.job.scratch = memory_aligned((warps * sizeof(WarpScratch) + 63) & ~(size_t)63);
    c.job.stats = calloc(warps, sizeof *c.job.stats);
    Tables *tables = malloc(sizeof *tables);
    bool ok = c.memory && c.job.scratch && c.job.stats && tables;
    if (ok) {
        *tables = *job->tables;
        c.job.tables = tables;
        memset(c.memory, 0xa5, sizeof *c.memory); // a GPU's shared memory begins with anything
        memset(c.job.scratch, 0, warps * sizeof(WarpScratch));
    } else {
        error_set(error, "emulator: no memory");
    }
    for (int i = 0; i < 2 && ok; i++) {
        ok = host_net_init(&host[i], nets[i] ? nets[i] : nets[0], error);
        c.job.net[i] = host[i].device;
    }
    for (int i = 0; i < VIEWS && ok; i++)
        views_fill(tables, c.job.net, i);
    ok = ok && emulator_run(run_play, &c);
    if (ok && stats)
        *stats = c.job.stats[warp];
    for (int i = 0; i < 2; i++)
        host_net_release(&host[i]);
    free(tables);
    free(c.job.stats);
    memory_free_aligned(c.job.scratch);
    memory_free_aligned(c.memory);
    return ok;
}

typedef struct EvaluateContext {
    Eyes eyes;
    const HostBoard *board;
    uint32_t *slot;
    int centipawns;
} EvaluateContext;

static void run_evaluate(void *context)
{
    EvaluateContext *c = context;
    Board b;
    board_load(&b, c->board);
    const int value = net_refresh(&c->eyes, &b, c->slot);
    if (warp_lane() == 0)
        c->centipawns = value;
}

bool emulate_evaluate(const Net *net, const HostBoard *board, int *centipawns, Error *error)
{
    HostNet host = {0};
    uint32_t *slot = memory_aligned(SLOT_WORDS * sizeof(uint32_t));
    bool ok = slot && host_net_init(&host, net, error);
    if (ok) {
        EvaluateContext c = {{&host.device, host.views}, board, slot, 0};
        ok = emulator_run(run_evaluate, &c);
        *centipawns = c.centipawns;
    }
    memory_free_aligned(slot);
    host_net_release(&host);
    return ok;
}

typedef struct StepsContext {
    Eyes eyes;
    const Tables *tables;
    WarpMemory *memory;
    uint32_t *slots; // three
    uint64_t seed;
    int games, plies, compared;
    bool differs;
} StepsContext;

// One random game; sets `differs` when a carried accumulator or value is not the refreshed one.
static void check_game(StepsContext *c, uint64_t *random)
{
    GenRequest r = {0};
    Board b;
    bool in_check;
    board_start(c->tables, &b);
    net_refresh(&c->eyes, &b, c->slots);
    for (int ply = 0; ply < c->plies; ply++) {
        const int count = board_moves(c->tables, &b, &r, c->memory->moves, MOVE_ROOM, &in_check);
        if (!count)
            return;
        const uint32_t pick = (uint32_t)(warp_random(random) >> 33) % (uint32_t)count;
        const uint32_t move = c->memory->moves[pick] & 0xffff;
        uint32_t *before = c->slots + (ply & 1) * SLOT_WORDS,
                 *after = c->slots + (~ply & 1) * SLOT_WORDS;
        uint32_t *fresh = c->slots + 2 * SLOT_WORDS;
        Change change;
        warp_sync();
        board_make(c->tables, &b, move, &change);
        Half h[2];
        net_carry(&c->eyes, &b, &change, false, before, h);
        net_store(h, after);
        const int carried = net_value(c->eyes.net, &b, h);
        const int refreshed = net_refresh(&c->eyes, &b, fresh);
        bool is_same = carried == refreshed;
        for (int us = 0; us < 2; us++) {
            Half a, f;
            half_read(&a, after, us);
            half_read(&f, fresh, us);
            for (int i = 0; i < HALF_WORDS; i++)
                is_same = is_same && a.v[i] == f.v[i];
        }
        const uint32_t wrong = warp_ballot(!is_same);
        if (warp_lane() == 0) {
            c->compared++;
            c->differs = c->differs || wrong;
        }
    }
}

static void run_steps(void *context)
{
    StepsContext *c = context;
    uint64_t random = warp_random_seed(c->seed, 0);
    for (int i = 0; i < c->games; i++)
        check_game(c, &random);
}

int emulate_check_steps(const Net *net, uint64_t seed, int games, int plies, Error *error)
{
    HostNet host = {0};
    Tables *tables = malloc(sizeof *tables);
    StepsContext c = {.eyes = {&host.device, host.views},
                      .tables = tables,
                      .seed = seed,
                      .games = games,
                      .plies = plies};
    c.memory = memory_aligned((sizeof(WarpMemory) + 63) & ~(size_t)63);
    c.slots = memory_aligned(3 * SLOT_WORDS * sizeof(uint32_t));
    bool ok = tables && c.memory && c.slots && host_net_init(&host, net, error);
    if (ok) {
        tables_fill(tables);
        ok = emulator_run(run_steps, &c);
    }
    free(tables);
    memory_free_aligned(c.memory);
    memory_free_aligned(c.slots);
    host_net_release(&host);
    return ok && !c.differs ? c.compared : -1;
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
