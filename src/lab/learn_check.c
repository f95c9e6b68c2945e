// Tests and measurements of the GPU; see learn_check in learn.h. The device is right when it counts
// moves as published, plays the emulator's games to the last node, and its nets give on the CPU
// what the trainer gave; start with learn_check, learn_speed and learn_check_students at the end.
#include "base/clock.h"
#include "core/fen.h"
#include "core/perft.h"
#include "lab/gpu/emulate.h"
#include "lab/gpu/encode.h"
#include "lab/learn_int.h"
#include "lab/net_export.h"
#include "lab/start_net.h"
#include "lab/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The device's move generator against published counts.
static bool check_perft(Device *device, const LearnSetup *setup, Error *error)
{
    static const struct {
        const char *fen;
        int depth;
        uint64_t count;
    } CASES[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551},
    };
    Tables *tables = malloc(sizeof *tables);
    if (!tables)
        return error_set(error, "no memory");
    tables_fill(tables);
    bool ok = true;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES && ok; i++) {
        Position pos;
        HostBoard board;
        uint64_t count = 0;
        const int64_t begin = clock_ms();
        ok = position_from_fen(&pos, rules_find("chess"), CASES[i].fen, error) &&
             encode_position(tables, &pos, &board) &&
             device_perft(device, &board, CASES[i].depth, &count, error);
        if (ok && count != CASES[i].count)
            ok = error_set(error, "perft of %s: %llu", CASES[i].fen, (unsigned long long)count);
        if (ok)
            learn_say(setup, "perft %d: %llu, right, %lld ms", CASES[i].depth,
                      (unsigned long long)count, (long long)(clock_ms() - begin));
    }
    free(tables);
    return ok;
}

// The signature runs over all moves and scores: equal ones mean equal games.
static bool same_stats(const WarpStats *a, const WarpStats *b)
{
    return a->nodes == b->nodes && a->signature == b->signature && a->searches == b->searches &&
           a->kept == b->kept && a->depth_sum == b->depth_sum && a->games == b->games;
}

// The first warps' games on the GPU and on the emulator.
static bool check_emulator(Device *device, const LearnSetup *setup, const Net *net,
                           uint32_t options, Error *error)
{
    enum { NODES = 300, QUICK = 100, EVERY = 3, BESIDE = 40 };
    // A net with layers is slow to emulate.
    const uint32_t searches = net->layers ? 60 : 120;
    const int warps = net->layers ? 2 : 4;
    EncodedNet encoded;
    PlayReport report = {0};
    if (!encoded_init(&encoded, net, encoded_width(&net->info), error))
        return false;
    const PlayRequest request = {.nets = {&encoded, &encoded},
                                 .nodes = {NODES, NODES},
                                 .options = {options, options},
                                 .quick_nodes = QUICK,
                                 .every = EVERY,
                                 .beside = BESIDE,
                                 .searches = searches,
                                 .seed = 99,
                                 .random_plies = RANDOM_PLIES,
                                 .opening_limit = OPENING_LIMIT,
                                 .record_from_ply = RECORD_FROM_PLY};
    bool ok = device_play(device, &request, &report, error);
    encoded_release(&encoded);
    Tables *tables = malloc(sizeof *tables);
    ok = ok && tables;
    if (tables)
        tables_fill(tables);
    const PlayJob job = {.tables = tables,
                         .nodes = {NODES, NODES},
                         .options = {options, options},
                         .quick_nodes = QUICK,
                         .every = EVERY,
                         .beside = BESIDE,
                         .max_searches = searches,
                         .seed = 99,
                         .random_plies = RANDOM_PLIES,
                         .opening_limit = OPENING_LIMIT,
                         .record_from_ply = RECORD_FROM_PLY};
    const Net *const nets[2] = {net, net};
    for (int warp = 0; warp < warps && ok; warp++) {
        WarpStats mine = {0};
        const WarpStats *theirs = &report.first[warp];
        ok = emulate_play(&job, nets, warp, &mine, error);
        if (ok && !same_stats(&mine, theirs))
            ok =
                error_set(error, "warp %d: emulator %llu nodes, signature %llx; GPU %llu, %llx",
                          warp, (unsigned long long)mine.nodes, (unsigned long long)mine.signature,
                          (unsigned long long)theirs->nodes, (unsigned long long)theirs->signature);
        if (ok)
            learn_say(setup,
                      "warp %d, options %u: %u searches, %llu nodes, signature %016llx, equal",
                      warp, options, mine.searches, (unsigned long long)mine.nodes,
                      (unsigned long long)mine.signature);
    }
    free(tables);
    return ok;
}

