// The trainer of the shape that the engine ships: products of halves and three layers behind the
// first sums, with or without threat inputs (engine/nnue_features.h, engine/nnue_threats.h). It
// learns from the positions that the small net of layers.h plays on the GPU: the student of that
// player. Implemented by student.cu.
#ifndef LOVAC_LAB_GPU_STUDENT_H
#define LOVAC_LAB_GPU_STUDENT_H

#include "engine/nnue_threats.h"
#include "lab/gpu/layers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Student Student;

enum { STUDENT_BATCH = 32768 }; // the most

typedef struct StudentShape {
    int hidden; // a multiple of 64 up to 1024
    int buckets, batch;
    bool has_threats;
    uint8_t king_bucket[64];
} StudentShape;

// Where the parts begin in a student's parameters, which are floats, 1.0 as in nnue_features.h.
// The weight of a man in a bucket is shared + bucketed.
typedef struct StudentParts {
    uint64_t shared;                   // [768][hidden]
    uint64_t bucketed;                 // [buckets][768][hidden]
    uint64_t threat;                   // [NNUE_THREATS][hidden], or nothing
    uint64_t bias;                     // [hidden]
    uint64_t first, first_bias;        // [hidden][8][16], [8][16]
    uint64_t second, second_bias;      // [32][8][32], [8][32]
    uint64_t third, third_bias, count; // [8][32], [8]; of all
} StudentParts;

static inline StudentParts student_parts(const StudentShape *shape)
{
    const uint64_t h = (uint64_t)shape->hidden, men = NNUE_INPUTS * h;
    StudentParts p;
    p.shared = 0;
    p.bucketed = men;
    p.threat = p.bucketed + (uint64_t)shape->buckets * men;
    p.bias = p.threat + (shape->has_threats ? NNUE_THREATS * h : 0);
    p.first = p.bias + h;
    p.first_bias = p.first + h * NNUE_OUTPUTS * NNUE_L1;
    p.second = p.first_bias + NNUE_OUTPUTS * NNUE_L1;
    p.second_bias = p.second + 2 * NNUE_L1 * NNUE_OUTPUTS * NNUE_L2;
    p.third = p.second_bias + NNUE_OUTPUTS * NNUE_L2;
    p.third_bias = p.third + NNUE_OUTPUTS * NNUE_L2;
    p.count = p.third_bias + NNUE_OUTPUTS;
    return p;
}

// A student with random weights.
Student *student_new(Device *device, const StudentShape *shape, uint64_t seed, Error *error);
void student_free(Student *student);

// As the functions of the trainer in layers.h.
bool student_run(Student *student, const TrainRequest *request, TrainReport *report, Error *error);
bool student_read(Student *student, float *parameters, Error *error);
bool student_read_state(Student *student, float *state, uint64_t *steps, Error *error);
bool student_write_state(Student *student, const float *state, uint64_t steps, Error *error);
bool student_predict(Student *student, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                     Error *error);

// The gradient of the mean error over the newest `batch` positions, in the order of the parameters
// (the shared part is left out), and the positions: to compare with a slow calculation. `scale` and
// `result_weight` as in TrainRequest.
bool student_gradient(Student *student, double scale, double result_weight, float *gradient,
                      uint16_t *men, uint32_t *meta, Error *error);

#ifdef __cplusplus
}
#endif
#endif
