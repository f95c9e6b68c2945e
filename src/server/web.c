// See web.h. HTTP, WebSocket and TLS are libwebsockets'; here is who may ask (host and origin),
// what is answered, and the way between connections and the hub's clients. Nothing of chess and
// nothing of rooms. Start at on_event, which gets everything, and web_turn, which is one turn of
// the loop.
#include "server/web.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <libwebsockets.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

enum {
    HEADER_SECONDS = 10, // to send a request's headers
    BODY_SECONDS = 20,   // for a client to take the next part of a file
    KEEP_SECONDS = 20,   // an idle HTTP connection
    PING_SECONDS = 30,
    HANGUP_SECONDS = 75,
    CLOSE_SECONDS = 5, // for a client that is dropped to hear of it
    FAREWELL_US = 200000,
    FRAGMENTS_MAX = 4096,
    MASK_BYTES = 4,
    CHUNK = 16384,
    DESCRIPTORS_MAX = 10000,
    DESCRIPTORS_SPARE = 64, // for the database, engines and the like
    URI_MAX = 1024,
    FORWARDED_MAX = 512,
};

static_assert(MESSAGE_PRE >= LWS_PRE, "lws writes its header before the message");

struct Web {
    struct lws_context *context;
    struct lws_vhost *vhost;
    const Assets *assets;
    Hub *hub;
    bool is_local, is_tls;
    const ServerConfig *config;
    lws_sorted_usec_list_t timer;
    Visitor *arriving; // whose connection is being accepted
};

// What libwebsockets keeps for each connection.
typedef struct Session {
    Client *client; // of a WebSocket
    char address[ADDRESS_SIZE];
    char *text; // a message that is still coming
    size_t length, capacity;
    int fragments;
    size_t frame_length;  // of the frame that is coming, so far
    uint64_t frame_bytes; // what all frames so far have on the way, being masked
    uint64_t read_before; // bytes of the connection before the first frame
    unsigned short close_code;
    const unsigned char *body; // of an HTTP answer, what is left to send
    size_t left;
    bool is_last;     // the connection ends with it
    bool is_embedded; // the page that may stand inside others
} Session;

// ---- Who asks ----

// Is this host a name of this machine itself?
static bool is_loopback(const char *name)
{
    return !strcmp(name, "localhost") || !strcmp(name, "[::1]") || !strcmp(name, "::1") ||
           !strncmp(name, "127.", 4);
}

// Is this host made of numbers?
static bool is_address(const char *name)
{
    struct in_addr v4;
    return name[0] == '[' || inet_pton(AF_INET, name, &v4) == 1;
}

bool web_host_is_known(const char *host, bool is_local, const char *const *names, int name_count)
{
    char name[256];
    if (strlen(host) >= sizeof name)
        return false;
    strcpy(name, host);
    char *port = strrchr(name, ':');
    if (port && !strchr(port, ']'))
        *port = 0;
    for (int i = 0; i < name_count; i++)
        if (str_same_word(name, names[i]))
            return true;
    if (!strncmp(name, "127.", 4) && !is_address(name)) // 127.0.0.1.example.org
        return false;
    // A name of our own address that somebody else made is how pages of strangers reach us; an
    // address cannot be made up.
    return is_loopback(name) || (!is_local && is_address(name));
}

// A header as text; false when it is missing, too long or has a 0 in it.
static bool read_header(struct lws *wsi, enum lws_token_indexes token, char *text, int size)
{
    text[0] = 0;
    int length = lws_hdr_total_length(wsi, token);
    if (length <= 0 || length >= size || lws_hdr_copy(wsi, text, size, token) <= 0)
        return false;
    return strlen(text) == (size_t)length; // no 0 in the middle
}

// Host must be ours; Origin, where a browser sends one, must be the host itself.
static bool is_trusted(const Web *web, struct lws *wsi)
{
    char host[256], origin[300];
    if (!read_header(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
        !web_host_is_known(host, web->is_local, web->config->names, web->config->name_count))
        return false;
    if (!lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN))
        return true;
    if (!read_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin))
        return false;
    const char *slashes = strstr(origin, "://");
    return slashes && str_same_word(slashes + 3, host);
}

