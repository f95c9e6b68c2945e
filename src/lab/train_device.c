// See train_device.h. Order: load the positions, train in tenths, export after each, verify.
#include "lab/train_device.h"

#include "base/clock.h"
#include "core/bitboard.h"
#include "engine/nnue.h"
#include "lab/learn_int.h"
#include "lab/net_export.h"
#include "lab/train_int.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1 << 16, BATCH_STEP = 256, TENTHS = 10, VERIFIED = 1000 };

bool train_record(const TrainPosition *p, uint16_t men[32], uint32_t *meta)
{
    const int count = bit_count(p->occupied);
    int kings[2] = {0, 0}, place = 1, i = 0;
    for (int k = 0; k < 32; k++)
        men[k] = RECORD_NO_MAN;
    if (count > 32)
        return false;
    for (Bitboard left = p->occupied; left; i++) {
        const Square square = bit_pop(&left);
        const Piece piece = p->pieces[i / 2] >> (i % 2 * 4) & 15;
        const int color = piece_color(piece), type = piece_type(piece);
        const uint16_t man = (uint16_t)(color * 384 + type * 64 + square);
        if (type == KING) { // kings have the first and the middle place
            kings[color]++;
            men[color * 16] = man;
            continue;
        }
        if (place == 32)
            return false;
        men[place] = man;
        place += place == 15 ? 2 : 1;
    }
    if (kings[WHITE] != 1 || kings[BLACK] != 1)
        return false;
    const int result = p->result == 1 ? RESULT_DRAWN : p->result == 2 ? p->side : p->side ^ 1;
    *meta = (uint32_t)(uint16_t)p->score | (uint32_t)result << 16 | (uint32_t)p->side << 18 |
            (uint32_t)(count - 1) << 19;
    return true;
}

// Brings the positions of a set (0: to learn from, 1: held out) to the device, piece by piece.
static bool load(Device *device, const DeviceTraining *t, int set, Error *error)
{
    uint16_t(*men)[32] = malloc(CHUNK * sizeof *men);
    uint32_t *meta = malloc(CHUNK * sizeof *meta);
    bool ok = (men && meta) || error_set(error, "no memory");
    for (size_t from = 0; from < t->counts[set] && ok; from += CHUNK) {
        const size_t left = t->counts[set] - from, count = left < CHUNK ? left : CHUNK;
        for (size_t i = 0; i < count && ok; i++)
            ok = train_record(&t->positions[set][from + i], men[i], &meta[i]) ||
                 error_set(error,
                           "the GPU's trainer takes positions of at most 32 men and one king "
                           "a side, and these games of %s have others; use --device cpu",
                           t->rules->name);
        ok = ok && device_load(device, set, &men[0][0], meta, count, error);
    }
    free(men);
    free(meta);
    return ok;
}

// Some 64 steps in a pass, and not more than the held-out positions: they are measured in batches.
static int batch_for(const DeviceTraining *t)
{
    size_t batch = t->config->batch ? (size_t)t->config->batch : t->counts[0] / 64;
    batch = batch > BATCH ? BATCH : batch;
    batch = batch > t->counts[1] ? t->counts[1] : batch;
    return (int)(batch / BATCH_STEP * BATCH_STEP);
}

// The net as it stands: whoever stops the training has it.
static bool write_net(const DeviceTraining *t, Trainer *trainer, double samples, Error *error)
{
    NetInfo info = {.hidden = (uint16_t)t->config->hidden,
                    .king_buckets = 1,
                    .positions = t->counts[0],
                    .generation = 1};
    train_describe(&info, t->config, t->rules, t->games, t->counts[0], samples, t->goal.scale);
    Net *net = export_net(trainer, NULL, &info, error);
    const bool ok = net && net_to_file(net, t->config->out, error);
    net_free(net);
    return ok;
}

// In tenths, each with its part of the schedule, so that there is something to see and to keep.
static bool train(const DeviceTraining *t, Trainer *trainer, Error *error)
{
    const TrainConfig *c = t->config;
    const double samples = c->epochs * (double)t->counts[0];
    const int64_t begin = clock_ms();
    for (int tenth = 0; tenth < TENTHS && !train_is_stopped(c); tenth++) {
        const TrainRequest request = {.samples = (uint64_t)(samples / TENTHS),
                                      .rate = c->rate,
                                      .end_rate = c->end_rate,
                                      .from = (double)tenth / TENTHS,
                                      .to = (tenth + 1.0) / TENTHS,
                                      .decay = c->decay,
                                      .result_weight = t->goal.result_weight,
                                      .scale = t->goal.scale};
        TrainReport report;
        if (!trainer_run(trainer, &request, &report, error))
            return false;
        const double done = samples / TENTHS * (tenth + 1),
                     seconds = (double)(clock_ms() - begin + 1) / 1e3;
        train_say_losses(c, t->csv, done, seconds, report.loss, report.validation,
                         report.against_result, report.against_score);
        if (!write_net(t, trainer, done, error))
            return false;
    }
    return true;
}

// Reads the net back and compares it with the trainer, on the last positions that were loaded.
static bool verify(const DeviceTraining *t, Trainer *trainer, Error *error)
{
    float values[VERIFIED] = {0};
    uint16_t men[VERIFIED * 32];
    uint32_t meta[VERIFIED];
    const uint32_t count = t->counts[0] < VERIFIED ? (uint32_t)t->counts[0] : VERIFIED;
    Net *net = net_from_file(t->config->out, error);
    bool ok = net && trainer_predict(trainer, count, values, men, meta, error);
    double sum = 0;
    for (uint32_t i = 0; i < count && ok; i++) {
        Position pos;
        train_unpack(&t->positions[0][t->counts[0] - count + i], t->rules, &pos);
        sum += fabs(values[i] * train_net_unit(net) - nnue_evaluate_once(net, &pos));
    }
    net_free(net);
    return ok && train_judge(t->config, sum / count, error);
}

bool train_on_device(const DeviceTraining *t, Error *error)
{
    const DeviceSetup setup = {.records = t->counts[0], .validation = t->counts[1]};
    Device *device = device_new(&setup, error);
    if (!device)
        return false;
    Trainer *trainer = NULL;
    TrainerShape shape = trainer_shape(t->config->hidden, 1);
    shape.batch = batch_for(t);
    bool ok = shape.batch || error_set(error, "%zu positions and %zu held out are too few",
                                       t->counts[0], t->counts[1]);
    if (ok)
        train_say(t->config, "device: %s; batches of %d", device_text(device), shape.batch);
    ok = ok && load(device, t, 0, error) && load(device, t, 1, error) &&
         (trainer = trainer_new(device, &shape, t->config->seed, error)) &&
         train(t, trainer, error) && verify(t, trainer, error);
    trainer_free(trainer);
    device_free(device);
    return ok;
}
