// HTTP and WebSocket of the server, over libwebsockets: serves the assets, checks who asks (Host,
// Origin), and carries messages between browsers and the hub.
#ifndef LOVAC_SERVER_WEB_H
#define LOVAC_SERVER_WEB_H

#include "server/assets.h"
#include "server/hub.h"
#include "server/server.h"

typedef struct Web Web;

// Listens; NULL with the reason when it cannot. Hub and assets stay the caller's; the hub may be
// set later, before web_turn.
Web *web_new(const ServerConfig *config, const Assets *assets, Error *error);
void web_free(Web *web);
void web_set_hub(Web *web, Hub *hub);
int web_port(const Web *web);

// One turn of the event loop: waits for something to happen, sees to it, sends what is to be sent.
void web_turn(Web *web);

// Wakes a web_turn that waits; from any thread or signal handler.
void web_wake(Web *web);

// Is this the name of a host that browsers may ask us by? `host` as in the header, with or without
// port. With `is_local` only names of this machine are.
bool web_host_is_known(const char *host, bool is_local, const char *const *names, int name_count);

// Who it is that connects: `peer`, or where that is one of the proxies the last address of
// `forwarded` (the header X-Forwarded-For) that is none. Of an address of IPv6 the network counts.
void web_visitor(const char *peer, const char *forwarded, const char *const *proxies,
                 int proxy_count, char address[ADDRESS_SIZE]);

#endif