static bool is_proxy(const char *address, const char *const *proxies, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(address, proxies[i]))
            return true;
    return false;
}

// An address as one writes it: who has a network of IPv6 has all of its addresses.
static void plain_address(const char *text, char address[ADDRESS_SIZE])
{
    struct in6_addr v6;
    char network[INET6_ADDRSTRLEN] = "";
    if (inet_pton(AF_INET6, text, &v6) != 1) {
        snprintf(address, ADDRESS_SIZE, "%s", text);
    } else if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        inet_ntop(AF_INET, &v6.s6_addr[12], address, ADDRESS_SIZE);
    } else {
        memset(&v6.s6_addr[8], 0, 8);
        inet_ntop(AF_INET6, &v6, network, sizeof network);
        snprintf(address, ADDRESS_SIZE, "%.40s/64", network);
    }
}

void web_visitor(const char *peer, const char *forwarded, const char *const *proxies, int count,
                 char address[ADDRESS_SIZE])
{
    char list[FORWARDED_MAX];
    const char *last = peer;
    snprintf(list, sizeof list, "%s", forwarded);
    while (is_proxy(last, proxies, count) && *list) {
        char *comma = strrchr(list, ',');
        char *word = comma ? comma + 1 : list;
        word += strspn(word, " \t");
        word[strcspn(word, " \t")] = 0;
        last = word;
        if (!comma)
            break;
        *comma = 0;
    }
    plain_address(last, address);
}

// ---- HTTP ----

typedef struct Headers {
    struct lws *wsi;
    unsigned char *at, *end;
    bool is_bad;
} Headers;

// One header of an answer; what does not fit is noticed at the end.
static void add_header(Headers *h, const char *name, const char *value)
{
    h->is_bad = h->is_bad || lws_add_http_header_by_name(h->wsi, (const unsigned char *)name,
                                                         (const unsigned char *)value,
                                                         (int)strlen(value), &h->at, h->end);
}

// What browsers may do with the page: nothing but what it does itself. Only the game that is there
// to be embedded may stand in the page of another.
static void add_security(Headers *h, const char *host, bool is_embedded)
{
    char policy[1024];
    // Old browsers do not count a WebSocket to the same host as 'self'.
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self'; "
             "img-src 'self' data: blob:; font-src 'self'; media-src 'self'; "
             "connect-src 'self' ws://%s wss://%s; worker-src 'self'; manifest-src 'self'; "
             "base-uri 'none'; form-action 'none'; frame-ancestors %s",
             host, host, is_embedded ? "*" : "'none'");
    add_header(h, "content-security-policy:", policy);
    add_header(h, "x-content-type-options:", "nosniff");
    if (!is_embedded)
        add_header(h, "x-frame-options:", "DENY");
    add_header(h, "referrer-policy:", "no-referrer");
    add_header(h, "cross-origin-opener-policy:", "same-origin");
    add_header(h, "cross-origin-resource-policy:", "same-origin");
}

// Answers with a status, headers and a body that is sent as the connection takes it.
static int respond(struct lws *wsi, Session *s, unsigned status, const Asset *asset,
                   const char *encoding, const unsigned char *body, size_t size, bool has_body)
{
    unsigned char buffer[LWS_PRE + 4096];
    char host[256];
    Headers h = {wsi, buffer + LWS_PRE, buffer + sizeof buffer - 1, false};
    unsigned char *begin = h.at;
    // Only harmless letters go into our own headers.
    if (!read_header(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
        strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]_") !=
            strlen(host))
        strcpy(host, "localhost");
    if (lws_add_http_header_status(wsi, status, &h.at, h.end))
        return -1;
    add_header(&h, "content-type:", asset ? asset->type : "text/plain; charset=utf-8");
    add_security(&h, host, s->is_embedded);
    if (s->is_last)
        add_header(&h, "connection:", "close");
    if (asset) {
        add_header(&h, "etag:", asset->tag);
        add_header(&h, "cache-control:",
                   asset->is_lasting ? "public, max-age=31536000, immutable" : "no-cache");
        add_header(&h, "vary:", "accept-encoding");
    } else {
        add_header(&h, "cache-control:", "no-store");
    }
    if (encoding)
        add_header(&h, "content-encoding:", encoding);
    if (h.is_bad || lws_add_http_header_content_length(wsi, size, &h.at, h.end) ||
        lws_finalize_write_http_header(wsi, begin, &h.at, h.end))
        return -1;
    if (!has_body || !size)
        return s->is_last || lws_http_transaction_completed(wsi) ? -1 : 0;
    s->body = body;
    s->left = size;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, BODY_SECONDS);
    lws_callback_on_writable(wsi);
    return 0;
}

