// See spread.h: the processes of mpirun. MPI starts them and tells them where to meet; then it is
// left, and they talk over sockets, because a socket to a process that dies is closed, while MPI
// would take the whole program down with it.
//
// Each worker of another process has a line (a TCP connection) of its own, on which it gets a piece
// and sends the answer, one at a time. Besides, each process has one line on which it is only told
// to stop or to go home. Processes on one machine meet at 127.0.0.1; on several, whoever knows the
// token that MPI has spread is let in. All machines must store numbers in the same way.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <ifaddrs.h>
#include <mpi.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/spread_int.h"
#include "base/stop.h"
#include "base/thread.h"

enum {
    ADDRESSES_MAX = 16,
    HOST_SIZE = 256,
    FRAME_MAX = 1 << 30,
    CALL_MS = 5000,   // to be let in
    GRACE_MS = 5000,  // for the last answer after a halt
    LOOK_MS = 50,     // how often a stop is looked for
    SILENT_S = 30,    // until a silent machine is asked whether it is there,
    ASK_AGAIN_S = 10, // and how often
    ASK_TIMES = 3
};

// ---- Frames: a head and so many bytes ----

typedef enum FrameKind {
    FRAME_HELLO,   // token, rank; number: 0 for a process, 1 for a worker
    FRAME_COMMON,  // common bytes for the pieces that follow
    FRAME_PIECE,   // number: index; input
    FRAME_DONE,    // number: index; result
    FRAME_FAILED,  // reason
    FRAME_DROPPED, // not done: the process stops
    FRAME_STOP     // drop everything
} FrameKind;

typedef struct FrameHead {
    uint32_t kind, reserved;
    uint64_t number, size;
} FrameHead;
static_assert(sizeof(FrameHead) == 24, "the head of a frame");

typedef struct Hello {
    uint8_t token[16];
    int32_t rank, reserved;
} Hello;

