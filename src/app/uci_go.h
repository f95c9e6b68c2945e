// From `go` and its words to a search, and `stop`.
#ifndef LOVAC_APP_UCI_GO_H
#define LOVAC_APP_UCI_GO_H

#include "app/uci.h"
#include "app/words.h"

// Is a search or a count under way that nobody has told to stop? Would it end without?
bool uci_is_busy(const Uci *uci);
bool uci_ends_by_itself(const Uci *uci);

// True, with an error line, while a search is under way that nobody has told to stop.
bool uci_refuse_if_busy(Uci *uci, const char *command);

// Starts what the words behind `go` ask for.
void uci_go(Uci *uci, Words *words);

// Ends the search or the count under way, if any.
void uci_stop(Uci *uci);

// The move that was pondered on has been played: from now on the clock runs.
void uci_ponderhit(Uci *uci);

#endif
