// A child process that talks in lines over pipes: started, read with deadlines, and always ended
// and reaped. No chess here; src/play speaks its protocols through it.
#ifndef LOVAC_BASE_PROCESS_H
#define LOVAC_BASE_PROCESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct Process Process;

typedef enum ReadStatus { READ_LINE, READ_TIMEOUT, READ_END, READ_STOPPED } ReadStatus;

// Starts a command ("name arg 'arg with blanks'", found along PATH) in its own process group.
// `folder` may be NULL; what it says on stderr goes to `log_path`, or nowhere when that is NULL. A
// dead reader must not end us, so SIGPIPE is ignored from here on. Once `stop` (may be NULL) is
// true, whatever waits for the process gives up within a tenth of a second.
Process *process_start(const char *command, const char *folder, const char *log_path,
                       const atomic_bool *stop, Error *error);

// Reads one line without its end of line; longer ones are cut to `size`. `deadline_ns` is a time of
// clock_ns; READ_END when the process has closed its output, READ_STOPPED when all is to stop.
ReadStatus process_read_line(Process *process, char *line, size_t size, int64_t deadline_ns);

// Writes text whole before the deadline; false when the process is gone or does not read, or when
// all is to stop.
bool process_write(Process *process, const char *text, int64_t deadline_ns);

// Gives it `grace_ms` to leave by itself once its input is closed, stopped or not, then kills the
// group; frees everything.
void process_free(Process *process, int grace_ms);

#endif
