// The GPU's memory and the play kernels, for layers.h.
#include "lab/gpu/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 0
#include "lab/gpu/games.h"
#include "lab/gpu/kernels.h"
#include "lab/gpu/perft.h"

enum { MAX_WARPS = 28, MAX_WIDTH = 1024, PERFT_WARPS = 8 };

// encode.h speaks of positions and is for C; these are the most that nets need.
enum {
    FEATURE_WORDS = (768 * PLAY_KING_BUCKETS + 1) * MAX_WIDTH / 2,
    OUTPUT_WORDS = 8 * 2 * MAX_WIDTH / 4,
    THREAT_WORDS = (NNUE_THREATS + 1) * LAYERS_WIDTH / 4,
    LAYERS_WORDS = 8 * 32 * (16 * LAYERS_WIDTH / 128 + 32),
};

bool cuda_ok(cudaError_t code, const char *what, Error *error)
{
    if (code == cudaSuccess)
        return true;
    return error_set(error, "GPU: %s: %s", what, cudaGetErrorString(code));
}

// Takes zeroed memory of the GPU.
static bool take(void *pointer, size_t size, const char *what, Error *error)
{
    void **p = (void **)pointer;
    return cuda_ok(cudaMalloc(p, size), what, error) &&
           cuda_ok(cudaMemset(*p, 0, size), what, error);
}

static bool take_records(RecordBuffer *buffer, uint64_t capacity, Error *error)
{
    buffer->capacity = (uint32_t)capacity;
    return take(&buffer->men, capacity * 32 * sizeof(uint16_t), "records", error) &&
           take(&buffer->meta, capacity * sizeof(uint32_t), "records", error) &&
           take(&buffer->counter, sizeof(uint32_t), "records", error);
}

static bool take_scratch(Device *d, Error *error)
{
    const size_t warps = (size_t)d->blocks * MAX_WARPS;
    PlayJob *s = &d->scratch;
    d->warps = (int)warps;
    bool ok = take(&s->scratch, warps * sizeof(WarpScratch), "warps", error) &&
              take(&s->stats, warps * sizeof(WarpStats), "statistics", error) &&
              take(&d->perft_lists, warps * PERFT_PLIES * PERFT_MOVES * 4, "perft", error) &&
              take(&d->perft_counts, warps * 8, "perft", error) &&
              take(&d->tables, sizeof(Tables), "tables", error) &&
              take(&d->threats, sizeof(NnueThreatTables), "tables", error);
    for (int i = 0; i < 2 && ok; i++)
        ok = take(&d->net_feature[i], FEATURE_WORDS * 4, "net", error) &&
             take(&d->net_output[i], OUTPUT_WORDS * 4, "net", error) &&
             take(&d->net_threat[i], THREAT_WORDS * 4, "net", error) &&
             take(&d->net_layers[i], LAYERS_WORDS * 4, "net", error);
    return ok;
}

static bool fill_tables(Device *d, Error *error)
{
    Tables *host = (Tables *)malloc(sizeof *host);
    NnueThreatTables *threats = (NnueThreatTables *)calloc(1, sizeof *threats);
    bool ok = host && threats;
    if (ok) {
        tables_fill(host);
        nnue_threats_fill(threats);
        ok = cuda_ok(cudaMemcpy(d->tables, host, sizeof *host, cudaMemcpyHostToDevice), "tables",
                     error) &&
             cuda_ok(cudaMemcpy(d->threats, threats, sizeof *threats, cudaMemcpyHostToDevice),
                     "tables", error);
    } else {
        error_set(error, "no memory for tables");
    }
    free(host);
    free(threats);
    return ok;
}

static bool device_init(Device *d, const DeviceSetup *setup, Error *error)
{
    cudaDeviceProp properties;
    if (!cuda_ok(cudaGetDeviceProperties(&properties, 0), "no usable device", error))
        return false;
    d->blocks = properties.multiProcessorCount;
    if (!take_scratch(d, error) || !fill_tables(d, error))
        return false;
    size_t free_bytes, total_bytes;
    if (!cuda_ok(cudaMemGetInfo(&free_bytes, &total_bytes), "memory", error))
        return false;
    // The trainer, its library and a dozen students want some gigabytes too.
    const uint64_t reserve = 24ull << 30, record = 68;
    const uint64_t most =
        free_bytes > reserve ? (free_bytes - reserve) / record - setup->validation : 0;
    uint64_t capacity = setup->records && setup->records < most ? setup->records : most;
    capacity = capacity > 4000000000ull ? 4000000000ull : capacity;
    if (most < 1000000)
        return error_set(error, "GPU: too little free memory for positions");
    if (!take_records(&d->records[0], capacity, error) ||
        !take_records(&d->records[1], setup->validation, error))
        return false;
    snprintf(d->text, sizeof d->text, "%s, %d multiprocessors, %.0f GiB, room for %.0f M positions",
             properties.name, d->blocks, (double)total_bytes / (1 << 30), (double)capacity / 1e6);
    return true;
}