// Answers with a plain text.
static int refuse(struct lws *wsi, Session *s, unsigned status, const char *text)
{
    return respond(wsi, s, status, NULL, NULL, (const unsigned char *)text, strlen(text), true);
}

// Sends a file of the page, packed if the browser takes that; nothing when it has it already.
static int send_asset(struct lws *wsi, Session *s, const Asset *a, bool is_head)
{
    char accepted[256], known[64];
    const unsigned char *body = a->bytes;
    const char *encoding = NULL;
    size_t size = a->size;
    if (read_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, known, sizeof known) &&
        strstr(known, a->tag))
        return respond(wsi, s, HTTP_STATUS_NOT_MODIFIED, a, NULL, NULL, 0, false);
    read_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepted, sizeof accepted);
    if (a->brotli && strstr(accepted, "br"))
        encoding = "br", body = a->brotli, size = a->brotli_size;
    else if (a->gzip && strstr(accepted, "gzip"))
        encoding = "gzip", body = a->gzip, size = a->gzip_size;
    return respond(wsi, s, HTTP_STATUS_OK, a, encoding, body, size, !is_head);
}

// Does a request bring a body along? Ours never do.
static bool brings_body(struct lws *wsi)
{
    char length[32];
    bool is_read = read_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
           (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 &&
            (!is_read || strcmp(length, "0")));
}

// A request for a file.
static int on_http(Web *web, struct lws *wsi, Session *s, const char *path)
{
    bool is_head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    s->is_last = brings_body(wsi); // it must not be taken for the next request
    if (!is_trusted(web, wsi))
        return refuse(wsi, s, HTTP_STATUS_FORBIDDEN, "This name or origin is not served here.\n");
    if (!is_head && !lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI))
        return refuse(wsi, s, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
    if (s->is_last)
        return refuse(wsi, s, HTTP_STATUS_BAD_REQUEST, "A request here has no body.\n");
    if (strlen(path) > URI_MAX)
        return refuse(wsi, s, HTTP_STATUS_REQ_URI_TOO_LONG, "Too long.\n");
    if (!strcmp(path, "/health"))
        return refuse(wsi, s, HTTP_STATUS_OK, "ok\n");
    s->is_embedded = !strcmp(path, "/embed");
    const Asset *a = assets_find(web->assets, s->is_embedded ? "/" : path);
    return a ? send_asset(wsi, s, a, is_head)
             : refuse(wsi, s, HTTP_STATUS_NOT_FOUND, "There is no such file.\n");
}

// The connection takes more: the next piece of the file.
static int on_http_writable(struct lws *wsi, Session *s)
{
    unsigned char buffer[LWS_PRE + CHUNK];
    if (!s->left)
        return 0;
    size_t part = s->left < CHUNK ? s->left : CHUNK;
    memcpy(buffer + LWS_PRE, s->body, part);
    bool is_last = part == s->left;
    if (lws_write(wsi, buffer + LWS_PRE, part, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) !=
        (int)part)
        return -1;
    s->body += part;
    s->left -= part;
    if (!is_last) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, BODY_SECONDS);
        lws_callback_on_writable(wsi);
        return 0;
    }
    return s->is_last || lws_http_transaction_completed(wsi) ? -1 : 0;
}

// ---- WebSocket ----

// Says why, and closes.
static int close_with(struct lws *wsi, unsigned short code, const char *text)
{
    unsigned char reason[64];
    size_t length = strlen(text);
    memcpy(reason, text, length);
    lws_close_reason(wsi, (enum lws_close_status)code, reason, length);
    return -1;
}

