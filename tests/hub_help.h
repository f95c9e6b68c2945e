// A hub without sockets, for tests and the fuzz target: messages go in as text, answers come out as
// JSON.
#ifndef LOVAC_TESTS_HUB_HELP_H
#define LOVAC_TESTS_HUB_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/hub.h"
#include "server/view.h"

typedef struct HubBed {
    char folder[64];
    Store *store;
    Thinker *thinker;
    Hub hub;
} HubBed;

static inline void bed_wake(void *context)
{
    (void)context;
}

// A hub on what is in the bed's folder; false when it cannot be had.
static inline bool bed_start(HubBed *bed, const HubConfig *config)
{
    ThinkerConfig thinker = {
        .workers = 1, .hash_mb = 1, .knowledge = {.book = "none"}, .wake = bed_wake};
    Error error;
    return (bed->store = store_open(bed->folder, &error)) &&
           (bed->thinker = thinker_new(&thinker, &error)) &&
           hub_init(&bed->hub, config, bed->store, bed->thinker, &error);
}

// The same in a fresh folder of its own.
static inline bool bed_open_as(HubBed *bed, const HubConfig *config)
{
    strcpy(bed->folder, "/tmp/lovac-hub-XXXXXX");
    return mkdtemp(bed->folder) && bed_start(bed, config);
}

static inline bool bed_open(HubBed *bed)
{
    HubConfig config = {.version = "test", .is_local = true};
    return bed_open_as(bed, &config);
}

// Ends the hub; what it kept stays in the folder.
static inline void bed_end(HubBed *bed)
{
    thinker_stop(bed->thinker);
    hub_release(&bed->hub);
    thinker_free(bed->thinker);
    store_close(bed->store);
}

static inline void bed_close(HubBed *bed)
{
    static const char *const FILES[] = {"lovac.db", "lovac.db-wal", "lovac.db-shm", "lock"};
    bed_end(bed);
    for (int i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", bed->folder, FILES[i]);
        unlink(path);
    }
    rmdir(bed->folder);
}

// The next message that waits for a client, or NULL; the caller frees it. What is sent must be
// JSON.
static inline json_t *bed_take(Client *client)
{
    Outbox *box = &client->outbox;
    if (!box->count)
        return NULL;
    Message *message = box->items[box->head++];
    box->count--;
    box->bytes -= message->length;
    json_t *json = json_loadb((const char *)message->bytes + MESSAGE_PRE, message->length, 0, NULL);
    message_free(message);
    if (!json)
        abort();
    return json;
}

// Says something and gives back the answer; events before it are thrown away.
static inline json_t *bed_ask(Client *client, const char *text)
{
    client->requests = REQUEST_BURST;
    client->creations = CREATE_BURST;
    client->visitor->requests = VISITOR_REQUESTS;
    client->visitor->creations = VISITOR_CREATIONS;
    hub_receive(client, text, strlen(text));
    hub_turn(client->hub);
    for (json_t *json; (json = bed_take(client)); json_decref(json))
        if (!json_object_get(json, "event"))
            return json;
    return NULL;
}

#endif
