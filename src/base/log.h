// A log: lines with time and level into a stream of the caller's. Safe from several threads.
#ifndef LOVAC_BASE_LOG_H
#define LOVAC_BASE_LOG_H

#include <stdio.h>

typedef enum LogLevel { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG } LogLevel;

typedef struct Log {
    FILE *out;      // NULL: nothing is written
    LogLevel level; // what is less urgent than this is left out
} Log;

// Writes one line: "2026-01-31T12:00:00Z info text". A NULL log writes nothing.
void log_write(const Log *log, LogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