// How many nodes and positions a second the games of a net of this width give.
static bool measure_play(Device *device, const LearnSetup *setup, const Net *net, int width,
                         uint32_t nodes, uint32_t options, double seconds, Error *error)
{
    EncodedNet encoded;
    PlayReport report = {0};
    if (!encoded_init(&encoded, net, width, error))
        return false;
    const PlayRequest request = {.nets = {&encoded, &encoded},
                                 .nodes = {nodes, nodes},
                                 .options = {options, options},
                                 .seconds = seconds,
                                 .seed = nodes,
                                 .random_plies = RANDOM_PLIES,
                                 .opening_limit = OPENING_LIMIT,
                                 .record_from_ply = RECORD_FROM_PLY};
    bool ok = device_play(device, &request, &report, error);
    encoded_release(&encoded);
    if (ok)
        learn_say(setup,
                  "games, width %d, %u nodes, options %u: %.1f M nodes/s, %.0f k positions/s, %.0f "
                  "k kept/s, "
                  "depth %.2f",
                  width, nodes, options, (double)report.nodes / report.seconds / 1e6,
                  (double)report.searches / report.seconds / 1e3,
                  (double)report.kept / report.seconds / 1e3,
                  (double)report.depth_sum / (double)report.searches);
    return ok;
}

// The exported net on the CPU against the trainer's own floats.
static bool check_export(Trainer *trainer, const LearnSetup *setup, const Net *net, Error *error)
{
    enum { COUNT = 10000 };
    float *values = malloc(COUNT * sizeof *values);
    uint16_t *men = malloc(COUNT * 32 * sizeof *men);
    uint32_t *meta = malloc(COUNT * sizeof *meta);
    bool ok = values && men && meta && trainer_predict(trainer, COUNT, values, men, meta, error);
    const double scale =
        net->info.multiplier * ((double)NNUE_QA * NNUE_QA * NNUE_QB) / 4294967296.0;
    double sum = 0, worst = 0;
    for (int i = 0; i < COUNT && ok; i++) {
        Position pos;
        position_of_record(men + i * 32, meta[i], &pos);
        const double difference = fabs(values[i] * scale - nnue_evaluate_once(net, &pos) - 0.5);
        sum += difference;
        worst = difference > worst ? difference : worst;
    }
    free(values);
    free(men);
    free(meta);
    if (!ok)
        return false;
    learn_say(setup,
              "export, width %d: trainer and inference differ by %.3f centipawns on average, %.3f "
              "at most",
              net->info.hidden, sum / COUNT, worst);
    return worst < 3 ||
           error_set(error, "trainer and inference disagree by %.1f centipawns", worst);
}

