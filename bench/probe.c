// Measures how fast endgame tables answer: random positions of twenty endings of four men, each
// asked for its result and for its distance; our own tables also for the distance to mate.
//   probe FOLDERS [POSITIONS [OWN-FOLDER]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/random_position.h"
#include "base/clock.h"
#include "tables/own.h"
#include "tables/syzygy.h"

static const char *const ENDINGS[] = {
    "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKP",
    "KNvKP", "KPvKP", "KQRvK", "KQPvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNPvK", "KPPvK",
};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

typedef enum Question {
    SYZYGY_RESULT,
    SYZYGY_DISTANCE,
    OWN_RESULT,
    OWN_ALL, // result, distance, mate
    OWN_MATE,
    QUESTION_COUNT
} Question;

static const char *const NAMES[QUESTION_COUNT] = {"results/s", "distances/s", "own-results/s",
                                                  "own-all/s", "own-mates/s"};

typedef struct Asked {
    Syzygy *syzygy;
    OwnTables *own; // may be NULL
    Position *positions;
    int count;
} Asked;

static bool ask(const Asked *a, Question question, const Position *pos, int *value)
{
    Ending ending = {0};
    bool is_ok = false;
    switch (question) {
    case SYZYGY_RESULT: return syzygy_probe_wdl(a->syzygy, pos, value, NULL);
    case SYZYGY_DISTANCE: return syzygy_probe_dtz(a->syzygy, pos, value, NULL);
    case OWN_RESULT: return own_probe_wdl(a->own, pos, value, NULL);
    case OWN_ALL: is_ok = own_probe(a->own, pos, &ending, NULL); break;
    default: return own_probe_end(a->own, pos, value, NULL);
    }
    *value = ending.zeroing;
    return is_ok;
}

// Asks all, and returns the questions a second by processor time; negative when a table is missing.
static double measure(const Asked *a, Question question)
{
    int64_t begin = clock_thread_ns(), sum = 0;
    for (int i = 0; i < a->count; i++) {
        int value;
        if (!ask(a, question, &a->positions[i], &value))
            return -1;
        sum += value;
    }
    double seconds = (double)(clock_thread_ns() - begin) / 1e9;
    return sum == INT64_MIN ? 0 : a->count / seconds;
}

int main(int argc, char **argv)
{
    Error error = {0};
    Random random;
    Asked a = {.count = argc > 2 ? atoi(argv[2]) : 200000};
    bitboard_init();
    a.syzygy = argc > 1 && a.count > 0 ? syzygy_new(argv[1], &error) : NULL;
    a.own = argc > 3 ? own_open(argv[3], &error) : NULL;
    a.positions = malloc((size_t)a.count * sizeof *a.positions);
    if (!a.syzygy || !a.positions || (argc > 3 && !a.own)) {
        fprintf(stderr, "probe FOLDERS [POSITIONS [OWN-FOLDER]] %s\n", error.text);
        return 1;
    }
    random_init(&random, 1);
    for (int i = 0; i < a.count; i++)
        random_position(&random, ENDINGS[i % ENDING_COUNT], &a.positions[i]);
    for (Question q = 0; q < (a.own ? QUESTION_COUNT : OWN_RESULT); q++) {
        measure(&a, q); // reads what it needs
        printf("%-13s %.0f\n", NAMES[q], measure(&a, q));
    }
    free(a.positions);
    own_close(a.own);
    syzygy_free(a.syzygy);
    return 0;
}