static bool send_all(int socket, const void *data, size_t size, int flags)
{
    for (const char *at = data; size;) {
        ssize_t n = send(socket, at, size, flags | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool send_frame(int socket, FrameKind kind, uint64_t number, const void *data, size_t size)
{
    FrameHead head = {.kind = kind, .number = number, .size = size};
    return send_all(socket, &head, sizeof head, size ? MSG_MORE : 0) &&
           send_all(socket, data, size, 0);
}

static bool receive_all(int socket, void *data, size_t size)
{
    for (char *at = data; size;) {
        ssize_t n = recv(socket, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

// Waits for a frame; its bytes replace what `bytes` held. False when the line is dead.
static bool receive_frame(int socket, FrameHead *head, Bytes *bytes)
{
    bytes_clear(bytes);
    if (!receive_all(socket, head, sizeof *head) || head->size > FRAME_MAX)
        return false;
    void *at = head->size ? bytes_extend(bytes, head->size) : NULL;
    return !head->size || (at && receive_all(socket, at, head->size));
}

// Is there something to read within that time? A line that was closed has something to read, too.
static bool is_readable(int socket, int time_ms)
{
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    return poll(&wanted, 1, time_ms) > 0;
}

// ---- The team ----

struct SpreadLine {
    int socket; // -1: dead
    int rank;
    bool is_worker; // else it is where a process is told to stop
    uint64_t run;   // the last run that asked it
    bool has_common;
    bool has_died; // while it was needed
    SpreadLine *next;
};

// Where the first process can be called.
typedef struct Meeting {
    uint8_t token[16];
    uint16_t port;
    int32_t count;
    struct in_addr addresses[ADDRESSES_MAX];
} Meeting;

// What processes tell each other about themselves.
typedef struct Card {
    char host[HOST_SIZE];
    cpu_set_t allowed; // processors
} Card;

struct SpreadTeam {
    int rank, processes, threads;
    Meeting meeting;
    int listener;      // of the first process, else -1
    SpreadLine *lines; // to others, those that died included
    uint64_t runs;
    bool is_halted;
};

int spread_processes(const SpreadTeam *team)
{
    return team ? team->processes : 1;
}

bool spread_is_first(const SpreadTeam *team)
{
    return !team || !team->rank;
}

int spread_threads(const SpreadTeam *team)
{
    return team ? team->threads : thread_cpu_count();
}

int spread_lost(const SpreadTeam *team)
{
    int lost = 0;
    for (int rank = 1; team && rank < team->processes; rank++) {
        bool has_died = false;
        for (const SpreadLine *line = team->lines; line; line = line->next)
            has_died |= line->rank == rank && line->has_died;
        lost += has_died;
    }
    return lost;
}

// A machine that is gone without a word is noticed after a minute.
static void watch_line(int socket)
{
    const struct {
        int level, name, value;
    } options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},
                   {SOL_SOCKET, SO_KEEPALIVE, 1},
                   {IPPROTO_TCP, TCP_KEEPIDLE, SILENT_S},
                   {IPPROTO_TCP, TCP_KEEPINTVL, ASK_AGAIN_S},
                   {IPPROTO_TCP, TCP_KEEPCNT, ASK_TIMES}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(socket, options[i].level, options[i].name, &options[i].value, sizeof(int));
}

// ---- Joining ----

// Was this process started by mpirun, or by another that speaks its language?
static bool is_under_mpi(void)
{
    static const char *const SIGNS[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (getenv(SIGNS[i]))
            return true;
    return false;
}

// This machine's addresses, for others.
static void find_addresses(Meeting *meeting)
{
    struct ifaddrs *all;
    if (getifaddrs(&all))
        return;
    for (struct ifaddrs *i = all; i && meeting->count < ADDRESSES_MAX; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
            !(i->ifa_flags & IFF_LOOPBACK)) {
            struct sockaddr_in address;
            memcpy(&address, i->ifa_addr, sizeof address);
            meeting->addresses[meeting->count++] = address.sin_addr;
        }
    freeifaddrs(all);
}

static bool open_meeting(SpreadTeam *team, bool is_one_machine, Error *error)
{
    Meeting *meeting = &team->meeting;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(is_one_machine ? INADDR_LOOPBACK : INADDR_ANY);
    if (is_one_machine)
        meeting->addresses[meeting->count++] = address.sin_addr;
    else
        find_addresses(meeting);
    team->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok = team->listener >= 0 &&
              getrandom(meeting->token, sizeof meeting->token, 0) == sizeof meeting->token &&
              !bind(team->listener, (struct sockaddr *)&address, size) &&
              !getsockname(team->listener, (struct sockaddr *)&address, &size) &&
              !listen(team->listener, SOMAXCONN);
    meeting->port = address.sin_port;
    return ok || error_set(error, "mpirun: no place to meet: %s", strerror(errno));
}

// Every worker needs a file of its own here: as many as the system lets us have.
static void allow_many_lines(void)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// Processors for this process: its own, shared with those on the machine that have the same.
static int share_of(const Card *cards, int count, int rank)
{
    const Card *own = &cards[rank];
    int sharers = 0;
    for (int i = 0; i < count; i++)
        sharers += !strcmp(cards[i].host, own->host) && CPU_EQUAL(&cards[i].allowed, &own->allowed);
    int share = CPU_COUNT(&own->allowed) / sharers;
    return share > 1 ? share : 1;
}

static bool is_one_machine(const Card *cards, int count)
{
    for (int i = 1; i < count; i++)
        if (strcmp(cards[i].host, cards[0].host))
            return false;
    return true;
}

// All that MPI is needed for. Afterwards everybody knows where the first process waits.
static bool meet(SpreadTeam *team, Error *error)
{
    Card own, *cards = calloc((size_t)team->processes, sizeof *cards);
    if (!cards)
        return error_set(error, "out of memory");
    memset(&own, 0, sizeof own);
    gethostname(own.host, sizeof own.host - 1);
    sched_getaffinity(0, sizeof own.allowed, &own.allowed);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, cards, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    team->threads = share_of(cards, team->processes, team->rank);
    bool ok = true;
    if (!team->rank) {
        allow_many_lines();
        ok = open_meeting(team, is_one_machine(cards, team->processes), error);
    }
    int is_open = ok;
    MPI_Bcast(&is_open, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&team->meeting, sizeof team->meeting, MPI_BYTE, 0, MPI_COMM_WORLD);
    free(cards);
    return is_open || (ok && error_set(error, "mpirun: the first process has failed"));
}

bool spread_join(SpreadTeam **team, Error *error)
{
    *team = NULL;
    if (!is_under_mpi())
        return true;
    SpreadTeam *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(error, "out of memory");
    t->listener = -1;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        free(t);
        return error_set(error, "mpirun: MPI does not start");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->processes);
    bool ok = t->processes == 1 || meet(t, error);
    MPI_Finalize();
    if (ok && t->processes > 1)
        *team = t;
    else
        spread_leave(t);
    return ok;
}

// A line that is closed tells a process to go home.
void spread_leave(SpreadTeam *team)
{
    if (!team)
        return;
    while (team->lines) {
        SpreadLine *line = team->lines;
        team->lines = line->next;
        if (line->socket >= 0)
            close(line->socket);
        free(line);
    }
    if (team->listener >= 0)
        close(team->listener);
    free(team);
}

// ---- The first process: its lines ----

// Lets a caller in who knows the token.
static void let_in(SpreadTeam *team, int socket)
{
    FrameHead head;
    Hello hello;
    bool ok = is_readable(socket, CALL_MS) && receive_all(socket, &head, sizeof head) &&
              head.kind == FRAME_HELLO && head.size == sizeof hello &&
              receive_all(socket, &hello, sizeof hello) &&
              !memcmp(hello.token, team->meeting.token, sizeof hello.token) && hello.rank > 0 &&
              hello.rank < team->processes;
    SpreadLine *line = ok ? calloc(1, sizeof *line) : NULL;
    if (!line) {
        close(socket);
        return;
    }
    watch_line(socket);
    *line = (SpreadLine){
        .socket = socket, .rank = hello.rank, .is_worker = head.number, .next = team->lines};
    team->lines = line;
    if (team->is_halted)
        send_frame(socket, FRAME_STOP, 0, NULL, 0);
}

static void let_all_in(SpreadTeam *team)
{
    int socket;
    while ((socket = accept4(team->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        let_in(team, socket);
}

uint64_t spread_team_next_run(SpreadTeam *team)
{
    return ++team->runs;
}

SpreadLine *spread_team_line(SpreadTeam *team, uint64_t run)
{
    let_all_in(team);
    for (SpreadLine *line = team->lines; line; line = line->next)
        if (line->is_worker && line->run != run && line->socket >= 0) {
            line->run = run;
            line->has_common = false;
            return line;
        }
    return NULL;
}

void spread_team_halt(SpreadTeam *team)
{
    if (team->is_halted)
        return;
    team->is_halted = true;
    for (SpreadLine *line = team->lines; line; line = line->next)
        if (!line->is_worker)
            send_frame(line->socket, FRAME_STOP, 0, NULL, 0);
}

// Waits for an answer; once everything is to end, not for ever.
static bool wait_for_answer(const SpreadLine *line, const atomic_bool *halt)
{
    int64_t halted_ms = 0;
    while (!is_readable(line->socket, LOOK_MS)) {
        if (!atomic_load_explicit(halt, memory_order_relaxed))
            continue;
        if (!halted_ms)
            halted_ms = clock_ms();
        else if (clock_ms() - halted_ms > GRACE_MS)
            return false;
    }
    return true;
}

SpreadAnswer spread_line_do(SpreadLine *line, const SpreadPiece *piece, const atomic_bool *halt,
                            Bytes *result, Error *error)
{
    FrameHead head = {.kind = FRAME_DROPPED};
    bool ok = line->has_common || !piece->common_size ||
              send_frame(line->socket, FRAME_COMMON, 0, piece->common, piece->common_size);
    line->has_common = true;
    ok = ok &&
         send_frame(line->socket, FRAME_PIECE, piece->index, piece->input, piece->input_size) &&
         wait_for_answer(line, halt) && receive_frame(line->socket, &head, result);
    if (ok && head.kind == FRAME_DONE && head.number == piece->index)
        return SPREAD_DONE;
    if (ok && head.kind == FRAME_FAILED) {
        error_set(error, "process %d: %.*s", line->rank, (int)result->size,
                  (const char *)result->at);
        return SPREAD_FAILED;
    }
    close(line->socket);
    line->socket = -1;
    line->has_died = !atomic_load_explicit(halt, memory_order_relaxed);
    return SPREAD_GONE;
}

// ---- The other processes ----

// What the workers of this process share.
typedef struct Service {
    const SpreadTeam *team;
    const SpreadWork *work;
    atomic_bool halt;
} Service;

typedef struct Servant {
    Service *service;
    int socket;
    bool is_started;
    Thread thread;
} Servant;

// Calls the first process at one of its addresses; -1 when it does not answer.
static int call(const SpreadTeam *team, bool is_worker)
{
    const Meeting *meeting = &team->meeting;
    Hello hello = {.rank = team->rank};
    memcpy(hello.token, meeting->token, sizeof hello.token);
    for (int i = 0; i < meeting->count; i++) {
        struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_port = meeting->port, .sin_addr = meeting->addresses[i]};
        struct timeval limit = {.tv_sec = CALL_MS / 1000}, none = {0};
        int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (line >= 0 && !connect(line, (struct sockaddr *)&address, sizeof address) &&
            send_frame(line, FRAME_HELLO, is_worker, &hello, sizeof hello)) {
            setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
            watch_line(line);
            return line;
        }
        if (line >= 0)
            close(line);
    }
    return -1;
}

// Does a piece and says what came of it; false when the line is dead.
static bool serve_piece(Servant *servant, void **state, const SpreadPiece *piece, Bytes *result)
{
    const SpreadWork *work = servant->service->work;
    Error error = {0};
    bytes_clear(result);
    if (work->make && !*state)
        *state = work->make(work->context, piece->stop, &error);
    bool ok = (!work->make || *state) && work->work(work->context, *state, piece, result, &error);
    if (ok)
        return send_frame(servant->socket, FRAME_DONE, piece->index, result->at, result->size);
    if (atomic_load(&servant->service->halt))
        return send_frame(servant->socket, FRAME_DROPPED, piece->index, NULL, 0);
    return send_frame(servant->socket, FRAME_FAILED, piece->index, error.text, strlen(error.text));
}

// A worker: pieces until the line is closed.
static void serve_line(void *context)
{
    Servant *servant = context;
    Service *service = servant->service;
    Bytes frame = {0}, common = {0}, result = {0};
    void *state = NULL;
    FrameHead head;
    bool ok = true;
    while (ok && receive_frame(servant->socket, &head, &frame)) {
        SpreadPiece piece = {.index = head.number,
                             .input = frame.at,
                             .input_size = frame.size,
                             .common = common.at,
                             .common_size = common.size,
                             .stop = &service->halt};
        if (head.kind == FRAME_COMMON) {
            Bytes swap = common;
            common = frame;
            frame = swap;
        } else if (head.kind == FRAME_PIECE) {
            ok = serve_piece(servant, &state, &piece, &result);
        }
    }
    shutdown(servant->socket, SHUT_RDWR); // nobody is to wait for us
    if (state && service->work->free)
        service->work->free(service->work->context, state);
    bytes_release(&frame);
    bytes_release(&common);
    bytes_release(&result);
}

// Until the first process says that it is over, is gone, or the user wants it to end.
static void wait_for_end(Service *service, int line)
{
    const atomic_bool *stop = service->work->stop;
    FrameHead head;
    Bytes frame = {0};
    while (true) {
        if (stop_is_set(stop))
            break;
        if (!is_readable(line, LOOK_MS))
            continue;
        if (!receive_frame(line, &head, &frame))
            break;
        if (head.kind == FRAME_STOP)
            atomic_store(&service->halt, true);
    }
    atomic_store(&service->halt, true);
    bytes_release(&frame);
}

bool spread_serve(SpreadTeam *team, const SpreadWork *work, Error *error)
{
    Service service = {.team = team, .work = work};
    Servant *servants = calloc((size_t)work->threads, sizeof *servants);
    if (!servants)
        return error_set(error, "out of memory");
    int line = call(team, false);
    for (int i = 0; line >= 0 && i < work->threads; i++) {
        servants[i] = (Servant){.service = &service, .socket = call(team, true)};
        servants[i].is_started = servants[i].socket >= 0 &&
                                 thread_start(&servants[i].thread, serve_line, &servants[i], error);
    }
    if (line >= 0) {
        wait_for_end(&service, line);
        close(line);
    }
    for (int i = 0; i < work->threads; i++) {
        if (servants[i].is_started) {
            shutdown(servants[i].socket, SHUT_RD); // the answer to the last piece still goes out
            thread_join(&servants[i].thread);
        }
        if (servants[i].socket > 0)
            close(servants[i].socket);
    }
    free(servants);
    return true;
}
