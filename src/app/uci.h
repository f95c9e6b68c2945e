// The state of a conversation in UCI, shared by the files that speak it: cmd_uci.c does what the
// lines say, uci_input.c reads them, uci_output.c writes, uci_go.c starts searches, uci_task.c
// counts moves, uci_options.c sets.
#ifndef LOVAC_APP_UCI_H
#define LOVAC_APP_UCI_H

#include "base/thread.h"
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdio.h>

// go perft or bench, in a thread of its own.
typedef struct UciTask {
    Thread thread;
    bool has_thread;
    bool is_count; // perft
    atomic_bool is_running, is_stopped;
    Position root;
    int depth; // of bench 0: the usual one
} UciTask;

typedef struct Uci {
    Engine *engine;
    const Rules *rules;
    bool chess960, show_wdl;
    bool stop_sent;                 // stop has been asked for the search under way
    bool is_infinite, is_pondering; // that search does not end by itself
    atomic_bool has_erred;          // an error line was sent
    Mutex output;
    FILE *log; // under `output`
    UciTask task;
} Uci;

#endif
