// The lines of a UCI conversation in the order in which they are obeyed. A command that needs an
// idle engine waits for a search that ends by itself; while it waits isready, stop and quit are
// heard ahead of their turn, and all else is kept.
#ifndef LOVAC_APP_UCI_INPUT_H
#define LOVAC_APP_UCI_INPUT_H

#include "app/uci.h"

typedef struct UciInput UciInput;

// Reads standard input, or `lines`, so many, instead of it. NULL without memory.
UciInput *uci_input_new(Uci *uci, char **lines, int count);
void uci_input_free(UciInput *input);

// The next line to obey, valid until the next call; NULL at the end, after quit, or after a signal.
char *uci_input_next(UciInput *input);

// Waits after the last line for what ends by itself, and stops the rest: an endless search, and
// after quit or a signal any other; a count in a pipe is let finish even then, for a part of it is
// worth nothing.
void uci_input_finish(UciInput *input);

#endif
