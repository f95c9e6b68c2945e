// Lines from standard input, whatever bytes they are made of: for programs that are driven through
// a pipe.
#ifndef LOVAC_APP_LINE_INPUT_H
#define LOVAC_APP_LINE_INPUT_H

#include <stdbool.h>

typedef struct LineInput LineInput;

// Begins to read. From now on SIGTERM (on a terminal also SIGINT, which is ignored elsewhere) ends
// the input, and SIGPIPE is ignored. NULL without memory.
LineInput *line_input_new(void);
void line_input_free(LineInput *input);

// The next line without its end, valid until the next call, or NULL when there is none. NULs in it
// become spaces. A line beyond 64 MiB comes empty, with *is_cut set.
char *line_input_read(LineInput *input, bool *is_cut);

// Is there something to read, or the end? Waits for it for at most that long.
bool line_input_wait(LineInput *input, int time_ms);

// Has a signal ended the input?
bool line_input_is_interrupted(const LineInput *input);

#endif
