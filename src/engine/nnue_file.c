// Net files: a fixed header, the weights, nothing else. Everything is little-endian and is read
// field by field from a copy in memory, so no file can make us read beyond its end. The checksum is
// FNV-1a over the whole file with the checksum's own field as zero: each step of it is one to one,
// so any single changed byte is noticed for certain.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/memory.h"
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
    uint16_t flags; // FLAG_ADDS_TO_HAND, FLAG_THREATS
    int32_t multiplier;
    char variant[NET_VARIANT_SIZE];
    uint8_t king_bucket[64];
    char recipe[NET_RECIPE_SIZE];
} NetHeader;

static_assert(sizeof(NetHeader) == 384, "the header is written as it stands");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "net files are little-endian");

static const char MAGIC[8] = {'L', 'O', 'V', 'A', 'C', 'N', 'E', 'T'};
enum { VERSION_PLAIN = 1, VERSION_LAYERS = 2 };
enum { FLAG_ADDS_TO_HAND = 1, FLAG_THREATS = 2 }; // the second in version 2 only
enum {
    MAX_FILE_SIZE =
        384 + (NNUE_MAX_KING_BUCKETS * NNUE_INPUTS * 2 + NNUE_THREATS) * NNUE_MAX_HIDDEN + (1 << 20)
};

static uint64_t checksum_of(const uint8_t *data, size_t size)
{
    static const uint8_t ZEROS[sizeof(uint64_t)];
    const size_t from = offsetof(NetHeader, checksum), to = from + sizeof ZEROS;
    uint64_t sum = checksum_fnv(CHECKSUM_FNV_START, data, from);
    sum = checksum_fnv(sum, ZEROS, sizeof ZEROS);
    return checksum_fnv(sum, data + to, size - to);
}

static size_t feature_count(const NetInfo *info)
{
    return (size_t)info->king_buckets * NNUE_INPUTS * info->hidden;
}

static size_t threat_count(const NetInfo *info)
{
    return info->has_threats ? (size_t)NNUE_THREATS * info->hidden : 0;
}

static size_t first_count(const NetInfo *info)
{
    return (size_t)NNUE_OUTPUTS * NNUE_L1 * info->hidden;
}

// The bytes of a net: copied between the file and the net part by part, in the order of the file.
typedef struct Copier {
    uint8_t *file;  // where we are; NULL: only count
    bool is_saving; // from the net into the file
    size_t size;    // done so far
} Copier;

static void copy_part(Copier *c, void *part, size_t size)
{
    if (c->file && size) { // a part that is not there has no place either
        memcpy(c->is_saving ? c->file : part, c->is_saving ? part : c->file, size);
        c->file += size;
    }
    c->size += size;
}

static void copy_layers(Copier *c, const NetInfo *info, NetLayers *l)
{
    copy_part(c, l ? l->first : NULL, first_count(info));
    copy_part(c, l ? l->first_bias : NULL, sizeof l->first_bias);
    copy_part(c, l ? l->second : NULL, sizeof l->second);
    copy_part(c, l ? l->second_bias : NULL, sizeof l->second_bias);
    copy_part(c, l ? l->third : NULL, sizeof l->third);
    copy_part(c, l ? l->third_bias : NULL, sizeof l->third_bias);
}

// Output weights have 8 bits in the file.
static void copy_output(Copier *c, const NetInfo *info, Net *net)
{
    const size_t count = (size_t)NNUE_OUTPUTS * 2 * info->hidden;
    for (size_t i = 0; i < count && c->file; i++, c->file++)
        if (c->is_saving)
            *c->file = (uint8_t)net->output[i];
        else
            net->output[i] = (int8_t)*c->file;
    c->size += count;
    copy_part(c, net ? net->output_bias : NULL, sizeof net->output_bias);
}

// All weights; `net` may be NULL when only counting.
static void copy_weights(Copier *c, const NetInfo *info, Net *net)
{
    copy_part(c, net ? net->feature : NULL, feature_count(info) * sizeof(int16_t));
    copy_part(c, net ? net->bias : NULL, info->hidden * sizeof(int16_t));
    copy_part(c, net ? net->threat : NULL, threat_count(info));
    if (info->has_layers)
        copy_layers(c, info, net ? net->layers : NULL);
    else
        copy_output(c, info, net);
}

static size_t file_size(const NetInfo *info)
{
    Copier count = {.size = sizeof(NetHeader)};
    copy_weights(&count, info, NULL);
    return count.size;
}

