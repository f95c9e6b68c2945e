// Private to src/engine and its tests: a look inside an Engine.
#ifndef LOVAC_ENGINE_ENGINE_INT_H
#define LOVAC_ENGINE_ENGINE_INT_H

#include "engine/hash.h"

// The engine's hash table; only while it does not think.
HashTable *engine_hash(Engine *engine);

#endif
