// See server.h: opens the parts (page, store, web, thinker, runner, hub), turns the loop until it
// is told to stop, and closes them in the opposite order. All else is in the parts; start at
// web_turn for what happens in the loop.
#include "server/server.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/web.h"

struct Server {
    ServerConfig config;
    Assets assets;
    Web *web;
    Store *store;
    Thinker *thinker;
    Runner *runner;
    Knowledge knowledge;
    Hub hub;
    bool has_hub;
    char *lab_folder;
    atomic_bool is_stopping;
};

// Called by threads of the thinker and the runner: the loop has to turn.
static void wake(void *context)
{
    web_wake(((Server *)context)->web);
}

bool server_is_local(const char *host)
{
    return web_host_is_known(host, true, NULL, 0);
}

// Opens the parts in the order in which they need each other; server_free closes those that are
// open.
static bool open_all(Server *s, Error *error)
{
    const ServerConfig *c = &s->config;
    ThinkerConfig thinker = {.workers = c->workers,
                             .hash_mb = c->hash_mb,
                             .players = c->players,
                             .knowledge = c->knowledge,
                             .wake = wake,
                             .context = s};
    if (asprintf(&s->lab_folder, "%s/lab", c->data) < 0)
        return s->lab_folder = NULL, error_set(error, "out of memory");
    HubConfig hub = {.version = c->version,
                     .players = c->players,
                     .experiments = c->experiments,
                     .experiment_count = c->experiment_count,
                     .keep_mb = c->keep_mb,
                     .password = c->password,
                     .is_local = server_is_local(c->host) && !c->is_private && !c->proxy_count,
                     .host = c->name_count ? NULL : c->host,
                     .log = c->log};
    if (!knowledge_open(&s->knowledge, &c->knowledge, error) ||
        !assets_init(&s->assets, c->page, error) || !(s->store = store_open(c->data, error)) ||
        !(s->web = web_new(c, &s->assets, error)) || !(s->thinker = thinker_new(&thinker, error)) ||
        !(s->runner = runner_new(wake, s, error)))
        return false;
    if (c->disk_mb)
        store_set_bounds(s->store, c->disk_mb << 20, c->free_mb << 20);
    hub.runner = s->runner;
    hub.knowledge = s->knowledge;
    hub.lab_folder = s->lab_folder;
    hub.walk = c->walk;
    if (!hub_init(&s->hub, &hub, s->store, s->thinker, error))
        return false;
    s->has_hub = true;
    web_set_hub(s->web, &s->hub);
    return true;
}

Server *server_new(const ServerConfig *config, Error *error)
{
    Server *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, "out of memory"), NULL;
    s->config = *config;
    if (open_all(s, error))
        return s;
    server_free(s);
    return NULL;
}

int server_port(const Server *s)
{
    return web_port(s->web);
}

void server_run(Server *s)
{
    while (!atomic_load(&s->is_stopping))
        web_turn(s->web);
}

void server_stop(Server *s)
{
    atomic_store(&s->is_stopping, true);
    web_wake(s->web);
}

void server_free(Server *s)
{
    if (s->thinker)
        thinker_stop(s->thinker); // it would wake the web
    if (s->runner)
        runner_stop(s->runner); // the same
    if (s->web)
        web_free(s->web);
    if (s->has_hub)
        hub_release(&s->hub);
    if (s->thinker)
        thinker_free(s->thinker);
    if (s->runner)
        runner_free(s->runner);
    if (s->store)
        store_close(s->store);
    assets_release(&s->assets);
    knowledge_close(&s->knowledge);
    free(s->lab_folder);
    free(s);
}
