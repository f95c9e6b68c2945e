// The middle of the server: all rooms that are awake and all clients, on the event loop's thread.
// It knows nothing of sockets: the transport (web.h) feeds it messages and takes what is to be
// sent. Requests are in request.h; what changes by them is stored and broadcast by hub_turn, which
// the transport calls after each turn of the loop, before it sends anything.
#ifndef LOVAC_SERVER_HUB_H
#define LOVAC_SERVER_HUB_H

#include <jansson.h>

#include "base/log.h"
#include "server/knowledge.h"
#include "server/room.h"
#include "server/runner.h"
#include "server/store.h"
#include "server/thinker.h"
#include "server/timers.h"
#include "server/visitors.h"

enum {
    MESSAGE_MAX = 1 << 20, // bytes from a browser
    OUTBOX_MAX = 16 << 20, // bytes that may wait for a client that does not read
    CLIENTS_MAX = 8000,
    ROOMS_AWAKE_MAX = 20000,
    ROOMS_OF_CLIENT_MAX = 64,
    MACHINE_ROOMS_MAX = 32,    // games between engines that go on at a time
    LIBRARY_MAX = 20000,       // games of an owner
    LIBRARY_OWN_MAX = 2000000, // of the one library on the own machine
    REQUEST_BURST = 120,
    REQUESTS_PER_S = 12,
    REQUEST_BYTES = 16384, // so many bytes count as one request more
    CREATE_BURST = 40,     // then one every two seconds
};

// Bytes on their way to clients, shared by those who get the same.
typedef struct Message {
    int users;
    size_t length;
    unsigned char bytes[]; // MESSAGE_PRE free bytes first, for the transport
} Message;

enum { MESSAGE_PRE = 32 };

typedef struct Outbox {
    Message **items;
    int head, count, capacity;
    size_t bytes;
} Outbox;

typedef struct Analysis {
    uint64_t task; // 0: none
    char room[SECRET_SIZE];
    int node;
    char *fen; // as it was sent, instead of a room
    bool is_threat;
    Position root;
} Analysis;

typedef struct Hint {
    uint64_t task;
    json_int_t request;
    bool has_request;
    Position root;
} Hint;

struct Client {
    struct Hub *hub;
    uint64_t id;
    void *link; // the transport's
    char address[ADDRESS_SIZE];
    Visitor *visitor; // the account of that address
    Member *members;
    int member_count;
    bool has_greeted;
    char owner[SECRET_SIZE];
    double requests, creations; // what is left of its buckets
    int64_t refilled_ms;
    int refused; // requests beyond the limit
    Analysis analysis;
    Hint hint;
    struct Import *import; // that goes on, or NULL; see request.h
    Outbox outbox;
    bool is_in_lab;  // hears of runs
    bool is_dropped; // the transport has to close it
    bool is_listed;  // has something to send that the transport does not know yet
    Client *next, *previous, *next_listed;
};

typedef struct HubConfig {
    const char *version;
    const PlayerList *players;     // who can be chosen; NULL: the kinds of src/play
    const Experiment *experiments; // of the laboratory page; none without a runner
    int experiment_count;
    Runner *runner;         // NULL: no laboratory
    Walker *walk;           // draws search trees; NULL: nobody does
    const char *lab_folder; // where runs keep what they need to go on; NULL: nowhere
    Knowledge knowledge;    // stays the caller's
    bool is_local;          // only this machine can connect: one library for all
    const char *host;       // on which it listens; NULL: nobody is told (a name leads to it)
    int64_t keep_mb;        // what an address may keep in a day; 0: the usual
    const char *password;   // NULL: none is asked for
    const Log *log;
} HubConfig;

typedef struct Hub {
    HubConfig config;
    Store *store;
    Thinker *thinker;
    Timers timers;
    struct Runs *runs; // see runs.h
    Client *clients, *listed;
    Visitors visitors;
    int client_count;
    int import_count; // that go on
    uint64_t next_client;
    Room **rooms; // hash map by id
    int room_count, room_buckets;
    Room *dirty;
    int64_t swept_ms;
    GameStep *steps; // scratch for one line
    Move *moves;     // the same
    bool has_failed; // the last commit did
    StoreSpace space;
    size_t weighed; // store_added when that was looked at
    int64_t weighed_ms;
} Hub;

// A hub on an open store and thinker, which stay the caller's. Wakes rooms in which something must
// go on.
bool hub_init(Hub *hub, const HubConfig *config, Store *store, Thinker *thinker, Error *error);
void hub_release(Hub *hub);

// A client came, said something (any bytes), went. NULL when there are too many, in all or from
// this address ("" or 127.0.0.1: any number).
Client *hub_connect(Hub *hub, void *link, const char *address);
void hub_receive(Client *client, const char *text, size_t length);
void hub_disconnect(Client *client);

// The end of a turn: reports of the thinker and rooms that are due are seen to, everything is
// stored, and the clients with something to send are in hub->listed.
void hub_turn(Hub *hub);

// When hub_turn wants to be called again without any message, in clock_ms; 0: never.
int64_t hub_next_ms(const Hub *hub);

// ---- For requests and play ----

// A room by id, awake or from the store; NULL when there is none.
Room *hub_find_room(Hub *hub, const char *id);

// The same for rooms that are awake alone.
Room *hub_find_awake(const Hub *hub, const char *id);

// The room of a key; `role` gets KEY_*.
Room *hub_find_key(Hub *hub, const char *key, int *role);

// May this client make a room, or whatever else is rare? It is taken from what its address has.
bool hub_may_create(Client *client);

// Takes a new room over and stores it; false when there are too many, or no memory.
bool hub_add_room(Hub *hub, Room *room);

// Deletes a room for good.
void hub_delete_room(Hub *hub, Room *room);

// Says that a room may have changed: it is seen to at the end of the turn.
void hub_mark(Hub *hub, Room *room);

// Broadcasts and stores (but does not commit) all changes so far: before a request is answered.
void hub_settle(Hub *hub);

// The place of a client in a room, or NULL.
Member *hub_member(const Client *client, const Room *room);

// Puts a client into a room, or adds rights; NULL when it is in too many.
Member *hub_enter(Client *client, Room *room, unsigned rights);
void hub_leave(Member *member);

// Sends JSON to a client, or to everybody in a room. The reference is taken over.
void hub_send(Client *client, json_t *json);
void hub_send_room(Room *room, json_t *json);

// Sends a room as a whole.
void hub_send_full(Client *client, Room *room);

// Gives a client back what a message with so many bytes of text took from its bucket.
void hub_refund(Client *client, size_t bytes);

// Stops what the engine does for a client.
void hub_stop_analysis(Client *client);

void message_free(Message *message);

#endif