extern "C" Device *device_new(const DeviceSetup *setup, Error *error)
{
    Device *d = (Device *)calloc(1, sizeof *d);
    if (!d) {
        error_set(error, "no memory");
        return NULL;
    }
    if (!device_init(d, setup, error)) {
        device_free(d);
        return NULL;
    }
    return d;
}

extern "C" void device_free(Device *d)
{
    if (!d)
        return;
    const PlayJob *s = &d->scratch;
    void *const memory[] = {
        s->scratch,        s->stats,           d->perft_lists,        d->perft_counts,
        d->tables,         d->net_feature[0],  d->net_feature[1],     d->net_output[0],
        d->net_output[1],  d->records[0].men,  d->records[0].meta,    d->records[0].counter,
        d->records[1].men, d->records[1].meta, d->records[1].counter, d->net_threat[0],
        d->net_threat[1],  d->net_layers[0],   d->net_layers[1],      d->threats};
    for (void *m : memory)
        cudaFree(m);
    free(d);
}

extern "C" const char *device_text(const Device *d)
{
    return d->text;
}
extern "C" uint64_t device_recorded(const Device *d)
{
    return d->counters[0];
}
extern "C" uint64_t device_kept(const Device *d)
{
    return d->counters[0] < d->records[0].capacity ? d->counters[0] : d->records[0].capacity;
}

extern "C" bool device_load(Device *d, int set, const uint16_t *men, const uint32_t *meta,
                            uint64_t count, Error *error)
{
    const RecordBuffer *b = &d->records[set];
    const uint64_t at = d->counters[set];
    if (at + count > b->capacity)
        return error_set(error, "GPU: no room for %llu positions",
                         (unsigned long long)(at + count));
    const uint32_t written = (uint32_t)(at + count);
    d->counters[set] = at + count;
    return cuda_ok(cudaMemcpy(b->men + at * 32, men, count * 64, cudaMemcpyHostToDevice),
                   "positions", error) &&
           cuda_ok(cudaMemcpy(b->meta + at, meta, count * 4, cudaMemcpyHostToDevice), "positions",
                   error) &&
           cuda_ok(cudaMemcpy(b->counter, &written, 4, cudaMemcpyHostToDevice), "positions", error);
}

static int warps_of(int width)
{
    switch (width) {
#define CASE(w)                                                                                    \
    case w: return play_warps_##w();
        FOR_EACH_WIDTH(CASE)
#undef CASE
    default: return 0;
    }
}

static cudaError_t launch(int width, const PlayJob *job, int blocks)
{
    switch (width) {
#define CASE(w)                                                                                    \
    case w: return play_launch_##w(job, blocks);
        FOR_EACH_WIDTH(CASE)
#undef CASE
    default: return cudaErrorInvalidValue;
    }
}

static bool send_words(uint32_t *to, const uint32_t *words, size_t count, Error *error)
{
    return cuda_ok(cudaMemcpy(to, words, count * 4, cudaMemcpyHostToDevice), "net", error);
}

static bool send_net(Device *d, int player, const EncodedNet *net, PlayJob *job, Error *error)
{
    DeviceNet *numbers = &job->net[player];
    *numbers = net->numbers;
    numbers->feature = d->net_feature[player];
    numbers->output = d->net_output[player];
    numbers->threat = net->threat ? d->net_threat[player] : NULL;
    numbers->layers = net->layers ? d->net_layers[player] : NULL;
    return send_words(d->net_feature[player], net->feature, net->feature_words, error) &&
           send_words(d->net_output[player], net->output, net->output_words, error) &&
           send_words(d->net_threat[player], net->threat, net->threat_words, error) &&
           send_words(d->net_layers[player], net->layers, net->layers_words, error);
}

static bool job_fill(Device *d, const PlayRequest *r, PlayJob *job, Error *error)
{
    *job = d->scratch;
    job->tables = d->tables;
    job->threats = d->threats;
    job->is_match = r->is_match;
    job->max_games = r->games;
    job->max_searches = r->searches;
    job->quick_nodes = r->quick_nodes;
    job->every = r->every;
    job->beside = r->beside;
    job->duration_ns = (uint64_t)(r->seconds * 1e9);
    job->seed = r->seed;
    job->random_plies = r->random_plies;
    job->opening_limit = r->opening_limit;
    job->record_from_ply = r->record_from_ply;
    for (int i = 0; i < 2; i++) {
        const EncodedNet *net = r->nets[r->is_match ? i : 0];
        job->nodes[i] = r->nodes[i];
        job->options[i] = r->options[i];
        job->records[i] = d->records[i];
        if (net->width != r->nets[0]->width)
            return error_set(error, "the nets of a match must have one width");
        if (!send_net(d, i, net, job, error))
            return false;
    }
    return true;
}

