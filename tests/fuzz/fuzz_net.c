// Any bytes as a net file: refused with a reason, or a net that can be written back as it was. Half
// of the inputs are laid over a good file whose checksum is then set right, so that the tests
// behind it are reached.
#include "engine/nnue.h"
#include "fuzz_help.h"

enum { CHECKSUM_AT = 16 };

static void checksum_fix(uint8_t *file, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    memset(file + CHECKSUM_AT, 0, sizeof sum);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ file[i]) * 0x100000001b3u;
    memcpy(file + CHECKSUM_AT, &sum, sizeof sum);
}

static void try_file(const uint8_t *file, size_t size)
{
    Error error = {0};
    Net *net = net_from_memory(file, size, &error);
    if (!net) {
        DEMAND(error.text[0]);
        return;
    }
    size_t again;
    uint8_t *bytes = net_to_memory(net, &again, &error);
    DEMAND(bytes && again == size && !memcmp(bytes, file, size));
    Position pos;
    DEMAND(position_start(&pos, &VARIANTS[VARIANT_CHESS], 0, &error));
    NnueStack *stack = nnue_stack_new(net, 4, 0, &error);
    DEMAND(stack && nnue_evaluate(stack, &pos) == nnue_evaluate_once(net, &pos));
    nnue_stack_free(stack);
    free(bytes);
    net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (take(&data, &size) % 2) {
        try_file(data, size);
        return 0;
    }
    const bool has_layers = take(&data, &size) % 2;
    const NetInfo info = {.hidden = has_layers ? 64 : 32,
                          .king_buckets = 1,
                          .men_per_bucket = 4,
                          .has_layers = has_layers,
                          .multiplier = 1 << 18};
    Net *net = net_new(&info, NULL);
    size_t room, at;
    uint8_t *file = net_to_memory(net, &room, NULL);
    at = (size_t)take(&data, &size) << 8;
    at = (at | take(&data, &size)) % room;
    if (take(&data, &size) % 2) // the last weights: layers, output
        at = room - 1 - at;
    memcpy(file + at, data, size < room - at ? size : room - at);
    checksum_fix(file, room);
    try_file(file, room);
    free(file);
    net_free(net);
    return 0;
}
