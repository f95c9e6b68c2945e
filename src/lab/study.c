// See study.h. Order of a course: the student of that shape (in memory, from its files, from a net,
// or new), training in pieces with the state written after each, export, students.csv.
#include "lab/study.h"

#include "base/clock.h"
#include "base/file.h"
#include "core/fen.h"
#include "lab/learn_int.h"
#include "lab/net_export.h"
#include "lab/student_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUDENTS_MAX = 12, PATH_SIZE = 1024, PIECES = 5, SHORT_S = 30, FIRST_SAMPLES = 8 << 20 };

typedef struct Pupil {
    Student *student;
    StudentShape shape;
    StudentParts parts;
    int number;   // among students of one shape
    Net *newest;  // what it is now; NULL: not written yet
    double speed; // positions a second; 0: not measured
} Pupil;

struct Study {
    const LearnSetup *setup;
    Device *device;
    Pupil pupils[STUDENTS_MAX];
    int count;
};

Study *study_new(const LearnSetup *setup, Device *device, Error *error)
{
    Study *study = calloc(1, sizeof *study);
    if (!study) {
        error_set(error, "no memory");
        return NULL;
    }
    study->setup = setup;
    study->device = device;
    return study;
}

void study_free(Study *study)
{
    for (int i = 0; study && i < study->count; i++) {
        student_free(study->pupils[i].student);
        net_free(study->pupils[i].newest);
    }
    free(study);
}

static void pupil_path(const Study *study, const Pupil *p, const char *ending, char path[PATH_SIZE])
{
    char number[16] = "";
    if (p->number)
        snprintf(number, sizeof number, "-%d", p->number);
    snprintf(path, PATH_SIZE, "%s/student-%d%s%s.%s", study->setup->folder, p->shape.hidden,
             p->shape.has_threats ? "t" : "", number, ending);
}

static StudentShape shape_of(int hidden, bool has_threats, int batch)
{
    StudentShape shape = {
        .hidden = hidden, .buckets = 4, .batch = batch, .has_threats = has_threats};
    king_bucket_map(4, shape.king_bucket);
    return shape;
}

// ---- State on disk --------------------------------------------------------------------------

static bool state_save(const Study *study, const Pupil *p, Error *error)
{
    char path[PATH_SIZE];
    FileWriter writer;
    uint64_t steps = 0;
    float *state = malloc(3 * p->parts.count * sizeof *state);
    bool ok = state ? student_read_state(p->student, state, &steps, error)
                    : error_set(error, "no memory for a student's state");
    pupil_path(study, p, "state", path);
    ok = ok && file_begin(&writer, path, error);
    if (ok) {
        fwrite(&steps, sizeof steps, 1, writer.out);
        fwrite(state, sizeof *state, 3 * p->parts.count, writer.out);
        ok = file_commit(&writer, error);
    }
    free(state);
    return ok;
}

// Goes on from the folder's state, if there is one.
static bool state_load(const Study *study, Pupil *p, bool *is_there, Error *error)
{
    char path[PATH_SIZE];
    uint64_t steps;
    size_t size;
    pupil_path(study, p, "state", path);
    *is_there = file_exists(path);
    if (!*is_there)
        return true;
    char *bytes = file_read(path, (size_t)2 << 30, &size, error);
    if (!bytes)
        return false;
    bool ok = size == sizeof steps + 3 * p->parts.count * sizeof(float) ||
              error_set(error, "%s has the wrong size", path);
    if (ok) {
        memcpy(&steps, bytes, sizeof steps);
        ok = student_write_state(p->student, (const float *)(bytes + sizeof steps), steps, error);
    }
    free(bytes);
    pupil_path(study, p, "nnue", path);
    return ok && (!file_exists(path) || (p->newest = net_from_file(path, error)));
}

// Begins from the net that the run was given, if its shape is this one.
static bool net_load(const Study *study, Pupil *p, bool *is_there, Error *error)
{
    *is_there = false;
    if (!study->setup->student)
        return true;
    Net *net = net_from_file(study->setup->student, error);
    if (!net)
        return false;
    bool ok = true;
    if (net->layers && net->info.hidden == p->shape.hidden &&
        net->info.has_threats == p->shape.has_threats &&
        net->info.king_buckets == p->shape.buckets) {
        float *state = calloc(3 * p->parts.count, sizeof *state);
        ok = state != NULL;
        if (ok) {
            student_from_net(net, state);
            ok = student_write_state(p->student, state, 0, error);
        }
        *is_there = true;
        free(state);
        p->newest = net;
    } else {
        net_free(net);
    }
    return ok;
}

