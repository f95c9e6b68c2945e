// See uci_perft.h.
#include "app/uci_perft.h"

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
    for (int i = 0; i < count && !atomic_load(&uci->perft.is_stopped); i++) {
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
    Position pos = uci->perft.root;
    Move list[MAX_MOVES];
    int64_t start = clock_ms();
    uint64_t total = 0;
    int count = movegen_legal(&pos, STAGE_ALL, list);
    for (int i = 0; i < count && !atomic_load(&uci->perft.is_stopped); i++) {
        Undo undo;
        char text[MOVE_TEXT_SIZE];
        move_to_uci(&pos, list[i], uci_is_960(uci), text);
        position_make(&pos, list[i], &undo);
        uint64_t nodes = count_below(uci, &pos, uci->perft.depth - 1);
        position_unmake(&pos, list[i], &undo);
        uci_send_line(uci, "%s: %" PRIu64, text, nodes);
        total += nodes;
    }
    int64_t time_ms = clock_ms() - start;
    // Who hears the result may at once give the next command: it must find us ready.
    atomic_store(&uci->perft.is_counting, false);
    uci_send_line(uci, "\nNodes searched: %" PRIu64 "\nTime: %" PRId64 " ms\n", total, time_ms);
}

void uci_perft_go(Uci *uci, const char *word)
{
    int64_t depth;
    Error error;
    if (!words_to_number(word, 0, 64, &depth)) {
        uci_send_error(uci, "go perft needs a depth");
        return;
    }
    if (depth == 0) {
        uci_send_line(uci, "\nNodes searched: 1\n");
        return;
    }
    uci_perft_join(uci);
    uci->perft.root = *engine_position(uci->engine);
    uci->perft.depth = (int)depth;
    atomic_store(&uci->perft.is_stopped, false);
    atomic_store(&uci->perft.is_counting, true);
    uci->perft.has_thread = thread_start(&uci->perft.thread, count_moves, uci, &error);
    if (!uci->perft.has_thread) {
        atomic_store(&uci->perft.is_counting, false);
        uci_send_error(uci, "%s", error.text);
    }
}

void uci_perft_join(Uci *uci)
{
    if (uci->perft.has_thread)
        thread_join(&uci->perft.thread);
    uci->perft.has_thread = false;
}