static bool info_is_ok(const NetInfo *info, Error *error)
{
    if (info->hidden < NNUE_HIDDEN_STEP || info->hidden > NNUE_MAX_HIDDEN ||
        info->hidden % NNUE_HIDDEN_STEP)
        return error_set(error, "net: %u hidden units (a multiple of %d up to %d is needed)",
                         info->hidden, NNUE_HIDDEN_STEP, NNUE_MAX_HIDDEN);
    if (info->has_layers && info->hidden % (2 * NNUE_HIDDEN_STEP))
        return error_set(error, "net: %u hidden units (a multiple of %d is needed for layers)",
                         info->hidden, 2 * NNUE_HIDDEN_STEP);
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
    const Rules *rules = rules_find(info->variant);
    if (info->has_threats && (!info->has_layers || (rules && !rules->is_orthodox)))
        return error_set(error, "net: threats without layers, or for a game with other men");
    return true;
}

// Zeroed memory; what is large begins at a huge page and asks for such, for rows are read at
// random.
static void *aligned_zeros(size_t size)
{
    void *memory = memory_aligned(size);
    return memory ? memset(memory, 0, size) : NULL;
}

// Memory for the parts that only nets with layers have; false when it is short.
static bool layers_new(Net *net)
{
    const NetInfo *info = &net->info;
    net->layers = calloc(1, sizeof *net->layers);
    if (net->layers)
        net->layers->first = aligned_zeros(first_count(info));
    if (info->has_threats) {
        net->threat = aligned_zeros(threat_count(info));
        net->threat_tables = malloc(sizeof *net->threat_tables);
        if (net->threat_tables)
            nnue_threats_fill(net->threat_tables);
    }
    return net->layers && net->layers->first &&
           (!info->has_threats || (net->threat && net->threat_tables));
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
        if (!info->has_layers)
            net->output = aligned_zeros((size_t)NNUE_OUTPUTS * 2 * info->hidden * sizeof(int16_t));
    }
    if (!net || !net->feature || !net->bias ||
        !(info->has_layers ? layers_new(net) : net->output != NULL)) {
        error_set(error, "net: no memory for %u hidden units", info->hidden);
        net_free(net);
        return NULL;
    }
    return net;
}

