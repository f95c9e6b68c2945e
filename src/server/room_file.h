// Rooms on disk: what room_view.h shows and more, as rows of the store.
#ifndef LOVAC_SERVER_ROOM_FILE_H
#define LOVAC_SERVER_ROOM_FILE_H

#include "server/agent.h"
#include "server/room.h"
#include "server/store.h"

// Writes what changed in a room into the store's transaction; with `is_new` all of it.
void room_save(const Room *room, Store *store, bool is_new);

// Brings a room back; NULL (with the reason) when there is none or it cannot be read. `agents`
// are those known now.
Room *room_load(Store *store, const char *id, const Agent *agents, int agent_count,
                int64_t *updated_s, Error *error);

// Index of the agent of that name, or -1.
int agent_find(const Agent *agents, int count, const char *name);

#endif
