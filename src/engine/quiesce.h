// Quiescence: what stands below the horizon of the tree search.
#ifndef LOVAC_ENGINE_QUIESCE_H
#define LOVAC_ENGINE_QUIESCE_H

#include "engine/search.h"

// Captures only (in check: all moves), until nothing hangs.
int quiesce(Worker *worker, Node *node, int alpha, int beta);

#endif
