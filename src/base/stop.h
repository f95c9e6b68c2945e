// The flag by which long work is told to end; whoever works looks at it now and then.
#ifndef LOVAC_BASE_STOP_H
#define LOVAC_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

// Has somebody asked for the end? A NULL flag: nobody can.
static inline bool stop_is_set(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

#endif