// Room for a message of so many bytes.
static bool reserve(Session *s, size_t size)
{
    if (size <= s->capacity)
        return true;
    size_t capacity = size < 512 ? 512 : size * 2;
    char *text = realloc(s->text, capacity);
    if (!text)
        return false;
    s->text = text;
    s->capacity = capacity;
    return true;
}

// The message has been heard.
static void forget_text(Session *s)
{
    s->length = 0;
    s->fragments = 0;
    if (s->capacity > 8192) { // large messages are rare: do not keep the room
        free(s->text);
        s->text = NULL;
        s->capacity = 0;
    }
}

// Bytes that have come over a connection; false when nobody knows.
static bool bytes_come(int fd, uint64_t *bytes)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) ||
        size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received)
        return false;
    *bytes = info.tcpi_bytes_received;
    return true;
}

// Bytes of it that the library has read; while more come it may seem fewer, or with `at_least` not
// fewer but more.
static bool bytes_read(struct lws *wsi, bool at_least, uint64_t *bytes)
{
    int fd = lws_get_socket_fd(wsi), waiting = 0;
    bool ok = at_least ? !ioctl(fd, SIOCINQ, &waiting) && bytes_come(fd, bytes)
                       : bytes_come(fd, bytes) && !ioctl(fd, SIOCINQ, &waiting);
    if (ok)
        *bytes -= (uint64_t)waiting;
    return ok;
}

// Browsers mask what they send, and who does not must go; but the library does not look. A masked
// frame has four bytes more than a bare one: fewer than all frames together must have been read
// means that some were bare. (Over TLS there are always more.)
static bool is_masked(struct lws *wsi, Session *s, size_t length)
{
    s->frame_length += length;
    if (lws_remaining_packet_payload(wsi))
        return true;
    size_t head = s->frame_length < 126 ? 2 : s->frame_length < 65536 ? 4 : 10;
    s->frame_bytes += head + MASK_BYTES + s->frame_length;
    s->frame_length = 0;
    uint64_t read;
    return !bytes_read(wsi, true, &read) || read - s->read_before >= s->frame_bytes;
}

// A piece of a message; the last one hands it to the hub.
static int on_receive(struct lws *wsi, Session *s, const void *in, size_t length)
{
    if (!is_masked(wsi, s, length))
        return close_with(wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, "not masked");
    if (lws_frame_is_binary(wsi))
        return close_with(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    if (s->length + length > MESSAGE_MAX || ++s->fragments > FRAGMENTS_MAX)
        return close_with(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "too large");
    if (!reserve(s, s->length + length + 1))
        return close_with(wsi, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "out of memory");
    if (length)
        memcpy(s->text + s->length, in, length);
    s->length += length;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi))
        return 0;
    hub_receive(s->client, s->text, s->length);
    forget_text(s);
    return 0;
}

// The connection takes more: what waits for the client, as long as it does.
static int on_ws_writable(Web *web, struct lws *wsi, Session *s)
{
    Client *client = s->client;
    // Whatever waits may have been said in this turn: first it must be on disk.
    if (store_is_dirty(web->hub->store))
        hub_turn(web->hub);
    Outbox *box = &client->outbox;
    while (box->count && !lws_send_pipe_choked(wsi)) {
        Message *message = box->items[box->head++];
        box->count--;
        box->bytes -= message->length;
        int sent = lws_write(wsi, message->bytes + MESSAGE_PRE, message->length, LWS_WRITE_TEXT);
        bool ok = sent >= (int)message->length;
        message_free(message);
        if (!ok)
            return -1;
    }
    if (box->count) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    box->head = 0;
    return 0;
}

// A client that was dropped has had a moment to send what was under way: with unread bytes the
// system would cut the connection and it would not hear why.
static int on_farewell(const Web *web, struct lws *wsi, const Session *s)
{
    if (!s->client || !s->client->is_dropped)
        return 0;
    return close_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION,
                      web->hub->has_failed ? "storage failed" : "too much");
}

// Browsers of our page may upgrade, at /ws alone.
static int on_upgrade(const Web *web, struct lws *wsi)
{
    char path[8];
    unsigned status =
        !is_trusted(web, wsi) ? HTTP_STATUS_FORBIDDEN
        : brings_body(wsi)    ? HTTP_STATUS_BAD_REQUEST
        : !read_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || strcmp(path, "/ws")
            ? HTTP_STATUS_NOT_FOUND
            : 0;
    if (!status)
        return 0;
    return lws_return_http_status(wsi, status, NULL) ? -1 : 1;
}