// The student of a stage.
static Pupil *pupil_get(Study *study, const LearnStage *stage, Error *error)
{
    const int hidden = (int)stage->student, number = (int)stage->pupil;
    const bool has_threats = stage->threats > 0;
    for (int i = 0; i < study->count; i++)
        if (study->pupils[i].shape.hidden == hidden &&
            study->pupils[i].shape.has_threats == has_threats && study->pupils[i].number == number)
            return &study->pupils[i];
    if (study->count == STUDENTS_MAX) {
        error_set(error, "plan: more than %d students", STUDENTS_MAX);
        return NULL;
    }
    Pupil *p = &study->pupils[study->count];
    p->shape = shape_of(hidden, has_threats, (int)stage->batch);
    p->parts = student_parts(&p->shape);
    p->number = number;
    p->student =
        student_new(study->device, &p->shape, study->setup->seed + (uint64_t)hidden, error);
    bool is_there = false;
    const char *from = "from random weights";
    if (!p->student)
        return NULL;
    study->count++;
    if (!state_load(study, p, &is_there, error))
        return NULL;
    if (is_there)
        from = "going on";
    else if (!net_load(study, p, &is_there, error))
        return NULL;
    else if (is_there)
        from = study->setup->student;
    learn_say(study->setup, "  student of %d units%s: %.1f M weights, %s", hidden,
              has_threats ? " with threats" : "", (double)p->parts.count / 1e6, from);
    return p;
}

// ---- Export ---------------------------------------------------------------------------------

// A student's net: its centipawns are as large as the reference's on the newest positions.
static Net *pupil_net(Pupil *p, const NetInfo *info, const Net *reference, Error *error)
{
    enum { COUNT = 16384 };
    float *parameters = calloc(p->parts.count, sizeof *parameters);
    float *values = calloc(COUNT, sizeof *values);
    uint16_t *men = calloc(COUNT, 32 * sizeof *men);
    uint32_t *meta = calloc(COUNT, sizeof *meta);
    NetInfo full = *info;
    bool ok = parameters && values && men && meta;
    double scale = CENTIPAWNS_PER_UNIT;
    if (!ok)
        error_set(error, "no memory");
    ok = ok && student_read(p->student, parameters, error);
    if (ok && reference) {
        ok = student_predict(p->student, COUNT, values, men, meta, error);
        if (ok)
            scale = centipawns_per_unit(values, men, meta, COUNT, reference);
    }
    full.multiplier = nnue_layers_multiplier(scale);
    Net *net = ok ? net_from_student(parameters, &p->shape, &full, error) : NULL;
    free(parameters);
    free(values);
    free(men);
    free(meta);
    return net;
}

static NetInfo pupil_info(const Pupil *p, const LearnStage *stage, const StudyTask *task,
                          double samples)
{
    NetInfo info = {.variant = "chess",
                    .generation = (uint32_t)task->generation,
                    .positions = (uint64_t)task->positions,
                    .hidden = (uint16_t)p->shape.hidden,
                    .king_buckets = (uint16_t)p->shape.buckets,
                    .men_per_bucket = 4,
                    .has_layers = true,
                    .has_threats = p->shape.has_threats};
    memcpy(info.king_bucket, p->shape.king_bucket, sizeof info.king_bucket);
    snprintf(
        info.recipe, sizeof info.recipe,
        "lovac learn: student, generation %d, %.0f M own positions, %.2f G samples in the last "
        "course, result weight %g, later %g, rate %g to %g",
        task->generation, task->positions / 1e6, samples / 1e9, stage->result_weight,
        stage->later_weight, stage->rate, stage->end_rate);
    return info;
}

// ---- A course of study ------------------------------------------------------------------------

// How many positions fill the time, found by a first piece if need be; it counts as training.
static bool measure_speed(const Study *study, Pupil *p, TrainRequest request, Error *error)
{
    TrainReport report = {0};
    (void)study;
    request.samples = FIRST_SAMPLES;
    request.end_rate = request.rate;
    for (int i = 0; i < 2 && p->speed == 0; i++) { // the first steps of a shape are slow
        if (!student_run(p->student, &request, &report, error))
            return false;
        if (i == 1)
            p->speed = FIRST_SAMPLES / report.seconds;
    }
    return true;
}