// How fast a net of this shape is trained, whether it learns anything, and its export.
static bool measure_training(Device *device, const LearnSetup *setup, int width, int buckets,
                             Error *error)
{
    const TrainerShape shape = trainer_shape(width, buckets);
    Trainer *trainer = trainer_new(device, &shape, 1, error);
    TrainReport report = {0}, short_report = {0};
    NetInfo info = {
        .variant = "chess", .hidden = (uint16_t)width, .king_buckets = (uint16_t)buckets};
    TrainRequest request = {.samples = 20u << 20,
                            .rate = 1e-3,
                            .end_rate = 1e-4,
                            .decay = 0.01,
                            .result_weight = 0.1,
                            .scale = 300};
    // A short training first: the first steps of a shape are slow and would spoil the speed.
    bool ok = trainer && trainer_run(trainer, &request, &short_report, error);
    request.samples = (uint64_t)(16e9 / width);
    ok = ok && trainer_run(trainer, &request, &report, error);
    if (ok)
        learn_say(setup,
                  "training, width %d, king buckets %d: %.1f M positions/s, validation %.5f then "
                  "%.5f, spread %.3f",
                  width, buckets, (double)request.samples / report.seconds / 1e6,
                  short_report.validation, report.validation, report.spread);
    Net *net = ok ? export_net(trainer, NULL, &info, error) : NULL;
    ok = net && check_export(trainer, setup, net, error);
    net_free(net);
    trainer_free(trainer);
    return ok;
}

// The net that the user named, or material.
static Net *net_to_check(const LearnSetup *setup, Error *error)
{
    return setup->start ? net_from_file(setup->start, error) : start_net_material(128, 1, error);
}

bool learn_check(const LearnSetup *setup, Error *error)
{
    const DeviceSetup small = {.records = 1000000, .validation = 500000};
    Device *device = device_new(&small, error);
    Net *net = device ? net_to_check(setup, error) : NULL;
    bool ok = net != NULL;
    if (ok)
        learn_say(setup, "device: %s", device_text(device));
    ok = ok && check_perft(device, setup, error) && check_emulator(device, setup, net, 0, error) &&
         check_emulator(device, setup, net, 3, error);
    net_free(net);
    device_free(device);
    return ok;
}

// Has the user named this width, or none at all?
static bool is_wanted(const LearnSetup *setup, int width)
{
    for (int i = 0; i < setup->width_count; i++)
        if (setup->widths[i] == width)
            return true;
    return setup->width_count == 0;
}

bool learn_speed(const LearnSetup *setup, Error *error)
{
    const DeviceSetup small = {.records = 30000000, .validation = 500000};
    Device *device = device_new(&small, error);
    Net *net = device ? net_to_check(setup, error) : NULL;
    bool ok = net != NULL;
    const int widths[] = {128, 256, 512, 1024};
    if (ok && net->layers)
        ok = measure_play(device, setup, net, LAYERS_WIDTH, 1000, 0, 2, error) &&
             measure_play(device, setup, net, LAYERS_WIDTH, 250, 0, 1, error);
    for (int i = 0; i < 4 && ok; i++)
        if (!net->layers && net->info.hidden <= widths[i] && is_wanted(setup, widths[i]))
            ok = measure_play(device, setup, net, widths[i], 1000, 0, 0.7, error) &&
                 measure_play(device, setup, net, widths[i], 250, 0, 0.7, error);
    for (int i = 0; i < 4 && ok; i++)
        if (is_wanted(setup, widths[i]) && !setup->games_only)
            ok = measure_training(device, setup, widths[i], 1, error) &&
                 (widths[i] < 512 || measure_training(device, setup, widths[i], 4, error));
    net_free(net);
    device_free(device);
    return ok;
}

bool learn_check_students(const LearnSetup *setup, Error *error)
{
    const DeviceSetup small = {.records = 60000000, .validation = 500000};
    const int usual[] = {256, 384, 512};
    Device *device = device_new(&small, error);
    Net *net = NULL;
    if (device)
        net = setup->start ? net_from_file(setup->start, error) : start_net_material(128, 1, error);
    bool ok = net && measure_play(device, setup, net, encoded_width(&net->info), 200, 0, 6, error);
    const int *widths = setup->width_count ? setup->widths : usual;
    const int count = setup->width_count ? setup->width_count : 3;
    for (int i = 0; i < count && ok; i++)
        ok = study_check(setup, device, widths[i], true, error) &&
             study_check(setup, device, widths[i], false, error);
    net_free(net);
    device_free(device);
    return ok;
}