// Notes who asks for a WebSocket, while the headers are still there.
static int on_filter(const Web *web, struct lws *wsi, Session *s)
{
    char peer[48] = "", forwarded[FORWARDED_MAX];
    if (!is_trusted(web, wsi))
        return -1;
    lws_get_peer_simple(wsi, peer, sizeof peer);
    bool is_read = read_header(wsi, WSI_TOKEN_X_FORWARDED_FOR, forwarded, sizeof forwarded);
    if (!is_read && lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0)
        strcpy(forwarded, "?"); // whoever makes it unreadable is not the proxy itself
    web_visitor(peer, forwarded, web->config->proxies, web->config->proxy_count, s->address);
    return 0;
}

// Somebody connects: so many at a time from an address, however little they say. From a proxy
// everybody comes.
static int on_arrival(Web *web, int fd)
{
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof peer;
    char address[INET_ADDRSTRLEN] = "";
    web->arriving = NULL;
    if (!web->hub || getpeername(fd, (struct sockaddr *)&peer, &size) ||
        !inet_ntop(AF_INET, &peer.sin_addr, address, sizeof address) ||
        is_proxy(address, web->config->proxies, web->config->proxy_count))
        return 0;
    Visitor *visitor = visitors_find(&web->hub->visitors, address);
    if (visitor && !visitor_connects(visitor, &web->hub->visitors))
        return -1;
    web->arriving = visitor;
    return 0;
}

// It has been let in, and belongs to the one who has just arrived.
static void on_connect(Web *web, struct lws *wsi)
{
    lws_set_opaque_user_data(wsi, web->arriving);
    web->arriving = NULL;
}

// A connection is over, whatever it was.
static void on_gone(struct lws *wsi)
{
    Visitor *visitor = lws_get_opaque_user_data(wsi);
    lws_set_opaque_user_data(wsi, NULL);
    if (visitor)
        visitor_hangs_up(visitor);
}

// A browser has come.
static int on_open(Web *web, struct lws *wsi, Session *s)
{
    bytes_read(wsi, false, &s->read_before);
    s->client = web->hub ? hub_connect(web->hub, wsi, s->address) : NULL;
    return s->client ? 0 : close_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many clients");
}

// A browser has gone.
static void on_close(Session *s)
{
    if (s->client)
        hub_disconnect(s->client);
    s->client = NULL;
    free(s->text);
    s->text = NULL;
    s->length = s->capacity = 0;
}

