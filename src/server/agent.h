// A player that the server does not know by itself: an external engine, an agent of the laboratory.
// Whoever starts the server hands in a list of them. Each worker of the thinker opens an agent of
// its own when it first needs it, and calls it from its own thread alone.
#ifndef LOVAC_SERVER_AGENT_H
#define LOVAC_SERVER_AGENT_H

#include "core/game.h"
#include "engine/engine.h"

enum { AGENT_NAME_SIZE = 64, AGENTS_MAX = 64 };

typedef struct AgentClass {
    // Does it play this game? Asked when a room is made.
    bool (*plays)(const void *context, const Rules *rules);
    // Makes one; NULL (with the reason) when it cannot be started.
    void *(*open)(const void *context, Error *error);
    // Before the first move of another game.
    bool (*new_game)(void *agent, const Rules *rules, uint64_t seed, Error *error);
    // The move it plays in the game's position, which has one; MOVE_NONE and the reason when it
    // fails. `score` (for the side to move) stays as it is when it tells none.
    Move (*choose)(void *agent, const Game *game, const SearchLimits *limits, int *score,
                   Error *error);
    void (*close)(void *agent);
} AgentClass;

typedef struct Agent {
    char name[AGENT_NAME_SIZE]; // as people choose it
    const AgentClass *class;
    const void *context; // of the class: what to start
} Agent;

#endif
