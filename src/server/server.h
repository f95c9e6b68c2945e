// `lovac serve`: page, WebSocket, rooms, thinking and storage put together. One thread, the
// caller's, runs the event loop and owns all rooms; workers think.
#ifndef LOVAC_SERVER_SERVER_H
#define LOVAC_SERVER_SERVER_H

#include "base/log.h"
#include "play/player_list.h"
#include "server/experiment.h"
#include "server/knowledge.h"

typedef struct Server Server;

enum { SERVER_NAMES_MAX = 16, SERVER_PROXIES_MAX = 8 };

typedef struct ServerConfig {
    const char *version;
    const char *host;                    // address to listen on; "127.0.0.1": this machine only
    int port;                            // 0: any free one
    const char *data;                    // folder of the database
    const char *page;                    // folder of the page's files; NULL: those in the program
    const char *tls_cert, *tls_key;      // both or neither
    const char *names[SERVER_NAMES_MAX]; // under which browsers may ask for us, besides addresses
    int name_count;
    const char *proxies[SERVER_PROXIES_MAX]; // addresses whose X-Forwarded-For is believed
    int proxy_count;
    bool is_private; // libraries apart even when only this machine can connect (behind a proxy)
    const char *password; // without it, or an invitation, nobody is let in; NULL: none is asked for
    int64_t keep_mb;      // what an address may keep in a day; 0: the usual
    int64_t disk_mb;      // what the folder may hold; 0: anything
    int64_t free_mb;      // so much of the disk stays free
    int workers, hash_mb;
    KnowledgePlaces knowledge;     // tables and book
    const PlayerList *players;     // who can be chosen, besides people
    const Experiment *experiments; // of the laboratory page
    Walker *walk;                  // for its class; may be NULL
    int experiment_count;
    const Log *log;
} ServerConfig;

// Does only this machine reach a server on this host?
bool server_is_local(const char *host);

// Opens everything and listens; NULL with the reason when that fails.
Server *server_new(const ServerConfig *config, Error *error);

// The port that it listens on.
int server_port(const Server *server);

// Serves until server_stop.
void server_run(Server *server);

// Ends server_run soon; any thread or signal handler may call it.
void server_stop(Server *server);

void server_free(Server *server);

#endif
