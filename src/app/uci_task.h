// go perft: counting move sequences beside the reading of commands.
#ifndef LOVAC_APP_UCI_PERFT_H
#define LOVAC_APP_UCI_PERFT_H

#include "app/uci.h"

// Begins to count to the depth that `word` says, or says what is wrong with it.
void uci_perft_go(Uci *uci, const char *word);

// Waits for the end of a count, if any.
void uci_perft_join(Uci *uci);

#endif
