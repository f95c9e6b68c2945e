// The list of tunables as data.
#include "engine/tunables.h"

#include <stddef.h>

const TunableInfo TUNABLE_INFO[] = {
#define X(name, value, least, greatest) {#name, value, least, greatest},
    TUNABLE_LIST(X)
#undef X
        {NULL, 0, 0, 0},
};

const Tunables TUNABLE_DEFAULTS = {
#define X(name, value, least, greatest) .name = value,
    TUNABLE_LIST(X)
#undef X
};