void net_free(Net *net)
{
    if (!net || net->is_shared)
        return;
    memory_free_aligned(net->feature);
    memory_free_aligned(net->bias);
    memory_free_aligned(net->output);
    memory_free_aligned(net->threat);
    free(net->threat_tables);
    if (net->layers)
        memory_free_aligned(net->layers->first);
    free(net->layers);
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
    if (h.version != VERSION_PLAIN && h.version != VERSION_LAYERS)
        return error_set(error, "net: file version %u, this program reads %d and %d", h.version,
                         VERSION_PLAIN, VERSION_LAYERS);
    if (h.inputs != NNUE_INPUTS || h.outputs != NNUE_OUTPUTS)
        return error_set(error, "net: %u inputs and %u outputs are not supported", h.inputs,
                         h.outputs);
    if (h.flags > (h.version == VERSION_LAYERS ? 3 : 1))
        return error_set(error, "net: %u in the place of 'added to the hand-written evaluation'",
                         h.flags);
    memset(info, 0, sizeof *info);
    *checksum = h.checksum;
    info->positions = h.positions;
    info->generation = h.generation;
    info->hidden = h.hidden;
    info->king_buckets = h.king_buckets;
    info->men_per_bucket = h.men_per_bucket;
    info->adds_to_hand = h.flags & FLAG_ADDS_TO_HAND;
    info->has_threats = h.flags & FLAG_THREATS;
    info->has_layers = h.version == VERSION_LAYERS;
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

// Are all of these within ±limit?
static bool range_is_ok(const char *name, const void *values, size_t count, int bytes, int limit,
                        Error *error)
{
    for (size_t i = 0; i < count; i++) {
        const int v = bytes == 1   ? ((const int8_t *)values)[i]
                      : bytes == 2 ? ((const int16_t *)values)[i]
                                   : ((const int32_t *)values)[i];
        if (v > limit || v < -limit)
            return error_set(error, "net: %s %zu is %d, out of range", name, i, v);
    }
    return true;
}

static bool layers_are_ok(const NetLayers *l, const NetInfo *info, Error *error)
{
    return range_is_ok("weight of layer 1", l->first, first_count(info), 1, 127, error) &&
           range_is_ok("bias of layer 1", l->first_bias, NNUE_OUTPUTS * NNUE_L1, 4, 16 * NNUE_ONE,
                       error) &&
           range_is_ok("weight of layer 2", l->second, NNUE_OUTPUTS * NNUE_L2 * 2 * NNUE_L1, 2,
                       NNUE_MAX_LAYER_WEIGHT, error) &&
           range_is_ok("bias of layer 2", l->second_bias, NNUE_OUTPUTS * NNUE_L2, 4,
                       NNUE_MAX_LAYER_BIAS, error) &&
           range_is_ok("weight of layer 3", l->third, NNUE_OUTPUTS * NNUE_L2, 2,
                       NNUE_MAX_LAYER_WEIGHT, error) &&
           range_is_ok("bias of layer 3", l->third_bias, NNUE_OUTPUTS, 4, NNUE_MAX_LAYER_BIAS,
                       error);
}

// Overflow is excluded by range, not by trust: a file with a right checksum may still be nonsense.
static bool weights_are_ok(const Net *net, Error *error)
{
    const NetInfo *info = &net->info;
    return range_is_ok("weight", net->feature, feature_count(info), 2, NNUE_MAX_WEIGHT, error) &&
           range_is_ok("bias", net->bias, info->hidden, 2, NNUE_MAX_BIAS, error) &&
           (!info->has_threats || range_is_ok("weight of a threat", net->threat, threat_count(info),
                                              1, NNUE_MAX_THREAT_WEIGHT, error)) &&
           (!info->has_layers || layers_are_ok(net->layers, info, error));
}

Net *net_from_memory(const void *data, size_t size, Error *error)
{
    NetInfo info = {0};
    if (!file_is_ok(data, size, &info, error))
        return NULL;
    Net *net = net_new(&info, error);
    if (!net)
        return NULL;
    Copier loading = {.file = (uint8_t *)(uintptr_t)data + sizeof(NetHeader)};
    copy_weights(&loading, &info, net);
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
    NetHeader h = {.version = info->has_layers ? VERSION_LAYERS : VERSION_PLAIN,
                   .generation = info->generation,
                   .positions = info->positions,
                   .inputs = NNUE_INPUTS,
                   .hidden = info->hidden,
                   .king_buckets = info->king_buckets,
                   .outputs = NNUE_OUTPUTS,
                   .men_per_bucket = info->men_per_bucket,
                   .flags = (uint16_t)((info->adds_to_hand ? FLAG_ADDS_TO_HAND : 0) |
                                       (info->has_threats ? FLAG_THREATS : 0)),
                   .multiplier = info->multiplier};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    memcpy(h.variant, info->variant, sizeof h.variant);
    memcpy(h.king_bucket, info->king_bucket, sizeof h.king_bucket);
    memcpy(h.recipe, info->recipe, sizeof h.recipe);
    Copier saving = {.file = data + sizeof h, .is_saving = true};
    copy_weights(&saving, info, (Net *)(uintptr_t)net);
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
EMBED_FILE(lovac_embedded_nets, NETS_FILE);
extern const uint8_t lovac_embedded_nets[], lovac_embedded_nets_end[];

// Filled once, by the first who asks; the error says why there are no more.
enum { MAX_PROGRAM_NETS = 32 };
static pthread_once_t once = PTHREAD_ONCE_INIT;
static Net *program_nets[MAX_PROGRAM_NETS];
static Error program_error;

// The nets stand one after the other; each one's shape tells where the next begins.
static void load_program_nets(void)
{
    const uint8_t *at = lovac_embedded_nets;
    error_set(&program_error, "net: no more nets were built into this program");
    for (int i = 0; i < MAX_PROGRAM_NETS && at < lovac_embedded_nets_end; i++) {
        const size_t left = (size_t)(lovac_embedded_nets_end - at);
        NetInfo info;
        uint64_t checksum = 0;
        if (!header_read(at, left, &info, &checksum, &program_error))
            return;
        const size_t size = file_size(&info) < left ? file_size(&info) : left;
        program_nets[i] = net_from_memory(at, size, &program_error);
        if (!program_nets[i])
            return;
        program_nets[i]->is_shared = true;
        at += size;
    }
}

Net *net_from_program(int index, Error *error)
{
    pthread_once(&once, load_program_nets);
    if (index >= 0 && index < MAX_PROGRAM_NETS && program_nets[index])
        return program_nets[index];
    error_set(error, "%s", program_error.text);
    return NULL;
}
#else
Net *net_from_program(int index, Error *error)
{
    (void)index;
    error_set(error, "net: no net was built into this program");
    return NULL;
}
#endif
