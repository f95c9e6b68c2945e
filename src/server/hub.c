// See hub.h. In the order of the file: the map of rooms, messages to clients, members of rooms,
// clients and their buckets of requests, and turns. A turn settles each room that was marked (it is
// stored and broadcast) and ends with one commit; only then may the transport send. When the commit
// fails all is undone in memory and everybody reconnects. Start at hub_turn.
#include "server/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/play.h"
#include "server/request.h"
#include "server/room_file.h"
#include "server/room_view.h"
#include "server/runs.h"
#include "server/thought.h"

enum {
    FIRST_BUCKETS = 256,
    SWEEP_MS = 5000,
    PARK_MS = 5000, // a page that is loaded anew is back by then
    ROOM_IDLE_MS = 60000,
    CROWDED_IDLE_MS = 1000, // the same when there is no place for others
    MACHINE_IDLE_MS = 600000,
    SLOW_COMMIT_MS = 250,
    CONNECT_COST = 3, // requests
    WEIGH_BYTES = 1 << 18,
    EMPTY_ROOM_S = 7 * 24 * 3600
};

// ---- The map of rooms ----

// FNV-1a; ids are random, so nobody can make them collide.
static unsigned hash_text(const char *text)
{
    unsigned hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

// The chain in which a room of this id would be.
static Room **bucket(const Hub *hub, const char *id)
{
    return &hub->rooms[hash_text(id) & (unsigned)(hub->room_buckets - 1)];
}

// Twice as many chains, when there are more rooms than chains.
static void grow_map(Hub *hub)
{
    int buckets = hub->room_buckets * 2;
    Room **old = hub->rooms, **rooms = calloc((size_t)buckets, sizeof(Room *));
    if (!rooms)
        return; // longer chains, no harm
    int old_buckets = hub->room_buckets;
    hub->rooms = rooms;
    hub->room_buckets = buckets;
    for (int i = 0; i < old_buckets; i++)
        for (Room *room = old[i], *next; room; room = next) {
            next = room->next_in_map;
            Room **at = bucket(hub, room->id);
            room->next_in_map = *at;
            *at = room;
        }
    free(old);
}

// Puts a room that is not there yet into the map.
static void map_add(Hub *hub, Room *room)
{
    if (hub->room_count > hub->room_buckets)
        grow_map(hub);
    Room **at = bucket(hub, room->id);
    room->next_in_map = *at;
    *at = room;
    hub->room_count++;
}

// Puts a room to sleep: out of the map and of memory. Its members are gone or leave.
static void drop_room(Hub *hub, Room *room)
{
    while (room->members)
        hub_leave(room->members);
    thinker_cancel(hub->thinker, room->move_task);
    thinker_cancel(hub->thinker, room->review_task);
    timers_set(&hub->timers, room, 0);
    for (Room **at = &hub->dirty; *at; at = &(*at)->next_dirty)
        if (*at == room) {
            *at = room->next_dirty;
            break;
        }
    Room **at = bucket(hub, room->id);
    while (*at != room)
        at = &(*at)->next_in_map;
    *at = room->next_in_map;
    hub->room_count--;
    room_free(room);
}

Room *hub_find_awake(const Hub *hub, const char *id)
{
    for (Room *room = *bucket(hub, id); room; room = room->next_in_map)
        if (!strcmp(room->id, id))
            return room;
    return NULL;
}

static void sweep(Hub *hub, int64_t now, int64_t rest_ms);

// Is there place for one more? Those that only rest here go first.
static bool has_place(Hub *hub)
{
    if (hub->room_count >= ROOMS_AWAKE_MAX)
        sweep(hub, clock_ms(), CROWDED_IDLE_MS);
    return hub->room_count < ROOMS_AWAKE_MAX;
}

Room *hub_find_room(Hub *hub, const char *id)
{
    if (!secret_is_formed(id))
        return NULL;
    Room *room = hub_find_awake(hub, id);
    if (room)
        return room;
    if (!has_place(hub))
        return NULL;
    Error error;
    int64_t updated;
    room = room_load(hub->store, id, &updated, &error);
    if (!room)
        return NULL;
    map_add(hub, room);
    room->idle_ms = clock_ms();
    room->updated_s = updated;
    play_wake(hub, room);
    hub_mark(hub, room);
    return room;
}

Room *hub_find_key(Hub *hub, const char *key, int *role)
{
    char id[SECRET_SIZE];
    if (!secret_is_formed(key) || !store_find_key(hub->store, key, id))
        return NULL;
    Room *room = hub_find_room(hub, id);
    for (*role = 0; room && *role < KEY_COUNT; ++*role)
        if (!strcmp(room->keys[*role], key))
            return room;
    return NULL;
}

bool hub_add_room(Hub *hub, Room *room)
{
    if (!has_place(hub))
        return false;
    room->idle_ms = clock_ms();
    room->dirty = FIELD_REVIEW;
    if (!room_save(room, hub->store, true))
        return false;
    map_add(hub, room);
    room->dirty = 0; // nobody is here yet to be told
    room->updated_s = room->created_s;
    room->has_new_tree = false;
    hub_mark(hub, room);
    return true;
}

void hub_delete_room(Hub *hub, Room *room)
{
    hub_send_room(room, json_pack("{s:s, s:s}", "event", "gone", "room", room->id));
    store_delete_room(hub->store, room->id);
    drop_room(hub, room);
}

void hub_mark(Hub *hub, Room *room)
{
    if (room->is_listed)
        return;
    room->is_listed = true;
    room->next_dirty = hub->dirty;
    hub->dirty = room;
}

// ---- Messages to clients ----

void message_free(Message *message)
{
    if (--message->users == 0)
        free(message);
}

// One byte string of JSON, wanted by nobody yet.
static Message *message_new(json_t *json)
{
    size_t length = json_dumpb(json, NULL, 0, JSON_COMPACT);
    Message *message = length ? malloc(sizeof *message + MESSAGE_PRE + length) : NULL;
    if (!message)
        return NULL;
    *message = (Message){.length = length};
    json_dumpb(json, (char *)message->bytes + MESSAGE_PRE, length, JSON_COMPACT);
    return message;
}

// The transport has to close this client; until then nothing more is sent to it.
static void drop_client(Client *client)
{
    client->is_dropped = true;
    if (!client->is_listed) {
        client->is_listed = true;
        client->next_listed = client->hub->listed;
        client->hub->listed = client;
    }
}

// Puts a message (NULL: there was no memory) behind those that wait for a client. Who does not
// read, or misses one, is dropped: the page comes back and gets the whole state.
static void enqueue(Client *client, Message *message)
{
    Outbox *box = &client->outbox;
    if (client->is_dropped)
        return;
    if (!message || box->bytes + message->length > OUTBOX_MAX) {
        drop_client(client);
        return;
    }
    if (box->head + box->count == box->capacity) {
        if (box->head) {
            memmove(box->items, box->items + box->head, (size_t)box->count * sizeof *box->items);
            box->head = 0;
        } else {
            int capacity = box->capacity ? box->capacity * 2 : 8;
            Message **items = realloc(box->items, (size_t)capacity * sizeof *items);
            if (!items) {
                drop_client(client);
                return;
            }
            box->items = items;
            box->capacity = capacity;
        }
    }
    message->users++;
    box->items[box->head + box->count++] = message;
    box->bytes += message->length;
    if (!client->is_listed) {
        client->is_listed = true;
        client->next_listed = client->hub->listed;
        client->hub->listed = client;
    }
}

void hub_send(Client *client, json_t *json)
{
    Message *message = message_new(json);
    json_decref(json);
    enqueue(client, message);
    if (message && !message->users)
        free(message);
}

void hub_send_room(Room *room, json_t *json)
{
    Message *message = room->members ? message_new(json) : NULL;
    json_decref(json);
    for (Member *m = room->members; m; m = m->next_in_room)
        enqueue(m->client, message);
    if (message && !message->users)
        free(message);
}

void hub_send_full(Client *client, Room *room)
{
    Member *member = hub_member(client, room);
    json_t *json = room_event(room, FIELD_ALL, true, client->hub->steps);
    json_object_set_new(json, "you", room_view_rights(member ? member->rights : 0));
    hub_send(client, json);
}

// ---- Members ----

Member *hub_member(const Client *client, const Room *room)
{
    for (Member *m = client->members; m; m = m->next_of_client)
        if (m->room == room)
            return m;
    return NULL;
}

Member *hub_enter(Client *client, Room *room, unsigned rights)
{
    Member *m = hub_member(client, room);
    if (!m) {
        if (client->member_count >= ROOMS_OF_CLIENT_MAX ||
            !visitor_has_place(client->visitor, &client->hub->visitors) ||
            !(m = calloc(1, sizeof *m)))
            return NULL;
        *m = (Member){.client = client,
                      .room = room,
                      .next_in_room = room->members,
                      .next_of_client = client->members};
        room->members = client->members = m;
        client->member_count++;
        client->visitor->rooms++;
    }
    m->rights |= rights;
    if (m->rights) {
        room->client = client->id;
        memcpy(room->address, client->address, sizeof room->address);
    }
    room_touch(room, FIELD_WATCHERS | (rights ? (unsigned)FIELD_SEATS : 0u));
    hub_mark(client->hub, room);
    return m;
}

void hub_leave(Member *m)
{
    Room *room = m->room;
    Client *client = m->client;
    Member **at = &room->members;
    while (*at != m)
        at = &(*at)->next_in_room;
    *at = m->next_in_room;
    at = &client->members;
    while (*at != m)
        at = &(*at)->next_of_client;
    *at = m->next_of_client;
    client->member_count--;
    client->visitor->rooms--;
    room_touch(room, FIELD_WATCHERS | (m->rights ? (unsigned)FIELD_SEATS : 0u));
    room->idle_ms = clock_ms();
    hub_mark(client->hub, room);
    free(m);
}

// ---- Clients ----

Client *hub_connect(Hub *hub, void *link, const char *address)
{
    Visitor *visitor = visitors_find(&hub->visitors, address);
    if (!visitor || hub->client_count >= CLIENTS_MAX || !visitor_may_ask(visitor, CONNECT_COST) ||
        !visitor_enter(visitor, &hub->visitors))
        return NULL;
    Client *client = calloc(1, sizeof *client);
    if (!client)
        return visitor_leave(visitor), NULL;
    *client = (Client){.hub = hub,
                       .visitor = visitor,
                       .id = hub->next_client++,
                       .link = link,
                       .requests = REQUEST_BURST,
                       .creations = CREATE_BURST,
                       .refilled_ms = clock_ms(),
                       .next = hub->clients};
    snprintf(client->address, sizeof client->address, "%s", address);
    if (hub->clients)
        hub->clients->previous = client;
    hub->clients = client;
    hub->client_count++;
    return client;
}

void hub_stop_analysis(Client *client)
{
    thinker_cancel(client->hub->thinker, client->analysis.task);
    free(client->analysis.fen);
    client->analysis = (Analysis){0};
}

void hub_disconnect(Client *client)
{
    Hub *hub = client->hub;
    while (client->members)
        hub_leave(client->members);
    hub_stop_analysis(client);
    request_end_import(client);
    thinker_cancel(hub->thinker, client->hint.task);
    for (Client **at = &hub->listed; *at; at = &(*at)->next_listed)
        if (*at == client) {
            *at = client->next_listed;
            break;
        }
    for (int i = 0; i < client->outbox.count; i++)
        message_free(client->outbox.items[client->outbox.head + i]);
    free(client->outbox.items);
    if (client->previous)
        client->previous->next = client->next;
    else
        hub->clients = client->next;
    if (client->next)
        client->next->previous = client->previous;
    hub->client_count--;
    visitor_leave(client->visitor);
    free(client);
}

bool hub_may_create(Client *client)
{
    if (client->creations < 1 ||
        !visitor_may_create(visitors_find(&client->hub->visitors, client->address)))
        return false;
    client->creations--;
    return true;
}

// Takes a request from the buckets of the client and its address, more for a long one; false when
// one is empty.
static bool may_ask(Client *client, size_t length)
{
    int64_t now = clock_ms();
    double cost = 1 + (double)length / REQUEST_BYTES;
    Visitor *visitor = visitors_find(&client->hub->visitors, client->address);
    double seconds = (double)(now - client->refilled_ms) / 1000;
    client->refilled_ms = now;
    client->requests += seconds * REQUESTS_PER_S;
    client->creations += seconds / 2;
    if (client->requests > REQUEST_BURST)
        client->requests = REQUEST_BURST;
    if (client->creations > CREATE_BURST)
        client->creations = CREATE_BURST;
    if (client->requests < 1 || !visitor_may_ask(visitor, cost)) {
        if (++client->refused > REQUEST_BURST)
            drop_client(client);
        return false;
    }
    client->requests -= cost;
    if (client->requests > REQUEST_BURST / 2)
        client->refused = 0;
    return true;
}

void hub_refund(Client *client, size_t bytes)
{
    // In JSON a text is a little longer.
    client->requests += 1 + 1.2 * (double)bytes / REQUEST_BYTES;
    if (client->requests > REQUEST_BURST)
        client->requests = REQUEST_BURST;
    client->visitor->requests += (double)bytes / REQUEST_BYTES;
}

void hub_receive(Client *client, const char *text, size_t length)
{
    if (client->is_dropped)
        return;
    request_handle(client, text, length, may_ask(client, length));
}

// ---- Turns ----

// Broadcasts what changed, with `you` for each where that changed too.
static void publish(Hub *hub, Room *room)
{
    room->version++;
    bool is_personal = room->dirty & FIELD_YOU || room->has_new_tree;
    json_t *json = room_event(room, room->dirty, false, hub->steps);
    if (!is_personal) {
        hub_send_room(room, json);
        return;
    }
    for (Member *m = room->members; m; m = m->next_in_room) {
        json_object_set_new(json, "you", room_view_rights(m->rights));
        hub_send(m->client, json_incref(json));
    }
    json_decref(json);
}

// So much was kept for somebody at this address.
static void charge_disk(Hub *hub, const char *address, size_t bytes)
{
    Visitor *visitor = bytes ? visitors_find(&hub->visitors, address) : NULL;
    if (visitor)
        visitor_keeps(visitor, bytes);
}

// Stores and broadcasts a room's changes. What cannot be stored makes the room bad, and nobody
// hears of it.
static void settle(Hub *hub, Room *room)
{
    bool has_changed = room->dirty & ~(unsigned)FIELD_PASSING || room->changed_count ||
                       room->removed_count || room->has_new_tree;
    size_t before = store_added(hub->store);
    if (has_changed && !room->is_bad)
        room->is_bad = !room_save(room, hub->store, false);
    charge_disk(hub, room->address, store_added(hub->store) - before);
    if (room->is_bad)
        return;
    if (has_changed)
        room->updated_s = (int64_t)time(NULL);
    if (room->dirty && room->members)
        publish(hub, room);
    room->dirty = 0;
    room->changed_count = room->removed_count = 0;
    room->has_new_tree = false;
    if (!timers_set(&hub->timers, room, room_due_ms(room)))
        room->is_bad = true;
}

void hub_settle(Hub *hub)
{
    for (Room *room; (room = hub->dirty);) {
        hub->dirty = room->next_dirty;
        room->is_listed = false;
        play_continue(hub, room);
        settle(hub, room);
        if (room->is_bad) { // out of memory in the middle: what is on disk is whole
            log_write(hub->config.log, LOG_ERROR,
                      "out of memory: a room goes back to what is kept");
            for (Member *m = room->members; m; m = m->next_in_room)
                drop_client(m->client);
            drop_room(hub, room);
        }
    }
}

// The disk refused: nobody may hear of what was not written. Everybody reconnects and sees the last
// state that was.
static void undo_everything(Hub *hub)
{
    for (Client *client = hub->clients; client; client = client->next) {
        Outbox *box = &client->outbox;
        while (box->count)
            message_free(box->items[box->head + --box->count]);
        drop_client(client);
    }
    for (int i = 0; i < hub->room_buckets; i++)
        while (hub->rooms[i])
            drop_room(hub, hub->rooms[i]);
}

// Looks how much space is left, now and then or when much was written, and says when it changes.
static void weigh(Hub *hub, int64_t now)
{
    Error error;
    size_t added = store_added(hub->store);
    if (now - hub->weighed_ms < SWEEP_MS && added - hub->weighed < WEIGH_BYTES)
        return;
    hub->weighed = added;
    hub->weighed_ms = now;
    StoreSpace space = store_space(hub->store, &error);
    if (space != hub->space)
        log_write(hub->config.log, space == SPACE_ENOUGH ? LOG_INFO : LOG_ERROR, "%s",
                  space == SPACE_ENOUGH ? "there is space again" : error.text);
    hub->space = space;
}

// Engines do not play for nobody on a server for strangers, nor for one who has kept enough.
static bool must_pause(Hub *hub, const Room *room, int64_t idle_ms)
{
    if (!room_is_playing(room) || !room_is_machine(room))
        return false;
    const Visitor *visitor = visitors_find(&hub->visitors, room->address);
    return (!hub->config.is_local && idle_ms > MACHINE_IDLE_MS) || hub->space == SPACE_NONE ||
           (visitor && !visitor_may_keep(visitor));
}

// Rooms that nobody looks at and in which nothing goes on leave the memory.
static void sweep(Hub *hub, int64_t now, int64_t rest_ms)
{
    for (int i = 0; i < hub->room_buckets; i++)
        for (Room *room = hub->rooms[i], *next; room; room = next) {
            next = room->next_in_map;
            int64_t idle_ms = room->members ? 0 : now - room->idle_ms;
            if (must_pause(hub, room, idle_ms))
                play_pause(hub, room);
            if (!room_is_attended(room) && room->move_task && idle_ms > PARK_MS)
                play_park(hub, room);
            if (!room->members && !room_due_ms(room) && !room->move_task && !room->is_listed &&
                idle_ms > rest_ms) // a review ends with it
                drop_room(hub, room);
        }
}

void hub_turn(Hub *hub)
{
    int64_t now = clock_ms();
    Error error;
    for (Report *report; (report = thinker_take(hub->thinker)); report_free(report))
        thought_report(hub, report);
    for (Room *room; (room = timers_take(&hub->timers, now));) {
        play_due(hub, room, now);
        hub_mark(hub, room);
    }
    runs_turn(hub->runs, now);
    hub_settle(hub);
    weigh(hub, now);
    int64_t begin = clock_ms();
    hub->has_failed = !store_commit(hub->store, &error);
    if (clock_ms() - begin > SLOW_COMMIT_MS)
        log_write(hub->config.log, LOG_WARNING, "the disk is slow: a commit took %lld ms",
                  (long long)(clock_ms() - begin));
    if (hub->has_failed) {
        log_write(hub->config.log, LOG_ERROR, "%s", error.text);
        undo_everything(hub);
        // Whoever comes back is told, and for a while nothing is tried.
        hub->space = SPACE_NONE;
        hub->weighed = store_added(hub->store);
        hub->weighed_ms = now;
    }
    if (now - hub->swept_ms > SWEEP_MS) {
        hub->swept_ms = now;
        sweep(hub, now, ROOM_IDLE_MS);
        visitors_sweep(&hub->visitors);
    }
}

int64_t hub_next_ms(const Hub *hub)
{
    int64_t first = hub->swept_ms + SWEEP_MS;
    int64_t moments[] = {timers_next(&hub->timers), runs_due_ms(hub->runs)};
    for (int i = 0; i < 2; i++)
        if (moments[i] && moments[i] < first)
            first = moments[i];
    return first;
}

// Notes a room to be woken; waking one while the store lists them would disturb the list.
static void wake(void *context, const char *id)
{
    json_array_append_new(context, json_string(id));
}

bool hub_init(Hub *hub, const HubConfig *config, Store *store, Thinker *thinker, Error *error)
{
    *hub = (Hub){.config = *config,
                 .store = store,
                 .thinker = thinker,
                 .next_client = 1,
                 .room_buckets = FIRST_BUCKETS,
                 .swept_ms = clock_ms()};
    timers_init(&hub->timers);
    hub->rooms = calloc(FIRST_BUCKETS, sizeof(Room *));
    hub->steps = malloc((TREE_DEPTH_MAX + 1) * sizeof *hub->steps);
    hub->moves = malloc((TREE_DEPTH_MAX + 1) * sizeof *hub->moves);
    hub->runs = runs_new(hub);
    bool ok = visitors_init(&hub->visitors, config->is_local, config->keep_mb);
    if (!ok || !hub->rooms || !hub->steps || !hub->moves || !hub->runs) {
        hub_release(hub);
        return error_set(error, "out of memory");
    }
    store_forget_empty(store, EMPTY_ROOM_S);
    json_t *ids = json_array();
    store_each_active(store, wake, ids);
    for (size_t i = 0; i < json_array_size(ids); i++)
        hub_find_room(hub, json_string_value(json_array_get(ids, i)));
    json_decref(ids);
    hub_turn(hub);
    return true;
}

void hub_release(Hub *hub)
{
    while (hub->clients)
        hub_disconnect(hub->clients);
    for (int i = 0; hub->rooms && i < hub->room_buckets; i++)
        while (hub->rooms[i])
            drop_room(hub, hub->rooms[i]);
    timers_release(&hub->timers);
    visitors_release(&hub->visitors);
    if (hub->runs)
        runs_free(hub->runs);
    free(hub->rooms);
    free(hub->steps);
    free(hub->moves);
    *hub = (Hub){0};
}
