// Time that never jumps: the monotonic clock, for measuring and for thinking time.
#ifndef LOVAC_BASE_CLOCK_H
#define LOVAC_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

// Nanoseconds since some fixed moment in the past.
int64_t clock_ns(void);

// The same in milliseconds.
int64_t clock_ms(void);

// Nanoseconds of processor time that this thread has used: for measuring on a busy machine.
int64_t clock_thread_ns(void);

// This moment in universal time, as strftime writes it; empty when it does not fit.
void clock_format(char *text, size_t size, const char *format);

// Today's date as PGN writes it, 2026.01.31, in universal time.
enum { DATE_SIZE = 16 };
void clock_date(char text[DATE_SIZE]);

// Sleeps at least that long; returns at once for zero or less.
void clock_sleep_ms(int64_t time_ms);

#endif
