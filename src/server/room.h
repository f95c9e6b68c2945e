// A room: one game (or analysis) with its seats, clocks and tree of moves. This file is the state
// and its small truths; play.h moves it on, room_view.h shows it, room_file.h keeps it. Everything
// happens on the event loop's thread. Whoever changes a room says which fields changed
// (room_touch); the hub then stores and broadcasts them in one go.
#ifndef LOVAC_SERVER_ROOM_H
#define LOVAC_SERVER_ROOM_H

#include <jansson.h>
#include <stddef.h>

#include "play/player.h"
#include "server/secret.h"
#include "server/shares.h"
#include "server/tree.h"

enum { NAME_SIZE = PLAYER_TEXT_SIZE, REASON_SIZE = 24, START_SIZE = 24, OLD_GAMES_MAX = 1000 };

typedef enum SeatKind { SEAT_HUMAN, SEAT_PLAYER } SeatKind;

typedef struct Seat {
    SeatKind kind;
    char name[NAME_SIZE]; // of a human; else the text that a player is found by (player_list.h)
    bool is_remote;       // a human who comes by the link
    bool has_come;        // such a human has been here
    int64_t move_ms;      // thinking time without a clock
} Seat;

typedef enum ClockKind { CLOCK_NONE, CLOCK_GAME, CLOCK_MOVE } ClockKind;

typedef struct RoomClock {
    ClockKind kind;
    int64_t time_ms[2], increment_ms[2]; // each side has its own
    int64_t left_ms[2];
    int64_t since_ms; // when the side to move's clock began to run (clock_ms); 0: it stands
} RoomClock;

enum { KEY_WHITE, KEY_BLACK, KEY_WATCH, KEY_COUNT };

// What changed; see room_view.h.
enum {
    FIELD_SETUP = 1,
    FIELD_SEATS = 2,
    FIELD_YOU = 4,
    FIELD_STATE = 8,
    FIELD_POSITION = 16,
    FIELD_CLOCK = 32,
    FIELD_RESULT = 64,
    FIELD_OFFERS = 128,
    FIELD_MATCH = 256,
    FIELD_SPEED = 512,
    FIELD_WATCHERS = 1024,
    FIELD_REVIEW = 2048,
    FIELD_ALL = 4095,
    // Of these only the event tells; they are not stored.
    FIELD_PASSING = FIELD_YOU | FIELD_WATCHERS,
};

typedef struct OldGame {
    char white[64], black[64];
    char reason[REASON_SIZE];
    Result result;
    int plies;
    bool is_swapped; // White of it was Black of the first game
} OldGame;

typedef struct Client Client;

// A client's place in a room; in the lists of both.
typedef struct Member {
    Client *client;
    struct Room *room;
    unsigned rights; // bit c: plays colour c
    struct Member *next_in_room, *next_of_client;
} Member;

typedef struct Room {
    char id[SECRET_SIZE], keys[KEY_COUNT][SECRET_SIZE];
    bool is_analysis;
    char start[START_SIZE]; // number of the start position, or ""
    bool has_random_start;  // nobody chose it: the next game gets another one
    Seat seats[2];
    json_t *tags; // of the PGN from which an analysis was made: names and values; NULL: from none
    RoomClock clock;
    Tree tree;
    int live;    // node where the game stands
    int touched; // node last touched, in an analysis

    bool is_paused;
    bool is_over;
    Result result; // RESULT_NONE also for aborted games
    char reason[REASON_SIZE];

    int draw_by, takeback_by, takeback_plies, rematch_by; // colours; -1: nobody
    bool rematch_swaps;

    int series_games; // 0: no series
    bool series_alternates;
    bool is_swapped; // White of now was Black of the first game
    int64_t speed_ms;
    bool no_book; // engines do not play from the opening book
    OldGame *old;
    int old_count;

    char *review; // JSON, or NULL
    uint64_t review_task, move_task;
    int review_node;   // the end of the reviewed line
    int failures;      // of a player in this position
    PlayerGame own[2]; // what each side's player remembers of the game

    Move pending; // an engine's move that waits for its moment
    int64_t pending_ms;
    int64_t next_game_ms; // of a series
    int64_t turn_ms;      // when the side to move got the move

    uint64_t version;
    unsigned dirty;
    int *changed, changed_count, changed_capacity; // nodes
    int *removed, removed_count, removed_capacity;
    bool has_new_tree; // all nodes are new
    int64_t created_s, updated_s, idle_ms;

    Member *members;
    char address[ADDRESS_SIZE]; // whose share its engines use: of the player who came last
    uint64_t client;
    struct Room *next_dirty, *next_in_map;
    bool is_listed; // among the dirty ones
    bool is_bad;    // its changes could not be written: it must go
    int timer;      // place in the timers' heap; -1: none
} Room;

// A room of a start position, with fresh id and keys; NULL when memory or random bytes run out.
Room *room_new(const Position *start);
void room_free(Room *room);

// Says that fields changed, that a node changed or that nodes are gone.
void room_touch(Room *room, unsigned fields);
void room_touch_node(Room *room, int id);
void room_remove_nodes(Room *room, const int *ids, int count);

// Replaces the tree by a new one, which the room takes over.
void room_set_tree(Room *room, Tree *tree);

// The side to move in the live position.
Color room_turn(const Room *room);

bool seat_is_human(const Seat *seat);

// The level of Lovac that a player's text means ("level=5"), or 0.
int level_of_text(const char *text);

// Are both seats engines?
bool room_is_machine(const Room *room);

// Should an engine think for it: is anybody here to see, or do engines play among themselves?
bool room_is_attended(const Room *room);

// Is a game going on (neither over nor paused nor an analysis)?
bool room_is_playing(const Room *room);

// Does a remote human still have to come?
bool room_is_waiting(const Room *room);

// Is there a human player whose colour is not in `rights`? One who never came does not count.
bool room_has_other_human(const Room *room, unsigned rights);

// What the players' seats are called.
void seat_title(const Seat *seat, char *text, size_t size);

// ---- Clocks ----

// Time left, also of a running clock.
int64_t room_left_ms(const Room *room, Color c, int64_t now_ms);

// Lets the clock of the side to move run, if the game's state says so; stops it.
void room_start_clock(Room *room, int64_t now_ms);
void room_stop_clock(Room *room, int64_t now_ms);

// Both clocks as at the beginning.
void room_reset_clock(Room *room);

// The sides change their times and increments, as they do their colours.
void room_swap_clock(Room *room);

// Have both sides the same time?
static inline bool room_clock_is_common(const RoomClock *clock)
{
    return clock->time_ms[WHITE] == clock->time_ms[BLACK] &&
           clock->increment_ms[WHITE] == clock->increment_ms[BLACK];
}

// The next moment at which something happens by itself, or 0.
int64_t room_due_ms(const Room *room);

#endif
