// `lovac serve`: the board in the browser. The work is server/server.h.
#include <arpa/inet.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/command.h"
#include "app/options.h"
#include "app/players.h"
#include "app/serve_lab.h"
#include "app/serve_walk.h"
#include "app/version.h"
#include "base/file.h"
#include "base/str.h"
#include "base/thread.h"
#include "server/server.h"
#include "tables/places.h"

const char help_serve[] =
    "Usage: lovac serve [options]\n"
    "\n"
    "Opens the board in the browser: play, watch and analyse, alone or over a network, and run\n"
    "experiments in its laboratory. Every move is kept; after a restart all games go on. Ends\n"
    "with Ctrl-C.\n"
    "\n"
    "  --open           starts a browser with the page\n"
    "  --port N         port (8064); 0: any free one\n"
    "  --host ADDRESS   address to listen on (127.0.0.1: this machine only); 0.0.0.0: everybody\n"
    "  --name HOST      name by which browsers may reach it, for example behind a proxy; several\n"
    "                   with commas\n"
    "  --proxy ADDRESS  that of a reverse proxy: the addresses it reports (X-Forwarded-For) "
    "count;\n"
    "                   several with commas. Implies --private\n"
    "  --password WORD  whom to let in: those who know it, and those with the link of a room; "
    "@FILE:\n"
    "                   the first line of a file\n"
    "  --private        each browser has a library of its own, also on this machine alone\n"
    "  --data FOLDER    where games are kept (the user's data folder, lovac/)\n"
    "  --engines FILE   other players: lines NAME: DESCRIPTION as in `lovac match` (the user's\n"
    "                   configuration folder, lovac/engines.conf, if it is there)\n"
    "  --disk MB        how large that folder may become (4096)\n"
    "  --free MB        so much of its disk stays free (64)\n"
    "  --quota MB       what one address may keep there in a day (64; 640 where only this machine\n"
    "                   can connect)\n"
    "  --tables FOLDER  Lovac's own endgame tables (those of `lovac tablebase make`)\n"
    "  --syzygy FOLDERS Syzygy's endgame tables, ':' between folders\n"
    "  --book FILE      opening book, as of `lovac book` (the built-in one); none: no book\n"
    "  --tls-cert FILE --tls-key FILE   https, with this certificate and key (PEM)\n"
    "  --threads N      workers that think (one for each processor)\n"
    "  --hash MB        of each (64)\n"
    "  --page FOLDER    files of the page instead of those in the program, for work on it\n"
    "  --quiet          no log\n"
    "\n"
    "Example: lovac serve --open\n"
    "         lovac serve --host 0.0.0.0 --port 8064 --name chess.example.org\n";

enum { PASSWORD_MAX = 1024 };

typedef struct ServeArguments {
    const char *host, *names, *proxies, *password, *data, *engines, *tls_cert, *tls_key, *page;
    const char *tables, *syzygy, *book;
    long long port, threads, hash, disk, spare, quota;
    bool open, is_private, is_quiet;
} ServeArguments;

static _Atomic(Server *) RUNNING; // the one thing that a signal handler can reach

static void stop_serving(int number)
{
    (void)number;
    Server *server = atomic_load(&RUNNING);
    if (server)
        server_stop(server);
}

static int failed(const Error *error)
{
    fprintf(stderr, "lovac serve: %s\n", error->text);
    return EXIT_FAILED;
}

static void start_browser(const char *url)
{
    static const char *const PROGRAMS[] = {"xdg-open", "open", "sensible-browser", "wslview"};
    if (fork())
        return;
    // The child's child belongs to nobody, so nobody has to wait for it.
    if (fork() == 0) {
        freopen("/dev/null", "w", stdout);
        freopen("/dev/null", "w", stderr);
        for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++)
            execlp(PROGRAMS[i], PROGRAMS[i], url, (char *)NULL);
    }
    _exit(0);
}

// The words between commas; their number.
static int split_list(char *text, const char **words, int most)
{
    int count = 0;
    for (char *word; text && (word = str_split(&text, ","));)
        if (*word && count < most)
            words[count++] = word;
    return count;
}

