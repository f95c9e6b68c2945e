// How a program is told to end, and whether there is something to read: what differs between
// systems about the terminal or pipe that we were started from.
#ifndef LOVAC_BASE_CONSOLE_H
#define LOVAC_BASE_CONSOLE_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum ConsoleUse {
    CONSOLE_WORK, // long work: Ctrl-C and SIGTERM raise the flag, and nothing else is disturbed
    CONSOLE_READ  // lines are read: SIGTERM, on a terminal also Ctrl-C (which is ignored elsewhere:
                  // some board programs send it to get attention) end the reading; SIGPIPE is
                  // ignored
} ConsoleUse;

// To be called once, before anything is shown: where the system has to be told (Windows), the
// terminal reads UTF-8 and obeys the sequences that move the cursor and set colours.
void console_begin(void);

// From now on signals do not end the program but raise the flag that is returned.
const atomic_bool *console_catch_signals(ConsoleUse use);

// Is standard input, is standard output a terminal?
bool console_has_terminal_input(void);
bool console_has_terminal_output(void);

// Does the user's system show UTF-8?
bool console_has_utf8(void);

// Has standard input something to read, or come to its end? Waits for it for at most that long.
bool console_wait_for_input(int time_ms);

// Standard input as it comes: the number of bytes, 0 at the end, -1 when a signal came or it
// failed.
long console_read(char *buffer, unsigned size);

#endif
