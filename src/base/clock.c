// See clock.h.
#include "base/clock.h"

#include <errno.h>
#include <time.h>

static int64_t read_ns(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_thread_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_ms(void)
{
    return clock_ns() / 1000000;
}

void clock_format(char *text, size_t size, const char *format)
{
    time_t now = time(NULL);
    struct tm utc;
#ifdef _WIN32
    gmtime_s(&utc, &now);
#else
    gmtime_r(&now, &utc);
#endif
    if (!strftime(text, size, format, &utc))
        text[0] = 0;
}

void clock_date(char text[DATE_SIZE])
{
    clock_format(text, DATE_SIZE, "%Y.%m.%d");
}

void clock_sleep_ms(int64_t time_ms)
{
    if (time_ms <= 0)
        return;
    struct timespec left = {.tv_sec = (time_t)(time_ms / 1000),
                            .tv_nsec = (long)(time_ms % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue; // a signal woke us: sleep the rest
}
