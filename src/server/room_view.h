// A room as the browser sees it: the event `room`, whole or in part, and the summary in lists.
#ifndef LOVAC_SERVER_ROOM_VIEW_H
#define LOVAC_SERVER_ROOM_VIEW_H

#include <jansson.h>

#include "server/room.h"

// The event with these fields (FIELD_*; all but `you`), and the changed nodes; with `is_full` all
// nodes. `steps` has room for TREE_DEPTH_MAX.
json_t *room_event(const Room *room, unsigned fields, bool is_full, GameStep *steps);

// The colours of a member, for the field `you`.
json_t *room_view_rights(unsigned rights);

// What a list of rooms tells.
json_t *room_summary(const Room *room, unsigned rights, int64_t updated_s, GameStep *steps);

// PLAYER that is no human, by its text.
json_t *player_view(const char *text);

// PLAYER; with `is_online` for the humans of an event.
json_t *seat_view(const Seat *seat, const bool *is_online);

// The field `result`: null while nothing is decided.
json_t *room_view_result(const Room *room);

#endif
