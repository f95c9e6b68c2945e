// Net files: a fixed header, the weights, nothing else. Everything is little-endian and is read
// field by field from a copy in memory, so no file can make us read beyond its end. The checksum is
// FNV-1a over the whole file with the checksum's own field as zero: each step of it is one to one,
// so any single changed byte is noticed for certain.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/nnue.h"

typedef struct NetHeader {
    char magic[8];
    uint32_t version;
    uint32_t generation;
    uint64_t checksum;
    uint64_t positions;
    uint16_t inputs;
    uint16_t hidden;
    uint16_t king_buckets;
    uint16_t outputs;
    uint16_t men_per_bucket;
    uint16_t adds_to_hand; // 0 or 1
    int32_t multiplier;
    char variant[NET_VARIANT_SIZE];
    uint8_t king_bucket[64];
    char recipe[NET_RECIPE_SIZE];
} NetHeader;

static_assert(sizeof(NetHeader) == 384, "the header is written as it stands");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "net files are little-endian");

static const char MAGIC[8] = {'L', 'O', 'V', 'A', 'C', 'N', 'E', 'T'};
enum { VERSION = 1 };
enum {
    MAX_FILE_SIZE = 384 + NNUE_MAX_KING_BUCKETS * NNUE_INPUTS * NNUE_MAX_HIDDEN * 2 + (1 << 20)
};

static uint64_t checksum_of(const uint8_t *data, size_t size)
{
    const size_t from = offsetof(NetHeader, checksum), to = from + sizeof(uint64_t);
    uint64_t sum = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (i >= from && i < to ? 0 : data[i])) * 0x100000001b3ull;
    return sum;
}

static size_t feature_count(const NetInfo *info)
{
    return (size_t)info->king_buckets * NNUE_INPUTS * info->hidden;
}

static size_t file_size(const NetInfo *info)
{
    return sizeof(NetHeader) + (feature_count(info) + info->hidden) * sizeof(int16_t) +
           (size_t)NNUE_OUTPUTS * 2 * info->hidden + NNUE_OUTPUTS * sizeof(int32_t);
}

static bool info_is_ok(const NetInfo *info, Error *error)
{
    if (info->hidden < NNUE_HIDDEN_STEP || info->hidden > NNUE_MAX_HIDDEN ||
        info->hidden % NNUE_HIDDEN_STEP)
        return error_set(error, "net: %u hidden units (a multiple of %d up to %d is needed)",
                         info->hidden, NNUE_HIDDEN_STEP, NNUE_MAX_HIDDEN);
    if (info->king_buckets < 1 || info->king_buckets > NNUE_MAX_KING_BUCKETS)
        return error_set(error, "net: %u king buckets", info->king_buckets);
    if (info->men_per_bucket < 1 || info->men_per_bucket > 64)
        return error_set(error, "net: %u men for each output bucket", info->men_per_bucket);
    if (info->multiplier < 1)
        return error_set(error, "net: multiplier %d", (int)info->multiplier);
    for (int s = 0; s < 64; s++)
        if (info->king_bucket[s] >= info->king_buckets)
            return error_set(error, "net: king bucket %u of square %d is out of range",
                             info->king_bucket[s], s);
    if (!memchr(info->variant, 0, NET_VARIANT_SIZE) || !memchr(info->recipe, 0, NET_RECIPE_SIZE))
        return error_set(error, "net: a text in the header has no end");
    return true;
}

static void *aligned_zeros(size_t size)
{
    size = (size + 63) & ~(size_t)63;
    void *memory = aligned_alloc(64, size);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

Net *net_new(const NetInfo *info, Error *error)
{
    if (!info_is_ok(info, error))
        return NULL;
    Net *net = calloc(1, sizeof *net);
    if (net) {
        const Rules *rules = rules_find(info->variant);
        net->info = *info;
        net->is_from_corner = rules && nnue_is_from_corner(rules);
        net->feature = aligned_zeros(feature_count(info) * sizeof(int16_t));
        net->bias = aligned_zeros(info->hidden * sizeof(int16_t));
        net->output = aligned_zeros((size_t)NNUE_OUTPUTS * 2 * info->hidden * sizeof(int16_t));
    }
    if (!net || !net->feature || !net->bias || !net->output) {
        error_set(error, "net: no memory for %u hidden units", info->hidden);
        net_free(net);
        return NULL;
    }
    return net;
}

void net_free(Net *net)
{
    if (!net)
        return;
    free(net->feature);
    free(net->bias);
    free(net->output);
    free(net);
}

// What the header says, with the checksum that the file should have.
static bool header_read(const uint8_t *data, size_t size, NetInfo *info, uint64_t *checksum,
                        Error *error)
{
    NetHeader h;
    if (size < sizeof h)
        return error_set(error, "net: %zu bytes are too few for a net file", size);
    memcpy(&h, data, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof MAGIC))
        return error_set(error, "net: this is no Lovac net file");
    if (h.version != VERSION)
        return error_set(error, "net: file version %u, this program reads %d", h.version, VERSION);
    if (h.inputs != NNUE_INPUTS || h.outputs != NNUE_OUTPUTS)
        return error_set(error, "net: %u inputs and %u outputs are not supported", h.inputs,
                         h.outputs);
    if (h.adds_to_hand > 1)
        return error_set(error, "net: %u in the place of 'added to the hand-written evaluation'",
                         h.adds_to_hand);
    memset(info, 0, sizeof *info);
    *checksum = h.checksum;
    info->positions = h.positions;
    info->generation = h.generation;
    info->hidden = h.hidden;
    info->king_buckets = h.king_buckets;
    info->men_per_bucket = h.men_per_bucket;
    info->adds_to_hand = h.adds_to_hand;
    info->multiplier = h.multiplier;
    memcpy(info->variant, h.variant, sizeof h.variant);
    memcpy(info->king_bucket, h.king_bucket, sizeof h.king_bucket);
    memcpy(info->recipe, h.recipe, sizeof h.recipe);
    return info_is_ok(info, error);
}

