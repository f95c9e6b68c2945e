// Games, evaluation and accumulators on an emulated warp for one kind of net; included by
// emulate_output.c and emulate_layers.c, which define WIDTH, LAYERS and NAMED. The warps' source is
// compiled here as plain C. See emulate.h.
#ifndef LOVAC_LAB_GPU_EMULATE_NET_H
#define LOVAC_LAB_GPU_EMULATE_NET_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lab/gpu/emulate_int.h"
#include "lab/gpu/encode.h"
#include "lab/gpu/games.h"
#include "lab/gpu/perft.h"

#ifndef NAMED // this header compiled alone
#define NAMED(name) name##_alone
#endif

// A net in the warps' layout, in the host's memory.
typedef struct HostNet {
    EncodedNet words;
    DeviceNet device;
    uint16_t views[2][64];
} HostNet;

static void host_net_release(HostNet *h)
{
    encoded_release(&h->words);
}

static bool host_net_init(HostNet *h, const Net *net, Error *error)
{
    if (!encoded_init(&h->words, net, WIDTH, error))
        return false;
    h->device = h->words.numbers;
    h->device.feature = h->words.feature;
    h->device.output = h->words.output;
    h->device.threat = h->words.threat;
    h->device.layers = h->words.layers;
    for (int us = 0; us < 2; us++)
        for (int king = 0; king < 64; king++)
            h->views[us][king] = (uint16_t)king_view(&h->device, us, king);
    return true;
}

// What finding threats takes, beside the net.
typedef struct HostSight {
    Tables tables;
    NnueThreatTables threats;
    uint8_t types[64];
    uint16_t pairs[THREAT_ROOM];
    uint32_t rows[ROW_ROOM];
} HostSight;

static Eyes eyes_of(const HostNet *net, HostSight *sight)
{
    const Eyes eyes = {&net->device, net->views,   &sight->tables, &sight->threats,
                       sight->types, sight->pairs, sight->rows};
    return eyes;
}

static HostSight *sight_new(Error *error)
{
    HostSight *sight = calloc(1, sizeof *sight);
    if (sight) {
        tables_fill(&sight->tables);
        nnue_threats_fill(&sight->threats);
    } else {
        error_set(error, "emulator: no memory");
    }
    return sight;
}

typedef struct PlayContext {
    PlayJob job;
    WarpMemory *memory;
    int warp;
} PlayContext;

static void run_play(void *context)
{
    PlayContext *c = context;
    play_games(&c->job, c->job.tables, c->job.threats, c->memory, c->warp);
}

