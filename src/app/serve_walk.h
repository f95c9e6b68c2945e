// The search tree of a small position for the page's class (lab/agents/course.h), as JSON.
#ifndef LOVAC_APP_SERVE_WALK_H
#define LOVAC_APP_SERVE_WALK_H

#include "server/hub.h"

// Walks to the depth asked for, or to the greatest one below it whose tree is small enough.
Walker serve_walk;

#endif