static bool file_is_ok(const uint8_t *data, size_t size, NetInfo *info, Error *error)
{
    uint64_t checksum = 0;
    if (!header_read(data, size, info, &checksum, error))
        return false;
    if (size != file_size(info))
        return error_set(error, "net: %zu bytes, but its shape needs %zu", size, file_size(info));
    if (checksum_of(data, size) != checksum)
        return error_set(error, "net: the checksum is wrong, the file is damaged");
    return true;
}

// Overflow is excluded by range, not by trust: a file with a right checksum may still be nonsense.
static bool weights_are_ok(const Net *net, Error *error)
{
    for (size_t i = 0; i < feature_count(&net->info); i++)
        if (abs(net->feature[i]) > NNUE_MAX_WEIGHT)
            return error_set(error, "net: weight %zu is %d, out of range", i, net->feature[i]);
    for (size_t i = 0; i < net->info.hidden; i++)
        if (abs(net->bias[i]) > NNUE_MAX_BIAS)
            return error_set(error, "net: bias %zu is %d, out of range", i, net->bias[i]);
    return true;
}

Net *net_from_memory(const void *data, size_t size, Error *error)
{
    NetInfo info = {0};
    if (!file_is_ok(data, size, &info, error))
        return NULL;
    Net *net = net_new(&info, error);
    if (!net)
        return NULL;
    const uint8_t *at = (const uint8_t *)data + sizeof(NetHeader);
    memcpy(net->feature, at, feature_count(&info) * sizeof(int16_t));
    at += feature_count(&info) * sizeof(int16_t);
    memcpy(net->bias, at, info.hidden * sizeof(int16_t));
    at += info.hidden * sizeof(int16_t);
    for (int i = 0; i < NNUE_OUTPUTS * 2 * info.hidden; i++)
        net->output[i] = (int8_t)at[i];
    at += (size_t)NNUE_OUTPUTS * 2 * info.hidden;
    memcpy(net->output_bias, at, sizeof net->output_bias);
    if (!weights_are_ok(net, error)) {
        net_free(net);
        return NULL;
    }
    return net;
}

void *net_to_memory(const Net *net, size_t *size, Error *error)
{
    const NetInfo *info = &net->info;
    uint8_t *data = malloc(file_size(info));
    if (!data) {
        error_set(error, "net: no memory for the file");
        return NULL;
    }
    NetHeader h = {.version = VERSION,
                   .generation = info->generation,
                   .positions = info->positions,
                   .inputs = NNUE_INPUTS,
                   .hidden = info->hidden,
                   .king_buckets = info->king_buckets,
                   .outputs = NNUE_OUTPUTS,
                   .men_per_bucket = info->men_per_bucket,
                   .adds_to_hand = info->adds_to_hand,
                   .multiplier = info->multiplier};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    memcpy(h.variant, info->variant, sizeof h.variant);
    memcpy(h.king_bucket, info->king_bucket, sizeof h.king_bucket);
    memcpy(h.recipe, info->recipe, sizeof h.recipe);
    uint8_t *at = data + sizeof h;
    memcpy(at, net->feature, feature_count(info) * sizeof(int16_t));
    at += feature_count(info) * sizeof(int16_t);
    memcpy(at, net->bias, info->hidden * sizeof(int16_t));
    at += info->hidden * sizeof(int16_t);
    for (int i = 0; i < NNUE_OUTPUTS * 2 * info->hidden; i++)
        at[i] = (uint8_t)net->output[i];
    at += (size_t)NNUE_OUTPUTS * 2 * info->hidden;
    memcpy(at, net->output_bias, sizeof net->output_bias);
    *size = file_size(info);
    memcpy(data, &h, sizeof h);
    h.checksum = checksum_of(data, *size);
    memcpy(data, &h, sizeof h);
    return data;
}

bool net_to_file(const Net *net, const char *path, Error *error)
{
    size_t size;
    void *data = net_to_memory(net, &size, error);
    bool ok = data && file_write(path, data, size, error);
    free(data);
    return ok;
}

Net *net_from_file(const char *path, Error *error)
{
    size_t size;
    char *data = file_read(path, MAX_FILE_SIZE, &size, error);
    Net *net = data ? net_from_memory(data, size, error) : NULL;
    free(data);
    return net;
}

#ifdef NETS_FILE
__asm__(".section .rodata\n"
        ".balign 64\n"
        ".global lovac_embedded_nets\n"
        "lovac_embedded_nets:\n"
        ".incbin \"" NETS_FILE "\"\n"
        ".global lovac_embedded_nets_end\n"
        "lovac_embedded_nets_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const uint8_t lovac_embedded_nets[], lovac_embedded_nets_end[];

// The nets stand one after the other; each one's shape tells where the next begins.
Net *net_from_program(int index, Error *error)
{
    for (const uint8_t *at = lovac_embedded_nets;; index--) {
        const size_t left = (size_t)(lovac_embedded_nets_end - at);
        NetInfo info;
        uint64_t checksum = 0;
        if (!left) {
            error_set(error, "net: no more nets were built into this program");
            return NULL;
        }
        if (!header_read(at, left, &info, &checksum, error))
            return NULL;
        const size_t size = file_size(&info) < left ? file_size(&info) : left;
        if (!index)
            return net_from_memory(at, size, error);
        at += size;
    }
}
#else
Net *net_from_program(int index, Error *error)
{
    (void)index;
    error_set(error, "net: no net was built into this program");
    return NULL;
}
#endif