// Does a server answer at this address already?
static bool is_served(const char *host, int port)
{
    static const char QUESTION[] = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = 2};
    char answer[2048];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool ok = inet_pton(AF_INET, host, &address.sin_addr) == 1 &&
              !connect(fd, (struct sockaddr *)&address, sizeof address) &&
              write(fd, QUESTION, sizeof QUESTION - 1) == (ssize_t)sizeof QUESTION - 1;
    ssize_t length = ok ? read(fd, answer, sizeof answer - 1) : 0;
    answer[length > 0 ? length : 0] = 0;
    close(fd);
    return strstr(answer, "server: lovac");
}

static void write_url(const ServerConfig *config, int port, char *url, size_t size)
{
    snprintf(url, size, "%s://%s:%d/", config->tls_cert ? "https" : "http",
             strcmp(config->host, "0.0.0.0") ? config->host : "127.0.0.1", port);
}

static void open_page(const char *url)
{
    start_browser(url);
    wait(NULL);
}

// Says what is opened to whom, where that is more than this machine.
static void warn(const ServerConfig *config)
{
    if (server_is_local(config->host))
        return;
    fprintf(stderr, "Others can reach this board: everybody who can connect to %s.\n",
            strcmp(config->host, "0.0.0.0") ? config->host : "any address of this machine");
    if (!config->password)
        fprintf(stderr, "  Everybody is let in; --password WORD asks for a password.\n");
    if (!config->tls_cert)
        fprintf(stderr,
                "  Nothing is encrypted%s; on the internet use --tls-cert and --tls-key, or\n"
                "  listen on 127.0.0.1 behind a reverse proxy (docs/server.md).\n",
                config->password ? ", not even the password" : "");
}

static int serve(const ServerConfig *config, bool open)
{
    Error error;
    char url[300];
    warn(config);
    Server *server = server_new(config, &error);
    if (!server && open && is_served(config->host, config->port)) {
        write_url(config, config->port, url, sizeof url);
        printf("Lovac is already at %s\n", url);
        fflush(stdout);
        open_page(url);
        return EXIT_OK;
    }
    if (!server)
        return failed(&error);
    struct sigaction action = {.sa_handler = stop_serving};
    atomic_store(&RUNNING, server);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    write_url(config, server_port(server), url, sizeof url);
    printf("Lovac is at %s\n", url);
    fflush(stdout);
    if (open)
        open_page(url);
    server_run(server);
    atomic_store(&RUNNING, NULL);
    server_free(server);
    return EXIT_OK;
}

static bool check(const ServeArguments *a, Error *error)
{
    if (!a->tls_cert != !a->tls_key)
        return error_set(error, "--tls-cert and --tls-key belong together");
    if (a->tls_cert && (!file_exists(a->tls_cert) || !file_exists(a->tls_key)))
        return error_set(error, "%s: no such file",
                         file_exists(a->tls_cert) ? a->tls_key : a->tls_cert);
    return true;
}

// Where tables and book are: as said, else where they usually are.
static KnowledgePlaces find_knowledge(const ServeArguments *a, char usual[PLACES_SIZE])
{
    bool has_usual = !a->tables && places_find_tables(usual);
    return (KnowledgePlaces){
        .tables = has_usual ? usual : a->tables, .syzygy = a->syzygy, .book = a->book};
}

// The password of the options, from its file where it is in one; the caller frees it.
static bool read_password(const char *option, char **password, Error *error)
{
    *password = NULL;
    if (!option)
        return true;
    *password = *option == '@' ? file_read(option + 1, PASSWORD_MAX, NULL, error) : strdup(option);
    if (!*password)
        return *option == '@' ? false : error_set(error, "out of memory");
    (*password)[strcspn(*password, "\r\n")] = 0;
    return **password || error_set(error, "--password: it is empty");
}