bool NAMED(emulate_play)(const PlayJob *job, const Net *const nets[2], int warp, WarpStats *stats,
                         Error *error)
{
    HostNet host[2];
    memset(host, 0, sizeof host);
    PlayContext c = {.job = *job, .warp = warp};
    // The warps' code counts scratch and statistics from warp 0.
    const size_t warps = (size_t)warp + 1;
    c.memory = memory_aligned((sizeof(WarpMemory) + 63) & ~(size_t)63);
    c.job.scratch = memory_aligned((warps * sizeof(WarpScratch) + 63) & ~(size_t)63);
    c.job.stats = calloc(warps, sizeof *c.job.stats);
    HostSight *sight = sight_new(error);
    bool ok = c.memory && c.job.scratch && c.job.stats && sight;
    if (ok) {
        c.job.tables = &sight->tables;
        c.job.threats = &sight->threats;
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
        views_fill(&sight->tables, c.job.net, i);
    ok = ok && emulator_run(run_play, &c);
    if (ok && stats)
        *stats = c.job.stats[warp];
    for (int i = 0; i < 2; i++)
        host_net_release(&host[i]);
    free(sight);
    free(c.job.stats);
    memory_free_aligned(c.job.scratch);
    memory_free_aligned(c.memory);
    return ok;
}

typedef struct SearchContext {
    Player player;
    const HostBoard *board;
    uint32_t nodes;
    EmulatedSearch *found;
} SearchContext;

static void run_search(void *context)
{
    SearchContext *c = context;
    Board b;
    board_load(&b, c->board);
    player_new_game(&c->player);
    const Found found = player_search(&c->player, 0, c->nodes, 0, PAIR_NONE, b);
    if (warp_lane() == 0)
        *c->found = (EmulatedSearch){found.score, found.depth, found.nodes, found.move};
}

bool NAMED(emulate_search)(const Net *net, const HostBoard *board, uint32_t nodes,
                           EmulatedSearch *found, Error *error)
{
    HostNet host;
    memset(&host, 0, sizeof host);
    WarpMemory *memory = memory_aligned((sizeof *memory + 63) & ~(size_t)63);
    WarpScratch *scratch = memory_aligned((sizeof *scratch + 63) & ~(size_t)63);
    HostSight *sight = sight_new(error);
    bool ok = memory && scratch && sight && host_net_init(&host, net, error);
    if (ok) {
        PlayJob job = {.tables = &sight->tables,
                       .threats = &sight->threats,
                       .net = {host.device, host.device},
                       .scratch = scratch};
        memset(memory, 0xa5, sizeof *memory);
        memset(scratch, 0, sizeof *scratch);
        for (int i = 0; i < VIEWS; i++)
            views_fill(&sight->tables, job.net, i);
        SearchContext c = {{&job, &sight->tables, &sight->threats, memory, 0}, board, nodes, found};
        ok = emulator_run(run_search, &c);
    }
    memory_free_aligned(scratch);
    memory_free_aligned(memory);
    host_net_release(&host);
    free(sight);
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

bool NAMED(emulate_evaluate)(const Net *net, const HostBoard *board, int *centipawns, Error *error)
{
    HostNet host;
    memset(&host, 0, sizeof host);
    uint32_t *slot = memory_aligned(SLOT_WORDS * sizeof(uint32_t));
    HostSight *sight = sight_new(error);
    bool ok = slot && sight && host_net_init(&host, net, error);
    if (ok) {
        EvaluateContext c = {eyes_of(&host, sight), board, slot, 0};
        ok = emulator_run(run_evaluate, &c);
        *centipawns = c.centipawns;
    }
    memory_free_aligned(slot);
    host_net_release(&host);
    free(sight);
    return ok;
}

typedef struct StepsContext {
    Eyes eyes;
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
    board_start(c->eyes.tables, &b);
    net_refresh(&c->eyes, &b, c->slots);
    for (int ply = 0; ply < c->plies; ply++) {
        const int count =
            board_moves(c->eyes.tables, &b, &r, c->memory->moves, MOVE_ROOM, &in_check);
        if (!count)
            return;
        const uint32_t pick = (uint32_t)(warp_random(random) >> 33) % (uint32_t)count;
        const uint32_t move = c->memory->moves[pick] & 0xffff;
        uint32_t *before = c->slots + (ply & 1) * SLOT_WORDS,
                 *after = c->slots + (~ply & 1) * SLOT_WORDS;
        uint32_t *fresh = c->slots + 2 * SLOT_WORDS;
        Change change;
        warp_sync();
        board_make(c->eyes.tables, &b, move, &change);
        Sums sums;
        net_carry(&c->eyes, &b, &change, false, before, &sums);
        const int carried = net_value(&c->eyes, &b, &change, false, before, &sums);
        net_store(&sums, &b, after);
        const int refreshed = net_refresh(&c->eyes, &b, fresh);
        bool is_same = carried == refreshed;
        for (int i = warp_lane(); i < SLOT_WORDS; i += LANES)
            is_same = is_same && after[i] == fresh[i];
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

int NAMED(emulate_check_steps)(const Net *net, uint64_t seed, int games, int plies, Error *error)
{
    HostNet host;
    memset(&host, 0, sizeof host);
    HostSight *sight = sight_new(error);
    StepsContext c = {.seed = seed, .games = games, .plies = plies};
    c.memory = memory_aligned((sizeof(WarpMemory) + 63) & ~(size_t)63);
    c.slots = memory_aligned(3 * SLOT_WORDS * sizeof(uint32_t));
    bool ok = sight && c.memory && c.slots && host_net_init(&host, net, error);
    if (ok) {
        c.eyes = eyes_of(&host, sight);
        ok = emulator_run(run_steps, &c);
    }
    free(sight);
    memory_free_aligned(c.memory);
    memory_free_aligned(c.slots);
    host_net_release(&host);
    return ok && !c.differs ? c.compared : -1;
}

#endif
