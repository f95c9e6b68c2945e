// Rooms on disk: what room_view.h shows and more, as rows of the store.
#ifndef LOVAC_SERVER_ROOM_FILE_H
#define LOVAC_SERVER_ROOM_FILE_H

#include "server/room.h"
#include "server/store.h"

// Writes what changed in a room into the store's transaction; with `is_new` all of it. False when
// there is no memory: then nothing is written, and what is on disk stays whole.
bool room_save(const Room *room, Store *store, bool is_new);

// Brings a room back; NULL (with the reason) when there is none or it cannot be read.
Room *room_load(Store *store, const char *id, int64_t *updated_s, Error *error);

#endif
