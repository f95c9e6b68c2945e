// The state of a conversation in UCI, shared by the files that speak it: cmd_uci.c reads the lines,
// uci_output.c writes, uci_go.c starts searches, uci_perft.c counts moves, uci_options.c sets.
#ifndef LOVAC_APP_UCI_H
#define LOVAC_APP_UCI_H

#include "base/thread.h"
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdio.h>

// go perft, in a thread of its own.
typedef struct UciPerft {
    Thread thread;
    bool has_thread;
    atomic_bool is_counting, is_stopped;
    Position root;
    int depth;
} UciPerft;

typedef struct Uci {
    Engine *engine;
    const Rules *rules;
    bool chess960, show_wdl;
    bool stop_sent; // stop has been asked for the search under way
    Mutex output;
    FILE *log; // under `output`
    UciPerft perft;
} Uci;

#endif
