// Between a student's floats and a net of integers, and the slow calculation that its trainer on
// the GPU is compared with.
#ifndef LOVAC_LAB_STUDENT_NET_H
#define LOVAC_LAB_STUDENT_NET_H

#include "engine/nnue.h"
#include "lab/gpu/student.h"

// Rounds parameters (in the order of student_parts) to a net; info's shape must be the student's.
Net *net_from_student(const float *parameters, const StudentShape *shape, const NetInfo *info,
                      Error *error);

// The shape of a net with layers.
StudentShape student_shape_of(const NetInfo *info);

// Parameters whose rounding is that net; a place to go on from.
void student_from_net(const Net *net, float *parameters);

// The net's output for a position, in the units of the sigmoid, by the slow way of the gradient.
double student_slow_value(const Net *net, const Position *pos, Error *error);

// The gradient of the mean squared error over positions of self-play records, in double precision,
// straight through all rounding but that of the forward pass: what student_gradient should give.
// `gradient` has student_parts().count places.
bool student_slow_gradient(const Net *net, const uint16_t (*men)[32], const uint32_t *meta,
                           int count, double scale, double result_weight, double *gradient,
                           Error *error);

#endif
