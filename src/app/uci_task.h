// go perft and bench: work beside the reading of commands, so that isready, stop and quit are
// heard.
#ifndef LOVAC_APP_UCI_TASK_H
#define LOVAC_APP_UCI_TASK_H

#include "app/uci.h"

// Begins to count to the depth that `word` says, or says what is wrong with it.
void uci_task_perft(Uci *uci, const char *word);

// Begins to search the positions of `lovac bench`, to the depth that `word` says if there is one.
void uci_task_bench(Uci *uci, const char *word);

// Is one under way that nobody has told to stop?
bool uci_task_is_running(const Uci *uci);

// Waits for the end of it, if any.
void uci_task_join(Uci *uci);

#endif