static void report_add(PlayReport *report, const WarpStats *s)
{
    report->nodes += s->nodes;
    report->searches += s->searches;
    report->depth_sum += s->depth_sum;
    report->games += s->games;
    report->plies += s->plies;
    report->kept += s->kept;
    report->openings_refused += s->openings_refused;
    for (int i = 0; i < 3; i++) {
        report->results[i] += s->results[i];
        report->by_player[i] += s->by_player[i];
    }
    for (int i = 0; i < 5; i++)
        report->pairs[i] += s->pairs[i];
}

// The 32-bit counters on the GPU, carried on in 64 bits here.
static bool read_counters(Device *d, Error *error)
{
    for (int i = 0; i < 2; i++) {
        uint32_t now;
        if (!cuda_ok(cudaMemcpy(&now, d->records[i].counter, 4, cudaMemcpyDeviceToHost), "counter",
                     error))
            return false;
        d->counters[i] += (uint32_t)(now - (uint32_t)d->counters[i]);
    }
    return true;
}

extern "C" bool device_play(Device *d, const PlayRequest *request, PlayReport *report, Error *error)
{
    PlayJob job;
    memset(report, 0, sizeof *report);
    if (!job_fill(d, request, &job, error))
        return false;
    const int width = request->nets[0]->width, warps = warps_of(width) * d->blocks;
    if (warps > d->warps)
        return error_set(error, "GPU: memory for %d warps, not for %d", d->warps, warps);
    cudaEvent_t begin, end;
    float ms = 0;
    if (!cuda_ok(cudaMemset(job.scratch, 0, (size_t)d->warps * sizeof(WarpScratch)), "scratch",
                 error) ||
        !cuda_ok(cudaEventCreate(&begin), "event", error) ||
        !cuda_ok(cudaEventCreate(&end), "event", error))
        return false;
    cudaEventRecord(begin);
    bool ok = cuda_ok(launch(width, &job, d->blocks), "games", error);
    cudaEventRecord(end);
    ok = ok && cuda_ok(cudaDeviceSynchronize(), "games", error) &&
         cuda_ok(cudaEventElapsedTime(&ms, begin, end), "time", error);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    WarpStats *stats = (WarpStats *)malloc(warps * sizeof *stats);
    ok = ok && stats &&
         cuda_ok(cudaMemcpy(stats, job.stats, warps * sizeof *stats, cudaMemcpyDeviceToHost),
                 "statistics", error);
    for (int i = 0; i < warps && ok; i++) {
        report_add(report, &stats[i]);
        if (i < 4)
            report->first[i] = stats[i];
    }
    free(stats);
    report->seconds = ms / 1e3;
    return ok && read_counters(d, error);
}

static __global__ void __launch_bounds__(PERFT_WARPS * 32)
    perft_kernel(const __grid_constant__ PerftJob job)
{
    extern __shared__ __align__(16) uint8_t shared[];
    Tables *tables = (Tables *)shared;
    for (int i = threadIdx.x; i < (int)(sizeof(Tables) / 8); i += blockDim.x)
        ((uint64_t *)tables)[i] = ((const uint64_t *)job.tables)[i];
    __syncthreads();
    perft_warp(&job, tables, blockIdx.x * PERFT_WARPS + (threadIdx.x >> 5));
}

extern "C" bool device_perft(Device *d, const HostBoard *board, int depth, uint64_t *count,
                             Error *error)
{
    PerftJob job;
    job.tables = d->tables;
    job.board = *board;
    job.depth = depth;
    job.split = depth >= 4 ? 3 : 1;
    job.warps = d->blocks * PERFT_WARPS;
    job.lists = d->perft_lists;
    job.counts = d->perft_counts;
    if (!cuda_ok(cudaFuncSetAttribute(perft_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)sizeof(Tables)),
                 "perft", error))
        return false;
    perft_kernel<<<d->blocks, PERFT_WARPS * 32, sizeof(Tables)>>>(job);
    uint64_t *counts = (uint64_t *)malloc(job.warps * sizeof *counts);
    bool ok = counts && cuda_ok(cudaGetLastError(), "perft", error) &&
              cuda_ok(cudaMemcpy(counts, d->perft_counts, job.warps * sizeof *counts,
                                 cudaMemcpyDeviceToHost),
                      "perft", error);
    *count = 0;
    for (int i = 0; i < job.warps && ok; i++)
        *count += counts[i];
    free(counts);
    return ok;
}
