// The students of a learning run: nets of the shape that the engine ships, trained on the positions
// that the player's games leave on the GPU. A run may have several, told apart by their shape and a
// number. Each has two files in the run's folder: student-384t.nnue (t: with threats; the second of
// that shape student-384t-2.nnue), the newest net, and student-384t.state, from which it goes on.
// Private to the learner (learn.h).
#ifndef LOVAC_LAB_STUDY_H
#define LOVAC_LAB_STUDY_H

#include "engine/nnue.h"
#include "lab/gpu/student.h"
#include "lab/learn.h"
#include "lab/learn_plan.h"

typedef struct Study Study;

Study *study_new(const LearnSetup *setup, Device *device, Error *error);
void study_free(Study *study);

// What a course of study begins with.
typedef struct StudyTask {
    int generation;
    double positions;     // own positions ever
    double scale;         // as in TrainRequest
    const Net *reference; // the net whose centipawns the student's are made equal to
} StudyTask;

// Trains the student of a stage for the stage's time and writes it. A student that is new begins
// from its files, else from setup->student if the shapes agree, else from random weights.
bool study_run(Study *study, const LearnStage *stage, const StudyTask *task, Error *error);

// The newest net of a stage's student, to play with; the study keeps it. NULL, with the reason,
// when the student cannot be had.
const Net *study_net(Study *study, const LearnStage *stage, Error *error);

// Tests and measures the trainer of a shape on the positions that the device has: gradient, export,
// speed. False when something is wrong.
bool study_check(const LearnSetup *setup, Device *device, int hidden, bool has_threats,
                 Error *error);

#endif
