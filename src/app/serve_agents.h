// Players that the server gets from the laboratory: simple movers, and the external engines of a
// configuration file.
#ifndef LOVAC_APP_SERVE_AGENTS_H
#define LOVAC_APP_SERVE_AGENTS_H

#include "lab/player.h"
#include "server/agent.h"

// One entry: how to make the player, and which games it plays.
typedef struct ServeAgent {
    PlayerSpec spec;
    bool plays[VARIANT_COUNT];
} ServeAgent;

typedef struct ServeAgents {
    Agent list[AGENTS_MAX];
    ServeAgent *entries;
    int count;
} ServeAgents;

// The players that come with the program and, after them, those of a file: lines
// `NAME: DESCRIPTION` or `NAME [VARIANT, ...]: DESCRIPTION`, with the description as for `lovac
// match`; # begins a comment. Errors name the line. `path` may be NULL.
bool serve_agents_init(ServeAgents *agents, const char *path, Error *error);
void serve_agents_release(ServeAgents *agents);

#endif
