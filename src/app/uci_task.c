// See uci_task.h.
#include "app/uci_task.h"

#include "app/bench.h"
#include "app/uci_output.h"
#include "app/words.h"
#include "base/clock.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"

#include <inttypes.h>

// Counts so that `stop` is heard: only short counts go on undisturbed.
static uint64_t count_below(Uci *uci, Position *pos, int depth)
{
    enum { SHORT = 4 };
    if (depth <= SHORT)
        return depth ? perft(pos, depth) : 1;
    Move list[MAX_MOVES];
    uint64_t nodes = 0;
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count && !atomic_load(&uci->task.is_stopped); i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        nodes += count_below(uci, pos, depth - 1);
        position_unmake(pos, list[i], &undo);
    }
    return nodes;
}

static void count_moves(void *context)
{
    Uci *uci = context;
    Position pos = uci->task.root;
    Move list[MAX_MOVES];
    int64_t start = clock_ms();
    uint64_t total = 0;
    int count = movegen_legal(&pos, STAGE_ALL, list);
    for (int i = 0; i < count && !atomic_load(&uci->task.is_stopped); i++) {
        Undo undo;
        char text[MOVE_TEXT_SIZE];
        move_to_uci(&pos, list[i], uci_is_960(uci), text);
        position_make(&pos, list[i], &undo);
        uint64_t nodes = count_below(uci, &pos, uci->task.depth - 1);
        position_unmake(&pos, list[i], &undo);
        uci_send_line(uci, "%s: %" PRIu64, text, nodes);
        total += nodes;
    }
    int64_t time_ms = clock_ms() - start;
    // Who hears the result may at once give the next command: it must find us ready.
    atomic_store(&uci->task.is_running, false);
    if (atomic_load(&uci->task.is_stopped)) // a part of the count would look like all of it
        uci_send_line(uci, "info string stopped: %" PRIu64 " nodes are not the whole count", total);
    else
        uci_send_line(uci, "\nNodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\n", total, time_ms);
}

static void run_bench(void *context)
{
    Uci *uci = context;
    BenchSettings settings = bench_default_settings();
    settings.stop = &uci->task.is_stopped;
    if (uci->task.depth)
        settings.depth = uci->task.depth;
    BenchResult result;
    Error error;
    bool ok = bench_run(&settings, &result, &error);
    atomic_store(&uci->task.is_running, false);
    if (!ok)
        uci_send_error(uci, "%s", error.text);
    else if (atomic_load(&uci->task.is_stopped))
        uci_send_line(uci, "info string bench stopped");
    else
        uci_send_line(uci,
                      "Nodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\nNodes/second: %" PRIu64,
                      result.nodes, result.time_ms,
                      result.nodes * 1000 / (uint64_t)(result.time_ms > 0 ? result.time_ms : 1));
}

static void begin(Uci *uci, void (*run)(void *), int64_t depth)
{
    Error error;
    uci_task_join(uci);
    uci->task.root = *engine_position(uci->engine);
    uci->task.depth = (int)depth;
    uci->task.is_count = run == count_moves;
    atomic_store(&uci->task.is_stopped, false);
    atomic_store(&uci->task.is_running, true);
    uci->task.has_thread = thread_start(&uci->task.thread, run, uci, &error);
    if (!uci->task.has_thread) {
        atomic_store(&uci->task.is_running, false);
        uci_send_error(uci, "%s", error.text);
    }
}

void uci_task_perft(Uci *uci, const char *word)
{
    int64_t depth;
    if (!words_to_number(word, 0, 64, &depth))
        uci_send_error(uci, "go perft needs a depth");
    else if (depth == 0)
        uci_send_line(uci, "\nNodes searched: 1\n");
    else
        begin(uci, count_moves, depth);
}

void uci_task_bench(Uci *uci, const char *word)
{
    int64_t depth = 0;
    if (word && !words_to_number(word, 1, MAX_PLY - 1, &depth))
        uci_send_error(uci, "bench: '%.40s' is no depth", word);
    else
        begin(uci, run_bench, depth);
}

bool uci_task_is_running(const Uci *uci)
{
    return atomic_load(&uci->task.is_running) && !atomic_load(&uci->task.is_stopped);
}

void uci_task_join(Uci *uci)
{
    if (uci->task.has_thread)
        thread_join(&uci->task.thread);
    uci->task.has_thread = false;
}