static bool log_course(const Study *study, const Pupil *p, const LearnStage *stage,
                       const StudyTask *task, const TrainReport *r, double window, double samples,
                       double seconds, Error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/students.csv", study->setup->folder);
    const bool is_new = !file_exists(path);
    FILE *out = fopen(path, "a");
    if (!out)
        return error_set(error, "cannot write %s", path);
    if (is_new)
        fprintf(out, "generation,units,threats,pupil,result_weight,later_weight,positions,window,"
                     "samples,seconds,loss,validation,result,score,spread\n");
    fprintf(out, "%d,%d,%d,%d,%g,%g,%.0f,%.0f,%.0f,%.1f,%.6f,%.6f,%.6f,%.6f,%.4f\n",
            task->generation, p->shape.hidden, p->shape.has_threats, p->number,
            stage->result_weight, stage->later_weight, task->positions, window, samples, seconds,
            r->loss, r->validation, r->against_result, r->against_score, r->spread);
    return fclose(out) == 0 || error_set(error, "cannot write %s", path);
}

static bool write_net(const Study *study, Pupil *p, const NetInfo *info, const Net *reference,
                      Error *error)
{
    char path[PATH_SIZE];
    Net *net = pupil_net(p, info, reference, error);
    pupil_path(study, p, "nnue", path);
    if (!net)
        return false;
    net_free(p->newest);
    p->newest = net;
    return net_to_file(net, path, error);
}

const Net *study_net(Study *study, const LearnStage *stage, Error *error)
{
    Pupil *p = pupil_get(study, stage, error);
    if (!p)
        return NULL;
    if (!p->newest) { // random weights, that nobody has written yet
        const StudyTask task = {0};
        const NetInfo info = pupil_info(p, stage, &task, 0);
        p->newest = pupil_net(p, &info, NULL, error);
    }
    return p->newest;
}

bool study_run(Study *study, const LearnStage *stage, const StudyTask *task, Error *error)
{
    Pupil *p = pupil_get(study, stage, error);
    if (!p)
        return false;
    const int64_t begin_ms = clock_ms();
    const uint64_t kept = device_kept(study->device), window = (uint64_t)(stage->window_m * 1e6);
    TrainRequest request = {.window = window,
                            .rate = stage->rate,
                            .end_rate = stage->end_rate,
                            .decay = 0.01,
                            .epsilon = stage->epsilon,
                            .result_weight = stage->result_weight,
                            .later_weight = stage->later_weight,
                            .scale = task->scale};
    TrainReport report = {0};
    if (!measure_speed(study, p, request, error))
        return false;
    double samples = 0, seconds = 0;
    // A state is large: a short course is as soon made anew.
    const int pieces = stage->study_s < SHORT_S ? 1 : PIECES;
    for (int piece = 0; piece < pieces; piece++) {
        // Every piece fills its share of the time that is left.
        const double used_s = (double)(clock_ms() - begin_ms) / 1e3;
        request.samples =
            (uint64_t)(fmax(stage->study_s - used_s, 1) / (pieces - piece) * p->speed);
        request.from = (double)piece / pieces;
        request.to = (double)(piece + 1) / pieces;
        if (!student_run(p->student, &request, &report, error))
            return false;
        samples += (double)request.samples;
        seconds += report.seconds;
        p->speed = (double)request.samples / report.seconds;
        learn_say(
            study->setup,
            "  student %d%s %d: %.1f s, %.2f G samples (%.1f M/s), loss %.6f, validation %.6f "
            "(result %.5f, score %.6f), spread %.3f",
            p->shape.hidden, p->shape.has_threats ? "t" : "", p->number, seconds, samples / 1e9,
            p->speed / 1e6, report.loss, report.validation, report.against_result,
            report.against_score, report.spread);
        if (!state_save(study, p, error))
            return false;
    }
    const NetInfo info = pupil_info(p, stage, task, samples);
    return write_net(study, p, &info, task->reference, error) &&
           log_course(study, p, stage, task, &report,
                      (double)(window && window < kept ? window : kept), samples, seconds, error);
}

// ---- Tests ------------------------------------------------------------------------------------

typedef struct Part {
    const char *name;
    uint64_t from, to;
} Part;

// The part of a gradient that differs, as a share of its length.
static double share_wrong(const float *ours, const double *right, const Part *part)
{
    double wrong = 0, length = 0;
    for (uint64_t i = part->from; i < part->to; i++) {
        wrong += (ours[i] - right[i]) * (ours[i] - right[i]);
        length += right[i] * right[i];
    }
    return length > 0 ? sqrt(wrong / length) : wrong > 0;
}

