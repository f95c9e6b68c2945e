// The course of a game in a room: moves, clocks, engines' turns, ends, offers, rematches. Functions
// change the room and say what changed; the hub stores and broadcasts it. They return false with an
// error code of the protocol in `error->text` up to the first blank, then a text for people.
#ifndef LOVAC_SERVER_PLAY_H
#define LOVAC_SERVER_PLAY_H

#include "server/hub.h"

// Plays a legal move in the live position; the new node's id, or NODE_NONE.
int play_move(Hub *hub, Room *room, Move move, Error *error);

// Ends the game. `reason` is a code of the protocol.
void play_end(Hub *hub, Room *room, Result result, const char *reason);

// Ends it by the rules: a resignation or a flag is a draw when the other side cannot win.
void play_declare(Hub *hub, Room *room, Reason reason, Color loser);

// Takes back so many half-moves; the nodes go.
void play_take_back(Hub *hub, Room *room, int plies);

// Lets the game go on from a node; the old line stays.
void play_go_to(Hub *hub, Room *room, int node);

// Stops and starts the clock and the engines.
void play_pause(Hub *hub, Room *room);
void play_resume(Hub *hub, Room *room);

// Everybody has left: the engine stops thinking, its clock stands, and it goes on when somebody
// comes.
void play_park(Hub *hub, Room *room);

// The players change colours, with their keys; `members` too.
void play_swap(Hub *hub, Room *room);

// The seats have changed: what an engine was thinking about is no longer wanted.
void play_seats_changed(Hub *hub, Room *room);

// Puts the finished game aside and begins the next one.
bool play_next_game(Hub *hub, Room *room, bool swap, Error *error);

// Does the engine that plays this colour agree to a draw?
bool play_accepts_draw(const Hub *hub, const Room *room, Color c);

// The outcome by the rules in the live position, and what can be claimed there.
Outcome play_outcome(const Hub *hub, const Room *room, Reason *claim);

// Whatever should happen now by itself and does not yet: an engine's turn, a clock. Harmless to
// call.
void play_continue(Hub *hub, Room *room);

// A room came back from the store.
void play_wake(Hub *hub, Room *room);

// A moment has come for which the room has waited.
void play_due(Hub *hub, Room *room, int64_t now_ms);

// A report on the move that an engine is to play.
void play_report(Hub *hub, Room *room, const Report *report);

#endif
