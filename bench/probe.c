// Measures how fast endgame tables answer: random positions of all endings of three and four men,
// each asked for its result and for its distance.
//   probe FOLDERS [POSITIONS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/random_position.h"
#include "base/clock.h"
#include "tables/syzygy.h"

static const char *const ENDINGS[] = {
    "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKP",
    "KNvKP", "KPvKP", "KQRvK", "KQPvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNPvK", "KPPvK",
};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

// Asks all, and returns the questions a second by processor time; negative when a table is missing.
static double measure(Syzygy *tables, const Position *positions, int count, SyzygyKind kind)
{
    int64_t begin = clock_thread_ns(), sum = 0;
    for (int i = 0; i < count; i++) {
        int value;
        bool is_ok = kind == SYZYGY_WDL ? syzygy_probe_wdl(tables, &positions[i], &value, NULL)
                                        : syzygy_probe_dtz(tables, &positions[i], &value, NULL);
        if (!is_ok)
            return -1;
        sum += value;
    }
    double seconds = (double)(clock_thread_ns() - begin) / 1e9;
    return sum == INT64_MIN ? 0 : count / seconds;
}

int main(int argc, char **argv)
{
    Error error = {0};
    Random random;
    int count = argc > 2 ? atoi(argv[2]) : 200000;
    bitboard_init();
    Syzygy *tables = argc > 1 && count > 0 ? syzygy_new(argv[1], &error) : NULL;
    Position *positions = malloc((size_t)count * sizeof *positions);
    if (!tables || !positions) {
        fprintf(stderr, "probe FOLDERS [POSITIONS] %s\n", error.text);
        return 1;
    }
    random_init(&random, 1);
    for (int i = 0; i < count; i++)
        random_position(&random, ENDINGS[i % ENDING_COUNT], &positions[i]);
    measure(tables, positions, count, SYZYGY_WDL); // opens the files
    measure(tables, positions, count, SYZYGY_DTZ);
    printf("results/s    %.0f\n", measure(tables, positions, count, SYZYGY_WDL));
    printf("distances/s  %.0f\n", measure(tables, positions, count, SYZYGY_DTZ));
    free(positions);
    syzygy_free(tables);
    return 0;
}
