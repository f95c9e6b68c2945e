// The handlers of requests, by the file in which they are; private to src/server. Each does what
// docs/protocol.md says of the word in its name.
#ifndef LOVAC_SERVER_REQUEST_INT_H
#define LOVAC_SERVER_REQUEST_INT_H

#include "core/pgn.h"
#include "server/request.h"

// request_room.c
RequestHandler request_hello;
RequestHandler request_ping;
RequestHandler request_create;
RequestHandler request_join;
RequestHandler request_leave;
RequestHandler request_sync;
RequestHandler request_rooms;
RequestHandler request_forget;

// request_play.c
RequestHandler request_move;
RequestHandler request_why;
RequestHandler request_takeback;
RequestHandler request_draw;
RequestHandler request_resign;
RequestHandler request_abort;
RequestHandler request_pause;
RequestHandler request_resume;
RequestHandler request_rematch;
RequestHandler request_switch;
RequestHandler request_seats;
RequestHandler request_goto;
RequestHandler request_speed;
RequestHandler request_analysis;

// request_tree.c
RequestHandler request_show;
RequestHandler request_annotate;
RequestHandler request_promote;
RequestHandler request_demote;
RequestHandler request_cut;
RequestHandler request_line;
RequestHandler request_peek;

// request_think.c
RequestHandler request_hint;
RequestHandler request_analyse;
RequestHandler request_review;

// request_known.c
RequestHandler request_known;
RequestHandler request_course;

// request_library.c
RequestHandler request_save;
RequestHandler request_library;
RequestHandler request_unsave;
RequestHandler request_export;
RequestHandler request_check;
RequestHandler request_start;

// request_import.c
RequestHandler request_import;

// request_lab.c
RequestHandler request_lab;
RequestHandler request_run;
RequestHandler request_continue;
RequestHandler request_walk;
RequestHandler request_look;
RequestHandler request_halt;

// Reads PLAYER `name` of a request into a seat, for a game of these rules; without it the seat
// stays. request_room.c
bool request_seat(Request *r, const char *name, const Rules *rules, Seat *seat);

// Reads a PLAYER that is no human into the text that it is found by; `where` names it in errors,
// `rules` is the game it must play, if that is known. request_room.c
bool request_player(Request *r, const char *where, const json_t *json, const Rules *rules,
                    char text[NAME_SIZE]);

// The start position that variant, fen and start of a request mean; `number` gets the number as
// text, or "". request_room.c
bool request_position(Request *r, Position *pos, char number[START_SIZE]);

// The tags of a game that a room keeps as they are: all but the players, who have seats, and what
// the position and the result tell by themselves. NULL when there is no memory. request_import.c
json_t *request_tags(const PgnGame *game);

// A tag's value as people may see it; "" when it is missing or "?". request_import.c
void request_tag(const PgnGame *game, const char *name, int letters, char *out, size_t size);

// The threads and the memory that somebody may ask for in an analysis, and whether a player of the
// list can be asked for one. request_room.c
enum { ANALYSIS_HASH_MAX = 4096, ANALYSIS_HASH_STRANGER = 64 };
int request_threads_max(const Request *r);
int request_hash_max(const Request *r);
bool request_is_analyst(const Request *r, const char *name);

// May this browser have help in the position behind these moves? Refuses if it stands, or stood, in
// a game that it plays against a person just now, or comes by a move. request_think.c
bool request_may_help(Request *r, const Position *start, const Move *moves, int count);

// Who owns the library of this client. request_library.c
const char *request_owner(const Request *r);

// How many more games fit into that library. request_library.c
int64_t request_library_free(const Request *r);

#endif