static int run(const ServeArguments *a)
{
    char data[2048], tables[PLACES_SIZE];
    Error error;
    PlayerList players;
    char *names = a->names ? strdup(a->names) : NULL;
    char *proxies = a->proxies ? strdup(a->proxies) : NULL;
    Log log = {.out = a->is_quiet ? NULL : stderr, .level = LOG_INFO};
    umask(077); // keys of rooms are nobody else's business
    bool ok = a->data || places_user_folder("XDG_DATA_HOME", ".local/share", data, sizeof data) ||
              error_set(&error, "there is no HOME: say with --data where games are to be kept");
    ok = ok && players_open(&players, a->engines, &error);
    char *password = NULL;
    ok = ok && read_password(a->password, &password, &error);
    int status = ok ? EXIT_OK : failed(&error);
    ServeLab lab;
    char leagues[2048 + 8];
    if (ok) {
        snprintf(leagues, sizeof leagues, "%.2040s/lab", a->data ? a->data : data);
        players.leagues = leagues;
        serve_lab_init(&lab, &players);
        ServerConfig config = {.version = LOVAC_VERSION,
                               .host = a->host,
                               .port = (int)a->port,
                               .data = a->data ? a->data : data,
                               .page = a->page,
                               .tls_cert = a->tls_cert,
                               .tls_key = a->tls_key,
                               .is_private = a->is_private,
                               .password = password,
                               .disk_mb = a->disk,
                               .free_mb = a->spare,
                               .keep_mb = a->quota,
                               .workers = (int)a->threads,
                               .hash_mb = (int)a->hash,
                               .knowledge = find_knowledge(a, tables),
                               .players = &players,
                               .experiments = lab.list,
                               .experiment_count = lab.count,
                               .walk = serve_walk,
                               .log = &log};
        config.name_count = split_list(names, config.names, SERVER_NAMES_MAX);
        config.proxy_count = split_list(proxies, config.proxies, SERVER_PROXIES_MAX);
        status = serve(&config, a->open);
        player_list_release(&players);
    }
    free(names);
    free(proxies);
    free(password);
    return status;
}

int cmd_serve(int argc, char **argv)
{
    ServeArguments a = {.host = "127.0.0.1",
                        .port = 8064,
                        .threads = thread_cpu_count(),
                        .hash = 64,
                        .disk = 4096,
                        .spare = 64};
    const Option options[] = {
        {.name = "open", .kind = OPTION_FLAG, .value = &a.open},
        {.name = "port", .kind = OPTION_INT, .value = &a.port, .low = 0, .high = 65535},
        {.name = "host", .kind = OPTION_TEXT, .value = &a.host},
        {.name = "name", .kind = OPTION_TEXT, .value = &a.names},
        {.name = "proxy", .kind = OPTION_TEXT, .value = &a.proxies},
        {.name = "password", .kind = OPTION_TEXT, .value = &a.password},
        {.name = "data", .kind = OPTION_TEXT, .value = &a.data},
        {.name = "engines", .kind = OPTION_TEXT, .value = &a.engines},
        {.name = "tables", .kind = OPTION_TEXT, .value = &a.tables},
        {.name = "syzygy", .kind = OPTION_TEXT, .value = &a.syzygy},
        {.name = "book", .kind = OPTION_TEXT, .value = &a.book},
        {.name = "tls-cert", .kind = OPTION_TEXT, .value = &a.tls_cert},
        {.name = "tls-key", .kind = OPTION_TEXT, .value = &a.tls_key},
        {.name = "threads", .kind = OPTION_INT, .value = &a.threads, .low = 1, .high = 256},
        OPTION_HASH(&a.hash),
        {.name = "disk", .kind = OPTION_INT, .value = &a.disk, .low = 4, .high = 1 << 30},
        {.name = "free", .kind = OPTION_INT, .value = &a.spare, .low = 0, .high = 1 << 30},
        {.name = "quota", .kind = OPTION_INT, .value = &a.quota, .low = 1, .high = 1 << 30},
        {.name = "private", .kind = OPTION_FLAG, .value = &a.is_private},
        {.name = "page", .kind = OPTION_TEXT, .value = &a.page},
        OPTION_QUIET(&a.is_quiet),
        {0}};
    Words words;
    Error error;
    if (!options_read(argc, argv, options, &words, &error) || !check(&a, &error))
        return options_refuse(argv[0], &error);
    if (words.count) {
        error_set(&error, "what is '%s'?", words.at[0]);
        return options_refuse(argv[0], &error);
    }
    return run(&a);
}