static bool check_gradient(const LearnSetup *setup, Student *student, const StudentShape *shape,
                           const Net *net, Error *error)
{
    const StudentParts at = student_parts(shape);
    const Part parts[] = {{"men", at.bucketed, at.threat},
                          {"threats", at.threat, at.bias},
                          {"bias", at.bias, at.first},
                          {"first layer", at.first, at.first_bias},
                          {"its bias", at.first_bias, at.second},
                          {"second layer", at.second, at.second_bias},
                          {"its bias", at.second_bias, at.third},
                          {"third layer", at.third, at.third_bias},
                          {"its bias", at.third_bias, at.count}};
    const int batch = shape->batch;
    float *ours = calloc(at.count, sizeof *ours);
    double *right = malloc(at.count * sizeof *right);
    uint16_t(*men)[32] = calloc((size_t)batch, sizeof *men);
    uint32_t *meta = calloc((size_t)batch, sizeof *meta);
    bool ok = ours && right && men && meta &&
              student_gradient(student, 300, 0.25, ours, &men[0][0], meta, error) &&
              student_slow_gradient(net, (const uint16_t(*)[32])men, meta, batch, 300, 0.25, right,
                                    error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++) {
        const double wrong = share_wrong(ours, right, &parts[i]);
        learn_say(setup, "gradient of %d%s, %s: differs by %.4f %%", shape->hidden,
                  shape->has_threats ? "t" : "", parts[i].name, 100 * wrong);
        ok = wrong < 0.01 || error_set(error, "the gradient of the %s is wrong by %.1f %%",
                                       parts[i].name, 100 * wrong);
    }
    free(ours);
    free(right);
    free(men);
    free(meta);
    return ok;
}

// The exported net on the CPU against the trainer's own floats.
static bool check_export(const LearnSetup *setup, Student *student, const Net *net, Error *error)
{
    enum { COUNT = 4096 };
    float *values = calloc(COUNT, sizeof *values);
    uint16_t *men = calloc(COUNT, 32 * sizeof *men);
    uint32_t *meta = calloc(COUNT, sizeof *meta);
    bool ok = values && men && meta && student_predict(student, COUNT, values, men, meta, error);
    const double scale = net->info.multiplier * ((double)NNUE_ONE * NNUE_Q2) / 4294967296.0;
    double sum = 0;
    int wrong = 0;
    for (int i = 0; i < COUNT && ok; i++) {
        Position pos;
        position_of_record(men + i * 32, meta[i], &pos);
        const double off = fabs(values[i] * scale - nnue_evaluate_once(net, &pos) - 0.5);
        sum += off;
        if (off > 3 && wrong++ < 8) {
            char fen[FEN_SIZE];
            position_to_fen(&pos, FEN_XFEN, fen);
            learn_say(setup, "off by %.1f centipawns: %s", off, fen);
        }
    }
    free(values);
    free(men);
    free(meta);
    if (!ok)
        return false;
    learn_say(setup,
              "export of %d%s: trainer and inference differ by %.3f centipawns, %d of %d by "
              "more than 3",
              net->info.hidden, net->threat ? "t" : "", sum / COUNT, wrong, COUNT);
    return (sum / COUNT < 0.5 && wrong * 200 < COUNT) ||
           error_set(error, "trainer and inference disagree");
}

bool study_check(const LearnSetup *setup, Device *device, int hidden, bool has_threats,
                 Error *error)
{
    enum { SMALL = 512 };
    const LearnStage stage = {.rate = 1e-3, .end_rate = 1e-4, .result_weight = 0.2};
    const StudyTask task = {0};
    TrainReport report = {0};
    TrainRequest request = {.samples = 40u << 20,
                            .rate = 1e-3,
                            .end_rate = 1e-4,
                            .decay = 0.01,
                            .result_weight = 0.2,
                            .scale = 300};
    Pupil p = {.shape = shape_of(hidden, has_threats, STUDENT_BATCH)}, small = p;
    p.parts = student_parts(&p.shape);
    small.shape.batch = SMALL;
    p.student = student_new(device, &p.shape, 1, error);
    bool ok = p.student && student_run(p.student, &request, &report, error) &&
              student_run(p.student, &request, &report, error);
    if (ok)
        learn_say(setup, "student of %d%s: %.1f M positions/s, validation %.6f (score %.6f)",
                  hidden, has_threats ? "t" : "", (double)request.samples / report.seconds / 1e6,
                  report.validation, report.against_score);
    const NetInfo info = pupil_info(&p, &stage, &task, 0);
    Net *net = ok ? pupil_net(&p, &info, NULL, error) : NULL;
    float *state = calloc(3 * p.parts.count, sizeof *state);
    uint64_t steps;
    // A small batch is enough for the slow gradient.
    ok = net && state && check_export(setup, p.student, net, error) &&
         student_read_state(p.student, state, &steps, error) &&
         (small.student = student_new(device, &small.shape, 1, error)) &&
         student_write_state(small.student, state, steps, error) &&
         check_gradient(setup, small.student, &small.shape, net, error);
    free(state);
    net_free(net);
    student_free(p.student);
    student_free(small.student);
    return ok;
}
