// Which reversible moves lead from one position key to another: for seeing a repetition one move
// ahead.
#ifndef LOVAC_ENGINE_CUCKOO_H
#define LOVAC_ENGINE_CUCKOO_H

#include "core/position.h"

// Fills the tables; safe to call from any thread, any number of times.
void cuckoo_init(void);

// The squares (from | to << 6) of the man whose move changes a key by `difference`, or 0.
unsigned cuckoo_find(Key difference);

#endif