// All that libwebsockets tells, by its kind.
static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length)
{
    struct lws_context *context = lws_get_context(wsi);
    Web *web = context ? lws_context_user(context) : NULL;
    Session *s = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return on_arrival(web, (int)(intptr_t)in);
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: on_connect(web, wsi); return 0;
    case LWS_CALLBACK_WSI_DESTROY: on_gone(wsi); return 0;
    case LWS_CALLBACK_HTTP: return on_http(web, wsi, s, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return on_http_writable(wsi, s);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return on_upgrade(web, wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return on_filter(web, wsi, s);
    case LWS_CALLBACK_ESTABLISHED: return on_open(web, wsi, s);
    case LWS_CALLBACK_RECEIVE: return s->client ? on_receive(wsi, s, in, length) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE: return s->client ? on_ws_writable(web, wsi, s) : -1;
    case LWS_CALLBACK_TIMER: return on_farewell(web, wsi, s);
    case LWS_CALLBACK_CLOSED: on_close(s); return 0;
    // Nothing of what the library would do by itself is wanted: no redirects, no files, no CGI.
    default: return 0;
    }
}

// ---- Listening ----

static const struct lws_protocols PROTOCOLS[] = {
    {"http", on_event, sizeof(Session), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static const lws_retry_bo_t IDLE = {.secs_since_valid_ping = PING_SECONDS,
                                    .secs_since_valid_hangup = HANGUP_SECONDS};

// libwebsockets does not say why it cannot listen; ask the system ourselves first.
static bool can_listen(const char *host, int port, Error *error)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) {
        close(fd);
        return error_set(error, "%s is no address: give numbers, such as 127.0.0.1 or 0.0.0.0",
                         host);
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    bool ok = fd >= 0 && !bind(fd, (struct sockaddr *)&address, sizeof address) && !listen(fd, 1);
    int why = errno;
    if (fd >= 0)
        close(fd);
    return ok || error_set(error, "cannot listen on %s:%d: %s", host, port, strerror(why));
}

// As many descriptors as the system gives, with some kept for ourselves.
static unsigned raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 512;
    if (limit.rlim_cur < DESCRIPTORS_MAX) {
        limit.rlim_cur = limit.rlim_max < DESCRIPTORS_MAX ? limit.rlim_max : DESCRIPTORS_MAX;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    rlim_t most = limit.rlim_cur < DESCRIPTORS_MAX ? limit.rlim_cur : DESCRIPTORS_MAX;
    return most > 2 * DESCRIPTORS_SPARE ? (unsigned)most - DESCRIPTORS_SPARE : (unsigned)most / 2;
}

Web *web_new(const ServerConfig *config, const Assets *assets, Error *error)
{
    const char *host = strcmp(config->host, "localhost") ? config->host : "127.0.0.1";
    Web *web = calloc(1, sizeof *web);
    if (!web)
        return error_set(error, "out of memory"), NULL;
    web->config = config;
    web->assets = assets;
    web->is_local = is_loopback(host);
    web->is_tls = config->tls_cert;
    unsigned descriptors = raise_descriptors(); // as many requests may be coming: nobody waits
    lws_set_log_level(0, NULL);
    struct lws_context_creation_info info = {
        .port = config->port,
        .iface = strcmp(host, "0.0.0.0") ? host : NULL,
        .protocols = PROTOCOLS,
        .user = web,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .timeout_secs = HEADER_SECONDS,
        .keepalive_timeout = KEEP_SECONDS,
        .retry_and_idle_policy = &IDLE,
        .max_http_header_data = 8192,
        .max_http_header_pool = (unsigned short)descriptors,
        .fd_limit_per_thread = descriptors,
        .server_string = "lovac",
        .alpn = "http/1.1",
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DISABLE_IPV6 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    };
    if (web->is_tls) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = config->tls_cert;
        info.ssl_private_key_filepath = config->tls_key;
    }
    if (!can_listen(host, config->port, error)) {
        free(web);
        return NULL;
    }
    web->context = lws_create_context(&info);
    web->vhost = web->context ? lws_get_vhost_by_name(web->context, "default") : NULL;
    if (!web->vhost) {
        if (web->context)
            lws_context_destroy(web->context);
        free(web);
        return error_set(error, "cannot listen on %s:%d%s", host, config->port,
                         config->tls_cert ? " (are certificate and key right?)" : ""),
               NULL;
    }
    return web;
}

void web_free(Web *web)
{
    lws_context_destroy(web->context);
    free(web);
}

void web_set_hub(Web *web, Hub *hub)
{
    web->hub = hub;
}

int web_port(const Web *web)
{
    return lws_get_vhost_listen_port(web->vhost);
}

// Something is due, and the loop has to turn. The library calls this also before it waits, for what
// is due already, and would then wait for something else: so it is told not to.
static void on_timer(lws_sorted_usec_list_t *timer)
{
    web_wake(lws_container_of(timer, Web, timer));
}

void web_turn(Web *web)
{
    int64_t next = hub_next_ms(web->hub), wait = next ? next - clock_ms() : 60000;
    lws_sul_schedule(web->context, 0, &web->timer, on_timer, (wait > 0 ? wait : 0) * 1000 + 1);
    lws_service(web->context, 0);
    hub_turn(web->hub);
    for (Client *client; (client = web->hub->listed);) {
        web->hub->listed = client->next_listed;
        client->is_listed = false;
        lws_callback_on_writable(client->link);
        if (client->is_dropped) {
            lws_set_timeout(client->link, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_SECONDS);
            lws_set_timer_usecs(client->link, FAREWELL_US);
        }
    }
}

void web_wake(Web *web)
{
    lws_cancel_service(web->context);
}
