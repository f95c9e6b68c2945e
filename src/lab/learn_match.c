// Matches on the GPU: net against net, and search options against each other.
#include "lab/elo.h"
#include "lab/gpu/encode.h"
#include "lab/learn_int.h"

#include <string.h>

bool match_nets(Device *device, const LearnSetup *setup, const Net *first, const Net *second,
                const uint32_t options[2], uint64_t seed, MatchResult *result, Error *error)
{
    const int widths[2] = {encoded_width(&first->info), encoded_width(&second->info)};
    const int width = widths[0] > widths[1] ? widths[0] : widths[1];
    EncodedNet a, b;
    PlayReport report = {0};
    memset(result, 0, sizeof *result);
    if (!encoded_init(&a, first, width, error))
        return false;
    if (!encoded_init(&b, second, width, error)) {
        encoded_release(&a);
        return false;
    }
    const uint32_t nodes = (uint32_t)setup->match_nodes;
    const PlayRequest request = {.nets = {&a, &b},
                                 .nodes = {nodes, nodes},
                                 .options = {options[0], options[1]},
                                 .is_match = true,
                                 .games = (uint32_t)setup->match_pairs * 2,
                                 .seconds = 120,
                                 .seed = seed,
                                 .random_plies = RANDOM_PLIES,
                                 .opening_limit = OPENING_LIMIT};
    bool ok = device_play(device, &request, &report, error);
    encoded_release(&a);
    encoded_release(&b);
    if (!ok)
        return false;
    PairCounts pairs;
    memcpy(pairs.n, report.pairs, sizeof pairs.n);
    const EloEstimate estimate = elo_from_pairs(&pairs);
    result->elo = estimate.elo;
    result->error = estimate.error;
    result->games = report.games;
    result->seconds = report.seconds;
    result->drawn = report.games ? (double)report.results[2] / (double)report.games : 0;
    return true;
}

static Device *open_device(const LearnSetup *setup, Error *error)
{
    const DeviceSetup small = {.records = 1000000, .validation = 100000};
    Device *device = device_new(&small, error);
    if (device)
        learn_say(setup, "device: %s", device_text(device));
    return device;
}

bool learn_match(const LearnSetup *setup, const char *first, const char *second, Error *error)
{
    const uint32_t options[2] = {0, 0};
    Net *a = net_from_file(first, error), *b = a ? net_from_file(second, error) : NULL;
    Device *device = b ? open_device(setup, error) : NULL;
    MatchResult result;
    bool ok = device && match_nets(device, setup, a, b, options, setup->seed, &result, error);
    if (ok)
        learn_say(setup, "%s against %s: %+.1f +- %.1f Elo, %llu games, %.0f %% drawn, %.1f s",
                  first, second, result.elo, result.error, (unsigned long long)result.games,
                  result.drawn * 100, result.seconds);
    device_free(device);
    net_free(a);
    net_free(b);
    return ok;
}

bool learn_try_options(const LearnSetup *setup, const char *path, const uint32_t *options,
                       int count, Error *error)
{
    Net *net = net_from_file(path, error);
    Device *device = net ? open_device(setup, error) : NULL;
    bool ok = device != NULL;
    for (int i = 0; i < count && ok; i++) {
        const uint32_t pair[2] = {options[i], 0};
        MatchResult result;
        ok = match_nets(device, setup, net, net, pair, setup->seed, &result, error);
        if (ok)
            learn_say(setup, "options %u against 0: %+.1f +- %.1f Elo, %llu games, %.1f s",
                      options[i], result.elo, result.error, (unsigned long long)result.games,
                      result.seconds);
    }
    device_free(device);
    net_free(net);
    return ok;
}
