// The learner's machine in a build without CUDA: there is none. See layers.h.
#include "lab/gpu/layers.h"

#include "lab/gpu/student.h"

#ifndef HAVE_CUDA

#include <stddef.h>

Device *device_new(const DeviceSetup *setup, Error *error)
{
    (void)setup;
    error_set(error, "this build has no CUDA: build it where nvcc is installed (make lab)");
    return NULL;
}

// Without a device none of these can be called with sense; each refuses all the same.
static bool refuse(Error *error)
{
    return error_set(error, "this build has no CUDA");
}

void device_free(Device *device)
{
    (void)device;
}
const char *device_text(const Device *device)
{
    (void)device;
    return "no device";
}
bool device_play(Device *device, const PlayRequest *request, PlayReport *report, Error *error)
{
    (void)device, (void)request, (void)report;
    return refuse(error);
}
bool device_perft(Device *device, const HostBoard *board, int depth, uint64_t *count, Error *error)
{
    (void)device, (void)board, (void)depth, (void)count;
    return refuse(error);
}
uint64_t device_recorded(const Device *device)
{
    (void)device;
    return 0;
}
uint64_t device_kept(const Device *device)
{
    (void)device;
    return 0;
}
bool device_load(Device *device, int set, const uint16_t *men, const uint32_t *meta, uint64_t count,
                 Error *error)
{
    (void)device, (void)set, (void)men, (void)meta, (void)count;
    return refuse(error);
}
bool device_fit_scale(Device *device, double *scale, Error *error)
{
    (void)device, (void)scale;
    return refuse(error);
}
Trainer *trainer_new(Device *device, const TrainerShape *shape, uint64_t seed, Error *error)
{
    (void)device, (void)shape, (void)seed;
    refuse(error);
    return NULL;
}
void trainer_free(Trainer *trainer)
{
    (void)trainer;
}
bool trainer_restart(Trainer *trainer, uint64_t seed, Error *error)
{
    (void)trainer, (void)seed;
    return refuse(error);
}
bool trainer_grow(Trainer *trainer, Trainer *from, uint64_t seed, Error *error)
{
    (void)trainer, (void)from, (void)seed;
    return refuse(error);
}
bool trainer_run(Trainer *trainer, const TrainRequest *request, TrainReport *report, Error *error)
{
    (void)trainer, (void)request, (void)report;
    return refuse(error);
}
uint64_t trainer_size(const Trainer *trainer)
{
    (void)trainer;
    return 0;
}
bool trainer_read(Trainer *trainer, float *parameters, Error *error)
{
    (void)trainer, (void)parameters;
    return refuse(error);
}
bool trainer_read_state(Trainer *trainer, float *state, uint64_t *steps, Error *error)
{
    (void)trainer, (void)state, (void)steps;
    return refuse(error);
}
bool trainer_write_state(Trainer *trainer, const float *state, uint64_t steps, Error *error)
{
    (void)trainer, (void)state, (void)steps;
    return refuse(error);
}
bool trainer_predict(Trainer *trainer, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                     Error *error)
{
    (void)trainer, (void)count, (void)values, (void)men, (void)meta;
    return refuse(error);
}
Student *student_new(Device *device, const StudentShape *shape, uint64_t seed, Error *error)
{
    (void)device, (void)shape, (void)seed;
    refuse(error);
    return NULL;
}
void student_free(Student *student)
{
    (void)student;
}
bool student_run(Student *student, const TrainRequest *request, TrainReport *report, Error *error)
{
    (void)student, (void)request, (void)report;
    return refuse(error);
}
bool student_read(Student *student, float *parameters, Error *error)
{
    (void)student, (void)parameters;
    return refuse(error);
}
bool student_read_state(Student *student, float *state, uint64_t *steps, Error *error)
{
    (void)student, (void)state, (void)steps;
    return refuse(error);
}
bool student_write_state(Student *student, const float *state, uint64_t steps, Error *error)
{
    (void)student, (void)state, (void)steps;
    return refuse(error);
}
bool student_predict(Student *student, uint32_t count, float *values, uint16_t *men, uint32_t *meta,
                     Error *error)
{
    (void)student, (void)count, (void)values, (void)men, (void)meta;
    return refuse(error);
}
bool student_gradient(Student *student, double scale, double result_weight, float *gradient,
                      uint16_t *men, uint32_t *meta, Error *error)
{
    (void)student, (void)scale, (void)result_weight, (void)gradient, (void)men, (void)meta;
    return refuse(error);
}

#endif
