// See error.h.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(Error *error, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return false;
}
